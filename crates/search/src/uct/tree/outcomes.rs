//! What roles can certainly get, each combination once: there are few, and many nodes share them.

use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Mutex, PoisonError};

use paidia_game::RoleId;
use rustc_hash::FxHashMap;

use super::OutcomeId;
use super::store::{MemoryBudget, Store};

/// Combinations of results by number.
#[derive(Debug)]
pub(super) struct Outcomes {
    budget: MemoryBudget,
    /// The number of a combination is that of its first result.
    results: Store<AtomicI32>,
    numbers: Mutex<FxHashMap<Box<[i32]>, u32>>,
}

/// Bytes for the results of all combinations. Games have a handful of them; what comes later is not
/// proven.
const MOST_BYTES: usize = 1 << 20;

/// Results in a piece of the storage, or more in games of more roles.
const LEAST_PIECE: usize = 1 << 8;

impl Outcomes {
    pub(super) fn new(roles: usize) -> Self {
        let budget = MemoryBudget::new(MOST_BYTES);
        // The results of a combination are in one piece.
        let bits = roles.max(LEAST_PIECE).next_power_of_two().ilog2();
        Self {
            results: Store::new(bits, size_of::<AtomicI32>(), &budget),
            numbers: Mutex::default(),
            budget,
        }
    }

    /// The number of a combination; `None` if there are too many.
    pub(super) fn number(&self, results: &[i32]) -> Option<OutcomeId> {
        let mut numbers = self.numbers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&number) = numbers.get(results) {
            return Some(OutcomeId(number));
        }
        let first = self.results.take(results.len(), &self.budget)?;
        for (index, &result) in (first..).zip(results) {
            self.results.get(index).store(result, Ordering::Relaxed);
        }
        numbers.insert(results.into(), first);
        Some(OutcomeId(first))
    }

    /// What a role gets.
    #[inline]
    pub(super) fn result(&self, outcome: OutcomeId, role: RoleId) -> i32 {
        self.results
            .get(outcome.0 + u32::from(role.0))
            .load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::Outcomes;
    use paidia_game::RoleId;

    #[test]
    fn equal_combinations_have_one_number() {
        let outcomes = Outcomes::new(2);
        let won = outcomes.number(&[100, 0]).unwrap();
        let lost = outcomes.number(&[0, 100]).unwrap();
        assert_ne!(won, lost);
        assert_eq!(outcomes.number(&[100, 0]), Some(won));
        assert_eq!(outcomes.result(lost, RoleId(1)), 100);
        assert_eq!(outcomes.result(won, RoleId(1)), 0);
    }

    #[test]
    fn each_combination_keeps_its_results_however_many_there_are() {
        for roles in [1, 3, 5, 20, 300] {
            let outcomes = Outcomes::new(roles);
            let results = |n: i32| -> Vec<i32> { (0..roles as i32).map(|role| n + role).collect() };
            let numbers: Vec<_> = (0..500).map(|n| outcomes.number(&results(n))).collect();
            for (n, number) in (0..).zip(numbers) {
                let number = number.expect("there is room");
                let kept = (0..roles as u16).map(|role| outcomes.result(number, RoleId(role)));
                assert_eq!(kept.collect::<Vec<i32>>(), results(n), "{roles} roles");
            }
        }
    }

    #[test]
    fn there_is_an_end_to_them() {
        let outcomes = Outcomes::new(3);
        let known = (0..).take_while(|&n| outcomes.number(&[n, 0, 0]).is_some());
        assert!((80_000..90_000).contains(&known.count()));
        assert!(outcomes.number(&[5, 0, 0]).is_some());
    }
}
