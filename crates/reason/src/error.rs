//! Why a program cannot become a game.

use paidia_game::Fault;

/// Why an engine cannot run a program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// The engine plays in turns; real-time rules need a real-time engine.
    #[error("real-time rules (rtGDL) cannot be played in turns")]
    RealTime,
    /// There are no roles.
    #[error("the rules have no role")]
    NoRoles,
    /// More roles than [`paidia_game::RoleId`] can number.
    #[error("the rules have {0} roles, which is too many")]
    TooManyRoles(usize),
    /// The facts that hold in every state, or the start, are too many.
    #[error(transparent)]
    Limit(#[from] Fault),
}
