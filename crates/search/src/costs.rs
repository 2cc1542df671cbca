//! What a search spends its time on, by samples.
//!
//! One of many simulations is watched: a clock is read wherever the work goes over from one [`Part`] to another. All others run the
//! same code compiled without the clock ([`Unwatched`]), so that watching costs next to nothing. What reading the clock takes is measured and
//! taken off, since some parts take hardly longer.

use std::ops::AddAssign;
use std::time::Instant;

/// What a search does. Whoever adds a part adds it to [`Part::ALL`], too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// The rules: moves made, legal moves, ends and goals; and playouts that draw uniformly.
    Engine,
    /// Choosing in the tree, finding and adding states.
    Selection,
    /// Drawing moves by what is remembered of them, and remembering.
    Policy,
    /// RAVE's records of moves made later.
    Records,
    /// Advice about moves.
    Advice,
    /// Returns and proofs on the way back.
    Backup,
}

impl Part {
    /// All parts.
    pub const ALL: [Part; 6] = [
        Part::Engine,
        Part::Selection,
        Part::Policy,
        Part::Records,
        Part::Advice,
        Part::Backup,
    ];

    /// The part in a word.
    pub fn name(self) -> &'static str {
        match self {
            Part::Engine => "engine",
            Part::Selection => "selection",
            Part::Policy => "policy",
            Part::Records => "records",
            Part::Advice => "advice",
            Part::Backup => "backup",
        }
    }
}

/// The time that the watched simulations of a search took, by parts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Costs {
    nanoseconds: [f64; Part::ALL.len()],
    samples: u64,
}

impl Costs {
    /// How many simulations were watched.
    pub fn samples(&self) -> u64 {
        self.samples
    }

    /// The parts that took any time, each with its share of the whole, from 0 to 1; nothing if no simulation was watched.
    pub fn shares(&self) -> impl Iterator<Item = (Part, f64)> {
        let parts = self.nanoseconds.map(|time| time.max(0.0));
        let whole: f64 = parts.iter().sum();
        let taken = Part::ALL.into_iter().zip(parts);
        taken
            .filter(|&(_, time)| time > 0.0)
            .map(move |(part, time)| (part, time / whole))
    }

    /// The share of a part.
    pub fn share(&self, part: Part) -> f64 {
        let mut shares = self.shares();
        shares
            .find(|&(other, _)| other == part)
            .map_or(0.0, |(_, share)| share)
    }

    fn total(&self) -> f64 {
        self.nanoseconds.iter().sum()
    }
}

impl AddAssign for Costs {
    fn add_assign(&mut self, other: Self) {
        for (sum, more) in self.nanoseconds.iter_mut().zip(other.nanoseconds) {
            *sum += more;
        }
        self.samples += other.samples;
    }
}

/// Somebody who is told what was done, or nobody.
pub(crate) trait Watch {
    /// What was done since the last call belongs to this part.
    fn lap(&mut self, part: Part);
}

/// Nobody: calls vanish when this is compiled.
pub(crate) struct Unwatched;

impl Watch for Unwatched {
    #[inline(always)]
    fn lap(&mut self, _: Part) {}
}

/// A clock that is read after each part.
pub(crate) struct Stopwatch {
    last: Instant,
    costs: Costs,
    /// What it takes to read the clock once.
    reading: f64,
}

impl Watch for Stopwatch {
    fn lap(&mut self, part: Part) {
        let now = Instant::now();
        let taken = now.duration_since(self.last).as_nanos() as f64;
        self.costs.nanoseconds[part as usize] += taken - self.reading;
        self.last = now;
    }
}

/// Simulations of which one is watched.
const EVERY: u32 = 64;

/// Samples that took so many times as long as the middle one were interrupted by something else on the machine, and say nothing.
const INTERRUPTED: f64 = 16.0;

/// Samples that are kept; then the older half is forgotten.
const MOST: usize = 4_096;

/// One thread's samples.
#[derive(Debug, Default)]
pub(crate) struct Sampler {
    turn: u32,
    reading: f64,
    samples: Vec<Costs>,
}

