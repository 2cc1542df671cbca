//! How fast games are copied and advanced, in CPU time of the calling thread.

use std::hint::black_box;
use std::time::Duration;

use cpu_time::ThreadTime;

use crate::class::Action;
use crate::level::Level;
use crate::random::Random;
use crate::state::State;
use crate::tick::Scratch;

/// Steps of a rollout for the figure of copies and advances together.
pub const ROLLOUT: usize = 10;
/// Steps of a rollout after which a measurement of advances begins anew.
const LONGEST: usize = 40;

/// What was measured, each by the second.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rates {
    /// Copies of the first state.
    pub copies: f64,
    /// Advances in random rollouts from it.
    pub advances: f64,
    /// Rollouts of a copy and [`ROLLOUT`] advances.
    pub rollouts: f64,
}

/// Random rollouts from the start of a level.
pub struct Runner<'a> {
    level: &'a Level,
    start: State,
    state: State,
    scratch: Scratch,
    chance: Random,
}

impl<'a> Runner<'a> {
    /// A runner with memory of its own.
    pub fn new(level: &'a Level) -> Self {
        let start = level.start(1);
        Self {
            level,
            state: start.clone(),
            start,
            scratch: Scratch::forward(),
            chance: Random::from_seed(7),
        }
    }

    /// Copies the first state.
    pub fn copy(&mut self) {
        self.state.copy(black_box(&self.start));
        black_box(&mut self.state);
    }

    /// A random rollout of some steps; how many were made before the game was over.
    pub fn rollout(&mut self, steps: usize, seed: u64) -> usize {
        self.copy();
        self.state.set_random(Random::from_seed(seed as i64));
        for step in 0..steps {
            let actions = self.level.actions(&self.state);
            let drawn = self.chance.below(actions.len() as i32 + 1) as usize;
            let action = actions.get(drawn).copied().unwrap_or(Action::Nil);
            self.level
                .advance(&mut self.state, action, &mut self.scratch);
            if self.state.is_over() {
                return step + 1;
            }
        }
        steps
    }
}

impl Rates {
    /// Measures a level, for three spans of CPU time.
    pub fn measure(level: &Level, span: Duration) -> Self {
        let mut runner = Runner::new(level);
        for seed in 0..200 {
            runner.rollout(LONGEST, seed);
        }
        let copies = per_second(span, |_| {
            runner.copy();
            1
        });
        let with_copies = per_second(span, |seed| runner.rollout(LONGEST, seed));
        let rollouts = per_second(span, |seed| {
            runner.rollout(ROLLOUT, seed);
            1
        });
        // Time of the copies is taken out, as it was for the figures of others.
        let steps = (0..50).map(|seed| runner.rollout(LONGEST, seed));
        let mean = steps.sum::<usize>() as f64 / 50.0;
        Self {
            copies,
            advances: 1.0 / (1.0 / with_copies - 1.0 / (copies * mean)),
            rollouts,
        }
    }

    /// How many times as fast this is as another program, of which copies and advances are known.
    pub fn times(self, copies: f64, advances: f64) -> Self {
        let rollouts = 1.0 / (1.0 / copies + ROLLOUT as f64 / advances);
        Self {
            copies: self.copies / copies,
            advances: self.advances / advances,
            rollouts: self.rollouts / rollouts,
        }
    }
}

/// How much is done per second of CPU time; the work tells how much it did.
fn per_second(span: Duration, mut work: impl FnMut(u64) -> usize) -> f64 {
    let begin = ThreadTime::now();
    let (mut done, mut round) = (0, 0);
    loop {
        for _ in 0..64 {
            done += work(round);
            round += 1;
        }
        let spent = begin.elapsed();
        if spent >= span {
            return done as f64 / spent.as_secs_f64();
        }
    }
}
