//! A network that several threads evaluate together, layer by layer.
//!
//! A layer is the gates whose inputs all lie in layers before it. Its gates are split over the
//! threads, and no thread begins the next layer before all have finished this one. That is the
//! first way in which Hufschmitt, Méhat and Vittaut tried to make use of a machine of many cores,
//! and they found that the waiting costs more than the splitting gains. Here it is to be measured:
//! [`Propnet`] passes on changes alone and `paidia-accel` plays many states at once, and both are
//! faster. `docs/methods/parallel-uct.md` has figures.

mod plan;
mod threads;
mod walker;

use std::sync::Arc;

use paidia_game::{
    Damaged, Features, Game, GameFacts, Legible, MoveTable, PerceptTable, Rules, UnknownFluent,
};

use super::super::GroundGame;
use super::Propnet;
use crate::bits::State;
use plan::Plan;
pub use walker::LayeredWalker;

/// A game played by its network, which several threads evaluate together.
///
/// Every walker has threads of its own, which end with it.
#[derive(Clone)]
pub struct Layered {
    /// Names, moves and states are the same.
    game: Propnet,
    plan: Arc<Plan>,
    threads: usize,
}

/// Why a network has no layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{nodes} gates of the network depend on themselves, so that they are in no layer")]
pub struct NoLayers {
    /// How many nodes depend on themselves.
    pub nodes: usize,
}

impl Layered {
    /// The engine for a game whose rules have become a network, with `threads` threads for each
    /// walker.
    ///
    /// # Errors
    /// If the rules are recursive.
    pub fn new(game: GroundGame, threads: usize) -> Result<Self, NoLayers> {
        let threads = threads.max(1);
        let plan = Plan::new(&game.network, threads)?;
        Ok(Self {
            game: Propnet::new(game),
            plan: Arc::new(plan),
            threads,
        })
    }

    /// How many layers a move goes through, each of which ends with a wait.
    pub fn layers(&self) -> usize {
        self.plan.layers()
    }

    /// How many gates a move evaluates.
    pub fn gates(&self) -> usize {
        self.plan.gates()
    }
}

impl Rules for Layered {
    type State = State;

    fn facts(&self) -> &GameFacts {
        self.game.facts()
    }

    fn moves(&self) -> &MoveTable {
        self.game.moves()
    }

    fn percepts(&self) -> &PerceptTable {
        self.game.percepts()
    }

    fn initial(&self) -> State {
        self.game.initial()
    }

    fn snapshot(&self, state: &State, into: &mut Vec<u8>) {
        self.game.snapshot(state, into);
    }

    fn restore(&self, bytes: &[u8]) -> Result<State, Damaged> {
        self.game.restore(bytes)
    }

    fn features(&self) -> Option<&dyn Features<State>> {
        self.game.features()
    }
}

impl Game for Layered {
    type Walker = LayeredWalker;

    fn walker(&self) -> LayeredWalker {
        LayeredWalker::new(self)
    }
}

impl Legible for Layered {
    fn fluents(&self, state: &State) -> Vec<String> {
        self.game.fluents(state)
    }

    fn state(&self, fluents: &[&str]) -> Result<State, UnknownFluent> {
        self.game.state(fluents)
    }
}
