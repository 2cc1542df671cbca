//! One thread's position in a game played by its network.

use std::sync::Arc;

use paidia_game::{Chance, Fault, Goal, LegalMoves, MoveId, PerceptId, RoleId, Walker};

use super::Rules;
use super::signals::Signals;
use crate::bits::{self, Bits, State};
use crate::ground::NO_MOVE;

/// One thread's position in a game of [`super::Propnet`].
#[derive(Clone)]
pub struct PropnetWalker {
    rules: Arc<Rules>,
    signals: Signals,
    /// For each role, the place of the move that the network was last told of.
    doing: Vec<u32>,
    legal: LegalMoves,
    legal_is_known: bool,
    goals_are_known: bool,
    percepts: Vec<Vec<PerceptId>>,
}

impl PropnetWalker {
    pub(super) fn new(rules: Arc<Rules>) -> Self {
        let roles = rules.roles.len();
        Self {
            signals: rules.circuit.initial.clone(),
            doing: vec![NO_MOVE; roles],
            legal: LegalMoves::new(),
            legal_is_known: false,
            goals_are_known: false,
            percepts: vec![Vec::new(); roles],
            rules,
        }
    }

    /// The values of all nodes.
    pub(super) fn signals(&self) -> &Signals {
        &self.signals
    }

    /// For each role, the place of the move that the network was last told of.
    pub(super) fn doing(&self) -> &[u32] {
        &self.doing
    }

    /// Brings legal moves and the end up to date after the bits of fluents were set.
    fn arrive(&mut self) {
        let circuit = &self.rules.circuit;
        self.signals.run(circuit, &circuit.now);
        self.legal_is_known = false;
        self.goals_are_known = false;
    }

    /// The place, among the role's moves, of the move that it makes.
    fn place(&self, role: usize, id: MoveId, chance: &mut Chance) -> u32 {
        if id == MoveId::CHANCE {
            return self.draw_place(role, chance).unwrap_or(NO_MOVE);
        }
        self.rules.roles[role].place(id.0)
    }

    /// Draws a legal move of a role as [`Chance::pick`] does from the list of them.
    fn draw_place(&self, role: usize, chance: &mut Chance) -> Option<u32> {
        let row = &self.rules.circuit.legal[role];
        bits::draw(|| row.words(&self.signals), chance)
    }

    /// Tells the network which move a role makes.
    fn make(&mut self, role: usize, place: u32) {
        let circuit = &self.rules.circuit;
        let before = std::mem::replace(&mut self.doing[role], place);
        if before == place {
            return;
        }
        let first = circuit.moves[role];
        if before != NO_MOVE {
            self.signals.flip(circuit, first + before as usize, false);
        }
        if place != NO_MOVE {
            self.signals.flip(circuit, first + place as usize, true);
        }
    }

    fn collect_percepts(&mut self) {
        let rules = &self.rules;
        let rows = rules.circuit.percepts.iter().zip(&rules.roles);
        for ((row, role), percepts) in rows.zip(&mut self.percepts) {
            percepts.clear();
            for (word, first) in row.words(&self.signals).zip((0..).step_by(64)) {
                percepts.extend(Bits(word).map(|bit| role.percepts[first + bit]));
            }
        }
    }
}

impl Walker for PropnetWalker {
    type State = State;

    fn jump(&mut self, state: &State) {
        let fluents = self.rules.circuit.fluent_words;
        for (word, bits) in self.signals.words[..fluents].iter_mut().zip(state.words()) {
            word.ready = *bits;
        }
        self.percepts.iter_mut().for_each(Vec::clear);
        self.arrive();
    }

    fn save(&self, into: &mut State) {
        let fluents = self.rules.circuit.fluent_words;
        for (bits, word) in into
            .words_mut()
            .iter_mut()
            .zip(&self.signals.words[..fluents])
        {
            *bits = word.value;
        }
    }

    fn hash64(&self) -> u64 {
        let fluents = self.rules.circuit.fluent_words;
        let words = self.signals.words[..fluents].iter();
        bits::hash(words.map(|word| word.value))
    }

    fn is_terminal(&mut self) -> bool {
        self.rules.circuit.terminal.read(&self.signals)
    }

    fn legal(&mut self) -> &LegalMoves {
        if !self.legal_is_known {
            self.legal_is_known = true;
            self.legal.clear();
            for (row, role) in self.rules.circuit.legal.iter().zip(&self.rules.roles) {
                for (word, first) in row.words(&self.signals).zip((0..).step_by(64)) {
                    Bits(word).for_each(|bit| self.legal.push(MoveId(role.moves[first + bit])));
                }
                self.legal.end_role();
            }
        }
        &self.legal
    }

    fn draw(&mut self, chance: &mut Chance, joint: &mut Vec<MoveId>) -> Result<(), RoleId> {
        joint.clear();
        for (index, role) in self.rules.roles.iter().enumerate() {
            let place = self.draw_place(index, chance);
            let place = place.ok_or(RoleId(index as u16))?;
            joint.push(MoveId(role.moves[place as usize]));
        }
        Ok(())
    }

    fn goal(&mut self, role: RoleId) -> Goal {
        let circuit = &self.rules.circuit;
        if !self.goals_are_known {
            self.goals_are_known = true;
            self.signals.evaluate_tape(circuit);
        }
        let mut goal = Goal::None;
        for &(value, tap) in circuit.goals.get(role.index()).into_iter().flatten() {
            if tap.read(&self.signals) {
                goal = goal.and(value);
            }
        }
        goal
    }

    fn advance(&mut self, joint: &[MoveId], chance: &mut Chance) {
        for (role, &id) in joint.iter().enumerate().take(self.doing.len()) {
            let place = self.place(role, id, chance);
            self.make(role, place);
        }
        let rules = &self.rules;
        self.signals.run(&rules.circuit, &rules.circuit.after);
        for place in 0..rules.circuit.fluent_words {
            let next = rules.circuit.next.word(&self.signals, place);
            self.signals.words[place].ready = next;
        }
        if !rules.percepts.is_empty() {
            self.collect_percepts();
        }
        self.arrive();
    }

    fn percepts(&self, role: RoleId) -> &[PerceptId] {
        self.percepts.get(role.index()).map_or(&[], Vec::as_slice)
    }

    fn fault(&self) -> Option<&Fault> {
        None
    }
}
