//! The forward engine: rules run as look-ups in tables over numbered facts.
//!
//! After M. Schofield and A. Saffidine, "High Speed Forward Chaining for General Game Playing"
//! (GIGA 2013): every fact that a relation's domains allow has a number (`coding`); the facts that
//! hold are lists of numbers with a mark for each (`knowledge`). What facts agree with each other
//! in the body of a rule is found out beforehand and kept in *reference tables* (`tables`), so that
//! a rule runs without computing anything (`rule`). How many facts are read depends on the order of
//! the body, which is chosen by a cost model (`cost`, `order`) from statistics of random play
//! (`statistics`).
//!
//! Rules whose tables do not fit in the memory there is, and those about terms without numbers, run
//! as in the reference engine (`chainer`). `docs/methods/forward-chaining.md` tells what is ours.

mod assembly;
mod body;
mod chainer;
mod coding;
mod cost;
mod knowledge;
mod moves;
mod order;
mod rule;
mod state;
mod statistics;
mod tables;
mod walker;

use std::sync::Arc;
use std::time::{Duration, Instant};

use paidia_game::{
    Damaged, GameFacts, Legible, MoveTable, PerceptTable, RoleId, UnknownFluent, snapshot,
};
use paidia_gdl::keyword::Keyword;
use paidia_gdl::program::Program;

use crate::compiled::texts::Texts;
use crate::compiled::{flat_form, has_terms, index_of};
use crate::error::LoadError;
use crate::reference::{Planning, Reference};
use crate::rows::{MAX_NAMES, facts, number_of, role_of, roles};
use chainer::{Chainer, Chains};
pub use state::State;
use statistics::Statistics;
pub use walker::ForwardWalker;

/// The order of the inputs of rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// The one with the fewest expected reads.
    #[default]
    Best,
    /// The author's.
    Original,
    /// The one with the most expected reads, to see what the order is worth.
    Worst,
}

/// How the engine is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The order of inputs.
    pub order: Order,
    /// The most memory for tables and numbered facts together, in bytes. Rules whose tables do not
    /// fit run without, and with 0 all do.
    pub memory: usize,
    /// Where fewer facts of an input can agree with the ones before it than it has, ask for those
    /// instead of reading all of its facts. The paper reads all.
    pub candidates: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            order: Order::Best,
            memory: 512 << 20,
            candidates: true,
        }
    }
}

/// What it took to make the engine for a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Time to read the rules' structure, derive permanent facts and play for statistics.
    pub statistics: Duration,
    /// Time to order inputs and build tables.
    pub building: Duration,
    /// Rules that are run, each recursive one as often as it has recursive conditions.
    pub rules: usize,
    /// Those of them that have no tables.
    pub untabled: usize,
    /// Memory of all tables in bytes.
    pub table_bytes: usize,
    /// Memory of the knowledge base in bytes, if everything held that can.
    pub knowledge_bytes: usize,
}

/// The forward engine for one game.
#[derive(Clone)]
pub struct Forward {
    rules: Arc<Rules>,
}

/// What all walkers of a game share.
struct Rules {
    facts: GameFacts,
    moves: MoveTable,
    percepts: PerceptTable,
    /// The rules that are run: flat, if they can be.
    program: Program,
    texts: Texts,
    chains: Chains,
    report: Report,
    /// The roles' symbols.
    roles: Vec<u32>,
    /// For each symbol, the role with that name.
    role_of: Vec<Option<RoleId>>,
    /// For each symbol, the number that it is.
    number_of: Vec<Option<i32>>,
    /// The relations of the end and of results.
    terminal: Option<usize>,
    goal: Option<usize>,
    /// Whether there can be compound terms in states.
    has_terms: bool,
    initial: State,
}

impl Forward {
    /// The engine for a program that passed the checks.
    ///
    /// # Errors
    /// If the program cannot be played in turns, or is larger than the engine's limits.
    pub fn new(name: &str, program: &Program) -> Result<Self, LoadError> {
        Self::with(name, program, Options::default())
    }

