//! What it costs to make networks of games: CPU time and memory of a fresh process for each, or why
//! it cannot be done.

use std::fmt::Write as _;
use std::io::Write;

use paidia_arena::engine::Engine;
use serde::Serialize;

use super::{Bench, run};
use crate::terminal::Progress;
use crate::text;

/// A game counts as loaded in good time within this many seconds of CPU time.
const SECONDS: f64 = 10.0;
/// And within this many mebibytes.
const MEBIBYTES: f64 = 2048.0;
/// How many of the slowest games are named.
const SLOWEST: usize = 10;

/// What loading games costs.
#[derive(Serialize)]
pub(super) struct Loads {
    games: usize,
    /// How many have become networks.
    loaded: usize,
    /// How many of these within 10 s and 2 GiB.
    in_good_time: usize,
    rows: Vec<Load>,
}

/// What loading one game costs.
#[derive(Serialize)]
struct Load {
    game: String,
    cpu_s: Option<f64>,
    /// The most memory that the process ever had.
    peak_mib: Option<f64>,
    gates: Option<u64>,
    operations: Option<u64>,
    /// Why the game has no network.
    error: Option<String>,
}

impl Load {
    fn new(game: &str, child: anyhow::Result<run::Child>) -> Self {
        match child.map(|child| run::Run::of(&[child])) {
            Ok(Some(run)) => Self {
                game: run.game,
                cpu_s: Some(run.load_cpu_ms / 1e3),
                peak_mib: run
                    .peak_memory
                    .map(|bytes| bytes as f64 / f64::from(1 << 20)),
                gates: run.gates,
                operations: run.operations,
                error: None,
            },
            Ok(None) => Self::failed(game, "nothing was run".to_owned()),
            Err(error) => Self::failed(game, text::error_in_words(&error)),
        }
    }

    fn failed(game: &str, error: String) -> Self {
        Self {
            game: run::name_of(game),
            cpu_s: None,
            peak_mib: None,
            gates: None,
            operations: None,
            error: Some(error),
        }
    }

    fn is_in_good_time(&self) -> bool {
        self.cpu_s.is_some_and(|seconds| seconds < SECONDS)
            && self.peak_mib.is_none_or(|mebibytes| mebibytes < MEBIBYTES)
    }
}

impl Loads {
    /// Loads each game once, in a process of its own.
    pub(super) fn measure(bench: &Bench, games: &[String]) -> anyhow::Result<Self> {
        let mut rows = Vec::with_capacity(games.len());
        let mut progress = Progress::new(Some(games.len() as u64), "games");
        let network = bench.network.applied_to(&Engine::Propnet.into());
        for game in games {
            rows.push(Load::new(game, bench.child(game, &network, 0.0, None)?));
            progress.set(rows.len() as u64);
        }
        Ok(Self {
            games: rows.len(),
            loaded: rows.iter().filter(|row| row.cpu_s.is_some()).count(),
            in_good_time: rows.iter().filter(|row| row.is_in_good_time()).count(),
            rows,
        })
    }

    /// Whether every game has become a network.
    pub(super) fn all_loaded(&self) -> bool {
        self.loaded == self.games
    }

    /// The list as comma-separated values.
    pub(super) fn csv(&self) -> String {
        let mut csv = String::from("game,cpu_s,peak_mib,gates,operations,error\n");
        for row in &self.rows {
            let seconds = row.cpu_s.map(|seconds| format!("{seconds:.3}"));
            let mebibytes = row.peak_mib.map(|mebibytes| format!("{mebibytes:.1}"));
            let gates = row.gates.map(|gates| gates.to_string());
            let operations = row.operations.map(|operations| operations.to_string());
            let error = row.error.as_ref().map(|error| quoted(error));
            let cells = [seconds, mebibytes, gates, operations, error];
            csv.push_str(&quoted(&row.game));
            for cell in cells {
                // Writing to a string cannot fail.
                let _ = write!(csv, ",{}", cell.unwrap_or_default());
            }
            csv.push('\n');
        }
        csv
    }

    /// How many were loaded, the slowest, and those that were not.
    pub(super) fn write_summary(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let share = 100.0 * self.in_good_time as f64 / self.games.max(1) as f64;
        writeln!(
            out,
            "{} of {} games have become networks, {} ({share:.1} %) within {SECONDS} s of CPU time and {MEBIBYTES} MiB",
            self.loaded, self.games, self.in_good_time
        )?;
        let mut loaded: Vec<&Load> = self.rows.iter().filter(|row| row.cpu_s.is_some()).collect();
        loaded.sort_by(|one, other| {
            other
                .cpu_s
                .unwrap_or(0.0)
                .total_cmp(&one.cpu_s.unwrap_or(0.0))
        });
        writeln!(out, "\nthe slowest:")?;
        for row in loaded.iter().take(SLOWEST) {
            let shown = |number: Option<f64>| number.map_or("-".to_owned(), text::rounded);
            let gates = row
                .gates
                .map_or("-".to_owned(), |gates| text::grouped(gates.into()));
            let (seconds, mebibytes) = (shown(row.cpu_s), shown(row.peak_mib));
            writeln!(
                out,
                "  {}: {seconds} s, {mebibytes} MiB, {gates} gates",
                row.game
            )?;
        }
        for row in &self.rows {
            if let Some(error) = &row.error {
                writeln!(out, "\n{}: {}", row.game, error.replace('\n', " "))?;
            }
        }
        Ok(())
    }
}

/// A cell of comma-separated values.
fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n']) {
        let cell = cell.replace('"', "\"\"").replace('\n', " ");
        return format!("\"{cell}\"");
    }
    cell.to_owned()
}
