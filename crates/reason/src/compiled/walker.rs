//! One thread's position in a game of the compiled engine.

use std::sync::Arc;

use paidia_game::{Chance, Fault, Goal, LegalMoves, MoveId, PerceptId, RoleId, Walker};

use super::compile::questions::{GOAL, LEGAL, SUCCESSOR, TERMINAL};
use super::machine::Machine;
use super::memory::Memory;
use super::moves::Moves;
use super::{Rules, State};
use crate::names::{PerceptNames, resolve};
use crate::rows::fault;

/// One thread's position in a game of [`super::Compiled`].
pub struct CompiledWalker {
    rules: Arc<Rules>,
    memory: Memory,
    /// The segments that were derived for this state, a bit each.
    derived: u16,
    fault: Option<Fault>,
    legal: LegalMoves,
    legal_is_known: bool,
    moves: Moves,
    percepts: PerceptNames,
    joint: Vec<MoveId>,
    row: Vec<u32>,
}

impl CompiledWalker {
    pub(super) fn new(rules: Arc<Rules>) -> Self {
        let mut walker = Self {
            memory: Memory::new(&rules.code, rules.terms.clone()),
            derived: 0,
            fault: None,
            legal: LegalMoves::new(),
            legal_is_known: false,
            moves: Moves::new(&rules),
            percepts: PerceptNames::new(&rules.program, rules.facts.roles.len()),
            joint: Vec::new(),
            row: Vec::new(),
            rules,
        };
        let initial = walker.rules.initial.clone();
        walker.enter(&initial);
        walker
    }

    /// Forgets what was derived for the state.
    fn leave(&mut self) {
        self.derived = 0;
        self.fault = None;
        self.legal_is_known = false;
        self.memory.forget();
        let Memory {
            containers, bits, ..
        } = &mut self.memory;
        let emptied = self.rules.code.emptied;
        bits[emptied.start as usize..emptied.end as usize].fill(0);
        for &relation in &self.rules.apart {
            containers[relation].clear();
            let views = self.rules.code.layouts[relation].views.iter();
            views.for_each(|view| view.clear(bits));
        }
    }

    fn enter(&mut self, state: &State) {
        self.leave();
        let rules = &*self.rules;
        for fluent in &rules.program.fluents {
            let holds = fluent.holds.index();
            self.memory.containers[holds].clear();
            let views = rules.code.layouts[holds].views.iter();
            views.for_each(|view| view.clear(&mut self.memory.bits));
        }
        rules.load(state, &mut self.memory);
    }

    /// Goes to the state that was derived.
    fn enter_successor(&mut self) {
        let rules = &*self.rules;
        let Memory {
            containers, bits, ..
        } = &mut self.memory;
        let code = &rules.code;
        for fluent in &rules.program.fluents {
            let (holds, next) = (fluent.holds.index(), fluent.next.index());
            let layout = &code.layouts[holds];
            if let (Some(now), Some(then)) =
                (layout.views.first(), code.layouts[next].views.first())
            {
                now.copy(then, bits);
                layout.follow(bits);
            } else if code.is_fixed[next] {
                containers[holds].clear();
                for row in code.fixed[next].flat().chunks_exact(layout.arity) {
                    containers[holds].insert(layout, &code.tables, row.iter().copied());
                }
            } else if let Ok([now, then]) = containers.get_disjoint_mut([holds, next]) {
                now.take(then, layout, &code.tables);
            }
        }
        self.leave();
    }

    /// Derives what a question needs and was not derived for this state.
    fn answer(&mut self, question: u8) {
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
        if self.fault.is_none() {
            self.fault = self.memory.exhausted().map(fault);
        }
    }

    fn find_legal(&mut self) {
        self.answer(LEGAL);
        self.legal.clear();
        if self.fault.is_some() {
            let roles = 0..self.rules.facts.roles.len();
            roles.for_each(|_| self.legal.end_role());
            return;
        }
        let found = self.moves.legal(&self.rules, &self.memory, &mut self.legal);
        if let Err(limit) = found {
            self.fault = Some(limit);
        }
    }

    /// Puts the moves being made in the relations of `does`.
    fn make_moves(&mut self) {
        for (role, &id) in self.joint.iter().enumerate().take(self.rules.roles.len()) {
            self.moves.make(&self.rules, &mut self.memory, role, id);
        }
    }

    fn collect_percepts(&mut self) {
        self.percepts.clear();
        let rules = &*self.rules;
        if rules.program.percepts.is_empty() {
            return;
        }
        for (kind, shape) in rules.program.percepts.iter().enumerate() {
            let sees = shape.sees;
            rules.each_row(sees.index(), &self.memory, &mut self.row, |_, row| {
                let Some(role) = rules.role(row[0]) else {
                    return;
                };
                let terms = &self.memory.terms;
                let write = |text: &mut String| {
                    rules.texts.write_after_role(sees, &row[1..], terms, text);
                };
                let told = self
                    .percepts
                    .tell(role, kind, &row[1..], &rules.percepts, write);
                if let Err(full) = told {
                    self.fault = Some(full);
                }
            });
        }
        self.percepts.sort(&rules.percepts);
    }
}

impl Walker for CompiledWalker {
    type State = State;

    fn jump(&mut self, state: &State) {
        let terms = &mut self.memory.terms;
        if self.rules.has_terms && state.cells().iter().any(|&cell| !terms.knows(cell)) {
            terms.catch_up();
        }
        self.percepts.clear();
        self.enter(state);
    }

    fn save(&self, into: &mut State) {
        self.rules.save(&self.memory, into);
    }

    fn hash64(&self) -> u64 {
        self.rules.hash64(&self.memory)
    }

    fn is_terminal(&mut self) -> bool {
        self.answer(TERMINAL);
        let rules = &self.rules;
        self.fault.is_some()
            || rules
                .terminal
                .is_some_and(|terminal| !rules.is_empty(terminal, &self.memory))
    }

    fn legal(&mut self) -> &LegalMoves {
        if !self.legal_is_known {
            self.legal_is_known = true;
            self.find_legal();
        }
        &self.legal
    }

    fn draw(&mut self, chance: &mut Chance, joint: &mut Vec<MoveId>) -> Result<(), RoleId> {
        if !self.legal_is_known {
            self.answer(LEGAL);
            if self.fault.is_none() && self.moves.collect(&self.rules, &self.memory) {
                return self.moves.draw(chance, joint);
            }
        }
        self.legal().draw(chance, joint)
    }

    fn goal(&mut self, role: RoleId) -> Goal {
        self.answer(GOAL);
        let rules = &self.rules;
        let Some(relation) = rules.goal.filter(|_| self.fault.is_none()) else {
            return Goal::None;
        };
        let mut goal = Goal::None;
        rules.each_row(relation, &self.memory, &mut self.row, |_, row| {
            let value = rules.number_of.get(row[1] as usize).copied().flatten();
            if let Some(value) = value.filter(|_| rules.role(row[0]) == Some(role)) {
                goal = goal.and(value);
            }
        });
        goal
    }

    fn advance(&mut self, joint: &[MoveId], chance: &mut Chance) {
        if self.fault.is_some() {
            return;
        }
        let mut resolved = std::mem::take(&mut self.joint);
        resolve(self, joint, chance, &mut resolved);
        self.joint = resolved;
        self.make_moves();
        self.answer(SUCCESSOR);
        self.collect_percepts();
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
