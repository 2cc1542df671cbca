//! Playouts on threads: how many each begins, launches until all have ended, and what came out.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use paidia_game::{Effort, Ending, Extent, Figures, Lengths, RoleId};
use paidia_reason::propnet::Network;

use super::GpuError;
use super::form::{FITS, Form, Shape, tally};
use super::lower::lower;
use super::soft;
use crate::compile::{Order, compile};

/// How many bits the number of moves of a playout has at most, so that those of a block's playouts
/// can be added up in 32.
const MOST_BITS: u32 = 19;

/// How many threads play a number of playouts at most: two million lanes.
const THREADS: u32 = 1 << 16;

/// Of a number of playouts, each lane plays about this many, so that few lanes are idle at the end.
const EACH: u64 = 4;

/// What a launch is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Launch {
    pub(super) seed: u64,
    /// How many steps were made before.
    pub(super) first_step: u64,
    /// How many steps are made at most.
    pub(super) steps: u32,
    pub(super) threads: u32,
    /// After how many moves a playout is cut.
    pub(super) limit: u32,
}

/// What runs the threads of a form.
pub(super) trait Runner {
    /// New threads, in which nothing is played: for each row of what stays between launches its
    /// words, and the states in which playouts start, one after the other.
    fn reset(&mut self, rows: &[u32], starts: &[u32]) -> Result<(), GpuError>;
    /// Says how many playouts each thread begins.
    fn set_left(&mut self, left: &[u32]) -> Result<(), GpuError>;
    /// Runs a launch; the tallies of each start.
    fn launch(&mut self, launch: &Launch) -> Result<Vec<u64>, GpuError>;
}

/// Threads that are run in plain code.
pub(super) struct Soft {
    form: Arc<Form>,
    rows: Vec<u32>,
    starts: Vec<u32>,
}

impl Soft {
    pub(super) fn new(form: Arc<Form>) -> Self {
        Self {
            form,
            rows: Vec::new(),
            starts: Vec::new(),
        }
    }
}

impl Runner for Soft {
    fn reset(&mut self, rows: &[u32], starts: &[u32]) -> Result<(), GpuError> {
        self.rows = rows.to_vec();
        self.starts = starts.to_vec();
        Ok(())
    }

    fn set_left(&mut self, left: &[u32]) -> Result<(), GpuError> {
        let start = self.form.left_row() * left.len();
        self.rows[start..start + left.len()].copy_from_slice(left);
        Ok(())
    }

    fn launch(&mut self, launch: &Launch) -> Result<Vec<u64>, GpuError> {
        let count = self.starts.len() / (self.form.fluents as usize).max(1);
        let mut tallies = vec![0; count.max(1) * self.form.tallies];
        soft::run(
            &self.form,
            launch,
            &mut self.rows,
            &self.starts,
            &mut tallies,
        );
        Ok(tallies)
    }
}

/// The form of a network for playouts of that many moves at most.
pub(super) fn form(network: &Network, limit: u32, shape: Shape) -> Form {
    let mut program = compile(network, Order::Held);
    if program.slots > FITS {
        let again = compile(network, Order::HeldAgain);
        let share = u64::from(program.slots) * u64::from(shape.again);
        if u64::from(again.slots) * 100 < share {
            program = again;
        }
    }
    let bits = (u32::BITS - most_moves(limit).leading_zeros()).max(1);
    lower(&program, bits, shape)
}

/// The highest number of moves that can be asked for.
pub(super) fn most_moves(limit: u32) -> u32 {
    limit.min((1 << MOST_BITS) - 1)
}

/// How many threads play.
fn threads(extent: Extent, shape: Shape) -> u32 {
    let wanted = match extent {
        Extent::Time(_) => shape.threads.into(),
        Extent::Playouts(playouts) => playouts.div_ceil(32 * EACH),
    };
    let wanted = wanted.clamp(1, THREADS.max(shape.threads).into()) as u32;
    wanted.next_multiple_of(shape.block)
}

/// One bit a fluent as one word a fluent.
pub(super) fn words_of(state: &[u64], fluents: u32) -> Vec<u32> {
    let holds = |fluent: usize| {
        let word = state.get(fluent / 64).copied().unwrap_or(0);
        word >> (fluent % 64) & 1 == 1
    };
    let fluents = 0..fluents as usize;
    let words = fluents.map(|fluent| if holds(fluent) { u32::MAX } else { 0 });
    words.collect()
}

