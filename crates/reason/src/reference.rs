//! The reference engine: the stable model of the rules, derived anew for every state.
//!
//! Relations are evaluated bottom up, one group of mutually dependent relations after the other, so
//! that negation is always over relations that are complete (stratified evaluation). Facts that
//! hold in every state are derived once. Everything else is derived when it is first asked for:
//! `terminal`, `legal` and `goal` each bring only what they depend on. A relation that is too large
//! to be derived as a whole is evaluated on demand, for the values asked for; `planning` finds out
//! which those are.

mod planning;

use std::sync::Arc;

use paidia_game::Fault;
use paidia_gdl::datalog::{ComponentPlan, Machine, TermId, Terms};
use paidia_gdl::program::{Program, RelationId};

use crate::error::LoadError;
use crate::rows::{Basis, Deduction, Question, RowEngine, RowGame, Rows, State, fault};
pub(crate) use planning::Planning;

/// The reference engine for one game.
pub type Reference = RowGame<Rules>;

/// The plans by which the reference engine derives what holds.
#[derive(Clone)]
pub struct Rules {
    basis: Arc<Basis>,
    plans: Vec<ComponentPlan>,
    /// A machine with the facts of all states in it.
    base: Machine,
    /// Relations whose facts change.
    changing: Vec<RelationId>,
    queries: Queries,
}

/// The components that must be evaluated to answer a question, in their order.
pub(crate) type Query = Vec<usize>;

/// What must be evaluated for each question.
#[derive(Clone, Debug, Default)]
pub(crate) struct Queries {
    pub(crate) terminal: Query,
    pub(crate) goal: Query,
    pub(crate) legal: Query,
    /// What must be derived to advance: the next state and the percepts.
    pub(crate) successor: Query,
}

impl Queries {
    fn of(&self, question: Question) -> &Query {
        match question {
            Question::Terminal => &self.terminal,
            Question::Goal => &self.goal,
            Question::Legal => &self.legal,
            Question::Successor => &self.successor,
        }
    }
}

impl Reference {
    /// The engine for a program that passed the checks.
    ///
    /// # Errors
    /// If the program cannot be played in turns, or is larger than the engine's limits.
    pub fn new(name: &str, program: &Program) -> Result<Self, LoadError> {
        Self::planned(name, program).map(|(this, _)| this)
    }

    /// The engine, and what was found out about the program to plan it.
    pub(crate) fn planned(name: &str, program: &Program) -> Result<(Self, Planning), LoadError> {
        let (basis, planning) = Basis::new(name, program)?;
        Ok(Self::improved(basis, planning, true))
    }

    /// As [`Self::planned`], for a program whose relations from `first` on have only those rows
    /// that a rule asks for: few are expected, and none is tried on demand.
    pub(crate) fn planned_as_asked(
        name: &str,
        program: &Program,
        first: usize,
    ) -> Result<(Self, Planning), LoadError> {
        let (basis, mut planning) = Basis::new(name, program)?;
        planning.expect_few(first);
        Ok(Self::improved(basis, planning, false))
    }

    /// The plans for a program in real time, whose relations are expected to have few rows, as they
    /// have no random joint moves to measure.
    pub(crate) fn planned_in_time(
        name: &str,
        program: &Program,
    ) -> Result<(Arc<Basis>, Rules, Planning), LoadError> {
        let (basis, mut planning) = Basis::timed(name, program)?;
        planning.expect_few(0);
        let mut rules = Rules::unplanned(&basis, &planning);
        planning.plan(&mut rules);
        Ok((basis, rules, planning))
    }

    fn improved(basis: Arc<Basis>, planning: Planning, tries_calls: bool) -> (Self, Planning) {
        let rules = Rules::unplanned(&basis, &planning);
        let (rules, planning) = planning.improve(rules, tries_calls);
        (Self::new_with(basis, rules), planning)
    }
}

impl Rules {
    /// Nothing to derive anything by yet.
    fn unplanned(basis: &Arc<Basis>, planning: &Planning) -> Self {
        Self {
            basis: Arc::clone(basis),
            changing: planning.changing(),
            queries: Queries::default(),
            plans: Vec::new(),
            base: basis.machine.clone(),
        }
    }
}

impl RowEngine for Rules {
    type Deduction = Evaluation;

    fn deduction(self: &Arc<Self>) -> Evaluation {
        Evaluation {
            rules: Arc::clone(self),
            machine: self.base.clone(),
            evaluated: vec![0; self.plans.len()],
            position: 0,
            costs: vec![0; self.plans.len()],
            latest: 0,
        }
    }
}

/// One thread's evaluation of the rules.
pub struct Evaluation {
    rules: Arc<Rules>,
    machine: Machine,
    /// For each component, the position (counted by `position`) for which it was evaluated.
    evaluated: Vec<u64>,
    position: u64,
    /// For each component, the rows that were looked at to evaluate it.
    costs: Vec<u64>,
    /// The component that was evaluated last.
    latest: usize,
}

impl Evaluation {
    /// The tables of what was derived.
    pub(crate) fn machine_mut(&mut self) -> &mut Machine {
        &mut self.machine
    }

    /// Forgets all facts and what was derived of them.
    pub(crate) fn clear(&mut self) {
        self.position += 1;
        let machine = &mut self.machine;
        for &relation in &self.rules.changing {
            machine.tables[relation.index()].clear();
        }
        machine.forget_calls();
        machine.restart_count(0);
    }
}

impl Deduction for Evaluation {
    fn enter(&mut self, state: &State) {
        self.clear();
        let machine = &mut self.machine;
        let program = &self.rules.basis.program;
        state.each_kind(program, |kind, rows| {
            let holds = program.fluents[kind].holds;
            for row in rows {
                machine.insert(holds, row);
            }
        });
    }

    fn make_move(&mut self, does: RelationId, row: &[TermId]) {
        self.machine.insert(does, row);
    }

    fn answer(&mut self, question: Question) -> Result<(), Fault> {
        for &component in self.rules.queries.of(question) {
            if self.evaluated[component] == self.position {
                continue;
            }
            self.evaluated[component] = self.position;
            let before = self.machine.steps();
            self.latest = component;
            self.machine.evaluate(&self.rules.plans[component]);
            self.costs[component] += self.machine.steps() - before;
            if let Some(exhausted) = self.machine.exhausted() {
                return Err(fault(exhausted));
            }
        }
        Ok(())
    }

    fn rows(&self, relation: RelationId) -> Rows<'_> {
        Rows::of(&self.machine.tables[relation.index()])
    }

    fn terms(&self) -> &Terms {
        &self.machine.terms
    }

    fn terms_mut(&mut self) -> &mut Terms {
        &mut self.machine.terms
    }
}
