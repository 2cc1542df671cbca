//! The compiled engine: rules become code over flat arrays, which runs in every state anew.
//!
//! After J. Kowalski and M. Szykuła, "Game Description Language Compiler Construction" (AI 2013):
//! terms are flattened, relations are put in layers and phases by the questions that need them, the
//! rules of a layer become a *filter tree* of nested queries, and relations are kept in containers
//! that suit the queries. `tree` makes filter trees, `emit` code of them, and `machine` runs it;
//! `layout` and `container` keep rows. It needs no grounding, so it runs whatever the reference
//! engine runs. `docs/methods/compiled.md` tells what is ours.

pub mod code;
mod compile;
mod container;
mod demand;
mod derivation;
mod emit;
mod layout;
pub mod machine;
mod memory;
mod moves;
mod state;
pub mod tables;
pub(crate) mod texts;
mod tree;
mod walker;

use std::sync::Arc;

use paidia_game::{
    Damaged, GameFacts, Legible, MoveTable, PerceptTable, RoleId, UnknownFluent, snapshot,
};
use paidia_gdl::analysis::flatten::FlatProgram;
use paidia_gdl::datalog::Terms;
use paidia_gdl::datalog::narrow::narrowed;
use paidia_gdl::keyword::Keyword;
use paidia_gdl::program::{Program, RelationId};

use crate::error::LoadError;
use crate::reference::{Planning, Reference};
use crate::rows::{MAX_NAMES, facts, goal_range, number_of, role_of, roles};
use code::Code;
use container::Container;
pub(crate) use derivation::Derivation;
use machine::Runner;
use memory::Memory;
pub use state::State;
use texts::Texts;
pub use walker::CompiledWalker;

/// The thesis' four optimisations of filter trees, and two more. None of them changes what holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Optimisations {
    /// Rules of a layer share the queries with which they start alike.
    pub share: bool,
    /// Queries are ordered by how many rows they are expected to find; else the author's order
    /// stays.
    pub order: bool,
    /// Where all variables of the head are bound, one success of the rest is enough.
    pub cut: bool,
    /// Values that a later query cannot have are dropped at once.
    pub restrict: bool,
    /// Rules that take rows over as they are do it by words. (This one is ours.)
    pub carry: bool,
    /// Whether what is asked drives what is derived.
    pub demand: Demand,
}

/// When rules are rewritten so that only those rows are derived that a rule asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Demand {
    /// Never.
    Never,
    /// Where some random steps cost less so.
    WherePays,
    /// Wherever it can be done.
    Always,
}

impl Default for Optimisations {
    fn default() -> Self {
        Self {
            share: true,
            order: true,
            cut: true,
            restrict: true,
            carry: true,
            demand: Demand::WherePays,
        }
    }
}

/// The compiled engine for one game.
#[derive(Clone)]
pub struct Compiled {
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
    terms: Terms,
    code: Code,
    /// What runs the code, if not the machine by itself.
    runner: Option<Box<dyn Runner>>,
    /// Why some of the code is not the runner's, if it was meant to be.
    interpreted: Option<String>,
    /// The roles' symbols.
    roles: Vec<u32>,
    /// For each symbol, the role with that name.
    role_of: Vec<Option<RoleId>>,
    /// For each symbol, the number that it is.
    number_of: Vec<Option<i32>>,
    /// The relations of the end and of results.
    terminal: Option<usize>,
    goal: Option<usize>,
    /// Relations that are emptied in every step and stand apart from those that are emptied at
    /// once.
    apart: Vec<usize>,
    /// Whether there can be compound terms in states.
    has_terms: bool,
    initial: State,
}

/// What became of the code of compiled rules.
pub struct Translation {
    /// What runs it, or a part of it.
    pub runner: Option<Box<dyn Runner>>,
    /// Why not all of it was translated.
    pub interpreted: Option<String>,
}

impl Compiled {
    /// The engine for a program that passed the checks.
    ///
    /// # Errors
    /// If the program cannot be played in turns, or is larger than the engine's limits.
    pub fn new(name: &str, program: &Program) -> Result<Self, LoadError> {
        Self::with(name, program, Optimisations::default())
    }

