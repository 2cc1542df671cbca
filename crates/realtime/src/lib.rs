//! Matches in real time: what a host, a player and a record do with a
//! [`TimedGame`](paidia_game::TimedGame).
//!
//! A [`table`] is one match without any clock: it is told what arrives when, and does what the
//! definition says. [`messages`] are what its players are told, and a [`mirror`] is what a player
//! makes of these. [`players`] decide by what they know ([`world`]), and a [`contest`] lets them
//! play on a virtual clock, [`live`] on the real one. A [`record`] is a match written down, a
//! [`playout`] is random play, and [`convert`] makes rules in turns rules in real time.
//! [`scripted`] play holds a table against play that another program wrote down.
//!
//! Nothing here knows sockets or files, and no engine.

pub mod agent;
pub mod clock;
pub mod contest;
pub mod convert;
pub mod live;
pub mod messages;
pub mod mirror;
pub mod players;
pub mod playout;
pub mod record;
pub mod scripted;
pub mod table;
pub mod world;

pub use agent::Agent;
pub use contest::Outcome;
pub use mirror::Mirror;
pub use record::{TimedRecord, TimedRecorder};
pub use table::{Arrival, Draws, Entry, RandomDraws, Table, Update, Watch};
