//! Tree search over information sets (Cowling, Powley and Whitehouse 2012), for any number of
//! roles that choose at the same time.
//!
//! Each simulation draws a hypergame and goes on from its state. With several observers every role
//! has a node for what *it* was told since the start of the match and chooses there by UCB among
//! the moves that are legal in the drawn state; how often a move was legal counts instead of how
//! often the node was visited. With a single observer all roles choose in the nodes of the
//! searching role, as if the others saw what it sees.

use std::hash::{Hash, Hasher};
use std::sync::atomic::AtomicBool;

use paidia_game::{Chance, Game, MoveId, RoleId, Sight, Walker, playout};
use paidia_search::scale::Scale;
use paidia_search::{Budget, Decision, Player, StopReason};
use rustc_hash::{FxHashMap, FxHasher};

use super::hyperplay::{STEP_LIMIT, scale};
use super::{Knowledge, Means, Work};
use crate::bag::{Told, told_along};

/// Whose information sets the tree is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Observer {
    /// Those of the searching role.
    Single,
    /// Those of every role.
    Multiple,
}

/// What is set about the search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TreeSettings {
    /// The most hypergames of the bag.
    pub hypergames: u32,
    /// Whose information sets the tree is made of.
    pub observer: Observer,
    /// The constant of UCB, for goals from 0 to 100.
    pub exploration: f64,
    /// The most nodes; then the tree grows no more.
    pub nodes: u32,
    /// Whether a move is drawn in proportion to its visits, instead of the most visited.
    pub mixed: bool,
}

impl Default for TreeSettings {
    fn default() -> Self {
        Self {
            hypergames: 1_000,
            observer: Observer::Multiple,
            exploration: 70.0,
            nodes: 500_000,
            mixed: false,
        }
    }
}

/// The player.
pub struct InformationSetSearch<G: Game> {
    knowledge: Knowledge<G>,
    settings: TreeSettings,
    walker: G::Walker,
    scale: Scale,
    nodes: FxHashMap<(u16, u64), Vec<Edge>>,
}

/// A move in a node.
#[derive(Clone, Copy, Debug)]
struct Edge {
    id: MoveId,
    visits: u32,
    /// How often it was legal where its role chose in the node.
    legal: u32,
    sum: f64,
}

impl<G: Game> InformationSetSearch<G> {
    /// A player for a role.
    pub fn new(game: &G, role: RoleId, settings: TreeSettings, seed: u64) -> Self {
        Self {
            knowledge: Knowledge::new(game, role, settings.hypergames as usize, seed),
            settings,
            walker: game.walker(),
            scale: scale(game),
            nodes: FxHashMap::default(),
        }
    }

    /// The key of the node in which a role chooses.
    fn key(&self, role: RoleId, seen: &[u64]) -> (u16, u64) {
        match self.settings.observer {
            Observer::Multiple => (role.0, seen[role.index()]),
            Observer::Single => (role.0, seen[self.knowledge.role.index()]),
        }
    }

    /// One simulation from a state in which the roles were told what `seen` says.
    fn simulate(&mut self, state: &G::State, mut seen: Vec<u64>, work: &mut Work) {
        let roles: Vec<RoleId> = self.knowledge.game.facts().role_ids().collect();
        let random = self.knowledge.game.facts().random();
        let mut path: Vec<((u16, u64), MoveId)> = Vec::new();
        let mut joint = Vec::with_capacity(roles.len());
        self.walker.jump(state);
        let mut grown = false;
        while !grown && !self.walker.is_terminal() {
            let legal = self.walker.legal().clone();
            joint.clear();
            for &role in &roles {
                let own = legal.of(role);
                let id = match *own {
                    [] => return,
                    [only] => only,
                    _ if Some(role) == random => self.knowledge.chance.pick(own).unwrap_or(own[0]),
                    _ => {
                        let key = self.key(role, &seen);
                        let (id, is_new) = self.select(key, own);
                        grown |= is_new;
                        path.push((key, id));
                        id
                    }
                };
                joint.push(id);
            }
            self.walker.advance(&joint, &mut self.knowledge.chance);
            work.states += 1;
            for &role in &roles {
                let mut hasher = FxHasher::default();
                seen[role.index()].hash(&mut hasher);
                (joint[role.index()], self.walker.percepts(role)).hash(&mut hasher);
                seen[role.index()] = hasher.finish();
            }
        }
        let made = playout(
            &mut self.walker,
            &mut joint,
            STEP_LIMIT,
            &mut self.knowledge.chance,
        );
        work.states += u64::from(made.length);
        work.simulations += 1;
        for (key, id) in path {
            let goal = self.walker.goal(RoleId(key.0)).value();
            let value = goal.map_or(0.0, |goal| self.scale.return_of(goal));
            let edges = self.nodes.get_mut(&key).into_iter().flatten();
            if let Some(edge) = edges.into_iter().find(|edge| edge.id == id) {
                edge.visits += 1;
                edge.sum += value;
            }
        }
    }

