//! What can be said about nested searches: players of their own, and the playouts of tree searches.

use paidia_search::nested::{Levels, Nesting};
use paidia_search::uct::{Playouts, Settings};

use super::{BadPlayer, Key, bad, number, one_of};
use crate::spec::PlayerSpec;

/// The name of the player that searches so.
pub(super) const NAME: &str = "nested";

/// What can be set, as players of their own call it.
pub(super) const OWN_KEYS: &[Key] = &[
    Key {
        name: "level",
        what: "how deep searches are nested: 1 plays on at random, 2 as players of level 1 do, and so on",
        wanted: "a whole number from 1 to 8",
    },
    Key {
        name: "discount",
        what: "the levels that prefer quick wins and slow losses",
        wanted: "`yes`, `no`, or levels such as `1+2`",
    },
    Key {
        name: "cut",
        what: "the levels that make the first move that wins",
        wanted: "`yes`, `no`, or levels such as `1+2`",
    },
    Key {
        name: "prune",
        what: "the levels that give up playouts as long as their quickest win",
        wanted: "`yes`, `no`, or levels such as `1+2`; each must be one that discounts",
    },
    Key {
        name: "cascade",
        what: "whether the levels below give up there, too, which is quicker and less exact",
        wanted: "`yes` or `no`; `yes` where levels prune",
    },
    Key {
        name: "samples",
        what: "playouts by which each move is judged",
        wanted: "a whole number from 1 to 1000000",
    },
    Key {
        name: "order",
        what: "the order in which moves are tried; of equal ones the first is made",
        wanted: "`random`, or `fixed` by their texts",
    },
];

/// The same for playouts of tree searches, in the same order.
pub(super) const TREE_KEYS: [Key; 7] = [
    Key {
        name: "nested-level",
        what: "the level of the searches by which playouts choose",
        wanted: "a whole number from 1 to 8, with playouts=nested",
    },
    Key {
        name: "nested-discount",
        what: "their levels that prefer quick wins and slow losses",
        wanted: "`yes`, `no`, or levels such as `1+2`, with playouts=nested",
    },
    Key {
        name: "nested-cut",
        what: "their levels that make the first move that wins",
        wanted: "`yes`, `no`, or levels such as `1+2`, with playouts=nested",
    },
    Key {
        name: "nested-prune",
        what: "their levels that give up playouts as long as their quickest win",
        wanted: "`yes`, `no`, or levels such as `1+2`, with playouts=nested; each must be one of nested-discount",
    },
    Key {
        name: "nested-cascade",
        what: "whether the levels below give up there, too",
        wanted: "`yes` or `no`, with playouts=nested; `yes` with nested-prune",
    },
    Key {
        name: "nested-samples",
        what: "playouts by which each of their moves is judged",
        wanted: "a whole number from 1 to 1000000, with playouts=nested",
    },
    Key {
        name: "nested-order",
        what: "the order in which their moves are tried",
        wanted: "`random`, or `fixed` by their texts, with playouts=nested",
    },
];

/// A player of its own if nothing is said: what pruning saves costs nothing where levels discount.
pub(super) fn usual_player() -> Nesting {
    Nesting {
        prune: Levels::ALL,
        ..Nesting::discounted(2)
    }
}

/// The playouts of a tree search if nothing is said: what did best in most games of the paper.
pub(super) fn usual_playouts() -> Nesting {
    Nesting {
        cut: Levels::ALL,
        ..Nesting::plain(1)
    }
}

/// Sets what is said about a player's nested search.
pub(super) fn set_nested(spec: &PlayerSpec, settings: &mut Settings) -> Result<(), BadPlayer> {
    let keys = match spec.name.as_str() {
        NAME => OWN_KEYS,
        _ => &TREE_KEYS,
    };
    if let Playouts::Nested(nesting) = &mut settings.playouts {
        return set(spec, keys, nesting);
    }
    let said = keys
        .iter()
        .find_map(|key| Some((key, spec.values.get(key.name)?)));
    said.map_or(Ok(()), |(&key, value)| Err(bad(key, value)))
}

fn set(spec: &PlayerSpec, keys: &[Key], nesting: &mut Nesting) -> Result<(), BadPlayer> {
    let &[level, discount, cut, prune, cascade, samples, order] = keys else {
        return Ok(());
    };
    let yes_or_no = [("yes", true), ("no", false)];
    if let Some(value) = number(spec, level, 1.0..=f64::from(Levels::HIGHEST))? {
        nesting.level = value as u8;
    }
    nesting.discount = levels(spec, discount)?.unwrap_or(nesting.discount);
    nesting.cut = levels(spec, cut)?.unwrap_or(nesting.cut);
    match levels(spec, prune)? {
        Some(levels) if !levels.is_within(nesting.discount) => {
            return Err(bad(prune, &spec.values[prune.name]));
        }
        Some(levels) => nesting.prune = levels,
        None => nesting.prune = nesting.prune.and(nesting.discount),
    }
    if let Some(is_on) = one_of(spec, cascade, &yes_or_no)? {
        if is_on && nesting.prune == Levels::NONE {
            return Err(bad(cascade, "yes"));
        }
        nesting.cascade = is_on;
    }
    if let Some(value) = number(spec, samples, 1.0..=1e6)? {
        nesting.samples = value as u32;
    }
    if let Some(shuffle) = one_of(spec, order, &[("random", true), ("fixed", false)])? {
        nesting.shuffle = shuffle;
    }
    Ok(())
}

