//! One thread's position in a game of the reference engine.

use std::sync::Arc;

use paidia_game::{Chance, Fault, Goal, LegalMoves, MoveId, PerceptId, RoleId, Walker};
use paidia_gdl::datalog::{Machine, Terms};
use paidia_gdl::keyword::Keyword;

use super::{Queries, Query, Rules, State, fault};
use crate::names::MoveNames;
use crate::shapes::{Ground, read_ground};

/// One thread's position in a game of the [reference engine](super::Reference).
pub struct ReferenceWalker {
    pub(super) rules: Arc<Rules>,
    pub(super) machine: Machine,
    /// For each component, the position (counted by `position`) for which it was evaluated.
    evaluated: Vec<u64>,
    position: u64,
    /// For each component, the rows that were looked at to evaluate it.
    pub(super) costs: Vec<u64>,
    /// The component that was evaluated last.
    pub(super) latest: usize,
    fault: Option<Fault>,
    legal: LegalMoves,
    legal_position: u64,
    names: MoveNames,
    /// For each role, its moves as they are found.
    found: Vec<Vec<MoveId>>,
    percepts: Vec<Vec<PerceptId>>,
    joint: Vec<MoveId>,
    next: State,
    text: String,
}

impl ReferenceWalker {
    pub(super) fn new(rules: Arc<Rules>) -> Self {
        let kinds = &rules.program.moves;
        let arity =
            |kind: &paidia_gdl::program::MoveKind| rules.program.relation(kind.legal).arity - 1;
        let names = MoveNames::new(kinds.iter().map(arity));
        let roles = rules.facts.roles.len();
        let mut walker = Self {
            machine: rules.base.clone(),
            evaluated: vec![0; rules.plans.len()],
            position: 0,
            costs: vec![0; rules.plans.len()],
            latest: 0,
            fault: None,
            legal: LegalMoves::new(),
            legal_position: 0,
            names,
            found: vec![Vec::new(); roles],
            percepts: vec![Vec::new(); roles],
            joint: Vec::new(),
            next: State::default(),
            text: String::new(),
            rules,
        };
        let initial = walker.rules.initial.clone();
        walker.enter(&initial);
        walker
    }

    /// Empties what changes between states and puts a state's facts in.
    fn enter(&mut self, state: &State) {
        self.position += 1;
        self.fault = None;
        let rules = Arc::clone(&self.rules);
        for &relation in &rules.changing {
            self.machine.tables[relation.index()].clear();
        }
        self.machine.forget_calls();
        self.machine.restart_count(0);
        state.each_kind(&rules.program, |kind, rows| {
            let holds = rules.program.fluents[kind].holds;
            for row in rows {
                self.machine.insert(holds, row);
            }
        });
    }

    /// Evaluates what a query needs and has not been evaluated for this position.
    fn answer(&mut self, query: impl Fn(&Queries) -> &Query) {
        let rules = Arc::clone(&self.rules);
        for &component in query(&rules.queries) {
            if self.fault.is_some() {
                return;
            }
            if self.evaluated[component] != self.position {
                self.evaluated[component] = self.position;
                let before = self.machine.steps();
                self.latest = component;
                self.machine.evaluate(&rules.plans[component]);
                self.costs[component] += self.machine.steps() - before;
                self.fault = self.machine.exhausted().map(fault);
            }
        }
    }

