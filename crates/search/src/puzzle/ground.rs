//! What all ways of searching stand on: the walker, the best solution, and when to stop.

use std::hash::{Hash, Hasher};

use paidia_game::{Chance, Game, Goal, MoveId, RoleId, Walker};
use rustc_hash::FxHasher;

use super::Solution;
use crate::budget::{Meter, StopReason};

/// States that count as a simulation, for budgets that limit nothing else.
const SIMULATION: u64 = 50;

/// How far a way of searching came.
pub(super) enum Progress {
    /// There is nothing better than the best solution so far.
    Perfect,
    /// It cannot go on: its memory is full, or what it does not know it cannot find out.
    Full,
    /// It is another's turn.
    TurnOver,
    /// The budget is spent, or the engine ran into a limit.
    Stopped(StopReason),
}

/// The walker and what was found.
pub(super) struct Ground<G: Game> {
    pub(super) start: G::State,
    pub(super) walker: G::Walker,
    pub(super) chance: Chance,
    pub(super) best: Option<Solution>,
    /// The number of states, counted by the meter, at which the turn of the way that is searching
    /// ends.
    pub(super) turn_end: u64,
    role: RoleId,
    /// Whether there is no other role, so that no other moves need be known.
    alone: bool,
    lowest: i32,
    highest: i32,
    joint: Vec<MoveId>,
}

impl<G: Game> Ground<G> {
    pub(super) fn new(game: &G, role: RoleId, start: &G::State, seed: u64) -> Self {
        Self {
            start: start.clone(),
            walker: game.walker(),
            chance: Chance::from_seed(seed),
            best: None,
            turn_end: u64::MAX,
            lowest: *game.facts().goal_range.start(),
            highest: *game.facts().goal_range.end(),
            joint: Vec::new(),
            alone: game.facts().roles.len() == 1,
            role,
        }
    }

    /// Why to stop now, if there is a reason.
    #[inline]
    pub(super) fn over(&self, meter: &Meter) -> Option<Progress> {
        if let Some(reason) = meter.reached() {
            return Some(Progress::Stopped(reason));
        }
        (meter.states >= self.turn_end).then_some(Progress::TurnOver)
    }

    /// The role's moves where the walker stands.
    pub(super) fn moves(&mut self, into: &mut Vec<MoveId>) {
        into.clear();
        into.extend_from_slice(self.walker.legal().of(self.role));
    }

    /// Makes the role's move where the walker stands, with every other role's first; false if the
    /// engine ran into a limit.
    pub(super) fn advance(&mut self, id: MoveId, meter: &mut Meter) -> bool {
        self.joint.clear();
        if self.alone {
            self.joint.push(id);
        } else {
            for (role, moves) in self.walker.legal().iter() {
                let other = moves.first().copied().unwrap_or(MoveId::CHANCE);
                self.joint.push(if role == self.role { id } else { other });
            }
        }
        self.walker.advance(&self.joint, &mut self.chance);
        meter.states += 1;
        meter.simulations += u64::from(meter.states.is_multiple_of(SIMULATION));
        self.walker.fault().is_none()
    }

    /// The goal where the walker stands, if the game is over there and the rules give one.
    pub(super) fn goal(&mut self) -> Option<i32> {
        match self.walker.goal(self.role) {
            Goal::One(goal) => Some(goal),
            Goal::None | Goal::Several => None,
        }
    }

    /// Keeps the way to the terminal state where the walker stands if it is the best so far;
    /// whether there is no better goal.
    pub(super) fn note(&mut self, moves: impl FnOnce() -> Vec<MoveId>) -> bool {
        let Some(goal) = self.goal() else {
            return false;
        };
        if self.best.as_ref().is_none_or(|best| goal > best.goal) {
            let moves = moves();
            self.best = Some(Solution { moves, goal });
        }
        goal >= self.highest
    }

    /// Whether a goal is more than nothing.
    pub(super) fn is_worth_something(&self, goal: i32) -> bool {
        goal > self.lowest
    }

    /// As [`Self::note`] for a state that may not be terminal.
    pub(super) fn note_if_over(&mut self, state: &G::State, moves: &[MoveId]) -> bool {
        self.walker.jump(state);
        self.walker.is_terminal() && self.note(|| moves.to_vec())
    }
}

/// 128 bits by which states are told apart: the engine's hash and the state's own, which have
/// nothing in common.
pub(super) fn fingerprint<S: Hash>(hash: u64, state: &S) -> (u64, u64) {
    let mut hasher = FxHasher::default();
    state.hash(&mut hasher);
    (hash, hasher.finish())
}
