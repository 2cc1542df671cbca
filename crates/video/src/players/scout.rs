//! Our own search: plans found by width, kept from tick to tick, beside open-loop expectimax.
//!
//! A decision has two opinions. The first is a plan: a search in breadth that drops states without
//! a new atom, in which the place of the avatar is another atom whenever its type or its stock of
//! resources is another. Plans are worth what they win and score, and a little for touching what
//! was never touched, for having what was never had, and for places that were rarely visited. The
//! plan of the last decision is gone on with unless a new one is better; where chance has a part,
//! plans are played again a few times before they count. The second opinion is that of OLETS. What
//! is worth more is done. Method page: docs/methods/video-default.md.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use super::olets::{Olets, worth};
use super::ponder::{Ponder, Progress, is_still};
use super::{Controller, MAX_BYTES, Simulator};
use crate::class::Action;
use crate::kind::TypeId;
use crate::level::Level;
use crate::state::State;
use crate::view::actions_with_nil;

/// What a step later makes of a value.
const DISCOUNT: f64 = 0.99;
/// What it is worth to touch something for the first time.
const TOUCH: f64 = 0.06;
/// What it is worth to be or to have something for the first time.
const HAVE: f64 = 0.05;
/// A plan is not begun whose first action the other opinion takes to be worse than its own by this.
const DOOM: f64 = 0.3;
/// What it is worth to stand where the avatar never stood.
const PLACE: f64 = 0.02;
/// The share of a decision's budget that the search for plans has.
const PLANNING: f64 = 0.5;
/// The share of what is left that is for playing a plan again.
const JUDGING: f64 = 0.2;
/// How often a plan is played before it counts, where chance has a part.
const REPLAYS: u32 = 4;
/// Samples of each action before a search, where chance has a part.
const SAMPLES: u32 = 5;
/// Actions of a plan that are played again, at most.
const LONGEST_REPLAY: usize = 60;
/// Nodes of one search, each with a state.
const MAX_NODES: usize = 20_000;
/// Ticks for which the avatar may stand still in a game, to think.
const PATIENCE: u32 = 600;

/// Which pairs of atoms count as new, beside single atoms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pairs {
    None,
    WithAvatar,
    All,
}

#[derive(Debug)]
struct Node {
    parent: u32,
    action: Action,
    depth: u32,
    worth: f64,
    state: State,
}

/// Actions with what they are worth.
#[derive(Clone, Debug, Default)]
struct Plan {
    actions: Vec<Action>,
    worth: f64,
}

/// The search.
#[derive(Debug, Default)]
pub struct Scout {
    olets: Olets,
    nodes: Vec<Node>,
    spare: Vec<State>,
    seen: Vec<u64>,
    pairs: FxHashSet<u64>,
    /// Places of the avatar, with what it is and has.
    places: FxHashSet<u64>,
    atoms: Vec<u32>,
    /// What was touched and had in this search or replay for the first time.
    touched: Vec<(TypeId, TypeId)>,
    gained: Vec<u64>,
    /// What was touched and had in the game.
    met: FxHashSet<(TypeId, TypeId)>,
    had: FxHashSet<u64>,
    visits: FxHashMap<u64, u32>,
    plan: Plan,
    trial: State,
    is_random: Option<bool>,
    pondering: Pondering,
}

/// A search that goes on while the avatar stands still.
#[derive(Debug, Default)]
struct Pondering {
    search: Ponder,
    /// Whether a search is under way, from a state that has not changed since.
    runs: bool,
    waited: u32,
    /// Actions that it found and that are still to be made, the next one last.
    actions: Vec<Action>,
    /// The score at which a search came to nothing, so that it need not be made again.
    vain: Option<i64>,
}

/// A number for what the avatar is and has.
fn mode(level: &Level, state: &State) -> u64 {
    let mut hasher = FxHasher::default();
    if let Some(avatar) = state.avatar_view(level) {
        avatar.kind.hash(&mut hasher);
        for (resource, amount) in state.resources(&avatar) {
            if amount > 0 {
                (resource, amount.min(10)).hash(&mut hasher);
            }
        }
    }
    hasher.finish()
}

