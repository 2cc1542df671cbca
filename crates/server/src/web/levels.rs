//! Players by how well they play, for people: five levels. Each searches as the one below it does,
//! with three to five times as many simulations for a move; the highest takes all the time it has.

use serde::Serialize;

/// A level.
#[derive(Debug, Serialize)]
pub(super) struct Level {
    /// How it is written as a seat.
    pub(super) name: &'static str,
    title: &'static str,
    /// The player of the catalogue.
    #[serde(skip)]
    pub(super) player: &'static str,
    /// The most simulations for a move.
    pub(super) simulations: Option<u64>,
}

/// The levels, the lowest first.
pub(super) const LEVELS: [Level; 5] = [
    level("level-1", "Beginner", Some(20)),
    level("level-2", "Casual", Some(100)),
    level("level-3", "Club", Some(500)),
    level("level-4", "Strong", Some(1_500)),
    level("level-5", "Best", None),
];

const fn level(name: &'static str, title: &'static str, simulations: Option<u64>) -> Level {
    Level {
        name,
        title,
        player: "paidia",
        simulations,
    }
}

/// The level of this name.
pub(super) fn find(name: &str) -> Option<&'static Level> {
    LEVELS.iter().find(|level| level.name == name)
}

#[cfg(test)]
mod tests {
    use super::LEVELS;

    #[test]
    fn each_level_may_do_more_than_the_one_below() {
        let pairs = LEVELS.windows(2);
        for pair in pairs {
            let [below, above] = pair else { continue };
            let most = |simulations: Option<u64>| simulations.unwrap_or(u64::MAX);
            assert!(
                most(below.simulations) < most(above.simulations),
                "{below:?}"
            );
        }
    }
}
