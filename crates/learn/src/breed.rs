//! Breeding of simplified board games. (Jakub Kowalski, General Game Description Languages, 2016,
//! chapter 4.)
//!
//! [`Profile`] is a player that judges positions in one of sixteen ways, [`play()`] lets two of
//! them play. [`rapp`] rates a game by how these players do against each other, [`features`] by
//! what play looks like. [`Pattern`] is how a man moves, in the notation of the thesis;
//! [`generate`] draws games, [`evolution`] breeds them. `docs/methods/breeding.md` has formulae and
//! choices.

pub mod evolution;
pub mod features;
pub mod generate;
mod pattern;
mod playing;
mod profile;
pub mod rapp;

pub use pattern::{BadPattern, Contents, Moves, Pattern, Tuple};
pub use playing::{Contest, Ending, Played, play};
pub use profile::{Profile, Seat};
