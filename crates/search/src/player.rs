//! Players: whoever chooses moves.

use std::sync::atomic::AtomicBool;

use paidia_game::{Chance, Game, LegalMoves, MoveId, RoleId, Walker};

use crate::budget::{Budget, StopReason};
use crate::report::Report;

/// Chooses moves for one role in one match.
///
/// The host's word is the truth: a player is told every state it must move in, and never assumes that the move it
/// chose is the one that was made.
pub trait Player<G: Game>: Send {
    /// Uses the time before the first move; the match starts in `state`.
    fn prepare(&mut self, state: &G::State, budget: Budget) {
        let _ = (state, budget);
    }

    /// Chooses a legal move of its role in a state that is not terminal.
    fn choose(&mut self, state: &G::State, budget: Budget) -> Decision;

    /// The same, with what was found by then if somebody interrupts. Who cannot be interrupted takes its time.
    fn choose_until(
        &mut self,
        state: &G::State,
        budget: Budget,
        interrupt: &AtomicBool,
    ) -> Decision {
        let _ = interrupt;
        self.choose(state, budget)
    }

    /// Thinks about a state while others choose, until it is interrupted.
    fn ponder(&mut self, state: &G::State, interrupt: &AtomicBool) {
        let _ = (state, interrupt);
    }
}

/// A chosen move, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// The move.
    pub id: MoveId,
    /// What the search found out.
    pub report: Report,
}

impl Decision {
    /// A move that needed no search.
    pub fn without_search(id: MoveId, stopped: StopReason) -> Self {
        Self {
            id,
            report: Report::without_search(id, stopped),
        }
    }
}

/// The role's only legal move, if it has just one.
pub(crate) fn only_move(legal: &LegalMoves, role: RoleId) -> Option<MoveId> {
    match legal.of(role) {
        [only] => Some(*only),
        _ => None,
    }
}

/// Chooses uniformly at random.
pub struct RandomPlayer<G: Game> {
    walker: G::Walker,
    role: RoleId,
    chance: Chance,
}

impl<G: Game> RandomPlayer<G> {
    /// A random player for a role.
    pub fn new(game: &G, role: RoleId, seed: u64) -> Self {
        Self {
            walker: game.walker(),
            role,
            chance: Chance::from_seed(seed),
        }
    }
}

impl<G: Game> Player<G> for RandomPlayer<G> {
    fn choose(&mut self, state: &G::State, _: Budget) -> Decision {
        self.walker.jump(state);
        let id = self
            .chance
            .pick(self.walker.legal().of(self.role))
            .unwrap_or(MoveId::CHANCE);
        Decision::without_search(id, StopReason::NoSearch)
    }
}
