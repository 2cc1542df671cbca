//! What a role believes in a match: the states that agree with everything it was told, each with
//! its weight.
//!
//! The weight of a history is the product, over all joint moves and all other roles, of one over
//! the number of their legal moves, which is what is known of others that may play anyhow; the own
//! moves have weight 1. Histories that lead to the same state are merged with their weights, so
//! that the belief is exact as long as the states fit the budget. Beyond it a sample of them is
//! kept, drawn so that every state keeps its weight on average, and [`Belief::is_sample`] says so.
//! Moves and percepts are told as ids of the same game.

use indexmap::IndexMap;
use paidia_game::{Chance, Game, JointMoves, LegalMoves, MoveId, PerceptId, RoleId, Walker};
use rustc_hash::FxBuildHasher;

/// How much a belief may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BeliefLimits {
    /// States that are kept.
    pub states: usize,
    /// Joint moves of one state that are all looked at; of more, this number is drawn.
    pub joint_moves: u128,
    /// Joint moves that are looked at for all states together, at one time.
    pub steps: u64,
}

impl Default for BeliefLimits {
    fn default() -> Self {
        Self {
            states: 100_000,
            joint_moves: 100_000,
            steps: 2_000_000,
        }
    }
}

/// A state that is believed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weight {
    /// How likely its histories are together, not normalised.
    pub weight: f64,
    /// How many histories lead to it; as good as known where the belief is a sample.
    pub histories: f64,
}

/// Nothing agrees with what was told: it was not told of this game, or the sample missed the truth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no state agrees with what was told")]
pub struct Contradiction;

/// The states that agree with what a role was told.
pub struct Belief<G: Game> {
    game: G,
    role: RoleId,
    walker: G::Walker,
    limits: BeliefLimits,
    chance: Chance,
    states: IndexMap<G::State, Weight, FxBuildHasher>,
    is_sample: bool,
    depth: usize,
}

impl<G: Game> Belief<G> {
    /// The beginning of a match.
    pub fn new(game: &G, role: RoleId, limits: BeliefLimits, seed: u64) -> Self {
        let mut states = IndexMap::default();
        let whole = Weight {
            weight: 1.0,
            histories: 1.0,
        };
        states.insert(game.initial(), whole);
        Self {
            walker: game.walker(),
            game: game.clone(),
            role,
            limits,
            chance: Chance::from_seed(seed),
            states,
            // One joint move can lead to several states, of which one is seen.
            is_sample: !game.facts().is_repeatable(),
            depth: 0,
        }
    }

    /// The role.
    pub fn role(&self) -> RoleId {
        self.role
    }

    /// Joint moves so far.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Whether these are not all states that agree, or their weights not exact.
    pub fn is_sample(&self) -> bool {
        self.is_sample
    }

    /// The states with their weights.
    pub fn states(&self) -> impl ExactSizeIterator<Item = (&G::State, Weight)> {
        self.states.iter().map(|(state, &weight)| (state, weight))
    }

    /// The sum of all weights.
    pub fn whole(&self) -> f64 {
        self.states.values().map(|weight| weight.weight).sum()
    }

    /// A state, drawn by the weights; `among` may leave some out.
    pub fn draw(&self, chance: &mut Chance) -> Option<&G::State> {
        let mut rest = chance.fraction() * self.whole();
        for (state, weight) in &self.states {
            rest -= weight.weight;
            if rest < 0.0 {
                return Some(state);
            }
        }
        self.states.last().map(|(state, _)| state)
    }

    /// Leaves out states in which it cannot be asked for a move: those that are terminal, and those
    /// in which its legal moves are not these. A match tells that beyond moves and percepts.
    pub fn asked(&mut self, legal: &[MoveId]) {
        let (walker, role) = (&mut self.walker, self.role);
        let mut possible = |state: &G::State| {
            walker.jump(state);
            !walker.is_terminal() && walker.legal().of(role) == legal
        };
        if self.states.keys().any(&mut possible) {
            self.states.retain(|state, _| possible(state));
        }
    }

    /// Takes in what was told of the next joint move: the own move and the percepts, in any order.
    ///
    /// # Errors
    /// If nothing agrees with it; the belief is as before then.
    pub fn see(&mut self, made: MoveId, percepts: &[PerceptId]) -> Result<(), Contradiction> {
        let mut told = percepts.to_vec();
        self.game.percepts().sort(&mut told);
        told.dedup();
        let mut after: IndexMap<G::State, Weight, FxBuildHasher> = IndexMap::default();
        let (mut joints, mut drawn) = (JointMoves::new(), Vec::new());
        let share = self.limits.steps / self.states.len().max(1) as u64;
        let most = self.limits.joint_moves.min(u128::from(share.max(1)));
        for (state, &before) in &self.states {
            self.walker.jump(state);
            if self.walker.is_terminal() {
                continue;
            }
            let legal = self.walker.legal();
            if !legal.of(self.role).contains(&made) {
                continue;
            }
            let own = with_own(legal, self.role, made);
            let count = own.joint_count();
            let each = |looked: f64| Weight {
                weight: before.weight / looked,
                histories: before.histories * (count as f64 / looked),
            };
            let mut next = state.clone();
            if count <= most {
                joints.refill(&own);
                while let Some(joint) = joints.next() {
                    self.walker.jump(state);
                    self.walker.advance(joint, &mut self.chance);
                    if self.walker.fault().is_none() && self.walker.percepts(self.role) == told {
                        self.walker.save(&mut next);
                        add(&mut after, &next, each(count as f64));
                    }
                }
            } else {
                self.is_sample = true;
                for _ in 0..most {
                    if own.draw(&mut self.chance, &mut drawn).is_err() {
                        break;
                    }
                    self.walker.jump(state);
                    self.walker.advance(&drawn, &mut self.chance);
                    if self.walker.fault().is_none() && self.walker.percepts(self.role) == told {
                        self.walker.save(&mut next);
                        add(&mut after, &next, each(most as f64));
                    }
                }
            }
        }
        if after.is_empty() {
            return Err(Contradiction);
        }
        self.states = after;
        self.depth += 1;
        self.thin_out();
        Ok(())
    }

    /// Keeps a sample where there are more states than the budget allows: each state is kept with
    /// a probability in proportion to its weight, as systematic resampling does, and those that are
    /// kept share the weight.
    fn thin_out(&mut self) {
        let most = self.limits.states;
        if self.states.len() <= most {
            return;
        }
        self.is_sample = true;
        let whole = self.whole();
        let step = whole / most as f64;
        let mut next = self.chance.fraction() * step;
        let mut passed = 0.0;
        self.states.retain(|_, weight| {
            passed += weight.weight;
            let mut times = 0.0;
            while next < passed {
                next += step;
                times += 1.0;
            }
            weight.weight = times * step;
            times > 0.0
        });
    }
}

fn add<S: Clone + Eq + std::hash::Hash>(
    states: &mut IndexMap<S, Weight, FxBuildHasher>,
    state: &S,
    more: Weight,
) {
    match states.get_mut(state) {
        Some(weight) => {
            weight.weight += more.weight;
            weight.histories += more.histories;
        }
        None => {
            states.insert(state.clone(), more);
        }
    }
}

/// The legal moves of all roles but one, which has one move.
pub(crate) fn with_own(legal: &LegalMoves, role: RoleId, own: MoveId) -> LegalMoves {
    let mut less = LegalMoves::new();
    for (other, moves) in legal.iter() {
        let moves = if other == role { &[own][..] } else { moves };
        moves.iter().for_each(|&id| less.push(id));
        less.end_role();
    }
    less
}
