//! The list of games that a study plays, each with a seed of its own.

use std::fmt;
use std::time::Duration;

use paidia_search::Budget;

use super::error::StudyError;
use super::experiment::{Cell, Experiment, Scale, ScaleData};
use crate::spec::PlayerSpec;

/// How much thinking a move gets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Thinking {
    /// So many states, in the tree and in playouts.
    States(u64),
    /// So many simulations.
    Simulations(u64),
    /// So much time, in seconds.
    Seconds(f64),
}

impl Thinking {
    /// A part of it, at least one state or simulation.
    fn part(self, part: f64) -> Self {
        let whole = |count: u64| ((count as f64 * part).round() as u64).max(1);
        match self {
            Thinking::States(states) => Thinking::States(whole(states)),
            Thinking::Simulations(simulations) => Thinking::Simulations(whole(simulations)),
            Thinking::Seconds(seconds) => Thinking::Seconds(seconds * part),
        }
    }

    /// The budget of a move.
    pub fn budget(self) -> Budget {
        match self {
            Thinking::States(states) => Budget::states(states),
            Thinking::Simulations(simulations) => Budget::simulations(simulations),
            Thinking::Seconds(seconds) => {
                // Readers of experiments let no other seconds in, and a part is finite, too.
                Budget::time(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
            }
        }
    }
}

impl fmt::Display for Thinking {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Thinking::States(states) => write!(formatter, "{states} states"),
            Thinking::Simulations(simulations) => write!(formatter, "{simulations} simulations"),
            Thinking::Seconds(seconds) => write!(formatter, "{seconds} s"),
        }
    }
}

/// Someone who takes part in a game.
#[derive(Clone, Debug)]
pub struct Contestant {
    /// Its place in the list of the cell's players.
    pub place: usize,
    /// What the study calls it.
    pub name: String,
    /// What the catalogue calls it.
    pub player: PlayerSpec,
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
    /// Where its random choices come from.
    pub seed: u64,
    /// Who plays, in the order of the roles, `random` left out.
    pub contestants: Vec<Contestant>,
    /// Whether everybody may use one more budget before the first move.
    pub start_clock: bool,
    /// Joint moves after which it is cut.
    pub step_limit: usize,
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
        // Not as a number, of which many readers of JSON would lose the last digits.
        format!("{:016x}", hash(text.as_bytes()))
    }
}

/// All games of a study at a scale.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The scale.
    pub scale: Scale,
    /// The seed of the study.
    pub seed: u64,
    /// The games: the first of every cell, then the second of every cell, and so on, so that a plan that is done in part is done
    /// in equal parts.
    pub games: Vec<Setup>,
}

impl Plan {
    /// Plans an experiment.
    ///
    /// # Errors
    /// If it does not have that scale.
    pub fn new(experiment: &Experiment, scale: Scale, seed: u64) -> Result<Self, StudyError> {
        let data = experiment.scale(scale)?;
        let cells: Vec<&Cell> = experiment.cells_of(data).collect();
        let mut games = Vec::new();
        for number in 0..data.games {
            for cell in &cells {
                games.push(setup(experiment, data, cell, number, seed)?);
            }
        }
        Ok(Self { scale, seed, games })
    }

    /// Whether any player thinks by the clock, so that results depend on the machine and on what else it does.
    pub fn is_timed(&self) -> bool {
        let contestants = self.games.iter().flat_map(|setup| &setup.contestants);
        contestants
            .into_iter()
            .any(|contestant| matches!(contestant.thinking, Thinking::Seconds(_)))
    }
}

fn setup(
    experiment: &Experiment,
    scale: &ScaleData,
    cell: &Cell,
    number: u32,
    seed: u64,
) -> Result<Setup, StudyError> {
    let count = cell.players.len();
    let contestant = |role: usize| {
        let place = (role + number as usize) % count;
        let name = &cell.players[place];
        let written = experiment.players.get(name).map_or("", String::as_str);
        let player = written.parse().map_err(|reason| StudyError::Player {
            player: name.clone(),
            reason,
        })?;
        Ok(Contestant {
            place,
            name: name.clone(),
            player,
            thinking: thinking(cell, place).part(scale.budget),
        })
    };
    Ok(Setup {
        cell: cell.name.clone(),
        number,
        game: cell.game.clone(),
        seed: game_seed(seed, &cell.name, number),
        contestants: (0..count)
            .map(contestant)
            .collect::<Result<_, StudyError>>()?,
        start_clock: experiment.start_clock,
        step_limit: experiment.step_limit,
    })
}

