//! Rules ready for engines: no disjunctions, typed relations, numbered variables.
//!
//! A rule sheet becomes a [`Program`] in three steps. [`conjunctive`] removes `or` and nested
//! `not`, which leaves rules whose bodies are lists of literals. [`domains`] finds out which terms
//! can stand where. Then `specialise` splits the relations that the language defines by what they
//! are about: `(true (cell ?x ?y ?z))` becomes an atom of the relation *true cell* with three
//! arguments, so that engines see flat relations and need not look into terms. A variable in such a
//! place, as in `(<= (next ?f) (true ?f))`, is expanded into all functions that its domain allows.

pub mod conjunctive;
pub mod domains;
mod lifetimes;
mod specialise;

pub use conjunctive::TooLarge;

use crate::dialect::Dialect;
use crate::keyword::Keyword;
use crate::symbol::{Symbol, Symbols};
use crate::syntax::Sheet;
use crate::syntax::numerals::with_plain_numerals;
use domains::Domain;

/// A relation of a [`Program`], as an index into [`Program::relations`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RelationId(pub u32);

impl RelationId {
    /// The position in [`Program::relations`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A checked rule sheet in the form that engines work on.
#[derive(Clone, Debug)]
pub struct Program {
    /// All names. Constants of the rules are symbols of this table.
    pub symbols: Symbols,
    /// The dialect of the sheet.
    pub dialect: Dialect,
    /// All relations; rules refer to them by position.
    pub relations: Vec<Relation>,
    /// All rules; facts are rules without a body.
    pub rules: Vec<Rule>,
    /// What a state consists of, one entry a kind of fluent.
    pub fluents: Vec<Fluent>,
    /// What can be done, one entry a kind of move.
    pub moves: Vec<MoveKind>,
    /// What can be seen, one entry a kind of percept (GDL-II).
    pub percepts: Vec<PerceptKind>,
}

/// What a relation is to the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RelationKind {
    /// Defined by the sheet's author.
    Plain,
    /// Made for a disjunction that several bodies would otherwise have repeated.
    Helper,
    /// Given a meaning by the language.
    Keyword(Keyword),
}

/// A flat relation.
#[derive(Clone, Debug)]
pub struct Relation {
    /// What it is to the language.
    pub kind: RelationKind,
    /// Its name: the author's, or the keyword's.
    pub name: Symbol,
    /// For keywords about fluents, moves and percepts: the function that the relation is about;
    /// `None` if it is about constants, which are then its last argument.
    pub functor: Option<Symbol>,
    /// Number of arguments: those beside the subject first, then the subject's.
    pub arity: usize,
    /// Which terms can stand at each argument.
    pub domains: Vec<Domain>,
}

/// A kind of fluent with the relations that are about it. Their arguments are the same (in rtGDL,
/// with the lifetime first).
#[derive(Clone, Copy, Debug)]
pub struct Fluent {
    /// The function, or `None` for fluents that are plain constants.
    pub functor: Option<Symbol>,
    /// Holds at the start.
    pub init: RelationId,
    /// Holds now.
    pub holds: RelationId,
    /// Holds after the move.
    pub next: RelationId,
}

/// A kind of move with the relations that are about it; the role is their first argument.
#[derive(Clone, Copy, Debug)]
pub struct MoveKind {
    /// The function, or `None` for moves that are plain constants.
    pub functor: Option<Symbol>,
    /// May be made now.
    pub legal: RelationId,
    /// Is made now.
    pub does: RelationId,
}

/// A kind of percept; the role is its relation's first argument.
#[derive(Clone, Copy, Debug)]
pub struct PerceptKind {
    /// The function, or `None` for percepts that are plain constants.
    pub functor: Option<Symbol>,
    /// Is seen after the move.
    pub sees: RelationId,
}

/// The head holds if all literals of the body do.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rule {
    /// What is derived.
    pub head: Atom,
    /// The conditions, in the author's order.
    pub body: Vec<Literal>,
    /// How many variables the rule has; they are numbered from 0.
    pub variables: usize,
    /// Position of the clause in the sheet that the rule comes from.
    pub clause: usize,
}

