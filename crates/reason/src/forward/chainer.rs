//! Deriving what holds in a state: rules with tables over numbered facts, and the others as the
//! reference engine runs them.
//!
//! Relations are derived one group after the other, when a question needs them. A group of mutually
//! dependent relations is derived in rounds: its rules read what the round before has added, until
//! nothing is. Rules without tables run on a Datalog machine, which keeps facts as rows; a relation
//! that both kinds of rules are about is kept in both forms.

use paidia_game::{Fault, Resource};
use paidia_gdl::datalog::{ComponentPlan, Machine};

use super::coding::Numbering;
use super::knowledge::Knowledge;
use super::rule::{Run, Tabled};
use crate::rows::{LIMITS, Question, fault};

/// How the relations of one group are derived.
#[derive(Clone, Debug, Default)]
pub(super) struct Group {
    /// Rules that run once.
    pub(super) rules: Vec<Tabled>,
    /// Rules that run for the newest facts until there are none.
    pub(super) recursive: Vec<Tabled>,
    /// The relations that are derived.
    pub(super) heads: Vec<usize>,
    /// Rules without tables, if there are any.
    pub(super) untabled: Option<ComponentPlan>,
    /// Relations whose facts must become rows.
    pub(super) as_rows: Vec<usize>,
    /// Relations whose rows must become facts.
    pub(super) as_facts: Vec<usize>,
}

/// A kind of fluent: what holds next becomes what holds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Carrying {
    pub(super) holds: usize,
    pub(super) next: usize,
    /// From the numbers of facts of the next state to those of the state; `None` if they must be
    /// carried over as rows.
    pub(super) shift: Option<u32>,
}

/// How everything is derived; shared by all walkers.
#[derive(Clone, Debug)]
pub(super) struct Chains {
    pub(super) numbering: Numbering,
    /// A machine with the permanent facts.
    pub(super) base: Machine,
    /// The permanent facts of relations with numbers.
    pub(super) permanent: Vec<(usize, u32)>,
    pub(super) groups: Vec<Group>,
    /// For each question, the groups that it needs, in their order.
    pub(super) questions: [Vec<usize>; 4],
    /// What the state consists of.
    pub(super) fluents: Vec<Carrying>,
    /// Relations with numbers whose facts change.
    pub(super) changing: Vec<usize>,
    /// Those of them that are not carried over to the next state by number.
    pub(super) transient: Vec<usize>,
    /// Relations with rows whose facts change.
    pub(super) changing_rows: Vec<usize>,
    /// For each relation, whether its facts are kept as rows.
    pub(super) has_rows: Vec<bool>,
}

/// One thread's derivations about one state.
pub(super) struct Chainer {
    pub(super) knowledge: Knowledge,
    pub(super) machine: Machine,
    /// For each group, the state (counted by `position`) for which it was derived.
    derived: Vec<u64>,
    position: u64,
    newest: Vec<(u32, u32)>,
    results: Vec<u32>,
    reads_left: u64,
    row: Vec<u32>,
    /// Rows that are carried over to the next state.
    carried: Vec<u32>,
}

impl Chainer {
    pub(super) fn new(chains: &Chains) -> Self {
        let mut knowledge = Knowledge::new(&chains.numbering);
        for &(relation, fact) in &chains.permanent {
            knowledge.write(relation, fact);
        }
        Self {
            knowledge,
            machine: chains.base.clone(),
            derived: vec![0; chains.groups.len()],
            position: 1,
            newest: vec![(0, 0); chains.numbering.relations.len()],
            results: Vec::new(),
            reads_left: LIMITS.steps,
            row: Vec::new(),
            carried: Vec::new(),
        }
    }

    /// Leaves for a state about which nothing is known yet.
    pub(super) fn leave(&mut self, chains: &Chains) {
        self.forget(chains, &chains.changing);
    }

    /// Goes to the state that was derived.
    pub(super) fn advance(&mut self, chains: &Chains) {
        let mut carried = std::mem::take(&mut self.carried);
        let mut row = std::mem::take(&mut self.row);
        carried.clear();
        for fluent in &chains.fluents {
            match fluent.shift {
                Some(shift) => self.knowledge.carry_over(fluent.next, fluent.holds, shift),
                None => {
                    let count = self.count(chains, fluent.next);
                    carried.push(count as u32);
                    for place in 0..count {
                        self.row(chains, fluent.next, place, &mut row);
                        carried.extend_from_slice(&row);
                    }
                }
            }
        }
        self.row = row;
        self.forget(chains, &chains.transient);
        let mut rest = &carried[..];
        for fluent in &chains.fluents {
            if fluent.shift.is_some() {
                self.write_rows(chains, fluent.holds);
            } else if let Some((&count, after)) = rest.split_first() {
                let arity = self.machine.tables[fluent.holds].arity();
                let (rows, after) = after.split_at(count as usize * arity);
                rows.chunks_exact(arity)
                    .for_each(|row| self.add(chains, fluent.holds, row));
                rest = after;
            }
        }
        self.carried = carried;
    }

