//! Engines on games, for studies that compare them: ours, networks split over threads, crews of
//! threads, and SWI-Prolog from outside.

mod swi;

use paidia_arena::PlayerSpec;
use paidia_arena::engine::{BadEngine, EngineSpec, Machine};
use paidia_arena::options::{BadSpec, Catalogue, Configured, Entry, Setting, Spec, Whole, Words};
use paidia_arena::rules::Ruleset;
use paidia_arena::study::measurements::{self, Contender, Walking};
use paidia_gdl::prolog::StateForm;
use paidia_reason::propnet::engine::Layered;

use crate::engine::EngineChoice;

/// The engine that is written so, ready on a bundled game; `choice` says how networks are made.
///
/// Beside the engines that `--engine` takes there are, for studies alone, `swipl` and
/// `swipl(state=list)`, which is SWI-Prolog where it is installed; `layered(threads=2)`, a network
/// whose layers are split over threads; `by-hand`, Connect Four and breakthrough written for these
/// games alone; and players with leaf threads, such as `uct(leaf-threads=2,
/// management=signal)`, of which only the crew is taken, on the engine that `auto` chooses.
///
/// # Errors
/// Tells, in a line, why it cannot be: there is no such engine or game, or the engine cannot run
/// it.
pub(crate) fn contender(
    choice: &EngineChoice,
    game: &str,
    engine: &str,
) -> Result<Box<dyn Contender>, String> {
    let rules = Ruleset::find(game).map_err(|error| format!("{error:#}"))?;
    let load = |engine: &str| load(choice, &rules, engine);
    match engine.parse::<Spec<StudyEngine>>() {
        Ok(spec) => match *spec.settings() {
            StudyEngine::Swi(form) => return Ok(Box::new(swi::Swi::new(&rules, form)?)),
            StudyEngine::ByHand => return measurements::by_hand(game),
            StudyEngine::Layered { threads } => return layered(&load("batch")?, threads),
        },
        Err(BadSpec::UnknownName { .. }) => (),
        Err(bad) => return Err(bad.to_string()),
    }
    let player = engine.parse::<PlayerSpec>().ok();
    match player.and_then(|player| player.settings().crew()) {
        Some((crewing, playouts)) => Ok(measurements::crewed(&load("auto")?, crewing, playouts)),
        None => Ok(measurements::contender(&load(engine)?)),
    }
}

/// Engines that only studies have.
#[derive(Clone, Copy)]
enum StudyEngine {
    Swi(StateForm),
    Layered { threads: usize },
    ByHand,
}

impl Configured for StudyEngine {
    const CATALOGUE: Catalogue<Self> = Catalogue {
        noun: "engine",
        a_noun: "an engine",
        example: "`swipl(state=list)`",
        entries: &[
            Entry {
                name: "swipl",
                what: "SWI-Prolog, where it is installed",
                groups: &[&[STATE]],
                defaults: || StudyEngine::Swi(StateForm::Asserted),
            },
            Entry {
                name: "layered",
                what: "A network whose layers are split over threads",
                groups: &[&[THREADS]],
                defaults: || StudyEngine::Layered { threads: 1 },
            },
            Entry {
                name: "by-hand",
                what: "Connect Four and breakthrough, each written for the game alone",
                groups: &[],
                defaults: || StudyEngine::ByHand,
            },
        ],
    };
}

const STATE: Setting<StudyEngine> = Setting::new(
    "state",
    "where the facts of the state are found",
    &Words::<StudyEngine, StateForm> {
        words: &[("asserted", StateForm::Asserted), ("list", StateForm::List)],
        get: |engine| match engine {
            StudyEngine::Swi(form) => Some(*form),
            _ => None,
        },
        set: |engine, form| *engine = StudyEngine::Swi(form),
    },
);

const THREADS: Setting<StudyEngine> = Setting::new(
    "threads",
    "how many threads there are",
    &Whole::<StudyEngine> {
        range: (1, 64),
        get: |engine| match engine {
            StudyEngine::Layered { threads } => Some(*threads as u32),
            _ => None,
        },
        set: |engine, threads| {
            *engine = StudyEngine::Layered {
                threads: threads as usize,
            }
        },
    },
);

fn load(choice: &EngineChoice, rules: &Ruleset, engine: &str) -> Result<Machine, String> {
    let engine: EngineSpec = engine
        .parse()
        .map_err(|error: BadEngine| error.to_string())?;
    let choice = EngineChoice {
        engine,
        ..choice.clone()
    };
    let loaded = choice.load(rules).map_err(|error| format!("{error:#}"))?;
    Ok(loaded.machine)
}

/// A network whose layers are split over threads.
fn layered(machine: &Machine, threads: usize) -> Result<Box<dyn Contender>, String> {
    let Machine::Batch(game) = machine else {
        return Err("the rules have become no network".to_owned());
    };
    let layered = Layered::new(game.ground().clone(), threads);
    let layered = layered.map_err(|error| error.to_string())?;
    Ok(Box::new(Walking::new(layered)))
}
