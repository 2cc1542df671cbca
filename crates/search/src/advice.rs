//! Advice about moves from a source that knows more about a game than its contract tells.
//!
//! A search asks how promising moves look in a state and decides itself how to use the answer; it
//! does not know where advice comes from. Values are comparable only between the moves of one role
//! in one state.

use std::sync::Arc;

use paidia_game::{MoveId, RoleId};

/// A source of advice; each thread has its own.
pub trait Advice<State: ?Sized>: Send {
    /// Appends for each of a role's legal moves how promising it looks in a state: a finite number,
    /// the more the better.
    fn values(&mut self, state: &State, role: RoleId, moves: &[MoveId], values: &mut Vec<f64>);
}

/// What an adviser is to be made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AdviceOptions {
    /// Whether it may use that some of what holds, or does not, will stay so.
    pub persistence: bool,
}

/// Why there is no advice about a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NoAdvice(pub String);

/// Makes advisers, one for each thread. The first may take a while.
pub type AdviceSource<State> =
    Arc<dyn Fn(AdviceOptions) -> Result<Box<dyn Advice<State>>, NoAdvice> + Send + Sync>;
