//! The prover: goal-directed resolution with negation as failure, as Prolog does it.
//!
//! A question is a goal; it is proved by the facts, or by a clause whose body is proved, goal after
//! goal from left to right, and all ways to do so are tried (SLD resolution with negation as
//! failure). Only what a goal needs is derived, and nothing is remembered: what is asked twice is
//! derived twice. The exception are relations that may ask for themselves. Their answers are kept
//! in `tables`, so that every derivation ends.
//!
//! `docs/methods/prover.md` tells where the variants come from.

mod bindings;
mod code;
mod compile;
mod deduction;
mod facts;
mod resolver;
mod tables;
#[cfg(test)]
mod tests;

use paidia_game::{Fault, Resource};
use paidia_gdl::datalog::{Exhausted, Limits};
use paidia_gdl::keyword::Keyword;
use paidia_gdl::program::{Program, RelationId};

use crate::error::LoadError;
use crate::reference::Planning;
use crate::rows::{self, Basis, LIMITS, RowGame};
use code::Code;
use compile::{Class, Places, classes, compile};
pub use deduction::Proof;
use facts::Facts;
use resolver::Resolver;
use tables::Tables;

/// The prover for one game.
pub type Prover = RowGame<Rules>;

/// Calls of recursive relations within each other.
const MAX_DEPTH: usize = 100_000;

/// How much one state may cost.
const PROOF_LIMITS: Limits = Limits {
    depth: MAX_DEPTH,
    ..LIMITS
};

/// Which of the reasoners that Björnsson and Schiffel compared the prover is like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Where the facts of the state are found.
    pub state: StateStore,
    /// In which order the conditions of a rule are proved.
    pub order: Order,
    /// Whether relations that never change are derived once and then looked up like facts.
    pub fixed: bool,
}

/// Where the facts of the state are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StateStore {
    /// In the database of facts, by the first argument that is bound, as in CADIA-Player: entering
    /// a state is dear, looking something up is cheap.
    #[default]
    Asserted,
    /// In a list that is searched from the front, as in FluxPlayer: entering a state is cheap,
    /// looking something up is dear.
    List,
    /// One after the other, and so are all facts and clauses: nothing is indexed, and no answer is
    /// used again, as in the provers written in Java.
    Naive,
}

/// In which order the conditions of a rule are proved. Whichever it is, a condition that only tests
/// (`not`, `distinct`) is not proved before its variables are bound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// As the author wrote them, but tests at the end.
    #[default]
    NegativesLast,
    /// As the author wrote them.
    Written,
}

/// The clauses of a game, ready for resolution.
pub struct Rules {
    program: Program,
    code: Code,
    /// Memory for one thread with the facts that hold in every state.
    memory: Resolver,
    /// For each relation, the kind of fluent whose relation it is.
    kinds: Vec<Option<usize>>,
    places: Places,
    /// What is emptied for a new state.
    changing: Vec<RelationId>,
    /// What must be proved for each question.
    roots: [Vec<RelationId>; 4],
}

impl Prover {
    /// The engine for a program that passed the checks.
    ///
    /// # Errors
    /// If the program cannot be played in turns, or is larger than the engine's limits.
    pub fn new(name: &str, program: &Program) -> Result<Self, LoadError> {
        Self::with(name, program, Options::default())
    }

    /// The engine in one of its variants.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn with(name: &str, program: &Program, options: Options) -> Result<Self, LoadError> {
        let (basis, planning) = Basis::new(name, program)?;
        let rules = Rules::new(&basis, &planning, options)?;
        Ok(Self::new_with(basis, rules))
    }
}

impl Rules {
    fn new(basis: &Basis, planning: &Planning, options: Options) -> Result<Self, LoadError> {
        let (program, dependencies) = (&basis.program, &planning.dependencies);
        let places = Places::new(options.state);
        let classes = classes(program, planning, options);
        let is_facts = |relation: usize| matches!(classes[relation], Class::Facts(_));
        let asked = questions(program);
        let roots = asked.map(|mut relations| {
            relations.retain(|relation| !is_facts(relation.index()));
            relations
        });
        let mut facts = Facts::new(&basis.machine);
        let all: Vec<RelationId> = roots.iter().flatten().copied().collect();
        let code = compile(
            program,
            dependencies,
            &classes,
            options,
            &all,
            &mut facts.terms,
        );
        let code = code.map_err(|reason| fault(reason.into()))?;
        // Relations of very many facts were left to be derived on demand.
        let left_out = |relation: &usize| is_facts(*relation) && facts.tables[*relation].is_empty();
        let left_out: Vec<usize> = (0..classes.len()).filter(left_out).collect();
        for rule in left_out
            .iter()
            .flat_map(|&index| &dependencies.rules_of[index])
        {
            let head = &program.rules[*rule].head;
            facts
                .add_ground(head)
                .map_err(|reason| fault(reason.into()))?;
        }
        let fluents: Vec<RelationId> = program.fluents.iter().map(|fluent| fluent.holds).collect();
        let mut kinds = vec![None; program.relations.len()];
        for (kind, fluent) in fluents.iter().enumerate() {
            kinds[fluent.index()] = Some(kind);
        }
        let does = program.moves.iter().map(|kind| kind.does);
        let tables = Tables::new(program.relations.len(), options.state != StateStore::Naive);
        Ok(Self {
            code,
            memory: Resolver::new(facts, tables, PROOF_LIMITS),
            program: program.clone(),
            changing: fluents.iter().copied().chain(does).collect(),
            kinds,
            places,
            roots,
        })
    }
}

/// The relations that each question asks for, in the order of [`Question`].
fn questions(program: &Program) -> [Vec<RelationId>; 4] {
    let keyword = |keyword| program.keyword(keyword).into_iter().collect();
    let next = program.fluents.iter().map(|fluent| fluent.next);
    let sees = program.percepts.iter().map(|kind| kind.sees);
    [
        keyword(Keyword::Terminal),
        keyword(Keyword::Goal),
        program.moves.iter().map(|kind| kind.legal).collect(),
        next.chain(sees).collect(),
    ]
}

fn fault(exhausted: Exhausted) -> Fault {
    match exhausted {
        Exhausted::Depth => Fault {
            resource: Resource::CallDepth,
            limit: MAX_DEPTH as u64,
        },
        other => rows::fault(other),
    }
}
