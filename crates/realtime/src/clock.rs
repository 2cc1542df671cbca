//! A match on the real clock.
//!
//! The host's clock alone counts. Every arrival is an instant of its own, a tick after the one
//! before at least, so that its record says all, and playing it again gives the same match.

use std::time::{Duration, Instant};

use paidia_game::{RoleId, Ticks, TimedGame};

use crate::table::{Arrival, Draws, Table, Watch};

/// How game time goes by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    /// Seconds that a unit takes.
    pub seconds: f64,
}

impl Pace {
    /// The game time after so long.
    pub fn ticks(self, passed: Duration) -> Ticks {
        Ticks::from_units(passed.as_secs_f64() / self.seconds)
    }

    /// How long a game time takes.
    pub fn duration(self, time: Ticks) -> Duration {
        Duration::try_from_secs_f64(time.units() * self.seconds).unwrap_or(Duration::MAX)
    }
}

/// A table whose time is that of the clock.
pub struct ClockedTable<G: TimedGame> {
    /// The match.
    pub table: Table<G>,
    pace: Pace,
    start: Instant,
    /// The last instant that was dealt with.
    last: Ticks,
}

impl<G: TimedGame> ClockedTable<G> {
    /// Begins a match now.
    pub fn start(
        game: &G,
        pace: Pace,
        draws: &mut dyn Draws,
        watch: &mut dyn Watch<G::Walker>,
    ) -> Self {
        let mut table = Table::new(game).limited();
        let start = Instant::now();
        table.start(draws, watch);
        Self {
            table,
            pace,
            start,
            last: Ticks::ZERO,
        }
    }

    /// The game time now.
    pub fn now(&self) -> Ticks {
        self.pace.ticks(self.start.elapsed())
    }

    /// When something happens by itself.
    pub fn due(&self) -> Option<Instant> {
        let due = self.pace.duration(self.table.next_due()?);
        self.start.checked_add(due)
    }

    /// Deals with all that was due until now.
    pub fn pass(&mut self, draws: &mut dyn Draws, watch: &mut dyn Watch<G::Walker>) {
        let now = self.now();
        self.table.run_before(now + Ticks(1), draws, watch);
        self.last = self.last.max(self.table.now());
    }

    /// Deals with a move that arrived at a moment; the game time that it counts as.
    pub fn arrive(
        &mut self,
        role: RoleId,
        text: String,
        at: Instant,
        draws: &mut dyn Draws,
        watch: &mut dyn Watch<G::Walker>,
    ) -> Ticks {
        let passed = at.saturating_duration_since(self.start);
        let time = self.pace.ticks(passed).max(self.last + Ticks(1));
        self.table.run_before(time, draws, watch);
        let time = time.max(self.table.now() + Ticks(1));
        self.table
            .instant(time, vec![Arrival { role, text }], draws, watch);
        self.last = time;
        time
    }
}
