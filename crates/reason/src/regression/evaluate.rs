//! Fuzzy values of formulas in a state.

use std::sync::Arc;

use paidia_game::{MoveId, RoleId};

use super::Rules;
use super::layout::FIRST_FLUENT;
use crate::knowledge::Persistence;

/// What a fluent that holds, or does not hold, counts in a formula.
#[derive(Clone, Copy, Debug)]
pub struct FluentWeights<'a> {
    /// What a fluent that holds counts; one that does not counts as much less than 1. The paper has
    /// 0.97. With 1 formulas are either true or false.
    pub probability: f64,
    /// Fluents that never change again count 1 or 0.
    pub persistence: Option<&'a Persistence>,
}

impl FluentWeights<'_> {
    /// As the paper has it, without knowledge about fluents.
    pub const USUAL: FluentWeights<'static> = FluentWeights {
        probability: 0.97,
        persistence: None,
    };

    /// Fluents count what they are.
    pub const CERTAIN: FluentWeights<'static> = FluentWeights {
        probability: 1.0,
        persistence: None,
    };

    /// What a fluent counts if it does not hold, and if it does.
    fn of(&self, fluent: u32) -> [f64; 2] {
        let (stays_false, stays_true) = self.persistence.map_or((false, false), |known| {
            let fluent = fluent as usize;
            (
                known.is_false_for_good(fluent),
                known.is_true_for_good(fluent),
            )
        });
        [
            if stays_false {
                0.0
            } else {
                1.0 - self.probability
            },
            if stays_true { 1.0 } else { self.probability },
        ]
    }
}

/// What is unknown counts as much as its negation.
const UNKNOWN: f64 = 0.5;

/// One thread's memory to evaluate formulas with.
#[derive(Clone, Debug)]
pub struct Evaluator {
    rules: Arc<Rules>,
    /// For each fluent that matters, what it counts if it does not hold, and if it does.
    weights: Vec<[f64; 2]>,
    /// For each slot its value.
    values: Vec<f64>,
}

impl Evaluator {
    pub(super) fn new(rules: Arc<Rules>, weights: &FluentWeights<'_>) -> Self {
        let fluents = rules.layout.fluents.iter();
        let weights = fluents.map(|&fluent| weights.of(fluent)).collect();
        let mut values = vec![0.0; rules.layout.slots()];
        values[..FIRST_FLUENT].copy_from_slice(&[1.0, 0.0, UNKNOWN, UNKNOWN]);
        Self {
            weights,
            values,
            rules,
        }
    }

    /// Appends for each of a role's moves how near the move comes to the role's best goal, from 0
    /// to 1. The state is a bit set: fluent number n is bit `n % 64` of word `n / 64`.
    pub fn evaluate(
        &mut self,
        state: &[u64],
        role: RoleId,
        moves: &[MoveId],
        values: &mut Vec<f64>,
    ) {
        let layout = &self.rules.layout;
        let slots = self.values[FIRST_FLUENT..].chunks_exact_mut(2);
        for ((&fluent, weight), slot) in layout.fluents.iter().zip(&self.weights).zip(slots) {
            let word = state.get(fluent as usize / 64).copied().unwrap_or(0);
            let value = weight[(word >> (fluent % 64) & 1) as usize];
            slot[0] = value;
            slot[1] = 1.0 - value;
        }
        let (Some(shared), Some(entries)) = (
            layout.of_role.get(role.index()),
            layout.of_move.get(role.index()),
        ) else {
            values.extend(moves.iter().map(|_| 0.0));
            return;
        };
        layout.evaluate(layout.common.clone(), &mut self.values);
        layout.evaluate(shared.clone(), &mut self.values);
        for id in moves {
            let Some(Some(entry)) = entries.get(id.0 as usize) else {
                values.push(0.0);
                continue;
            };
            layout.evaluate(entry.of_all.clone(), &mut self.values);
            layout.evaluate(entry.own.clone(), &mut self.values);
            values.push(self.values[entry.slot]);
        }
    }
}
