//! One thread's position in a game of an engine that derives rows.

use std::sync::Arc;

use paidia_game::{Chance, Fault, Goal, LegalMoves, MoveId, PerceptId, RoleId, Walker};
use paidia_gdl::datalog::Terms;
use paidia_gdl::keyword::Keyword;
use paidia_gdl::program::MoveKind;

use super::{Basis, Deduction, Question, State, mix};
use crate::names::{MoveNames, PerceptNames, resolve};
use crate::shapes::read_ground;

/// One thread's position in a game of an engine that derives rows.
pub struct RowWalker<D> {
    basis: Arc<Basis>,
    pub(crate) deduction: D,
    fault: Option<Fault>,
    legal: LegalMoves,
    legal_is_known: bool,
    names: MoveNames,
    /// For each role, its moves as they are found.
    found: Vec<Vec<MoveId>>,
    percepts: PerceptNames,
    joint: Vec<MoveId>,
    next: State,
    row: Vec<u32>,
}

impl<D: Deduction> RowWalker<D> {
    /// A walker in the first state.
    pub(crate) fn new(basis: Arc<Basis>, deduction: D) -> Self {
        let program = &basis.program;
        let moves = program.moves.iter().map(|kind| kind.legal);
        let after_role = |relation| program.relation(relation).arity - 1;
        let roles = basis.facts.roles.len();
        let mut walker = Self {
            names: MoveNames::new(moves.map(after_role)),
            deduction,
            fault: None,
            legal: LegalMoves::new(),
            legal_is_known: false,
            found: vec![Vec::new(); roles],
            percepts: PerceptNames::new(program, roles),
            joint: Vec::new(),
            next: State::default(),
            row: Vec::new(),
            basis,
        };
        let initial = walker.basis.initial.clone();
        walker.enter(&initial);
        walker
    }

    fn enter(&mut self, state: &State) {
        self.fault = None;
        self.legal_is_known = false;
        self.deduction.enter(state);
    }

    /// Has a question answered; whether no limit was reached.
    fn ask(&mut self, question: Question) -> bool {
        if self.fault.is_none() {
            self.fault = self.deduction.answer(question).err();
        }
        self.fault.is_none()
    }

    fn find_legal(&mut self) {
        self.found.iter_mut().for_each(Vec::clear);
        self.legal.clear();
        if self.ask(Question::Legal) {
            self.fault = self.collect_legal().err();
        }
        for moves in &mut self.found {
            self.names
                .push_sorted(moves, &self.basis.moves, &mut self.legal);
        }
    }

    fn collect_legal(&mut self) -> Result<(), Fault> {
        let basis = &*self.basis;
        let terms = self.deduction.terms();
        for (kind, shape) in basis.program.moves.iter().enumerate() {
            for row in self.deduction.rows(shape.legal).iter() {
                let Some(role) = basis.role(row[0]) else {
                    continue;
                };
                let write = |text: &mut String| {
                    terms.write_row(shape.functor, &row[1..], &basis.program.symbols, text);
                };
                let id = self.names.id(kind, &row[1..], &basis.moves, write)?;
                self.found[role.index()].push(id);
            }
        }
        Ok(())
    }

    /// Tells the deduction which moves are made.
    fn make_moves(&mut self) {
        let basis = &*self.basis;
        for (&role, &id) in basis.roles.iter().zip(&self.joint) {
            let terms = self.deduction.terms_mut();
            let read = |text: &str| read_move(text, basis, terms);
            let Some((kind, rest)) = self.names.row(id, &basis.moves, read) else {
                continue;
            };
            self.row.clear();
            self.row.push(role);
            self.row.extend_from_slice(rest);
            let does = basis.program.moves[kind].does;
            self.deduction.make_move(does, &self.row);
        }
    }

    /// Derives what holds after a joint move, and what is seen of it; whether no limit was reached.
    pub(crate) fn derive_successor(&mut self, joint: &[MoveId], chance: &mut Chance) -> bool {
        let mut resolved = std::mem::take(&mut self.joint);
        resolve(self, joint, chance, &mut resolved);
        self.joint = resolved;
        self.make_moves();
        self.ask(Question::Successor)
    }

