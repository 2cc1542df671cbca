//! HyperPlay-II: every move is judged by simulations in which no role knows more than it was told.
//!
//! A simulation takes one hypergame for the truth. The move is made, the others choose as
//! [`super::HyperPlay`] does from hypergames that agree with what *they* were told along that
//! history, and so all roles go on to the end. What a role chooses after the same history is worked
//! out once for all simulations of a round, which changes no mean and saves most of the work.

use std::sync::atomic::AtomicBool;

use paidia_game::{Chance, Game, MoveId, RoleId, Sight, Walker};
use paidia_search::{Budget, Decision, Player, StopReason};
use rustc_hash::FxHashMap;

use super::hyperplay::{HyperPlaySettings, Roller, STEP_LIMIT};
use super::{End, Knowledge, Means, Work};
use crate::bag::{Bag, Told, told_along};

/// Rounds that are made with a clock and no index, at most.
const MOST_ROUNDS: u32 = 1_000_000;

/// What a role chooses by: what it was told, or the state where nothing is hidden.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Basis<S> {
    Told(RoleId, Vec<Told>),
    State(RoleId, S),
}

/// The player.
pub struct HyperPlayTwo<G: Game> {
    knowledge: Knowledge<G>,
    settings: HyperPlaySettings,
    roller: Roller<G>,
    walker: G::Walker,
}

impl<G: Game> HyperPlayTwo<G> {
    /// A player for a role.
    pub fn new(game: &G, role: RoleId, settings: HyperPlaySettings, seed: u64) -> Self {
        Self {
            knowledge: Knowledge::new(game, role, settings.hypergames as usize, seed),
            settings,
            roller: Roller::new(game),
            walker: game.walker(),
        }
    }

    /// How a simulation ends for the role.
    fn simulate(
        &mut self,
        truth: &Truth<G::State>,
        id: MoveId,
        index: u32,
        replies: &mut FxHashMap<Basis<G::State>, MoveId>,
        work: &mut Work,
        interrupt: &AtomicBool,
    ) -> Option<End> {
        let game = self.knowledge.game.clone();
        let roles: Vec<RoleId> = game.facts().role_ids().collect();
        let (random, me) = (game.facts().random(), self.knowledge.role);
        let mut told = truth.told.clone();
        let (mut state, mut length) = (truth.state.clone(), 0);
        while length < STEP_LIMIT {
            self.walker.jump(&state);
            if self.walker.is_terminal() {
                break;
            }
            let legal = self.walker.legal().clone();
            if roles.iter().any(|&role| legal.of(role).is_empty()) {
                break;
            }
            let mut joint = Vec::with_capacity(roles.len());
            for &role in &roles {
                let own = legal.of(role);
                joint.push(if Some(role) == random {
                    self.knowledge.chance.pick(own)?
                } else if length == 0 && role == me {
                    id
                } else if let [only] = *own {
                    only
                } else {
                    let key = match self.knowledge.sees_all {
                        true => Basis::State(role, state.clone()),
                        false => Basis::Told(role, told[role.index()].clone()),
                    };
                    match replies.get(&key) {
                        Some(&reply) if own.contains(&reply) => reply,
                        _ => {
                            let told = &told[role.index()];
                            let reply = self.reply(role, &state, told, own, index, work);
                            replies.insert(key, reply);
                            reply
                        }
                    }
                });
            }
            length += 1;
            self.walker.jump(&state);
            self.walker.advance(&joint, &mut self.knowledge.chance);
            for &role in &roles {
                let percepts = self.walker.percepts(role).into();
                told[role.index()].push(Told {
                    made: joint[role.index()],
                    percepts,
                });
            }
            self.walker.save(&mut state);
            work.states += 1;
            if work.is_over(interrupt) {
                return None;
            }
        }
        self.walker.jump(&state);
        let goal = f64::from(self.walker.goal(me).value()?);
        Some(End { goal, length })
    }

    /// What HyperPlay chooses for a role that was told this, or sees the state.
    fn reply(
        &mut self,
        role: RoleId,
        state: &G::State,
        told: &[Told],
        legal: &[MoveId],
        index: u32,
        work: &mut Work,
    ) -> MoveId {
        let chance = &mut self.knowledge.chance;
        let mut bag = Bag::new(&self.knowledge.game, role, index as usize);
        if self.knowledge.sees_all {
            bag.know(state);
            return self.roller.choose(&bag, role, legal, index, chance, work);
        }
        for told in told {
            if bag.see(told.clone(), None, chance).is_err() {
                return chance.pick(legal).unwrap_or(legal[0]);
            }
        }
        bag.asked(legal);
        self.roller.choose(&bag, role, legal, index, chance, work)
    }

    /// A hypergame with what every role was told in it.
    fn truth(&mut self) -> Truth<G::State> {
        let knowledge = &mut self.knowledge;
        let drawn = knowledge.bag.draw(&mut knowledge.chance).clone();
        let (joints, start) = (drawn.joints(), knowledge.game.initial());
        let mut chance = Chance::from_seed(0);
        let roles = knowledge.game.facts().role_ids();
        let told =
            roles.map(|role| told_along::<G>(&mut self.walker, &start, &joints, role, &mut chance));
        Truth {
            told: told.collect(),
            state: drawn.state.clone(),
        }
    }
}

/// A hypergame taken for the truth.
struct Truth<S> {
    state: S,
    /// For each role what it was told.
    told: Vec<Vec<Told>>,
}

impl<G: Game> Player<G> for HyperPlayTwo<G> {
    fn observe(&mut self, sight: &Sight<'_, G::State>) {
        self.knowledge.observe(sight);
    }

    fn choose(&mut self, legal: &[MoveId], budget: Budget, interrupt: &AtomicBool) -> Decision {
        if let [only] = *legal {
            return Decision::without_search(only, StopReason::OnlyMove);
        }
        let mut work = Work::new(budget);
        self.knowledge.catch_up(legal, budget);
        let (index, rounds) = match (self.settings.index, work.is_limited()) {
            (0, true) => (4, MOST_ROUNDS),
            (0, false) => (4, 4),
            (index, _) => (index, index),
        };
        let mut means = Means::new(legal.len());
        'rounds: for _ in 0..rounds {
            let mut replies = FxHashMap::default();
            for _ in 0..index.min(self.knowledge.bag.games().len().max(1) as u32 * 4) {
                let truth = self.truth();
                for (place, &id) in legal.iter().enumerate() {
                    if let Some(end) =
                        self.simulate(&truth, id, index, &mut replies, &mut work, interrupt)
                    {
                        means.add(place, end, 1.0);
                    }
                    if work.is_over(interrupt) && means.visits.iter().any(|&visits| visits > 0) {
                        break 'rounds;
                    }
                }
            }
            if work.is_over(interrupt) {
                break;
            }
        }
        let chosen = match means.visits.iter().any(|&visits| visits > 0) {
            true => means.best(self.roller.middle, &mut self.knowledge.chance),
            false => self.knowledge.chance.below(legal.len() as u32) as usize,
        };
        means.decision(legal, chosen, &work)
    }
}
