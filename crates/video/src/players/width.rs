//! Iterated width: breadth-first search that drops states in which nothing is new.
//!
//! A state's atoms are "a sprite of this type is at home in this cell", and for avatars "in this
//! cell, looking this way". IW(i) drops a new state unless some set of at most i atoms holds in it
//! for the first time; IW(3/2) looks at single atoms and at pairs with an atom of the avatar.
//! Before the search, actions that lose more often than others in ten samples are left out. The
//! action begins the path with the highest reward. Method page: docs/methods/width-search.md.

use rustc_hash::FxHashSet;

use super::{Controller, MAX_BYTES, SAMPLES, Simulator, best, safe_actions};
use crate::class::Action;
use crate::level::Level;
use crate::state::State;
use crate::view::actions_with_nil;

/// Which states are dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Novelty {
    /// None: plain breadth-first search.
    All,
    /// Those without a new atom.
    One,
    /// Those without a new atom or pair of atoms.
    Two,
    /// Those without a new atom or a new pair that has an atom of the avatar.
    OneAndAHalf,
}

/// Width-based search.
#[derive(Debug)]
pub struct Width {
    novelty: Novelty,
    /// Samples of each action before the search; 0 leaves no action out.
    samples: u32,
    discount: f64,
    nodes: Vec<Node>,
    spare: Vec<State>,
    seen: Vec<u64>,
    pairs: FxHashSet<u64>,
    atoms: Vec<u32>,
    trial: State,
    expanded: usize,
    plan: Vec<Action>,
}

#[derive(Debug)]
struct Node {
    /// Where the node came from, and by which action.
    parent: u32,
    action: Action,
    state: State,
    atoms: Vec<u32>,
    reward: f64,
    weight: f64,
    /// The place of the first action among the safe ones.
    first: usize,
}

/// Nodes of one search: memory has an end, whatever the budget.
const MAX_NODES: usize = 200_000;

impl Width {
    /// A search of a width, with the usual ten samples.
    pub fn new(novelty: Novelty) -> Self {
        Self {
            novelty,
            samples: SAMPLES,
            discount: 0.99,
            nodes: Vec::new(),
            spare: Vec::new(),
            seen: Vec::new(),
            pairs: FxHashSet::default(),
            atoms: Vec::new(),
            trial: State::default(),
            expanded: 0,
            plan: Vec::new(),
        }
    }

    /// The same search with another factor for rewards of later actions.
    #[must_use]
    pub fn with_discount(mut self, discount: f64) -> Self {
        self.discount = discount;
        self
    }

    /// The same search without leaving out actions that lose at once.
    #[must_use]
    pub fn without_prepruning(mut self) -> Self {
        self.samples = 0;
        self
    }

    /// Nodes that the last decision expanded.
    pub fn expanded(&self) -> usize {
        self.expanded
    }

    /// How many atoms a level can have.
    pub fn atom_count(level: &Level) -> usize {
        level.kinds.len() * level.cell_count() * 7
    }

    /// Puts the atoms of a state into `atoms`, sorted, each once.
    fn collect(&mut self, level: &Level, state: &State) {
        let cells = level.cell_count() as u32;
        let kinds = level.kinds.len() as u32;
        self.atoms.clear();
        for kind in 0..level.kinds.len() {
            let avatar = level.kinds[kind].is_avatar;
            for &slot in state.group(kind as u16) {
                let sprite = state.sprite(level, slot);
                let place = if avatar {
                    kinds + kind as u32 * 6 + u32::from(sprite.orientation.min(5))
                } else {
                    kind as u32
                };
                self.atoms.push(place * cells + u32::from(sprite.cell));
            }
        }
        self.atoms.sort_unstable();
        self.atoms.dedup();
    }

