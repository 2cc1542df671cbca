//! `paidia replay`: recorded play checked against an engine, step by step.

mod checker;
mod corpus;
mod trace;

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use paidia_game::AnyGame;
use serde::Serialize;

use super::write_json;
use crate::engine::EngineChoice;
use crate::rules::GameText;
use crate::{Verdict, terminal, text};
use checker::{Checker, Mismatch};
use trace::Trace;

/// Checks recorded play against an engine
#[derive(Args)]
#[command(after_help = "Examples:
  paidia replay my-game.kif play.jsonl                one game, one or more traces, plain or gzip
  paidia replay --corpus DIR                          every DIR/traces/NAME.jsonl.gz with DIR/gdl/NAME.kif
  paidia replay --corpus DIR --only 'chess'           those with `chess` in their name

A trace has one JSON object a line. The first is {\"game\": NAME, \"roles\": [...]}; then comes one line a step with
`playout`, `step`, `state` (the facts that hold), and either `legal` (a list for each role) and `moves` (the joint move
made), or `terminal` and `goals`, or `legal` and `cut` where recording stopped.")]
pub(crate) struct Replay {
    /// A bundled game or a rule file
    #[arg(required_unless_present = "corpus", conflicts_with = "corpus")]
    game: Option<String>,

    /// Traces of that game
    #[arg(required_unless_present = "corpus", value_name = "TRACE")]
    traces: Vec<PathBuf>,

    #[command(flatten)]
    engine: EngineChoice,

    /// Check all traces of a folder with `gdl` and `traces` in it
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,

    /// With --corpus: only games with this in their name
    #[arg(long, value_name = "TEXT", requires = "corpus")]
    only: Option<String>,

    /// With --corpus: how many games to check at once; all processors if not given
    #[arg(long, value_name = "N", requires = "corpus")]
    threads: Option<usize>,

    /// Check at most so many steps of each trace
    #[arg(long, value_name = "N", default_value_t = u64::MAX, hide_default_value = true)]
    max_steps: u64,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What came out for one game.
#[derive(Clone, Debug, Default, Serialize)]
struct Report {
    game: String,
    engine: &'static str,
    traces: usize,
    playouts: u64,
    steps: u64,
    mismatches: u64,
    first_mismatch: Option<Mismatch>,
}

impl Replay {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<Verdict> {
        let engine = self.engine.engine;
        if let Some(folder) = &self.corpus {
            let corpus = corpus::Corpus {
                folder,
                engine,
                only: self.only.as_deref(),
                threads: self.threads,
                max_steps: self.max_steps,
            };
            return corpus.run(out, self.json);
        }
        let text = GameText::find(self.game.as_deref().unwrap_or_default())?;
        let loaded = engine.load(&text)?;
        let mut report = Report {
            game: text.name,
            engine: engine.name(),
            ..Report::default()
        };
        for path in &self.traces {
            replay(&loaded.game, path, self.max_steps, &mut report)?;
        }
        if self.json {
            write_json(out, &report)?;
        } else {
            write_report(out, &report)?;
        }
        Ok((report.mismatches == 0).into())
    }
}

/// Checks one trace and adds what was found to the report.
fn replay(game: &AnyGame, path: &Path, max_steps: u64, report: &mut Report) -> anyhow::Result<()> {
    let name = path.display().to_string();
    let mut trace = Trace::open(path).with_context(|| format!("in {name}"))?;
    let mut checker =
        Checker::new(game, &trace.header.roles).with_context(|| format!("in {name}"))?;
    report.traces += 1;
    let mut checked = 0;
    while checked < max_steps {
        let Some(step) = trace.next_step().with_context(|| format!("in {name}"))? else {
            break;
        };
        let mismatches = checker
            .check(&step)
            .with_context(|| format!("in {name}, line {}", trace.line()))?;
        checked += 1;
        report.steps += 1;
        report.playouts += u64::from(step.step == 0);
        report.mismatches += mismatches.len() as u64;
        if report.first_mismatch.is_none() {
            let first = mismatches.into_iter().next();
            report.first_mismatch = first.map(|mismatch| Mismatch {
                trace: name.clone(),
                ..mismatch
            });
        }
    }
    Ok(())
}

fn write_report(out: &mut dyn Write, report: &Report) -> anyhow::Result<()> {
    let (strong, faint) = (terminal::STRONG, terminal::FAINT);
    let style = if report.mismatches == 0 {
        terminal::GOOD
    } else {
        terminal::BAD
    };
    let steps = text::count(report.steps.into(), "step");
    let playouts = text::count(report.playouts.into(), "playout");
    let mismatches = match report.mismatches {
        0 => "all as recorded".to_owned(),
        1 => "1 mismatch".to_owned(),
        number => format!("{} mismatches", text::grouped(number.into())),
    };
    writeln!(
        out,
        "{strong}{}{strong:#} {faint}with the {} engine{faint:#}: {steps} of {playouts}, {style}{mismatches}{style:#}",
        report.game, report.engine
    )?;
    if let Some(mismatch) = &report.first_mismatch {
        write!(out, "{mismatch}")?;
    }
    Ok(())
}
