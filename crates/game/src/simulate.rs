//! Many random playouts on several threads, added up.
//!
//! Every thread has its own generator and its own share of the playouts, so that the same seed and
//! the same number of threads give the same playouts, whichever thread is quicker. Every playout
//! that was started is finished and counted: to drop those that are open when time is up would
//! favour short games.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use crate::batch::BatchPlayouts;
use crate::chance::Chance;
use crate::contract::Game;
use crate::playout::{Ending, Figures, PlayoutRunner};

/// When there are enough playouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// After this number.
    Playouts(u64),
    /// When this time is up; each thread plays at least once.
    Time(Duration),
}

/// How much is played, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// When to stop.
    pub extent: Extent,
    /// How many threads play; at least one does.
    pub threads: usize,
    /// Where the random choices come from.
    pub seed: u64,
    /// After how many joint moves a playout is cut.
    pub step_limit: u32,
}

/// How often progress is reported.
const WATCH_INTERVAL: Duration = Duration::from_millis(100);

/// The clock is looked at about this often.
const CLOCK_INTERVAL: Duration = Duration::from_millis(1);

/// The steps of a batch engine between two looks at the clock or the figures.
const STEPS: u32 = 16;

/// Plays from a state and adds up what came out. `watch` is told now and then how many playouts are
/// done.
///
/// A thread whose engine runs into a limit stops there; the figures tell.
pub fn simulate<G: Game>(
    game: &G,
    start: &G::State,
    effort: Effort,
    watch: &mut dyn FnMut(u64),
) -> Figures {
    simulate_until(game, start, effort, watch, &AtomicBool::new(false))
}

/// As [`simulate()`], until the flag is set: then no other playout is started.
pub fn simulate_until<G: Game>(
    game: &G,
    start: &G::State,
    effort: Effort,
    watch: &mut dyn FnMut(u64),
    interrupt: &AtomicBool,
) -> Figures {
    let mut chance = Chance::from_seed(effort.seed);
    let shares = effort
        .extent
        .shares(effort.threads)
        .map(|share| (share, chance.split()));
    let play = |(share, chance): (Extent, Chance), done: &AtomicU64| {
        let runner = PlayoutRunner::new(game, start.clone(), effort.step_limit);
        play_share(runner, chance, share, done, interrupt)
    };
    let roles = game.facts().roles.len();
    on_threads(shares.collect(), play, Figures::new(roles), watch)
}

/// Plays from a state with batch engines, each on a thread of its own, and adds up what came out.
///
/// Each engine runs `lanes` playouts side by side and has its own random choices; `roles` is how
/// many roles the game has. `watch` is told now and then how many playouts are done. Once
/// `interrupt` is set no other playout is started; of a number of playouts, which are begun all at
/// once, those that are not done are dropped.
pub fn simulate_batch<B>(
    engines: Vec<B>,
    lanes: u32,
    roles: usize,
    start: &B::State,
    extent: Extent,
    watch: &mut dyn FnMut(u64),
    interrupt: &AtomicBool,
) -> Figures
where
    B: BatchPlayouts + Send,
    B::State: Sync,
{
    let shares: Vec<(Extent, B)> = extent.shares(engines.len()).zip(engines).collect();
    let play = |(extent, engine): (Extent, B), done: &AtomicU64| {
        let mut share = BatchShare {
            engine,
            start,
            figures: Figures::new(roles),
            done,
            interrupt,
        };
        match extent {
            Extent::Playouts(playouts) => share.play(playouts),
            Extent::Time(time) => share.play_for(time, lanes),
        }
        share.figures
    };
    on_threads(shares, play, Figures::new(roles), watch)
}

impl Extent {
    /// The share of each of the threads.
    fn shares(self, threads: usize) -> impl Iterator<Item = Extent> {
        let threads = threads.max(1) as u64;
        (0..threads).map(move |thread| match self {
            Extent::Playouts(all) => {
                Extent::Playouts(all / threads + u64::from(thread < all % threads))
            }
            Extent::Time(time) => Extent::Time(time),
        })
    }
}

