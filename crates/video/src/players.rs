//! Controllers: what decides on the avatar's actions by trying them in the forward model.
//!
//! A controller sees a state as a player may and simulates with draws of its own: what chance will
//! do in the real game is hidden from it. Its budget is a number of simulator calls, a moment in
//! time, or both. Those of the literature are here: one-step look-ahead, breadth-first search and
//! width-based search ([`Width`]), Monte Carlo tree search with its modifications, evolved playouts
//! and a knowledge base among them ([`Tree`]), rolling-horizon evolution ([`Rolling`]) and
//! open-loop expectimax ([`Olets`]). [`Scout`] is a search of ours, and [`Chooser`] begins with it
//! and lets others play where they are better.

mod chooser;
mod evolution;
mod knowledge;
mod olets;
mod ponder;
mod rolling;
mod scout;
mod settings;
mod tree;
mod width;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use paidia_game::Chance;

use crate::class::Action;
use crate::level::Level;
use crate::random::Random;
use crate::state::State;
use crate::tick::{Event, Scratch};
use crate::view::actions_with_nil;

pub use chooser::Chooser;
pub use evolution::{Evolution, probabilities};
pub use knowledge::{Knowledge, blend, more_events, nearer};
pub use olets::Olets;
pub use rolling::{Rolling, RollingOptions};
pub use scout::Scout;
pub use settings::{Method, Settings};
pub use tree::{Tree, TreeOptions};
pub use width::{Novelty, Width};

/// What a won or lost game counts beside the score.
pub(crate) const HUGE: f64 = 1e7;

/// Bytes of the states that one search keeps, at most.
pub(crate) const MAX_BYTES: usize = 128 << 20;

/// How many decisions' budgets may be used before the first one.
const PREPARING: u64 = 25;

/// How much a decision may cost.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Calls of the simulator.
    pub calls: u64,
    /// Wall-clock time.
    pub time: Option<Duration>,
}

impl Budget {
    /// A number of calls of the simulator and no clock, which gives the same play on every machine.
    pub fn calls(calls: u64) -> Self {
        Self { calls, time: None }
    }

    /// What may be used before the first action: 25 times as much as for one action, the second
    /// that the original framework gives where decisions have 40 ms.
    pub fn preparing(self) -> Self {
        Self {
            calls: self.calls.saturating_mul(PREPARING),
            time: self.time.map(|time| time * PREPARING as u32),
        }
    }

    /// A span of time.
    pub fn time(time: Duration) -> Self {
        Self {
            calls: u64::MAX,
            time: Some(time),
        }
    }
}

/// Something that chooses actions.
pub trait Controller: Send {
    /// Uses the time before the first action of a game that begins in a state.
    fn prepare(&mut self, simulator: &mut Simulator<'_>, state: &State) {
        let _ = (simulator, state);
    }

    /// The action to make in a state that is not the game's end.
    fn choose(&mut self, simulator: &mut Simulator<'_>, state: &State) -> Action;

    /// The actions that are meant to follow, the chosen one first, as far as the controller plans.
    fn plan(&self, into: &mut Vec<Action>) {
        into.clear();
    }

    /// What is to be said about how it plays, if there is anything.
    fn note(&self) -> String {
        String::new()
    }
}

/// The forward model with a budget.
pub struct Simulator<'a> {
    level: &'a Level,
    scratch: Scratch,
    chance: Chance,
    left: u64,
    deadline: Option<Instant>,
    used: u64,
    interrupt: Option<&'a AtomicBool>,
}

impl<'a> Simulator<'a> {
    /// A forward model of a level whose draws follow from a seed.
    pub fn new(level: &'a Level, seed: u64) -> Self {
        Self::with(level, Scratch::forward(), Chance::from_seed(seed))
    }

    /// A forward model with memory and a source of random choices that were used before.
    pub fn with(level: &'a Level, scratch: Scratch, chance: Chance) -> Self {
        Self {
            level,
            scratch,
            chance,
            left: 0,
            deadline: None,
            used: 0,
            interrupt: None,
        }
    }

    /// The memory and the source of random choices, for the next forward model.
    pub fn into_parts(self) -> (Scratch, Chance) {
        (self.scratch, self.chance)
    }

    /// A flag that ends the budget when it is set.
    pub fn interrupted_by(&mut self, interrupt: &'a AtomicBool) {
        self.interrupt = Some(interrupt);
    }

    /// Says whether events are noted from now on.
    pub fn note_events(&mut self, notes: bool) {
        self.scratch.note_events(notes);
    }

    /// What happened to the avatar in the last advance, if events are noted.
    pub fn events(&self) -> &[Event] {
        self.scratch.events()
    }

    /// Calls and moment at which the budget ends.
    pub(crate) fn limits(&self) -> (u64, Option<Instant>) {
        (self.left, self.deadline)
    }

    /// Allows some of the budget only, or gives back what was kept.
    pub(crate) fn limit(&mut self, limits: (u64, Option<Instant>)) {
        (self.left, self.deadline) = limits;
    }

    /// Lets some work have a share of what is left of the budget.
    pub(crate) fn within<T>(&mut self, share: f64, work: impl FnOnce(&mut Self) -> T) -> T {
        let (left, deadline) = self.limits();
        let own = (left as f64 * share) as u64;
        let soon = deadline.map(|deadline| {
            let now = Instant::now();
            now + deadline.saturating_duration_since(now).mul_f64(share)
        });
        self.limit((own, soon));
        let made = work(self);
        let used = own.saturating_sub(self.left);
        self.limit((left.saturating_sub(used), deadline));
        made
    }