    /// Whether the atoms collected last have something new; they are known from then on.
    fn is_new(&mut self, first_of_avatars: u32, parent: &[u32]) -> bool {
        let mut new = false;
        for &atom in &self.atoms {
            let word = &mut self.seen[atom as usize / 64];
            let mark = 1 << (atom % 64);
            new |= *word & mark == 0;
            *word |= mark;
        }
        let with_pairs = matches!(self.novelty, Novelty::Two | Novelty::OneAndAHalf);
        if with_pairs {
            for &one in &self.atoms {
                // Pairs of atoms that both held before are known.
                if parent.binary_search(&one).is_ok() {
                    continue;
                }
                for &other in &self.atoms {
                    let avatars = one >= first_of_avatars || other >= first_of_avatars;
                    if one == other || (self.novelty == Novelty::OneAndAHalf && !avatars) {
                        continue;
                    }
                    let (low, high) = (one.min(other), one.max(other));
                    new |= self.pairs.insert(u64::from(low) << 32 | u64::from(high));
                }
            }
        }
        new || self.novelty == Novelty::All
    }

    fn push(&mut self, state: &State, from: (usize, Action), worth: (f64, f64), first: usize) {
        let mut copy = self.spare.pop().unwrap_or_default();
        copy.copy(state);
        self.nodes.push(Node {
            parent: from.0 as u32,
            action: from.1,
            state: copy,
            atoms: self.atoms.clone(),
            reward: worth.0,
            weight: worth.1,
            first,
        });
    }

    /// Keeps the actions that lead to a node and one more.
    fn keep_plan(&mut self, mut at: usize, last: Action) {
        self.plan.clear();
        self.plan.push(last);
        while at != 0 {
            self.plan.push(self.nodes[at].action);
            at = self.nodes[at].parent as usize;
        }
        self.plan.reverse();
    }

    fn clear(&mut self, level: &Level) {
        let states = self.nodes.drain(..).map(|node| node.state);
        self.spare.extend(states);
        self.seen.clear();
        self.seen.resize(Self::atom_count(level).div_ceil(64), 0);
        self.pairs.clear();
        self.expanded = 0;
    }
}

impl Controller for Width {
    fn choose(&mut self, simulator: &mut Simulator<'_>, state: &State) -> Action {
        let level = simulator.level();
        let mut trial = std::mem::take(&mut self.trial);
        let safe: Vec<Action> = if self.samples == 0 {
            actions_with_nil(level, state).to_vec()
        } else {
            let safe = safe_actions(simulator, state, self.samples, &mut trial);
            safe.into_iter().map(|(action, _)| action).collect()
        };
        let mut rewards = vec![f64::NEG_INFINITY; safe.len()];
        let avatars = (level.kinds.len() * level.cell_count()) as u32;
        self.clear(level);
        self.collect(level, state);
        self.is_new(avatars, &[]);
        self.push(state, (0, Action::Nil), (0.0, 1.0), 0);
        self.plan.clear();
        let mut most = f64::NEG_INFINITY;
        let mut next = 0;
        let limit = MAX_NODES.min(MAX_BYTES / state.bytes());
        while next < self.nodes.len() && simulator.has_budget() && self.nodes.len() < limit {
            let (root, parent) = (next == 0, next);
            next += 1;
            self.expanded += 1;
            let actions = if root {
                safe.as_slice()
            } else {
                actions_with_nil(level, &self.nodes[parent].state)
            };
            for (place, &action) in actions.iter().enumerate() {
                if !simulator.has_budget() {
                    break;
                }
                let node = &mut self.nodes[parent];
                trial.copy(&node.state);
                let before = simulator.value(&node.state);
                simulator.advance(&mut trial, action);
                let gain = simulator.value(&trial) - before;
                let (reward, weight) = (
                    node.reward + node.weight * gain,
                    node.weight * self.discount,
                );
                let first = if root { place } else { node.first };
                let atoms = std::mem::take(&mut node.atoms);
                self.collect(level, &trial);
                let new = self.is_new(avatars, &atoms);
                self.nodes[parent].atoms = atoms;
                if !new {
                    continue;
                }
                rewards[first] = rewards[first].max(reward);
                if reward > most {
                    most = reward;
                    self.keep_plan(parent, action);
                }
                if !trial.is_over() {
                    self.push(&trial, (parent, action), (reward, weight), first);
                }
            }
        }
        self.trial = trial;
        let valued: Vec<(Action, f64)> = safe.into_iter().zip(rewards).collect();
        let chosen = best(simulator, &valued);
        if self.plan.first() != Some(&chosen) {
            self.plan.clear();
        }
        chosen
    }

    fn plan(&self, into: &mut Vec<Action>) {
        into.clone_from(&self.plan);
    }
}
