//! Monte Carlo tree search for video games, vanilla and open-loop, with six modifications.
//!
//! Depth of tree and playout together is ten; a value is the score, with ±10^7 for the end of the
//! game, scaled by the lowest and highest value so far. The modifications are switches that go
//! together: MixMax (Q times the best value in place of that share of the mean), macro actions
//! (each action repeated), partial expansion (a child not tried yet competes as one with a single
//! visit of value 0), the reversal penalty (values of children that lead back to one of the last five
//! places are multiplied by 0.95), playouts whose choices are evolved, and rewards from a knowledge
//! base. Method pages: docs/methods/video-tree-search.md, docs/methods/kb-fast-evo.md.

use std::collections::VecDeque;

use super::evolution::Evolution;
use super::knowledge::{Knowledge, Start};
use super::{Controller, MAX_BYTES, Simulator};
use crate::class::Action;
use crate::state::State;
use crate::view::actions_with_nil;

/// What the search is like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TreeOptions {
    /// Steps of tree and playout together.
    pub depth: usize,
    /// The weight of rarely tried actions.
    pub exploration: f64,
    /// Whether nodes keep no states, so that each visit draws anew.
    pub open_loop: bool,
    /// The share of the best value: 0 is the mean alone.
    pub mix_max: f64,
    /// How often each action is repeated.
    pub macro_length: usize,
    /// Whether a chosen action is made that often before the next decision.
    pub whole_macros: bool,
    /// Whether the search may go deeper before all actions were tried.
    pub partial_expansion: bool,
    /// The factor for going back: 1 is no penalty.
    pub reversal: f64,
    /// Whether the choices of playouts are evolved.
    pub evolve: bool,
    /// Whether rewards come from a knowledge base.
    pub knowledge: bool,
}

impl Default for TreeOptions {
    fn default() -> Self {
        Self {
            depth: 10,
            exploration: std::f64::consts::SQRT_2,
            open_loop: false,
            mix_max: 0.0,
            macro_length: 1,
            whole_macros: false,
            partial_expansion: false,
            reversal: 1.0,
            evolve: false,
            knowledge: false,
        }
    }
}

impl TreeOptions {
    /// The vanilla search without states in its nodes.
    pub fn open_loop() -> Self {
        Self {
            open_loop: true,
            ..Self::default()
        }
    }
}

/// Places of the avatar that count as going back.
const REMEMBERED: usize = 5;
const MAX_NODES: usize = 200_000;

/// A Monte Carlo tree search that begins anew with every decision.
#[derive(Debug)]
pub struct Tree {
    options: TreeOptions,
    nodes: Vec<Node>,
    /// Last places of the avatar in the real game.
    history: VecDeque<(i32, i32)>,
    trial: State,
    low: f64,
    high: f64,
    evolution: Evolution,
    knowledge: Knowledge,
    start: Start,
    /// Actions still to make of a macro that was chosen.
    pending: Vec<Action>,
}

#[derive(Debug)]
struct Node {
    children: [u32; 6],
    visits: f64,
    total: f64,
    most: f64,
    place: (i32, i32),
    state: Option<State>,
}

impl Node {
    fn new() -> Self {
        Self {
            children: [0; 6],
            visits: 0.0,
            total: 0.0,
            most: f64::NEG_INFINITY,
            place: (i32::MIN, i32::MIN),
            state: None,
        }
    }
}

impl Tree {
    /// A search with some options.
    pub fn new(options: TreeOptions) -> Self {
        Self {
            options,
            nodes: Vec::new(),
            history: VecDeque::new(),
            trial: State::default(),
            low: 0.0,
            high: 0.0,
            evolution: Evolution::default(),
            knowledge: Knowledge::default(),
            start: Start::default(),
            pending: Vec::new(),
        }
    }

    /// The highest value that an iteration of the last decision came to.
    pub fn best_value(&self) -> f64 {
        self.high
    }

    /// What was learnt in this game.
    pub fn knowledge(&self) -> &Knowledge {
        &self.knowledge
    }

    /// The value by which a child is selected.
    fn urgency(&self, child: &Node, parent_visits: f64, recent: &VecDeque<(i32, i32)>) -> f64 {
        let scale = |value: f64| {
            let span = self.high - self.low;
            if span > 0.0 {
                (value - self.low) / span
            } else {
                0.5
            }
        };
        let mix = self.options.mix_max;
        let mean = scale(child.total / child.visits.max(1e-6));
        let exploited = if mix > 0.0 {
            mix * scale(child.most) + (1.0 - mix) * mean
        } else {
            mean
        };
        let explored =
            self.options.exploration * ((parent_visits + 1.0).ln() / (child.visits + 1e-6)).sqrt();
        let urgency = exploited + explored;
        if recent.contains(&child.place) {
            urgency * self.options.reversal
        } else {
            urgency
        }
    }

