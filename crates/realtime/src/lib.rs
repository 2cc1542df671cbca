//! Matches in real time: what a host, a player and a record do with a
//! [`TimedGame`](paidia_game::TimedGame).
//!
//! A [`table`] is one match without any clock: it is told what arrives when, and does what the
//! definition says. [`messages`] are what its players are told, and a [`mirror`] is what a player
//! makes of these. [`scripted`] play holds a table against play that another program wrote down.
//!
//! Nothing here knows sockets, files or rule text, and no clock is read.

pub mod messages;
pub mod scripted;
pub mod table;

pub use table::{Arrival, Draws, Entry, RandomDraws, Table, Update, Watch};
