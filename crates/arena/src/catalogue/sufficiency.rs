//! What can be said about when a move is good enough for a player.

use paidia_search::uct::{Reading, Settings, Sufficiency};

use super::{BadPlayer, Key, number};
use crate::spec::PlayerSpec;

pub(super) const SUFFICIENCY: Key = Key {
    name: "sufficiency",
    what: "the value above which a move is good enough to look no further, or how it is found",
    wanted: "`no`, `dynamic`, `printed` (dynamic, as the paper prints it), or a number from -1000 to 1000",
};

/// Sets when a move is good enough.
pub(super) fn set_sufficiency(spec: &PlayerSpec, settings: &mut Settings) -> Result<(), BadPlayer> {
    let reading = match spec.values.get(SUFFICIENCY.name).map(String::as_str) {
        None => return Ok(()),
        Some("no") => None,
        Some("dynamic") => Some(Reading::Meant),
        Some("printed") => Some(Reading::Printed),
        Some(_) => {
            if let Some(threshold) = number(spec, SUFFICIENCY, -1e3..=1e3)? {
                settings.sufficiency = Sufficiency::Above { threshold };
            }
            return Ok(());
        }
    };
    settings.sufficiency = match reading {
        None => Sufficiency::Never,
        Some(reading) => Sufficiency::Dynamic { reading },
    };
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::set_sufficiency;
    use paidia_search::uct::{Reading, Settings, Sufficiency};

    #[test]
    fn a_threshold_is_given_or_found() {
        let read = |text: &str| {
            let mut settings = Settings::cadia();
            let set = set_sufficiency(&text.parse().unwrap(), &mut settings);
            set.map(|()| settings.sufficiency).ok()
        };
        assert_eq!(read("uct"), Some(Sufficiency::Never));
        let above = Sufficiency::Above { threshold: 60.0 };
        assert_eq!(read("uct(sufficiency=60)"), Some(above));
        let reading = Reading::Printed;
        let printed = Sufficiency::Dynamic { reading };
        assert_eq!(read("uct(sufficiency=printed)"), Some(printed));
        assert_eq!(read("uct(sufficiency=enough)"), None);
    }
}