    /// The rules.
    pub fn level(&self) -> &'a Level {
        self.level
    }

    /// The source of random choices.
    pub fn chance(&mut self) -> &mut Chance {
        &mut self.chance
    }

    /// Gives a new budget.
    pub fn refill(&mut self, budget: Budget) {
        self.left = budget.calls;
        self.deadline = budget
            .time
            .and_then(|time| Instant::now().checked_add(time));
        self.used = 0;
    }

    /// Calls since the last budget was given.
    pub fn used(&self) -> u64 {
        self.used
    }

    /// Whether there is budget for another call.
    pub fn has_budget(&self) -> bool {
        let free = |flag: &AtomicBool| !flag.load(Ordering::Relaxed);
        self.left > 0
            && self.interrupt.is_none_or(free)
            && self
                .deadline
                .is_none_or(|deadline| Instant::now() < deadline)
    }

    /// Counts a step that needed no call, so that a search which only looks at what it knows ends.
    pub fn spend(&mut self) {
        self.left = self.left.saturating_sub(1);
        self.used += 1;
    }

    /// Advances a state by an action, with draws of its own.
    pub fn advance(&mut self, state: &mut State, action: Action) {
        self.spend();
        state.set_random(Random::from_seed(self.chance.bits() as i64));
        self.level.advance(state, action, &mut self.scratch);
    }

    /// The score, with winning and losing beyond all scores.
    pub fn value(&self, state: &State) -> f64 {
        let score = state.score() as f64;
        match state.win() {
            1 => score + HUGE,
            0 => score - HUGE,
            _ => score,
        }
    }
}

/// Plays any of the actions.
#[derive(Debug, Default)]
pub struct AtRandom;

impl Controller for AtRandom {
    fn choose(&mut self, simulator: &mut Simulator<'_>, state: &State) -> Action {
        let actions = actions_with_nil(simulator.level, state);
        simulator.chance.pick(actions).unwrap_or(Action::Nil)
    }
}

/// How often each action loses at once, in a number of samples; the actions that do so least.
pub(crate) fn safe_actions(
    simulator: &mut Simulator<'_>,
    state: &State,
    samples: u32,
    trial: &mut State,
) -> Vec<(Action, f64)> {
    let actions = actions_with_nil(simulator.level, state);
    let mut tried = Vec::with_capacity(actions.len());
    for &action in actions {
        let (mut lost, mut reward) = (0, 0.0);
        for _ in 0..samples {
            trial.copy(state);
            simulator.advance(trial, action);
            lost += u32::from(trial.win() == 0);
            reward += simulator.value(trial) - simulator.value(state);
        }
        tried.push((action, lost, reward / f64::from(samples.max(1))));
    }
    let least = tried.iter().map(|(_, lost, _)| *lost).min().unwrap_or(0);
    let safe = tried.into_iter().filter(|(_, lost, _)| *lost == least);
    safe.map(|(action, _, reward)| (action, reward)).collect()
}

/// One step of look-ahead: ten samples of each action, and among those that lose least the one
/// with the highest reward.
#[derive(Debug, Default)]
pub struct OneStep {
    trial: State,
}

impl Controller for OneStep {
    fn choose(&mut self, simulator: &mut Simulator<'_>, state: &State) -> Action {
        let safe = safe_actions(simulator, state, SAMPLES, &mut self.trial);
        best(simulator, &safe)
    }
}

/// Samples of each action before a search.
pub(crate) const SAMPLES: u32 = 10;

/// An action with the highest value, each of them as likely.
pub(crate) fn best(simulator: &mut Simulator<'_>, valued: &[(Action, f64)]) -> Action {
    let most = valued
        .iter()
        .map(|(_, value)| *value)
        .fold(f64::NEG_INFINITY, f64::max);
    let best: Vec<Action> = valued
        .iter()
        .filter(|(_, value)| *value == most)
        .map(|(action, _)| *action)
        .collect();
    simulator.chance.pick(&best).unwrap_or(Action::Nil)
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Whether it was won.
    pub won: bool,
    /// The score.
    pub score: i64,
    /// Ticks that were played.
    pub ticks: i32,
    /// Calls of the simulator.
    pub calls: u64,
}

/// Plays a game to its end.
pub fn play(level: &Level, controller: &mut dyn Controller, budget: Budget, seed: u64) -> Outcome {
    play_until(level, controller, budget, seed, i32::MAX)
}

/// Plays a game to its end, or a number of ticks.
pub fn play_until(
    level: &Level,
    controller: &mut dyn Controller,
    budget: Budget,
    seed: u64,
    ticks: i32,
) -> Outcome {
    let mut simulator = Simulator::new(level, seed ^ 0x5DEE_CE66);
    let mut state = level.start(seed as i64);
    let mut scratch = Scratch::default();
    simulator.refill(budget.preparing());
    controller.prepare(&mut simulator, &state);
    let mut calls = simulator.used();
    while !state.is_over() && state.tick() < ticks {
        simulator.refill(budget);
        let wanted = controller.choose(&mut simulator, &state);
        calls += simulator.used();
        let action = level.checked(&state, wanted);
        level.advance(&mut state, action, &mut scratch);
    }
    Outcome {
        won: state.win() == 1,
        score: state.score(),
        ticks: state.tick(),
        calls,
    }
}