    /// The engine with some of the optimisations only.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn with(
        name: &str,
        program: &Program,
        optimisations: Optimisations,
    ) -> Result<Self, LoadError> {
        let flat = flat_form(program);
        let runs = flat.as_ref().map_or(program, |flat| &flat.program);
        let (_, planning) = Reference::planned(name, runs)?;
        Self::assemble(name, program, flat, planning, optimisations)
    }

    /// The engine and the reference engine beside it. What can be found out for both at once is
    /// found out once.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn beside_reference(name: &str, program: &Program) -> Result<(Self, Reference), LoadError> {
        let (reference, planning) = Reference::planned(name, program)?;
        let compiled = match flat_form(program) {
            None => Self::assemble(name, program, None, planning, Optimisations::default())?,
            Some(_) => Self::new(name, program)?,
        };
        Ok((compiled, reference))
    }

    fn assemble(
        name: &str,
        program: &Program,
        flat: Option<FlatProgram>,
        planning: Planning,
        optimisations: Optimisations,
    ) -> Result<Self, LoadError> {
        let runs = flat.as_ref().map_or(program, |flat| &flat.program);
        let rewritten = demand::rewritten(name, runs, &planning, optimisations.demand);
        let (mut runs, planning) = rewritten.unwrap_or_else(|| (runs.clone(), planning));
        narrow(&mut runs, &planning);
        let base = planning.base();
        let roles = roles(&runs, base)?;
        let mut rules = Rules {
            facts: GameFacts {
                // As it is written: demand can name values where the rules have variables.
                goal_range: goal_range(program),
                ..facts(name, &runs, &roles)
            },
            moves: MoveTable::with_limit(MAX_NAMES),
            percepts: PerceptTable::with_limit(MAX_NAMES),
            code: compile::compile(&runs, &planning, optimisations),
            terms: base.terms.clone(),
            role_of: role_of(&runs, &roles),
            number_of: number_of(&runs),
            terminal: index_of(&runs, Keyword::Terminal),
            goal: index_of(&runs, Keyword::Goal),
            apart: Vec::new(),
            runner: None,
            interpreted: None,
            has_terms: has_terms(&runs),
            texts: Texts::new(program.clone(), flat, roles[0]),
            initial: State::default(),
            program: runs,
            roles,
        };
        rules.apart = rules.emptied_apart();
        let init = |kind: usize| {
            let init = rules.program.fluents[kind].init;
            base.tables[init.index()].flat()
        };
        rules.initial = rules.state_of(init);
        Ok(Self {
            rules: Arc::new(rules),
        })
    }

    /// The engine for a program in real time, which is not walked in turns: it derives.
    pub(crate) fn in_time(
        name: &str,
        program: &Program,
        planning: Planning,
    ) -> Result<Self, LoadError> {
        let optimisations = Optimisations {
            demand: Demand::Never,
            ..Optimisations::default()
        };
        Self::assemble(name, program, None, planning, optimisations)
    }

    /// One thread's derivation by the code.
    pub(crate) fn derivation(&self) -> Derivation {
        Derivation::new(Arc::clone(&self.rules))
    }

    /// The engine with its code run by whatever `translate` makes of it.
    #[must_use]
    pub fn translated(mut self, translate: impl FnOnce(&Code) -> Translation) -> Self {
        // A new engine is the only handle of its rules.
        if let Some(rules) = Arc::get_mut(&mut self.rules) {
            let Translation {
                runner,
                interpreted,
            } = translate(&rules.code);
            (rules.runner, rules.interpreted) = (runner, interpreted);
        }
        self
    }

    /// Why the machine itself runs the code, or some of it, although it was to be translated.
    pub fn why_interpreted(&self) -> Option<&str> {
        self.rules.interpreted.as_deref()
    }

    /// Whether something else than the machine itself runs the code.
    pub fn is_translated(&self) -> bool {
        self.rules.runner.is_some()
    }

    /// How many instructions the rules have become.
    pub fn instructions(&self) -> usize {
        self.rules.code.instructions.len()
    }
}

/// The flat form of a program, if it has one and needs one.
pub(crate) fn flat_form(program: &Program) -> Option<FlatProgram> {
    let nested = has_terms(program);
    nested.then(|| FlatProgram::new(program).ok()).flatten()
}

