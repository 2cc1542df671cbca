//! Made-up games: whatever the rules say, all engines say the same.
//!
//! A seed gives a small valid game. The reference engine plays it, and the network with all passes
//! and with none must agree with it, one state at a time and in the lanes of batches on every
//! backend. An ordinary test run tries a few hundred games; for a longer one, say how many, and the
//! first seed if you like:
//!
//! ```text
//! PAIDIA_FUZZ_PROGRAMS=10000 PAIDIA_FUZZ_SEED=7 \
//!     cargo test --release -p paidia-accel --test fuzz_programs -- --nocapture
//! ```
//!
//! A sheet that fails is printed as it is and made as small as it goes. Put the small one into
//! `corpus/` together with the mending.

mod bodies;
mod compare;
mod record;
mod sheets;
mod shrink;
mod words;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

use compare::{Failure, Outcome, compare};
use paidia_testkit::settings::number;

/// How often a long run tells how far it is.
const BETWEEN_REPORTS: Duration = Duration::from_secs(10);

#[test]
fn all_engines_agree_on_made_up_games() {
    let programs: u64 = number("PAIDIA_FUZZ_PROGRAMS", 300);
    let first = number("PAIDIA_FUZZ_SEED", 1);
    let (mut states, mut over_budget) = (0, 0);
    let mut reported = Instant::now();
    for (done, seed) in (0..programs).zip(first..) {
        match examine(&sheets::sheet(seed), seed) {
            Outcome::Equal(compared) => states += compared,
            Outcome::OverBudget => over_budget += 1,
        }
        if reported.elapsed() > BETWEEN_REPORTS {
            reported = Instant::now();
            println!("{} of {programs} games", done + 1);
        }
    }
    println!("{programs} games, {states} different states; {over_budget} games were over budget");
    assert!(over_budget * 100 <= programs, "too many were over budget");
    assert!(states as u64 >= programs * 30, "the games are too dull");
}

#[test]
fn all_engines_agree_on_games_that_once_failed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz_programs/corpus");
    let files = std::fs::read_dir(folder).expect("the folder is there");
    let mut games = 0;
    for file in files {
        let path = file.expect("an entry").path();
        println!("{}", path.display());
        let text = std::fs::read_to_string(path).expect("text");
        assert!(matches!(examine(&text, 1), Outcome::Equal(_)));
        games += 1;
    }
    assert!(games > 0);
}

/// Compares the engines on a sheet, and fails with the sheet and a small one that fails as well.
fn examine(text: &str, seed: u64) -> Outcome {
    let failure = match attempt(text, seed) {
        Ok(outcome) => return outcome,
        Err(Failure::Invalid(errors)) => {
            panic!("seed {seed} gives a sheet with errors\n{errors}\n{text}")
        }
        Err(Failure::Differs(because)) => because,
    };
    eprintln!("seed {seed}\n{text}\n{failure}");
    let fails = |text: &str| matches!(attempt(text, seed), Err(Failure::Differs(_)));
    let small = shrink::shrink(text, fails);
    match attempt(&small, seed) {
        Err(Failure::Differs(because)) => panic!("seed {seed}, made small:\n{small}\n{because}"),
        other => panic!("seed {seed} fails at times only: {other:?}"),
    }
}

/// Compares the engines; a panic is a failure like any other.
fn attempt(text: &str, seed: u64) -> Result<Outcome, Failure> {
    let compared = catch_unwind(AssertUnwindSafe(|| compare(text, seed)));
    compared.unwrap_or_else(|_| Err(Failure::Differs("panicked".to_owned())))
}
