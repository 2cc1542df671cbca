//! One engine on one game, measured in processes of their own.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, anyhow};
use paidia_accel::Backend;
use paidia_arena::engine::EngineSpec;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::Bench;

/// What `paidia simulate --json` says, as far as it matters here.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Child {
    game: String,
    engine: String,
    engine_because: Option<String>,
    engine_native: Option<String>,
    load_ms: f64,
    load_cpu_ms: f64,
    network: Option<Network>,
    playouts: u64,
    pub(super) playouts_per_cpu_s: Option<f64>,
    states_per_cpu_s: Option<f64>,
    mean_length: Option<f64>,
    peak_memory: Option<u64>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
struct Network {
    gates: u64,
    operations: u64,
}

/// Medians over some runs.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Run {
    /// What the game is called.
    #[serde(skip)]
    pub(super) game: String,
    /// The engine that played.
    pub(super) engine: String,
    /// Why, if `auto` chose it.
    pub(super) engine_because: Option<String>,
    /// Whether machine code plays, and if not, why, where the engine makes some.
    pub(super) engine_native: Option<String>,
    pub(super) gates: Option<u64>,
    pub(super) operations: Option<u64>,
    pub(super) load_ms: f64,
    pub(super) load_cpu_ms: f64,
    /// The most memory that a run ever had, in bytes.
    pub(super) peak_memory: Option<u64>,
    /// Playouts in all runs.
    pub(super) playouts: u64,
    pub(super) playouts_per_cpu_s: f64,
    pub(super) states_per_cpu_s: f64,
    /// Half of the way from the slowest to the fastest run, as a part of the median.
    pub(super) spread: f64,
    /// Over all runs.
    pub(super) mean_length: f64,
}

impl Bench {
    /// Runs an engine on a game once for some time, with a backend if one is named; the inner
    /// result is what that run says.
    pub(super) fn child(
        &self,
        game: &str,
        engine: &EngineSpec,
        seconds: f64,
        backend: Option<Backend>,
    ) -> anyhow::Result<anyhow::Result<Child>> {
        let mut command = self.command("simulate", game, engine, seconds)?;
        if let Some(backend) = backend {
            command.env("PAIDIA_BACKEND", backend.name());
        }
        command.args(["--threads", &self.threads.to_string()]);
        report_of(command)
    }

    /// This program once more, with another command on a game.
    pub(super) fn command(
        &self,
        name: &str,
        game: &str,
        engine: &EngineSpec,
        seconds: f64,
    ) -> anyhow::Result<Command> {
        let program = std::env::current_exe().context("cannot find this program's own file")?;
        let mut command = Command::new(program);
        command.args([name, game, "--json", "--engine", &engine.to_string()]);
        command.args(["--seconds", &seconds.to_string()]);
        command.args(["--seed", &self.seed.to_string()]);
        let budget = self.network.grounding_seconds.to_string();
        command.args(["--grounding-seconds", &budget]);
        Ok(command)
    }
}

/// Runs a command that prints a report as JSON; the inner result is what it says, or why it says
/// nothing.
pub(super) fn report_of<T: DeserializeOwned>(
    mut command: Command,
) -> anyhow::Result<anyhow::Result<T>> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .context("cannot start this program once more")?;
    if output.stdout.is_empty() {
        let said = String::from_utf8_lossy(&output.stderr);
        let said = said.trim().trim_start_matches("error:").trim();
        let ended = format!("it ended with {}", output.status);
        return Ok(Err(anyhow!(if said.is_empty() {
            ended
        } else {
            said.to_owned()
        })));
    }
    Ok(serde_json::from_slice(&output.stdout).context("the report of a run cannot be read"))
}

impl Run {
    /// The medians of some runs; nothing if there are none.
    pub(super) fn of(runs: &[Child]) -> Option<Self> {
        let first = runs.first()?.clone();
        let all = |value: fn(&Child) -> Option<f64>| -> Vec<f64> {
            let mut values: Vec<f64> = runs.iter().filter_map(value).collect();
            values.sort_by(f64::total_cmp);
            values
        };
        let rates = all(|run| run.playouts_per_cpu_s);
        let rate = median(&rates);
        let lengths: f64 = runs
            .iter()
            .filter_map(|run| Some(run.mean_length? * run.playouts as f64))
            .sum();
        let playouts: u64 = runs.iter().map(|run| run.playouts).sum();
        let spread = rates
            .last()
            .zip(rates.first())
            .map_or(0.0, |(most, least)| (most - least) / 2.0);
        Some(Self {
            game: first.game,
            engine: first.engine,
            engine_because: first.engine_because,
            engine_native: first.engine_native,
            gates: first.network.map(|network| network.gates),
            operations: first.network.map(|network| network.operations),
            load_ms: median(&all(|run| Some(run.load_ms))),
            load_cpu_ms: median(&all(|run| Some(run.load_cpu_ms))),
            peak_memory: runs.iter().filter_map(|run| run.peak_memory).max(),
            playouts,
            playouts_per_cpu_s: rate,
            states_per_cpu_s: median(&all(|run| run.states_per_cpu_s)),
            spread: if rate > 0.0 { spread / rate } else { 0.0 },
            mean_length: if playouts > 0 {
                lengths / playouts as f64
            } else {
                0.0
            },
        })
    }
}

/// The middle of sorted numbers; 0 of none.
fn median(sorted: &[f64]) -> f64 {
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => 0.0,
        length if length % 2 == 1 => sorted[middle],
        _ => (sorted[middle - 1] + sorted[middle]) / 2.0,
    }
}

/// What a game is called in tables: its name, or what its file is called.
pub(super) fn name_of(game: &str) -> String {
    let path = Path::new(game);
    let stem = path.file_stem().filter(|_| game.contains(['/', '\\', '.']));
    stem.map_or_else(
        || game.to_owned(),
        |stem| stem.to_string_lossy().into_owned(),
    )
}

#[cfg(test)]
mod tests {
    use super::{median, name_of};

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(median(&[]), 0.0);
        assert_eq!(median(&[3.0]), 3.0);
        assert_eq!(median(&[1.0, 2.0, 30.0]), 2.0);
        assert_eq!(median(&[1.0, 2.0, 4.0, 30.0]), 3.0);
    }

    #[test]
    fn games_are_called_by_their_files() {
        assert_eq!(name_of("connect-four"), "connect-four");
        assert_eq!(name_of("a/gdl/hex.kif"), "hex");
    }
}
