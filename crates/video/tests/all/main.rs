//! The suites of this crate as one program.

mod bundle;
mod damage;
mod elements;
mod game;
mod models;
mod players;
mod replay;
