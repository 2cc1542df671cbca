//! Counting what can be reached: the figures by which engines and rule sheets are compared.
//!
//! A *leaf* at depth d is a sequence of d joint moves from the start. Finished states have no
//! successors, and the joint moves of a state are the cartesian product of its roles' legal moves.
//! Sequences that meet in one state are merged level by level and counted by multiplicity, so the
//! work follows the number of different states, not of sequences.

use std::hash::BuildHasherDefault;

use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxHasher;

use crate::chance::Chance;
use crate::contract::{Fault, Game, Walker};
use crate::ids::RoleId;
use crate::joint::JointMoves;

/// What is found at one depth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Depth {
    /// Sequences of this many joint moves.
    pub leaves: u128,
    /// Different states in which these sequences end.
    pub states: usize,
    /// Sequences that end in a terminal state.
    pub terminals: u128,
    /// Sequences that end where the game is not over though a role has no legal move: a fault of
    /// the rules.
    pub stuck: u128,
}

/// Why counting stopped before the depth that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PerftStop {
    /// There are more states than may be kept in memory.
    #[error("more than {limit} different states")]
    StateLimit {
        /// How many states may be kept.
        limit: usize,
    },
    /// The number of sequences does not fit.
    #[error("the number of leaves exceeds 128 bits")]
    Overflow,
    /// A sequence of joint moves does not lead to one state, so that there is nothing to count.
    #[error("the rules draw by chance while a move is made, so moves alone do not lead to a state")]
    ChanceInside,
    /// The engine ran into a limit.
    #[error(transparent)]
    Fault(Fault),
}

/// The counts of every depth that was finished.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Perft {
    /// By depth, from 0.
    pub depths: Vec<Depth>,
    /// Different states over all these depths together.
    pub states: usize,
    /// Why there are fewer depths than were asked for.
    pub stopped: Option<PerftStop>,
}

/// Counts leaves, states and terminals at each depth from 0 to `depth`, keeping at most
/// `state_limit` states.
///
/// Moves of the role `random` are counted like those of any other role. Where the rules themselves
/// draw, only the start is counted.
pub fn perft<G: Game>(game: &G, start: &G::State, depth: u32, state_limit: usize) -> Perft {
    perft_watched(game, start, depth, state_limit, &mut |_| {})
}

/// As [`perft()`], and tells `watch` now and then how many different states were found.
pub fn perft_watched<G: Game>(
    game: &G,
    start: &G::State,
    depth: u32,
    state_limit: usize,
    watch: &mut dyn FnMut(usize),
) -> Perft {
    let mut counter = Counter::new(game, start, state_limit);
    let mut stopped = None;
    let countable = if game.facts().is_repeatable() {
        depth
    } else {
        0
    };
    for level in 0..=countable {
        let more = level < countable;
        if let Err(reason) = counter.count_level(more, watch) {
            stopped = Some(reason);
            break;
        }
    }
    if countable < depth {
        stopped = stopped.or(Some(PerftStop::ChanceInside));
    }
    Perft {
        depths: counter.depths,
        states: counter.finished_states,
        stopped,
    }
}

type Level = IndexMap<u32, u128, BuildHasherDefault<FxHasher>>;

/// The state of a count between two levels.
struct Counter<G: Game> {
    walker: G::Walker,
    joints: JointMoves,
    chance: Chance,
    /// Scratch for saving.
    state: G::State,
    /// All states seen; levels refer to them by their places.
    seen: IndexSet<G::State, BuildHasherDefault<FxHasher>>,
    limit: usize,
    /// The states of the level to count, with the number of sequences that lead there.
    level: Level,
    below: Level,
    depths: Vec<Depth>,
    /// The states of all levels that are counted.
    finished_states: usize,
}

impl<G: Game> Counter<G> {
    fn new(game: &G, start: &G::State, limit: usize) -> Self {
        let mut seen = IndexSet::default();
        seen.insert(start.clone());
        Self {
            walker: game.walker(),
            joints: JointMoves::new(),
            // No move is ever left to chance here.
            chance: Chance::from_seed(0),
            state: start.clone(),
            seen,
            limit: limit.clamp(1, u32::MAX as usize),
            level: Level::from_iter([(0, 1)]),
            below: Level::default(),
            depths: Vec::new(),
            finished_states: 0,
        }
    }

    /// Counts the current level and, if `more` is wanted, makes the one below it.
    fn count_level(&mut self, more: bool, watch: &mut dyn FnMut(usize)) -> Result<(), PerftStop> {
        let mut found = Depth {
            states: self.level.len(),
            ..Depth::default()
        };
        let states_so_far = self.seen.len();
        let level = std::mem::take(&mut self.level);
        for (&place, &leaves) in &level {
            found.leaves = found
                .leaves
                .checked_add(leaves)
                .ok_or(PerftStop::Overflow)?;
            self.walker.jump(&self.seen[place as usize]);
            if self.walker.is_terminal() {
                found.terminals += leaves;
            } else if self.stuck().is_some() {
                found.stuck += leaves;
            } else if more {
                self.expand(place, leaves)?;
                watch(self.seen.len());
            }
            if let Some(fault) = self.walker.fault() {
                return Err(PerftStop::Fault(*fault));
            }
        }
        self.depths.push(found);
        self.finished_states = states_so_far;
        self.level = std::mem::replace(&mut self.below, level);
        self.below.clear();
        Ok(())
    }

    fn stuck(&mut self) -> Option<RoleId> {
        self.walker.legal().stuck_role()
    }

    /// Adds the successors of the state that the walker stands in to the level below.
    fn expand(&mut self, place: u32, leaves: u128) -> Result<(), PerftStop> {
        self.joints.refill(self.walker.legal());
        let mut first = true;
        while let Some(joint) = self.joints.next() {
            if !first {
                self.walker.jump(&self.seen[place as usize]);
            }
            first = false;
            self.walker.advance(joint, &mut self.chance);
            if let Some(fault) = self.walker.fault() {
                return Err(PerftStop::Fault(*fault));
            }
            self.walker.save(&mut self.state);
            let successor = match self.seen.get_index_of(&self.state) {
                Some(known) => known,
                None if self.seen.len() < self.limit => self.seen.insert_full(self.state.clone()).0,
                None => return Err(PerftStop::StateLimit { limit: self.limit }),
            };
            let count = self.below.entry(successor as u32).or_insert(0);
            *count = count.checked_add(leaves).ok_or(PerftStop::Overflow)?;
        }
        Ok(())
    }
}
