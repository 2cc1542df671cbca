//! Printing rule sheets in both notations.

use super::{Sheet, Term, TermKind};
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
pub fn term_text(term: &Term, symbols: &Symbols, notation: Notation) -> String {
    let mut text = String::new();
    match notation {
        Notation::Kif | Notation::Infix => kif_term(term, symbols, &mut text),
    }
    text
}

fn kif_term(term: &Term, symbols: &Symbols, text: &mut String) {
    match &term.kind {
        TermKind::Variable(name) => {
            text.push('?');
            text.push_str(symbols.name(*name));
        }
        TermKind::Constant(name) => text.push_str(symbols.name(*name)),
        TermKind::Compound(name, args) => {
            text.push('(');
            text.push_str(symbols.name(*name));
            for arg in args {
                text.push(' ');
                kif_term(arg, symbols, text);
            }
            text.push(')');
        }
    }
}
