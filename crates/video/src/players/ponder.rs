//! A search that goes on from tick to tick while nothing moves by itself.
//!
//! In a game without chance in which doing nothing changes nothing, an avatar may stand still and
//! think. The search never looks at a state twice. States wait by their score; every second time
//! one with the highest is gone on with, and else the scores take turns. Of those with one score,
//! states that had a new atom come first, then those with a new pair of an atom and the avatar's
//! place, then others, each in the order in which they came. Atoms are new for a score: when
//! something was gained, old ones count again.

use std::collections::{BTreeMap, VecDeque};
use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashSet, FxHasher};

use super::olets::worth;
use super::{MAX_BYTES, Simulator};
use crate::class::Action;
use crate::kind::TypeId;
use crate::level::Level;
use crate::state::{State, flag};
use crate::view::actions_with_nil;

/// Ticks of doing nothing after which a game counts as one in which nothing moves.
const STILL: usize = 60;
/// States that are kept for their memory.
const MAX_SPARE: usize = 10_000;
/// Nodes of one search.
const MAX_NODES: usize = 2_000_000;

#[derive(Debug)]
struct Node {
    parent: u32,
    action: Action,
}

/// A state that waits, with its node and what it is worth.
#[derive(Debug)]
struct Open {
    node: u32,
    depth: u32,
    state: State,
}

/// The search.
#[derive(Debug, Default)]
pub(super) struct Ponder {
    nodes: Vec<Node>,
    /// By score, and then by how new they are.
    open: BTreeMap<i64, [VecDeque<Open>; 3]>,
    /// How many states were gone on with, and the score whose turn it was last.
    turns: u64,
    last: i64,
    known: FxHashSet<u64>,
    atoms: FxHashSet<u64>,
    spare: Vec<State>,
    trial: State,
    waiting: usize,
    /// The score where the search began, and the best so far with its node.
    origin: i64,
    best: Option<(f64, u32)>,
}

/// How a search stands.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Progress {
    /// The budget ended.
    GoesOn,
    /// These actions win.
    Wins(Vec<Action>),
    /// There is nothing more to look at, or no room for it; these actions gain most, if any do.
    Ends(Vec<Action>),
}

/// A number for some parts. The hasher alone is linear, so that sums of its numbers would say of
/// two sprites that stepped apart that nothing has changed; the rest mixes the bits (SplitMix64).
fn hash(parts: impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    parts.hash(&mut hasher);
    let mut bits = hasher.finish();
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}

/// A number for all that stands on the board, whenever and in whatever order it came there.
fn board(level: &Level, state: &State) -> u64 {
    let mut sum = hash(state.score());
    for kind in 0..level.kinds.len() as TypeId {
        for &slot in state.group(kind) {
            let sprite = state.sprite(level, slot);
            // What is not oriented mostly moves alike, wherever it was pushed from.
            let looks = u16::from(sprite.is(flag::ORIENTED)) * sprite.orientation;
            let own = (sprite.x, sprite.y, looks, sprite.health);
            sum = sum.wrapping_add(hash((kind, own, sprite.time_to_live, sprite.a)));
        }
    }
    if let Some(avatar) = state.avatar_view(level) {
        for (resource, amount) in state.resources(&avatar) {
            sum = sum.wrapping_add(hash((u64::MAX, resource, amount)));
        }
    }
    sum
}

/// Whether doing nothing changes nothing but the time. Uses some of the budget.
pub(super) fn is_still(simulator: &mut Simulator<'_>, state: &State, trial: &mut State) -> bool {
    let level = simulator.level();
    let before = board(level, state);
    trial.copy(state);
    for _ in 0..STILL {
        simulator.advance(trial, Action::Nil);
        if trial.is_over() || board(level, trial) != before {
            return false;
        }
    }
    true
}

impl Ponder {
    /// Begins anew with a state.
    pub(super) fn begin(&mut self, level: &Level, state: &State) {
        self.nodes.clear();
        self.known.clear();
        self.atoms.clear();
        let open = std::mem::take(&mut self.open).into_values().flatten();
        let states = open.flatten().map(|open| open.state);
        self.spare.extend(states.take(MAX_SPARE));
        self.turns = 0;
        self.waiting = 0;
        self.origin = state.score();
        self.best = None;
        self.known.insert(board(level, state));
        self.class(level, state);
        self.nodes.push(Node {
            parent: 0,
            action: Action::Nil,
        });
        self.wait(state, 0, 0, 0);
    }

