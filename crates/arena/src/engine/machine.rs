//! A game as one of the engines has it.

use paidia_accel::Batches;
use paidia_game::{AnyGame, Game, GameFacts, Legible, Rules};
use paidia_languages::board::BoardGame;
use paidia_reason::Compiled;
use paidia_reason::propnet::{GroundGame, Propnet};

use super::{EngineError, memory};
use crate::playable::Playable;

/// A game as one of the engines has it. Search and playouts are compiled for the fast engines and,
/// for all others together, for [`AnyGame`], which keeps the program small.
#[derive(Clone)]
pub enum Machine {
    /// Compiled rules.
    Compiled(Playable<Compiled>),
    /// A network, with batches of playouts.
    Propnet(Playable<Propnet>),
    /// A network for whole playouts only.
    Batch(Batches),
    /// Any other engine.
    Other(Playable<AnyGame>),
}

/// Something to do with a game on whichever engine it is.
pub trait OnGame {
    /// What comes of it.
    type Output;

    /// Does it.
    fn run<G: Game + Legible>(self, playable: &Playable<G>) -> Self::Output;
}

impl Machine {
    /// The game of an engine that is not one of the fast ones.
    pub(super) fn other<G: Game + Legible>(game: G) -> Self {
        Machine::Other(Playable::new(AnyGame::new(game)))
    }

    /// Compiled rules, as machine code if that is wanted and this machine runs it.
    pub(super) fn compiled(game: Compiled, native: bool) -> Self {
        let game = match native {
            true => paidia_accel::native(game),
            false => game,
        };
        Machine::Compiled(Playable::new(game))
    }

    /// A network for whole playouts.
    pub(super) fn batch(game: GroundGame) -> Self {
        let batches = Batches::new(game);
        batches.prepare();
        Machine::Batch(batches)
    }

    /// A network for whole playouts on a GPU, or on the processor where no GPU plays.
    pub(super) fn on_gpu(game: GroundGame) -> Self {
        let folder = memory::folder().map(|folder| folder.join("gpu"));
        let batches = Batches::on_gpu(game, folder);
        batches.prepare();
        Machine::Batch(batches)
    }

    /// The same game, which is this simplified board game, if it is one.
    #[must_use]
    pub(super) fn with_board(self, board: Option<BoardGame>) -> Self {
        match self {
            Machine::Compiled(playable) => Machine::Compiled(playable.with_board(board)),
            Machine::Propnet(playable) => Machine::Propnet(playable.with_board(board)),
            Machine::Other(playable) => Machine::Other(playable.with_board(board)),
            Machine::Batch(batches) => Machine::Batch(batches),
        }
    }

    /// Does something with the game, by code that is compiled for its engine.
    ///
    /// # Errors
    /// If the engine only knows whole playouts.
    pub fn run<W: OnGame>(&self, work: W) -> Result<W::Output, EngineError> {
        Ok(match self {
            Machine::Compiled(playable) => work.run(playable),
            Machine::Propnet(playable) => work.run(playable),
            Machine::Other(playable) => work.run(playable),
            Machine::Batch(_) => return Err(EngineError::WholePlayouts),
        })
    }

    /// The game for those who go from state to state and need no speed.
    ///
    /// # Errors
    /// If the engine only knows whole playouts.
    pub fn game(&self) -> Result<AnyGame, EngineError> {
        Ok(match self {
            Machine::Compiled(playable) => AnyGame::new(playable.game.clone()),
            Machine::Propnet(playable) => AnyGame::new(playable.game.clone()),
            Machine::Other(playable) => playable.game.clone(),
            Machine::Batch(_) => return Err(EngineError::WholePlayouts),
        })
    }

    /// Whether machine code plays, and if not, why; `None` if the engine makes none. The program
    /// of batches is compiled for the answer, if it was not before.
    pub fn native_in_words(&self) -> Option<String> {
        match self {
            Machine::Compiled(playable) => Some(paidia_accel::rules_in_words(&playable.game)),
            Machine::Propnet(playable) => playable.batches().map(Batches::native_in_words),
            Machine::Batch(batches) => Some(batches.native_in_words()),
            Machine::Other(_) => None,
        }
    }

    /// What is known about the game.
    pub fn facts(&self) -> &GameFacts {
        match self {
            Machine::Compiled(playable) => playable.game.facts(),
            Machine::Propnet(playable) => playable.game.facts(),
            Machine::Other(playable) => playable.game.facts(),
            Machine::Batch(game) => &game.ground().facts,
        }
    }
}
