//! The engines against what the world knows: counts, lengths of games, and the public collection of
//! rule sheets.
//!
//! `PAIDIA_FULL=1` runs everything to its full depth, which takes minutes; `PAIDIA_CORPUS` tells
//! where the public collection is.

mod endless;
mod flat;
mod known;
mod play;
mod public;
mod scrambled;

use std::path::{Path, PathBuf};

use paidia_game::{AnyGame, Perft, Rules, perft};
use paidia_gdl::Source;
use paidia_gdl::check::check_source;
use paidia_gdl::grounding::Budget;
use paidia_gdl::program::Program;
use paidia_reason::propnet::{Propnet, ground_game};
use paidia_reason::{Compiled, Forward, Reference};

/// An engine as a function from rules to a game.
type Engine = fn(&str, &Program) -> AnyGame;

/// All engines with their names.
const ENGINES: [(&str, Engine); 4] = [
    ("reference", reference),
    ("forward", forward),
    ("compiled", compiled),
    ("propnet", propnet),
];

fn reference(name: &str, program: &Program) -> AnyGame {
    AnyGame::new(Reference::new(name, program).unwrap())
}

fn forward(name: &str, program: &Program) -> AnyGame {
    AnyGame::new(Forward::new(name, program).unwrap())
}

fn compiled(name: &str, program: &Program) -> AnyGame {
    AnyGame::new(Compiled::new(name, program).unwrap())
}

fn propnet(name: &str, program: &Program) -> AnyGame {
    AnyGame::new(Propnet::new(
        ground_game(name, program, Budget::default()).unwrap(),
    ))
}

/// The program of a rule sheet without errors.
fn program(name: &str, rules: &str) -> Program {
    let (reading, report) = check_source(&Source::new(name, rules), None);
    assert!(!report.has_errors(), "{name}: {:?}", report.problems);
    Program::new(&reading.sheet, report.dialect).unwrap()
}

/// The program of a bundled game.
fn bundled(name: &str) -> Program {
    program(name, paidia_library::find(name).unwrap().rules)
}

/// The counts of a game from its start.
fn count(game: &AnyGame, depth: u32, state_limit: usize) -> Perft {
    perft(game, &game.initial(), depth, state_limit)
}

/// Whether everything is wanted that takes long.
fn full() -> bool {
    std::env::var_os("PAIDIA_FULL").is_some_and(|value| value == "1")
}

/// The rule sheets of the public collection, if it is there.
fn corpus() -> Option<PathBuf> {
    let given = std::env::var_os("PAIDIA_CORPUS").map(PathBuf::from);
    let usual = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/games");
    let folder = given.unwrap_or_else(usual).join("gdl");
    let there = folder.is_dir();
    if !there {
        println!("skipped: no public collection in {}", folder.display());
    }
    there.then_some(folder)
}
