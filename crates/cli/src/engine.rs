//! The engines by name: the one place where rules become a game.

mod auto;
mod batch;
mod report;

use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::ValueEnum;
use cpu_time::ThreadTime;
use paidia_arena::Playable;
use paidia_game::{AnyGame, Game, GameFacts};
use paidia_gdl::grounding::Budget;
use paidia_gdl::program::Program;
use paidia_reason::propnet::{
    GroundGame, LoadNetworkError, Making, PASSES, Propnet, ground_game_with,
};
use paidia_reason::{Compiled, Reference};

use crate::rules::GameText;
use crate::text;
pub(crate) use batch::BatchGame;
pub(crate) use report::{EngineReport, NetworkReport};

/// An engine that can be asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Engine {
    /// The network if the rules become one within a budget of time and memory, else the faster of compiled and reference
    #[default]
    Auto,
    /// Derives from the rules what holds, in every state anew; all others are compared with it
    Reference,
    /// Rules as code over flat arrays, run in every state anew; needs no network
    Compiled,
    /// A network of gates, made from the rules, in which only what changes is looked at
    Propnet,
    /// The same network for many random playouts at a time; for playouts only
    Batch,
}

impl Engine {
    /// The name on the command line and in reports.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Engine::Auto => "auto",
            Engine::Reference => "reference",
            Engine::Compiled => "compiled",
            Engine::Propnet => "propnet",
            Engine::Batch => "batch",
        }
    }
}

/// The options that every command with an engine has.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct EngineChoice {
    /// The engine that works out what the rules say
    #[arg(long, value_enum, default_value_t, value_name = "ENGINE")]
    pub(crate) engine: Engine,

    #[command(flatten)]
    pub(crate) network: NetworkOptions,
}

/// How networks are made.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct NetworkOptions {
    /// Make the network without this pass; may be repeated. `paidia info GAME --passes` lists them
    #[arg(long, value_name = "PASS", value_parser = pass_name)]
    pub(crate) without: Vec<String>,

    /// How many seconds it may take to make the rules a network
    #[arg(long, value_name = "S", default_value_t = 9.0, value_parser = seconds)]
    pub(crate) grounding_seconds: f64,
}

/// Reads a time in seconds that is neither negative nor absurd.
pub(crate) fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok();
    seconds
        .filter(|seconds| (0.0..=1e6).contains(seconds))
        .ok_or_else(|| "seconds are a number from 0 to 1000000".to_owned())
}

fn pass_name(written: &str) -> Result<String, String> {
    let names = || PASSES.iter().map(|pass| pass.name);
    if names().any(|name| name == written) {
        return Ok(written.to_owned());
    }
    let nearest = text::nearest(written, names());
    let hint = nearest.map_or(String::new(), |name| format!(", perhaps `{name}`?"));
    let names: Vec<&str> = names().collect();
    Err(format!("the passes are {}{hint}", names.join(", ")))
}

/// The rules as one of the engines has them.
pub(crate) enum Machine {
    Reference(Reference),
    Compiled(Compiled),
    Propnet(Playable<Propnet>),
    Batch(Box<BatchGame>),
}

/// A game that is ready to play.
pub(crate) struct Loaded {
    /// The game.
    pub(crate) machine: Machine,
    /// Which engine was taken, why, and what it cost.
    pub(crate) report: EngineReport,
}

impl Loaded {
    /// The game for those who go from state to state, unless its engine cannot.
    pub(crate) fn walking(self) -> Option<(AnyGame, EngineReport)> {
        let game = match self.machine {
            Machine::Reference(game) => AnyGame::new(game),
            Machine::Compiled(game) => AnyGame::new(game),
            Machine::Propnet(playable) => AnyGame::new(playable.game),
            Machine::Batch(_) => return None,
        };
        Some((game, self.report))
    }

    /// What is known about the game.
    pub(crate) fn facts(&self) -> &GameFacts {
        match &self.machine {
            Machine::Reference(game) => game.facts(),
            Machine::Compiled(game) => game.facts(),
            Machine::Propnet(playable) => playable.game.facts(),
            Machine::Batch(game) => &game.ground.facts,
        }
    }
}

/// The rules as the engine has them that all others are compared with.
pub(crate) fn reference(text: &GameText) -> anyhow::Result<Reference> {
    Ok(Reference::new(&text.name, &text.check()?.program)?)
}

