//! One suite, every engine: each keeps the contract on every bundled game, and on the public
//! collection if it is there.

use std::path::{Path, PathBuf};
use std::time::Duration;

use paidia_arena::engine::{self, EngineSpec};
use paidia_arena::rules::Ruleset;
use paidia_game::{AnyGame, ConformanceOptions, Rules, conformance, perft};
use paidia_gdl::grounding::Budget;

/// All engines that go from state to state, as they are written; the first three are tried on
/// everything.
const ENGINES: [&str; 7] = [
    "reference",
    "compiled",
    "propnet",
    "compiled(native=off)",
    "forward",
    "prover",
    "incremental",
];

/// Engines that need rules without variables, which some games have too many of.
const GROUND: [&str; 2] = ["propnet", "incremental"];

/// The rules as an engine has them, or the reason why it cannot play them.
fn load(engine: &str, rules: &Ruleset) -> Result<AnyGame, String> {
    let spec: EngineSpec = engine.parse().unwrap();
    let budget = Budget {
        time: Duration::from_secs(5),
        ..Budget::default()
    };
    let loaded = engine::load(&spec, rules, budget).map_err(|error| error.to_string())?;
    loaded.game().map_err(|error| error.to_string())
}

/// The kit takes each state apart in many ways, so a short match takes long; the public games are
/// many.
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

/// The folder of the public collection, if it is there.
fn corpus() -> Option<PathBuf> {
    let given = std::env::var_os("PAIDIA_CORPUS").map(PathBuf::from);
    let folder = given
        .unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/games"));
    folder.join("gdl").is_dir().then_some(folder)
}

/// The promises that an engine breaks on a game, each as a line of text.
fn failures(engine: &str, name: &str, rules: &str, options: ConformanceOptions) -> Vec<String> {
    match load(engine, &Ruleset::from_text(name, rules).unwrap()) {
        Ok(game) => {
            let failures = conformance(&game, options);
            let failures = failures.iter();
            failures
                .map(|failure| format!("{engine}, {name}: {failure}"))
                .collect()
        }
        Err(reason) => {
            println!("{engine}, {name}: skipped: {reason}");
            assert!(GROUND.contains(&engine), "{engine}, {name}: {reason}");
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
    let everything = std::env::var_os("PAIDIA_FULL").is_some_and(|value| value == "1");
    let mut failed = Vec::new();
    let files = std::fs::read_dir(folder.join("gdl")).unwrap();
    let mut paths: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    paths.sort();
    for (number, path) in paths.iter().enumerate() {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let rules = std::fs::read_to_string(path).unwrap();
        let (usual, others) = ENGINES.split_at(3);
        // The slower engines take a sample, unless there is time for everything.
        let others = others.iter().filter(|_| everything || number % 9 == 4);
        for engine in usual.iter().chain(others) {
            failed.extend(failures(engine, &name, &rules, PUBLIC));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// Leaves and terminals of the first depths, as many as ten thousand states allow.
fn counts(name: &str, rules: &str) -> Vec<(u128, u128)> {
    let game = load("reference", &Ruleset::from_text(name, rules).unwrap()).unwrap();
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
