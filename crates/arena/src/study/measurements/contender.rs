//! What an engine must be able to do to be compared with others.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// An engine that stands ready on a game. Its maker knows the engine's own types; the study
/// does not.
pub trait Contender {
    /// Makes ready the positions in which measurements begin.
    ///
    /// # Errors
    /// If one of them is no state of the game for this engine.
    fn prepare(&mut self, positions: &[Position]) -> Result<(), String>;

    /// Measures.
    ///
    /// # Errors
    /// If the engine cannot do that, or ran into a limit or a fault of the rules.
    fn measure(&mut self, job: &Job) -> Result<Count, String>;

    /// Plays a match at random, and tells its states, the last one left out.
    ///
    /// # Errors
    /// As [`Self::measure`].
    fn record(&mut self, seed: u64, step_limit: u32) -> Result<Vec<Position>, String>;
}

/// A state as every engine understands it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Position {
    /// The initial state.
    Initial,
    /// The state in which exactly these fluents hold.
    Fluents(Vec<String>),
}

/// What is done in a measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// Random playouts.
    Playouts,
    /// Minimax without pruning, one level deeper each time.
    Minimax,
    /// Minimax to this depth.
    Nodes(u32),
}

/// A measurement.
#[derive(Clone, Debug)]
pub struct Job {
    /// What is done.
    pub work: Work,
    /// The positions in which it begins, of those that were made ready; they take equal shares of
    /// the time.
    pub positions: Range<usize>,
    /// CPU seconds, about; what takes a fixed effort only has them to tell when it takes much too
    /// long.
    pub seconds: f64,
    /// Where the random choices come from.
    pub seed: u64,
    /// Joint moves after which a playout is cut.
    pub step_limit: u32,
}

/// What a measurement counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Count {
    /// CPU seconds, of all threads together.
    pub cpu: f64,
    /// Seconds by the clock; the caller of the measurement fills them in.
    #[serde(default)]
    pub clock: f64,
    /// Joint moves made.
    pub states: u64,
    /// Playouts that were finished.
    pub playouts: u64,
    /// Whether a playout was given up because it took far more than the whole time.
    #[serde(default)]
    pub cut: bool,
}
