//! Ground rules whose model is updated by what changes from state to state.
//!
//! After David Spies, "Stratified Logic Program Updates for General Game Playing" (GIGA 2013).
//! Every atom has a value, 0 if it is false and else how many steps its derivation takes, so that
//! atoms which only hold each other up are found out (`regions`). A change is passed on from level
//! to level (`model`), and only as far as a question needs it (`queue`).
//! `docs/methods/incremental.md` tells more.

mod clauses;
mod levels;
mod load;
mod model;
mod queue;
mod regions;
mod stratified;
mod walker;

use std::sync::Arc;

use paidia_game::{GameFacts, MoveTable, PerceptTable};
use paidia_gdl::grounding::{self, Budget};
use paidia_gdl::program::Program;

use crate::bits::State;
use crate::ground::Role;
use crate::propnet::LoadNetworkError;
pub use crate::rows::Question;
pub use clauses::Clauses;
use load::Layout;
pub use model::{Model, Work};
pub use stratified::Stratified;
pub use walker::IncrementalWalker;

/// The optimisations of the paper's section 6. All are on by default; none changes any answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// An atom waits until all its rules are final. Without it, an atom is looked at on the level
    /// of every rule that changes.
    pub levels: bool,
    /// An atom keeps track of what supports it. Without it, all its rules are gone through whenever
    /// one of them changes.
    pub support: bool,
    /// What waits is kept in one list for each level, without repetitions, and what nothing depends
    /// on does not wait. Without it, everything waits in a heap.
    pub queue: bool,
    /// A rule counts the literals that do not hold. Without it, its body is gone through whenever
    /// one of them changes.
    pub count: bool,
    /// Only what a question needs is brought up to date. Without it, everything is, at every change
    /// of state.
    pub lazy: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            levels: true,
            support: true,
            queue: true,
            count: true,
            lazy: true,
        }
    }
}

/// How many questions there are.
const QUESTIONS: usize = Question::EACH.len();

/// A set of questions, each a [`Question::bit`].
pub type Questions = u8;

/// All questions.
const ALL: Questions = (1 << QUESTIONS) - 1;

/// An atom depends on its own negation, so that rules have no meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("something depends on its own negation")]
pub struct NegativeCycle;

/// The engine for one game.
#[derive(Clone)]
pub struct Incremental {
    rules: Arc<Rules>,
}

/// What all walkers of a game share.
struct Rules {
    facts: GameFacts,
    moves: MoveTable,
    percepts: PerceptTable,
    /// The texts of all fluents, in order.
    fluents: Vec<String>,
    roles: Vec<Role>,
    stratified: Stratified,
    layout: Layout,
    initial: State,
    /// The model of the initial state, before any move.
    model: Model,
}

impl Incremental {
    /// The engine for a program that passed the checks, with all optimisations.
    ///
    /// # Errors
    /// If the program cannot be grounded within the default budget, or makes no sense as a game in
    /// turns.
    pub fn new(name: &str, program: &Program) -> Result<Self, LoadNetworkError> {
        Self::with(name, program, Options::default())
    }

    /// The engine with some optimisations.
    ///
    /// # Errors
    /// If the program cannot be grounded within the default budget, or makes no sense as a game in
    /// turns.
    pub fn with(name: &str, program: &Program, options: Options) -> Result<Self, LoadNetworkError> {
        if program.dialect.is_timed() {
            return Err(LoadNetworkError::RealTime);
        }
        let ground = grounding::ground(program, Budget::default())?;
        let rules = Arc::new(load::load(name, &ground, options)?);
        Ok(Self { rules })
    }

    /// The ground rules.
    pub fn stratified(&self) -> &Stratified {
        &self.rules.stratified
    }
}

crate::handle::ground_game!(Incremental, IncrementalWalker);
