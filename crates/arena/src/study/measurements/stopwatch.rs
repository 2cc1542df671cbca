//! CPU time, looked at as seldom as will do.

use cpu_time::ProcessTime;

/// How much CPU time may pass between two looks, in seconds.
const INTERVAL: f64 = 0.001;

/// CPU time of the process since the beginning.
///
/// A look at the clock costs as much as many steps of a fast engine, so there are several steps
/// between two looks, as many as fit a short interval.
pub(super) struct Stopwatch {
    started: ProcessTime,
    /// What the last look said, in seconds.
    seen: f64,
    stride: u32,
    left: u32,
}

impl Stopwatch {
    /// Starts now.
    pub(super) fn start() -> Self {
        Self {
            started: ProcessTime::now(),
            seen: 0.0,
            stride: 1,
            left: 1,
        }
    }

    /// A step was made: looks if it is time to.
    #[inline]
    pub(super) fn tick(&mut self) {
        self.left -= 1;
        if self.left == 0 {
            self.look();
        }
    }

    /// Seconds by the last look.
    pub(super) fn seen(&self) -> f64 {
        self.seen
    }

    /// Seconds by a look right now.
    pub(super) fn elapsed(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }

    #[cold]
    fn look(&mut self) {
        let now = self.elapsed();
        let passed = now - self.seen;
        if passed < INTERVAL {
            self.stride = self.stride.saturating_mul(2);
        } else if passed > 4.0 * INTERVAL {
            self.stride = (self.stride / 2).max(1);
        }
        self.seen = now;
        self.left = self.stride;
    }
}

#[cfg(test)]
mod tests {
    use super::Stopwatch;

    #[test]
    fn looks_grow_rarer_and_time_goes_on() {
        let mut watch = Stopwatch::start();
        for _ in 0..1_000_000 {
            watch.tick();
        }
        assert!(watch.stride > 1);
        assert!(watch.seen() > 0.0 && watch.seen() <= watch.elapsed());
    }
}