    /// The action to try in a node, and whether it is new there.
    fn select(
        &self,
        simulator: &mut Simulator<'_>,
        at: usize,
        actions: &[Action],
        recent: &VecDeque<(i32, i32)>,
    ) -> Option<(Action, bool)> {
        let node = &self.nodes[at];
        let untried: Vec<Action> = actions
            .iter()
            .copied()
            .filter(|&action| node.children[action as usize] == 0)
            .collect();
        if !untried.is_empty() && !self.options.partial_expansion {
            return simulator
                .chance()
                .pick(&untried)
                .map(|action| (action, true));
        }
        let mut best: Option<(f64, Action, bool)> = None;
        for &action in actions {
            let child = node.children[action as usize];
            let new = child == 0;
            let noise = simulator.chance().fraction() * 1e-6;
            let urgency = noise
                + if new {
                    self.options.exploration * (node.visits + 1.0).ln().sqrt()
                } else {
                    self.urgency(&self.nodes[child as usize], node.visits, recent)
                };
            if best.is_none_or(|(most, ..)| urgency > most) {
                best = Some((urgency, action, new));
            }
        }
        best.map(|(_, action, new)| (action, new))
    }

    fn make(&mut self, simulator: &mut Simulator<'_>, trial: &mut State, action: Action) {
        for _ in 0..self.options.macro_length.max(1) {
            if trial.is_over() {
                return;
            }
            self.advance(simulator, trial, action);
        }
    }

    /// One advance, from which the knowledge base learns.
    fn advance(&mut self, simulator: &mut Simulator<'_>, trial: &mut State, action: Action) {
        let before = trial.score();
        simulator.advance(trial, action);
        if self.options.knowledge && !simulator.events().is_empty() {
            let change = (trial.score() - before) as f64;
            self.knowledge
                .learn(simulator.level(), simulator.events(), change);
        }
    }

    /// A playout until the depth is reached.
    fn play_out(&mut self, simulator: &mut Simulator<'_>, trial: &mut State, mut depth: usize) {
        let level = simulator.level();
        while depth < self.options.depth && !trial.is_over() && simulator.has_budget() {
            let actions = actions_with_nil(level, trial);
            let action = if self.options.evolve {
                self.evolution
                    .choose(level, trial, actions, simulator.chance())
            } else {
                simulator.chance().pick(actions).unwrap_or(Action::Nil)
            };
            self.advance(simulator, trial, action);
            depth += 1;
        }
    }

    /// What a playout that ended here was worth.
    fn reward(&self, simulator: &Simulator<'_>, trial: &State) -> f64 {
        let value = simulator.value(trial);
        if self.options.knowledge {
            self.knowledge
                .reward(simulator.level(), trial, value, &self.start)
        } else {
            value
        }
    }

    /// One iteration: down the tree, a playout, and back up.
    fn iterate(&mut self, simulator: &mut Simulator<'_>, state: &State, trial: &mut State) {
        trial.copy(state);
        let level = simulator.level();
        let mut recent = self.history.clone();
        let most = match self.options.open_loop {
            true => MAX_NODES,
            false => MAX_NODES.min(MAX_BYTES / state.bytes()),
        };
        let mut path = vec![0];
        let mut depth = 0;
        let mut at = 0;
        while depth < self.options.depth && !trial.is_over() {
            let actions = actions_with_nil(level, trial);
            let Some((action, new)) = self.select(simulator, at, actions, &recent) else {
                break;
            };
            let known = self.nodes[at].children[action as usize] as usize;
            match self.nodes.get(known).and_then(|node| node.state.as_ref()) {
                Some(stored) if !new => trial.copy(stored),
                _ => self.make(simulator, trial, action),
            }
            depth += self.options.macro_length.max(1);
            at = known;
            if new {
                if self.nodes.len() >= most {
                    break;
                }
                let mut node = Node::new();
                node.state = (!self.options.open_loop).then(|| trial.clone());
                self.nodes.push(node);
                at = self.nodes.len() - 1;
                let parent = path.last().copied().unwrap_or(0);
                self.nodes[parent].children[action as usize] = at as u32;
            }
            if let Some(avatar) = trial.avatar_view(level) {
                self.nodes[at].place = avatar.place;
                remember(&mut recent, avatar.place);
            }
            path.push(at);
            if new {
                break;
            }
        }
        if self.options.evolve {
            self.evolution.mutate(simulator.chance());
        }
        self.play_out(simulator, trial, depth);
        let value = self.reward(simulator, trial);
        if self.options.evolve {
            self.evolution.judge(value);
        }
        self.low = self.low.min(value);
        self.high = self.high.max(value);
        for at in path {
            let node = &mut self.nodes[at];
            node.visits += 1.0;
            node.total += value;
            node.most = node.most.max(value);
        }
    }