    fn wait(&mut self, state: &State, node: u32, depth: u32, class: usize) {
        let mut copy = self.spare.pop().unwrap_or_default();
        copy.copy(state);
        self.waiting += copy.bytes();
        let queues = self.open.entry(state.score()).or_default();
        queues[class].push_back(Open {
            node,
            depth,
            state: copy,
        });
    }

    /// How new a state is: 0 with a new atom, 1 with a new pair, 2 else.
    fn class(&mut self, level: &Level, state: &State) -> usize {
        let avatar = state.avatar(level);
        let kind = avatar.map(|avatar| (avatar.kind, avatar.cell, avatar.orientation));
        let own = hash((state.score(), kind));
        let mut class = if self.atoms.insert(own) { 0 } else { 2 };
        for kind in 0..level.kinds.len() as TypeId {
            if level.kinds[usize::from(kind)].is_avatar {
                continue;
            }
            for &slot in state.group(kind) {
                let atom = (kind, state.sprite(level, slot).cell);
                if self.atoms.insert(hash((state.score(), atom, 1))) {
                    class = 0;
                }
                if self.atoms.insert(hash((own, atom, 2))) {
                    class = class.min(1);
                }
            }
        }
        class
    }

    /// The state to go on with.
    fn next(&mut self) -> Option<Open> {
        self.turns += 1;
        let highest = self.open.last_key_value().map(|(&score, _)| score)?;
        let mut score = highest;
        if self.turns.is_multiple_of(2) {
            let lower = self.open.range(..self.last).next_back();
            score = lower.map_or(highest, |(&score, _)| score);
            self.last = score;
        }
        let queues = self.open.get_mut(&score)?;
        let open = queues.iter_mut().find_map(VecDeque::pop_front);
        if queues.iter().all(VecDeque::is_empty) {
            self.open.remove(&score);
        }
        open
    }

    fn path(&self, mut at: u32) -> Vec<Action> {
        let mut actions = Vec::new();
        while at != 0 {
            actions.push(self.nodes[at as usize].action);
            at = self.nodes[at as usize].parent;
        }
        actions.reverse();
        actions
    }

    /// The actions that gain most, as far as it is known.
    pub(super) fn best_path(&self) -> Vec<Action> {
        self.best.map_or_else(Vec::new, |(_, at)| self.path(at))
    }

    /// Goes on until the budget ends, the game is won, or nothing is left.
    pub(super) fn go_on(&mut self, simulator: &mut Simulator<'_>) -> Progress {
        let level = simulator.level();
        while simulator.has_budget() {
            let full = self.waiting > MAX_BYTES || self.nodes.len() > MAX_NODES;
            let next = if full { None } else { self.next() };
            let Some(open) = next else {
                return Progress::Ends(self.best_path());
            };
            self.waiting = self.waiting.saturating_sub(open.state.bytes());
            for &action in actions_with_nil(level, &open.state) {
                if action == Action::Nil {
                    continue;
                }
                if let Some(won) = self.step(simulator, &open, action) {
                    return Progress::Wins(won);
                }
            }
            self.spare.push(open.state);
        }
        Progress::GoesOn
    }

    /// Makes one action in a state that waited; the way there if that wins.
    fn step(
        &mut self,
        simulator: &mut Simulator<'_>,
        open: &Open,
        action: Action,
    ) -> Option<Vec<Action>> {
        let level = simulator.level();
        let mut trial = std::mem::take(&mut self.trial);
        trial.copy(&open.state);
        simulator.advance(&mut trial, action);
        let lost = trial.win() == 0;
        let mut won = None;
        if !lost && self.known.insert(board(level, &trial)) {
            let node = self.nodes.len() as u32;
            self.nodes.push(Node {
                parent: open.node,
                action,
            });
            let depth = open.depth + 1;
            let value = worth(self.origin, &trial) * 0.999_f64.powi(depth as i32);
            if value > 0.0 && self.best.is_none_or(|(most, _)| value > most) {
                self.best = Some((value, node));
            }
            if trial.win() == 1 {
                won = Some(self.path(node));
            } else {
                let class = self.class(level, &trial);
                self.wait(&trial, node, depth, class);
            }
        }
        self.trial = trial;
        won
    }
}