/// What the cell gives the player at a place.
fn thinking(cell: &Cell, place: usize) -> Thinking {
    if let Some(states) = &cell.states {
        Thinking::States(states[place])
    } else if let Some(simulations) = &cell.simulations {
        Thinking::Simulations(simulations[place])
    } else {
        Thinking::Seconds(cell.seconds.as_ref().map_or(0.0, |seconds| seconds[place]))
    }
}

/// The seed of a game, which depends on nothing but these three.
fn game_seed(seed: u64, cell: &str, number: u32) -> u64 {
    scramble(scramble(seed ^ hash(cell.as_bytes())).wrapping_add(u64::from(number)))
}

/// The seed of one of the parts of a game: its referee and its players.
pub(super) fn part_seed(seed: u64, part: u64) -> u64 {
    scramble(seed.wrapping_add(part + 1))
}

/// FNV-1a, and the bits well mixed: stable for ever, unlike the hashes of the standard library.
fn hash(bytes: &[u8]) -> u64 {
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
    use super::{Plan, game_seed};
    use crate::study::{Experiment, Scale};
    use std::collections::BTreeSet;

    const TEXT: &str = r#"
        title = "T"
        source = "S"
        about = "A"
        games = { chinese-checkers-3 = "ours" }
        players = { One = "uct", Two = "mc-flat", Three = "random" }
        scales.quick = { games = 6 }
        scales.paper = { games = 12, budget = 0.5 }
        [[cells]]
        name = "all"
        group = "g"
        game = "chinese-checkers-3"
        players = ["One", "Two", "Three"]
        states = [100, 50, 1]
    "#;

    #[test]
    fn every_player_has_every_role_equally_often() {
        let experiment = Experiment::parse("test", TEXT).unwrap();
        let plan = Plan::new(&experiment, Scale::Quick, 1).unwrap();
        for role in 0..3 {
            for place in 0..3 {
                let there = |setup: &&super::Setup| setup.contestants[role].place == place;
                assert_eq!(plan.games.iter().filter(there).count(), 2);
            }
        }
        let states: Vec<String> = plan.games[1]
            .contestants
            .iter()
            .map(|contestant| contestant.thinking.to_string())
            .collect();
        assert_eq!(states, ["50 states", "1 states", "100 states"]);
    }

    #[test]
    fn a_larger_scale_begins_with_the_smaller_one_if_budgets_are_the_same() {
        let half = Experiment::parse("test", TEXT).unwrap();
        let same = Experiment::parse("test", &TEXT.replace("budget = 0.5", "budget = 1")).unwrap();
        let fingerprints = |experiment: &Experiment, scale| -> Vec<String> {
            let plan = Plan::new(experiment, scale, 1).unwrap();
            plan.games.iter().map(super::Setup::fingerprint).collect()
        };
        let quick = fingerprints(&same, Scale::Quick);
        assert!(fingerprints(&same, Scale::Paper).starts_with(&quick));
        let other: BTreeSet<String> = fingerprints(&half, Scale::Paper).into_iter().collect();
        assert!(quick.iter().all(|print| !other.contains(print)));
    }

    #[test]
    fn seeds_are_all_different_and_stay_as_they_are() {
        let mut seeds = BTreeSet::new();
        for seed in 0..10 {
            for cell in ["a", "b", "ab"] {
                seeds.extend((0..100).map(|number| game_seed(seed, cell, number)));
            }
        }
        assert_eq!(seeds.len(), 3000);
        // A change here would make every result file worthless.
        assert_eq!(game_seed(1, "a", 0), 5_437_381_769_764_386_858);
    }
}
