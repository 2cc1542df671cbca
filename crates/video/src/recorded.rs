//! Recorded runs of the original framework, followed tick by tick: every sprite, score, winner, the
//! avatar, the generator's state, and what an agent saw.
//!
//! A folder has `games/NAME/NAME.txt` with levels `NAME_lvl0.txt` beside it, and recordings
//! `traces/NAME.jsonl.gz`: a JSON object a line, a run's header first, then a line a tick.

mod follow;
mod observe;

use std::path::{Path, PathBuf};

pub use follow::follow_file;

/// What was followed.
#[derive(Clone, Debug, Default)]
pub struct Totals {
    /// Runs that were followed to their end without a difference.
    pub runs: usize,
    /// Ticks that were played and compared.
    pub ticks: usize,
    /// Observations that were compared.
    pub observations: usize,
    /// Where runs differ first.
    pub failures: Vec<Failure>,
}

/// Where a run differs first from what was recorded.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The game, the level and the seed.
    pub run: String,
    /// What differs.
    pub what: String,
}

impl Totals {
    fn fail(&mut self, run: &str, what: String) {
        self.failures.push(Failure {
            run: run.to_owned(),
            what,
        });
    }

    /// Adds other totals.
    pub fn add(&mut self, other: Totals) {
        self.runs += other.runs;
        self.ticks += other.ticks;
        self.observations += other.observations;
        self.failures.extend(other.failures);
    }
}

/// A file of recorded runs, and where its game is.
#[derive(Clone, Debug)]
pub struct Recording {
    /// What it is called, with the part of the folder that it is in.
    pub name: String,
    /// The folder of games.
    pub games: PathBuf,
    /// The file.
    pub file: PathBuf,
}

/// Where folders of games and of recordings may lie in a corpus, with what they are called.
const PLACES: [(&str, &str, &str); 4] = [
    ("games", "traces", ""),
    ("games", "traces_long", "long/"),
    (
        "historical/2014-09/games",
        "historical/2014-09/traces",
        "2014-09/",
    ),
    (
        "historical/2015-03/games",
        "historical/2015-03/traces",
        "2015-03/",
    ),
];

/// All recordings of a corpus, in order; none if the folder is no such corpus.
pub fn recordings(corpus: &Path) -> Vec<Recording> {
    let mut all = Vec::new();
    for (games, traces, part) in PLACES {
        let Ok(files) = std::fs::read_dir(corpus.join(traces)) else {
            continue;
        };
        for file in files.flatten() {
            let file = file.path();
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            let Some(name) = name.strip_suffix(".jsonl.gz") else {
                continue;
            };
            let games = corpus.join(games);
            if games.join(name).join(format!("{name}.txt")).is_file() {
                all.push(Recording {
                    name: format!("{part}{name}"),
                    games,
                    file: file.clone(),
                });
            }
        }
    }
    all.sort_by(|one, other| one.name.cmp(&other.name));
    all
}
