//! Games of one role: searching for a sequence of moves with the highest goal.
//!
//! No way of searching is the best for all puzzles, so there are several:
//!
//! * [`Method::Breadth`] keeps every state it has met: shortest solutions, and a proof when nothing
//!   better exists;
//! * [`Method::Deepening`] is the memory-enhanced IDA* of the CADIA-Player thesis: without a
//!   heuristic it is iterative deepening with a transposition table, finds shortest solutions too,
//!   and takes little memory;
//! * [`Method::Diving`] goes depth first, each time in another random order: for puzzles that are
//!   filled in;
//! * [`Method::Nested`] is nested rollout policy adaptation: for puzzles that give points for
//!   coming near;
//! * [`Method::Auto`], the usual choice, lets breadth, diving and nested rollouts take turns until
//!   one of them is through.
//!
//! A [`Hunt`] is such a search from one state. It can be stopped and taken up again, and keeps
//! within its memory. [`Puzzler`] is the player: it follows the best solution it has, goes on
//! searching while that might be improved, and plays UCT while it has none.

mod breadth;
mod deepening;
mod diving;
mod ground;
mod nested;
mod player;

use std::sync::atomic::AtomicBool;

use paidia_game::{Game, MoveId, NotApplicable, RoleId};

use crate::budget::{Budget, Meter, StopReason};
use breadth::Breadth;
use deepening::Deepening;
use diving::Diving;
use ground::{Ground, Progress};
use nested::Nested;

pub use player::Puzzler;

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// Several ways in turn.
    Auto,
    /// Breadth first over all states.
    Breadth,
    /// Iterative deepening with a transposition table.
    Deepening,
    /// Depth first in random order, started anew again and again.
    Diving,
    /// Nested rollout policy adaptation.
    Nested,
}

impl Method {
    /// All of them.
    pub const ALL: [Method; 5] = [
        Method::Auto,
        Method::Breadth,
        Method::Deepening,
        Method::Diving,
        Method::Nested,
    ];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Method::Auto => "auto",
            Method::Breadth => "breadth",
            Method::Deepening => "deepening",
            Method::Diving => "diving",
            Method::Nested => "nested",
        }
    }
}

/// A way to a terminal state, and the goal there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The moves of the one role.
    pub moves: Vec<MoveId>,
    /// Its goal at the end.
    pub goal: i32,
}

/// What a search for a solution found.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The best solution, if any terminal state was found.
    pub best: Option<Solution>,
    /// Whether nothing better exists: the goal is the highest there is, or everything was searched.
    ///
    /// Breadth compares states, so that its word is certain. The other ways tell states apart by
    /// 128 bits.
    pub perfect: bool,
    /// States visited.
    pub states: u64,
    /// Why the search stopped.
    pub stopped: StopReason,
}

/// Searches for a solution from a state, within this number of bytes.
///
/// # Errors
/// If chance has a part in the game, so that no sequence of moves is a solution.
pub fn solve<G: Game>(
    game: &G,
    role: RoleId,
    state: &G::State,
    method: Method,
    memory: usize,
    budget: Budget,
) -> Result<Outcome, NotApplicable> {
    let mut hunt = Hunt::new(game, role, state, method, memory, 0)?;
    let stopped = hunt.run(budget);
    Ok(Outcome {
        perfect: hunt.is_perfect(),
        states: hunt.states,
        best: hunt.ground.best,
        stopped,
    })
}

/// States that a way of searching visits before it is another's turn. Diving, which finds something
/// soon or not at all, has half a turn.
const TURN: u64 = 10_000;

/// A search for a solution from one state, which can be stopped and taken up again.
pub struct Hunt<G: Game> {
    ground: Ground<G>,
    /// The ways that have not come to their end, in the order of their turns.
    ways: std::collections::VecDeque<Way<G>>,
    perfect: bool,
    states: u64,
}

