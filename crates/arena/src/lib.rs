//! Players by name, and matches between them.
//!
//! [`rules`] finds and checks rules, [`engine`] makes them a game, by an engine that is named or
//! chosen, [`about`] tells what is known about it and [`knowledge`] what can be found out;
//! [`advice`] makes heuristics for moves of that, and [`explain`] tells in sentences why something
//! holds in a state.
//!
//! A player is written `name(key=value, ...)`, the same wherever players are named: [`spec`] reads
//! that, [`catalogue`] knows the names and makes the players of a [`Playable`] game. A match is
//! [`playing`], driven by a [`referee`], which asks a [`seat`] for each role. A [`contest`] is one
//! such game, set up so that it can be repeated; [`study`] repeats published experiments, and
//! [`tournament`] plays round robins. [`record`] is the format in which matches are written down,
//! [`store`] the database that lists them and holds the work of tournaments. [`clock`] tells how
//! much of a clock to think. [`realtime`] is all of this for rules in real time.
//!
//! Nothing here opens sockets. The files that are read and written are results of studies, records,
//! and the database.

pub mod about;
pub mod advice;
pub mod catalogue;
pub mod clock;
pub mod contest;
pub mod engine;
pub mod explain;
pub mod knowledge;
pub mod options;
pub mod playable;
pub mod playing;
mod plot;
pub mod realtime;
pub mod record;
pub mod referee;
pub mod rules;
pub mod seat;
pub mod spec;
pub mod statistics;
pub mod store;
pub mod study;
pub mod table;
pub mod text;
pub mod told;
pub mod tournament;
pub mod verify;

pub use catalogue::{PLAYERS, PlayerSettings, make};
pub use paidia_accel::Batches;
pub use playable::{Playable, leaf_playouts};
pub use playing::{Match, MatchEnd, Move, Turns};
pub use referee::Referee;
pub use seat::{Failure, Local, Seat, Seats, Turn};
pub use spec::{BadPlayer, Guest, PlayerSpec};
