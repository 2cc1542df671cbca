//! The engines by name: the one place where rules become a game.
//!
//! An engine is written `name(key=value, ...)`, as players are: [`EngineSpec`] reads that,
//! [`ENGINES`] lists what there is, and [`load`] makes the rules a [`Machine`], with an
//! [`EngineReport`] on which engine was taken, why, and at what cost. `auto` is the choice among
//! the others. Everything that plays goes through here, from the command line, the protocol and the
//! web page alike.

mod auto;
mod in_time;
mod kinds;
mod machine;
mod memory;
mod report;

use std::sync::Arc;
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use paidia_game::{AnyGame, GameFacts};
use paidia_gdl::grounding::Budget;
use paidia_reason::propnet::{GroundGame, LoadNetworkError, Making};
use paidia_reason::{Compiled, Forward, Incremental, LoadError, Prover, Reference};
use paidia_search::learner::Lessons;

use memory::KeptLessons;

use crate::advice;
use crate::playable::Playable;
use crate::rules::{GdlRules, Language, OtherRules, Ruleset};
pub use auto::measure;
pub use in_time::load_in_time;
pub use kinds::{BadEngine, ENGINES, Engine, EngineSettings, EngineSpec};
pub use machine::{Machine, OnGame};
pub use memory::CACHE_VARIABLE;
pub use report::{EngineNote, EngineReport, NetworkReport, OverBudgetReport, Rate, Stage, Uses};

/// What a game is loaded for, which decides what `auto` takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Purpose {
    /// Very many random playouts from one state: in batches, where there is a network.
    Playouts,
    /// Going from state to state, one at a time.
    Walking,
    /// Players, who do both: on a network where there is one, which makes their playouts in
    /// batches.
    #[default]
    Search,
}

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
    Ruleset(#[from] LoadError),
    /// The engine knows nothing but whole playouts.
    #[error(
        "the batch engine plays whole playouts and cannot go from state to state; use --engine propnet, which runs the same network"
    )]
    WholePlayouts,
    /// The engine knows nothing but whole random playouts.
    #[error(
        "the gpu engine plays whole random playouts and follows no moves; --engine batch follows them on the same network"
    )]
    RandomPlayouts,
    /// The engine runs GDL alone.
    #[error("the {engine} engine runs rules in GDL; `auto` plays {}", language.name())]
    OtherLanguage {
        /// The engine.
        engine: &'static str,
        /// The language of the rules.
        language: Language,
    },
    /// The engine plays in turns.
    #[error(
        "the {0} engine plays in turns; rules in real time run on `compiled`, which `auto` takes, and `reference`"
    )]
    InTurns(&'static str),
    /// The rules are in turns.
    #[error("the rules are in turns, and this is about rules in real time (rtGDL)")]
    NotInTime,
    /// The rules of another language cannot be played.
    #[error("{0}")]
    Unplayable(String),
}

/// Makes rules a game for players by an engine. The budget is that of making a network; the time
/// that is reported is that from the text to the game, checks included.
///
/// # Errors
/// If the engine cannot run the rules; `auto` and the engines without a network run whatever passed
/// the checks, except real-time rules and what goes beyond their limits.
pub fn load(spec: &EngineSpec, rules: &Ruleset, budget: Budget) -> Result<Loaded, EngineError> {
    load_for(spec, rules, budget, Purpose::Search)
}

