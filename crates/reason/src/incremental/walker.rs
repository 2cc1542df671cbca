//! One thread's position in a game whose model is updated.

use std::ops::Range;
use std::sync::Arc;

use paidia_game::{Chance, Fault, Goal, LegalMoves, MoveId, PerceptId, RoleId, Walker};
use paidia_gdl::grounding::AtomId;

use super::model::{Model, Work};
use super::{Question, Rules};
use crate::bits::{self, Bits, State};
use crate::ground::NO_MOVE;

/// One thread's position in a game of [`super::Incremental`].
#[derive(Clone)]
pub struct IncrementalWalker {
    rules: Arc<Rules>,
    model: Model,
    /// For each role, the place of the move that the model was last told of.
    doing: Vec<u32>,
    legal: LegalMoves,
    legal_is_known: bool,
    percepts: Vec<Vec<PerceptId>>,
    /// What holds after the move, while it becomes what holds.
    next: Vec<u64>,
}

impl IncrementalWalker {
    pub(super) fn new(rules: Arc<Rules>) -> Self {
        let roles = rules.roles.len();
        Self {
            model: rules.model.clone(),
            doing: vec![NO_MOVE; roles],
            legal: LegalMoves::new(),
            legal_is_known: false,
            percepts: vec![Vec::new(); roles],
            next: Vec::new(),
            rules,
        }
    }

    /// How much this walker has done so far, and the loading of its game with it.
    pub fn work(&self) -> Work {
        self.model.work()
    }

    /// The values of atoms in a row.
    fn words(&self, row: &Range<usize>) -> impl Iterator<Item = u64> {
        self.model.words(row.clone()).iter().copied()
    }

    fn answer(&mut self, question: Question) {
        self.model.answer(&self.rules.stratified, question);
    }

    /// Brings everything up to date after a change, unless that is left to the questions.
    fn arrive(&mut self) {
        if !self.rules.stratified.options.lazy {
            // Everything is needed by every question then.
            self.answer(Question::Terminal);
        }
    }

    /// Sets the fluents of one word.
    #[inline]
    fn set_fluents(&mut self, place: usize, word: u64) {
        let before = self.model.words(place..place + 1)[0];
        for bit in Bits(before ^ word) {
            let fluent = (place * 64 + bit) as AtomId;
            self.model
                .flip(&self.rules.stratified, fluent, word >> bit & 1 == 1);
        }
    }

    /// Makes what holds after the move hold now. As fluents change, what holds after the move may
    /// at once.
    fn enter_successor(&mut self) {
        let mut next = std::mem::take(&mut self.next);
        next.clear();
        next.extend_from_slice(self.model.words(self.rules.layout.next.clone()));
        for (place, &word) in next.iter().enumerate() {
            self.set_fluents(place, word);
        }
        self.next = next;
    }

    /// Draws a legal move of a role as [`Chance::pick`] does from the list of them; its place.
    fn draw_place(&self, role: usize, chance: &mut Chance) -> Option<u32> {
        let row = &self.rules.layout.legal[role];
        bits::draw(|| self.words(row), chance)
    }

    /// The place, among the role's moves, of the move that it makes.
    fn place(&mut self, role: usize, id: MoveId, chance: &mut Chance) -> u32 {
        if id == MoveId::CHANCE {
            self.answer(Question::Legal);
            return self.draw_place(role, chance).unwrap_or(NO_MOVE);
        }
        self.rules.roles[role].place(id.0)
    }

    /// Tells the model which move a role makes.
    fn make(&mut self, role: usize, place: u32) {
        let before = std::mem::replace(&mut self.doing[role], place);
        if before == place {
            return;
        }
        let (stratified, first) = (&self.rules.stratified, self.rules.layout.does[role]);
        if before != NO_MOVE {
            self.model.flip(stratified, first + before, false);
        }
        if place != NO_MOVE {
            self.model.flip(stratified, first + place, true);
        }
    }

    fn collect_percepts(&mut self) {
        let rules = &self.rules;
        for (index, percepts) in self.percepts.iter_mut().enumerate() {
            let told = &rules.roles[index].percepts;
            let words = self.model.words(rules.layout.sees[index].clone());
            percepts.clear();
            for (&word, first) in words.iter().zip((0..).step_by(64)) {
                percepts.extend(Bits(word).map(|bit| told[first + bit]));
            }
        }
    }

    fn find_legal(&mut self) {
        self.answer(Question::Legal);
        self.legal.clear();
        let rules = &self.rules;
        for (row, role) in rules.layout.legal.iter().zip(&rules.roles) {
            let words = self.model.words(row.clone()).iter();
            for (&word, first) in words.zip((0..).step_by(64)) {
                Bits(word).for_each(|bit| self.legal.push(MoveId(role.moves[first + bit])));
            }
            self.legal.end_role();
        }
    }
}

impl Walker for IncrementalWalker {
    type State = State;

    fn jump(&mut self, state: &State) {
        let words = self.rules.layout.holds.len();
        for (place, &word) in state.words().iter().enumerate().take(words) {
            self.set_fluents(place, word);
        }
        self.percepts.iter_mut().for_each(Vec::clear);
        self.legal_is_known = false;
        self.arrive();
    }

    fn save(&self, into: &mut State) {
        let words = self.words(&self.rules.layout.holds);
        for (bits, word) in into.words_mut().iter_mut().zip(words) {
            *bits = word;
        }
    }

    fn hash64(&self) -> u64 {
        bits::hash(self.words(&self.rules.layout.holds))
    }

    fn is_terminal(&mut self) -> bool {
        self.answer(Question::Terminal);
        let terminal = self.rules.layout.terminal;
        terminal.is_some_and(|atom| self.model.holds(atom))
    }

    fn legal(&mut self) -> &LegalMoves {
        if !self.legal_is_known {
            self.legal_is_known = true;
            self.find_legal();
        }
        &self.legal
    }

    fn draw(&mut self, chance: &mut Chance, joint: &mut Vec<MoveId>) -> Result<(), RoleId> {
        self.answer(Question::Legal);
        joint.clear();
        for (index, role) in self.rules.roles.iter().enumerate() {
            let place = self.draw_place(index, chance);
            let place = place.ok_or(RoleId(index as u16))?;
            joint.push(MoveId(role.moves[place as usize]));
        }
        Ok(())
    }

    fn goal(&mut self, role: RoleId) -> Goal {
        self.answer(Question::Goal);
        let goals = self.rules.layout.goals.get(role.index());
        let goals = goals.into_iter().flatten();
        let reached = goals.filter(|&&(_, atom)| self.model.holds(atom));
        reached.fold(Goal::None, |goal, &(value, _)| goal.and(value))
    }

    fn advance(&mut self, joint: &[MoveId], chance: &mut Chance) {
        for (role, &id) in joint.iter().enumerate().take(self.doing.len()) {
            let place = self.place(role, id, chance);
            self.make(role, place);
        }
        self.answer(Question::Successor);
        if !self.rules.percepts.is_empty() {
            self.collect_percepts();
        }
        self.enter_successor();
        self.legal_is_known = false;
        self.arrive();
    }

    fn percepts(&self, role: RoleId) -> &[PerceptId] {
        self.percepts.get(role.index()).map_or(&[], Vec::as_slice)
    }

    fn fault(&self) -> Option<&Fault> {
        None
    }
}
