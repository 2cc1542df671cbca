//! Engines on games, for studies that compare them: ours, networks split over threads, crews of threads, and SWI-Prolog from outside.

mod swi;

use paidia_arena::engine::{BadEngine, EngineSpec, Machine};
use paidia_arena::rules::Ruleset;
use paidia_arena::study::comparison::{self, Contender, Walking};
use paidia_arena::{PlayerSpec, crew_of};
use paidia_gdl::prolog::StateForm;
use paidia_reason::propnet::engine::Layered;

use crate::engine::EngineChoice;

/// The engine that is written so, ready on a bundled game; `choice` says how networks are made.
///
/// Beside the engines that `--engine` takes there are, for studies alone, `swipl` and `swipl(state=list)`, which is SWI-Prolog where it is
/// installed; `layered(threads=2)`, a network whose layers are split over threads; and players with leaf threads, such as
/// `uct(leaf-threads=2, management=signal)`, of which only the crew is taken, on the engine that `auto` chooses.
///
/// # Errors
/// Tells, in a line, why it cannot be: there is no such engine or game, or the engine cannot run it.
pub(crate) fn contender(
    choice: &EngineChoice,
    game: &str,
    engine: &str,
) -> Result<Box<dyn Contender>, String> {
    let rules = Ruleset::find(game).map_err(|error| format!("{error:#}"))?;
    let load = |engine: &str| load(choice, &rules, engine);
    let spec: PlayerSpec = match engine.parse() {
        Ok(spec) => spec,
        Err(_) => return Ok(comparison::contender(&load(engine)?)),
    };
    match spec.name.as_str() {
        "swipl" => Ok(Box::new(swi::Swi::new(&rules, state_form(&spec)?)?)),
        "layered" => layered(&load("batch")?, threads(&spec)?),
        _ => match crew_of(&spec) {
            Ok(Some((crewing, playouts))) => {
                Ok(comparison::crewed(&load("auto")?, crewing, playouts))
            }
            _ => Ok(comparison::contender(&load(engine)?)),
        },
    }
}

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

fn state_form(spec: &PlayerSpec) -> Result<StateForm, String> {
    match spec.values.get("state").map(String::as_str) {
        None | Some("asserted") => Ok(StateForm::Asserted),
        Some("list") => Ok(StateForm::List),
        Some(other) => Err(format!(
            "SWI-Prolog's state is `asserted` or `list`, not `{other}`"
        )),
    }
}

fn threads(spec: &PlayerSpec) -> Result<usize, String> {
    let written = spec.values.get("threads").map_or("1", String::as_str);
    let threads = written.parse().ok();
    threads
        .filter(|threads| (1..=64).contains(threads))
        .ok_or_else(|| format!("`{written}` threads: a whole number from 1 to 64 is wanted"))
}

/// A network whose layers are split over threads.
fn layered(machine: &Machine, threads: usize) -> Result<Box<dyn Contender>, String> {
    let Machine::Batch(game) = machine else {
        return Err("the rules have become no network".to_owned());
    };
    let layered = Layered::new(game.ground.clone(), threads);
    let layered = layered.map_err(|error| error.to_string())?;
    Ok(Box::new(Walking::new(layered)))
}