/// Makes rules a game for a purpose by an engine, as [`load`] does.
///
/// # Errors
/// As [`load`].
pub fn load_for(
    spec: &EngineSpec,
    rules: &Ruleset,
    budget: Budget,
    purpose: Purpose,
) -> Result<Loaded, EngineError> {
    let (wall, cpu) = (Instant::now(), ThreadTime::now());
    let translated = match rules {
        Ruleset::Gdl(rules) => Some(rules),
        Ruleset::Other(rules) => rules.gdl(),
    };
    let mut loaded = match (translated, rules) {
        (Some(rules), _) => {
            let mut loaded = make(spec, rules, budget, purpose)?;
            loaded.report.load_ms += milliseconds(rules.check_time.wall);
            loaded.report.load_cpu_ms += milliseconds(rules.check_time.cpu);
            loaded
        }
        (None, Ruleset::Other(rules)) => other(spec, &**rules)?,
        (None, Ruleset::Gdl(rules)) => make(spec, rules, budget, purpose)?,
    };
    loaded.machine = loaded.machine.with_board(rules.board());
    loaded.report.load_ms += milliseconds(wall.elapsed());
    loaded.report.load_cpu_ms += milliseconds(cpu.elapsed());
    Ok(loaded)
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// Makes rules a game by the engine that is there at once: the reference engine, or the one that
/// their language has.
///
/// # Errors
/// If the rules cannot be played in turns.
pub fn at_once(rules: &Ruleset) -> Result<AnyGame, EngineError> {
    match rules {
        Ruleset::Gdl(rules) => {
            let game = Reference::new(rules.name(), &rules.program)?;
            Ok(AnyGame::new(game))
        }
        Ruleset::Other(rules) => rules.game().map_err(EngineError::Unplayable),
    }
}

/// The game of a language with an engine of its own.
fn other(spec: &EngineSpec, rules: &dyn OtherRules) -> Result<Loaded, EngineError> {
    if spec.engine() != Engine::Auto {
        return Err(EngineError::OtherLanguage {
            engine: spec.engine().name(),
            language: rules.text().language,
        });
    }
    Ok(Loaded {
        machine: rules.machine().map_err(EngineError::Unplayable)?,
        report: EngineReport::new(spec),
    })
}

fn make(
    spec: &EngineSpec,
    rules: &Arc<GdlRules>,
    budget: Budget,
    purpose: Purpose,
) -> Result<Loaded, EngineError> {
    let (name, program) = (rules.name(), &rules.program);
    let machine = match spec.engine() {
        Engine::Auto => return auto::choose(spec, rules, budget, purpose),
        Engine::Propnet => {
            let (game, making) = ground_only(spec, rules, budget)?;
            let loaded = Loaded::of_network(spec, game, &making);
            return Ok(loaded.advised(rules, budget));
        }
        Engine::Batch => {
            let (game, making) = ground_only(spec, rules, budget)?;
            return Ok(Loaded::of_batches(spec, game, &making));
        }
        Engine::Gpu => {
            let (game, making) = ground_only(spec, rules, budget)?;
            return Ok(Loaded::on_gpu(spec, game, &making));
        }
        Engine::Reference => Machine::other(Reference::new(name, program)?),
        Engine::Prover => Machine::other(Prover::with(name, program, spec.settings().prover)?),
        Engine::Forward => Machine::other(Forward::with(name, program, spec.settings().forward)?),
        Engine::Compiled => {
            let compiled = Compiled::with(name, program, spec.settings().compiled)?;
            Machine::compiled(compiled, !spec.settings().not_native)
        }
        Engine::Incremental => {
            rules.note_grounding();
            let game = Incremental::with(name, program, spec.settings().incremental);
            Machine::other(game.map_err(|source| no_network(spec, source))?)
        }
    };
    let mut report = EngineReport::new(spec);
    report.native = machine.native_in_words();
    Ok(Loaded { machine, report })
}

/// A ground game, and what it cost to make.
type Grounded = Result<(GroundGame, Making), LoadNetworkError>;

/// Makes the network of rules with the passes of an engine, within the budget.
fn ground(spec: &EngineSpec, rules: &GdlRules, budget: Budget) -> Grounded {
    let settings = spec.settings();
    Ok(rules
        .built(budget)?
        .simplified(|pass| settings.has_pass(pass)))
}

/// Makes the network of rules for an engine that cannot do without.
fn ground_only(
    spec: &EngineSpec,
    rules: &GdlRules,
    budget: Budget,
) -> Result<(GroundGame, Making), EngineError> {
    ground(spec, rules, budget).map_err(|source| no_network(spec, source))
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

    /// The same for whole playouts only.
    fn of_batches(spec: &EngineSpec, game: GroundGame, making: &Making) -> Self {
        let spec = spec.with_engine(Engine::Batch);
        let mut report = EngineReport::of_network(&spec, &game, making);
        let machine = Machine::batch(game);
        report.native = machine.native_in_words();
        Self { machine, report }
    }

    /// The same on a GPU.
    fn on_gpu(spec: &EngineSpec, game: GroundGame, making: &Making) -> Self {
        let mut report = EngineReport::of_network(spec, &game, making);
        let machine = Machine::on_gpu(game);
        report.native = machine.native_in_words();
        Self { machine, report }
    }

    /// The same with advice about moves, which is made when a player first asks for it, and with
    /// what players found out before.
    fn advised(mut self, rules: &Arc<GdlRules>, budget: Budget) -> Self {
        if let Machine::Propnet(playable) = self.machine {
            let source = advice::source(rules, budget, &playable.game);
            let lessons = Lessons::kept(Box::new(KeptLessons::of(rules)));
            let playable = playable.with_advice(source).with_lessons(lessons);
            self.machine = Machine::Propnet(playable);
        }
        self
    }

    /// A game from [`at_once`], with the reason why no other engine is taken.
    pub fn of_reference(game: AnyGame, because: &str) -> Self {
        Self {
            machine: Machine::Other(Playable::new(game)),
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
