//! The engines by name: the one place where rules become a game.
//!
//! An engine is written `name(key=value, ...)`, as players are: [`EngineSpec`] reads that, [`ENGINES`] lists what there is, and [`load`] makes
//! the rules a [`Machine`], with an [`EngineReport`] on which engine was taken, why, and at what cost. `auto` is the choice among
//! the others. Everything that plays goes through here, from the command line, the protocol and the web page alike.

mod auto;
mod batch;
mod kinds;
mod machine;
mod options;
mod report;
mod spec;

use std::time::Instant;

use cpu_time::ThreadTime;
use paidia_game::{AnyGame, GameFacts};
use paidia_gdl::grounding::Budget;
use paidia_gdl::program::Program;
use paidia_reason::propnet::{GroundGame, LoadNetworkError, Making, ground_game_with};
use paidia_reason::{Compiled, Forward, Incremental, LoadError, Prover, Reference};

use crate::advice;
use crate::playable::Playable;
pub use auto::measure;
pub use batch::BatchGame;
pub use kinds::{ENGINES, Engine, Kind, Setting, Takes};
pub use machine::{Machine, OnGame};
pub use report::{EngineNote, EngineReport, NetworkReport, OverBudgetReport, Rate, Stage};
pub use spec::{BadEngine, EngineSpec};

/// A game that is ready to play.
#[derive(Clone)]
pub struct Loaded {
    /// The game.
    pub machine: Machine,
    /// Which engine was taken, why, and what it cost.
    pub report: EngineReport,
}

/// Why an engine cannot play.
#[derive(Clone, Debug, thiserror::Error)]
pub enum EngineError {
    /// The engine needs a network, and there is none.
    #[error(
        "the rules have no network for the {engine} engine; `auto`, `compiled` and `reference` play without one"
    )]
    NoNetwork {
        /// The engine.
        engine: &'static str,
        /// Why there is none.
        source: LoadNetworkError,
    },
    /// The engine cannot run the rules.
    #[error(transparent)]
    Rules(#[from] LoadError),
    /// The engine knows nothing but whole playouts.
    #[error(
        "the batch engine plays whole playouts and cannot go from state to state; use --engine propnet, which runs the same network"
    )]
    WholePlayouts,
}

/// Makes rules a game by an engine. The budget is that of making a network.
///
/// # Errors
/// If the engine cannot run the rules; `auto` and the engines without a network run whatever passed the checks, except real-time rules
/// and what goes beyond their limits.
pub fn load(
    spec: &EngineSpec,
    name: &str,
    program: &Program,
    budget: Budget,
) -> Result<Loaded, EngineError> {
    let (wall, cpu) = (Instant::now(), ThreadTime::now());
    let mut loaded = make(spec, name, program, budget)?;
    loaded.report.load_ms = wall.elapsed().as_secs_f64() * 1000.0;
    loaded.report.load_cpu_ms += cpu.elapsed().as_secs_f64() * 1000.0;
    Ok(loaded)
}

fn make(
    spec: &EngineSpec,
    name: &str,
    program: &Program,
    budget: Budget,
) -> Result<Loaded, EngineError> {
    let machine = match spec.engine() {
        Engine::Auto => return auto::choose(spec, name, program, budget),
        Engine::Propnet => {
            let (game, making) = ground_only(spec, name, program, budget)?;
            let loaded = Loaded::of_network(spec, game, &making);
            return Ok(loaded.advised(name, program, budget));
        }
        Engine::Batch => {
            let (game, making) = ground_only(spec, name, program, budget)?;
            let report = EngineReport::of_network(spec, &game, &making);
            let machine = Machine::batch(game);
            return Ok(Loaded { machine, report });
        }
        Engine::Reference => Machine::other(Reference::new(name, program)?),
        Engine::Prover => Machine::other(Prover::with(name, program, spec.prover_options())?),
        Engine::Forward => Machine::other(Forward::with(name, program, spec.forward_options())?),
        Engine::Compiled => {
            let compiled = Compiled::with(name, program, spec.optimisations())?;
            Machine::compiled(compiled, spec.is_on("native"))
        }
        Engine::Incremental => {
            let options = spec.incremental_options();
            let game = Incremental::with(name, program, options);
            Machine::other(game.map_err(|source| no_network(spec, source))?)
        }
    };
    let report = EngineReport::new(spec);
    Ok(Loaded { machine, report })
}

/// A ground game, and what it cost to make.
type Grounded = Result<(GroundGame, Making), LoadNetworkError>;

/// Makes the network of a program, within the budget.
fn ground(spec: &EngineSpec, name: &str, program: &Program, budget: Budget) -> Grounded {
    ground_game_with(name, program, budget, |pass| spec.is_on(pass))
}

/// Makes the network of a program for those who want nothing else.
fn ground_only(
    spec: &EngineSpec,
    name: &str,
    program: &Program,
    budget: Budget,
) -> Result<(GroundGame, Making), EngineError> {
    ground(spec, name, program, budget).map_err(|source| no_network(spec, source))
}

/// Why an engine that needs ground rules cannot run a program.
fn no_network(spec: &EngineSpec, source: LoadNetworkError) -> EngineError {
    EngineError::NoNetwork {
        engine: spec.engine().name(),
        source,
    }
}

impl Loaded {
    /// A game whose rules became a network.
    fn of_network(spec: &EngineSpec, game: GroundGame, making: &Making) -> Self {
        let report = EngineReport::of_network(&spec.with_engine(Engine::Propnet), &game, making);
        let machine = Machine::Propnet(Playable::ground(game));
        Self { machine, report }
    }

    /// The same with advice about moves, which is made when somebody asks for it.
    fn advised(mut self, name: &str, program: &Program, budget: Budget) -> Self {
        if let Machine::Propnet(playable) = self.machine {
            let source = advice::source(name, program, budget, &playable.game);
            self.machine = Machine::Propnet(playable.with_advice(source));
        }
        self
    }

    /// A game on the reference engine, for those who have it already, with the reason why it is that one.
    pub fn of_reference(game: Reference, because: &str) -> Self {
        Self {
            machine: Machine::other(game),
            report: EngineReport::new(&Engine::Reference.into()).because(because),
        }
    }

    /// The game for those who go from state to state and need no speed.
    ///
    /// # Errors
    /// If the engine only knows whole playouts.
    pub fn game(&self) -> Result<AnyGame, EngineError> {
        self.machine.game()
    }

    /// Does something with the game, by code that is compiled for its engine.
    ///
    /// # Errors
    /// If the engine only knows whole playouts.
    pub fn run<W: OnGame>(&self, work: W) -> Result<W::Output, EngineError> {
        self.machine.run(work)
    }

    /// What is known about the game.
    pub fn facts(&self) -> &GameFacts {
        self.machine.facts()
    }
}
