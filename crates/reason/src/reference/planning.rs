//! Finding good plans: how large relations are, and which of them to evaluate on demand.
//!
//! Sizes are guessed from the domains, then measured: facts that hold in every state are derived,
//! and a few random steps are walked. A relation that turns out to cost much (or does not fit) is
//! tried on demand, and stays so if that is cheaper.

use std::sync::Arc;

use paidia_game::{Chance, Walker};
use paidia_gdl::analysis::{Dependencies, Dynamics};
use paidia_gdl::datalog::plan::plan_component;
use paidia_gdl::datalog::{Calls, ComponentPlan, Estimates, Fixed, Limits, Machine, fixed};
use paidia_gdl::keyword::Keyword;
use paidia_gdl::program::{Program, RelationId};

use super::{Evaluation, Queries, Query, Rules};
use crate::error::LoadError;
use crate::rows::{LIMITS, RowEngine, RowWalker, fault_within};

/// Facts that hold in every state are derived as a whole only within these limits; else on demand.
const WHOLE: Limits = Limits {
    steps: 20_000_000,
    rows: 300_000,
    ..LIMITS
};

/// Random steps that are looked at for statistics.
const SAMPLE_STEPS: u64 = 24;

/// What one sample may cost: a moment, even where plans are bad.
const SAMPLE: Limits = Limits {
    steps: SAMPLE_ROWS,
    rows: 200_000,
    ..LIMITS
};

/// Rows that are expected of a relation that has only what rules ask for.
const FEW: f64 = 8.0;

/// Rows that may be looked at in one sample.
const SAMPLE_ROWS: u64 = 2_000_000;

/// What is known about a program for planning it.
pub(crate) struct Planning {
    /// The dependencies of its relations.
    pub(crate) dependencies: Dependencies,
    /// What holds in every state, the sizes of relations, and which of them are evaluated on
    /// demand.
    pub(crate) known: Fixed,
    /// Sizes as guessed, for relations on demand, whose tables stay empty.
    guesses: Estimates,
    /// What the last sample cost.
    pub(crate) costs: Costs,
}

/// What random steps cost.
#[derive(Clone, Debug, Default)]
pub(crate) struct Costs {
    /// For each component, rows looked at.
    pub(crate) components: Vec<u64>,
    /// Rows looked at in a step; without bound if it hit a limit.
    pub(crate) step: f64,
}

/// What a sample of random steps showed.
struct Sample {
    /// Mean numbers of rows and of different values.
    sizes: Vec<(RelationId, f64, Vec<f64>)>,
    costs: Costs,
    /// The component whose evaluation hit a limit and ended the sample.
    cut: Option<usize>,
}

impl Planning {
    /// Derives what holds in every state.
    pub(crate) fn new(program: &Program) -> Result<Self, LoadError> {
        let dependencies = Dependencies::new(program);
        let known = Fixed::derive(program, &dependencies, WHOLE);
        let mut known = known.map_err(|exhausted| fault_within(exhausted, WHOLE))?;
        known.machine.set_limits(LIMITS);
        Ok(Self {
            guesses: fixed::guess(program),
            costs: Costs::default(),
            known,
            dependencies,
        })
    }

    /// Guesses that the relations from a number on have few rows, whatever their domains are.
    pub(super) fn expect_few(&mut self, first: usize) {
        let Estimates { rows, values } = &mut self.known.estimates;
        for relation in (first..rows.len()).filter(|&index| {
            let dynamics = self.dependencies.dynamics[index];
            dynamics != Dynamics::Static
        }) {
            rows[relation] = rows[relation].min(FEW);
            values[relation]
                .iter_mut()
                .for_each(|values| *values = values.min(FEW));
        }
    }

    /// A machine with the facts of all states.
    pub(crate) fn base(&self) -> &Machine {
        &self.known.machine
    }

    /// The relations whose tables must be emptied for a new state.
    pub(crate) fn changing(&self) -> Vec<RelationId> {
        let dynamics = &self.dependencies.dynamics;
        let all = (0..dynamics.len()).filter(|&index| dynamics[index] != Dynamics::Static);
        all.map(|index| RelationId(index as u32)).collect()
    }

