//! Why a program cannot become a game.

use paidia_game::Fault;
use paidia_gdl::check::MOST_ROLES;

/// Why an engine cannot run a program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// The engine plays in turns; real-time rules need a real-time engine.
    #[error("real-time rules (rtGDL) cannot be played in turns")]
    RealTime,
    /// There are no roles.
    #[error("the rules have no role")]
    NoRoles,
    /// More than [`MOST_ROLES`].
    #[error("the rules have {0} roles; there may be {MOST_ROLES}")]
    TooManyRoles(usize),
    /// The facts that hold in every state, or the start, are too many.
    #[error(transparent)]
    Limit(#[from] Fault),
}
