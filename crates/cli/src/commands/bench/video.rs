//! How fast video games are copied and advanced, beside what was measured of another engine.

use std::io::Write;
use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use paidia_arena::rules::Ruleset;
use paidia_video::VideoGame;
use paidia_video::speed::{ROLLOUT, Rates};
use serde::Serialize;
use serde_json::Value;

use super::super::write_json;
use crate::terminal;

/// The recorded rates of the original.
const RECORDED: &str = "gvgai-speed.json";

/// Whether a folder has video games with recorded rates.
pub(super) fn is_one(folder: &Path) -> bool {
    folder.join(RECORDED).is_file() && !folder.join("gdl").is_dir()
}

#[derive(Serialize)]
struct Report {
    rows: Vec<Row>,
    /// Geometric means over the games.
    copies_times: f64,
    advances_times: f64,
    rollouts_times: f64,
    least_advances_times: f64,
}

/// A game; rates are by the CPU second.
#[derive(Serialize)]
struct Row {
    game: String,
    copies: f64,
    advances: f64,
    rollouts: f64,
    copies_times: f64,
    advances_times: f64,
    rollouts_times: f64,
}

/// Measures the games that have recorded rates, or those that are named.
pub(super) fn run(
    folder: &Path,
    only: &[String],
    seconds: f64,
    json: bool,
    out: &mut dyn Write,
) -> anyhow::Result<bool> {
    let path = folder.join(RECORDED);
    let text = std::fs::read_to_string(&path);
    let text = text.with_context(|| format!("cannot read {}", path.display()))?;
    let recorded: Value = serde_json::from_str(&text)?;
    let span = Duration::from_secs_f64(seconds / 3.0);
    let mut rows = Vec::new();
    for row in recorded["rows"].as_array().into_iter().flatten() {
        let name = row["game"].as_str().context("a game without a name")?;
        if !only.is_empty() && !only.iter().any(|wanted| wanted == name) {
            continue;
        }
        let rate = |key: &str| {
            row[key]
                .as_f64()
                .with_context(|| format!("{name} has no {key}"))
        };
        rows.push(measure(
            folder,
            name,
            (rate("copies_per_cpu_s")?, rate("advances_per_cpu_s")?),
            span,
        )?);
    }
    let mean = |times: fn(&Row) -> f64| {
        let sum: f64 = rows.iter().map(|row| times(row).ln()).sum();
        (sum / rows.len().max(1) as f64).exp()
    };
    let report = Report {
        copies_times: mean(|row| row.copies_times),
        advances_times: mean(|row| row.advances_times),
        rollouts_times: mean(|row| row.rollouts_times),
        least_advances_times: rows
            .iter()
            .map(|row| row.advances_times)
            .fold(f64::INFINITY, f64::min),
        rows,
    };
    if json {
        write_json(out, &report)?;
    } else {
        write(out, &report)?;
    }
    Ok(!report.rows.is_empty())
}

fn measure(folder: &Path, name: &str, recorded: (f64, f64), span: Duration) -> anyhow::Result<Row> {
    let path = folder.join("games").join(name).join(format!("{name}.txt"));
    let path = path.to_str().context("the path is not UTF-8")?;
    let rules = Ruleset::find(path)?;
    let Ruleset::Other(rules) = rules else {
        anyhow::bail!("{path} is no video game");
    };
    let game = rules.game().map_err(anyhow::Error::msg)?;
    let game = game
        .inside::<VideoGame>()
        .context("this is no video game")?;
    let own = Rates::measure(game.level(), span);
    let times = own.times(recorded.0, recorded.1);
    Ok(Row {
        game: name.to_owned(),
        copies: own.copies,
        advances: own.advances,
        rollouts: own.rollouts,
        copies_times: times.copies,
        advances_times: times.advances,
        rollouts_times: times.rollouts,
    })
}

fn write(out: &mut dyn Write, report: &Report) -> anyhow::Result<()> {
    let (strong, faint) = (terminal::STRONG, terminal::FAINT);
    writeln!(
        out,
        "{strong}{:16} {:>12} {:>7} {:>12} {:>7} {:>12} {:>7}{strong:#}",
        "a CPU second", "copies", "times", "advances", "times", "rollouts", "times"
    )?;
    for row in &report.rows {
        writeln!(
            out,
            "{:16} {:>12.0} {:>7.1} {:>12.0} {:>7.1} {:>12.0} {:>7.1}",
            row.game,
            row.copies,
            row.copies_times,
            row.advances,
            row.advances_times,
            row.rollouts,
            row.rollouts_times
        )?;
    }
    writeln!(
        out,
        "{strong}{:16} {:>12} {:>7.1} {:>12} {:>7.1} {:>12} {:>7.1}{strong:#}",
        "geometric mean",
        "",
        report.copies_times,
        "",
        report.advances_times,
        "",
        report.rollouts_times
    )?;
    writeln!(
        out,
        "{faint}times as fast as GVGAI was recorded to be; the least for advances is {:.1}; a rollout is a copy and {ROLLOUT} advances{faint:#}",
        report.least_advances_times
    )?;
    Ok(())
}
