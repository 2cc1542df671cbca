//! Random playouts with the clock running.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use cpu_time::ProcessTime;
use paidia_accel::{Batches, Decisive, Draws};
use paidia_arena::Playable;
use paidia_arena::engine::{Loaded, Machine, OnGame};
use paidia_game::{Effort, Extent, Figures, Game, Legible, simulate_until};

use crate::position::Start;
use crate::terminal::Progress;

/// What came out of playouts, and what they cost.
pub(crate) struct Measured {
    /// What came out.
    pub(crate) figures: Figures,
    /// CPU time of all threads; where a GPU played, time on the wall.
    pub(crate) cpu: Duration,
    /// Time on the wall.
    pub(crate) wall: Duration,
    /// Whether a GPU played.
    pub(crate) by_gpu: bool,
    /// What else there is to say.
    pub(crate) note: Option<String>,
}

impl Measured {
    /// How often something happened in a CPU second, if there was time to tell.
    pub(crate) fn rate(&self, count: u64) -> Option<f64> {
        let seconds = self.cpu.as_secs_f64();
        (seconds > 0.0).then(|| count as f64 / seconds)
    }
}

/// Plays at random. The engine is looked at once, here; from then on its code is compiled into the
/// playouts.
///
/// # Errors
/// If the state to start in makes no sense, or playouts are to look ahead and cannot.
pub(crate) fn measure(
    loaded: &Loaded,
    start: &Start,
    effort: Effort,
    draws: Draws,
    interrupt: &AtomicBool,
) -> anyhow::Result<Measured> {
    match &loaded.machine {
        Machine::Batch(game) => batch(game, start, effort, draws, interrupt),
        _ if draws != Draws::PLAIN => bail!("playouts look ahead with `--engine batch` alone"),
        machine => machine.run(Walk {
            start,
            effort,
            interrupt,
        })?,
    }
}

/// Playouts one by one.
struct Walk<'a> {
    start: &'a Start,
    effort: Effort,
    interrupt: &'a AtomicBool,
}

impl OnGame for Walk<'_> {
    type Output = anyhow::Result<Measured>;

    fn run<G: Game + Legible>(self, playable: &Playable<G>) -> anyhow::Result<Measured> {
        let (game, effort) = (&playable.game, self.effort);
        let start = self.start.state(game)?;
        Ok(timed(effort, |watch| {
            simulate_until(game, &start, effort, watch, self.interrupt)
        }))
    }
}

fn batch(
    game: &Batches,
    start: &Start,
    effort: Effort,
    draws: Draws,
    interrupt: &AtomicBool,
) -> anyhow::Result<Measured> {
    if draws.decisive != Decisive::No {
        let foreseen = game.foresees(draws.decisive);
        foreseen.context("playouts cannot look ahead in this game")?;
    }
    if draws != Draws::PLAIN && game.is_for_gpu() {
        bail!("playouts look ahead with `--engine batch` alone");
    }
    game.prepare_by(draws);
    let state = if start.is_given() {
        let propnet = game.propnet();
        game.state(&propnet.fluents(&start.state(&propnet)?))?
    } else {
        game.initial()
    };
    let measured = timed(effort, |watch| {
        game.simulate_by(draws, &state, effort, watch, interrupt)
    });
    Ok(match game.gpu_trouble() {
        _ if !game.is_for_gpu() => measured,
        Some(error) => Measured {
            note: Some(format!("{error}; the processor played instead")),
            ..measured
        },
        // Its time is that of the clock: the processor only waits.
        None => Measured {
            cpu: measured.wall,
            by_gpu: true,
            ..measured
        },
    })
}

fn timed(effort: Effort, play: impl FnOnce(&mut dyn FnMut(u64)) -> Figures) -> Measured {
    let length = match effort.extent {
        Extent::Playouts(playouts) => Some(playouts),
        Extent::Time(_) => None,
    };
    let mut progress = Progress::new(length, "playouts");
    let (wall, cpu) = (Instant::now(), ProcessTime::now());
    let figures = play(&mut |playouts| progress.set(playouts));
    Measured {
        figures,
        cpu: cpu.elapsed(),
        wall: wall.elapsed(),
        by_gpu: false,
        note: None,
    }
}
