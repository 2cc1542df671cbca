//! Players by name, and matches between them.
//!
//! A player is written `name(key=value, ...)`, the same wherever players are named: [`spec`] reads that, [`catalogue`] knows
//! the names and makes the players of a [`Playable`] game, and [`referee`] lets them play.
//!
//! Nothing here opens sockets or files.

pub mod catalogue;
pub mod playable;
pub mod referee;
pub mod spec;

pub use catalogue::{CATALOGUE, Key, Kind, make};
pub use playable::Playable;
pub use referee::{Match, Move, Referee, Result as MatchResult};
pub use spec::{BadPlayer, PlayerSpec};