    /// The most visited action; the best mean if all were visited equally.
    fn decide(&self, simulator: &mut Simulator<'_>, actions: &[Action]) -> Action {
        let children: Vec<(Action, &Node)> = actions
            .iter()
            .map(|&action| (action, self.nodes[0].children[action as usize] as usize))
            .filter(|(_, child)| *child != 0)
            .map(|(action, child)| (action, &self.nodes[child]))
            .collect();
        let Some((_, first)) = children.first() else {
            return simulator.chance().pick(actions).unwrap_or(Action::Nil);
        };
        let equal = children
            .iter()
            .all(|(_, child)| child.visits == first.visits);
        let valued: Vec<(Action, f64)> = children
            .iter()
            .map(|(action, child)| {
                let mean = child.total / child.visits.max(1e-6);
                (*action, if equal { mean } else { child.visits })
            })
            .collect();
        super::best(simulator, &valued)
    }
}

/// Adds a place to the last five.
fn remember(places: &mut VecDeque<(i32, i32)>, place: (i32, i32)) {
    if places.len() == REMEMBERED {
        places.pop_front();
    }
    places.push_back(place);
}

impl Controller for Tree {
    fn choose(&mut self, simulator: &mut Simulator<'_>, state: &State) -> Action {
        let level = simulator.level();
        if let Some(avatar) = state.avatar_view(level) {
            remember(&mut self.history, avatar.place);
        }
        if let Some(action) = self.pending.pop() {
            return action;
        }
        self.nodes.clear();
        self.nodes.push(Node::new());
        self.evolution.reset();
        if self.options.knowledge {
            simulator.note_events(true);
            let value = simulator.value(state);
            self.knowledge.start(level, state, value, &mut self.start);
        }
        (self.low, self.high) = (f64::INFINITY, f64::NEG_INFINITY);
        let mut trial = std::mem::take(&mut self.trial);
        while simulator.has_budget() {
            let before = simulator.used();
            self.iterate(simulator, state, &mut trial);
            // Where all ends are known nothing is simulated any more.
            if simulator.used() == before {
                simulator.spend();
            }
        }
        self.trial = trial;
        let action = self.decide(simulator, actions_with_nil(level, state));
        if self.options.whole_macros {
            let more = self.options.macro_length.saturating_sub(1);
            self.pending.resize(more, action);
        }
        action
    }

    fn plan(&self, into: &mut Vec<Action>) {
        into.clear();
        let mut at = 0;
        while let Some(node) = self.nodes.get(at) {
            let visits = |action: Action| match node.children[action as usize] {
                0 => 0.0,
                child => self.nodes[child as usize].visits,
            };
            let all = Action::ALL.into_iter();
            let most = all.max_by(|&one, &other| visits(one).total_cmp(&visits(other)));
            let child = most.map_or(0, |action| node.children[action as usize]);
            let Some(action) = most.filter(|_| child != 0) else {
                return;
            };
            into.extend(std::iter::repeat_n(
                action,
                self.options.macro_length.max(1),
            ));
            at = child as usize;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use super::{Node, Tree, TreeOptions};

    fn tree(options: TreeOptions) -> (Tree, Node) {
        let mut tree = Tree::new(options);
        (tree.low, tree.high) = (0.0, 10.0);
        let child = Node {
            visits: 4.0,
            total: 8.0,
            most: 9.0,
            place: (3, 4),
            ..Node::new()
        };
        (tree, child)
    }

    #[test]
    fn mixing_in_nothing_is_the_mean_and_mixing_in_all_is_the_maximum() {
        let none = VecDeque::new();
        let plain = TreeOptions {
            exploration: 0.0,
            ..TreeOptions::default()
        };
        let (vanilla, child) = tree(plain);
        assert_eq!(vanilla.urgency(&child, 9.0, &none), 0.2);
        let (all, child) = tree(TreeOptions {
            mix_max: 1.0,
            ..plain
        });
        assert_eq!(all.urgency(&child, 9.0, &none), 0.9);
        let (some, child) = tree(TreeOptions {
            mix_max: 0.1,
            ..plain
        });
        assert!((some.urgency(&child, 9.0, &none) - 0.27).abs() < 1e-12);
    }

    #[test]
    fn going_back_costs_exactly_when_the_place_is_among_the_last_five() {
        let (penal, child) = tree(TreeOptions {
            reversal: 0.95,
            ..TreeOptions::default()
        });
        let free = penal.urgency(&child, 9.0, &VecDeque::from([(1, 1)]));
        let back = penal.urgency(&child, 9.0, &VecDeque::from([(1, 1), (3, 4)]));
        assert_eq!(back, free * 0.95);
        let mut places = VecDeque::new();
        (0..9).for_each(|x| super::remember(&mut places, (x, 0)));
        assert_eq!(places, [(4, 0), (5, 0), (6, 0), (7, 0), (8, 0)]);
    }
}
