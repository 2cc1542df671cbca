//! How long a search may go on, and why it stopped.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;

/// How long a search may go on. Whichever limit comes first ends it; with none set it ends only
/// when the position is solved, so set one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Time on the clock.
    pub time: Option<Duration>,
    /// The clock that it is on.
    pub clock: TimeSource,
    /// Simulations.
    pub simulations: Option<u64>,
    /// States visited: joint moves made, in the tree and in playouts.
    pub states: Option<u64>,
}

impl Budget {
    /// A limit on time alone.
    pub fn time(time: Duration) -> Self {
        Self {
            time: Some(time),
            ..Self::default()
        }
    }

    /// A limit on the time of the searching thread's processor alone.
    pub fn processor_time(time: Duration) -> Self {
        Self {
            clock: TimeSource::Processor,
            ..Self::time(time)
        }
    }

    /// A limit on simulations alone.
    pub fn simulations(simulations: u64) -> Self {
        Self {
            simulations: Some(simulations),
            ..Self::default()
        }
    }

    /// A limit on states alone.
    pub fn states(states: u64) -> Self {
        Self {
            states: Some(states),
            ..Self::default()
        }
    }
}

/// What measures a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TimeSource {
    /// The clock on the wall.
    #[default]
    Wall,
    /// The time that the searching thread had a processor: for a busy machine, where the clock on
    /// the wall would give one player more thinking than another. Where several threads search it
    /// is the clock on the wall.
    Processor,
}

/// Measures how long something took, on the thread where it was started.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopwatch {
    began: Instant,
    /// The time of the thread's processor at the beginning, if that is what counts.
    processor: Option<Duration>,
}

impl Stopwatch {
    pub(crate) fn start(clock: TimeSource) -> Self {
        let by_processor = clock == TimeSource::Processor;
        Self {
            began: Instant::now(),
            processor: by_processor.then(|| ThreadTime::now().as_duration()),
        }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        match self.processor {
            Some(before) => ThreadTime::now().as_duration().saturating_sub(before),
            None => self.began.elapsed(),
        }
    }

    /// The same on the wall, for several threads.
    fn on_the_wall(self) -> Self {
        Self {
            processor: None,
            ..self
        }
    }
}

/// Why a search stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StopReason {
    /// The time was up.
    Time,
    /// The memory was full.
    Memory,
    /// The simulations were made.
    Simulations,
    /// The states were visited.
    States,
    /// All that there was to do was done, before any limit.
    Done,
    /// The value of the position is proven; more search would change nothing.
    Solved,
    /// There is only one legal move.
    OnlyMove,
    /// Nothing was searched: the move was drawn, planned or given.
    NoSearch,
    /// The caller interrupted it.
    Interrupted,
    /// The engine ran into a limit.
    Fault,
}

impl StopReason {
    /// The reason in words.
    pub fn name(self) -> &'static str {
        match self {
            StopReason::Time => "time",
            StopReason::Memory => "memory",
            StopReason::Simulations => "simulations",
            StopReason::States => "states",
            StopReason::Done => "done",
            StopReason::Solved => "solved",
            StopReason::OnlyMove => "only move",
            StopReason::NoSearch => "no search",
            StopReason::Interrupted => "interrupted",
            StopReason::Fault => "engine limit",
        }
    }
}

/// Counts what a search does against its budget.
#[derive(Clone, Debug)]
pub(crate) struct Meter<'a> {
    budget: Budget,
    started: Stopwatch,
    /// Set by the caller to stop the search.
    interrupt: Option<&'a AtomicBool>,
    /// Simulations made.
    pub(crate) simulations: u64,
    /// Random playouts made.
    pub(crate) playouts: u64,
    /// States visited.
    pub(crate) states: u64,
}

impl<'a> Meter<'a> {
    pub(crate) fn new(budget: Budget) -> Self {
        Self {
            budget,
            started: Stopwatch::start(budget.clock),
            interrupt: None,
            simulations: 0,
            playouts: 0,
            states: 0,
        }
    }

    /// The same, but also ends when the flag is set.
    pub(crate) fn until(budget: Budget, interrupt: &'a AtomicBool) -> Self {
        Self {
            interrupt: Some(interrupt),
            ..Self::new(budget)
        }
    }

    /// One of several equal shares of what is left of the budget; the time limit is common to all.
    pub(crate) fn share(&self, number: u64, of: u64) -> Self {
        let part = |limit: Option<u64>, used: u64| {
            let left = limit?.saturating_sub(used);
            Some(left / of + u64::from(number < left % of))
        };
        Self {
            budget: Budget {
                simulations: part(self.budget.simulations, self.simulations),
                states: part(self.budget.states, self.states),
                ..self.budget
            },
            started: match of {
                1 => self.started,
                _ => self.started.on_the_wall(),
            },
            simulations: 0,
            playouts: 0,
            states: 0,
            ..*self
        }
    }

    /// Adds what was counted for a share.
    pub(crate) fn add(&mut self, share: &Self) {
        self.simulations += share.simulations;
        self.playouts += share.playouts;
        self.states += share.states;
    }

    /// Whether the budget allows this many more simulations.
    pub(crate) fn has_room_for(&self, simulations: u64) -> bool {
        let most = self.budget.simulations;
        most.is_none_or(|most| self.simulations + simulations <= most)
    }

    /// Whether the search ends at the same place every time: neither a clock nor an interrupt can
    /// end it.
    pub(crate) fn is_repeatable(&self) -> bool {
        self.budget.time.is_none()
            && (self.budget.simulations.is_some() || self.budget.states.is_some())
    }

    /// Time since the start.
    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// The limit that is reached, if one is.
    pub(crate) fn reached(&self) -> Option<StopReason> {
        let Budget {
            time,
            simulations,
            states,
            clock: _,
        } = self.budget;
        if simulations.is_some_and(|limit| self.simulations >= limit) {
            return Some(StopReason::Simulations);
        }
        if states.is_some_and(|limit| self.states >= limit) {
            return Some(StopReason::States);
        }
        if self
            .interrupt
            .is_some_and(|flag| flag.load(Ordering::Relaxed))
        {
            return Some(StopReason::Interrupted);
        }
        time.is_some_and(|limit| self.started.elapsed() >= limit)
            .then_some(StopReason::Time)
    }
}
