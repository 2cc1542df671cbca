//! Playouts by a crew of threads, run by run, as a contender.

use paidia_game::{BatchPlayouts, Ending, Game, Legible};
use paidia_search::leaves::crew::{Crew, Crewing};
use paidia_search::leaves::{Decisive, LeafOptions};

use super::batched::Refusal;
use super::contender::{Contender, Count, Job, Position, Work};
use super::stopwatch::Stopwatch;
use super::walking::{Walking, states};
use crate::engine::{Machine, OnGame};
use crate::playable::Playable;

/// A crew with the engine that stands ready, making a number of playouts from each position of a
/// run.
pub fn crewed(machine: &Machine, crewing: Crewing, playouts: u32) -> Box<dyn Contender> {
    match machine.run(Hire { crewing, playouts }) {
        Ok(contender) => contender,
        Err(problem) => Box::new(Refusal(problem.to_string())),
    }
}

/// Makes the contender of whichever engine it is.
struct Hire {
    crewing: Crewing,
    playouts: u32,
}

impl OnGame for Hire {
    type Output = Box<dyn Contender>;

    fn run<G: Game + Legible>(self, playable: &Playable<G>) -> Self::Output {
        Box::new(Crewed {
            positions: vec![playable.game.initial()],
            game: playable.game.clone(),
            crewing: self.crewing,
            playouts: self.playouts,
        })
    }
}

/// A crew, and the positions that were made ready.
struct Crewed<G: Game + Legible> {
    game: G,
    positions: Vec<G::State>,
    crewing: Crewing,
    playouts: u32,
}

impl<G: Game + Legible> Crewed<G> {
    fn playouts(&self, job: &Job) -> Result<Count, String> {
        let share = job.seconds / job.positions.len() as f64;
        let options = LeafOptions {
            seed: job.seed,
            stream: 0,
            discount: 1.0,
            step_limit: job.step_limit,
            decisive: Decisive::No,
            is_weighted: false,
        };
        let mut crew = Crew::new(&self.game, self.crewing, options);
        let leaves = self
            .crewing
            .positions
            .unwrap_or(self.crewing.threads as u32);
        let (mut count, mut fault) = (Count::default(), None);
        for start in &self.positions[job.positions.clone()] {
            let mut watch = Stopwatch::start();
            while watch.seen() < share && fault.is_none() {
                for leaf in 0..leaves {
                    crew.submit(start, leaf, self.playouts);
                }
                crew.run(0, &mut |done| {
                    count.states += u64::from(done.playout.length);
                    count.playouts += 1;
                    if let Ending::Faulted(found) = done.playout.ending {
                        fault = Some(found);
                    }
                });
                watch.tick();
            }
            count.cpu += watch.elapsed();
        }
        match fault {
            Some(fault) => Err(fault.to_string()),
            None => Ok(count),
        }
    }
}

impl<G: Game + Legible> Contender for Crewed<G> {
    fn prepare(&mut self, positions: &[Position]) -> Result<(), String> {
        self.positions = states(&self.game, positions)?;
        Ok(())
    }

    fn measure(&mut self, job: &Job) -> Result<Count, String> {
        match job.work {
            Work::Playouts => self.playouts(job),
            Work::Minimax | Work::Nodes(_) => Err("a crew makes whole playouts only".to_owned()),
        }
    }

    fn record(&mut self, seed: u64, step_limit: u32) -> Result<Vec<Position>, String> {
        Walking::new(self.game.clone()).record(seed, step_limit)
    }
}
