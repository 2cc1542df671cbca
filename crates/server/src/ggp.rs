//! The protocol of the General Game Playing competitions, as ggp-base, Dresden's GameController and browser-based hosts speak it.
//!
//! [`message`] is what is said. `docs/protocol.md` tells how.

pub mod message;
