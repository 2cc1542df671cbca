//! How often nodes change in random play, which decides how they are connected.

use std::sync::Arc;

use paidia_game::{Chance, Walker};

use super::Rules;
use super::walker::PropnetWalker;
use crate::ground::NO_MOVE;

/// How many joint moves are watched.
const MOVES: u32 = 2_000;
/// The most words of gates that are watched, so that large networks are watched for fewer moves.
const WORDS: usize = 4_000_000;
/// The most joint moves of a playout.
const STEP_LIMIT: u32 = 500;

/// How often nodes change in random play.
#[derive(Debug, Default)]
pub(super) struct Profile {
    /// For each node, its changes in a joint move, on average; empty without a measurement.
    rates: Vec<f32>,
}

impl Profile {
    /// Changes of a node in a joint move, on average; 0 without a measurement.
    pub(super) fn rate(&self, node: usize) -> f32 {
        self.rates.get(node).copied().unwrap_or(0.0)
    }

    /// Watches random play. `sources` tells, for each node, where it is.
    pub(super) fn watch(rules: &Arc<Rules>, sources: &[u32]) -> Self {
        let mut watch = Watch::new(rules);
        let words = watch.values.len().max(1);
        let moves = MOVES.min((WORDS / words) as u32).max(1);
        (0..moves).for_each(|_| watch.step());
        let rate = |&source: &u32| {
            let changes = watch.changes.get(source as usize).copied().unwrap_or(0);
            changes as f32 / moves as f32
        };
        Self {
            rates: sources.iter().map(rate).collect(),
        }
    }
}

/// Random play that is watched.
struct Watch<'a> {
    rules: &'a Rules,
    walker: PropnetWalker,
    chance: Chance,
    steps: u32,
    /// The values of all words before the last step.
    values: Vec<u64>,
    /// For each source, its changes so far.
    changes: Vec<u32>,
}

impl<'a> Watch<'a> {
    fn new(rules: &'a Arc<Rules>) -> Self {
        let walker = PropnetWalker::new(Arc::clone(rules));
        let words = walker.signals().words.iter();
        Self {
            rules,
            values: words.map(|word| word.value).collect(),
            changes: vec![0; rules.circuit.fans.len()],
            walker,
            chance: Chance::from_seed(1),
            steps: 0,
        }
    }

    fn step(&mut self) {
        let mut joint = Vec::new();
        let over = self.walker.is_terminal() || self.steps == STEP_LIMIT;
        if over || self.walker.draw(&mut self.chance, &mut joint).is_err() {
            self.walker.jump(&self.rules.initial);
            self.steps = 0;
        } else {
            let before = self.walker.doing().to_vec();
            self.walker.advance(&joint, &mut self.chance);
            self.steps += 1;
            self.compare_moves(&before);
        }
        self.compare_words();
    }

    fn compare_moves(&mut self, before: &[u32]) {
        let roles = before.iter().zip(self.walker.doing()).enumerate();
        for (role, (&old, &new)) in roles.filter(|(_, (old, new))| old != new) {
            for place in [old, new].into_iter().filter(|&place| place != NO_MOVE) {
                self.changes[self.rules.circuit.moves[role] + place as usize] += 1;
            }
        }
    }

    fn compare_words(&mut self) {
        for (place, word) in self.walker.signals().words.iter().enumerate() {
            let mut changed = word.value ^ std::mem::replace(&mut self.values[place], word.value);
            while changed != 0 {
                self.changes[place * 64 + changed.trailing_zeros() as usize] += 1;
                changed &= changed - 1;
            }
        }
    }
}
