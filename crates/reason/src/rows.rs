//! Games of engines that derive rows: what they need beside their reasoning.
//!
//! An engine that works on relations, whichever way, is asked four questions about a state: is it
//! the end, what are the goals, what is legal, and what comes next. It answers with rows of
//! relations. Moves and percepts with their texts, states as values, roles and results are the same
//! for all such engines, and are here: an engine is a [`RowEngine`], and [`RowGame`] makes a game
//! of it.

mod basis;
mod state;
mod walker;

use std::sync::Arc;

use paidia_game::{
    Damaged, Fault, Game, GameFacts, Legible, MoveTable, PerceptTable, Rules, UnknownFluent,
    snapshot,
};
use paidia_gdl::datalog::{Table, TermId, Terms};
use paidia_gdl::program::{Program, RelationId};

pub use basis::Basis;
pub(crate) use basis::{
    LIMITS, MAX_NAMES, facts, fault, fault_within, goal_range, number_of, role_of, roles,
};
pub use state::State;
pub(crate) use state::{mix, sort_rows};
pub use walker::RowWalker;

/// What can be asked about a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Is the game over?
    Terminal,
    /// What are the goals?
    Goal,
    /// Which moves are legal?
    Legal,
    /// What holds after the moves that are being made, and what is seen of them?
    Successor,
}

impl Question {
    /// All of them.
    pub const EACH: [Question; 4] = [
        Question::Terminal,
        Question::Goal,
        Question::Legal,
        Question::Successor,
    ];

    /// The question as the only member of a set of bits.
    pub fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// Rows of a relation, one after the other.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a> {
    /// How many there are.
    pub count: usize,
    /// How many values a row has; it may have none.
    pub arity: usize,
    /// All values.
    pub flat: &'a [TermId],
}

impl<'a> Rows<'a> {
    /// The rows of a table.
    pub fn of(table: &'a Table) -> Self {
        Self {
            count: table.len() as usize,
            arity: table.arity(),
            flat: table.flat(),
        }
    }

    /// Each row; none if rows have no values.
    pub fn iter(self) -> std::slice::ChunksExact<'a, TermId> {
        self.flat.chunks_exact(self.arity.max(1))
    }
}

/// One thread's reasoning about one state at a time.
pub trait Deduction: Send + 'static {
    /// Goes to a state, whose moves are not known yet.
    fn enter(&mut self, state: &State);

    /// Adds the move of a role to the state: a row of a `does` relation, the role first.
    fn make_move(&mut self, does: RelationId, row: &[TermId]);

    /// Derives what a question needs, unless it is there.
    ///
    /// # Errors
    /// If a limit is reached. The state must be left then.
    fn answer(&mut self, question: Question) -> Result<(), Fault>;

    /// The rows of a relation: of what holds at any time, of what was asked for after its question
    /// was answered.
    fn rows(&self, relation: RelationId) -> Rows<'_>;

    /// The compound terms that were met.
    fn terms(&self) -> &Terms;

    /// The compound terms, to add more.
    fn terms_mut(&mut self) -> &mut Terms;
}

/// What all deductions of a game share.
pub trait RowEngine: Send + Sync + 'static {
    /// How it reasons.
    type Deduction: Deduction;

    /// A deduction for one more thread.
    fn deduction(self: &Arc<Self>) -> Self::Deduction;
}

/// A game of an engine that derives rows.
pub struct RowGame<E> {
    basis: Arc<Basis>,
    engine: Arc<E>,
}

impl<E> Clone for RowGame<E> {
    fn clone(&self) -> Self {
        Self {
            basis: Arc::clone(&self.basis),
            engine: Arc::clone(&self.engine),
        }
    }
}

impl<E: RowEngine> RowGame<E> {
    /// The game of an engine.
    pub(crate) fn new_with(basis: Arc<Basis>, engine: E) -> Self {
        Self {
            basis,
            engine: Arc::new(engine),
        }
    }

    /// The program that the engine runs.
    pub fn program(&self) -> &Program {
        &self.basis.program
    }

    /// What the engine knows about the rules.
    pub fn engine(&self) -> &E {
        &self.engine
    }
}

impl<E: RowEngine> Rules for RowGame<E> {
    type State = State;

    fn facts(&self) -> &GameFacts {
        &self.basis.facts
    }

    fn moves(&self) -> &MoveTable {
        &self.basis.moves
    }

    fn percepts(&self) -> &PerceptTable {
        &self.basis.percepts
    }

    fn initial(&self) -> State {
        self.basis.initial.clone()
    }

    fn snapshot(&self, state: &State, into: &mut Vec<u8>) {
        snapshot::write(self, state, into);
    }

    fn restore(&self, bytes: &[u8]) -> Result<State, Damaged> {
        snapshot::read(self, bytes)
    }
}

impl<E: RowEngine> Game for RowGame<E> {
    type Walker = RowWalker<E::Deduction>;

    fn walker(&self) -> Self::Walker {
        RowWalker::new(Arc::clone(&self.basis), self.engine.deduction())
    }
}

impl<E: RowEngine> Legible for RowGame<E> {
    fn fluents(&self, state: &State) -> Vec<String> {
        self.basis.fluents(state)
    }

    fn state(&self, fluents: &[&str]) -> Result<State, UnknownFluent> {
        self.basis.state(fluents)
    }
}