    /// The engine with other options than usual.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn with(name: &str, program: &Program, options: Options) -> Result<Self, LoadError> {
        let started = Instant::now();
        let flat = flat_form(program);
        let runs = flat.as_ref().map_or(program, |flat| &flat.program).clone();
        let (_, planning) = Reference::planned(name, &runs)?;
        let guesses = Statistics::of_facts(planning.known.estimates.rows.clone());
        let roles = roles(&runs, planning.base())?;
        let without_tables = Options {
            memory: 0,
            ..options
        };
        let (chains, _) = assembly::assemble(&runs, &planning, &guesses, &without_tables);
        let mut rules = Rules {
            facts: facts(name, &runs, &roles),
            moves: MoveTable::with_limit(MAX_NAMES),
            percepts: PerceptTable::with_limit(MAX_NAMES),
            role_of: role_of(&runs, &roles),
            number_of: number_of(&runs),
            terminal: index_of(&runs, Keyword::Terminal),
            goal: index_of(&runs, Keyword::Goal),
            has_terms: has_terms(&runs),
            texts: Texts::new(program.clone(), flat, roles[0]),
            report: Report::default(),
            initial: State::default(),
            program: runs,
            chains,
            roles,
        };
        rules.initial = rules.start(&planning);
        let mut rules = Arc::new(rules);
        let measured = match options.memory {
            0 => None,
            _ => statistics::observe(ForwardWalker::new(Arc::clone(&rules))),
        };
        // The walker is gone, so that this is the only handle of the rules.
        if let (Some(rules), Some(measured)) = (Arc::get_mut(&mut rules), measured) {
            let counted = Instant::now();
            rules.build_tables(&planning, &measured, &options);
            rules.report.statistics = counted - started;
            rules.report.building = counted.elapsed();
        }
        Ok(Self { rules })
    }

    /// What it took to make the engine.
    pub fn report(&self) -> &Report {
        &self.rules.report
    }
}

impl Rules {
    /// Builds tables by what random play told about relations.
    fn build_tables(&mut self, planning: &Planning, measured: &Statistics, options: &Options) {
        (self.chains, self.report) = assembly::assemble(&self.program, planning, measured, options);
        self.initial = self.start(planning);
    }

    /// The state at the start.
    fn start(&self, planning: &Planning) -> State {
        let init = |kind: usize| {
            let init = self.program.fluents[kind].init;
            planning.base().tables[init.index()].flat()
        };
        self.state_of(init)
    }

    /// The state with some rows, which may be repeated, for each kind of fluent.
    fn state_of<'a>(&self, rows: impl Fn(usize) -> &'a [u32]) -> State {
        let mut chainer = Chainer::new(&self.chains);
        for (kind, fluent) in self.chains.fluents.iter().enumerate() {
            let arity = self.program.relations[fluent.holds].arity;
            for row in rows(kind).chunks_exact(arity) {
                chainer.add(&self.chains, fluent.holds, row);
            }
        }
        let mut state = State::default();
        state.read(&self.chains, &chainer);
        state
    }

    /// The role that a symbol names.
    fn role(&self, symbol: u32) -> Option<RoleId> {
        self.role_of.get(symbol as usize).copied().flatten()
    }

    /// Whether a row of a kind of fluent is one that can hold.
    fn is_possible(&self, kind: usize, row: &[u32]) -> bool {
        let holds = self.chains.fluents[kind].holds;
        let numbered = self.chains.numbering.relations[holds].as_ref();
        numbered.is_none_or(|numbered| numbered.fact(row).is_some())
    }
}

impl paidia_game::Rules for Forward {
    type State = State;

    crate::handle::shared_rules!();

    fn snapshot(&self, state: &State, into: &mut Vec<u8>) {
        snapshot::write(self, state, into);
    }

    fn restore(&self, bytes: &[u8]) -> Result<State, Damaged> {
        snapshot::read(self, bytes)
    }
}

crate::handle::shared_game!(Forward, ForwardWalker);

impl Legible for Forward {
    fn fluents(&self, state: &State) -> Vec<String> {
        let (rules, chains) = (&self.rules, &self.rules.chains);
        let mut chainer = Chainer::new(chains);
        chainer.machine.terms.catch_up();
        state.write(chains, &mut chainer);
        let (mut texts, mut row) = (Vec::new(), Vec::new());
        for fluent in &rules.program.fluents {
            let holds = fluent.holds.index();
            for place in 0..chainer.count(chains, holds) {
                let mut text = String::new();
                chainer.row(chains, holds, place, &mut row);
                let terms = &chainer.machine.terms;
                rules.texts.write(fluent.holds, &row, terms, &mut text);
                texts.push(text);
            }
        }
        texts.sort();
        texts
    }

    fn state(&self, fluents: &[&str]) -> Result<State, UnknownFluent> {
        let rules = &self.rules;
        let mut terms = rules.chains.base.terms.clone();
        let mut rows = vec![Vec::new(); rules.program.fluents.len()];
        for &text in fluents {
            let refuse = |because: String| UnknownFluent {
                text: text.into(),
                because,
            };
            let (kind, row) = rules.texts.read_fluent(text, &mut terms).map_err(refuse)?;
            if !rules.is_possible(kind, &row) {
                return Err(refuse("no rule makes such a fact true".into()));
            }
            rows[kind].extend(row);
        }
        Ok(rules.state_of(|kind| &rows[kind]))
    }
}
