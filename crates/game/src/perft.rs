//! Counting what can be reached: the figures by which engines and rule sheets are compared.
//!
//! A *leaf* at depth d is a sequence of d joint moves from the start. Finished states have no
//! successors, and the joint moves of a state are the cartesian product of its roles' legal moves.
//! Sequences that meet in one state are merged level by level and counted by multiplicity, so the
//! work follows the number of different states, not of sequences.

use std::hash::BuildHasherDefault;
use std::ops::ControlFlow;

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

/// The most depths that are counted: a line that goes round in circles has no end, and each depth
/// takes memory.
pub const MOST_DEPTHS: u32 = 100_000;

/// The most joint moves that are tried in one state. Many roles with many moves each have more than
/// any machine can try.
pub const MOST_JOINT_MOVES: u128 = 10_000_000;

/// Joint moves of one state after which it is told how far the count is.
const BETWEEN_REPORTS: u32 = 1 << 12;

/// Why counting stopped before the depth that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PerftStop {
    /// There are more states than may be kept in memory.
    #[error("more than {limit} different states")]
    StateLimit {
        /// How many states may be kept.
        limit: usize,
    },
    /// More depths were asked for than are counted.
    #[error("at most {limit} depths are counted")]
    DepthLimit {
        /// How many are counted.
        limit: u32,
    },
    /// A state has more joint moves than are tried.
    #[error("a state has {joint_moves} joint moves; at most {limit} are tried")]
    JointLimit {
        /// How many the state has.
        joint_moves: u128,
        /// How many may be tried.
        limit: u128,
    },
    /// The caller stopped it.
    #[error("it was interrupted")]
    Interrupted,
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
    /// By depth, from 0. Once every line has ended there are no more, whatever was asked for.
    pub depths: Vec<Depth>,
    /// Different states over all these depths together.
    pub states: usize,
    /// Why there are fewer depths than were asked for, if it is not that every line has ended.
    pub stopped: Option<PerftStop>,
    /// Whether no line is longer than the last depth.
    pub all_ended: bool,
}

/// Counts leaves, states and terminals at each depth from 0 to `depth`, keeping at most
/// `state_limit` states.
///
/// Moves of the role `random` are counted like those of any other role. Where the rules themselves
/// draw, only the start is counted.
pub fn perft<G: Game>(game: &G, start: &G::State, depth: u32, state_limit: usize) -> Perft {
    let mut nothing = |_| ControlFlow::Continue(());
    perft_watched(game, start, depth, state_limit, &mut nothing)
}

/// What is told now and then how many different states were found, and may stop the count.
type Watch<'a> = &'a mut dyn FnMut(usize) -> ControlFlow<()>;

/// As [`perft()`], while `watch` looks on.
pub fn perft_watched<G: Game>(
    game: &G,
    start: &G::State,
    depth: u32,
    state_limit: usize,
    watch: Watch<'_>,
) -> Perft {
    let mut counter = Counter::new(game, start, state_limit);
    let (last, beyond) = match game.facts().is_repeatable() {
        false => (0, PerftStop::ChanceInside),
        true => {
            let limit = MOST_DEPTHS;
            (depth.min(limit), PerftStop::DepthLimit { limit })
        }
    };
    let mut stopped = (last < depth).then_some(beyond);
    for level in 0..=last {
        // The level below is made as long as it is wanted, to know whether there is one.
        if let Err(reason) = counter.count_level(level < last, watch) {
            stopped = Some(reason);
            break;
        }
        if counter.all_ended {
            stopped = None;
            break;
        }
    }
    Perft {
        depths: counter.depths,
        states: counter.finished_states,
        all_ended: counter.all_ended,
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
    /// Whether no line goes on after the levels that are counted.
    all_ended: bool,
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
            all_ended: false,
        }
    }

    /// Counts the current level and, if `more` is wanted, makes the one below it.
    fn count_level(&mut self, more: bool, watch: Watch<'_>) -> Result<(), PerftStop> {
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
                self.expand(place, leaves, watch)?;
                tell(watch, self.seen.len())?;
            }
            if let Some(fault) = self.walker.fault() {
                return Err(PerftStop::Fault(*fault));
            }
        }
        self.depths.push(found);
        self.finished_states = states_so_far;
        self.all_ended = found.terminals + found.stuck == found.leaves;
        self.level = std::mem::replace(&mut self.below, level);
        self.below.clear();
        Ok(())
    }

    fn stuck(&mut self) -> Option<RoleId> {
        self.walker.legal().stuck_role()
    }

    /// Adds the successors of the state that the walker stands in to the level below.
    fn expand(&mut self, place: u32, leaves: u128, watch: Watch<'_>) -> Result<(), PerftStop> {
        let joint_moves = self.walker.legal().joint_count();
        if joint_moves > MOST_JOINT_MOVES {
            let limit = MOST_JOINT_MOVES;
            return Err(PerftStop::JointLimit { joint_moves, limit });
        }
        self.joints.refill(self.walker.legal());
        let mut tried = 0u32;
        while let Some(joint) = self.joints.next() {
            if tried > 0 {
                self.walker.jump(&self.seen[place as usize]);
            }
            tried += 1;
            if tried.is_multiple_of(BETWEEN_REPORTS) {
                tell(watch, self.seen.len())?;
            }
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

/// Tells how many states were found, and stops if that is wanted.
fn tell(watch: Watch<'_>, states: usize) -> Result<(), PerftStop> {
    match watch(states) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(PerftStop::Interrupted),
    }
}
