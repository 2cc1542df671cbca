//! Our own controller: it begins as [`Scout`](super::Scout), and lets others play where they are
//! better.
//!
//! Before the first action `Scout` looks for a plan. Where chance has a part, all candidates then
//! play trial games in the forward model, in turns and with the same budget; one plays in the place
//! of `Scout` if its trials went clearly better. While the game goes on, a candidate that has gained
//! nothing for a while makes room for the next. Method page: docs/methods/video-default.md.

use super::{Controller, Method, Novelty, Settings, Simulator, TreeOptions};
use crate::class::Action;
use crate::state::State;

/// Simulator calls of a decision in a trial.
const CALLS: u64 = 250;
/// Actions after which a trial ends.
const LENGTH: usize = 120;
/// Actions without gain after which the next candidate plays, where chance has a part and where it
/// has none.
const PATIENCE: [usize; 2] = [300, 1_000];
/// How much better the trials of a candidate must be for it to come before the first one: half of
/// what lies between a lost and a won game.
const CLEARLY: f64 = 10_000.0;
/// The share of the budget before the first action that the first candidate has.
const PREPARING: f64 = 0.5;

/// The candidates: each is the best of all on some games.
fn candidates() -> Vec<Settings> {
    let open = TreeOptions::open_loop();
    let learning = TreeOptions {
        evolve: true,
        knowledge: true,
        reversal: 0.95,
        ..open
    };
    let mixed = TreeOptions {
        mix_max: 0.1,
        reversal: 0.95,
        ..open
    };
    let tree = |tree| Settings {
        tree,
        ..Settings::of(Method::Tree)
    };
    vec![
        Settings::of(Method::Scout),
        Settings::of(Method::Olets),
        Settings::of(Method::Width(Novelty::One)),
        tree(learning),
        Settings::of(Method::Width(Novelty::OneAndAHalf)),
        Settings::of(Method::Rolling),
        tree(mixed),
        Settings::of(Method::Width(Novelty::Two)),
    ]
}

/// What a candidate's trials came to.
#[derive(Clone, Copy, Debug, Default)]
struct Results {
    trials: f64,
    total: f64,
}

impl Results {
    fn mean(self) -> f64 {
        if self.trials > 0.0 {
            self.total / self.trials
        } else {
            f64::NEG_INFINITY
        }
    }
}

/// Chooses a controller, and plays as it.
#[derive(Default)]
pub struct Chooser {
    controllers: Vec<Box<dyn Controller>>,
    results: Vec<Results>,
    /// Candidates, the best first.
    order: Vec<usize>,
    /// How many of them have had to make room.
    passed: usize,
    value: f64,
    idle: usize,
}

/// A trial game that is not over.
struct Trial {
    controller: Box<dyn Controller>,
    state: State,
    actions: usize,
}

impl Chooser {
    fn begin(&mut self) {
        let all = candidates();
        self.controllers = all.iter().map(Settings::controller).collect();
        self.results = vec![Results::default(); all.len()];
        self.order = (0..all.len()).collect();
        self.passed = 0;
    }

    /// Plays trials in turns until the budget ends.
    fn try_all(&mut self, simulator: &mut Simulator<'_>, state: &State) {
        let all = candidates();
        let begin = |settings: &Settings| Trial {
            controller: settings.controller(),
            state: state.clone(),
            actions: 0,
        };
        let mut trials: Vec<Trial> = all.iter().map(begin).collect();
        while simulator.has_budget() {
            for (place, trial) in trials.iter_mut().enumerate() {
                if !simulator.has_budget() {
                    break;
                }
                step(simulator, trial);
                if trial.state.is_over() || trial.actions >= LENGTH {
                    self.results[place].trials += 1.0;
                    self.results[place].total += worth(state, &trial.state);
                    *trial = begin(&all[place]);
                }
            }
        }
        // Without a whole trial of each, what they came to tells nothing.
        if self.results.iter().any(|results| results.trials == 0.0) {
            return;
        }
        let results = &self.results;
        let mean = |place: usize| results[place].mean() + if place == 0 { CLEARLY } else { 0.0 };
        self.order
            .sort_by(|&one, &other| mean(other).total_cmp(&mean(one)));
    }

    fn current(&self) -> usize {
        self.order[self.passed % self.order.len()]
    }
}

/// One decision of a trial.
fn step(simulator: &mut Simulator<'_>, trial: &mut Trial) {
    let (left, deadline) = simulator.limits();
    let own = left.min(CALLS);
    simulator.limit((own, deadline));
    let action = trial.controller.choose(simulator, &trial.state);
    let used = own.saturating_sub(simulator.limits().0);
    simulator.limit((left.saturating_sub(used + 1), deadline));
    simulator.advance(&mut trial.state, action);
    trial.actions += 1;
}

/// What a trial was worth: a win, the sooner the better; a loss, the later the better; or the score.
fn worth(start: &State, end: &State) -> f64 {
    let score = (end.score() - start.score()) as f64;
    let length = f64::from(end.tick() - start.tick());
    match end.win() {
        1 => 10_000.0 + score - length,
        0 => -10_000.0 + score + length,
        _ => score,
    }
}

impl Controller for Chooser {
    fn prepare(&mut self, simulator: &mut Simulator<'_>, state: &State) {
        self.begin();
        simulator.within(PREPARING, |simulator| {
            self.controllers[0].prepare(simulator, state);
        });
        if simulator.level().is_random() {
            self.try_all(simulator, state);
        }
    }

    fn choose(&mut self, simulator: &mut Simulator<'_>, state: &State) -> Action {
        if self.controllers.is_empty() {
            self.begin();
        }
        let value = simulator.value(state);
        self.idle = if value > self.value { 0 } else { self.idle + 1 };
        self.value = value;
        let patience = PATIENCE[usize::from(!simulator.level().is_random())];
        if self.idle > patience {
            self.idle = 0;
            self.passed += 1;
        }
        let current = self.current();
        self.controllers[current].choose(simulator, state)
    }

    fn plan(&self, into: &mut Vec<Action>) {
        into.clear();
        if !self.controllers.is_empty() {
            self.controllers[self.current()].plan(into);
        }
    }
}
