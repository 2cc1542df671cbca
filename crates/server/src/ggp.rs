//! The protocol of the General Game Playing competitions, as ggp-base, Dresden's GameController and browser-based hosts speak it.
//!
//! [`message`] is what is said, [`text`] how names are understood that somebody wrote in capitals. [`player`] plays whatever hosts want to
//! have played, and [`host`] lets players elsewhere take part in our matches. `docs/protocol.md` tells how.

pub mod host;
pub mod message;
pub mod player;
pub mod text;