    /// Goes to the state that was derived.
    pub(crate) fn enter_successor(&mut self) {
        let mut next = std::mem::take(&mut self.next);
        next.clear();
        for fluent in &self.basis.program.fluents {
            next.push(self.deduction.rows(fluent.next));
        }
        self.enter(&next);
        self.next = next;
    }

    fn collect_percepts(&mut self) -> Result<(), Fault> {
        self.percepts.clear();
        let (basis, terms) = (&*self.basis, self.deduction.terms());
        for (kind, shape) in basis.program.percepts.iter().enumerate() {
            for row in self.deduction.rows(shape.sees).iter() {
                let Some(role) = basis.role(row[0]) else {
                    continue;
                };
                let write = |text: &mut String| {
                    terms.write_row(shape.functor, &row[1..], &basis.program.symbols, text);
                };
                self.percepts
                    .tell(role, kind, &row[1..], &basis.percepts, write)?;
            }
        }
        self.percepts.sort(&basis.percepts);
        Ok(())
    }
}

impl<D: Deduction> Walker for RowWalker<D> {
    type State = State;

    fn jump(&mut self, state: &State) {
        let terms = self.deduction.terms_mut();
        if state.cells().iter().any(|&cell| !terms.knows(cell)) {
            terms.catch_up();
        }
        self.percepts.clear();
        self.enter(state);
    }

    fn save(&self, into: &mut State) {
        into.clear();
        for fluent in &self.basis.program.fluents {
            into.push_sorted(self.deduction.rows(fluent.holds));
        }
    }

    fn hash64(&self) -> u64 {
        let mut hash = 0u64;
        for (kind, fluent) in self.basis.program.fluents.iter().enumerate() {
            for row in self.deduction.rows(fluent.holds).iter() {
                // A sum of mixed row hashes does not depend on the order of the rows.
                hash = hash.wrapping_add(mix(kind as u64, row));
            }
        }
        hash
    }

    fn is_terminal(&mut self) -> bool {
        if !self.ask(Question::Terminal) {
            return true;
        }
        let terminal = self.basis.program.keyword(Keyword::Terminal);
        terminal.is_some_and(|relation| self.deduction.rows(relation).count > 0)
    }

    fn legal(&mut self) -> &LegalMoves {
        if !self.legal_is_known {
            self.legal_is_known = true;
            self.find_legal();
        }
        &self.legal
    }

    fn goal(&mut self, role: RoleId) -> Goal {
        let relation = self.basis.program.keyword(Keyword::Goal);
        let Some(relation) = relation.filter(|_| self.ask(Question::Goal)) else {
            return Goal::None;
        };
        let mut goal = Goal::None;
        for row in self.deduction.rows(relation).iter() {
            if self.basis.role(row[0]) == Some(role)
                && let Some(value) = self.basis.number(row[1])
            {
                goal = goal.and(value);
            }
        }
        goal
    }

    fn advance(&mut self, joint: &[MoveId], chance: &mut Chance) {
        if self.fault.is_some() || !self.derive_successor(joint, chance) {
            return;
        }
        match self.collect_percepts() {
            Ok(()) => self.enter_successor(),
            Err(fault) => self.fault = Some(fault),
        }
    }

    fn percepts(&self, role: RoleId) -> &[PerceptId] {
        self.percepts.of(role)
    }

    fn fault(&self) -> Option<&Fault> {
        self.fault.as_ref()
    }
}

/// The kind and row of a move by its text.
fn read_move(text: &str, basis: &Basis, terms: &mut Terms) -> Option<(usize, Vec<u32>)> {
    let program = &basis.program;
    let ground = read_ground(text, &program.symbols, terms).ok()?;
    let (functor, row) = ground.into_row();
    let fits = |kind: &MoveKind| {
        kind.functor == functor && program.relation(kind.legal).arity == row.len() + 1
    };
    let kind = program.moves.iter().position(fits)?;
    Some((kind, row))
}
