//! Deriving what holds in every state, once.

use rustc_hash::FxHashSet;

use super::machine::{Exhausted, Limits, Machine};
use super::plan::{Calls, Estimates, plan_component};
use crate::analysis::{Dependencies, Dynamics};
use crate::program::domains::Domain;
use crate::program::{Program, RelationId, RelationKind};

/// A guess for the size of what has no bound, and the bound for other guesses.
const MANY: f64 = 1e6;

/// The facts that hold in every state, and what they tell about sizes.
#[derive(Clone, Debug)]
pub struct Fixed {
    /// A machine with those facts in its tables.
    pub machine: Machine,
    /// For each component, whether it is the same in every state.
    pub fixed: Vec<bool>,
    /// For each component, whether it was too large to be derived as a whole.
    pub on_demand: Vec<bool>,
    /// Sizes: measured where facts were derived, guessed from domains elsewhere.
    pub estimates: Estimates,
}

impl Fixed {
    /// Derives all components that are the same in every state. A component that does not fit in
    /// `whole` is left to be evaluated on demand.
    ///
    /// # Errors
    /// If something that must be known as a whole, such as the start, does not fit.
    pub fn derive(
        program: &Program,
        dependencies: &Dependencies,
        whole: Limits,
    ) -> Result<Self, Exhausted> {
        let is_fixed =
            |relation: &RelationId| dependencies.dynamics[relation.index()] == Dynamics::Static;
        let components = &dependencies.components;
        let mut this = Self {
            machine: Machine::new(program, whole),
            fixed: components
                .iter()
                .map(|component| component.relations.iter().all(is_fixed))
                .collect(),
            on_demand: vec![false; components.len()],
            estimates: guess(program),
        };
        for index in 0..components.len() {
            if this.fixed[index] {
                this.derive_component(program, dependencies, index)?;
            }
        }
        this.start(program);
        Ok(this)
    }

    fn derive_component(
        &mut self,
        program: &Program,
        dependencies: &Dependencies,
        index: usize,
    ) -> Result<(), Exhausted> {
        let component = &dependencies.components[index];
        let mut calls = self.calls(program, dependencies);
        let mut plan = plan_component(program, component, &self.estimates, &mut calls);
        calls.finish(program, &dependencies.rules_of, &self.estimates);
        self.machine.prepare(&mut plan);
        self.machine
            .prepare_calls(calls, |relation| program.relation(relation).arity, &[]);
        self.machine.restart_count(0);
        self.machine.evaluate(&plan);
        if let Some(exhausted) = self.machine.exhausted() {
            if is_asked_whole(program, dependencies, index) {
                return Err(exhausted);
            }
            for relation in &component.relations {
                self.machine.tables[relation.index()].clear();
            }
            self.on_demand[index] = true;
            self.machine.restart_count(0);
            return Ok(());
        }
        for &relation in &component.relations {
            let (rows, values) = count(&self.machine, relation);
            self.estimates.rows[relation.index()] = rows;
            self.estimates.values[relation.index()] = values;
        }
        Ok(())
    }

    /// The start tells how many fluents hold at a time, and every role makes one move.
    fn start(&mut self, program: &Program) {
        let Estimates { rows, values } = &mut self.estimates;
        for fluent in &program.fluents {
            if rows[fluent.init.index()] > 0.0 {
                rows[fluent.holds.index()] = rows[fluent.init.index()];
                values[fluent.holds.index()] = values[fluent.init.index()].clone();
            }
        }
        for kind in &program.moves {
            rows[kind.does.index()] = 1.0;
            values[kind.does.index()].fill(1.0);
        }
    }

    /// The relations that are evaluated on demand so far, with nothing asked yet.
    pub fn calls(&self, program: &Program, dependencies: &Dependencies) -> Calls {
        let is_on_demand = |index: usize| self.is_on_demand(dependencies, RelationId(index as u32));
        Calls::new((0..program.relations.len()).map(is_on_demand).collect())
    }

    /// Whether a relation is evaluated on demand.
    pub fn is_on_demand(&self, dependencies: &Dependencies, relation: RelationId) -> bool {
        dependencies.components_of[relation.index()]
            .iter()
            .any(|&component| self.on_demand[component])
    }
}

/// Whether all facts of a component are read at once, so that it cannot be on demand.
pub fn is_asked_whole(program: &Program, dependencies: &Dependencies, component: usize) -> bool {
    let component = &dependencies.components[component];
    let mut kinds = component
        .relations
        .iter()
        .map(|&relation| program.relation(relation).kind);
    component.partial || kinds.any(|kind| matches!(kind, RelationKind::Keyword(_)))
}

/// Sizes as the domains suggest them.
pub fn guess(program: &Program) -> Estimates {
    let size = |domain: &Domain| domain.size().map_or(MANY, |size| size as f64);
    let sizes = program
        .relations
        .iter()
        .map(|relation| relation.domains.iter().map(size).collect());
    let values: Vec<Vec<f64>> = sizes.collect();
    let rows = values
        .iter()
        .map(|sizes| sizes.iter().product::<f64>().min(MANY))
        .collect();
    Estimates { rows, values }
}

/// The number of rows of a relation, and of different values in each of its columns.
pub fn count(machine: &Machine, relation: RelationId) -> (f64, Vec<f64>) {
    let table = &machine.tables[relation.index()];
    let different = |column: usize| {
        table
            .iter()
            .map(|row| row[column])
            .collect::<FxHashSet<u32>>()
            .len() as f64
    };
    (
        f64::from(table.len()),
        (0..table.arity()).map(different).collect(),
    )
}
