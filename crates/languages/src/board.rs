//! Simplified Boardgames: chess-like games for two, in which each piece moves by a regular
//! expression over steps. (Jakub Kowalski, General Game Description Languages, 2016, section 2.1.2
//! and appendix A.)
//!
//! The way through it: [`read`] makes [`BoardRules`] and problems of a text, [`print()`] a text of
//! rules. [`Automaton`] is the minimal automaton of a rule. [`BoardGame`] is the game: `tables` has
//! for each automaton state and square what comes next, `position` makes and unmakes moves, and
//! `game` says all that in the words of [`paidia_game::Game`]. [`gdl`] writes the same game in GDL.
//!
//! What the thesis leaves open is settled in `docs/methods/boardgames.md`.

mod automaton;
mod cursor;
mod expression;
mod game;
pub mod gdl;
mod goals;
mod limits;
mod minimise;
mod position;
mod print;
mod problems;
mod reach;
mod read;
mod rules;
mod state;
mod tables;
mod text;
mod words;

pub use automaton::{Automaton, Letter, TooComplex};
pub use expression::{Expression, On, Power, Step};
pub use game::{BoardGame, BoardWalker};
pub use position::{BoardMove, Colour, Position, Undo};
pub use print::{format, print};
pub use problems::CODES;
pub use reach::Squares;
pub use read::{Reading, read, read_expression};
pub use rules::{BoardRules, Goal, Piece, Standing};
pub use state::BoardState;
pub use tables::{Content, EMPTY, Tables, TooLarge};

pub use limits::*;
pub use text::{column, man};
pub use words::{glyph, in_words};
