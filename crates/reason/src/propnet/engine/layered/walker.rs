//! A position in a game whose network several threads evaluate.

use paidia_game::{Chance, Fault, Goal, LegalMoves, MoveId, PerceptId, RoleId, Rules, Walker};

use super::Layered;
use super::plan::{Part, slot_of_fluent};
use super::threads::LayerThreads;
use crate::bits::{self, State};
use crate::ground::NO_MOVE;

/// A position in a game of [`Layered`], with the threads that evaluate it.
pub struct LayeredWalker {
    game: Layered,
    threads: LayerThreads,
    state: State,
    /// For each role, the place of the move that the network was last told of.
    doing: Vec<u32>,
    legal: LegalMoves,
    goals_are_known: bool,
    percepts: Vec<Vec<PerceptId>>,
}

impl LayeredWalker {
    pub(super) fn new(game: &Layered) -> Self {
        let roles = game.facts().roles.len();
        let mut walker = Self {
            threads: LayerThreads::new(&game.plan, game.threads),
            state: game.initial(),
            doing: vec![NO_MOVE; roles],
            legal: LegalMoves::new(),
            goals_are_known: false,
            percepts: vec![Vec::new(); roles],
            game: game.clone(),
        };
        walker.arrive();
        walker
    }

    /// Tells the network of the state, and finds out what is legal.
    fn arrive(&mut self) {
        for fluent in 0..self.game.plan.next.len() {
            let holds = self.state.contains(fluent);
            self.threads.set(slot_of_fluent(fluent), holds);
        }
        self.threads.evaluate(Part::Now);
        self.goals_are_known = false;
        self.legal.clear();
        for (taps, role) in self.game.plan.legal.iter().zip(&self.game.game.rules.roles) {
            for (&tap, &id) in taps.iter().zip(&role.moves) {
                if self.threads.get(tap) {
                    self.legal.push(MoveId(id));
                }
            }
            self.legal.end_role();
        }
    }

    /// Tells the network which move a role makes.
    fn make(&mut self, role: usize, id: MoveId) {
        let place = self.game.game.rules.roles[role].place(id.0);
        let before = std::mem::replace(&mut self.doing[role], place);
        let slots = &self.game.plan.does[role];
        if let Some(&slot) = slots.get(before as usize) {
            self.threads.set(slot as usize, false);
        }
        if let Some(&slot) = slots.get(place as usize) {
            self.threads.set(slot as usize, true);
        }
    }

    fn collect_percepts(&mut self) {
        let (plan, roles) = (&self.game.plan, &self.game.game.rules.roles);
        for ((taps, role), percepts) in plan.percepts.iter().zip(roles).zip(&mut self.percepts) {
            percepts.clear();
            let told = taps.iter().zip(&role.percepts);
            let told = told.filter(|&(&tap, _)| self.threads.get(tap));
            percepts.extend(told.map(|(_, &percept)| percept));
        }
    }
}

impl Walker for LayeredWalker {
    type State = State;

    fn jump(&mut self, state: &State) {
        self.state.clone_from(state);
        self.percepts.iter_mut().for_each(Vec::clear);
        self.arrive();
    }

    fn save(&self, into: &mut State) {
        into.clone_from(&self.state);
    }

    fn hash64(&self) -> u64 {
        bits::hash(self.state.words().iter().copied())
    }

    fn is_terminal(&mut self) -> bool {
        self.threads.get(self.game.plan.terminal)
    }

    fn legal(&mut self) -> &LegalMoves {
        &self.legal
    }

    fn goal(&mut self, role: RoleId) -> Goal {
        if !self.goals_are_known {
            self.goals_are_known = true;
            self.threads.evaluate(Part::Goals);
        }
        let goals = self.game.plan.goals.get(role.index());
        let mut goal = Goal::None;
        for &(value, tap) in goals.into_iter().flatten() {
            if self.threads.get(tap) {
                goal = goal.and(value);
            }
        }
        goal
    }

    fn advance(&mut self, joint: &[MoveId], chance: &mut Chance) {
        for (role, &id) in joint.iter().enumerate().take(self.doing.len()) {
            let id = if id == MoveId::CHANCE {
                let drawn = chance.pick(self.legal.of(RoleId(role as u16)));
                drawn.unwrap_or(id)
            } else {
                id
            };
            self.make(role, id);
        }
        self.threads.evaluate(Part::After);
        self.collect_percepts();
        self.state.clear();
        for (fluent, &tap) in self.game.plan.next.iter().enumerate() {
            if self.threads.get(tap) {
                self.state.insert(fluent);
            }
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
