//! What a search spends its time on, by samples.
//!
//! A few of many simulations are watched: a clock is read wherever the work goes over from one
//! [`Part`] to another. All others run the same code compiled without the clock ([`Unwatched`]), so
//! that watching costs next to nothing. They are watched one after the other, and the first does
//! not count, since it finds the processor unprepared for the code with the clock.
//!
//! Some parts take hardly longer than reading the clock does, and each reading also keeps the
//! processor from going ahead with what comes next. So a few more simulations are timed as a whole,
//! and what watched ones take longer on average is taken off in equal shares, one for each reading.

use std::ops::AddAssign;
use std::time::Instant;

/// What a search does. [`Part::ALL`] must list every part.
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

    /// The parts that took any time, each with its share of the whole, from 0 to 1; nothing if no
    /// simulation was watched.
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
}

impl AddAssign for Costs {
    fn add_assign(&mut self, other: Self) {
        for (sum, more) in self.nanoseconds.iter_mut().zip(other.nanoseconds) {
            *sum += more;
        }
        self.samples += other.samples;
    }
}

/// Is told when the work of a simulation changes from one part to the next.
pub(crate) trait Watch {
    /// What was done since the last call belongs to this part.
    fn lap(&mut self, part: Part);
}

/// Ignores everything; the compiler removes the calls.
pub(crate) struct Unwatched;

impl Watch for Unwatched {
    #[inline(always)]
    fn lap(&mut self, _: Part) {}
}

/// A clock that is read after each part.
pub(crate) struct Stopwatch {
    last: Instant,
    laps: Laps,
}

/// What a clock showed in one simulation, by parts.
#[derive(Clone, Copy, Debug, Default)]
struct Laps {
    nanoseconds: [f64; Part::ALL.len()],
    readings: [f64; Part::ALL.len()],
}

impl Laps {
    fn time(&self) -> f64 {
        self.nanoseconds.iter().sum()
    }
}

impl Stopwatch {
    pub(crate) fn start() -> Self {
        Self {
            last: Instant::now(),
            laps: Laps::default(),
        }
    }
}

impl Watch for Stopwatch {
    fn lap(&mut self, part: Part) {
        let now = Instant::now();
        let taken = now.duration_since(self.last).as_nanos() as f64;
        self.laps.nanoseconds[part as usize] += taken;
        self.laps.readings[part as usize] += 1.0;
        self.last = now;
    }
}

/// Simulations of which the first few are watched.
const EVERY: u32 = 256;

/// How many are watched in a row.
const IN_A_ROW: u32 = 4;

/// Simulations of which one is watched, or timed as a whole.
const EVERY_WHOLE: u32 = 16;

/// Samples that took this many times as long as the median were interrupted by other work on the
/// machine, and are dropped.
const INTERRUPTED: f64 = 16.0;

/// Samples that are kept; then the older half is forgotten.
const MOST: usize = 4_096;

/// Watched simulations from which on it is known what watching takes.
const ENOUGH: usize = 32;

/// One thread's samples.
#[derive(Debug, Default)]
pub(crate) struct Sampler {
    turn: u32,
    /// The least that it takes to read the clock.
    reading: f64,
    /// When the present simulation began, if it is timed as a whole.
    began: Option<Instant>,
    watched: Vec<Laps>,
    /// Nanoseconds of whole simulations.
    wholes: Vec<f64>,
}

impl Sampler {
    /// Forgets all samples.
    pub(crate) fn restart(&mut self) {
        *self = Self {
            reading: reading(),
            ..Self::default()
        };
    }

    /// Whether the simulation that begins now is to be watched.
    #[inline]
    pub(crate) fn is_due(&mut self) -> bool {
        self.turn = self.turn.wrapping_add(1);
        let is_due = self.turn % EVERY < IN_A_ROW;
        if !is_due && self.turn.is_multiple_of(EVERY_WHOLE) {
            self.began = Some(Instant::now());
        }
        is_due
    }

    /// A simulation that was watched is over.
    pub(crate) fn add(&mut self, watch: &Stopwatch) {
        let is_first = self.turn.is_multiple_of(EVERY);
        if !is_first {
            push(&mut self.watched, watch.laps);
        }
    }

    /// A simulation that was not watched is over.
    #[inline]
    pub(crate) fn add_unwatched(&mut self) {
        if let Some(began) = self.began.take() {
            push(&mut self.wholes, began.elapsed().as_nanos() as f64);
        }
    }

