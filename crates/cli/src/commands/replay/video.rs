//! Recorded runs of video games, several games at once.

use std::io::Write;
use std::path::Path;

use anyhow::bail;
use paidia_video::recorded::{Recording, Totals, follow_file, recordings};
use serde::Serialize;

use super::super::write_json;
use crate::{Verdict, terminal, text, workers};

/// Whether a folder has recordings of video games.
pub(super) fn is_one(folder: &Path) -> bool {
    !folder.join("gdl").is_dir() && !recordings(folder).is_empty()
}

/// What to check.
pub(super) struct Runs<'a> {
    pub(super) folder: &'a Path,
    pub(super) only: Option<&'a str>,
    pub(super) threads: Option<usize>,
    /// How many runs of each file, at most.
    pub(super) runs: Option<usize>,
}

#[derive(Serialize)]
struct Report {
    corpus: String,
    games: usize,
    runs: usize,
    ticks: usize,
    observations: usize,
    mismatches: usize,
    errors: usize,
    results: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    game: String,
    runs: usize,
    ticks: usize,
    observations: usize,
    mismatches: Vec<Mismatch>,
    error: Option<String>,
}

#[derive(Serialize)]
struct Mismatch {
    run: String,
    what: String,
}

impl Runs<'_> {
    pub(super) fn run(&self, out: &mut dyn Write, json: bool) -> anyhow::Result<Verdict> {
        let mut all = recordings(self.folder);
        all.retain(|one| self.only.is_none_or(|only| one.name.contains(only)));
        if all.is_empty() {
            bail!("there is no such recording in {}", self.folder.display());
        }
        let results = workers::map(&all, self.threads, "recordings", |one| self.follow(one));
        let sum = |count: fn(&Row) -> usize| results.iter().map(count).sum();
        let report = Report {
            corpus: self.folder.display().to_string(),
            games: results.len(),
            runs: sum(|row| row.runs),
            ticks: sum(|row| row.ticks),
            observations: sum(|row| row.observations),
            mismatches: sum(|row| row.mismatches.len()),
            errors: sum(|row| usize::from(row.error.is_some())),
            results,
        };
        if json {
            write_json(out, &report)?;
        } else {
            write_table(out, &report)?;
        }
        // Following no tick at all shows nothing.
        Ok((report.mismatches == 0 && report.errors == 0 && report.ticks > 0).into())
    }

    fn follow(&self, recording: &Recording) -> Row {
        let mut totals = Totals::default();
        let runs = self.runs.unwrap_or(usize::MAX);
        let followed = follow_file(&recording.games, &recording.file, runs, &mut totals);
        let mismatches = totals.failures.into_iter().map(|failure| Mismatch {
            run: failure.run,
            what: failure.what,
        });
        Row {
            game: recording.name.clone(),
            runs: totals.runs,
            ticks: totals.ticks,
            observations: totals.observations,
            mismatches: mismatches.collect(),
            error: followed.err(),
        }
    }
}

fn write_table(out: &mut dyn Write, report: &Report) -> anyhow::Result<()> {
    let (strong, good, bad) = (terminal::STRONG, terminal::GOOD, terminal::BAD);
    let width = report.results.iter().map(|row| row.game.len()).max();
    let width = width.unwrap_or(0);
    for row in &report.results {
        let counts = format!(
            "{:>3} runs {:>7} ticks {:>5} observations",
            row.runs,
            text::grouped(row.ticks as u128),
            row.observations
        );
        match (&row.error, row.mismatches.first()) {
            (Some(error), _) => writeln!(out, "{:width$}  {bad}{error}{bad:#}", row.game)?,
            (None, Some(first)) => {
                let what = text::wrapped(std::slice::from_ref(&first.what), 110, 4);
                writeln!(
                    out,
                    "{:width$}  {counts}  {bad}{} of the runs differ{bad:#}\n    {}: {what}",
                    row.game,
                    row.mismatches.len(),
                    first.run
                )?;
            }
            (None, None) => writeln!(out, "{:width$}  {counts}", row.game)?,
        }
    }
    let style = match report.mismatches + report.errors {
        0 => good,
        _ => bad,
    };
    writeln!(
        out,
        "{strong}{}{strong:#} of {}: {} ticks and {} observations; {style}{} differ{style:#}",
        text::count(report.runs as u128, "run"),
        text::count(report.games as u128, "recording"),
        text::grouped(report.ticks as u128),
        text::grouped(report.observations as u128),
        report.mismatches
    )?;
    Ok(())
}