/// Plays from a state and adds up what came out.
pub(super) fn simulate(
    form: &Form,
    runner: &mut impl Runner,
    start: &[u64],
    effort: Effort,
    watch: &mut dyn FnMut(u64),
    interrupt: &AtomicBool,
) -> Result<Figures, GpuError> {
    let threads = threads(effort.extent, form.shape);
    let starts = words_of(start, form.fluents);
    runner.reset(&vec![0; form.kept() * threads as usize], &starts)?;
    runner.set_left(&shares(effort.extent, threads))?;
    let mut figures = Figures::new(form.results.len());
    let mut launch = Launch {
        seed: effort.seed,
        first_step: 0,
        steps: FIRST_STEPS,
        threads,
        limit: most_moves(effort.step_limit),
    };
    let (started, mut is_ending, mut launches) = (Instant::now(), false, 0u64);
    loop {
        let launched = Instant::now();
        let tallies = runner.launch(&launch)?;
        add(form, &tallies, &mut figures);
        watch(figures.playouts);
        let is_interrupted = interrupt.load(Ordering::Relaxed);
        let is_over = match effort.extent {
            Extent::Time(time) => started.elapsed() >= time || is_interrupted,
            // Playouts that were asked for by number are dropped.
            Extent::Playouts(_) if is_interrupted => return Ok(figures),
            Extent::Playouts(_) => false,
        };
        launches += 1;
        let is_timed = matches!(effort.extent, Extent::Time(_));
        if is_over && !is_ending {
            runner.set_left(&vec![0; threads as usize])?;
            is_ending = true;
        } else if is_timed && !is_ending {
            // However short playouts are, there are always some left.
            if launches.is_multiple_of(REFILL) {
                runner.set_left(&shares(effort.extent, threads))?;
            }
        } else if tallies[tally::OPEN] == 0 {
            return Ok(figures);
        }
        launch.first_step += u64::from(launch.steps);
        launch.steps = next_steps(launch.steps, launched.elapsed().as_secs_f64());
    }
}

/// How many steps the first launch makes.
const FIRST_STEPS: u32 = 1;

/// After how many launches threads are given more playouts, where a time is given.
const REFILL: u64 = 1 << 10;

/// How long a launch is to take, in seconds.
const LAUNCH: f64 = 0.02;

/// How many steps the next launch makes, after one that took so long.
fn next_steps(steps: u32, seconds: f64) -> u32 {
    let wanted = f64::from(steps) * LAUNCH / seconds.max(1e-6);
    (wanted as u32)
        .clamp((steps / 2).max(1), steps * 2)
        .min(4096)
}

/// How many playouts each thread begins.
fn shares(extent: Extent, threads: u32) -> Vec<u32> {
    let share = |thread: u64| match extent {
        // As many as there is time for.
        Extent::Time(_) => u32::MAX / 2,
        Extent::Playouts(all) => {
            let threads = u64::from(threads);
            let share = all / threads + u64::from(thread < all % threads);
            share.min(u32::MAX.into()) as u32
        }
    };
    (0..u64::from(threads)).map(share).collect()
}

/// Adds the tallies of a start.
pub(super) fn add(form: &Form, tallies: &[u64], figures: &mut Figures) {
    let playouts = tallies[tally::PLAYOUTS];
    if playouts == 0 {
        return;
    }
    figures.add_lengths(Lengths::of_sums(
        playouts,
        tallies[tally::MOVES],
        tallies[tally::SQUARES].into(),
        !(tallies[tally::SHORTEST] as u32),
        tallies[tally::LONGEST] as u32,
    ));
    figures.add_unfinished_times(Ending::Cut, tallies[tally::CUT]);
    figures.add_unfinished_times(Ending::Stuck(RoleId(0)), tallies[tally::STUCK]);
    let mut goals = tallies[tally::GOALS..].iter();
    for (role, results) in (0..).map(RoleId).zip(&form.results) {
        for (&value, &count) in results.iter().zip(&mut goals) {
            figures.add_goals(role, value, count);
        }
    }
}