/// A relation with its arguments.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Atom {
    /// The relation.
    pub relation: RelationId,
    /// As many terms as the relation has arguments.
    pub args: Vec<Term>,
}

/// A condition of a body.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Literal {
    /// The atom holds.
    Holds(Atom),
    /// The atom does not hold.
    Fails(Atom),
    /// The terms differ.
    Distinct(Term, Term),
    /// The term is a plain constant. No author writes this: it stands in the copy of a rule that is
    /// for those values of a variable which are no functions.
    Plain(Term),
}

/// A term with numbered variables.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Term {
    /// The rule's variable with that number.
    Variable(usize),
    /// A constant.
    Constant(Symbol),
    /// A function with at least one argument.
    Compound(Symbol, Vec<Term>),
}

impl Program {
    /// The program of a sheet that passed the checks. In rtGDL all numbers are in their shortest
    /// spelling.
    ///
    /// A sheet with errors gives some program, too: clauses that make no sense are left out, and
    /// nothing is promised about the rest.
    ///
    /// # Errors
    /// If removing disjunctions or expanding variables would give more rules than any engine could
    /// use, or a body is longer than any author's.
    pub fn new(sheet: &Sheet, dialect: Dialect) -> Result<Program, TooLarge> {
        let plain = dialect.is_timed().then(|| with_plain_numerals(sheet));
        let clauses = conjunctive::conjunctive(plain.as_ref().unwrap_or(sheet), dialect)?;
        let domains = domains::find(&clauses);
        let mut program = specialise::specialise(clauses, &domains, dialect)?;
        if dialect.is_timed() {
            lifetimes::narrow(&mut program);
        }
        Ok(program)
    }

    /// The relation with that id.
    pub fn relation(&self, id: RelationId) -> &Relation {
        &self.relations[id.index()]
    }

    /// The relation of a keyword that is not about fluents, moves or percepts: `role`, `goal`,
    /// `terminal`.
    pub fn keyword(&self, keyword: Keyword) -> Option<RelationId> {
        let kind = RelationKind::Keyword(keyword);
        let found = self
            .relations
            .iter()
            .position(|relation| relation.kind == kind);
        found.map(|index| RelationId(index as u32))
    }

    /// The relation's name for people, such as `true cell/3`.
    pub fn relation_name(&self, id: RelationId) -> String {
        let relation = self.relation(id);
        let name = self.symbols.name(relation.name);
        match relation.functor {
            Some(functor) => format!("{name} {}/{}", self.symbols.name(functor), relation.arity),
            None => format!("{name}/{}", relation.arity),
        }
    }
}

impl Literal {
    /// The atom, if the literal has one.
    pub fn atom(&self) -> Option<&Atom> {
        match self {
            Literal::Holds(atom) | Literal::Fails(atom) => Some(atom),
            Literal::Distinct(..) | Literal::Plain(_) => None,
        }
    }
}

impl Term {
    /// Calls `visit` with the number of every variable in the term.
    pub fn variables(&self, visit: &mut impl FnMut(usize)) {
        match self {
            Term::Variable(variable) => visit(*variable),
            Term::Constant(_) => {}
            Term::Compound(_, args) => args.iter().for_each(|arg| arg.variables(visit)),
        }
    }

    /// Whether there is no variable in the term.
    pub fn is_ground(&self) -> bool {
        match self {
            Term::Variable(_) => false,
            Term::Constant(_) => true,
            Term::Compound(_, args) => args.iter().all(Term::is_ground),
        }
    }

    /// The term with every variable replaced by what `value` gives for it.
    #[must_use]
    pub fn substitute(&self, value: &impl Fn(usize) -> Term) -> Term {
        match self {
            Term::Variable(variable) => value(*variable),
            Term::Constant(symbol) => Term::Constant(*symbol),
            Term::Compound(functor, args) => Term::Compound(
                *functor,
                args.iter().map(|arg| arg.substitute(value)).collect(),
            ),
        }
    }
}