    /// The move that a role makes in a node, and whether it was made there for the first time.
    fn select(&mut self, key: (u16, u64), legal: &[MoveId]) -> (MoveId, bool) {
        let chance = &mut self.knowledge.chance;
        if self.nodes.len() >= self.settings.nodes as usize && !self.nodes.contains_key(&key) {
            return (chance.pick(legal).unwrap_or(legal[0]), true);
        }
        let edges = self.nodes.entry(key).or_default();
        let mut new = Vec::new();
        let mut best: Option<(f64, MoveId)> = None;
        for &id in legal {
            let place = edges
                .iter()
                .position(|edge| edge.id == id)
                .unwrap_or_else(|| {
                    edges.push(Edge {
                        id,
                        visits: 0,
                        legal: 0,
                        sum: 0.0,
                    });
                    edges.len() - 1
                });
            let edge = &mut edges[place];
            edge.legal += 1;
            if edge.visits == 0 {
                new.push(id);
                continue;
            }
            let visits = f64::from(edge.visits);
            let bound = self.settings.exploration * (f64::from(edge.legal).ln() / visits).sqrt();
            let value = edge.sum / visits + bound;
            if best.is_none_or(|(other, _)| value > other) {
                best = Some((value, id));
            }
        }
        match (chance.pick(&new), best) {
            (Some(id), _) => (id, true),
            (None, Some((_, id))) => (id, false),
            (None, None) => (legal[0], true),
        }
    }

    /// What each role was told along a hypergame, as hashes.
    fn seen_along(&mut self, joints: &[&[MoveId]]) -> Vec<u64> {
        let (game, mut chance) = (self.knowledge.game.clone(), Chance::from_seed(0));
        let start = game.initial();
        let hash = |told: Vec<Told>| {
            told.iter().fold(0_u64, |seen, told| {
                let mut hasher = FxHasher::default();
                seen.hash(&mut hasher);
                (told.made, &told.percepts[..]).hash(&mut hasher);
                hasher.finish()
            })
        };
        let roles = game.facts().role_ids();
        roles
            .map(|role| {
                hash(told_along::<G>(
                    &mut self.walker,
                    &start,
                    joints,
                    role,
                    &mut chance,
                ))
            })
            .collect()
    }
}

impl<G: Game> Player<G> for InformationSetSearch<G> {
    fn observe(&mut self, sight: &Sight<'_, G::State>) {
        self.knowledge.observe(sight);
    }

    fn choose(&mut self, legal: &[MoveId], budget: Budget, interrupt: &AtomicBool) -> Decision {
        if let [only] = *legal {
            return Decision::without_search(only, StopReason::OnlyMove);
        }
        let mut work = Work::new(budget);
        self.knowledge.catch_up(legal, budget);
        self.nodes.clear();
        let role = self.knowledge.role;
        // What the roles were told along each hypergame, worked out when it is first drawn.
        let mut seen: FxHashMap<usize, Vec<u64>> = FxHashMap::default();
        let limited = work.is_limited();
        let mut own_key = None;
        while !work.is_over(interrupt) && (limited || work.simulations < 1_000) {
            let place = draw_place(&self.knowledge.bag, &mut self.knowledge.chance);
            let game = self.knowledge.bag.games()[place].clone();
            let seen = match seen.get(&place) {
                Some(seen) => seen.clone(),
                None => {
                    let found = self.seen_along(&game.joints());
                    seen.insert(place, found.clone());
                    found
                }
            };
            own_key.get_or_insert_with(|| self.key(role, &seen));
            let before = work.simulations;
            self.simulate(&game.state, seen, &mut work);
            if work.simulations == before {
                break;
            }
        }
        work.nodes = self.nodes.len();
        let edges = own_key
            .and_then(|key| self.nodes.get(&key))
            .cloned()
            .unwrap_or_default();
        let mut means = Means::new(legal.len());
        for (place, id) in legal.iter().enumerate() {
            if let Some(edge) = edges.iter().find(|edge| edge.id == *id) {
                means.visits[place] = u64::from(edge.visits);
                means.weights[place] = f64::from(edge.visits);
                means.sums[place] = edge.sum;
            }
        }
        let chosen = self.settings.choose(&means, &mut self.knowledge.chance);
        // Values are told as goals.
        let facts = self.knowledge.game.facts();
        let (lowest, highest) = (
            f64::from(*facts.goal_range.start()),
            f64::from(*facts.goal_range.end()),
        );
        for place in 0..legal.len() {
            let mean = means.mean(place) / Scale::HIGHEST;
            means.sums[place] = (lowest + mean * (highest - lowest)) * means.weights[place];
        }
        means.decision(legal, chosen, &work)
    }
}

impl TreeSettings {
    /// The most visited move, or one drawn by the visits.
    fn choose(&self, means: &Means, chance: &mut Chance) -> usize {
        let all: u64 = means.visits.iter().sum();
        if self.mixed && all > 0 {
            let mut rest = (chance.fraction() * all as f64) as u64;
            for (place, &visits) in means.visits.iter().enumerate() {
                if rest < visits {
                    return place;
                }
                rest -= visits;
            }
        }
        let most = means.visits.iter().copied().max().unwrap_or(0);
        let ties: Vec<usize> = (0..means.visits.len())
            .filter(|&place| means.visits[place] == most)
            .collect();
        chance.pick(&ties).unwrap_or(0)
    }
}

/// The place of a hypergame, drawn by the weights.
fn draw_place<G: Game>(bag: &crate::bag::Bag<G>, chance: &mut Chance) -> usize {
    let whole: f64 = bag.games().iter().map(|game| game.weight).sum();
    let mut rest = chance.fraction() * whole;
    let found = bag.games().iter().position(|game| {
        rest -= game.weight;
        rest < 0.0
    });
    found.unwrap_or(bag.games().len() - 1)
}
