//! One thread's position in a game of the compiled engine.

use std::sync::Arc;

use paidia_game::{Chance, Fault, Goal, LegalMoves, MoveId, PerceptId, Resource, RoleId, Walker};

use super::compile::questions::{GOAL, LEGAL, SUCCESSOR, TERMINAL};
use super::container::Radix;
use super::machine::{Machine, Memory};
use super::{Rules, State};
use crate::names::{MoveNames, RowIds};
use crate::rows::{fault, mix};

/// One thread's position in a game of [`super::Compiled`].
pub struct CompiledWalker {
    rules: Arc<Rules>,
    memory: Memory,
    /// The segments that were derived for this state, a bit each.
    derived: u16,
    fault: Option<Fault>,
    legal: LegalMoves,
    legal_is_known: bool,
    names: MoveNames,
    /// For each kind of move and place of a legal one, the id of the move; nothing for kinds with too many places.
    known: Vec<Vec<MoveId>>,
    /// For each role, its moves as they are found.
    found: Vec<Vec<MoveId>>,
    percepts: Vec<Vec<PerceptId>>,
    /// The percepts that were met, by kind and row.
    seen: RowIds<PerceptId>,
    joint: Vec<MoveId>,
    text: String,
    row: Vec<u32>,
}

/// No move that has been met.
const UNKNOWN: MoveId = MoveId::CHANCE;

/// The most places of legal moves for which ids are kept in an array.
const KNOWN_PLACES: usize = 1 << 16;

impl CompiledWalker {
    pub(super) fn new(rules: Arc<Rules>) -> Self {
        let kinds = rules.program.moves.iter();
        let names = MoveNames::new(kinds.map(|kind| rules.program.relation(kind.legal).arity - 1));
        let sees = rules.program.percepts.iter();
        let roles = rules.facts.roles.len();
        let mut walker = Self {
            memory: Memory::new(&rules.code, rules.terms.clone()),
            derived: 0,
            fault: None,
            legal: LegalMoves::new(),
            legal_is_known: false,
            names,
            found: vec![Vec::new(); roles],
            percepts: vec![Vec::new(); roles],
            seen: RowIds::new(sees.map(|kind| rules.program.relation(kind.sees).arity - 1)),
            joint: Vec::new(),
            text: String::new(),
            row: Vec::new(),
            known: known_moves(&rules),
            rules,
        };
        let initial = walker.rules.initial.clone();
        walker.enter(&initial);
        walker
    }

    /// Forgets the state and what was derived for it.
    fn leave(&mut self) {
        self.derived = 0;
        self.fault = None;
        self.legal_is_known = false;
        self.memory.forget();
    }

    fn enter(&mut self, state: &State) {
        self.leave();
        let rules = &*self.rules;
        for relation in &rules.code.changing {
            self.memory.containers[relation.index()].clear(&mut self.memory.bits);
        }
        let Memory {
            containers, bits, ..
        } = &mut self.memory;
        rules.each_row(state, &mut self.row, |kind, row| {
            let holds = rules.program.fluents[kind].holds.index();
            let layout = &rules.code.layouts[holds];
            containers[holds].insert(layout, &rules.code.pool, bits, row);
        });
    }

    /// Goes to the state that was derived.
    fn enter_successor(&mut self) {
        self.leave();
        let rules = &*self.rules;
        let Memory {
            containers, bits, ..
        } = &mut self.memory;
        let pool = &rules.code.pool;
        for fluent in &rules.program.fluents {
            let (holds, next) = (fluent.holds.index(), fluent.next.index());
            let layouts = [holds, next].map(|relation| &rules.code.layouts[relation]);
            if rules.code.is_fixed[next] {
                let rows = rules.code.fixed[next].flat().chunks_exact(layouts[0].arity);
                containers[holds].clear(bits);
                rows.for_each(|row| {
                    containers[holds].insert(layouts[0], pool, bits, row);
                });
            } else if let Ok([now, then]) = containers.get_disjoint_mut([holds, next]) {
                now.take(then, layouts, pool, bits);
            }
        }
        for &relation in &rules.transient {
            containers[relation].clear(bits);
        }
    }

