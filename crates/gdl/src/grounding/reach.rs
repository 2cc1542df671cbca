//! Which atoms can ever be true: an over-approximation.

use std::sync::Arc;

use crate::analysis::{Component, Dependencies};
use crate::datalog::plan::plan_component;
use crate::datalog::{Calls, ComponentPlan, Exhausted, Fixed, Limits, Machine};
use crate::program::{Atom, Literal, Program, RelationId, Rule};

/// The run that finds them.
pub(super) struct Reach {
    machine: Machine,
    plan: ComponentPlan,
    alias: Vec<RelationId>,
    changing: Vec<RelationId>,
}

impl Reach {
    /// A run that finds the rows of those relations that `is_changing` has; all others have theirs.
    pub(super) fn new(
        program: &Program,
        dependencies: &Dependencies,
        fixed: &Fixed,
        mut calls: Calls,
        is_changing: &[bool],
    ) -> Self {
        let alias = aliases(program);
        let mut machine = fixed.machine.clone();
        start(program, &alias, &mut machine);
        let (relaxed, component) = relax(program, dependencies, is_changing, &alias);
        let estimates = estimates(program, fixed, is_changing);
        let mut plan = plan_component(&relaxed, &component, &estimates, &mut calls);
        calls.finish(program, &dependencies.rules_of, &estimates);
        machine.prepare(&mut plan);
        machine.prepare_calls(calls, |relation| program.relation(relation).arity, &[]);
        machine.restart_count(0);
        Self {
            machine,
            plan,
            alias,
            changing: component.relations,
        }
    }

    pub(super) fn run(&mut self, limits: Limits) -> Result<(), Exhausted> {
        self.machine.set_limits(limits);
        self.machine.evaluate(&self.plan);
        self.machine.exhausted().map_or(Ok(()), Err)
    }

    pub(super) fn atoms(&self) -> u64 {
        self.changing
            .iter()
            .map(|relation| u64::from(self.machine.tables[relation.index()].len()))
            .sum()
    }

    /// How many rows of a relation were found.
    pub(super) fn rows(&self, relation: RelationId) -> u64 {
        u64::from(self.machine.tables[relation.index()].len())
    }

    pub(super) fn into_tables(self) -> (Machine, Vec<RelationId>) {
        (self.machine, self.alias)
    }
}

/// `init` and `next` put their rows where `true` has them, `legal` where `does` has them: what can
/// come to hold can hold, and what can be legal can be done.
fn aliases(program: &Program) -> Vec<RelationId> {
    let mut alias: Vec<RelationId> = (0..program.relations.len())
        .map(|index| RelationId(index as u32))
        .collect();
    for fluent in &program.fluents {
        alias[fluent.init.index()] = fluent.holds;
        alias[fluent.next.index()] = fluent.holds;
    }
    for kind in &program.moves {
        alias[kind.legal.index()] = kind.does;
    }
    alias
}

/// Copies what is known of aliased relations to where they belong.
fn start(program: &Program, alias: &[RelationId], machine: &mut Machine) {
    for (index, &target) in alias.iter().enumerate() {
        if target.index() != index {
            let rows: Vec<Vec<u32>> = machine.tables[index].iter().map(<[u32]>::to_vec).collect();
            let arity = program.relation(target).arity;
            rows.iter()
                .filter(|row| row.len() == arity)
                .for_each(|row| {
                    machine.tables[target.index()].insert(row);
                });
        }
    }
}

/// The rules that change, as one recursive component without negation of what changes.
fn relax(
    program: &Program,
    dependencies: &Dependencies,
    is_changing: &[bool],
    alias: &[RelationId],
) -> (Program, Component) {
    let mut relaxed = Program {
        rules: Vec::new(),
        ..program.clone()
    };
    for component in dependencies.cone(program, super::outputs(program)) {
        for &index in &dependencies.components[component].rules {
            let rule = &program.rules[index];
            if is_changing[rule.head.relation.index()] {
                relaxed.rules.push(self::relaxed(rule, is_changing, alias));
            }
        }
    }
    let mut relations: Vec<RelationId> = relaxed
        .rules
        .iter()
        .map(|rule| rule.head.relation)
        .collect();
    // What holds and what is done count as derived even if no rule that changes has them in its
    // head.
    relations.extend(program.fluents.iter().map(|fluent| fluent.holds));
    relations.extend(program.moves.iter().map(|kind| kind.does));
    relations.sort_unstable();
    relations.dedup();
    let rules = (0..relaxed.rules.len()).collect();
    (
        relaxed,
        Component {
            relations,
            rules,
            recursive: true,
            partial: false,
            stratum: 0,
        },
    )
}

/// A rule without negation of what changes, over aliased relations.
pub(super) fn relaxed(rule: &Rule, is_changing: &[bool], alias: &[RelationId]) -> Rule {
    let aliased = |atom: &Atom| Atom {
        relation: alias[atom.relation.index()],
        args: atom.args.clone(),
    };
    let body = rule.body.iter().filter_map(|literal| match literal {
        Literal::Holds(atom) => Some(Literal::Holds(aliased(atom))),
        Literal::Fails(atom) if is_changing[atom.relation.index()] => None,
        Literal::Fails(atom) => Some(Literal::Fails(aliased(atom))),
        other => Some(other.clone()),
    });
    Rule {
        head: aliased(&rule.head),
        body: body.collect(),
        variables: rule.variables,
        clause: rule.clause,
    }
}

/// Sizes for planning: measured where nothing changes, guessed for the rest.
fn estimates(program: &Program, fixed: &Fixed, is_changing: &[bool]) -> crate::datalog::Estimates {
    let mut estimates = fixed.estimates.clone();
    let guess = crate::datalog::fixed::guess(program);
    for index in (0..is_changing.len()).filter(|&index| is_changing[index]) {
        estimates.rows[index] = guess.rows[index];
        estimates.values[index].clone_from(&guess.values[index]);
    }
    estimates
}

/// The calls that a machine was prepared for, so that another plan can use them.
pub(super) fn calls_of(machine: &Machine) -> Calls {
    Arc::unwrap_or_clone(machine.calls())
}