impl<G: Game> Hunt<G> {
    /// A search that has not begun yet; the seed decides what the random ways draw.
    ///
    /// # Errors
    /// If chance has a part in the game, so that no sequence of moves is a solution.
    pub fn new(
        game: &G,
        role: RoleId,
        state: &G::State,
        method: Method,
        memory: usize,
        seed: u64,
    ) -> Result<Self, NotApplicable> {
        if game.facts().has_chance() {
            return Err(NotApplicable {
                method: "puzzle search",
                because: "chance decides what comes of some moves".into(),
            });
        }
        let mut ground = Ground::new(game, role, state, seed);
        let breadth = |memory| Way::Breadth(Breadth::new(game, state, memory));
        let diving = |memory| Way::Diving(Diving::new(memory));
        let ways = match method {
            // Nested rollouts take hardly any memory.
            Method::Auto => vec![breadth(memory / 4 * 3), diving(memory / 4), Way::nested()],
            Method::Breadth => vec![breadth(memory)],
            Method::Deepening => vec![Way::Deepening(Deepening::new(memory))],
            Method::Diving => vec![diving(memory)],
            Method::Nested => vec![Way::nested()],
        };
        let perfect = ground.note_if_over(state, &[]);
        Ok(Self {
            ways: ways.into(),
            states: 0,
            perfect,
            ground,
        })
    }

    /// Goes on until the budget is spent, a solution is found that cannot be improved, or nothing
    /// is left to do.
    pub fn run(&mut self, budget: Budget) -> StopReason {
        self.run_until(budget, &AtomicBool::new(false))
    }

    /// The same, until it is interrupted.
    pub fn run_until(&mut self, budget: Budget, interrupt: &AtomicBool) -> StopReason {
        let mut meter = Meter::until(budget, interrupt);
        let stopped = self.take_turns(&mut meter);
        self.states += meter.states;
        stopped
    }

    fn take_turns(&mut self, meter: &mut Meter) -> StopReason {
        while !self.perfect {
            let Some(mut way) = self.ways.pop_front() else {
                return StopReason::Memory;
            };
            let alone = self.ways.is_empty();
            let diving = matches!(way, Way::Diving(_));
            let turn = if diving { TURN / 2 } else { TURN };
            self.ground.turn_end = if alone { u64::MAX } else { meter.states + turn };
            match way.go_on(&mut self.ground, meter) {
                Progress::Perfect => self.perfect = true,
                Progress::Full => {}
                Progress::TurnOver => self.ways.push_back(way),
                Progress::Stopped(reason) => {
                    self.ways.push_front(way);
                    return reason;
                }
            }
        }
        // Nothing is left to do, and what was remembered for it is not needed any more.
        self.ways.clear();
        StopReason::Solved
    }

    /// The best solution so far.
    pub fn best(&self) -> Option<&Solution> {
        self.ground.best.as_ref()
    }

    /// Whether nothing better exists, as [`Outcome::perfect`].
    pub fn is_perfect(&self) -> bool {
        self.perfect
    }

    /// States visited so far.
    pub fn states(&self) -> u64 {
        self.states
    }

    /// Bytes that the search takes, as far as it can tell.
    pub fn memory(&self) -> usize {
        self.ways.iter().map(Way::memory).sum()
    }
}

/// One way of searching, with all it remembers.
enum Way<G: Game> {
    Breadth(Breadth<G::State>),
    Deepening(Deepening),
    Diving(Diving<G::State>),
    Nested(Nested),
}

impl<G: Game> Way<G> {
    fn nested() -> Self {
        Way::Nested(Nested::new())
    }

    fn go_on(&mut self, ground: &mut Ground<G>, meter: &mut Meter) -> Progress {
        match self {
            Way::Breadth(way) => way.go_on(ground, meter),
            Way::Deepening(way) => way.go_on(ground, meter),
            Way::Diving(way) => way.go_on(ground, meter),
            Way::Nested(way) => way.go_on(ground, meter),
        }
    }

    fn memory(&self) -> usize {
        match self {
            Way::Breadth(way) => way.memory(),
            Way::Deepening(way) => way.memory(),
            Way::Diving(way) => way.memory(),
            Way::Nested(way) => way.memory(),
        }
    }
}
