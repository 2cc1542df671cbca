//! The protocol of the General Game Playing competitions, as ggp-base, Dresden's GameController and browser-based hosts speak it.
//!
//! [`message`] is what is said, [`text`] how names are understood that somebody wrote in capitals, and [`player`] plays whatever hosts want to
//! have played. `docs/protocol.md` tells how.

pub mod message;
pub mod player;
pub mod text;
