//! Players by name, and matches between them.
//!
//! A player is written `name(key=value, ...)`, the same wherever players are named: [`spec`] reads that, [`catalogue`] knows
//! the names and makes the players of a [`Playable`] game, [`referee`] lets them play, and [`study`] repeats published experiments.
//!
//! Nothing here opens sockets, and nothing but the result file of a study is read or written.

pub mod catalogue;
pub mod playable;
pub mod referee;
pub mod spec;
pub mod study;

pub use catalogue::{CATALOGUE, Key, Kind, make};
pub use playable::{Batches, Playable};
pub use referee::{Match, Move, Referee, Result as MatchResult};
pub use spec::{BadPlayer, PlayerSpec};
