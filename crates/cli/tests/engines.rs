//! One suite, every engine: each keeps the contract on every bundled game, and on the public collection if it
//! is there.

use std::path::{Path, PathBuf};
use std::time::Duration;

use paidia_game::{AnyGame, ConformanceOptions, Game, conformance, perft};
use paidia_gdl::Source;
use paidia_gdl::check::check_source;
use paidia_gdl::grounding::Budget;
use paidia_gdl::program::Program;
use paidia_reason::propnet::{Propnet, ground_game};
use paidia_reason::{Compiled, Forward, Prover, Reference};

/// An engine as a function from rules to a game, or the reason why it cannot play them.
type Engine = fn(&str, &Program) -> Result<AnyGame, String>;

const ENGINES: [(&str, Engine); 5] = [
    ("reference", reference),
    ("compiled", compiled),
    ("forward", forward),
    ("prover", prover),
    ("propnet", propnet),
];

fn reference(name: &str, program: &Program) -> Result<AnyGame, String> {
    let game = Reference::new(name, program).map_err(|error| error.to_string())?;
    Ok(AnyGame::new(game))
}

fn compiled(name: &str, program: &Program) -> Result<AnyGame, String> {
    let game = Compiled::new(name, program).map_err(|error| error.to_string())?;
    Ok(AnyGame::new(game))
}

fn forward(name: &str, program: &Program) -> Result<AnyGame, String> {
    let game = Forward::new(name, program).map_err(|error| error.to_string())?;
    Ok(AnyGame::new(game))
}

fn prover(name: &str, program: &Program) -> Result<AnyGame, String> {
    let game = Prover::new(name, program).map_err(|error| error.to_string())?;
    Ok(AnyGame::new(game))
}

fn propnet(name: &str, program: &Program) -> Result<AnyGame, String> {
    let budget = Budget {
        time: Duration::from_secs(5),
        ..Budget::default()
    };
    let game = ground_game(name, program, budget).map_err(|error| error.to_string())?;
    Ok(AnyGame::new(Propnet::new(game)))
}

/// The kit takes each state apart in many ways, so a short match takes long; the public games are many.
const BUNDLED: ConformanceOptions = ConformanceOptions {
    playouts: 1,
    step_limit: 40,
    seed: 1,
};
const PUBLIC: ConformanceOptions = ConformanceOptions {
    playouts: 1,
    step_limit: 8,
    seed: 1,
};

fn program(name: &str, rules: &str) -> Program {
    let (reading, report) = check_source(&Source::new(name, rules), None);
    assert!(!report.has_errors(), "{name}: {:?}", report.problems);
    Program::new(&reading.sheet, report.dialect).unwrap()
}

/// The folder of the public collection, if it is there.
fn corpus() -> Option<PathBuf> {
    let given = std::env::var_os("PAIDIA_CORPUS").map(PathBuf::from);
    let folder = given
        .unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/games"));
    folder.join("gdl").is_dir().then_some(folder)
}

/// The promises that an engine breaks on a game, each as a line of text.
fn failures(
    engine: (&str, Engine),
    name: &str,
    rules: &str,
    options: ConformanceOptions,
) -> Vec<String> {
    match (engine.1)(name, &program(name, rules)) {
        Ok(game) => {
            let failures = conformance(&game, options);
            let failures = failures.iter();
            failures
                .map(|failure| format!("{}, {name}: {failure}", engine.0))
                .collect()
        }
        Err(reason) => {
            println!("{}, {name}: skipped: {reason}", engine.0);
            assert!(engine.0 == "propnet", "{name}: {reason}");
            Vec::new()
        }
    }
}

#[test]
fn every_engine_keeps_the_contract_on_every_bundled_game() {
    for engine in ENGINES {
        let games = paidia_library::all().iter();
        let failures: Vec<String> = games
            .flat_map(|game| failures(engine, game.name, game.rules, BUNDLED))
            .collect();
        assert!(failures.is_empty(), "{}", failures.join("\n"));
    }
}

#[test]
fn every_engine_keeps_the_contract_on_the_public_collection() {
    let Some(folder) = corpus() else {
        println!("skipped: the public collection is not there");
        return;
    };
    let mut failed = Vec::new();
    let files = std::fs::read_dir(folder.join("gdl")).unwrap();
    for path in files.map(|file| file.unwrap().path()) {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let rules = std::fs::read_to_string(&path).unwrap();
        ENGINES
            .iter()
            .for_each(|&engine| failed.extend(failures(engine, &name, &rules, PUBLIC)));
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// Leaves and terminals of the first depths, as many as ten thousand states allow.
fn counts(name: &str, rules: &str) -> Vec<(u128, u128)> {
    let game = reference(name, &program(name, rules)).unwrap();
    let found = perft(&game, &game.initial(), 5, 10_000);
    found
        .depths
        .iter()
        .map(|depth| (depth.leaves, depth.terminals))
        .collect()
}

#[test]
fn bundled_games_count_like_the_public_sheets_of_the_same_game() {
    let Some(folder) = corpus() else {
        println!("skipped: the public collection is not there");
        return;
    };
    let (mut wrong, mut compared) = (Vec::new(), 0);
    for game in paidia_library::all() {
        let public = game.facts().unwrap().public;
        let Some(public) = public.filter(|public| public.differs.is_none()) else {
            continue;
        };
        let path = folder.join("gdl").join(format!("{}.kif", public.name));
        let rules = std::fs::read_to_string(path).unwrap();
        let (ours, theirs) = (counts(game.name, game.rules), counts(&public.name, &rules));
        // Either may have more states for the same play, and so stop at a lower depth.
        let depths = ours.len().min(theirs.len());
        compared += usize::from(depths > 2);
        if ours[..depths] != theirs[..depths] {
            wrong.push(format!(
                "{}: {ours:?}, {}: {theirs:?}",
                game.name, public.name
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(
        compared >= 25,
        "only {compared} games were compared beyond their first move"
    );
}
