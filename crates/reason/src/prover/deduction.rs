//! One thread's proofs about one state at a time.

use std::sync::Arc;

use paidia_game::Fault;
use paidia_gdl::datalog::{Exhausted, TermId, Terms};
use paidia_gdl::program::RelationId;

use super::code::Access;
use super::resolver::Resolver;
use super::{Rules, fault};
use crate::rows::{Deduction, Question, RowEngine, Rows, State};

/// With more answers about what never changes than this, they are forgotten.
const MAX_LASTING: u64 = 4_000_000;

/// One thread's proofs.
pub struct Proof {
    rules: Arc<Rules>,
    resolver: Resolver,
    /// For each kind of fluent its rows, if the state is a list.
    held: Vec<Vec<TermId>>,
    /// For each question, whether it was answered for this state.
    answered: [bool; 4],
}

impl RowEngine for Rules {
    type Deduction = Proof;

    fn deduction(self: &Arc<Self>) -> Proof {
        Proof {
            resolver: self.memory.clone(),
            held: vec![Vec::new(); self.program.fluents.len()],
            answered: [false; 4],
            rules: Arc::clone(self),
        }
    }
}

impl Proof {
    /// Proves all rows of a relation, or one if rows have no values.
    pub(super) fn prove(&mut self, relation: RelationId) -> Result<(), Exhausted> {
        let table = &mut self.resolver.facts.tables[relation.index()];
        table.clear();
        let once = table.arity() == 0;
        self.resolver.prove(&self.rules.code, relation.0, once)
    }
}

impl Deduction for Proof {
    fn enter(&mut self, state: &State) {
        self.answered = [false; 4];
        let (rules, resolver) = (&*self.rules, &mut self.resolver);
        resolver.steps = 0;
        resolver.tables.enter_state(MAX_LASTING);
        let facts = &mut resolver.facts;
        facts.clear_lists();
        for &relation in &rules.changing {
            facts.tables[relation.index()].clear();
        }
        state.each_kind(&rules.program, |kind, rows| {
            let relation = rules.program.fluents[kind].holds;
            self.held[kind].clear();
            for row in rows {
                facts.add(relation.0, rules.places.state, row);
                if rules.places.state == Access::State {
                    self.held[kind].extend_from_slice(row);
                }
            }
        });
    }

    fn make_move(&mut self, does: RelationId, row: &[TermId]) {
        let access = self.rules.places.moves;
        self.resolver.facts.add(does.0, access, row);
        self.answered[Question::Successor as usize] = false;
    }

    fn answer(&mut self, question: Question) -> Result<(), Fault> {
        if std::mem::replace(&mut self.answered[question as usize], true) {
            return Ok(());
        }
        let rules = Arc::clone(&self.rules);
        for &relation in &rules.roots[question as usize] {
            self.prove(relation).map_err(fault)?;
        }
        Ok(())
    }

    fn rows(&self, relation: RelationId) -> Rows<'_> {
        let table = &self.resolver.facts.tables[relation.index()];
        match self.rules.kinds[relation.index()] {
            Some(kind) if self.rules.places.state == Access::State => {
                let flat = &self.held[kind];
                Rows {
                    count: flat.len() / table.arity().max(1),
                    arity: table.arity(),
                    flat,
                }
            }
            _ => Rows::of(table),
        }
    }

    fn terms(&self) -> &Terms {
        &self.resolver.facts.terms
    }

    fn terms_mut(&mut self) -> &mut Terms {
        &mut self.resolver.facts.terms
    }
}