impl Sampler {
    /// Forgets all samples.
    pub(crate) fn restart(&mut self) {
        *self = Self {
            reading: reading(),
            ..Self::default()
        };
    }

    /// Whether the next simulation is to be watched.
    #[inline]
    pub(crate) fn is_due(&mut self) -> bool {
        self.turn = self.turn.wrapping_add(1);
        self.turn.is_multiple_of(EVERY)
    }

    pub(crate) fn watch(&self) -> Stopwatch {
        Stopwatch {
            last: Instant::now(),
            costs: Costs {
                samples: 1,
                ..Costs::default()
            },
            reading: self.reading,
        }
    }

    pub(crate) fn add(&mut self, watch: &Stopwatch) {
        if self.samples.len() == MOST {
            self.samples.drain(..MOST / 2);
        }
        self.samples.push(watch.costs);
    }

    /// What the samples say together.
    pub(crate) fn costs(&self) -> Costs {
        let mut totals: Vec<f64> = self.samples.iter().map(Costs::total).collect();
        let middle = totals.len() / 2;
        let mut sum = Costs::default();
        if totals.is_empty() {
            return sum;
        }
        let (_, usual, _) = totals.select_nth_unstable_by(middle, f64::total_cmp);
        let most = INTERRUPTED * *usual;
        let counted = self.samples.iter().filter(|sample| sample.total() <= most);
        counted.for_each(|&sample| sum += sample);
        sum
    }
}

/// Nanoseconds that it takes to read the clock: the least of some tries, since anything may come in between.
fn reading() -> f64 {
    let mut last = Instant::now();
    let tries = (0..32).map(|_| {
        let before = std::mem::replace(&mut last, Instant::now());
        last.duration_since(before).as_nanos() as f64
    });
    tries.fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::{Costs, EVERY, MOST, Part, Sampler, Stopwatch};

    fn costs(nanoseconds: [f64; 6], samples: u64) -> Costs {
        Costs {
            nanoseconds,
            samples,
        }
    }

    fn watched(sampler: &Sampler, nanoseconds: [f64; 6]) -> Stopwatch {
        Stopwatch {
            costs: costs(nanoseconds, 1),
            ..sampler.watch()
        }
    }

    #[test]
    fn shares_are_of_the_whole() {
        let mut sum = costs([30.0, 10.0, 0.0, 0.0, 0.0, 20.0], 1);
        sum += costs([30.0, 10.0, 0.0, -1.0, 0.0, 0.0], 2);
        let shares: Vec<(Part, f64)> = sum.shares().collect();
        let expected = [
            (Part::Engine, 0.6),
            (Part::Selection, 0.2),
            (Part::Backup, 0.2),
        ];
        assert_eq!(shares, expected);
        assert_eq!((sum.share(Part::Policy), sum.samples()), (0.0, 3));
        assert_eq!(Costs::default().shares().count(), 0);
    }

    #[test]
    fn one_of_many_is_watched() {
        let mut sampler = Sampler::default();
        let due = (0..10 * EVERY).filter(|_| sampler.is_due()).count();
        assert_eq!(due, 10);
    }

    #[test]
    fn an_interrupted_simulation_does_not_count() {
        let mut sampler = Sampler::default();
        sampler.add(&watched(&sampler, [0.0, 5_000_000.0, 0.0, 0.0, 0.0, 0.0]));
        for _ in 0..8 {
            sampler.add(&watched(&sampler, [100.0, 0.0, 0.0, 0.0, 0.0, 0.0]));
        }
        sampler.add(&watched(&sampler, [0.0, 200.0, 0.0, 0.0, 0.0, 0.0]));
        let costs = sampler.costs();
        assert_eq!((costs.samples(), costs.share(Part::Selection)), (9, 0.2));
    }

    #[test]
    fn old_samples_are_forgotten() {
        let mut sampler = Sampler::default();
        for _ in 0..3 * MOST {
            sampler.add(&watched(&sampler, [1.0, 1.0, 1.0, 1.0, 1.0, 1.0]));
        }
        assert!(sampler.costs().samples() <= MOST as u64);
    }
}
