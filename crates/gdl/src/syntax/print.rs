//! Printing rule sheets in both notations.

use super::{Sheet, Term};
use crate::symbol::Symbols;

/// How rules are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// `(<= (next (cell ?m ?n x)) (does xplayer (mark ?m ?n)))`
    Kif,
    /// `next(cell(M, N, x)) :- does(xplayer, mark(M, N)).`
    Infix,
}

/// The whole sheet in the given notation.
pub fn print(_sheet: &Sheet, _notation: Notation) -> String {
    String::new()
}

/// One term in the given notation, on one line with single spaces.
pub fn term_text(_term: &Term, _symbols: &Symbols, _notation: Notation) -> String {
    String::new()
}
