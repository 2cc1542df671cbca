//! What can be said about a player's use of advice: action heuristics by goal regression.

use paidia_search::uct::{Advised, Selection, Settings};

use super::rave::EQUIVALENCE;
use super::{BadPlayer, Key, bad, number, one_of};
use crate::spec::PlayerSpec;

pub(super) const ADVICE: Key = Key {
    name: "advice",
    what: "where heuristics from the game's goals are used: in the tree, in playouts, or both; needs a network",
    wanted: "`no`, `tree`, `playouts` or `both`; `tree` and `both` without rave",
};
pub(super) const PERSISTENCE: Key = Key {
    name: "persistence",
    what: "whether heuristics use that some facts stay as they are",
    wanted: "`yes` or `no`, with advice",
};
pub(super) const AFTER: Key = Key {
    name: "after",
    what: "how often moves must have been chosen in a state of the tree before heuristics are asked about it",
    wanted: "a whole number from 0 on, with advice=tree or both",
};
pub(super) const SPREAD: Key = Key {
    name: "spread",
    what: "whether heuristics are spread over the whole scale among the moves of a state, or stay as they are",
    wanted: "`yes` or `no`, with advice",
};
pub(super) const SCALE: Key = Key {
    name: "scale",
    what: "how much more the best of a state's moves counts than the worst in playouts, by Gibbs with temperature 1",
    wanted: "a number from 0 on, with advice=playouts or both",
};

/// Whether advice is listened to in the tree.
pub(super) fn is_in_tree(spec: &PlayerSpec) -> bool {
    let text = spec.values.get(ADVICE.name).map(String::as_str);
    matches!(text, Some("tree" | "both"))
}

/// Sets whether and where advice is used.
pub(super) fn set_advice(spec: &PlayerSpec, settings: &mut Settings) -> Result<(), BadPlayer> {
    let places = [
        ("no", None),
        ("tree", Some((true, false))),
        ("playouts", Some((false, true))),
        ("both", Some((true, true))),
    ];
    let place = one_of(spec, ADVICE, &places)?.flatten();
    let misplaced = |key: Key, wanted: bool| match spec.values.get(key.name) {
        Some(value) if !wanted => Err(bad(key, value)),
        _ => Ok(()),
    };
    misplaced(PERSISTENCE, place.is_some())?;
    misplaced(SPREAD, place.is_some())?;
    misplaced(AFTER, place.is_some_and(|(tree, _)| tree))?;
    misplaced(SCALE, place.is_some_and(|(_, playouts)| playouts))?;
    let Some((tree, playouts)) = place else {
        settings.advice = None;
        return Ok(());
    };
    if tree && !matches!(settings.selection, Selection::Uct { .. }) {
        misplaced(ADVICE, false)?;
    }
    let usual = Advised::default();
    let either = [("yes", true), ("no", false)];
    let persistence = one_of(spec, PERSISTENCE, &either)?;
    let spread = one_of(spec, SPREAD, &either)?;
    let after = number(spec, AFTER, 0.0..=1e9)?;
    let mut advised = Advised {
        tree,
        playouts,
        after: after.map_or(usual.after, |after| after as u32),
        scale: number(spec, SCALE, 0.0..=1e6)?.unwrap_or(usual.scale),
        persistence: persistence.unwrap_or(usual.persistence),
        spread: spread.unwrap_or(usual.spread),
        ..usual
    };
    if tree {
        let equivalence = number(spec, EQUIVALENCE, 1e-9..=1e9)?;
        advised.equivalence = equivalence.unwrap_or(usual.equivalence);
    }
    settings.advice = Some(advised);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::settings_of;
    use paidia_search::uct::{Advised, Settings};

    fn advice(text: &str) -> Result<Option<Advised>, String> {
        let settings = settings_of(&text.parse().unwrap(), Settings::cadia());
        settings
            .map(|settings| settings.advice)
            .map_err(|bad| bad.to_string())
    }

    #[test]
    fn advice_is_set() {
        let usual = Advised::default();
        assert_eq!(advice("uct"), Ok(None));
        assert_eq!(advice("uct(advice=no)"), Ok(None));
        assert_eq!(advice("uct(advice=tree)"), Ok(Some(usual)));
        let both = Advised {
            playouts: true,
            scale: 30.0,
            equivalence: 50.0,
            after: 0,
            persistence: false,
            spread: true,
            ..usual
        };
        assert_eq!(
            advice(
                "uct(advice=both, scale=30, equivalence=50, after=0, persistence=no, spread=yes)"
            ),
            Ok(Some(both))
        );
        let playouts = Advised {
            tree: false,
            playouts: true,
            ..usual
        };
        assert_eq!(
            advice("uct(advice=playouts, rave=always)"),
            Ok(Some(playouts))
        );
    }

    #[test]
    fn what_does_not_count_is_refused() {
        for text in [
            "uct(advice=often)",
            "uct(scale=3)",
            "uct(advice=tree, scale=3)",
            "uct(persistence=no)",
            "uct(spread=no)",
            "uct(advice=playouts, after=3)",
            "uct(advice=playouts, equivalence=3)",
            "uct(advice=both, rave=always)",
        ] {
            assert!(advice(text).is_err(), "{text}");
        }
    }
}
