//! Whether all players played perfectly.

use std::sync::{Mutex, PoisonError};

use paidia_game::Game;
use paidia_game::solve::Oracle;

/// States that may be remembered; some hundred bytes each.
const STATES: usize = 4_000_000;

/// Judges play of one game. What it found out about one match it knows in the next.
pub(super) struct Judge<G: Game> {
    oracle: Mutex<Option<Oracle<G>>>,
}

impl<G: Game> Judge<G> {
    pub(super) fn new() -> Self {
        Self {
            oracle: Mutex::new(None),
        }
    }

    /// Whether all states of a match, from the first to the last, are worth the same; `None` if
    /// that cannot be worked out, for the game is not one of two in turns, or too large.
    pub(super) fn is_perfect(&self, game: &G, states: &[G::State]) -> Option<bool> {
        let mut oracle = self.oracle.lock().unwrap_or_else(PoisonError::into_inner);
        if oracle.is_none() {
            *oracle = Some(Oracle::new(game, STATES).ok()?);
        }
        oracle.as_mut()?.is_faultless(states).ok()
    }
}