    /// Forgets what was derived, and the facts of some relations.
    fn forget(&mut self, chains: &Chains, relations: &[usize]) {
        for &relation in relations {
            self.knowledge.clear(relation);
        }
        if !chains.changing_rows.is_empty() {
            for &relation in &chains.changing_rows {
                self.machine.tables[relation].clear();
            }
            self.machine.forget_calls();
            self.machine.restart_count(0);
        }
        self.position += 1;
        self.reads_left = LIMITS.steps;
    }

    /// Adds a fact to the state; one that can never hold is left out.
    pub(super) fn add(&mut self, chains: &Chains, relation: usize, row: &[u32]) {
        if let Some(numbered) = &chains.numbering.relations[relation] {
            let Some(fact) = numbered.fact(row) else {
                return;
            };
            self.knowledge.write(relation, fact);
        }
        if chains.has_rows[relation] {
            self.machine.tables[relation].insert(row);
        }
    }

    /// Adds a numbered fact to the state.
    #[inline]
    pub(super) fn add_fact(&mut self, chains: &Chains, relation: usize, fact: u32) {
        self.knowledge.write(relation, fact);
        if chains.has_rows[relation]
            && let Some(numbered) = &chains.numbering.relations[relation]
        {
            numbered.row(fact, &mut self.row);
            self.machine.tables[relation].insert(&self.row);
        }
    }

    /// Makes rows of the numbered facts of a relation, where rows are kept.
    fn write_rows(&mut self, chains: &Chains, relation: usize) {
        if chains.has_rows[relation]
            && let Some(numbered) = &chains.numbering.relations[relation]
        {
            for &fact in self.knowledge.list(relation) {
                numbered.row(fact, &mut self.row);
                self.machine.tables[relation].insert(&self.row);
            }
        }
    }

    /// Derives what a question needs and was not derived for this state.
    pub(super) fn answer(&mut self, chains: &Chains, question: Question) -> Result<(), Fault> {
        for &group in &chains.questions[question as usize] {
            if self.derived[group] != self.position {
                self.derived[group] = self.position;
                self.derive(chains, &chains.groups[group])?;
            }
        }
        Ok(())
    }

    fn derive(&mut self, chains: &Chains, group: &Group) -> Result<(), Fault> {
        for rule in &group.rules {
            self.run(rule)?;
        }
        if !group.recursive.is_empty() {
            self.derive_rounds(group)?;
        }
        for &relation in &group.as_rows {
            self.write_rows(chains, relation);
        }
        let Some(plan) = &group.untabled else {
            return Ok(());
        };
        self.machine.evaluate(plan);
        for &relation in &group.as_facts {
            if let Some(numbered) = &chains.numbering.relations[relation] {
                let facts = self.machine.tables[relation].iter();
                for fact in facts.filter_map(|row| numbered.fact(row)) {
                    self.knowledge.write(relation, fact);
                }
            }
        }
        self.machine
            .exhausted()
            .map_or(Ok(()), |what| Err(fault(what)))
    }

    fn derive_rounds(&mut self, group: &Group) -> Result<(), Fault> {
        for &head in &group.heads {
            self.newest[head] = (0, 0);
        }
        loop {
            let mut any = false;
            for &head in &group.heads {
                let newest = &mut self.newest[head];
                *newest = (newest.1, self.knowledge.list(head).len() as u32);
                any |= newest.0 < newest.1;
            }
            if !any {
                return Ok(());
            }
            for rule in &group.recursive {
                self.run(rule)?;
            }
        }
    }

    fn run(&mut self, rule: &Tabled) -> Result<(), Fault> {
        let run = Run {
            rule,
            knowledge: &self.knowledge,
            newest: &self.newest,
            derived: &mut self.results,
            reads_left: self.reads_left,
        };
        self.reads_left = run.run();
        for fact in self.results.drain(..) {
            self.knowledge.write(rule.head, fact);
        }
        match self.reads_left {
            0 => Err(Fault {
                resource: Resource::Steps,
                limit: LIMITS.steps,
            }),
            _ => Ok(()),
        }
    }

    /// How many facts of a relation hold.
    pub(super) fn count(&self, chains: &Chains, relation: usize) -> usize {
        match chains.numbering.relations[relation] {
            Some(_) => self.knowledge.list(relation).len(),
            None => self.machine.tables[relation].len() as usize,
        }
    }

    /// Writes the fact at a place of a relation as a row.
    #[inline]
    pub(super) fn row(&self, chains: &Chains, relation: usize, place: usize, into: &mut Vec<u32>) {
        match &chains.numbering.relations[relation] {
            Some(numbered) => numbered.row(self.knowledge.list(relation)[place], into),
            None => {
                into.clear();
                into.extend_from_slice(self.machine.tables[relation].row(place as u32));
            }
        }
    }
}
