//! The suites of this crate as one program.

mod damage;
mod game;
mod players;
mod replay;
