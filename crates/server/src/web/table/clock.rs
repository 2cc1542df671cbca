//! Clocks: each role has a time for all its moves, and each move brings some seconds back.
//!
//! The clocks of those run who have something to do and have not done it. Before the first move
//! none runs, so that there is time to send a link; nor while the match is paused, or
//! while the arena does not run. A role whose time is spent has lost.

use std::time::{Duration, Instant};

use paidia_game::Rules as _;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::game::TableMatch;
use super::seat::Occupant;
use crate::web::refusal::Refusal;

/// The least and the most seconds of a clock.
const SECONDS: std::ops::RangeInclusive<f64> = 1.0..=86_400.0;
/// The most seconds that are given back for a move.
const MOST_INCREMENT: f64 = 600.0;
/// A player plans for this many moves more.
const MOVES_AHEAD: u32 = 25;
/// What a player leaves on its clock.
const MARGIN: Duration = Duration::from_millis(60);
/// No search is shorter than this.
const SHORTEST: Duration = Duration::from_millis(10);

/// Clocks as they are asked for.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::web) struct ClockOrder {
    /// What each role has at the start.
    seconds: f64,
    /// What it gets back for each move.
    #[serde(default)]
    increment: f64,
}

/// The clocks of a match.
pub(super) struct Clocks {
    /// What each role had left when they were last looked at.
    left: Vec<Duration>,
    increment: Duration,
    /// What each role had at the start.
    start: Duration,
    /// When they were last looked at.
    seen: Instant,
}

/// Clocks as they are sent.
#[derive(Serialize)]
pub(super) struct ClockView {
    /// For each role what it has left, in milliseconds.
    left: Vec<u64>,
    /// The roles whose clocks run.
    running: Vec<usize>,
    /// The seconds that a move brings.
    increment: f64,
    /// The seconds at the start.
    start: f64,
}

impl Clocks {
    fn new(order: ClockOrder, roles: usize) -> Result<Self, Refusal> {
        let is_right =
            SECONDS.contains(&order.seconds) && (0.0..=MOST_INCREMENT).contains(&order.increment);
        if !is_right {
            return Err(Refusal::unusable(format!(
                "a clock has {} to {} seconds, and a move brings 0 to {MOST_INCREMENT}",
                SECONDS.start(),
                SECONDS.end()
            )));
        }
        Ok(Self {
            left: vec![Duration::from_secs_f64(order.seconds); roles],
            increment: Duration::from_secs_f64(order.increment),
            start: Duration::from_secs_f64(order.seconds),
            seen: Instant::now(),
        })
    }

    /// Takes the time that has passed from those whose clocks ran.
    fn look(&mut self, running: &[usize], now: Instant) {
        let passed = now.saturating_duration_since(self.seen);
        for &role in running {
            self.left[role] = self.left[role].saturating_sub(passed);
        }
        self.seen = now;
    }

    fn milliseconds(&self) -> Vec<u64> {
        let left = self.left.iter();
        left.map(|left| left.as_millis() as u64).collect()
    }
}

impl TableMatch {
    /// Sets clocks up.
    pub(super) fn set_clocks(&mut self, order: Option<ClockOrder>) -> Result<(), Refusal> {
        let Some(order) = order else { return Ok(()) };
        if self.hides() {
            return Err(Refusal::unusable(
                "this game hides things from those who play, and clocks would tell who thinks",
            ));
        }
        self.clocks = Some(Clocks::new(order, self.seats.len())?);
        self.note_clocks();
        Ok(())
    }

    /// Lets clocks run in a new position; while all had chosen none ran.
    pub(super) fn start_clocks(&mut self) {
        if let Some(clocks) = &mut self.clocks {
            clocks.seen = Instant::now();
        }
        self.note_clocks();
    }

    /// Writes what is left into the newest position.
    fn note_clocks(&mut self) {
        let told = self.clocks.as_ref().map(Clocks::milliseconds);
        if let Some(frame) = self.frames.last_mut() {
            frame.clock = told;
        }
    }

    /// The roles whose clocks run.
    fn running(&self) -> Vec<usize> {
        if self.clocks.is_none() || self.is_over() || self.paused || self.ply() == 0 {
            return Vec::new();
        }
        let turn = &self.last().turn;
        let open = self.open_roles().filter(|role| turn.contains(role));
        open.filter(|&role| self.seats[role] != Occupant::Chance)
            .collect()
    }

    /// Takes the time that has passed, before something changes whose clocks run.
    pub(super) fn look_at_clocks(&mut self, now: Instant) {
        let running = self.running();
        if let Some(clocks) = &mut self.clocks {
            clocks.look(&running, now);
        }
    }

