//! What can be said about how a player's playouts choose moves.

use paidia_search::uct::{Draw, Playouts, Settings};

use super::{BadPlayer, Key, bad, nested, number};
use crate::spec::PlayerSpec;

/// How playouts choose.
pub(super) const PLAYOUTS: Key = Key {
    name: "playouts",
    what: "how playouts choose: any move, by means of moves, by means of sequences of up to three moves, or by nested searches",
    wanted: "`uniform`, `mast`, `nst` or `nested`",
};
pub(super) const TEMPERATURE: Key = Key {
    name: "temperature",
    what: "of Gibbs sampling by means; low is greedy",
    wanted: "a number above 0, with playouts=mast or nst",
};
pub(super) const EPSILON: Key = Key {
    name: "epsilon",
    what: "how often playouts that take the best by means take any move; instead of a temperature",
    wanted: "a number from 0 to 1, with playouts=mast or nst",
};
pub(super) const DECAY: Key = Key {
    name: "decay",
    what: "what is left of the weight of means after a move was really made",
    wanted: "a number from 0 to 1, with playouts=mast or nst",
};
pub(super) const LEAST: Key = Key {
    name: "least",
    what: "how often a sequence of moves must have been made to be asked",
    wanted: "a whole number from 0 on, with playouts=nst",
};

/// Joint moves after which playouts by sequences are cut, as their paper has it.
const NST_LIMIT: u32 = 400;

/// Sets how playouts choose.
pub(super) fn set_playouts(spec: &PlayerSpec, settings: &mut Settings) -> Result<(), BadPlayer> {
    match spec.values.get(PLAYOUTS.name).map(String::as_str) {
        None => (),
        Some("uniform") => settings.playouts = Playouts::Uniform,
        Some("mast") => settings.playouts = Playouts::moves(10.0),
        Some("nst") => {
            settings.playouts = Playouts::sequences();
            settings.playout_limit = NST_LIMIT;
        }
        Some("nested") => settings.playouts = Playouts::Nested(nested::usual_playouts()),
        Some(other) => return Err(bad(PLAYOUTS, other)),
    }
    let temperature = number(spec, TEMPERATURE, 1e-9..=1e9)?;
    if let Some(temperature) = temperature {
        *drawing(spec, TEMPERATURE, &mut settings.playouts)?.0 = Draw::Gibbs { temperature };
    }
    if let Some(epsilon) = number(spec, EPSILON, 0.0..=1.0)? {
        *drawing(spec, EPSILON, &mut settings.playouts)?.0 = Draw::Greedy { epsilon };
    }
    if let Some(factor) = number(spec, DECAY, 0.0..=1.0)? {
        *drawing(spec, DECAY, &mut settings.playouts)?.1 = factor;
    }
    if let Some(least) = number(spec, LEAST, 0.0..=1e6)? {
        let Playouts::Sequences { least_visits, .. } = &mut settings.playouts else {
            return Err(misplaced(spec, LEAST));
        };
        *least_visits = least as u32;
    }
    Ok(())
}

/// How playouts draw, and their decay, which uniform ones have not.
fn drawing<'a>(
    spec: &PlayerSpec,
    key: Key,
    playouts: &'a mut Playouts,
) -> Result<(&'a mut Draw, &'a mut f64), BadPlayer> {
    match playouts {
        Playouts::Uniform | Playouts::Nested(_) => Err(misplaced(spec, key)),
        Playouts::Moves { draw, decay } | Playouts::Sequences { draw, decay, .. } => {
            Ok((draw, decay))
        }
    }
}

/// The complaint about a value that counts only with other playouts.
fn misplaced(spec: &PlayerSpec, key: Key) -> BadPlayer {
    bad(key, spec.values.get(key.name).map_or("", String::as_str))
}

/// How a key's value is written in some settings; nothing where it does not count.
pub(super) fn written(key: &Key, playouts: Playouts) -> String {
    let (name, draw, decay, least) = match playouts {
        Playouts::Uniform => ("uniform", None, None, None),
        Playouts::Nested(_) => ("nested", None, None, None),
        Playouts::Moves { draw, decay } => ("mast", Some(draw), Some(decay), None),
        Playouts::Sequences {
            draw,
            decay,
            least_visits,
        } => ("nst", Some(draw), Some(decay), Some(least_visits)),
    };
    let text = match (key.name, draw) {
        ("playouts", _) => Some(name.to_owned()),
        ("temperature", Some(Draw::Gibbs { temperature })) => Some(temperature.to_string()),
        ("epsilon", Some(Draw::Greedy { epsilon })) => Some(epsilon.to_string()),
        ("decay", _) => decay.map(|decay| decay.to_string()),
        ("least", _) => least.map(|least| least.to_string()),
        _ => None,
    };
    text.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::set_playouts;
    use paidia_search::uct::{Draw, Playouts, Settings};

    fn playouts(text: &str) -> Result<Playouts, String> {
        let mut settings = Settings::cadia();
        let set = set_playouts(&text.parse().unwrap(), &mut settings);
        set.map(|()| settings.playouts)
            .map_err(|bad| bad.to_string())
    }

    #[test]
    fn playouts_are_set() {
        assert_eq!(playouts("uct"), Ok(Playouts::Uniform));
        assert_eq!(playouts("uct(playouts=mast)"), Ok(Playouts::moves(10.0)));
        let expected = Playouts::Sequences {
            draw: Draw::Greedy { epsilon: 0.1 },
            decay: 0.6,
            least_visits: 3,
        };
        let written = "uct(playouts=nst, epsilon=0.1, decay=0.6, least=3)";
        assert_eq!(playouts(written), Ok(expected));
    }

    #[test]
    fn what_does_not_count_is_refused() {
        assert_eq!(
            playouts("uct(decay=0.5)").unwrap_err(),
            "`0.5` is not a value for `decay`: a number from 0 to 1, with playouts=mast or nst"
        );
        assert!(playouts("uct(playouts=mast, least=3)").is_err());
        assert!(playouts("uct(playouts=last)").is_err());
    }
}