    /// Derives what a question needs and was not derived for this state.
    fn answer(&mut self, question: u8) {
        let code = &self.rules.code;
        for (number, segment) in code.segments.iter().enumerate() {
            if segment.questions & question == 0 || self.derived >> number & 1 == 1 {
                continue;
            }
            self.derived |= 1 << number;
            let memory = &mut self.memory;
            Machine { code, memory }.run(segment.entry);
        }
        if self.fault.is_none() {
            self.fault = self.memory.exhausted().map(fault);
        }
    }

    fn find_legal(&mut self) {
        self.answer(LEGAL);
        self.found.iter_mut().for_each(Vec::clear);
        self.legal.clear();
        if self.fault.is_none() {
            self.collect_legal();
        }
        for moves in &mut self.found {
            self.names
                .push_sorted(moves, &self.rules.moves, &mut self.legal);
        }
    }

    fn collect_legal(&mut self) {
        let rules = Arc::clone(&self.rules);
        for (kind, shape) in rules.program.moves.iter().enumerate() {
            let relation = shape.legal.index();
            let container = rules.container(relation, &self.memory);
            let layout = &rules.code.layouts[relation];
            let rows = container.flat().chunks_exact(layout.arity);
            let places = container.places().filter(|_| !self.known[kind].is_empty());
            let start = layout.members.as_ref().map_or(0, Radix::start);
            for (number, row) in rows.enumerate() {
                let place = places.map(|places| (places[number] - start) as usize);
                let known = place.map_or(UNKNOWN, |place| self.known[kind][place]);
                let Some(role) = rules.role(row[0]) else {
                    continue;
                };
                let id = match known {
                    UNKNOWN => self.names.id(kind, &row[1..], &rules.moves, |text| {
                        let terms = &self.memory.terms;
                        rules
                            .texts
                            .write_after_role(shape.legal, &row[1..], terms, text);
                    }),
                    id => Ok(id),
                };
                match id {
                    Ok(id) => {
                        self.found[role.index()].push(id);
                        if let Some(place) = place {
                            self.known[kind][place] = id;
                        }
                    }
                    Err(limit) => {
                        self.fault = Some(limit);
                        return;
                    }
                }
            }
        }
    }

    /// Puts the moves being made in the containers of `does`.
    fn make_moves(&mut self) {
        let rules = &*self.rules;
        for (&role, &id) in rules.roles.iter().zip(&self.joint) {
            let terms = &mut self.memory.terms;
            let read = |text: &str| rules.texts.read_move(text, terms).ok();
            let Some((kind, rest)) = self.names.row(id, &rules.moves, read) else {
                continue;
            };
            let does = rules.program.moves[kind].does.index();
            self.row.clear();
            self.row.push(role);
            self.row.extend_from_slice(rest);
            let Memory {
                containers, bits, ..
            } = &mut self.memory;
            let layout = &rules.code.layouts[does];
            containers[does].insert(layout, &rules.code.pool, bits, &self.row);
        }
    }

    fn collect_percepts(&mut self) {
        self.percepts.iter_mut().for_each(Vec::clear);
        let rules = &*self.rules;
        for (kind, shape) in rules.program.percepts.iter().enumerate() {
            let sees = shape.sees;
            let rows = rules.container(sees.index(), &self.memory).flat();
            for row in rows.chunks_exact(rules.code.layouts[sees.index()].arity) {
                let Some(role) = rules.role(row[0]) else {
                    continue;
                };
                let known = self.seen.find(kind, &row[1..]);
                let id = known.map_or_else(
                    || {
                        self.text.clear();
                        let (terms, text) = (&self.memory.terms, &mut self.text);
                        rules.texts.write_after_role(sees, &row[1..], terms, text);
                        rules.percepts.intern(text)
                    },
                    Ok,
                );
                match id {
                    Ok(id) => {
                        self.percepts[role.index()].push(id);
                        if known.is_none() {
                            self.seen.add(kind, &row[1..], id);
                        }
                    }
                    Err(full) => {
                        self.fault = Some(Fault {
                            resource: Resource::Percepts,
                            limit: u64::from(full.limit),
                        });
                    }
                }
            }
        }
        for percepts in &mut self.percepts {
            rules.percepts.sort(percepts);
            percepts.dedup();
        }
    }
}

