//! Fluents that stay as they are: latches.
//!
//! A fluent is *true for good* if it stays true in every successor of a state in which it holds,
//! *false for good* if it stays false in every successor of one in which it does not. Both are
//! shown by one step of induction: the fluent is assumed to have the value, nothing else is, and
//! the rules must still give it the same value after any legal moves.

use super::Budget;
use super::assume::Assumptions;
use crate::propnet::Network;

/// Which fluents stay as they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Persistence {
    kept: Vec<bool>,
    lost: Vec<bool>,
    /// How many fluents were looked at before the budget was spent: the first ones.
    pub examined: usize,
}

impl Persistence {
    /// What the rules of a network prove within a budget.
    pub fn new(network: &Network, budget: Budget) -> Self {
        let count = network.next.len();
        let mut this = Self {
            kept: vec![false; count],
            lost: vec![false; count],
            examined: 0,
        };
        let mut assumptions = Assumptions::new(network);
        let nodes = assumptions.fluents();
        for (fluent, &node) in nodes.iter().enumerate() {
            if assumptions.steps > budget.steps {
                break;
            }
            let mut stays = |value: bool| {
                assumptions.assume(node, value);
                let next = assumptions.of(network.next[fluent]);
                assumptions.restart();
                next == Some(value)
            };
            this.kept[fluent] = stays(true);
            this.lost[fluent] = stays(false);
            this.examined += 1;
        }
        this
    }

    /// Whether a fluent that holds will always hold.
    pub fn is_true_for_good(&self, fluent: usize) -> bool {
        self.kept.get(fluent).copied().unwrap_or(false)
    }

    /// Whether a fluent that does not hold will never hold.
    pub fn is_false_for_good(&self, fluent: usize) -> bool {
        self.lost.get(fluent).copied().unwrap_or(false)
    }

    /// How many fluents stay true once they are.
    pub fn true_for_good(&self) -> usize {
        self.kept.iter().filter(|&&kept| kept).count()
    }

    /// How many fluents stay false once they are.
    pub fn false_for_good(&self) -> usize {
        self.lost.iter().filter(|&&lost| lost).count()
    }
}
