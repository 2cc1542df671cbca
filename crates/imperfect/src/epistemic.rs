//! What players know while a game goes on: formulas of CTL*K_n, and whether a game satisfies them.
//!
//! A *run* is an infinite play: after a terminal state all roles make the move STOP for ever,
//! nothing is perceived and the state stays (Huang, Ruan and Thielscher, GIGA'13). Players remember
//! all their moves and percepts and know the time. A formula is true of a game if it holds at the
//! start of all runs. [`formula`] reads formulas, [`model`] writes a game as a graph of points,
//! [`check`] decides formulas on it, [`standard`] makes the six properties that every game should
//! have. `docs/methods/model-checking.md` tells more.

pub mod check;
pub mod formula;
pub mod model;
mod paths;
pub mod probe;
pub mod standard;

pub(crate) use paths::components;

pub use check::{Answer, Checker, NoAnswer, Run, RunStep};
pub use formula::{BadFormula, Formula};
