//! The rules of moves from observations of play, where moves also add and remove pieces. (Peter
//! Gregory, Yngvi Björnsson, Stephan Schiffel, The GRL System, GIGA 2015.)
//!
//! A move is a series of steps; one piece at a time is in hand. [`Sight`]s are what was seen:
//! positions with moves. Of these, [`learn`] makes a [`Model`]: for each kind of pieces an
//! automaton of the steps that it makes while it is in hand (SGRL+), and for each kind that moves
//! begin with, automata of what follows what in a move ([`locm`]: LOCM and LOCM2). The product of
//! both makes the legal moves of any position. [`teachers`] are games to learn from.
//! `docs/methods/grl.md` tells what is as in the paper and what is not.

mod actions;
pub mod locm;
mod model;
pub mod pddl;
mod scene;
mod segments;
pub mod teachers;
mod watch;

pub use actions::traces;
pub use model::{Model, learn};
pub use scene::{Does, Hand, Micro, Record, Scene};
pub use watch::{Sight, of_board_game, watch};
