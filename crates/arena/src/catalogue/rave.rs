//! What can be said about a player's use of RAVE.

use paidia_search::uct::{Rave, RaveUse, Selection, Settings};

use super::advice::is_in_tree;
use super::{BadPlayer, Key, bad, number};
use crate::spec::PlayerSpec;

pub(super) const RAVE: Key = Key {
    name: "rave",
    what: "whether a move is also judged by what came of it when it was made later, and when that is believed",
    wanted: "`no`, `never`, `always`, `adaptive`, `everywhere`, or how often: a number from 0 to 1",
};
pub(super) const EQUIVALENCE: Key = Key {
    name: "equivalence",
    what: "visits at which RAVE, or advice, and what was found count about the same",
    wanted: "a number above 0, with rave, advice=tree or both",
};
pub(super) const MARGIN: Key = Key {
    name: "margin",
    what: "by how much RAVE must promise more to be believed",
    wanted: "a number from -1000 to 1000, with rave=adaptive or everywhere",
};

/// The paper's constant.
const USUAL_EQUIVALENCE: f64 = 700.0;

/// Sets whether and when RAVE is used.
pub(super) fn set_rave(spec: &PlayerSpec, settings: &mut Settings) -> Result<(), BadPlayer> {
    let misplaced = |key: Key| match spec.values.get(key.name) {
        Some(value) => Err(bad(key, value)),
        None => Ok(()),
    };
    let text = spec.values.get(RAVE.name).map(String::as_str);
    let Some(text) = text.filter(|&text| text != "no") else {
        if !is_in_tree(spec) {
            misplaced(EQUIVALENCE)?;
        }
        return misplaced(MARGIN);
    };
    let Selection::Uct { exploration, .. } = settings.selection else {
        return Err(bad(RAVE, text));
    };
    let margin = number(spec, MARGIN, -1e3..=1e3)?;
    let usage = match (text, margin) {
        ("adaptive", margin) => RaveUse::Adaptive {
            margin: margin.unwrap_or(0.0),
        },
        ("everywhere", margin) => RaveUse::AdaptiveEverywhere {
            margin: margin.unwrap_or(0.0),
        },
        (_, Some(_)) => return misplaced(MARGIN),
        ("never", None) => RaveUse::Never,
        ("always", None) => RaveUse::Always,
        (_, None) => match number(spec, RAVE, 0.0..=1.0)? {
            Some(probability) => RaveUse::Sometimes { probability },
            None => return Err(bad(RAVE, text)),
        },
    };
    settings.selection = Selection::Rave(Rave {
        exploration,
        equivalence: number(spec, EQUIVALENCE, 1e-9..=1e9)?.unwrap_or(USUAL_EQUIVALENCE),
        usage,
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::set_rave;
    use paidia_search::uct::{Rave, RaveUse, Selection, Settings};

    fn selection(text: &str) -> Result<Selection, String> {
        let mut settings = Settings::cadia();
        let set = set_rave(&text.parse().unwrap(), &mut settings);
        set.map(|()| settings.selection)
            .map_err(|bad| bad.to_string())
    }

    #[test]
    fn rave_is_set() {
        assert_eq!(selection("uct(rave=no)"), Ok(Settings::cadia().selection));
        let rave = |usage, equivalence| {
            Ok(Selection::Rave(Rave {
                exploration: 40.0,
                equivalence,
                usage,
            }))
        };
        assert_eq!(selection("uct(rave=always)"), rave(RaveUse::Always, 700.0));
        let sometimes = RaveUse::Sometimes { probability: 0.3 };
        assert_eq!(
            selection("uct(rave=0.3, equivalence=50)"),
            rave(sometimes, 50.0)
        );
        let adaptive = RaveUse::Adaptive { margin: -5.0 };
        assert_eq!(
            selection("uct(rave=adaptive, margin=-5)"),
            rave(adaptive, 700.0)
        );
    }

    #[test]
    fn what_does_not_count_is_refused() {
        for text in [
            "uct(margin=1)",
            "uct(rave=always, margin=1)",
            "uct(rave=often)",
            "uct(rave=2)",
            "uct(equivalence=7)",
        ] {
            assert!(selection(text).is_err(), "{text}");
        }
    }
}