    /// A role has chosen: its clock stops.
    pub(super) fn stop_clock(&mut self, role: usize) {
        let running = self.running();
        if let Some(clocks) = &mut self.clocks {
            clocks.look(&running, Instant::now());
            if running.contains(&role) {
                clocks.left[role] += clocks.increment;
            }
        }
    }

    /// Sets the clocks to what they were in the newest position.
    pub(super) fn turn_clocks_back(&mut self) {
        let noted = self.frames.last().and_then(|frame| frame.clock.clone());
        self.restore_clocks(noted.as_deref());
    }

    /// Sets the clocks to what was written down.
    pub(super) fn restore_clocks(&mut self, noted: Option<&[u64]>) {
        if let (Some(clocks), Some(noted)) = (&mut self.clocks, noted)
            && noted.len() == clocks.left.len()
        {
            let left = noted.iter().map(|&left| Duration::from_millis(left));
            clocks.left = left.collect();
            clocks.seen = Instant::now();
        }
        self.note_clocks();
    }

    /// The first role whose time is spent.
    pub(super) fn fallen(&mut self, now: Instant) -> Option<usize> {
        let running = self.running();
        let clocks = self.clocks.as_mut()?;
        clocks.look(&running, now);
        let spent = |role: &usize| clocks.left[*role].is_zero();
        running.into_iter().find(spent)
    }

    /// When the first clock falls, if none is stopped before.
    pub(super) fn falls(&self) -> Option<Instant> {
        let running = self.running();
        let clocks = self.clocks.as_ref()?;
        let least = running.iter().map(|&role| clocks.left[role]).min()?;
        Some(clocks.seen + least)
    }

    /// Ends the match because a role has no time left.
    pub(super) fn fall(&mut self, role: usize) {
        self.start_over();
        let name = self.game().facts().roles[role].clone();
        self.end(&format!("time {name}"));
        self.tell_frame();
    }

    /// How long a player may think: what it is given for a move, or less by its clock.
    pub(super) fn thinking_time(&mut self, role: usize) -> Duration {
        self.look_at_clocks(Instant::now());
        let Some(clocks) = &self.clocks else {
            return self.seconds;
        };
        let left = clocks.left[role];
        let share = left / MOVES_AHEAD + clocks.increment * 4 / 5;
        let most = left.saturating_sub(MARGIN).max(SHORTEST);
        self.seconds.min(share).clamp(SHORTEST, most)
    }

    /// Tells how the clocks are.
    pub(super) fn tell_clocks(&mut self) {
        if let Some(view) = self.clock_view() {
            self.tell_all("clock", &json!({ "clock": view }));
        }
    }

    /// How the clocks are now.
    pub(super) fn clock_view(&self) -> Option<ClockView> {
        let running = self.running();
        let clocks = self.clocks.as_ref()?;
        let passed = clocks.seen.elapsed();
        let left = clocks.left.iter().enumerate().map(|(role, left)| {
            let left = match running.contains(&role) {
                true => left.saturating_sub(passed),
                false => *left,
            };
            left.as_millis() as u64
        });
        Some(ClockView {
            left: left.collect(),
            increment: clocks.increment.as_secs_f64(),
            start: clocks.start.as_secs_f64(),
            running,
        })
    }

    /// What is kept of the clocks with a move.
    pub(super) fn clocks_noted(&self) -> Option<Vec<u64>> {
        self.clocks.as_ref().map(Clocks::milliseconds)
    }
}

#[cfg(test)]
mod tests {
    use super::{ClockOrder, Clocks, Duration};

    #[test]
    fn time_is_taken_from_those_whose_clocks_run() {
        let order = ClockOrder {
            seconds: 10.0,
            increment: 2.0,
        };
        let mut clocks = Clocks::new(order, 2).unwrap();
        let later = clocks.seen + Duration::from_secs(3);
        clocks.look(&[1], later);
        assert_eq!(clocks.milliseconds(), [10_000, 7_000]);
        clocks.look(&[0, 1], later + Duration::from_secs(8));
        assert_eq!(clocks.milliseconds(), [2_000, 0]);
    }

    #[test]
    fn clocks_have_limits() {
        let clocks = |seconds, increment| Clocks::new(ClockOrder { seconds, increment }, 2);
        assert!(clocks(300.0, 5.0).is_ok());
        for (seconds, increment) in [(0.0, 0.0), (1e9, 0.0), (60.0, -1.0), (f64::NAN, 0.0)] {
            assert!(clocks(seconds, increment).is_err(), "{seconds} {increment}");
        }
    }
}
