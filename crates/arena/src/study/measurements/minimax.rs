//! The search of the comparison's driver: minimax without pruning, tables or values, which only
//! visits nodes.
//!
//! A node is a joint move made. Goals are asked for where the game is over, so that their cost
//! counts, and nothing is done with them.

use paidia_game::{Chance, Game, JointMoves, RoleId, Walker};

use super::stopwatch::Stopwatch;

/// Games that never end must not be followed for ever, even where all roles have just one move.
const DEEPEST: u32 = 400;

/// A search with its memory.
pub(super) struct Minimax<G: Game> {
    walker: G::Walker,
    /// Nothing is left to chance here, but the walker asks for it.
    chance: Chance,
    roles: u16,
    levels: Vec<Level<G::State>>,
    states: u64,
    watch: Stopwatch,
    limit: f64,
    /// A state to fill new levels with.
    blank: G::State,
}

/// What is kept of the node that is being expanded at a depth.
struct Level<S> {
    state: S,
    joints: JointMoves,
}

/// Why a search came back before it was done.
enum Stop {
    Time,
    Fault(String),
}

impl<G: Game> Minimax<G> {
    pub(super) fn new(game: &G) -> Self {
        Self {
            walker: game.walker(),
            chance: Chance::from_seed(0),
            roles: game.facts().roles.len() as u16,
            levels: Vec::new(),
            states: 0,
            watch: Stopwatch::start(),
            limit: 0.0,
            blank: game.initial(),
        }
    }

    /// Nodes visited so far.
    pub(super) fn states(&self) -> u64 {
        self.states
    }

    /// Searches one level deeper each time, until the CPU seconds are over or nothing is left
    /// to see; the seconds it took.
    pub(super) fn deepen(&mut self, start: &G::State, seconds: f64) -> Result<f64, String> {
        self.watch = Stopwatch::start();
        self.limit = seconds;
        for depth in 0..DEEPEST {
            self.walker.jump(start);
            match self.visit(0, depth) {
                Ok(false) => {}
                Ok(true) | Err(Stop::Time) => break,
                Err(Stop::Fault(fault)) => return Err(fault),
            }
        }
        Ok(self.watch.elapsed())
    }

    /// Searches to a depth; the CPU seconds it took.
    pub(super) fn count(
        &mut self,
        start: &G::State,
        depth: u32,
        limit: f64,
    ) -> Result<f64, String> {
        self.watch = Stopwatch::start();
        self.limit = limit;
        self.walker.jump(start);
        match self.visit(0, depth) {
            Ok(_) => Ok(self.watch.elapsed()),
            Err(Stop::Time) => Err(format!("the nodes take more than {limit:.0} s")),
            Err(Stop::Fault(fault)) => Err(fault),
        }
    }

    /// Visits everything below the walker's state, down to `depth`; whether every line ended there.
    fn visit(&mut self, level: usize, depth: u32) -> Result<bool, Stop> {
        if self.walker.is_terminal() {
            if let Some(fault) = self.walker.fault() {
                return Err(Stop::Fault(fault.to_string()));
            }
            for role in 0..self.roles {
                std::hint::black_box(self.walker.goal(RoleId(role)));
            }
            return Ok(true);
        }
        if depth == 0 {
            return Ok(false);
        }
        self.enter(level);
        let (mut all, mut first) = (true, true);
        loop {
            let node = &mut self.levels[level];
            let Some(joint) = node.joints.next() else {
                return Ok(all);
            };
            if !first {
                self.walker.jump(&node.state);
            }
            first = false;
            self.walker.advance(joint, &mut self.chance);
            self.states += 1;
            self.watch.tick();
            if self.watch.seen() > self.limit {
                return Err(Stop::Time);
            }
            all &= self.visit(level + 1, depth - 1)?;
        }
    }

    /// Keeps the walker's state and its joint moves.
    fn enter(&mut self, level: usize) {
        if self.levels.len() == level {
            self.levels.push(Level {
                state: self.blank.clone(),
                joints: JointMoves::new(),
            });
        }
        let node = &mut self.levels[level];
        self.walker.save(&mut node.state);
        node.joints.refill(self.walker.legal());
    }
}
