//! How much of a clock may be spent on thinking.
//!
//! A reply must be at the host before the clock runs out, but thinking does not end at the very
//! moment it should, and what is chosen then still has to be sent. A [`Margin`] is what is kept
//! free for that, and it learns from what happened so far:
//!
//! ```text
//! margin = 100 ms + clock / 50 + worst overshoot + penalty      at most clock / 2
//! ```
//!
//! An *overshoot* is the time by which a reply was ready later than planned; the worst of the last
//! 32 counts. The *penalty* is for what cannot be seen from here, such as a slow network: it grows
//! each time the host went on without the move that was sent, to 200 ms first and then to twice as
//! much, and falls by a tenth with every move that the host took.
//!
//! Nothing here looks at a clock.

use std::collections::VecDeque;
use std::time::Duration;

/// What is always kept free.
const LEAST: Duration = Duration::from_millis(100);
/// The part of a clock that is kept free beside that.
const PART: u32 = 50;
/// How many overshoots are remembered.
const REMEMBERED: usize = 32;
/// The first penalty.
const FIRST_PENALTY: Duration = Duration::from_millis(200);
/// The highest penalty. Where it does not suffice, nothing does.
const HIGHEST_PENALTY: Duration = Duration::from_secs(10);

/// What is kept free of clocks, from what was seen so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Margin {
    overshoots: VecDeque<Duration>,
    penalty: Duration,
}

impl Margin {
    /// How much of a clock is kept free.
    pub fn of(&self, clock: Duration) -> Duration {
        let worst = self.overshoots.iter().max().copied().unwrap_or_default();
        let margin = LEAST + clock / PART + worst + self.penalty;
        margin.min(clock / 2)
    }

    /// How long thinking may go on if `over` of the clock has passed already.
    pub fn thinking(&self, clock: Duration, over: Duration) -> Duration {
        (clock - self.of(clock)).saturating_sub(over)
    }

    /// Notes by how much later than planned a reply was ready; zero if it was in time.
    pub fn overshot(&mut self, by: Duration) {
        if self.overshoots.len() == REMEMBERED {
            self.overshoots.pop_front();
        }
        self.overshoots.push_back(by);
    }

    /// The host took the move that was sent.
    pub fn taken(&mut self) {
        self.penalty = self.penalty * 9 / 10;
    }

    /// The host went on without the move that was sent.
    pub fn missed(&mut self) {
        self.penalty = (self.penalty * 2).clamp(FIRST_PENALTY, HIGHEST_PENALTY);
    }
}

#[cfg(test)]
mod tests {
    use super::{Duration, Margin, REMEMBERED};

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn long_clocks_leave_more_free() {
        let margin = Margin::default();
        assert_eq!(margin.of(ms(1_000)), ms(120));
        assert_eq!(margin.of(ms(30_000)), ms(700));
        assert_eq!(margin.thinking(ms(1_000), ms(80)), ms(800));
    }

    #[test]
    fn half_of_the_clock_is_for_thinking_whatever_happens() {
        let mut margin = Margin::default();
        assert_eq!(margin.of(ms(100)), ms(50));
        assert_eq!(
            margin.thinking(Duration::ZERO, Duration::ZERO),
            Duration::ZERO
        );
        (0..100).for_each(|_| margin.missed());
        margin.overshot(Duration::from_secs(1_000));
        assert_eq!(margin.thinking(ms(1_000), Duration::ZERO), ms(500));
        assert_eq!(margin.thinking(ms(1_000), ms(600)), Duration::ZERO);
    }

    #[test]
    fn the_worst_overshoot_counts_until_it_is_forgotten() {
        let mut margin = Margin::default();
        margin.overshot(ms(70));
        margin.overshot(ms(5));
        assert_eq!(margin.of(ms(1_000)), ms(190));
        (1..REMEMBERED).for_each(|_| margin.overshot(ms(5)));
        assert_eq!(margin.of(ms(1_000)), ms(125));
    }

    #[test]
    fn a_host_that_goes_on_without_us_is_given_more_time() {
        let mut margin = Margin::default();
        let free = |margin: &Margin| margin.of(ms(10_000));
        margin.missed();
        assert_eq!(free(&margin), ms(500));
        margin.missed();
        assert_eq!(free(&margin), ms(700));
        margin.taken();
        assert_eq!(free(&margin), ms(660));
        (0..1_000).for_each(|_| margin.taken());
        assert_eq!(free(&margin), ms(300));
    }
}
