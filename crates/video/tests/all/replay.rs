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

use std::path::{Path, PathBuf};

use paidia_video::recorded::{Totals, follow_file, recordings};

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

/// Follows runs of the recordings whose names begin with one of some words, or with none of them.
fn follow(corpus: &Path, wanted: impl Fn(&str) -> bool, runs: usize) -> Totals {
    let only = std::env::var("PAIDIA_VGDL_ONLY").unwrap_or_default();
    let mut totals = Totals::default();
    for recording in recordings(corpus) {
        if wanted(&recording.name) && recording.name.contains(&only) {
            let followed = follow_file(&recording.games, &recording.file, runs, &mut totals);
            followed.unwrap_or_else(|error| panic!("{}: {error}", recording.name));
        }
    }
    println!(
        "{} runs, {} ticks, {} observations",
        totals.runs, totals.ticks, totals.observations
    );
    let shorten = |text: &String| text.chars().take(400).collect::<String>();
    let shown = totals.failures.iter().take(40);
    let shown: Vec<_> = shown
        .map(|failure| (&failure.run, shorten(&failure.what)))
        .collect();
    assert!(
        totals.failures.is_empty(),
        "{} failures: {shown:#?}",
        totals.failures.len()
    );
    totals
}

fn is_whole() -> bool {
    std::env::var_os("PAIDIA_VGDL_ONLY").is_none()
}

#[test]
fn recorded_runs_are_followed() {
    let Some(corpus) = corpus() else {
        return;
    };
    let runs = runs_of_each();
    let totals = follow(&corpus, |name| !name.contains('/'), runs);
    if is_whole() {
        assert!(totals.runs >= 88 * runs.min(2), "{totals:?}");
        assert!(totals.ticks >= 15_000, "{totals:?}");
        assert!(totals.observations >= 1_000, "{totals:?}");
    }
}

#[test]
fn long_runs_are_followed() {
    let Some(corpus) = corpus() else {
        return;
    };
    let totals = follow(&corpus, |name| name.starts_with("long/"), runs_of_each());
    if is_whole() {
        assert!(totals.runs >= 8 && totals.ticks >= 9_000, "{totals:?}");
    }
}

#[test]
fn runs_of_older_descriptions_are_followed() {
    let Some(corpus) = corpus() else {
        return;
    };
    let totals = follow(&corpus, |name| name.starts_with("20"), runs_of_each());
    if is_whole() {
        assert!(totals.runs >= 60, "{} runs", totals.runs);
    }
}
