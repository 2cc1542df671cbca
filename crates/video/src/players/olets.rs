//! Open-loop expectimax tree search, the method of a winner of the competitions.
//!
//! Nodes stand for sequences of actions and keep no states. There are no playouts: each iteration
//! goes down to a new node and values the state there. A node's value mixes what ended in it with
//! the best of its children, by how often each was so. A slight penalty keeps the avatar from places
//! where it was a short time ago.

use std::collections::VecDeque;

use super::{Controller, Simulator, best};
use crate::class::Action;
use crate::state::State;
use crate::view::actions_with_nil;

/// Places of the avatar that are remembered.
const REMEMBERED: usize = 15;
/// What coming back to such a place costs.
const PENALTY: f64 = 0.05;
const MAX_NODES: usize = 200_000;

/// The search.
#[derive(Debug, Default)]
pub struct Olets {
    nodes: Vec<Node>,
    history: VecDeque<(i32, i32)>,
    trial: State,
    path: Vec<usize>,
}

#[derive(Debug, Default)]
struct Node {
    children: [u32; 6],
    visits: f64,
    /// How often an iteration ended here, and the sum of its values.
    ends: f64,
    total: f64,
    value: f64,
}

/// What a state is worth: 1 if it is won, -1 if it is lost, between them by the change of the score,
/// of which the first points count most. The original scales scores by those seen so far, which
/// lets one lost state hide all differences between scores.
pub(super) fn worth(before: i64, state: &State) -> f64 {
    match state.win() {
        1 => 1.0,
        0 => -1.0,
        _ => {
            let change = (state.score() - before) as f64;
            0.5 * change / (2.0 + change.abs())
        }
    }
}

impl Olets {
    /// The action to go on with in a node.
    fn select(
        &self,
        simulator: &mut Simulator<'_>,
        at: usize,
        actions: &[Action],
    ) -> Option<Action> {
        let node = &self.nodes[at];
        let mut most = None;
        for &action in actions {
            let noise = simulator.chance().fraction() * 1e-6;
            let urgency = noise
                + match node.children[action as usize] {
                    0 => 1e3 + simulator.chance().fraction(),
                    child => {
                        let child = &self.nodes[child as usize];
                        child.value + (node.visits.max(1.0).ln() / child.visits.max(1.0)).sqrt()
                    }
                };
            if most.is_none_or(|(best, _)| urgency > best) {
                most = Some((urgency, action));
            }
        }
        most.map(|(_, action)| action)
    }

    fn iterate(&mut self, simulator: &mut Simulator<'_>, state: &State) {
        let level = simulator.level();
        let mut trial = std::mem::take(&mut self.trial);
        trial.copy(state);
        self.path.clear();
        self.path.push(0);
        let mut at = 0;
        while !trial.is_over() && self.nodes.len() < MAX_NODES {
            let actions = actions_with_nil(level, &trial);
            let Some(action) = self.select(simulator, at, actions) else {
                break;
            };
            simulator.advance(&mut trial, action);
            let known = self.nodes[at].children[action as usize];
            at = known as usize;
            if known == 0 {
                at = self.nodes.len();
                self.nodes.push(Node::default());
                let parent = self.path[self.path.len() - 1];
                self.nodes[parent].children[action as usize] = at as u32;
            }
            self.path.push(at);
            if known == 0 || !simulator.has_budget() {
                break;
            }
        }
        let mut value = worth(state.score(), &trial);
        if let Some(avatar) = trial.avatar_view(level)
            && self.history.contains(&avatar.place)
        {
            value -= PENALTY;
        }
        self.trial = trial;
        self.back_up(value);
    }

    fn back_up(&mut self, value: f64) {
        for (depth, place) in (0..self.path.len()).rev().enumerate() {
            let at = self.path[place];
            let children = self.nodes[at].children;
            let best = children.iter().filter(|&&child| child != 0);
            let best = best
                .map(|&child| self.nodes[child as usize].value)
                .fold(f64::NEG_INFINITY, f64::max);
            let node = &mut self.nodes[at];
            node.visits += 1.0;
            if depth == 0 {
                node.ends += 1.0;
                node.total += value;
            }
            node.value = if best.is_finite() {
                node.total / node.visits + (1.0 - node.ends / node.visits) * best
            } else {
                node.total / node.ends.max(1.0)
            };
        }
    }
}

impl Olets {
    /// Grows a tree until the budget ends; actions of the root with their visits.
    fn grow(&mut self, simulator: &mut Simulator<'_>, state: &State) -> Vec<(Action, f64)> {
        let level = simulator.level();
        if let Some(avatar) = state.avatar_view(level) {
            if self.history.len() == REMEMBERED {
                self.history.pop_front();
            }
            self.history.push_back(avatar.place);
        }
        self.nodes.clear();
        self.nodes.push(Node::default());
        while simulator.has_budget() && self.nodes.len() < MAX_NODES {
            let before = simulator.used();
            self.iterate(simulator, state);
            if simulator.used() == before {
                simulator.spend();
            }
        }
        let actions = actions_with_nil(level, state).iter();
        let root = &self.nodes[0];
        let visits = actions.map(|&action| match root.children[action as usize] {
            0 => (action, -1.0),
            child => (action, self.nodes[child as usize].visits),
        });
        visits.collect()
    }

    /// The action that it would choose, and what it takes it to be worth.
    pub(super) fn opinion(
        &mut self,
        simulator: &mut Simulator<'_>,
        state: &State,
    ) -> (Action, f64) {
        let visits = self.grow(simulator, state);
        let action = best(simulator, &visits);
        (action, self.value(action))
    }

    /// What an action of the root is worth, as far as the last search can tell.
    pub(super) fn value(&self, action: Action) -> f64 {
        match self.nodes[0].children[action as usize] {
            0 => f64::NEG_INFINITY,
            child => self.nodes[child as usize].value,
        }
    }
}

impl Controller for Olets {
    fn choose(&mut self, simulator: &mut Simulator<'_>, state: &State) -> Action {
        self.opinion(simulator, state).0
    }

    fn plan(&self, into: &mut Vec<Action>) {
        into.clear();
        let mut at = 0;
        while let Some(node) = self.nodes.get(at) {
            let most = Action::ALL.into_iter().max_by(|&one, &other| {
                let visits = |action: Action| match node.children[action as usize] {
                    0 => 0.0,
                    child => self.nodes[child as usize].visits,
                };
                visits(one).total_cmp(&visits(other))
            });
            match most.map(|action| (action, node.children[action as usize])) {
                Some((action, child)) if child != 0 && into.len() < 40 => {
                    into.push(action);
                    at = child as usize;
                }
                _ => break,
            }
        }
    }
}