/// A ground game, and what it cost to make.
type Grounded = Result<(GroundGame, Making), LoadNetworkError>;

impl EngineChoice {
    /// The same choice with another engine.
    pub(crate) fn with(&self, engine: Engine) -> Self {
        Self {
            engine,
            ..self.clone()
        }
    }

    /// Checks the rules and loads them.
    ///
    /// # Errors
    /// If the rules are faulty or the engine cannot run them; [`LoadNetworkError`] can be found in it where that is the reason.
    pub(crate) fn load(&self, text: &GameText) -> anyhow::Result<Loaded> {
        let (wall, cpu) = (Instant::now(), ThreadTime::now());
        let program = text.check()?.program;
        let (machine, mut report) = self.make(&text.name, program)?;
        report.load_ms = wall.elapsed().as_secs_f64() * 1000.0;
        report.load_cpu_ms += cpu.elapsed().as_secs_f64() * 1000.0;
        Ok(Loaded { machine, report })
    }

    /// Loads for a command that goes from state to state.
    ///
    /// # Errors
    /// As [`Self::load`], and if the engine only knows whole playouts.
    pub(crate) fn load_game(&self, text: &GameText) -> anyhow::Result<(AnyGame, EngineReport)> {
        let walking = (self.engine != Engine::Batch).then(|| self.load(text));
        let loaded = walking.transpose()?;
        let Some((game, report)) = loaded.and_then(Loaded::walking) else {
            bail!(
                "the batch engine plays whole playouts and cannot go from state to state; use --engine propnet, which runs \
                 the same network"
            );
        };
        Ok((game, report))
    }

    /// Loads as [`Self::load_game`] does, and measures the chosen engine beside the next best if `auto` has not done so.
    ///
    /// # Errors
    /// As [`Self::load_game`].
    pub(crate) fn load_game_measured(
        &self,
        text: &GameText,
    ) -> anyhow::Result<(AnyGame, EngineReport)> {
        let (game, mut report) = self.load_game(text)?;
        if self.engine == Engine::Auto && report.rates.is_empty() {
            let compiled = Compiled::new(&text.name, &text.check()?.program)?;
            let compiled = auto::rate(Engine::Compiled, &compiled);
            report.rates = vec![auto::rate(Engine::Propnet, &game), compiled];
        }
        Ok((game, report))
    }

    fn make(&self, name: &str, program: Program) -> anyhow::Result<(Machine, EngineReport)> {
        match self.engine {
            Engine::Reference => {
                let machine = Machine::Reference(Reference::new(name, &program)?);
                Ok((machine, EngineReport::new(Engine::Reference)))
            }
            Engine::Compiled => {
                let machine = Machine::Compiled(Compiled::new(name, &program)?);
                Ok((machine, EngineReport::new(Engine::Compiled)))
            }
            Engine::Propnet => {
                let (game, making) = self.ground_only(name, &program)?;
                let report = EngineReport::of_network(Engine::Propnet, &game, &making);
                Ok((Machine::Propnet(Playable::ground(game)), report))
            }
            Engine::Batch => {
                let (game, making) = self.ground_only(name, &program)?;
                let report = EngineReport::of_network(Engine::Batch, &game, &making);
                Ok((Machine::Batch(Box::new(BatchGame::new(game))), report))
            }
            Engine::Auto => self.choose(name, &program),
        }
    }

    /// Makes the network of a program for those who want nothing else.
    fn ground_only(&self, name: &str, program: &Program) -> anyhow::Result<(GroundGame, Making)> {
        let advice = || {
            let engine = self.engine.name();
            format!(
                "the rules have no network for the {engine} engine; `auto`, `compiled` and `reference` play without one"
            )
        };
        self.ground(name, program).with_context(advice)
    }

    /// Makes the network of a program, within the budget.
    fn ground(&self, name: &str, program: &Program) -> Grounded {
        let wanted = |pass: &str| !self.network.without.iter().any(|without| without == pass);
        ground_game_with(name, program, self.network.budget(), wanted)
    }
}

impl NetworkOptions {
    fn budget(&self) -> Budget {
        Budget {
            time: Duration::from_secs_f64(self.grounding_seconds),
            ..Budget::default()
        }
    }
}
