//! What becomes of goals: those that are kept for good once they are reached, and those that are
//! lost for good.
//!
//! A condition *rises* if it stays true once it is, and *falls* if it stays false once it is. A
//! fluent that is true for good rises, one that is false for good falls, a negation does the
//! opposite of what it negates, and a conjunction does what all its parts do.

use super::persistence::Persistence;
use crate::propnet::{Network, Node, Wire};

/// What becomes of a value of a role's goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GoalFacts {
    /// The value.
    pub value: i32,
    /// Once a state gives it, all later ones do.
    pub lasts: bool,
    /// Once a state does not give it, no later one does.
    pub is_lost_for_good: bool,
}

/// What becomes of a role's goals.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RoleGoals {
    /// Its possible values in order.
    pub values: Vec<GoalFacts>,
}

impl RoleGoals {
    /// Whether the role's goal never falls from one state to the next, as far as states give it
    /// one.
    pub fn never_falls(&self) -> bool {
        self.values.iter().skip(1).all(|goal| goal.lasts)
    }

    /// Whether the role's best goal can be out of reach for good in a state that does not give it.
    pub fn best_can_be_lost(&self) -> bool {
        self.values.last().is_some_and(|goal| goal.is_lost_for_good)
    }
}

/// What becomes of each role's goals.
pub(super) fn of_roles(network: &Network, persistence: &Persistence) -> Vec<RoleGoals> {
    let ways = ways(network, persistence);
    let of = |wire: Wire| {
        let [rises, falls] = ways[wire.node()];
        match wire.is_inverted() {
            true => [falls, rises],
            false => [rises, falls],
        }
    };
    let facts = |&(value, wire): &(i32, Wire)| {
        let [lasts, is_lost_for_good] = of(wire);
        GoalFacts {
            value,
            lasts,
            is_lost_for_good,
        }
    };
    let possible = |goals: &Vec<(i32, Wire)>| {
        let possible = goals.iter().filter(|(_, wire)| *wire != Wire::FALSE);
        RoleGoals {
            values: possible.map(facts).collect(),
        }
    };
    network.goals.iter().map(possible).collect()
}

/// For each node, whether it rises, and whether it falls.
fn ways(network: &Network, persistence: &Persistence) -> Vec<[bool; 2]> {
    let mut ways: Vec<[bool; 2]> = Vec::with_capacity(network.nodes.len());
    for (number, node) in network.nodes.iter().enumerate() {
        ways.push(match *node {
            Node::True => [true, true],
            Node::Fluent(fluent) => {
                let fluent = fluent as usize;
                [
                    persistence.is_true_for_good(fluent),
                    persistence.is_false_for_good(fluent),
                ]
            }
            Node::Does { .. } | Node::Feedback => [false, false],
            Node::And { .. } => {
                let inputs = network.inputs_of(number).iter();
                inputs.fold([true, true], |[rises, falls], wire| {
                    let [up, down] = ways[wire.node()];
                    match wire.is_inverted() {
                        true => [rises && down, falls && up],
                        false => [rises && up, falls && down],
                    }
                })
            }
        });
    }
    ways
}
