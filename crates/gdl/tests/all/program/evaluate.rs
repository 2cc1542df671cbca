//! Everything that a program derives for its first state and a first joint move, by the Datalog
//! machine.

use std::collections::BTreeSet;

use paidia_gdl::analysis::{Dependencies, Dynamics};
use paidia_gdl::datalog::plan::plan_component;
use paidia_gdl::datalog::{Calls, ComponentPlan, Estimates, Exhausted, Limits, Machine, TermId};
use paidia_gdl::keyword::Keyword;
use paidia_gdl::program::{Program, RelationId, RelationKind};

/// Enough for every test that is not about limits.
pub(crate) const LIMITS: Limits = Limits {
    steps: 50_000_000,
    rows: 1_000_000,
    terms: 1_000_000,
    depth: Limits::DEPTH,
};

/// A program with the tables that were filled for it.
pub(crate) struct Evaluation<'a> {
    program: &'a Program,
    dependencies: Dependencies,
    plans: Vec<ComponentPlan>,
    pub(crate) machine: Machine,
}

/// Derives everything as a whole.
pub(crate) fn evaluate(program: &Program) -> Evaluation<'_> {
    evaluate_with(program, LIMITS, &[])
}

/// Derives everything but the relations on demand, which are derived as far as the others ask for
/// them.
pub(crate) fn evaluate_with<'a>(
    program: &'a Program,
    limits: Limits,
    on_demand: &[RelationId],
) -> Evaluation<'a> {
    let mut evaluation = Evaluation::new(program, limits, on_demand);
    evaluation.derive(Dynamics::Static);
    evaluation.start();
    evaluation.derive(Dynamics::State);
    evaluation.make_first_moves();
    evaluation.derive(Dynamics::Move);
    evaluation
}

impl<'a> Evaluation<'a> {
    /// Empty tables.
    pub(crate) fn new(program: &'a Program, limits: Limits, on_demand: &[RelationId]) -> Self {
        let dependencies = Dependencies::new(program);
        let estimates = Estimates {
            rows: vec![10.0; program.relations.len()],
            values: program
                .relations
                .iter()
                .map(|relation| vec![5.0; relation.arity])
                .collect(),
        };
        let ids = (0..program.relations.len()).map(|index| RelationId(index as u32));
        let mut calls = Calls::new(ids.map(|id| on_demand.contains(&id)).collect());
        let mut machine = Machine::new(program, limits);
        let mut plans = Vec::new();
        for component in &dependencies.components {
            let whole = !component.relations.iter().any(|id| on_demand.contains(id));
            plans.push(match whole {
                true => plan_component(program, component, &estimates, &mut calls),
                false => ComponentPlan::default(),
            });
        }
        calls.finish(program, &dependencies.rules_of, &estimates);
        plans.iter_mut().for_each(|plan| machine.prepare(plan));
        machine.prepare_calls(calls, |id| program.relation(id).arity, &[]);
        Self {
            program,
            dependencies,
            plans,
            machine,
        }
    }

    /// Evaluates the components whose relations change with that, in their order.
    pub(crate) fn derive(&mut self, dynamics: Dynamics) {
        for (component, plan) in self.dependencies.components.iter().zip(&self.plans) {
            let of = |id: &RelationId| self.dependencies.dynamics[id.index()];
            if component.relations.iter().map(of).max() == Some(dynamics) {
                self.machine.evaluate(plan);
            }
        }
    }

    /// What holds at the start holds now.
    pub(crate) fn start(&mut self) {
        for fluent in &self.program.fluents {
            let rows: Vec<Vec<TermId>> = self.rows(fluent.init);
            for row in rows {
                self.machine.insert(fluent.holds, &row);
            }
        }
    }

    /// Every role makes the first of its legal moves in the order of their texts.
    fn make_first_moves(&mut self) {
        let mut first: std::collections::BTreeMap<TermId, (String, RelationId, Vec<TermId>)> =
            std::collections::BTreeMap::new();
        for kind in &self.program.moves {
            for row in self.rows(kind.legal) {
                let text = self.subject(kind.functor, &row[1..]);
                let known = first.get(&row[0]);
                if known.is_none_or(|(least, ..)| text < *least) {
                    first.insert(row[0], (text, kind.does, row));
                }
            }
        }
        for (_, does, row) in first.into_values() {
            self.machine.insert(does, &row);
        }
    }

    fn subject(&self, functor: Option<paidia_gdl::Symbol>, row: &[TermId]) -> String {
        let mut text = String::new();
        self.machine
            .terms
            .write_row(functor, row, &self.program.symbols, &mut text);
        text
    }

    /// All rows of a relation.
    pub(crate) fn rows(&self, relation: RelationId) -> Vec<Vec<TermId>> {
        self.machine.tables[relation.index()]
            .iter()
            .map(<[TermId]>::to_vec)
            .collect()
    }

    /// All facts of the relations that the sheet knows, such as `(true (cell 1 1 b))`.
    pub(crate) fn facts(&self) -> BTreeSet<String> {
        let ids = (0..self.program.relations.len()).map(|index| RelationId(index as u32));
        let known = ids.filter(|&id| self.program.relation(id).kind != RelationKind::Helper);
        known.flat_map(|id| self.facts_of(id)).collect()
    }

    fn facts_of(&self, id: RelationId) -> Vec<String> {
        let relation = self.program.relation(id);
        let name = self.program.symbols.name(relation.name);
        let before = match relation.kind {
            RelationKind::Keyword(Keyword::Legal | Keyword::Does | Keyword::Sees) => 1,
            RelationKind::Keyword(Keyword::Init | Keyword::True | Keyword::Next) => 0,
            _ => relation.arity,
        };
        let text = |row: Vec<TermId>| {
            let mut text = format!("({name}");
            for &arg in &row[..before] {
                text.push(' ');
                self.machine
                    .terms
                    .write(arg, &self.program.symbols, &mut text);
            }
            if before < relation.arity {
                text.push(' ');
                text.push_str(&self.subject(relation.functor, &row[before..]));
            }
            text + ")"
        };
        self.rows(id).into_iter().map(text).collect()
    }

    /// What ran out, if anything did.
    pub(crate) fn exhausted(&self) -> Option<Exhausted> {
        self.machine.exhausted()
    }
}
