//! A game to play: the players, the engine, the amount of thinking, the seed.

use std::fmt;
use std::time::Duration;

use paidia_search::Budget;

use crate::spec::Guest;

/// How much thinking a move gets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Thinking {
    /// A number of states, in the tree and in playouts.
    States(u64),
    /// A number of simulations.
    Simulations(u64),
    /// A time in seconds.
    Seconds(f64),
    /// Seconds in which the thinking thread has a processor, for a busy machine.
    CpuSeconds(f64),
}

impl Thinking {
    /// A part of it, at least one state or simulation.
    pub(crate) fn part(self, part: f64) -> Self {
        let whole = |count: u64| ((count as f64 * part).round() as u64).max(1);
        match self {
            Thinking::States(states) => Thinking::States(whole(states)),
            Thinking::Simulations(simulations) => Thinking::Simulations(whole(simulations)),
            Thinking::Seconds(seconds) => Thinking::Seconds(seconds * part),
            Thinking::CpuSeconds(seconds) => Thinking::CpuSeconds(seconds * part),
        }
    }

    /// The budget of a move.
    pub fn budget(self) -> Budget {
        match self {
            Thinking::States(states) => Budget::states(states),
            Thinking::Simulations(simulations) => Budget::simulations(simulations),
            // Readers of experiments let no other seconds in, and a part is finite, too.
            Thinking::Seconds(seconds) => Budget::time(duration(seconds)),
            Thinking::CpuSeconds(seconds) => Budget::processor_time(duration(seconds)),
        }
    }
}

fn duration(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
}

impl fmt::Display for Thinking {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Thinking::States(states) => write!(formatter, "{states} states"),
            Thinking::Simulations(simulations) => write!(formatter, "{simulations} simulations"),
            Thinking::Seconds(seconds) => write!(formatter, "{seconds} s"),
            Thinking::CpuSeconds(seconds) => write!(formatter, "{seconds} s of the processor"),
        }
    }
}

/// What a player may use before the first move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StartClock {
    /// Nothing: it is not asked to prepare.
    None,
    /// As much as for a move.
    OneMove,
    /// This amount.
    Thinking(Thinking),
}

impl StartClock {
    /// The budget before the first move for a player that has `thinking` for a move.
    pub fn budget(self, thinking: Thinking) -> Option<Budget> {
        match self {
            StartClock::None => None,
            StartClock::OneMove => Some(thinking.budget()),
            StartClock::Thinking(own) => Some(own.budget()),
        }
    }
}

/// As fingerprints have it.
impl fmt::Display for StartClock {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StartClock::None => formatter.write_str("false"),
            StartClock::OneMove => formatter.write_str("true"),
            StartClock::Thinking(thinking) => thinking.fmt(formatter),
        }
    }
}

/// Joint moves drawn at random before the players are asked, so that players who always play the
/// same meet in many positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Opening {
    /// How many.
    pub moves: u32,
    /// Where they come from: games with the same seed have the same opening.
    pub seed: u64,
}

/// A player that takes part in a game.
#[derive(Clone, Debug)]
pub struct Contestant {
    /// Its place in the list of the cell's players.
    pub place: usize,
    /// What the study or tournament calls it.
    pub name: String,
    /// The player.
    pub player: Guest,
    /// How much thinking a move gets.
    pub thinking: Thinking,
}

/// A game to play.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The cell it belongs to.
    pub cell: String,
    /// Its number in the cell.
    pub number: u32,
    /// The game.
    pub game: String,
    /// A hash of the rules, if it matters when they change under the same name.
    pub rules: Option<u64>,
    /// Where its random choices come from.
    pub seed: u64,
    /// The players, in the order of the roles, `random` left out.
    pub contestants: Vec<Contestant>,
    /// Each player's thinking before the first move.
    pub start_clock: StartClock,
    /// Joint moves drawn at random before the players are asked.
    pub opening: Opening,
    /// Joint moves after which it is cut.
    pub step_limit: usize,
    /// Whether it is worked out if all players played perfectly; for small games of two.
    pub is_judged: bool,
}

impl Setup {
    /// A short text for everything that matters: setups with the same one are the same game.
    pub fn fingerprint(&self) -> String {
        let mut text = format!(
            "{}\n{}\n{}\n{}\n{}\n{}\n",
            self.cell, self.number, self.game, self.seed, self.start_clock, self.step_limit
        );
        for contestant in &self.contestants {
            text += &format!(
                "{} {} {} {}\n",
                contestant.place, contestant.name, contestant.player, contestant.thinking
            );
        }
        if self.opening.moves > 0 {
            text += &format!("opening {} {}\n", self.opening.moves, self.opening.seed);
        }
        if self.is_judged {
            text += "judged\n";
        }
        if let Some(rules) = self.rules {
            text += &format!("{rules:016x}\n");
        }
        // Not as a number, of which many readers of JSON would lose the last digits.
        format!("{:016x}", hash(text.as_bytes()))
    }
}

/// The seed of a game, which depends on nothing but these three.
pub(crate) fn game_seed(seed: u64, cell: &str, number: u32) -> u64 {
    scramble(scramble(seed ^ hash(cell.as_bytes())).wrapping_add(u64::from(number)))
}

/// The seed of one of the parts of a game: its referee and its players.
pub(crate) fn part_seed(seed: u64, part: u64) -> u64 {
    scramble(seed.wrapping_add(part + 1))
}

/// FNV-1a, and the bits well mixed: stable for ever, unlike the hashes of the standard library.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    let fold = |sum: u64, byte: &u8| (sum ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    scramble(bytes.iter().fold(0xcbf2_9ce4_8422_2325, fold))
}

/// The output function of SplitMix64: neighbours become strangers.
fn scramble(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::game_seed;
    use std::collections::BTreeSet;

    #[test]
    fn seeds_are_all_different_and_stay_as_they_are() {
        let mut seeds = BTreeSet::new();
        for seed in 0..10 {
            for cell in ["a", "b", "ab"] {
                seeds.extend((0..100).map(|number| game_seed(seed, cell, number)));
            }
        }
        assert_eq!(seeds.len(), 3000);
        // A change here would make every ledger worthless.
        assert_eq!(game_seed(1, "a", 0), 5_437_381_769_764_386_858);
    }
}