/// A set of levels, if one is given.
fn levels(spec: &PlayerSpec, key: Key) -> Result<Option<Levels>, BadPlayer> {
    let Some(text) = spec.values.get(key.name) else {
        return Ok(None);
    };
    let level = |part: &str| {
        let number = part.trim().parse::<u8>().ok();
        number.filter(|number| (1..=Levels::HIGHEST).contains(number))
    };
    let found = match text.as_str() {
        "yes" => Some(Levels::ALL),
        "no" => Some(Levels::NONE),
        _ => {
            let numbers: Option<Vec<u8>> = text.split('+').map(level).collect();
            numbers.map(|numbers| Levels::of(&numbers))
        }
    };
    found.map(Some).ok_or_else(|| bad(key, text))
}

/// How a key's value is written in some settings; nothing where it does not count.
pub(super) fn written(key: &Key, playouts: Playouts) -> Option<String> {
    let place = |keys: &[Key]| keys.iter().position(|own| own.name == key.name);
    let place = place(OWN_KEYS).or_else(|| place(&TREE_KEYS))?;
    let Playouts::Nested(nesting) = playouts else {
        return Some(String::new());
    };
    let yes_or_no = |is_on: bool| if is_on { "yes" } else { "no" }.to_owned();
    Some(match place {
        0 => nesting.level.to_string(),
        1 => in_words(nesting.discount),
        2 => in_words(nesting.cut),
        3 => in_words(nesting.prune),
        4 => yes_or_no(nesting.cascade),
        5 => nesting.samples.to_string(),
        _ if nesting.shuffle => "random".to_owned(),
        _ => "fixed".to_owned(),
    })
}

fn in_words(levels: Levels) -> String {
    match levels {
        Levels::ALL => "yes".to_owned(),
        Levels::NONE => "no".to_owned(),
        _ => {
            let numbers = (1..=Levels::HIGHEST).filter(|&level| levels.contains(level));
            let numbers: Vec<String> = numbers.map(|level| level.to_string()).collect();
            numbers.join("+")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{check, settings_of};
    use super::{Levels, Nesting, Playouts, usual_player, usual_playouts};
    use crate::spec::PlayerSpec;

    fn nesting(text: &str) -> Result<Nesting, String> {
        let spec: PlayerSpec = text.parse().unwrap();
        let kind = check(&spec).map_err(|bad| bad.to_string())?;
        let settings = settings_of(&spec, kind.settings()).map_err(|bad| bad.to_string())?;
        match settings.playouts {
            Playouts::Nested(nesting) => Ok(nesting),
            other => Err(format!("{other:?}")),
        }
    }

    #[test]
    fn players_and_playouts_are_set() {
        assert_eq!(nesting("nested"), Ok(usual_player()));
        let expected = Nesting {
            level: 3,
            discount: Levels::of(&[1, 2]),
            cut: Levels::of(&[3]),
            prune: Levels::of(&[2]),
            cascade: true,
            samples: 4,
            shuffle: false,
        };
        let written = "level=3, discount=1+2, cut=3, prune=2, cascade=yes, samples=4, order=fixed";
        assert_eq!(nesting(&format!("nested({written})")), Ok(expected));
        let plain = nesting("nested(level=1, discount=no)").unwrap();
        assert_eq!(plain, Nesting::plain(1));
        assert_eq!(nesting("uct(playouts=nested)"), Ok(usual_playouts()));
        let pruned = "uct(playouts=nested, nested-discount=yes, nested-cut=no, nested-prune=yes)";
        let expected = Nesting {
            prune: Levels::ALL,
            ..Nesting::discounted(1)
        };
        assert_eq!(nesting(pruned), Ok(expected));
    }

    #[test]
    fn what_does_not_count_is_refused() {
        assert_eq!(
            nesting("nested(discount=1, prune=2)").unwrap_err(),
            "`2` is not a value for `prune`: `yes`, `no`, or levels such as `1+2`; each must be one that discounts"
        );
        assert_eq!(
            nesting("uct(nested-cut=yes)").unwrap_err(),
            "`yes` is not a value for `nested-cut`: `yes`, `no`, or levels such as `1+2`, with playouts=nested"
        );
        for text in [
            "nested(level=0)",
            "nested(level=9)",
            "nested(cut=1+9)",
            "nested(cut=1+)",
            "nested(prune=no, cascade=yes)",
            "nested(samples=0)",
            "nested(playouts=mast)",
            "uct(playouts=nested, nested-prune=yes)",
            "uct(playouts=nested, level=2)",
        ] {
            assert!(nesting(text).is_err(), "{text}");
        }
    }
}