/// Room for the ids of legal moves by their places.
fn known_moves(rules: &Rules) -> Vec<Vec<MoveId>> {
    let kinds = rules.program.moves.iter();
    let places = kinds.map(|kind| {
        let members = rules.code.layouts[kind.legal.index()].members.as_ref();
        let size = members.map_or(0, Radix::size);
        vec![UNKNOWN; if size <= KNOWN_PLACES { size } else { 0 }]
    });
    places.collect()
}

impl Walker for CompiledWalker {
    type State = State;

    fn jump(&mut self, state: &State) {
        let terms = &mut self.memory.terms;
        if self.rules.has_terms && state.cells().iter().any(|&cell| !terms.knows(cell)) {
            terms.catch_up();
        }
        self.percepts.iter_mut().for_each(Vec::clear);
        self.enter(state);
    }

    fn save(&self, into: &mut State) {
        into.clear();
        for fluent in &self.rules.program.fluents {
            let holds = fluent.holds.index();
            let arity = self.rules.code.layouts[holds].arity;
            into.push(&self.memory.containers[holds], arity);
        }
    }

    fn hash64(&self) -> u64 {
        let mut hash = 0u64;
        for (kind, fluent) in self.rules.program.fluents.iter().enumerate() {
            let holds = fluent.holds.index();
            let container = &self.memory.containers[holds];
            // A sum of mixed hashes does not depend on the order of the facts.
            let (facts, arity) = match container.places() {
                Some(places) => (places, 1),
                None => (container.flat(), self.rules.code.layouts[holds].arity),
            };
            for fact in facts.chunks_exact(arity) {
                hash = hash.wrapping_add(mix(kind as u64, fact));
            }
        }
        hash
    }

    fn is_terminal(&mut self) -> bool {
        self.answer(TERMINAL);
        let rules = &self.rules;
        self.fault.is_some()
            || rules
                .terminal
                .is_some_and(|terminal| rules.container(terminal, &self.memory).len() > 0)
    }

    fn legal(&mut self) -> &LegalMoves {
        if !self.legal_is_known {
            self.legal_is_known = true;
            self.find_legal();
        }
        &self.legal
    }

    fn goal(&mut self, role: RoleId) -> Goal {
        self.answer(GOAL);
        let rules = &self.rules;
        let Some(relation) = rules.goal.filter(|_| self.fault.is_none()) else {
            return Goal::None;
        };
        let mut goal = Goal::None;
        let rows = rules.container(relation, &self.memory).flat();
        for row in rows.chunks_exact(rules.code.layouts[relation].arity) {
            let value = rules.number_of.get(row[1] as usize).copied().flatten();
            if let Some(value) = value.filter(|_| rules.role(row[0]) == Some(role)) {
                goal = goal.and(value);
            }
        }
        goal
    }

    fn advance(&mut self, joint: &[MoveId], chance: &mut Chance) {
        if self.fault.is_some() {
            return;
        }
        let mut resolved = std::mem::take(&mut self.joint);
        if joint.contains(&MoveId::CHANCE) {
            self.legal().resolve(joint, chance, &mut resolved);
        } else {
            resolved.clear();
            resolved.extend_from_slice(joint);
        }
        self.joint = resolved;
        self.make_moves();
        self.answer(SUCCESSOR);
        self.collect_percepts();
        if self.fault.is_none() {
            self.enter_successor();
        }
    }

    fn percepts(&self, role: RoleId) -> &[PerceptId] {
        self.percepts.get(role.index()).map_or(&[], Vec::as_slice)
    }

    fn fault(&self) -> Option<&Fault> {
        self.fault.as_ref()
    }
}
