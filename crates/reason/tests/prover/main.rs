//! The prover: every variant agrees with the reference engine and with recorded play, and every
//! derivation ends.
//!
//! `PAIDIA_GAMES=a,b` tries those games only, `PAIDIA_FULL=1` everything; `PAIDIA_CORPUS` tells
//! where the public collection is.

mod agreement;
mod loops;
mod prolog;
mod replay;
mod traces;

use std::path::{Path, PathBuf};

use paidia_gdl::Source;
use paidia_gdl::check::check_source;
use paidia_gdl::program::Program;

/// The program of a rule sheet without errors.
fn program(name: &str, rules: &str) -> Program {
    let (reading, report) = check_source(&Source::new(name, rules), None);
    assert!(!report.has_errors(), "{name}: {:?}", report.problems);
    Program::new(&reading.sheet, report.dialect).unwrap()
}

/// Whether a game is to be tried.
fn is_wanted(name: &str) -> bool {
    let wanted = std::env::var("PAIDIA_GAMES").ok();
    wanted.is_none_or(|wanted| wanted.split(',').any(|other| other == name))
}

/// Whether everything is wanted that takes long.
fn full() -> bool {
    std::env::var_os("PAIDIA_FULL").is_some_and(|value| value == "1")
}

/// The folder of the public collection, if it is there.
fn corpus() -> Option<PathBuf> {
    let given = std::env::var_os("PAIDIA_CORPUS").map(PathBuf::from);
    let usual = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/games");
    let folder = given.unwrap_or_else(usual);
    let there = folder.join("gdl").is_dir();
    if !there {
        println!("skipped: no public collection in {}", folder.display());
    }
    there.then_some(folder)
}
