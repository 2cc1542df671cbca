//! What learns or breeds.
//!
//! [`rules`] finds the rules of a board game by watching it being played, [`grl`] those of games
//! whose moves also add and remove pieces. [`values`] says what the
//! men of a board game are worth by its rules alone. [`player`] plays board
//! games by alpha-beta search. [`breed`] breeds new board games.
//!
//! Nothing here reads files, and nothing random happens without a seed.

pub mod breed;
pub mod grl;
pub mod player;
pub mod rules;
pub mod values;
