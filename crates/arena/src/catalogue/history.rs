//! What can be said about how much the moves of the tree tell about each other.

use paidia_search::uct::{History, Settings};

use super::{BadPlayer, Key, number};
use crate::spec::PlayerSpec;

pub(super) const HISTORY: Key = Key {
    name: "history",
    what: "visits for which it counts what came of the same move elsewhere in the tree; moves never tried then wait until they promise more than others",
    wanted: "`no`, or a number above 0",
};

/// The setting as it would be written.
pub(super) fn written(settings: &Settings) -> String {
    let weight = settings.history.map(|history| history.weight.to_string());
    weight.unwrap_or_else(|| "no".to_owned())
}

/// Sets how much history counts.
pub(super) fn set_history(spec: &PlayerSpec, settings: &mut Settings) -> Result<(), BadPlayer> {
    match spec.values.get(HISTORY.name).map(String::as_str) {
        None => {}
        Some("no") => settings.history = None,
        Some(_) => {
            let weight = number(spec, HISTORY, f64::MIN_POSITIVE..=1e6)?;
            settings.history = weight.map(|weight| History { weight });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::set_history;
    use paidia_search::uct::{History, Settings};

    #[test]
    fn a_weight_is_read() {
        let read = |text: &str| {
            let mut settings = Settings::cadia();
            let set = set_history(&text.parse().unwrap(), &mut settings);
            set.map(|()| settings.history)
                .map_err(|bad| bad.to_string())
        };
        assert_eq!(read("uct"), Ok(None));
        assert_eq!(read("uct(history=no)"), Ok(None));
        assert_eq!(read("uct(history=4)"), Ok(Some(History { weight: 4.0 })));
        assert!(read("uct(history=0)").unwrap_err().contains("above 0"));
    }
}
