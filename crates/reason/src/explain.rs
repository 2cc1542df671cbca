//! Why something holds in a position, or does not: derivations, and the conditions that fail.
//!
//! An [`Explainer`] is made once a program. A [`Position`] has everything derived that the rules
//! say about a state, on the reference engine, and answers a [`Question`] with a [`Reason`]: a tree
//! whose leaves are facts of the state, moves, and facts of the rules. What holds has the rule that
//! derives it, with its conditions. What does not hold has, for each rule that could derive it, the
//! fewest conditions that would have to be otherwise: bodies are solved with one condition left
//! out, then two, and so on, so that what is named is what fails and nothing else.
//!
//! [`words`] makes sentences of reasons, and [`sheet`] of whole rule sheets.

mod failure;
mod names;
mod position;
mod proof;
pub mod sheet;
pub mod words;

use paidia_gdl::program::Program;
use serde::Serialize;

use crate::error::LoadError;
use crate::reference::{Planning, Reference};

pub use names::{Names, Placed};
pub use position::{Position, Unexplained};

/// Explains positions of one game.
pub struct Explainer {
    game: Reference,
    planning: Planning,
}

/// What can be asked about a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// Whether a role may make a move, both as texts.
    Legal {
        /// The role.
        role: String,
        /// The move, as the rules write it.
        made: String,
    },
    /// Whether the game is over.
    Terminal,
    /// Whether a role's goal has this value.
    Goal {
        /// The role.
        role: String,
        /// The value.
        value: i32,
    },
    /// Whether a fluent holds now.
    Now(String),
    /// Whether a fluent holds after the moves that are made.
    After(String),
}

/// What a statement is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A fluent, now.
    Now,
    /// A fluent, after the move.
    After,
    /// A fluent, at the start.
    Start,
    /// A move that is made.
    Made,
    /// A move that may be made.
    Legal,
    /// A result.
    Goal,
    /// The end.
    Terminal,
    /// That two terms differ, or what a term is.
    Difference,
    /// A relation of the author, the same in every state.
    Given,
    /// A relation of the author that depends on the state.
    Derived,
    /// Anything else that the language defines.
    Other,
}

/// Something that holds or does not.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Statement {
    /// What it is about.
    pub kind: Kind,
    /// As the rules write it, with variables for what is left open: `(true (cell 1 1 x))`.
    pub text: String,
    /// The fluent or the move alone, such as `(cell 1 1 x)`; where it is about neither, the text.
    pub about: String,
    /// The role, of moves and results.
    pub role: Option<String>,
    /// Whether nothing is left open.
    pub ground: bool,
}

/// Why a statement holds, or does not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reason {
    /// What is explained.
    pub statement: Statement,
    /// Whether it holds.
    pub holds: bool,
    /// The clause of the sheet that makes it hold, counted from 0.
    pub clause: Option<usize>,
    /// The conditions of that clause.
    pub conditions: Vec<Reason>,
    /// Ways in which it could have held, those first that lack least.
    pub attempts: Vec<Attempt>,
    /// A fact of the state that stands in its place, such as `(cell 1 1 o)` for `(cell 1 1 empty)`.
    pub instead: Option<String>,
    /// How much it takes to have it otherwise, beside other facts.
    #[serde(skip)]
    weight: usize,
}

/// A rule that does not derive a statement, and what it lacks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Attempt {
    /// The clause of the sheet, counted from 0.
    pub clause: usize,
    /// Its conditions that are met.
    pub met: Vec<Statement>,
    /// Those that would have to be otherwise.
    pub missing: Vec<Reason>,
}

impl Explainer {
    /// Prepares a program that passed the checks.
    ///
    /// # Errors
    /// If the program cannot be played in turns, or is larger than the engine's limits.
    pub fn new(name: &str, program: &Program) -> Result<Self, LoadError> {
        let (game, planning) = Reference::planned(name, program)?;
        Ok(Self { game, planning })
    }

    /// The program that is explained.
    pub fn program(&self) -> &Program {
        self.game.program()
    }
}

impl Reason {
    /// The statements that nothing derives on which it rests, each with whether it holds: facts of
    /// the state, moves, differences.
    pub fn leaves(&self) -> Vec<(&Statement, bool)> {
        let mut leaves = Vec::new();
        self.collect_leaves(&mut leaves);
        leaves
    }

    fn collect_leaves<'a>(&'a self, into: &mut Vec<(&'a Statement, bool)>) {
        let missing = self.attempts.iter().flat_map(|attempt| &attempt.missing);
        let below = self.conditions.iter().chain(missing);
        let mut is_leaf = true;
        for reason in below {
            is_leaf = false;
            reason.collect_leaves(into);
        }
        if is_leaf {
            into.push((&self.statement, self.holds));
        }
    }

    /// The facts of the state that the attempt which lacks least lacks, and the statements that it
    /// leaves open.
    pub fn lacks_facts(&self) -> Vec<&str> {
        match self.attempts.first() {
            Some(attempt) => attempt
                .missing
                .iter()
                .flat_map(Reason::lacks_facts)
                .collect(),
            None => vec![&self.statement.about],
        }
    }

    /// The clauses that it names.
    pub fn clauses(&self) -> Vec<usize> {
        let mut clauses: Vec<usize> = self.clause.into_iter().collect();
        for attempt in &self.attempts {
            clauses.push(attempt.clause);
            clauses.extend(attempt.missing.iter().flat_map(Reason::clauses));
        }
        clauses.extend(self.conditions.iter().flat_map(Reason::clauses));
        clauses
    }
}