    fn find_legal(&mut self) {
        self.answer(|queries| &queries.legal);
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
            let table = &self.machine.tables[shape.legal.index()];
            for number in 0..table.len() {
                let row = table.row(number);
                let Some(role) = rules.role_of.get(row[0] as usize).copied().flatten() else {
                    continue;
                };
                let write = |text: &mut String| {
                    let symbols = &rules.program.symbols;
                    let terms = &self.machine.terms;
                    terms.write_row(shape.functor, &row[1..], symbols, text);
                };
                match self.names.id(kind, &row[1..], &rules.moves, write) {
                    Ok(id) => self.found[role.index()].push(id),
                    Err(limit) => {
                        self.fault = Some(limit);
                        return;
                    }
                }
            }
        }
    }

    /// Puts the moves being made in the tables of `does`.
    fn make_moves(&mut self) {
        let rules = Arc::clone(&self.rules);
        let Some(role_relation) = rules.program.keyword(Keyword::Role) else {
            return;
        };
        for (index, &id) in self.joint.iter().enumerate().take(rules.facts.roles.len()) {
            let role = self.machine.tables[role_relation.index()].row(index as u32)[0];
            let terms = &mut self.machine.terms;
            let read = |text: &str| read_move(text, &rules, terms);
            let Some((kind, rest)) = self.names.row(id, &rules.moves, read) else {
                continue;
            };
            let mut row = vec![role];
            row.extend_from_slice(rest);
            self.machine.insert(rules.program.moves[kind].does, &row);
        }
    }

    /// Derives what holds after a joint move, and what is seen of it.
    pub(super) fn derive_successor(&mut self, joint: &[MoveId], chance: &mut Chance) {
        let mut resolved = std::mem::take(&mut self.joint);
        if joint.contains(&MoveId::CHANCE) {
            self.legal().resolve(joint, chance, &mut resolved);
        } else {
            resolved.clear();
            resolved.extend_from_slice(joint);
        }
        self.joint = resolved;
        self.make_moves();
        self.answer(|queries| &queries.successor);
    }

    /// Goes to the state that was derived.
    pub(super) fn enter_successor(&mut self) {
        let mut next = std::mem::take(&mut self.next);
        next.cells.clear();
        for fluent in &self.rules.program.fluents {
            let table = &self.machine.tables[fluent.next.index()];
            next.cells.push(table.len());
            next.cells.extend_from_slice(table.flat());
        }
        self.enter(&next);
        self.next = next;
    }

    fn collect_percepts(&mut self) {
        let rules = Arc::clone(&self.rules);
        for kind in &rules.program.percepts {
            let table = &self.machine.tables[kind.sees.index()];
            for row in table.iter() {
                let Some(role) = rules.role_of.get(row[0] as usize).copied().flatten() else {
                    continue;
                };
                self.text.clear();
                self.machine.terms.write_row(
                    kind.functor,
                    &row[1..],
                    &rules.program.symbols,
                    &mut self.text,
                );
                match rules.percepts.intern(&self.text) {
                    Ok(id) => self.percepts[role.index()].push(id),
                    Err(full) => {
                        let resource = paidia_game::Resource::Percepts;
                        self.fault = Some(Fault {
                            resource,
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

impl Walker for ReferenceWalker {
    type State = State;

    fn jump(&mut self, state: &State) {
        if state
            .cells
            .iter()
            .any(|&cell| !self.machine.terms.knows(cell))
        {
            self.machine.terms.catch_up();
        }
        self.percepts.iter_mut().for_each(Vec::clear);
        self.enter(state);
    }

    fn save(&self, into: &mut State) {
        into.cells.clear();
        for fluent in &self.rules.program.fluents {
            into.push_rows(&self.machine.tables[fluent.holds.index()]);
        }
    }

    fn hash64(&self) -> u64 {
        let mut hash = 0u64;
        for (kind, fluent) in self.rules.program.fluents.iter().enumerate() {
            for row in self.machine.tables[fluent.holds.index()].iter() {
                // A sum of mixed row hashes does not depend on the order of the rows.
                hash = hash.wrapping_add(mix(kind as u64, row));
            }
        }
        hash
    }

    fn is_terminal(&mut self) -> bool {
        self.answer(|queries| &queries.terminal);
        let terminal = self.rules.program.keyword(Keyword::Terminal);
        self.fault.is_some()
            || terminal.is_some_and(|relation| !self.machine.tables[relation.index()].is_empty())
    }

    fn legal(&mut self) -> &LegalMoves {
        if self.legal_position != self.position {
            self.legal_position = self.position;
            self.find_legal();
        }
        &self.legal
    }

    fn goal(&mut self, role: RoleId) -> Goal {
        self.answer(|queries| &queries.goal);
        let Some(relation) = self.rules.program.keyword(Keyword::Goal) else {
            return Goal::None;
        };
        if self.fault.is_some() {
            return Goal::None;
        }
        let mut goal = Goal::None;
        for row in self.machine.tables[relation.index()].iter() {
            if self.rules.role_of.get(row[0] as usize) == Some(&Some(role)) {
                let Some(value) = self.rules.number_of.get(row[1] as usize).copied().flatten()
                else {
                    continue;
                };
                goal = goal.and(value);
            }
        }
        goal
    }

    fn advance(&mut self, joint: &[MoveId], chance: &mut Chance) {
        if self.fault.is_none() {
            self.derive_successor(joint, chance);
            self.percepts.iter_mut().for_each(Vec::clear);
            self.collect_percepts();
        }
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

/// The kind and row of a move by its text.
fn read_move(text: &str, rules: &Rules, terms: &mut Terms) -> Option<(usize, Vec<u32>)> {
    let (functor, row) = match read_ground(text, &rules.program.symbols, terms).ok()? {
        Ground::Constant(symbol) => (None, vec![symbol]),
        Ground::Compound(functor, args) => (Some(functor), args),
    };
    let fits = |kind: &paidia_gdl::program::MoveKind| {
        kind.functor == functor && rules.program.relation(kind.legal).arity == row.len() + 1
    };
    let kind = rules.program.moves.iter().position(fits)?;
    Some((kind, row))
}

/// A number for a row of a kind, to be added up with those of other rows.
pub(crate) fn mix(kind: u64, row: &[u32]) -> u64 {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut state = kind.wrapping_mul(FACTOR) ^ FACTOR;
    for &value in row {
        state = (state.rotate_left(29) ^ u64::from(value)).wrapping_mul(FACTOR);
    }
    state ^ (state >> 32)
}
