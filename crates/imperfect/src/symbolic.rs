//! Model checking on the translated system: sets of states as decision diagrams instead of lists.
//!
//! [`System`] is the translation of Huang, Ruan and Thielscher (GIGA'13) with its three
//! optimisations, each of which can be left out; [`mck`] writes it in the language of the model
//! checker MCK. [`Symbolic`] decides formulas of [`crate::epistemic`] on it. It shares with the
//! checker there nothing but the formulas, so that the two test each other: rules are instantiated
//! by `ground`, states are never listed, and what a player remembers are variables of their own,
//! one for each moment and each bit of what the player is told.

mod check;
mod diagram;
mod ground;
pub mod mck;
mod paths;
mod space;
mod system;
mod typed;

pub use check::{Symbolic, Verdict};
pub use system::{Assigned, Kind, Options, Refer, System, Value};
pub use typed::{Statistics, Variable};

/// Why a game or a formula is beyond this checker.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TooHard {
    /// Too much of something without variables.
    #[error("the rules have more than {1} {0}, which is beyond the symbolic checker")]
    Ground(&'static str, usize),
    /// A rule leaves a variable open.
    #[error("a rule has a variable that no condition binds")]
    Unbound,
    /// A relation needs that itself fails.
    #[error("a relation needs its own failure")]
    Unstratified,
    /// A move, percept or goal of no role.
    #[error("`{0}` has moves or percepts and is no role")]
    NoRole(String),
    /// The decision diagrams became too large.
    #[error("the decision diagrams have more than {0} nodes; --max-nodes allows more")]
    Nodes(usize),
    /// Too many variables.
    #[error("{0} would need more than {1} variables")]
    Variables(&'static str, usize),
    /// Knowledge where play need not end.
    #[error(
        "what players know is decided symbolically only where all play ends; here it may go on for ever, or beyond {0} moves"
    )]
    Endless(usize),
    /// The formula is not one of this game.
    #[error("{0}")]
    Formula(String),
}
