//! One thread's position in a game of the forward engine.

use std::sync::Arc;

use paidia_game::{Chance, Fault, Goal, LegalMoves, MoveId, PerceptId, RoleId, Walker};

use super::chainer::Chainer;
use super::moves::Moves;
use super::{Rules, State};
use crate::names::{PerceptNames, resolve};
use crate::rows::{Question, mix};

/// One thread's position in a game of [`super::Forward`].
pub struct ForwardWalker {
    rules: Arc<Rules>,
    pub(super) chainer: Chainer,
    fault: Option<Fault>,
    legal: LegalMoves,
    legal_is_known: bool,
    moves: Moves,
    percepts: PerceptNames,
    joint: Vec<MoveId>,
    row: Vec<u32>,
}

impl ForwardWalker {
    pub(super) fn new(rules: Arc<Rules>) -> Self {
        let mut walker = Self {
            chainer: Chainer::new(&rules.chains),
            fault: None,
            legal: LegalMoves::new(),
            legal_is_known: false,
            moves: Moves::new(&rules),
            percepts: PerceptNames::new(&rules.program, rules.facts.roles.len()),
            joint: Vec::new(),
            row: Vec::new(),
            rules,
        };
        walker.restart();
        walker
    }

    /// Goes to the start.
    pub(super) fn restart(&mut self) {
        let rules = Arc::clone(&self.rules);
        self.jump(&rules.initial);
    }

    /// Derives what a question needs.
    pub(super) fn ask(&mut self, question: Question) {
        if self.fault.is_none() {
            self.fault = self.chainer.answer(&self.rules.chains, question).err();
        }
    }

    fn find_legal(&mut self) {
        self.ask(Question::Legal);
        self.legal.clear();
        if self.fault.is_none() {
            let listed = self.moves.list(&self.rules, &self.chainer, &mut self.legal);
            self.fault = listed.err();
        }
        if self.fault.is_some() {
            self.legal.clear();
            let roles = 0..self.rules.facts.roles.len();
            roles.for_each(|_| self.legal.end_role());
        }
    }

    /// Derives what holds after a joint move, and what is seen of it.
    pub(super) fn derive_successor(&mut self, joint: &[MoveId], chance: &mut Chance) {
        let mut resolved = std::mem::take(&mut self.joint);
        resolve(self, joint, chance, &mut resolved);
        self.joint = resolved;
        self.moves.make(&self.rules, &mut self.chainer, &self.joint);
        self.ask(Question::Successor);
    }

    /// Goes to the state that was derived.
    pub(super) fn enter_successor(&mut self) {
        self.legal_is_known = false;
        self.chainer.advance(&self.rules.chains);
    }

    fn collect_percepts(&mut self) -> Result<(), Fault> {
        let rules = &*self.rules;
        self.percepts.clear();
        for (kind, shape) in rules.program.percepts.iter().enumerate() {
            let sees = shape.sees.index();
            for place in 0..self.chainer.count(&rules.chains, sees) {
                self.chainer.row(&rules.chains, sees, place, &mut self.row);
                let Some(role) = rules.role(self.row[0]) else {
                    continue;
                };
                let (rest, terms) = (&self.row[1..], &self.chainer.machine.terms);
                let write = |text: &mut String| {
                    rules.texts.write_after_role(shape.sees, rest, terms, text);
                };
                self.percepts
                    .tell(role, kind, rest, &rules.percepts, write)?;
            }
        }
        self.percepts.sort(&rules.percepts);
        Ok(())
    }
}

impl Walker for ForwardWalker {
    type State = State;

    fn jump(&mut self, state: &State) {
        let terms = &mut self.chainer.machine.terms;
        if self.rules.has_terms && state.cells().iter().any(|&cell| !terms.knows(cell)) {
            terms.catch_up();
        }
        self.percepts.clear();
        self.fault = None;
        self.legal_is_known = false;
        self.chainer.leave(&self.rules.chains);
        state.write(&self.rules.chains, &mut self.chainer);
    }

    fn save(&self, into: &mut State) {
        into.read(&self.rules.chains, &self.chainer);
    }

    fn hash64(&self) -> u64 {
        let mut hash = 0u64;
        for (kind, fluent) in self.rules.chains.fluents.iter().enumerate() {
            // A sum of mixed hashes does not depend on the order of the facts.
            let mut add = |fact: &[u32]| hash = hash.wrapping_add(mix(kind as u64, fact));
            match &self.rules.chains.numbering.relations[fluent.holds] {
                Some(_) => {
                    let facts = self.chainer.knowledge.list(fluent.holds);
                    facts.chunks_exact(1).for_each(&mut add);
                }
                None => self.chainer.machine.tables[fluent.holds]
                    .iter()
                    .for_each(&mut add),
            }
        }
        hash
    }

    fn is_terminal(&mut self) -> bool {
        self.ask(Question::Terminal);
        let rules = &self.rules;
        self.fault.is_some()
            || rules
                .terminal
                .is_some_and(|terminal| self.chainer.count(&rules.chains, terminal) > 0)
    }

    fn legal(&mut self) -> &LegalMoves {
        if !self.legal_is_known {
            self.legal_is_known = true;
            self.find_legal();
        }
        &self.legal
    }

    fn goal(&mut self, role: RoleId) -> Goal {
        self.ask(Question::Goal);
        let rules = &*self.rules;
        let Some(relation) = rules.goal.filter(|_| self.fault.is_none()) else {
            return Goal::None;
        };
        let mut goal = Goal::None;
        for place in 0..self.chainer.count(&rules.chains, relation) {
            self.chainer
                .row(&rules.chains, relation, place, &mut self.row);
            let value = rules.number_of.get(self.row[1] as usize).copied().flatten();
            if let Some(value) = value.filter(|_| rules.role(self.row[0]) == Some(role)) {
                goal = goal.and(value);
            }
        }
        goal
    }

    fn advance(&mut self, joint: &[MoveId], chance: &mut Chance) {
        if self.fault.is_some() {
            return;
        }
        self.derive_successor(joint, chance);
        if self.fault.is_none() && !self.rules.program.percepts.is_empty() {
            self.fault = self.collect_percepts().err();
        }
        if self.fault.is_none() {
            self.enter_successor();
        }
    }

    fn percepts(&self, role: RoleId) -> &[PerceptId] {
        self.percepts.of(role)
    }

    fn fault(&self) -> Option<&Fault> {
        self.fault.as_ref()
    }
}