    /// Plans for everything that changes, and for what is asked on demand, if relations have these
    /// sizes.
    pub(crate) fn plans(
        &self,
        program: &Program,
        estimates: &Estimates,
    ) -> (Vec<ComponentPlan>, Calls) {
        let mut calls = self.known.calls(program, &self.dependencies);
        let mut plans = Vec::new();
        for (index, component) in self.dependencies.components.iter().enumerate() {
            plans.push(match self.is_derived(index) {
                true => plan_component(program, component, estimates, &mut calls),
                false => ComponentPlan::default(),
            });
        }
        calls.finish(program, &self.dependencies.rules_of, estimates);
        (plans, calls)
    }

    /// Whether a component is derived as a whole in every state.
    fn is_derived(&self, component: usize) -> bool {
        !self.known.fixed[component] && !self.known.on_demand[component]
    }

    /// Plans everything that changes, with what is known now.
    pub(super) fn plan(&mut self, rules: &mut Rules) {
        let program = &rules.basis.program;
        let (mut plans, calls) = self.plans(program, &self.known.estimates);
        rules.base = self.known.machine.clone();
        plans.iter_mut().for_each(|plan| rules.base.prepare(plan));
        rules.base.prepare_calls(
            calls,
            |relation| program.relation(relation).arity,
            &rules.changing,
        );
        rules.plans = plans;
        rules.queries = self.queries(program);
    }

    /// What must be derived to answer each question.
    pub(crate) fn queries(&self, program: &Program) -> Queries {
        let cones = self.cones(program).map(|needed| -> Query {
            let needed = needed.into_iter();
            needed.filter(|&index| self.is_derived(index)).collect()
        });
        let [terminal, goal, legal, successor] = cones;
        Queries {
            terminal,
            goal,
            legal,
            successor,
        }
    }

    /// The components that each question needs, however they are evaluated: the end, goals, what is
    /// legal, what comes next.
    pub(crate) fn cones(&self, program: &Program) -> [Vec<usize>; 4] {
        let keyword = |keyword| program.keyword(keyword).into_iter().collect::<Vec<_>>();
        let legal = program.moves.iter().map(|kind| kind.legal);
        let next = program.fluents.iter().map(|fluent| fluent.next);
        let sees = program.percepts.iter().map(|percept| percept.sees);
        [
            keyword(Keyword::Terminal),
            keyword(Keyword::Goal),
            legal.collect(),
            next.chain(sees).collect(),
        ]
        .map(|roots| self.dependencies.cone(program, roots))
    }

    /// Plans the rules, then measures and plans again as long as that helps. What does not fit is
    /// evaluated on demand; if `tries_calls`, what is heavy is tried so.
    pub(super) fn improve(mut self, mut rules: Rules, tries_calls: bool) -> (Rules, Self) {
        self.plan(&mut rules);
        let (mut rules, mut sample) = measure(rules);
        // What hit a limit cannot be worse on demand.
        while let Some(component) = sample.cut
            && !self.known.on_demand[component]
            && !fixed::is_asked_whole(&rules.basis.program, &self.dependencies, component)
        {
            self.known.on_demand[component] = true;
            self.plan(&mut rules);
            (rules, sample) = measure(rules);
        }
        self.learn(&sample);
        self.plan(&mut rules);
        (rules, sample) = measure(rules);
        let mut tried = match tries_calls {
            true => self.known.on_demand.clone(),
            false => vec![true; self.known.on_demand.len()],
        };
        while let Some(candidate) = self.heaviest(&rules.basis.program, &sample, &tried) {
            tried[candidate] = true;
            self.known.on_demand[candidate] = true;
            let before = self.forget_sizes(candidate);
            self.plan(&mut rules);
            let attempt;
            (rules, attempt) = measure(rules);
            if attempt.cut.is_none() && attempt.costs.step < 0.8 * sample.costs.step {
                sample = attempt;
            } else {
                self.known.on_demand[candidate] = false;
                self.restore_sizes(before);
                self.plan(&mut rules);
            }
        }
        self.costs = sample.costs;
        (rules, self)
    }

    fn learn(&mut self, sample: &Sample) {
        for (relation, rows, values) in &sample.sizes {
            if self.known.is_on_demand(&self.dependencies, *relation) {
                continue;
            }
            self.known.estimates.rows[relation.index()] = *rows;
            self.known.estimates.values[relation.index()].clone_from(values);
        }
    }

