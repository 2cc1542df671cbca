//! From engines to contenders: those that play many playouts at a time, and all others.

use std::time::Duration;

use cpu_time::ProcessTime;
use paidia_accel::Batches;
use paidia_game::{Effort, Extent, Game, Legible, UnknownFluent};

use super::contender::{Contender, Count, Job, Position, Work};
use super::walking::Walking;
use crate::engine::{Machine, OnGame};
use crate::playable::Playable;

/// The engine that stands ready, to be compared with others.
pub fn contender(machine: &Machine) -> Box<dyn Contender> {
    match machine {
        Machine::Batch(game) => Box::new(Batched::new(game.clone())),
        // Whatever does not play in batches walks.
        walking => match walking.run(Walk) {
            Ok(contender) => contender,
            Err(problem) => Box::new(Refusal(problem.to_string())),
        },
    }
}

/// Makes the walking contender of whichever engine it is.
struct Walk;

impl OnGame for Walk {
    type Output = Box<dyn Contender>;

    fn run<G: Game + Legible>(self, playable: &Playable<G>) -> Self::Output {
        Box::new(Walking::new(playable.game.clone()))
    }
}

/// An engine that does neither, and says so whatever it is asked for.
pub(super) struct Refusal(pub(super) String);

impl Contender for Refusal {
    fn prepare(&mut self, _: &[Position]) -> Result<(), String> {
        Err(self.0.clone())
    }

    fn measure(&mut self, _: &Job) -> Result<Count, String> {
        Err(self.0.clone())
    }

    fn record(&mut self, _: u64, _: u32) -> Result<Vec<Position>, String> {
        Err(self.0.clone())
    }
}

/// A network that is compiled for many playouts at a time.
pub struct Batched {
    game: Batches,
    /// States as bits.
    positions: Vec<Vec<u64>>,
}

impl Batched {
    /// The engine with its game.
    pub fn new(game: Batches) -> Self {
        Self {
            positions: vec![game.initial()],
            game,
        }
    }

    fn playouts(&self, job: &Job) -> Result<Count, String> {
        let share = Duration::from_secs_f64(job.seconds / job.positions.len() as f64);
        let effort = Effort {
            extent: Extent::Time(share),
            threads: 1,
            seed: job.seed,
            step_limit: job.step_limit,
        };
        let mut count = Count::default();
        for start in &self.positions[job.positions.clone()] {
            let watch = ProcessTime::now();
            let figures = self.game.simulate(start, effort, &mut |_| {});
            count.cpu += watch.elapsed().as_secs_f64();
            count.states += figures.states;
            count.playouts += figures.playouts;
            if let Some(fault) = figures.fault {
                return Err(fault.to_string());
            }
        }
        Ok(count)
    }
}

impl Contender for Batched {
    fn prepare(&mut self, positions: &[Position]) -> Result<(), String> {
        let state = |position: &Position| match position {
            Position::Initial => Ok(self.game.initial()),
            Position::Fluents(fluents) => self.game.state(fluents),
        };
        let states: Result<Vec<Vec<u64>>, UnknownFluent> = positions.iter().map(state).collect();
        self.positions = states.map_err(|unknown| unknown.to_string())?;
        Ok(())
    }

    fn measure(&mut self, job: &Job) -> Result<Count, String> {
        match job.work {
            Work::Playouts => self.playouts(job),
            Work::Minimax | Work::Nodes(_) => Err("it plays whole playouts only".to_owned()),
        }
    }

    fn record(&mut self, seed: u64, step_limit: u32) -> Result<Vec<Position>, String> {
        Walking::new(self.game.propnet()).record(seed, step_limit)
    }
}
