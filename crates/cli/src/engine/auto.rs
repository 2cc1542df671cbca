//! The choice among engines: the network where there is one, else whichever of the others is faster.
//!
//! Making the network can take as long as its budget, so that the other engines are made beside it, once it is not there in a moment.

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use cpu_time::ThreadTime;
use paidia_arena::Playable;
use paidia_game::{Chance, Game, PlayoutRunner};
use paidia_gdl::program::Program;
use paidia_reason::propnet::LoadNetworkError;
use paidia_reason::{Compiled, Reference};

use super::report::Rate;
use super::{Engine, EngineChoice, EngineReport, Grounded, Machine};

/// How long the network may take before others are made beside it.
const MOMENT: Duration = Duration::from_millis(400);

/// How much CPU time a measurement of an engine takes, if its playouts are no longer.
const MEASUREMENT: Duration = Duration::from_millis(100);

/// Joint moves of a playout that is measured, at most.
const STEPS: u32 = 30;

/// The engines that need no network, ready to play.
type Others = anyhow::Result<(Compiled, Reference)>;

impl EngineChoice {
    /// The engine that `auto` takes.
    pub(super) fn choose(
        &self,
        name: &str,
        program: &Program,
    ) -> anyhow::Result<(Machine, EngineReport)> {
        let others = || Ok(Compiled::beside_reference(name, program)?);
        let (grounded, cpu, ready) = self.ground_beside(name, program, others);
        let (machine, mut report) = match grounded {
            Ok((game, making)) => {
                let report = EngineReport::of_network(Engine::Propnet, &game, &making);
                let machine = Machine::Propnet(Playable::ground(game));
                (machine, report.because("the rules became a network"))
            }
            Err(error) => fall_back(&error, ready.unwrap_or_else(others)?),
        };
        report.load_cpu_ms += cpu.as_secs_f64() * 1000.0;
        Ok((machine, report))
    }

    /// Grounds in a thread of its own; the outcome, what it cost, and the other engines if they were made meanwhile.
    fn ground_beside(
        &self,
        name: &str,
        program: &Program,
        others: impl Fn() -> Others,
    ) -> (Grounded, Duration, Option<Others>) {
        let (sender, receiver) = mpsc::channel();
        let ground = move || {
            let start = ThreadTime::now();
            let grounded = self.ground(name, program);
            // Nobody waits any more only if the thread that waited is gone.
            let _ = sender.send((grounded, start.elapsed()));
        };
        thread::scope(|scope| {
            scope.spawn(ground);
            let (ready, outcome) = match receiver.recv_timeout(MOMENT) {
                Ok(outcome) => (None, Ok(outcome)),
                Err(_) => (Some(others()), receiver.recv()),
            };
            let (grounded, cpu) = outcome.unwrap_or_else(|_| {
                let start = ThreadTime::now();
                (self.ground(name, program), start.elapsed())
            });
            (grounded, cpu, ready)
        })
    }
}

/// The faster of the engines that need no network.
fn fall_back(
    error: &LoadNetworkError,
    (compiled, reference): (Compiled, Reference),
) -> (Machine, EngineReport) {
    let mut rates = vec![
        rate(Engine::Compiled, &compiled),
        rate(Engine::Reference, &reference),
    ];
    rates.sort_by(|one, other| other.states_per_cpu_s.total_cmp(&one.states_per_cpu_s));
    let (machine, engine) = match rates[0].engine == Engine::Compiled.name() {
        true => (Machine::Compiled(compiled), Engine::Compiled),
        false => (Machine::Reference(reference), Engine::Reference),
    };
    let report = EngineReport::of_fallback(engine, error);
    (machine, EngineReport { rates, ..report })
}

/// How fast an engine plays at random, by a short measurement.
pub(super) fn rate<G: Game>(engine: Engine, game: &G) -> Rate {
    let mut runner = PlayoutRunner::new(game, game.initial(), STEPS);
    let mut chance = Chance::from_seed(0);
    let start = ThreadTime::now();
    let seconds = loop {
        runner.run(&mut chance);
        let elapsed = start.elapsed();
        if elapsed >= MEASUREMENT {
            break elapsed.as_secs_f64();
        }
    };
    Rate {
        engine: engine.name(),
        states_per_cpu_s: runner.figures().states as f64 / seconds,
    }
}