    /// The component that costs most, if it costs enough to be tried on demand.
    fn heaviest(&self, program: &Program, sample: &Sample, tried: &[bool]) -> Option<usize> {
        let candidates = (0..tried.len()).filter(|&index| {
            !tried[index] && !fixed::is_asked_whole(program, &self.dependencies, index)
        });
        let costs = &sample.costs.components;
        let heaviest = candidates.max_by_key(|&index| costs[index])?;
        let total: u64 = costs.iter().sum();
        (costs[heaviest] * 5 > total && sample.costs.step > 10_000.0).then_some(heaviest)
    }

    /// Goes back to guesses for the relations of a component; what was known of them.
    fn forget_sizes(&mut self, component: usize) -> Vec<(RelationId, f64, Vec<f64>)> {
        let relations = self.dependencies.components[component].relations.clone();
        let known = relations.into_iter().map(|relation| {
            let index = relation.index();
            let rows = std::mem::replace(
                &mut self.known.estimates.rows[index],
                self.guesses.rows[index],
            );
            let values = std::mem::replace(
                &mut self.known.estimates.values[index],
                self.guesses.values[index].clone(),
            );
            (relation, rows, values)
        });
        known.collect()
    }

    fn restore_sizes(&mut self, known: Vec<(RelationId, f64, Vec<f64>)>) {
        for (relation, rows, values) in known {
            self.known.estimates.rows[relation.index()] = rows;
            self.known.estimates.values[relation.index()] = values;
        }
    }
}

/// Walks a few random steps with the present plans.
fn measure(rules: Rules) -> (Rules, Sample) {
    let rules = Arc::new(rules);
    let basis = Arc::clone(&rules.basis);
    let sample = walk(RowWalker::new(basis, rules.deduction()), &rules);
    // The walker is gone, so that this is the only handle of the rules; the fallback is for the
    // type checker.
    (
        Arc::try_unwrap(rules).unwrap_or_else(|rules| (*rules).clone()),
        sample,
    )
}

fn walk(mut walker: RowWalker<Evaluation>, rules: &Rules) -> Sample {
    let arity = |relation: RelationId| rules.basis.program.relation(relation).arity;
    let relations = rules.changing.iter();
    let mut sizes: Vec<(RelationId, f64, Vec<f64>)> = relations
        .map(|&relation| (relation, 0.0, vec![0.0; arity(relation)]))
        .collect();
    walker.deduction.machine.set_limits(SAMPLE);
    let (mut chance, mut joint) = (Chance::from_seed(0), Vec::new());
    let (mut samples, mut spent, mut ends) = (0u64, 0, 0);
    while samples < SAMPLE_STEPS && spent < SAMPLE_ROWS && ends < SAMPLE_STEPS {
        let over = walker.is_terminal() || walker.legal().draw(&mut chance, &mut joint).is_err();
        if walker.fault().is_none() && over {
            ends += 1;
            walker.goal(paidia_game::RoleId(0));
            walker.jump(&rules.basis.initial);
            continue;
        }
        if walker.fault().is_none() {
            walker.derive_successor(&joint, &mut chance);
        }
        samples += 1;
        let machine = &walker.deduction.machine;
        spent += machine.steps();
        for (relation, rows, values) in &mut sizes {
            let (more_rows, more_values) = fixed::count(machine, *relation);
            *rows += more_rows;
            let values = values.iter_mut().zip(more_values);
            values.for_each(|(sum, value)| *sum += value);
        }
        if walker.fault().is_some() {
            break;
        }
        walker.enter_successor();
    }
    let mean = |sum: &mut f64| *sum /= samples.max(1) as f64;
    for (_, rows, values) in &mut sizes {
        mean(rows);
        values.iter_mut().for_each(mean);
    }
    let cut = walker.fault().map(|_| walker.deduction.latest);
    Sample {
        sizes,
        costs: Costs {
            components: std::mem::take(&mut walker.deduction.costs),
            step: match cut {
                Some(_) => f64::INFINITY,
                None => spent as f64 / samples.max(1) as f64,
            },
        },
        cut,
    }
}
