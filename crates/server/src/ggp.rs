//! The protocol of the General Game Playing competitions, as ggp-base, Dresden's GameController and
//! browser-based hosts speak it.
//!
//! [`message`] reads and writes the messages; [`text`] matches names that a host wrote in capitals.
//! [`player`] plays the matches of hosts, and [`host`] lets remote players take part in our
//! matches. `docs/protocol.md` describes the protocol.

pub mod host;
pub mod message;
pub mod player;
pub mod text;
