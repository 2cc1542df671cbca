//! All traces of a folder, several games at once.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, bail};
use paidia_arena::rules::Ruleset;
use paidia_arena::verify::{Subject, TraceReport, follow_trace};
use serde::Serialize;

use super::super::write_json;
use super::write_mismatch;
use crate::engine::{EngineChoice, no_network};
use crate::{Verdict, terminal, text, workers};

/// What to check.
pub(super) struct Corpus<'a> {
    pub(super) folder: &'a Path,
    pub(super) engine: &'a EngineChoice,
    pub(super) only: Option<&'a str>,
    pub(super) threads: Option<usize>,
    pub(super) max_steps: u64,
}

/// A trace and the rules it belongs to.
struct Entry {
    name: String,
    rules: PathBuf,
    trace: PathBuf,
}

#[derive(Clone, Debug, Serialize)]
struct Row {
    #[serde(flatten)]
    report: TraceReport,
    seconds: f64,
    /// Why the engine cannot play the game.
    skipped: Option<String>,
    /// What went wrong.
    error: Option<String>,
}

#[derive(Serialize)]
struct CorpusReport {
    corpus: String,
    engine: String,
    games: usize,
    steps: u64,
    mismatches: u64,
    /// Games that the engine cannot play.
    skipped: usize,
    /// Games that could not be checked for another reason.
    errors: usize,
    results: Vec<Row>,
}

impl Corpus<'_> {
    pub(super) fn run(&self, out: &mut dyn Write, json: bool) -> anyhow::Result<Verdict> {
        let entries = self.entries()?;
        let results = workers::map(&entries, self.threads, "games", |entry| self.check(entry));
        let report = CorpusReport {
            corpus: self.folder.display().to_string(),
            engine: self.engine.engine.to_string(),
            games: results.len(),
            steps: results.iter().map(|row| row.report.steps).sum(),
            mismatches: results.iter().map(|row| row.report.mismatches).sum(),
            skipped: results.iter().filter(|row| row.skipped.is_some()).count(),
            errors: results.iter().filter(|row| row.error.is_some()).count(),
            results,
        };
        if json {
            write_json(out, &report)?;
        } else {
            write_table(out, &report)?;
        }
        Ok((report.mismatches == 0 && report.errors == 0).into())
    }

    fn entries(&self) -> anyhow::Result<Vec<Entry>> {
        let folder = self.folder.join("traces");
        let files = std::fs::read_dir(&folder)
            .with_context(|| format!("cannot read {}", folder.display()))?;
        let mut entries = Vec::new();
        for file in files {
            let trace = file?.path();
            let file_name = trace.file_name().unwrap_or_default().to_string_lossy();
            let name = file_name
                .strip_suffix(".gz")
                .unwrap_or(&file_name)
                .strip_suffix(".jsonl");
            let Some(name) = name.filter(|name| self.only.is_none_or(|only| name.contains(only)))
            else {
                continue;
            };
            let rules = self.folder.join("gdl").join(format!("{name}.kif"));
            entries.push(Entry {
                name: name.to_owned(),
                rules,
                trace: trace.clone(),
            });
        }
        if entries.is_empty() {
            bail!("there is no such trace in {}", folder.display());
        }
        entries.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(entries)
    }

    fn check(&self, entry: &Entry) -> Row {
        let started = Instant::now();
        let mut report = TraceReport {
            game: entry.name.clone(),
            engine: self.engine.engine.to_string(),
            ..TraceReport::default()
        };
        let (mut skipped, mut error) = (None, None);
        if let Err(failed) = self.check_entry(entry, &mut report) {
            match no_network(&failed) {
                Some(reason) => skipped = Some(reason.to_string()),
                None => error = Some(text::error_in_words(&failed)),
            }
        }
        Row {
            report,
            seconds: started.elapsed().as_secs_f64(),
            skipped,
            error,
        }
    }

    fn check_entry(&self, entry: &Entry, report: &mut TraceReport) -> anyhow::Result<()> {
        let rules = entry.rules.to_str().context("the path is not UTF-8")?;
        let loaded = self.engine.load(&Ruleset::find(rules)?)?;
        report.engine.clone_from(&loaded.report.engine);
        let subject = Subject::new(loaded.machine)?;
        Ok(follow_trace(
            &subject,
            &entry.trace,
            self.max_steps,
            report,
        )?)
    }
}

fn write_table(out: &mut dyn Write, report: &CorpusReport) -> anyhow::Result<()> {
    let width = report
        .results
        .iter()
        .map(|row| row.report.game.len())
        .max()
        .unwrap_or(0);
    writeln!(
        out,
        "{:width$}  {:>7}  {:>10}  {:>8}",
        "game", "steps", "mismatches", "seconds"
    )?;
    for row in &report.results {
        let TraceReport {
            game,
            steps,
            mismatches,
            first_mismatch,
            ..
        } = &row.report;
        let style = if *mismatches == 0 && row.error.is_none() {
            terminal::GOOD
        } else {
            terminal::BAD
        };
        writeln!(
            out,
            "{style}{game:width$}{style:#}  {steps:>7}  {mismatches:>10}  {:>8.2}",
            row.seconds
        )?;
        if let Some(mismatch) = first_mismatch {
            write_mismatch(out, mismatch)?;
        }
        if let Some(reason) = &row.skipped {
            writeln!(out, "  skipped: {reason}")?;
        }
        if let Some(error) = &row.error {
            writeln!(out, "  {error}")?;
        }
    }
    let style = if report.mismatches == 0 && report.errors == 0 {
        terminal::GOOD
    } else {
        terminal::BAD
    };
    writeln!(
        out,
        "{}, {}: {style}{} mismatches, {} that could not be checked{style:#}, {} skipped",
        text::count(report.games as u128, "game"),
        text::count(report.steps.into(), "step"),
        text::grouped(report.mismatches.into()),
        report.errors,
        report.skipped,
    )?;
    Ok(())
}
