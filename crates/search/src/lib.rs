//! Search algorithms over any [`paidia_game::Game`].
//!
//! A [`Player`] is told what its role may know, is asked for a move and answers with a
//! [`Decision`], which explains itself. Searches are [`Informed`]: they need a whole state.
//! [`InformedPlayer`] makes players of them; where a game hides things it keeps a [`belief`] and
//! asks about states that are possible. [`uct`] is Monte Carlo tree search for any number of roles
//! and for moves made at the same time, in the design of CADIA-Player, with parts that can be
//! exchanged: selection, playouts, backup, final choice. [`flat`] is Monte Carlo without a tree,
//! [`nested`] is Monte Carlo within Monte Carlo, [`alphabeta`] is principal variation search by an
//! [`evaluation`] learnt from playouts, and [`puzzle`] searches games of one role for a
//! solution. [`bandit`] tries ways to choose without any game.
//!
//! Nothing here knows a rule language or an engine: everything goes through the contract of
//! `paidia-game`.

pub mod advice;
pub mod alphabeta;
pub mod bandit;
pub mod belief;
pub mod budget;
mod costs;
pub mod evaluation;
pub mod flat;
mod informed;
pub mod learner;
pub mod leaves;
pub mod nested;
pub mod player;
pub mod puzzle;
pub mod report;
pub mod scale;
pub mod uct;

pub use budget::{Budget, StopReason, TimeSource};
pub use costs::{Costs, Part};
pub use informed::{BELIEF_SHARE, InformedPlayer, MOST_SEARCHES, choose_among};
pub use player::{Decision, Informed, Player, RandomPlayer};
pub use report::{MoveReport, Report};