/// A number for where the avatar stands, beside what it is and has.
fn place(level: &Level, state: &State, mode: u64, looks: bool) -> u64 {
    let mut hasher = FxHasher::default();
    mode.hash(&mut hasher);
    if let Some(avatar) = state.avatar(level) {
        avatar.cell.hash(&mut hasher);
        if looks {
            avatar.orientation.hash(&mut hasher);
        }
    }
    hasher.finish()
}

impl Scout {
    /// What a step is worth beside the score: things touched and had for the first time.
    fn curiosity(&mut self, simulator: &Simulator<'_>, after: &State, mode: u64) -> f64 {
        let mut bonus = 0.0;
        for event in simulator.events() {
            let pair = (event.active, event.passive);
            if !self.met.contains(&pair) && !self.touched.contains(&pair) {
                self.touched.push(pair);
                bonus += TOUCH;
            }
        }
        let alive = after.win() != 0;
        if alive && !self.had.contains(&mode) && !self.gained.contains(&mode) {
            self.gained.push(mode);
            bonus += HAVE;
        }
        bonus
    }

    /// What it is worth to end in a state.
    fn novelty(&self, level: &Level, state: &State, mode: u64) -> f64 {
        if state.is_over() {
            return 0.0;
        }
        let visits = self.visits.get(&place(level, state, mode, false));
        PLACE / (1.0 + f64::from(visits.copied().unwrap_or(0)))
    }

    /// Plays a plan once more; what came of it.
    fn replay(&mut self, simulator: &mut Simulator<'_>, state: &State, plan: &[Action]) -> f64 {
        let level = simulator.level();
        let mut trial = std::mem::take(&mut self.trial);
        trial.copy(state);
        self.touched.clear();
        self.gained.clear();
        let (mut sum, mut weight) = (0.0, 1.0);
        let mut last = 0.0;
        let mut kind = mode(level, state);
        for &action in plan.iter().take(LONGEST_REPLAY) {
            if trial.is_over() {
                break;
            }
            simulator.advance(&mut trial, action);
            let now = worth(state.score(), &trial);
            kind = mode(level, &trial);
            sum += weight * (now - last + self.curiosity(simulator, &trial, kind));
            last = now;
            weight *= DISCOUNT;
        }
        sum += weight * self.novelty(level, &trial, kind);
        self.trial = trial;
        sum
    }

    /// The mean of some replays, as many as a share of the budget allows, and at least one.
    fn judge(&mut self, simulator: &mut Simulator<'_>, state: &State, plan: &[Action]) -> f64 {
        let most = if self.is_random == Some(true) {
            REPLAYS
        } else {
            1
        };
        simulator.within(JUDGING, |simulator| {
            let (mut sum, mut times) = (0.0, 0);
            while times == 0 || (times < most && simulator.has_budget()) {
                sum += self.replay(simulator, state, plan);
                times += 1;
            }
            sum / f64::from(times)
        })
    }

    /// Whether a state has a new atom, or pair of atoms; what is in it is known from then on.
    fn is_new(&mut self, level: &Level, state: &State, mode: u64, pairs: Pairs) -> bool {
        let own = place(level, state, mode, true);
        let mut new = self.places.insert(own);
        let cells = level.cell_count() as u32;
        self.atoms.clear();
        for kind in 0..level.kinds.len() {
            if level.kinds[kind].is_avatar {
                continue;
            }
            for &slot in state.group(kind as TypeId) {
                let atom = kind as u32 * cells + u32::from(state.sprite(level, slot).cell);
                let word = &mut self.seen[atom as usize / 64];
                let mark = 1 << (atom % 64);
                new |= *word & mark == 0;
                *word |= mark;
                if pairs != Pairs::None {
                    self.atoms.push(atom);
                }
            }
        }
        for (place, &one) in self.atoms.iter().enumerate() {
            new |= self.pairs.insert(own.rotate_left(20) ^ u64::from(one));
            if pairs == Pairs::All {
                for &other in &self.atoms[..place] {
                    let (low, high) = (one.min(other), one.max(other));
                    new |= self.pairs.insert(u64::from(low) << 32 | u64::from(high));
                }
            }
        }
        new
    }

