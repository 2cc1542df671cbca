//! Playouts whose choices are evolved while the search runs: a (1+1) evolution strategy over the
//! weights of distances.
//!
//! An action's strength is the weighted sum of the distances from the avatar to the nearest sprite
//! of each type of interest; the stronger an action, the less likely it is (Eq. 2 and 3 of the
//! paper). Each playout tries one mutant, whose fitness is the playout's reward. A type that is met
//! for the first time gets new weights, and the others keep theirs. Method page:
//! docs/methods/kb-fast-evo.md.

use paidia_game::Chance;

use crate::class::Action;
use crate::kind::TypeId;
use crate::level::Level;
use crate::state::State;

/// The standard deviation of mutations, and of the first weights.
const SPREAD: f64 = 0.3;
/// Actions that a type has weights for.
const ACTIONS: usize = 6;

/// Weights by type and action.
#[derive(Clone, Debug, Default)]
struct Genome {
    weights: Vec<[f64; ACTIONS]>,
}

/// The strategy: the best weights so far, and those that are tried.
#[derive(Clone, Debug, Default)]
pub struct Evolution {
    /// The type of each place of a genome, in the order in which types were met.
    kinds: Vec<TypeId>,
    interesting: Vec<TypeId>,
    best: Genome,
    fitness: Option<f64>,
    tried: Genome,
    strengths: Vec<f64>,
}

impl Evolution {
    /// Forgets all weights, as is done before each decision.
    pub fn reset(&mut self) {
        self.kinds.clear();
        self.best.weights.clear();
        self.tried.weights.clear();
        self.fitness = None;
    }

    /// How many types have weights.
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// Whether no type was met yet.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// The weights of a type in the best genome.
    pub fn weights(&self, kind: TypeId) -> Option<[f64; ACTIONS]> {
        let place = self.kinds.iter().position(|&known| known == kind)?;
        self.best.weights.get(place).copied()
    }

    /// Makes a mutant of the best weights, for the next playout.
    pub fn mutate(&mut self, chance: &mut Chance) {
        self.tried.weights.clone_from(&self.best.weights);
        if self.fitness.is_some() {
            for weight in self.tried.weights.iter_mut().flatten() {
                *weight += SPREAD * normal(chance);
            }
        }
    }

    /// Tells how good the mutant was; it is kept if it is as good as the best.
    pub fn judge(&mut self, fitness: f64) {
        if self.fitness.is_none_or(|best| fitness >= best) {
            self.fitness = Some(fitness);
            std::mem::swap(&mut self.best, &mut self.tried);
        }
        // The kept genome has a place for each type, whichever of both it was.
        let known = self.best.weights.len();
        if let Some(more) = self.tried.weights.get(known..) {
            self.best.weights.extend_from_slice(more);
        }
    }

    /// Chooses an action of a playout.
    pub fn choose(
        &mut self,
        level: &Level,
        state: &State,
        actions: &[Action],
        chance: &mut Chance,
    ) -> Action {
        if self.interesting.is_empty() {
            self.interesting = level.kinds_of_interest();
        }
        self.strengths.clear();
        self.strengths.resize(actions.len(), 0.0);
        for at in 0..self.interesting.len() {
            let kind = self.interesting[at];
            let Some(distance) = level.distance_to(state, kind) else {
                continue;
            };
            let place = self.place(kind, chance);
            let weights = &self.tried.weights[place];
            for (strength, &action) in self.strengths.iter_mut().zip(actions) {
                *strength += weights[action as usize] * distance;
            }
        }
        probabilities(&mut self.strengths);
        let mut left = chance.fraction();
        for (&share, &action) in self.strengths.iter().zip(actions) {
            left -= share;
            if left < 0.0 {
                return action;
            }
        }
        actions.last().copied().unwrap_or(Action::Nil)
    }

    /// The place of a type's weights, new ones if it has none yet.
    fn place(&mut self, kind: TypeId, chance: &mut Chance) -> usize {
        let known = self.kinds.iter().position(|&known| known == kind);
        let place = known.unwrap_or_else(|| {
            self.kinds.push(kind);
            self.kinds.len() - 1
        });
        while self.tried.weights.len() <= place {
            self.tried
                .weights
                .push([0.0; ACTIONS].map(|_| SPREAD * normal(chance)));
        }
        place
    }
}

/// Turns strengths into probabilities: the stronger, the less likely.
pub fn probabilities(strengths: &mut [f64]) {
    let least = strengths.iter().copied().fold(f64::INFINITY, f64::min);
    let mut sum = 0.0;
    for strength in &mut *strengths {
        *strength = (least - *strength).exp();
        sum += *strength;
    }
    for strength in strengths {
        *strength /= sum;
    }
}

/// A draw from the normal distribution.
fn normal(chance: &mut Chance) -> f64 {
    let (one, other) = (1.0 - chance.fraction(), chance.fraction());
    (-2.0 * one.ln()).sqrt() * (std::f64::consts::TAU * other).cos()
}

#[cfg(test)]
mod tests {
    use super::{Evolution, probabilities};
    use paidia_game::Chance;

    /// B8.
    #[test]
    fn strong_actions_are_unlikely() {
        let mut equal = [2.0, 2.0, 2.0, 2.0];
        probabilities(&mut equal);
        assert_eq!(equal, [0.25; 4]);
        let mut some = [3.0, -1.0, 0.5];
        probabilities(&mut some);
        assert!((some.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert!(some[0] < some[2] && some[2] < some[1]);
    }

    /// B9.
    #[test]
    fn a_new_type_gets_weights_and_the_others_keep_theirs() {
        let mut chance = Chance::from_seed(1);
        let mut evolution = Evolution::default();
        evolution.mutate(&mut chance);
        evolution.place(7, &mut chance);
        evolution.judge(1.0);
        let before = evolution.weights(7).expect("weights");
        evolution.mutate(&mut chance);
        evolution.place(7, &mut chance);
        evolution.place(9, &mut chance);
        // The mutant is worse, so the weights of the first type stay, and those of the second are
        // added.
        evolution.judge(0.0);
        assert_eq!(evolution.len(), 2);
        assert_eq!(evolution.weights(7), Some(before));
        assert!(evolution.weights(9).is_some());
    }

    /// B10, without a game: fitness is how near a weight is to some number.
    #[test]
    fn evolution_finds_better_weights() {
        let mut better = 0;
        for seed in 0..20 {
            let mut chance = Chance::from_seed(seed);
            let mut evolution = Evolution::default();
            let mut all = Vec::new();
            for _ in 0..200 {
                evolution.mutate(&mut chance);
                let place = evolution.place(3, &mut chance);
                let fitness = -(evolution.tried.weights[place][2] - 2.0).abs();
                all.push(fitness);
                evolution.judge(fitness);
            }
            let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len() as f64;
            better += i32::from(mean(&all[180..]) > mean(&all[..20]));
        }
        assert!(better >= 18, "{better} of 20");
    }
}
