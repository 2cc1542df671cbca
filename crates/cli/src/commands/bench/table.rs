//! The table for people.

use std::io::Write;

use paidia_arena::table::aligned;

use super::run::Run;
use super::{Report, Row};
use crate::{terminal, text};

/// Playouts that are this much longer or shorter than those of the reference table are not of the
/// same game.
const SAME_LENGTH: f64 = 0.05;

/// Writes a line for each game and engine, then the means.
pub(super) fn write_table(out: &mut dyn Write, report: &Report) -> anyhow::Result<()> {
    let compared = report.rows.iter().any(|row| row.ratios.is_some());
    let wide = report.rows.iter().any(|row| row.narrow.is_some());
    let mut lines = vec![head(compared, wide)];
    lines.extend(report.rows.iter().map(|row| cells(row, compared, wide)));
    for (place, line) in aligned(&lines, 2).iter().enumerate() {
        writeln!(out, "{line}")?;
        if let Some(row) = place.checked_sub(1).map(|row| &report.rows[row]) {
            write_remarks(out, row)?;
        }
    }
    write_means(out, report)?;
    writeln!(out, "native: {}", report.native)?;
    Ok(())
}

fn head(compared: bool, wide: bool) -> Vec<String> {
    let mut head = vec![
        "game",
        "engine",
        "gates",
        "operations",
        "load ms",
        "MiB",
        "playouts/s",
        "±",
        "states/s",
        "length",
    ];
    if compared {
        head.extend(["× prover", "× Sancho", "× RBG", "load ×"]);
    }
    if wide {
        head.extend(["AVX2/s", "AVX-512 ×"]);
    }
    head.into_iter().map(str::to_owned).collect()
}

fn cells(row: &Row, compared: bool, wide: bool) -> Vec<String> {
    let Some(run) = &row.run else {
        return vec![row.game.clone(), row.asked.to_owned()];
    };
    let whole =
        |number: Option<u64>| number.map_or("-".to_owned(), |number| text::grouped(number.into()));
    let mut cells = vec![
        row.game.clone(),
        engine(row, run),
        whole(run.gates),
        whole(run.operations),
        text::rounded(run.load_cpu_ms),
        run.peak_memory.map_or("-".to_owned(), |bytes| {
            text::rounded(bytes as f64 / f64::from(1 << 20))
        }),
        text::rounded(run.playouts_per_cpu_s),
        format!("{:.0} %", run.spread * 100.0),
        text::rounded(run.states_per_cpu_s),
        format!("{:.2}", run.mean_length),
    ];
    if compared {
        let ratio = |ratio: Option<f64>| ratio.map_or("-".to_owned(), text::rounded);
        let ratios = row.ratios.as_ref();
        let ratios = ratios.map_or([None; 4], |ratios| {
            [ratios.prover, ratios.sancho, ratios.rbg, ratios.load]
        });
        cells.extend(ratios.map(ratio));
    }
    if wide {
        let narrow = row
            .narrow
            .map_or(["-".to_owned(), "-".to_owned()], |narrow| {
                [
                    text::rounded(narrow.avx2_playouts_per_cpu_s),
                    format!("{:.2}", narrow.avx512_by_avx2),
                ]
            });
        cells.extend(narrow);
    }
    cells
}

fn engine(row: &Row, run: &Run) -> String {
    if run.engine == row.asked {
        return run.engine.clone();
    }
    format!("{}: {}", row.asked, run.engine)
}

/// What is odd about a row.
fn write_remarks(out: &mut dyn Write, row: &Row) -> anyhow::Result<()> {
    let faint = terminal::FAINT;
    if let Some(error) = &row.error {
        for line in error.lines() {
            writeln!(out, "  {faint}{line}{faint:#}")?;
        }
    }
    let native = row.run.as_ref().and_then(|run| run.engine_native.as_ref());
    if let Some(native) = native.filter(|native| *native != "on") {
        writeln!(out, "  {faint}native: {native}{faint:#}")?;
    }
    let length = row.ratios.as_ref().and_then(|ratios| ratios.length);
    if let Some(length) = length.filter(|length| (length - 1.0).abs() > SAME_LENGTH) {
        writeln!(
            out,
            "  {faint}playouts are {length:.2} times as long as those of the reference table{faint:#}"
        )?;
    }
    Ok(())
}

fn write_means(out: &mut dyn Write, report: &Report) -> anyhow::Result<()> {
    for summary in &report.summaries {
        let than = match summary.than {
            "prover" => "as fast as the prover",
            "sancho" => "as fast as Sancho",
            "rbg" => "as fast as compiled RBG",
            "avx2" => "as fast with AVX-512 as with AVX2",
            _ => "as quick to load as Sancho",
        };
        writeln!(
            out,
            "{}: {} times {than}, the geometric mean over {}; least {} ({})",
            summary.engine,
            text::rounded(summary.geometric_mean),
            text::count(summary.games as u128, "game"),
            text::rounded(summary.least),
            summary.least_game
        )?;
    }
    Ok(())
}