    fn push(&mut self, state: &State, parent: usize, action: Action, depth: u32, worth: f64) {
        let mut copy = self.spare.pop().unwrap_or_default();
        copy.copy(state);
        self.nodes.push(Node {
            parent: parent as u32,
            action,
            depth,
            worth,
            state: copy,
        });
    }

    /// The actions that lead to a node, and one more.
    fn path(&self, mut at: usize, last: Action) -> Vec<Action> {
        let mut actions = vec![last];
        while at != 0 {
            actions.push(self.nodes[at].action);
            at = self.nodes[at].parent as usize;
        }
        actions.reverse();
        actions
    }

    fn begin(&mut self, level: &Level, state: &State) {
        let states = self.nodes.drain(..).map(|node| node.state);
        self.spare.extend(states);
        self.seen.clear();
        let atoms = level.kinds.len() * level.cell_count();
        self.seen.resize(atoms.div_ceil(64), 0);
        self.pairs.clear();
        self.places.clear();
        self.touched.clear();
        self.gained.clear();
        self.push(state, 0, Action::Nil, 0, 0.0);
    }

    /// Searches in breadth; the best plan, and whether nothing was left to look at.
    fn search(
        &mut self,
        simulator: &mut Simulator<'_>,
        state: &State,
        safe: &[Action],
        pairs: Pairs,
    ) -> (Plan, bool) {
        let level = simulator.level();
        self.begin(level, state);
        self.is_new(level, state, mode(level, state), pairs);
        let mut trial = std::mem::take(&mut self.trial);
        let mut best: Option<(f64, usize, Action)> = None;
        let mut next = 0;
        let most = MAX_NODES.min(MAX_BYTES / state.bytes());
        while next < self.nodes.len() && simulator.has_budget() && self.nodes.len() < most {
            let parent = next;
            next += 1;
            let actions = match parent {
                0 => safe,
                _ => actions_with_nil(level, &self.nodes[parent].state),
            };
            for &action in actions {
                if !simulator.has_budget() {
                    break;
                }
                let node = &self.nodes[parent];
                trial.copy(&node.state);
                let (before, sum, depth) = (
                    worth(state.score(), &node.state),
                    node.worth,
                    node.depth + 1,
                );
                simulator.advance(&mut trial, action);
                let kind = mode(level, &trial);
                if !self.is_new(level, &trial, kind, pairs) && !trial.is_over() {
                    continue;
                }
                let weight = DISCOUNT.powi(depth as i32 - 1);
                let gain = worth(state.score(), &trial) - before;
                let sum = sum + weight * (gain + self.curiosity(simulator, &trial, kind));
                let total = sum
                    + weight * self.novelty(level, &trial, kind)
                    + simulator.chance().fraction() * 1e-6;
                if best.is_none_or(|(most, ..)| total > most) {
                    best = Some((total, parent, action));
                }
                if !trial.is_over() {
                    self.push(&trial, parent, action, depth, sum);
                }
            }
        }
        self.trial = trial;
        let plan = best.map_or_else(Plan::default, |(worth, at, action)| Plan {
            actions: self.path(at, action),
            worth,
        });
        (plan, next == self.nodes.len())
    }

    /// The best plan of searches that are wider and wider, as far as the budget goes.
    fn plan_anew(&mut self, simulator: &mut Simulator<'_>, state: &State, safe: &[Action]) -> Plan {
        let mut best = Plan::default();
        for pairs in [Pairs::None, Pairs::WithAvatar, Pairs::All] {
            let (plan, done) = self.search(simulator, state, safe, pairs);
            if best.actions.is_empty() || plan.worth > best.worth + 1e-3 {
                best = plan;
            }
            if !done || !simulator.has_budget() || best.worth > 0.5 {
                break;
            }
        }
        best
    }

    /// Actions that lose at once least often.
    fn safe(&mut self, simulator: &mut Simulator<'_>, state: &State) -> Vec<Action> {
        let samples = if self.is_random == Some(true) {
            SAMPLES
        } else {
            1
        };
        let mut trial = std::mem::take(&mut self.trial);
        let safe = super::safe_actions(simulator, state, samples, &mut trial);
        self.trial = trial;
        safe.into_iter().map(|(action, _)| action).collect()
    }

