//! How long a search may go on, and why it stopped.

use std::time::{Duration, Instant};

/// How long a search may go on. Whichever limit comes first ends it; with none set it ends only when the position is
/// solved, so set one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Time on the clock.
    pub time: Option<Duration>,
    /// Simulations.
    pub simulations: Option<u64>,
    /// States visited: joint moves made, in the tree and in playouts.
    pub states: Option<u64>,
}

impl Budget {
    /// So much time.
    pub fn time(time: Duration) -> Self {
        Self {
            time: Some(time),
            ..Self::default()
        }
    }

    /// So many simulations.
    pub fn simulations(simulations: u64) -> Self {
        Self {
            simulations: Some(simulations),
            ..Self::default()
        }
    }

    /// So many states.
    pub fn states(states: u64) -> Self {
        Self {
            states: Some(states),
            ..Self::default()
        }
    }
}

/// Why a search stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StopReason {
    /// The time was up.
    Time,
    /// The simulations were made.
    Simulations,
    /// The states were visited.
    States,
    /// The value of the position is proven; more search would change nothing.
    Solved,
    /// There is only one legal move.
    OnlyMove,
    /// Nothing was searched: the move was drawn, planned or given.
    NoSearch,
    /// The engine ran into a limit.
    Fault,
}

impl StopReason {
    /// The reason in words.
    pub fn name(self) -> &'static str {
        match self {
            StopReason::Time => "time",
            StopReason::Simulations => "simulations",
            StopReason::States => "states",
            StopReason::Solved => "solved",
            StopReason::OnlyMove => "only move",
            StopReason::NoSearch => "no search",
            StopReason::Fault => "engine limit",
        }
    }
}

/// Counts what a search does against its budget.
#[derive(Clone, Debug)]
pub(crate) struct Meter {
    budget: Budget,
    started: Instant,
    /// Simulations made.
    pub(crate) simulations: u64,
    /// States visited.
    pub(crate) states: u64,
}

impl Meter {
    pub(crate) fn new(budget: Budget) -> Self {
        Self {
            budget,
            started: Instant::now(),
            simulations: 0,
            states: 0,
        }
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
        } = self.budget;
        if simulations.is_some_and(|limit| self.simulations >= limit) {
            return Some(StopReason::Simulations);
        }
        if states.is_some_and(|limit| self.states >= limit) {
            return Some(StopReason::States);
        }
        time.is_some_and(|limit| self.started.elapsed() >= limit)
            .then_some(StopReason::Time)
    }
}