    /// What the samples say together.
    pub(crate) fn costs(&self) -> Costs {
        let watched = uninterrupted(&self.watched, Laps::time);
        let mut sum = Laps::default();
        for sample in &watched {
            for part in 0..Part::ALL.len() {
                sum.nanoseconds[part] += sample.nanoseconds[part];
                sum.readings[part] += sample.readings[part];
            }
        }
        let reading = self.reading_of(&sum, watched.len());
        let parts = sum.nanoseconds.iter().zip(sum.readings);
        let mut parts = parts.map(|(time, readings)| time - readings * reading);
        Costs {
            nanoseconds: std::array::from_fn(|_| parts.next().unwrap_or(0.0)),
            samples: watched.len() as u64,
        }
    }

    /// What a reading took in watched simulations: by how much they were longer than others.
    fn reading_of(&self, sum: &Laps, watched: usize) -> f64 {
        let wholes = uninterrupted(&self.wholes, |&time| time);
        if watched < ENOUGH || wholes.len() < ENOUGH {
            return self.reading;
        }
        let whole = wholes.iter().sum::<f64>() / wholes.len() as f64;
        let readings: f64 = sum.readings.iter().sum();
        let longer = sum.time() - whole * watched as f64;
        self.reading.max(longer / readings)
    }
}

fn push<T>(samples: &mut Vec<T>, sample: T) {
    if samples.len() == MOST {
        samples.drain(..MOST / 2);
    }
    samples.push(sample);
}

/// The samples that were not interrupted.
fn uninterrupted<T: Copy>(samples: &[T], time: impl Fn(&T) -> f64) -> Vec<T> {
    let mut times: Vec<f64> = samples.iter().map(&time).collect();
    if times.is_empty() {
        return Vec::new();
    }
    let middle = times.len() / 2;
    let (_, usual, _) = times.select_nth_unstable_by(middle, f64::total_cmp);
    let most = INTERRUPTED * *usual;
    let counted = samples.iter().filter(|sample| time(sample) <= most);
    counted.copied().collect()
}

/// Nanoseconds that it takes to read the clock: the least of some tries, since anything may come in
/// between.
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
    use super::{Costs, EVERY, EVERY_WHOLE, Laps, MOST, Part, Sampler, Stopwatch};

    fn costs(nanoseconds: [f64; 6], samples: u64) -> Costs {
        Costs {
            nanoseconds,
            samples,
        }
    }

    fn watched(nanoseconds: [f64; 6]) -> Stopwatch {
        let laps = Laps {
            nanoseconds,
            readings: nanoseconds.map(|time| f64::from(time > 0.0)),
        };
        Stopwatch {
            laps,
            ..Stopwatch::start()
        }
    }

    /// A sampler whose watched simulations count.
    fn warm() -> Sampler {
        Sampler {
            turn: 1,
            ..Sampler::default()
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
    fn few_of_many_are_watched() {
        let mut sampler = Sampler::default();
        let mut due = 0;
        for _ in 0..10 * EVERY {
            match sampler.is_due() {
                true => {
                    due += 1;
                    sampler.add(&watched([1.0; 6]));
                }
                false => sampler.add_unwatched(),
            }
        }
        // The first of each row does not count.
        assert_eq!((due, sampler.watched.len()), (40, 30));
        let wholes = 10 * (EVERY / EVERY_WHOLE - 1) as usize;
        assert_eq!(sampler.wholes.len(), wholes);
    }

    #[test]
    fn what_watching_takes_is_taken_off() {
        let mut sampler = warm();
        for _ in 0..100 {
            sampler.add(&watched([120.0, 50.0, 0.0, 0.0, 0.0, 0.0]));
            sampler.wholes.push(130.0);
        }
        // 40 are too much, and there are two readings.
        assert_eq!(sampler.costs().share(Part::Engine), 100.0 / 130.0);
        sampler.wholes.clear();
        assert_eq!(sampler.costs().share(Part::Engine), 120.0 / 170.0);
    }

    #[test]
    fn an_interrupted_simulation_does_not_count() {
        let mut sampler = warm();
        sampler.add(&watched([0.0, 5_000_000.0, 0.0, 0.0, 0.0, 0.0]));
        for _ in 0..8 {
            sampler.add(&watched([100.0, 0.0, 0.0, 0.0, 0.0, 0.0]));
        }
        sampler.add(&watched([0.0, 200.0, 0.0, 0.0, 0.0, 0.0]));
        let costs = sampler.costs();
        assert_eq!((costs.samples(), costs.share(Part::Selection)), (9, 0.2));
    }

    #[test]
    fn old_samples_are_forgotten() {
        let mut sampler = warm();
        for _ in 0..3 * MOST {
            sampler.add(&watched([1.0, 1.0, 1.0, 1.0, 1.0, 1.0]));
        }
        assert!(sampler.costs().samples() <= MOST as u64);
    }
}