    /// The better of the plan that is being followed and a new one.
    fn decide_on_plan(
        &mut self,
        simulator: &mut Simulator<'_>,
        state: &State,
        safe: &[Action],
        share: f64,
    ) -> Plan {
        let mut old = std::mem::take(&mut self.plan);
        let known = old
            .actions
            .first()
            .is_some_and(|first| safe.contains(first));
        if known {
            old.worth = self.judge(simulator, state, &old.actions);
            // Nothing can be better than a game that is won for sure.
            if old.worth > 0.5 && self.is_random == Some(false) {
                return old;
            }
        }
        let mut new = simulator.within(share, |simulator| self.plan_anew(simulator, state, safe));
        if !new.actions.is_empty() {
            new.worth = self.judge(simulator, state, &new.actions);
        }
        if known && old.worth >= new.worth - 0.1 * new.worth.abs() {
            old
        } else {
            new
        }
    }

    /// Notes where the avatar is, and what it is and has.
    fn look(&mut self, level: &Level, state: &State) {
        self.is_random.get_or_insert_with(|| level.is_random());
        let kind = mode(level, state);
        self.had.insert(kind);
        *self
            .visits
            .entry(place(level, state, kind, false))
            .or_insert(0) += 1;
    }
}

impl Scout {
    /// Stands still and thinks where that is free, or does what it came to; none where it is not.
    fn ponder(&mut self, simulator: &mut Simulator<'_>, state: &State) -> Option<Action> {
        if let Some(action) = self.pondering.actions.pop() {
            return Some(action);
        }
        let own = &mut self.pondering;
        if self.is_random != Some(false)
            || own.waited >= PATIENCE
            || own.vain == Some(state.score())
        {
            return None;
        }
        if !own.runs {
            if !is_still(simulator, state, &mut self.trial) {
                own.vain = Some(state.score());
                return None;
            }
            own.search.begin(simulator.level(), state);
            own.runs = true;
        }
        let progress = own.search.go_on(simulator);
        own.waited += 1;
        let mut actions = match progress {
            Progress::GoesOn if own.waited < PATIENCE => return Some(Action::Nil),
            Progress::GoesOn => own.search.best_path(),
            Progress::Wins(actions) | Progress::Ends(actions) => actions,
        };
        own.runs = false;
        if actions.is_empty() {
            own.vain = Some(state.score());
            return None;
        }
        actions.reverse();
        own.actions = actions;
        own.actions.pop()
    }
}

impl Controller for Scout {
    fn prepare(&mut self, simulator: &mut Simulator<'_>, state: &State) {
        let level = simulator.level();
        self.is_random.get_or_insert_with(|| level.is_random());
        let pondered = simulator.within(0.8, |simulator| self.ponder(simulator, state));
        if let Some(action) = pondered {
            if !self.pondering.runs {
                self.pondering.actions.push(action);
            }
            return;
        }
        simulator.note_events(true);
        let safe = self.safe(simulator, state);
        self.plan = self.plan_anew(simulator, state, &safe);
    }

    fn choose(&mut self, simulator: &mut Simulator<'_>, state: &State) -> Action {
        self.look(simulator.level(), state);
        simulator.note_events(false);
        if let Some(action) = self.ponder(simulator, state) {
            return action;
        }
        simulator.note_events(true);
        let safe = self.safe(simulator, state);
        let mut plan = self.decide_on_plan(simulator, state, &safe, PLANNING);
        let sure = plan.worth > 0.5 && self.is_random == Some(false);
        let mut chosen = plan.actions.first().copied();
        if !sure {
            let (action, value) = self.olets.opinion(simulator, state);
            let doomed = chosen.is_some_and(|own| self.olets.value(own) < value - DOOM);
            if chosen.is_none() || value > plan.worth || doomed {
                chosen = Some(action);
            }
        }
        let action = chosen.unwrap_or(Action::Nil);
        if plan.actions.first() == Some(&action) {
            plan.actions.remove(0);
            self.plan = plan;
        }
        self.trial.copy(state);
        simulator.advance(&mut self.trial, action);
        for event in simulator.events() {
            self.met.insert((event.active, event.passive));
        }
        action
    }

    fn plan(&self, into: &mut Vec<Action>) {
        into.clone_from(&self.plan.actions);
    }
}