/// Whether compound terms can be arguments.
pub(crate) fn has_terms(program: &Program) -> bool {
    let domains = program
        .relations
        .iter()
        .flat_map(|relation| &relation.domains);
    let mut domains = domains.map(|domain| domain.open || !domain.compounds.is_empty());
    domains.any(|nested| nested)
}

/// Gives relations narrower domains where that lets more of those that change be bits. Elsewhere it
/// would only make columns differ, between which digits must then be translated.
fn narrow(program: &mut Program, planning: &Planning) {
    let changing = planning.changing();
    let is_large = |id: &&RelationId| !layout::fits(&program.relation(**id).domains);
    let large: Vec<RelationId> = changing.iter().filter(is_large).copied().collect();
    if large.is_empty() {
        return;
    }
    let domains = narrowed(program, &planning.dependencies, &planning.known);
    let Some(domains) = domains else { return };
    if large.iter().any(|id| layout::fits(&domains[id.index()])) {
        for (relation, domains) in program.relations.iter_mut().zip(domains) {
            relation.domains = domains;
        }
    }
}

pub(crate) fn index_of(program: &Program, keyword: Keyword) -> Option<usize> {
    program.keyword(keyword).map(RelationId::index)
}

impl Rules {
    /// The rows of a relation in a hash table, wherever they are kept.
    fn container<'a>(&'a self, relation: usize, memory: &'a Memory) -> &'a Container {
        match self.code.is_fixed[relation] {
            true => &self.code.fixed[relation],
            false => &memory.containers[relation],
        }
    }

    /// Relations that are emptied in every step, and not with all the others at once.
    fn emptied_apart(&self) -> Vec<usize> {
        let of_state = |relation: RelationId| {
            let mut fluents = self.program.fluents.iter();
            fluents.any(|fluent| fluent.holds == relation)
        };
        let apart = |relation: &&RelationId| {
            let layout = &self.code.layouts[relation.index()];
            let mut views = layout.views.iter();
            layout.views.is_empty() || views.any(|view| !view.is_small())
        };
        let changing = self.code.changing.iter();
        let changing = changing.filter(|&&relation| !of_state(relation));
        changing.filter(apart).map(|id| id.index()).collect()
    }

    /// Whether a relation has no rows.
    fn is_empty(&self, relation: usize, memory: &Memory) -> bool {
        match self.code.layouts[relation].views.first() {
            Some(view) => view.is_empty(&memory.bits),
            None => self.container(relation, memory).len() == 0,
        }
    }

    /// The role that a symbol names.
    fn role(&self, symbol: u32) -> Option<RoleId> {
        self.role_of.get(symbol as usize).copied().flatten()
    }
}

impl paidia_game::Rules for Compiled {
    type State = State;

    crate::handle::shared_rules!();

    fn snapshot(&self, state: &State, into: &mut Vec<u8>) {
        snapshot::write(self, state, into);
    }

    fn restore(&self, bytes: &[u8]) -> Result<State, Damaged> {
        snapshot::read(self, bytes)
    }
}

crate::handle::shared_game!(Compiled, CompiledWalker);

impl Legible for Compiled {
    fn fluents(&self, state: &State) -> Vec<String> {
        let mut terms = self.rules.terms.clone();
        terms.catch_up();
        let mut texts = Vec::new();
        self.rules.each_fact(state, |kind, row| {
            let mut text = String::new();
            let holds = self.rules.program.fluents[kind].holds;
            self.rules.texts.write(holds, row, &terms, &mut text);
            texts.push(text);
        });
        texts.sort();
        texts
    }

    fn state(&self, fluents: &[&str]) -> Result<State, UnknownFluent> {
        let mut terms = self.rules.terms.clone();
        let mut rows = vec![Vec::new(); self.rules.program.fluents.len()];
        for &text in fluents {
            let read = self.rules.texts.read_fluent(text, &mut terms);
            let possible = read.and_then(|(kind, row)| match self.rules.is_possible(kind, &row) {
                true => Ok((kind, row)),
                false => Err("no rule makes such a fact true".to_owned()),
            });
            let (kind, row) = possible.map_err(|because| UnknownFluent {
                text: text.into(),
                because,
            })?;
            rows[kind].extend(row);
        }
        Ok(self.rules.state_of(|kind| &rows[kind]))
    }
}