/// One thread's work.
fn play_share<G: Game>(
    mut runner: PlayoutRunner<G>,
    mut chance: Chance,
    share: Extent,
    done: &AtomicU64,
    interrupt: &AtomicBool,
) -> Figures {
    let started = Instant::now();
    // A look at the clock can cost as much as a short playout, so there are several of those
    // between two looks.
    let mut chunk = 1;
    loop {
        let played = runner.figures().playouts;
        let left = match share {
            Extent::Playouts(all) => all - played,
            Extent::Time(time) if played > 0 && started.elapsed() >= time => 0,
            Extent::Time(_) => u64::MAX,
        };
        let is_over = left == 0 || interrupt.load(Ordering::Relaxed);
        if is_over || runner.figures().fault.is_some() {
            return runner.figures().clone();
        }
        let chunk_started = Instant::now();
        let now = chunk.min(left);
        for _ in 0..now {
            if let Ending::Faulted(_) = runner.run(&mut chance).ending {
                break;
            }
        }
        done.fetch_add(now, Ordering::Relaxed);
        if chunk_started.elapsed() < CLOCK_INTERVAL {
            chunk *= 2;
        }
    }
}

/// One thread's work with a batch engine.
struct BatchShare<'a, B: BatchPlayouts> {
    engine: B,
    start: &'a B::State,
    figures: Figures,
    done: &'a AtomicU64,
    interrupt: &'a AtomicBool,
}

impl<B: BatchPlayouts> BatchShare<'_, B> {
    /// A number of playouts. They are asked for all at once, so that they do not depend on how
    /// quick the machine is.
    fn play(&mut self, playouts: u64) {
        let mut left = playouts;
        while left > 0 {
            let asked = left.min(u32::MAX.into());
            self.engine.submit(self.start, 0, asked as u32);
            left -= asked;
        }
        while self.engine.open() > 0 && !self.is_interrupted() {
            self.run(STEPS);
        }
    }

    fn is_interrupted(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed)
    }

    /// Playouts until the time is up, then as long as one is open.
    fn play_for(&mut self, time: Duration, lanes: u32) {
        let started = Instant::now();
        loop {
            // New playouts come in lots that are no larger than what runs at once: what has been
            // asked for must be finished.
            for _ in 0..STEPS {
                if self.engine.open() < u64::from(lanes) {
                    self.engine.submit(self.start, 0, lanes);
                }
                self.run(1);
            }
            if started.elapsed() >= time || self.is_interrupted() {
                break;
            }
        }
        while self.engine.open() > 0 {
            self.run(STEPS);
        }
    }

    fn run(&mut self, steps: u32) {
        let before = self.engine.open();
        self.engine.tally(steps, &mut self.figures);
        self.done
            .fetch_add(before - self.engine.open(), Ordering::Relaxed);
    }
}

/// Does each share on a thread of its own and merges the figures in the order of the shares.
fn on_threads<S: Send>(
    shares: Vec<S>,
    play: impl Fn(S, &AtomicU64) -> Figures + Sync,
    mut figures: Figures,
    watch: &mut dyn FnMut(u64),
) -> Figures {
    let done = AtomicU64::new(0);
    let (play, done) = (&play, &done);
    // Nothing is ever sent: the channel closes when the last thread lets go of its end.
    let (alive, closed) = mpsc::channel::<()>();
    let parts: Vec<Figures> = std::thread::scope(|scope| {
        let spawn = |share: S| {
            let alive = alive.clone();
            scope.spawn(move || {
                let figures = play(share, done);
                drop(alive);
                figures
            })
        };
        let threads: Vec<_> = shares.into_iter().map(spawn).collect();
        drop(alive);
        while closed.recv_timeout(WATCH_INTERVAL) == Err(mpsc::RecvTimeoutError::Timeout) {
            watch(done.load(Ordering::Relaxed));
        }
        let join = |thread: std::thread::ScopedJoinHandle<'_, Figures>| {
            thread
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        threads.into_iter().map(join).collect()
    });
    parts.iter().for_each(|part| figures.merge(part));
    figures
}
