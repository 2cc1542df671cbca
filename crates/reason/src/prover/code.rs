//! Clauses ready for resolution: patterns to unify, goals in their order, and which clauses can
//! match a call.
//!
//! The goals of all clauses stand in one list. Proving goes from a goal to the one after it;
//! [`Goal::Return`] ends a body and goes on where the clause was called.

use paidia_gdl::datalog::{TermId, Terms};
use paidia_gdl::program::domains::Domain;
use rustc_hash::FxHashMap;

/// The goal that ends a body. Clauses without a body have it for theirs.
pub(super) const RETURN: u32 = 0;

/// Where the clauses of a tabled call are called from: the goal after it is [`Goal::Answer`].
pub(super) const ASK: u32 = 1;

/// A term of a clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Pattern {
    /// A term without variables.
    Ground(TermId),
    /// A variable that has not occurred before in the clause.
    First(u32),
    /// A variable that has.
    Variable(u32),
    /// A function of terms with variables.
    Compound(u32, Box<[Pattern]>),
}

/// How facts are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    /// By the first argument that is bound.
    Indexed,
    /// One after the other.
    Scanned,
    /// In the list of all that holds.
    State,
    /// In the list of the moves that are made.
    Moves,
}

/// One thing to prove, or what to do when something was proved.
#[derive(Clone, Debug)]
pub(super) enum Goal {
    /// A clause of the relation holds.
    Call {
        procedure: u32,
        args: Box<[Pattern]>,
    },
    /// The same for a relation that may ask for itself: answers are kept in tables.
    Tabled {
        procedure: u32,
        args: Box<[Pattern]>,
    },
    /// There is such a fact.
    Fact {
        relation: u32,
        access: Access,
        args: Box<[Pattern]>,
    },
    /// There is no such fact; all variables are bound.
    NoFact {
        relation: u32,
        access: Access,
        args: Box<[Pattern]>,
    },
    /// What follows, up to [`Goal::Refuted`], fails; then it goes on with the goal `next`. The cell
    /// `slot` remembers how many choices there were.
    Not { slot: u32, next: u32 },
    /// What should have failed was proved.
    Refuted { slot: u32 },
    /// The terms differ; all variables are bound.
    Distinct(Pattern, Pattern),
    /// The term is a constant; all variables are bound.
    Plain(Pattern),
    /// The body is proved.
    Return,
    /// A tabled call has one more answer.
    Answer,
    /// The question that was asked from outside has one more answer.
    Solution,
}

/// A rule or a fact.
#[derive(Clone, Debug)]
pub(super) struct Clause {
    /// The head's arguments.
    pub(super) head: Box<[Pattern]>,
    /// Variables, and slots of negations.
    pub(super) cells: u32,
    /// The first goal.
    pub(super) body: u32,
}

/// Positions in [`Code::candidates`].
pub(super) type Candidates = (u32, u32);

/// The clauses of a relation.
#[derive(Clone, Debug)]
pub(super) struct Procedure {
    /// The relation.
    pub(super) relation: u32,
    /// Whether its facts change from state to state.
    pub(super) changing: bool,
    /// What can stand at each argument.
    pub(super) domains: Vec<Domain>,
    /// The argument by which clauses are told apart, if there is one.
    pub(super) column: Option<usize>,
    /// All clauses.
    pub(super) all: Candidates,
    /// The clauses for a constant or function at that argument, among them those that have a
    /// variable there.
    pub(super) by_key: FxHashMap<u32, Candidates>,
    /// The clauses for any other.
    pub(super) others: Candidates,
}

/// A program ready for resolution.
#[derive(Clone, Debug, Default)]
pub(super) struct Code {
    pub(super) goals: Vec<Goal>,
    pub(super) clauses: Vec<Clause>,
    /// Positions of clauses, list after list.
    pub(super) candidates: Vec<u32>,
    pub(super) procedures: Vec<Procedure>,
    /// For each relation, where its facts are asked for from outside, if they are.
    pub(super) roots: Vec<Option<u32>>,
}

/// The mark of a function in a key.
const FUNCTION: u32 = 1 << 31;

/// What tells a ground term apart from others at first sight.
pub(super) fn key_of(term: TermId, terms: &Terms) -> u32 {
    terms
        .parts(term)
        .map_or(term, |parts| key_of_function(parts[0]))
}

/// What tells a function apart from others.
pub(super) fn key_of_function(functor: u32) -> u32 {
    functor | FUNCTION
}
