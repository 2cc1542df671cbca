//! Players whose playouts are made by a crew of threads.

use paidia_search::leaves::crew::{Crewing, Management};
use paidia_search::uct::{Leaves, Settings};

use super::{Key, check, number, one_of, settings_of};
use crate::spec::{BadPlayer, PlayerSpec};

pub(super) const LEAF_THREADS: Key = Key {
    name: "leaf-threads",
    what: "how many threads make the playouts of each searching thread, which waits for them; with `none` it makes them itself, or the engine many at once",
    wanted: "`none`, or a whole number from 1 to 256",
};
pub(super) const MANAGEMENT: Key = Key {
    name: "management",
    what: "what becomes of leaf threads between two sets of positions: they end (`restart`), sleep (`signal`), poll memory (`spin`) or wait for messages (`channel`); `serial` makes the same playouts without them",
    wanted: "`restart`, `signal`, `spin`, `channel` or `serial`",
};
pub(super) const POSITIONS: Key = Key {
    name: "positions",
    what: "leaves that are handed to leaf threads as one set; `auto` is one for each of them",
    wanted: "`auto`, or a whole number from 1 to 65536",
};

/// The management if nothing is said.
const USUAL: Management = Management::Signal;

/// What a key is if nothing is said about it; `None` for keys of others.
pub(super) fn written(key: &Key) -> Option<&'static str> {
    let usual = [
        (LEAF_THREADS, "none"),
        (MANAGEMENT, USUAL.name()),
        (POSITIONS, "auto"),
    ];
    let found = usual.iter().find(|(own, _)| own.name == key.name);
    found.map(|&(_, word)| word)
}

/// Gives the search the crew that is wanted, if one is.
pub(super) fn set_crew(spec: &PlayerSpec, settings: &mut Settings) -> Result<(), BadPlayer> {
    let managements = Management::ALL.map(|management| (management.name(), management));
    let management = one_of(spec, MANAGEMENT, &managements)?;
    let positions = count_or(spec, POSITIONS, "auto", 65_536.0)?;
    if let Some(threads) = count_or(spec, LEAF_THREADS, "none", 256.0)? {
        settings.leaves = Leaves::Crewed {
            playouts: settings.leaves.playouts(),
            crew: Crewing {
                threads: threads as usize,
                management: management.unwrap_or(USUAL),
                positions,
            },
        };
    }
    Ok(())
}

/// A whole number from 1 on; `None` where the word stands instead, or nothing.
fn count_or(spec: &PlayerSpec, key: Key, word: &str, most: f64) -> Result<Option<u32>, BadPlayer> {
    if spec.values.get(key.name).is_some_and(|value| value == word) {
        return Ok(None);
    }
    let number = number(spec, key, 1.0..=most)?;
    Ok(number.map(|number| number as u32))
}

/// The crew of leaf threads that a player has, if it has one, and how many playouts it makes from each position.
///
/// # Errors
/// If the catalogue has no such player, or the player no such key or value.
pub fn crew_of(spec: &PlayerSpec) -> Result<Option<(Crewing, u32)>, BadPlayer> {
    let settings = settings_of(spec, check(spec)?.settings())?;
    Ok(match settings.leaves {
        Leaves::Crewed { playouts, crew } => Some((crew, playouts)),
        Leaves::Scalar | Leaves::Batched { .. } => None,
    })
}

#[cfg(test)]
mod tests {
    use super::{Crewing, Management, crew_of};

    #[test]
    fn crews_are_read() {
        let crew = |text: &str| crew_of(&text.parse().unwrap()).unwrap();
        assert_eq!(crew("uct"), None);
        assert_eq!(crew("uct(leaf-threads=none, management=spin)"), None);
        let crewing = Crewing {
            threads: 3,
            management: Management::Signal,
            positions: None,
        };
        assert_eq!(crew("uct(leaf-threads=3)"), Some((crewing, 1)));
        let crewing = Crewing {
            management: Management::Restart,
            positions: Some(8),
            ..crewing
        };
        let text = "paidia(leaf-threads=3, management=restart, positions=8)";
        assert_eq!(crew(text), Some((crewing, 16)));
    }

    #[test]
    fn no_crew_is_empty() {
        let refused = crew_of(&"uct(leaf-threads=0)".parse().unwrap());
        assert_eq!(
            refused.unwrap_err().to_string(),
            "`0` is not a value for `leaf-threads`: `none`, or a whole number from 1 to 256"
        );
    }
}
