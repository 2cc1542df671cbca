//! Deriving by the code of compiled rules from facts that come one by one, without moves in turns.

use std::sync::Arc;

use paidia_game::Fault;
use paidia_gdl::datalog::Terms;
use paidia_gdl::program::RelationId;

use super::Rules;
use super::compile::questions;
use super::machine::Machine;
use super::memory::Memory;
use crate::rows::{Question, fault};

/// One thread's derivation.
pub(crate) struct Derivation {
    rules: Arc<Rules>,
    memory: Memory,
    /// The segments that were run since the facts were cleared, a bit each.
    derived: u16,
    row: Vec<u32>,
}

impl Derivation {
    pub(super) fn new(rules: Arc<Rules>) -> Self {
        Self {
            memory: Memory::new(&rules.code, rules.terms.clone()),
            derived: 0,
            row: Vec::new(),
            rules,
        }
    }

    /// Forgets all facts and what was derived of them.
    pub(crate) fn clear(&mut self) {
        self.derived = 0;
        self.memory.forget();
        let rules = &*self.rules;
        let Memory {
            containers, bits, ..
        } = &mut self.memory;
        let emptied = rules.code.emptied;
        bits[emptied.start as usize..emptied.end as usize].fill(0);
        let states = rules.program.fluents.iter();
        let states = states.map(|fluent| fluent.holds.index());
        for relation in states.chain(rules.apart.iter().copied()) {
            containers[relation].clear();
            let views = rules.code.layouts[relation].views.iter();
            views.for_each(|view| view.clear(bits));
        }
    }

    /// Adds a fact. One that the rules can never ask for may be left out.
    pub(crate) fn insert(&mut self, relation: RelationId, row: &[u32]) {
        if !self.rules.code.is_fixed[relation.index()] {
            self.rules.insert(relation.index(), row, &mut self.memory);
        }
    }

    /// Derives what a question needs, unless it is there.
    pub(crate) fn answer(&mut self, question: Question) -> Result<(), Fault> {
        let question = questions::ALL[question as usize];
        let code = &self.rules.code;
        for (number, segment) in code.segments.iter().enumerate() {
            if segment.questions & question == 0 || self.derived >> number & 1 == 1 {
                continue;
            }
            self.derived |= 1 << number;
            let mut machine = Machine {
                code,
                memory: &mut self.memory,
                runner: self.rules.runner.as_deref(),
            };
            machine.run(segment.entry);
        }
        match self.memory.exhausted() {
            Some(exhausted) => Err(fault(exhausted)),
            None => Ok(()),
        }
    }

    /// Calls `visit` with every row of a relation that was derived or inserted.
    pub(crate) fn each_row(&mut self, relation: RelationId, mut visit: impl FnMut(&[u32])) {
        let row = &mut self.row;
        let rules = &self.rules;
        rules.each_row(relation.index(), &self.memory, row, |_, row| visit(row));
    }

    /// Whether a relation has rows.
    pub(crate) fn has_rows(&self, relation: RelationId) -> bool {
        !self.rules.is_empty(relation.index(), &self.memory)
    }

    /// The compound terms that were met.
    pub(crate) fn terms_mut(&mut self) -> &mut Terms {
        &mut self.memory.terms
    }
}
