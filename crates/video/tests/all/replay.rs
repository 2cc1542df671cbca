//! Recorded runs of the original framework are followed tick by tick: every sprite, score, winner,
//! avatar and the generator's state.
//!
//! Without more, a sample of the runs of each game is followed. `PAIDIA_VGDL_RUNS=all` follows all
//! of them, which wants a release build:
//!
//! ```text
//! PAIDIA_VGDL_RUNS=all cargo test --release -p paidia-video --test all -- --nocapture replay
//! ```
//!
//! The recordings lie at `../shared/vgdl` beside the workspace, or where `PAIDIA_VGDL` says.

mod follow;
mod observe;

use std::path::{Path, PathBuf};

use follow::{Totals, follow_file};

/// The folder with recordings, if there is one.
fn corpus() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/vgdl");
    let path = std::env::var_os("PAIDIA_VGDL").map_or(beside, PathBuf::from);
    if path.is_dir() {
        return Some(path);
    }
    let wanted = std::env::var("PAIDIA_REQUIRE").unwrap_or_default();
    assert!(
        !wanted
            .split(',')
            .any(|word| word == "all" || word == "vgdl"),
        "no recordings at {}: set PAIDIA_VGDL to their folder",
        path.display()
    );
    eprintln!(
        "SKIPPED: no recordings at {}; set PAIDIA_VGDL to their folder",
        path.display()
    );
    None
}

fn runs_of_each() -> usize {
    match std::env::var("PAIDIA_VGDL_RUNS").as_deref() {
        Ok("all") => usize::MAX,
        Ok(number) => number
            .parse()
            .expect("PAIDIA_VGDL_RUNS is a number or `all`"),
        Err(_) => 2,
    }
}

/// Follows the runs of all files of a folder, whose games lie in another.
fn follow_all(games: &Path, traces: &Path, runs: usize) -> Totals {
    let only = std::env::var("PAIDIA_VGDL_ONLY").ok();
    let mut files: Vec<PathBuf> = std::fs::read_dir(traces)
        .expect("the folder of recordings can be read")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.to_string_lossy().ends_with(".jsonl.gz"))
        .filter(|path| {
            only.as_ref()
                .is_none_or(|only| path.to_string_lossy().contains(only.as_str()))
        })
        .collect();
    files.sort();
    let mut totals = Totals::default();
    for file in files {
        follow_file(games, &file, runs, &mut totals);
    }
    println!(
        "{} runs, {} ticks, {} observations",
        totals.runs, totals.ticks, totals.observations
    );
    let shorten = |failure: &String| failure.chars().take(400).collect::<String>();
    let shown: Vec<String> = totals.failures.iter().take(40).map(shorten).collect();
    assert!(
        totals.failures.is_empty(),
        "{} failures: {shown:#?}",
        totals.failures.len()
    );
    totals
}

#[test]
fn recorded_runs_are_followed() {
    let Some(corpus) = corpus() else {
        return;
    };
    let runs = runs_of_each();
    let totals = follow_all(&corpus.join("games"), &corpus.join("traces"), runs);
    if std::env::var_os("PAIDIA_VGDL_ONLY").is_none() {
        assert!(totals.runs >= 88 * runs.min(20), "{totals:?}");
        assert!(totals.ticks >= 15_000, "{totals:?}");
        assert!(totals.observations >= 1_000, "{totals:?}");
    }
}

#[test]
fn long_runs_are_followed() {
    let Some(corpus) = corpus() else {
        return;
    };
    let totals = follow_all(
        &corpus.join("games"),
        &corpus.join("traces_long"),
        runs_of_each(),
    );
    if std::env::var_os("PAIDIA_VGDL_ONLY").is_none() {
        assert!(totals.runs >= 8 && totals.ticks >= 9_000, "{totals:?}");
    }
}

#[test]
fn runs_of_older_descriptions_are_followed() {
    let Some(corpus) = corpus() else {
        return;
    };
    let mut runs = 0;
    for version in ["2014-09", "2015-03"] {
        let folder = corpus.join("historical").join(version);
        let each = runs_of_each();
        runs += follow_all(&folder.join("games"), &folder.join("traces"), each).runs;
    }
    if std::env::var_os("PAIDIA_VGDL_ONLY").is_none() {
        assert!(runs >= 60, "{runs} runs");
    }
}
