//! Rule sheets as written: clauses, formulas and terms with their places in the text.
//!
//! Two notations are read and printed: [`kif`] (prefix, as GGP programs exchange rules) and
//! [`infix`] (as papers print them). Both give the same [`Sheet`]. Reading never fails: it returns
//! what it understood and a list of problems.

mod comments;
pub mod infix;
pub mod kif;
mod names;
pub(crate) mod numerals;
mod print;
mod report;
mod same;

pub use numerals::plain_numeral;
pub use print::{Notation, atom_text, formula_text, print, term_text};
pub use same::same_rules;

use self::report::Report;
use crate::problem::Problem;
use crate::source::{Source, Span};
use crate::symbol::{Symbol, Symbols};

/// Deepest nesting of lists, formulas and terms that is read. Public rule sheets stay below 20.
///
/// Every recursive walk over a [`Sheet`] relies on this bound.
pub const MAX_DEPTH: usize = 200;

/// A rule sheet: its clauses in their order.
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    /// All names that occur. Every one is a KIF word: what infix quotes hold beyond that is escaped
    /// as it is read.
    pub symbols: Symbols,
    /// Facts and rules.
    pub clauses: Vec<Clause>,
    /// Comments after the last clause.
    pub closing_comments: Vec<String>,
}

/// A fact (no body) or a rule: the head holds if everything in the body holds.
#[derive(Clone, Debug)]
pub struct Clause {
    /// What is defined.
    pub head: Atom,
    /// What must hold; empty in a fact.
    pub body: Vec<Formula>,
    /// The whole clause.
    pub span: Span,
    /// The comment lines before or inside the clause, or after it on its last line, without their
    /// comment signs; an empty string is a blank line that separates groups.
    pub comments: Vec<String>,
}

/// A relation with its arguments.
#[derive(Clone, Debug)]
pub struct Atom {
    /// The relation's name. Keywords are in lower case whatever the source has.
    pub relation: Symbol,
    /// Where the name stands.
    pub relation_span: Span,
    /// The arguments, none for a proposition.
    pub args: Vec<Term>,
    /// The whole atom.
    pub span: Span,
}

/// A condition in a body.
#[derive(Clone, Debug)]
pub enum Formula {
    /// The atom holds.
    Atom(Atom),
    /// The two terms differ.
    Distinct(Term, Term, Span),
    /// The formula does not hold.
    Not(Box<Formula>, Span),
    /// All of them hold.
    And(Vec<Formula>, Span),
    /// One of them holds.
    Or(Vec<Formula>, Span),
}

/// A term with its place.
#[derive(Clone, Debug)]
pub struct Term {
    /// What the term is.
    pub kind: TermKind,
    /// Where it stands.
    pub span: Span,
}

/// The three kinds of terms.
#[derive(Clone, Debug)]
pub enum TermKind {
    /// A variable; the symbol is its name without `?`.
    Variable(Symbol),
    /// A constant.
    Constant(Symbol),
    /// A function with at least one argument.
    Compound(Symbol, Vec<Term>),
}

/// What a reader understood, and what it did not.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// The clauses that could be understood.
    pub sheet: Sheet,
    /// Everything that could not, in the order of the text.
    pub problems: Vec<Problem>,
}

/// Reads a rule sheet in whichever notation it is written.
pub fn read(source: &Source) -> Reading {
    match guess_notation(&source.text) {
        Notation::Kif => kif::read(source),
        Notation::Infix => infix::read(source),
    }
}

/// KIF sheets start with an opening parenthesis after comments and blanks; no infix sheet does.
pub fn guess_notation(text: &str) -> Notation {
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    while rest.starts_with(';') {
        rest = rest.find('\n').map_or("", |end| rest[end..].trim_start());
    }
    if rest.is_empty() || rest.starts_with(['(', ')', '<', '?']) {
        Notation::Kif
    } else {
        Notation::Infix
    }
}

impl Formula {
    /// Where the formula stands.
    pub fn span(&self) -> Span {
        match self {
            Formula::Atom(atom) => atom.span,
            Formula::Distinct(_, _, span)
            | Formula::Not(_, span)
            | Formula::And(_, span)
            | Formula::Or(_, span) => *span,
        }
    }
}

impl Term {
    /// The symbol, if the term is a constant.
    pub fn as_constant(&self) -> Option<Symbol> {
        match self.kind {
            TermKind::Constant(symbol) => Some(symbol),
            _ => None,
        }
    }

    /// Calls `visit` for every variable in the term, with its place.
    pub fn variables(&self, visit: &mut impl FnMut(Symbol, Span)) {
        match &self.kind {
            TermKind::Variable(symbol) => visit(*symbol, self.span),
            TermKind::Constant(_) => {}
            TermKind::Compound(_, args) => args.iter().for_each(|arg| arg.variables(visit)),
        }
    }

    /// Whether there is no variable in the term.
    pub fn is_ground(&self) -> bool {
        match &self.kind {
            TermKind::Variable(_) => false,
            TermKind::Constant(_) => true,
            TermKind::Compound(_, args) => args.iter().all(Term::is_ground),
        }
    }
}
