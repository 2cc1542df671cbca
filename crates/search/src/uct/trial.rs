//! A trial before the match: whether playouts from many leaves at once are worth it in the game at
//! hand.
//!
//! Sixteen playouts of a leaf tell more than one, but a search that makes them must not be slower
//! to the point that its tree stays small: a network may be large, and games so long that few lanes
//! are busy. So a part of the start clock goes to one search of each kind. Both add to the same
//! tree, so that nothing of it is lost.

use std::time::Duration;

use paidia_game::Game;

use super::{Leaves, Uct};
use crate::budget::Budget;

/// The part of the start clock that each trial takes, and the shortest trial that says anything.
const PART: u32 = 20;
const SHORTEST: Duration = Duration::from_millis(20);

/// What a simulation with many playouts is worth, in simulations with one.
const WORTH: f64 = 4.0;

impl<G: Game> Uct<G> {
    /// Tries both ways to make playouts, if there are two and there is time, and keeps to the
    /// better one; how much time is left.
    pub(super) fn try_leaves(&mut self, state: &G::State, time: Duration) -> Duration {
        let trial = time / PART;
        // Settings that ask for a crew get one.
        let is_batched = matches!(self.settings.leaves, Leaves::Batched { .. });
        let mut explorers = self.explorers.iter();
        let has_both = is_batched && explorers.all(|explorer| explorer.leaves.is_some());
        if self.was_tried || !has_both || trial < SHORTEST {
            return time;
        }
        self.was_tried = true;
        let batched = self.rate(state, trial);
        let sources: Vec<_> = self
            .explorers
            .iter_mut()
            .map(|explorer| explorer.leaves.take())
            .collect();
        let scalar = self.rate(state, trial);
        if scalar <= WORTH * batched {
            for (explorer, leaves) in self.explorers.iter_mut().zip(sources) {
                explorer.leaves = leaves;
            }
        }
        time - 2 * trial
    }

    /// Simulations a second.
    fn rate(&mut self, state: &G::State, time: Duration) -> f64 {
        self.search(state, Budget::time(time))
            .simulations_per_second()
    }
}
