//! Players, which are told what their role may know, and searches, which are told a state.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use paidia_game::{Chance, Game, MoveId, RoleId, Sight, Walker};

use crate::budget::{Budget, StopReason, Stopwatch};
use crate::report::Report;

/// Chooses moves for one role in one match.
///
/// It is told a [`Sight`] before the first move and after every joint move, in this order, and
/// nothing else: a move that it chose may not be the one that was made.
pub trait Player<G: Game>: Send {
    /// Takes in what the role is told.
    fn observe(&mut self, sight: &Sight<'_, G::State>);

    /// Uses the time before the first move.
    fn prepare(&mut self, budget: Budget) {
        let _ = budget;
    }

    /// Chooses one of the moves that are legal for its role now, of which there is at least one. An
    /// interrupted player answers with what it found by then.
    fn choose(&mut self, legal: &[MoveId], budget: Budget, interrupt: &AtomicBool) -> Decision;

    /// Thinks about the present position while others choose, until it is interrupted.
    fn ponder(&mut self, interrupt: &AtomicBool) {
        let _ = interrupt;
    }
}

/// A search that needs the whole state. [`crate::InformedPlayer`] makes a [`Player`] of it.
pub trait Informed<G: Game>: Send {
    /// Uses the time before the first move; the match starts in `state`.
    fn prepare(&mut self, state: &G::State, budget: Budget) {
        let _ = (state, budget);
    }

    /// The same until it is interrupted; by default in slices of the time.
    fn prepare_until(&mut self, state: &G::State, budget: Budget, interrupt: &AtomicBool) {
        let mut prepare = |slice| self.prepare(state, slice);
        in_slices(budget, interrupt, &mut prepare);
    }

    /// Chooses a legal move of its role in a state that is not terminal; an interrupted search
    /// answers with what it found by then, and one that cannot be interrupted goes on.
    fn choose_until(
        &mut self,
        state: &G::State,
        budget: Budget,
        interrupt: &AtomicBool,
    ) -> Decision;

    /// The same without interruption.
    fn choose(&mut self, state: &G::State, budget: Budget) -> Decision {
        self.choose_until(state, budget, &AtomicBool::new(false))
    }

    /// Thinks about a state while others choose, until it is interrupted.
    fn ponder(&mut self, state: &G::State, interrupt: &AtomicBool) {
        let _ = (state, interrupt);
    }
}

/// Prepares in slices of the time until an interrupt comes, or a slice is not used up.
pub(crate) fn in_slices(budget: Budget, interrupt: &AtomicBool, prepare: &mut dyn FnMut(Budget)) {
    const SLICE: Duration = Duration::from_millis(500);
    let Some(time) = budget.time else {
        return prepare(budget);
    };
    let clock = Stopwatch::start(budget.clock);
    while !interrupt.load(Ordering::Relaxed) {
        let begun = clock.elapsed();
        let slice = time.saturating_sub(begun).min(SLICE);
        if slice.is_zero() {
            break;
        }
        prepare(Budget {
            time: Some(slice),
            ..budget
        });
        if clock.elapsed().saturating_sub(begun) < slice / 2 {
            // There is nothing left to find out.
            break;
        }
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
    /// A move that needed no search, or [`MoveId::CHANCE`] where none can be made.
    pub fn without_search(id: MoveId, stopped: StopReason) -> Self {
        Self {
            id,
            report: Report::without_search(id, stopped),
        }
    }
}

/// The decision where there is nothing to choose: the role has one legal move, or the game cannot
/// go on, because it is over, because a role has no legal move, or because the engine ran into a
/// limit. Then the role's first move is as good as any.
pub(crate) fn without_choice<W: Walker>(walker: &mut W, role: RoleId) -> Option<Decision> {
    let stopped = cannot_go_on(walker);
    let moves = walker.legal().of(role);
    match (stopped, moves) {
        (Some(stopped), _) => {
            let first = moves.first().copied().unwrap_or(MoveId::CHANCE);
            Some(Decision::without_search(first, stopped))
        }
        (None, [only]) => Some(Decision::without_search(*only, StopReason::OnlyMove)),
        (None, _) => None,
    }
}

/// Why no joint move can be made where a walker stands, if none can.
pub(crate) fn cannot_go_on<W: Walker>(walker: &mut W) -> Option<StopReason> {
    let is_over = walker.is_terminal() || walker.legal().stuck_role().is_some();
    match walker.fault() {
        Some(_) => Some(StopReason::Fault),
        None => is_over.then_some(StopReason::NoSearch),
    }
}

/// Chooses uniformly at random. It needs no state, and takes one where searches are asked.
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

fn draw(chance: &mut Chance, legal: &[MoveId]) -> Decision {
    let id = chance.pick(legal).unwrap_or(MoveId::CHANCE);
    Decision::without_search(id, StopReason::NoSearch)
}

impl<G: Game> Player<G> for RandomPlayer<G> {
    fn observe(&mut self, _: &Sight<'_, G::State>) {}

    fn choose(&mut self, legal: &[MoveId], _: Budget, _: &AtomicBool) -> Decision {
        draw(&mut self.chance, legal)
    }
}

impl<G: Game> Informed<G> for RandomPlayer<G> {
    fn choose_until(&mut self, state: &G::State, _: Budget, _: &AtomicBool) -> Decision {
        self.walker.jump(state);
        draw(&mut self.chance, self.walker.legal().of(self.role))
    }
}
