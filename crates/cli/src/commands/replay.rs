//! `paidia replay`: recorded play, traces or records of matches, checked against an engine step by
//! step.

mod corpus;
mod hidden;
mod recorded;
mod video;

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::Args;
use paidia_arena::rules::Ruleset;
use paidia_arena::verify::{Mismatch, Subject, TraceReport, follow_trace};

use super::write_json;
use crate::engine::EngineChoice;
use crate::realtime::TimedCorpus;
use crate::records::{self, Checker};
use crate::{Verdict, terminal, text};
pub(super) use hidden::with_derive;

/// Checks recorded play against an engine
#[derive(Args)]
#[command(override_usage = "paidia replay [OPTIONS] GAME TRACE...
       paidia replay [OPTIONS] RECORD...
       paidia replay [OPTIONS] --corpus DIR")]
#[command(after_help = "Examples:
  paidia replay my-game.kif play.jsonl                one game, one or more traces, plain or gzip
  paidia replay match.json theirs.json                records of matches, as `paidia match --record` and GGP hosts write them
  paidia replay tournament-results                    all records in a folder
  paidia replay theirs.json --game my-game.kif        a record that does not tell the rules
  paidia replay --corpus DIR                          every DIR/traces/NAME.jsonl.gz with DIR/gdl/NAME.kif
  paidia replay --corpus DIR --only 'chess'           those with `chess` in their name
  paidia replay --corpus HIDDEN                       a folder with index.json, games, data, modelcheck: hidden information
  paidia replay --corpus TIMED                        a folder with games and data: scripts and histories in real time
  paidia replay --corpus VIDEO                        a folder with games and traces of video games: every recorded run
  paidia replay --corpus VIDEO --runs 2               two runs of each game
  paidia replay --corpus DIR --engine batch           each step in a lane of the batch engine, beside other steps

With --corpus, games that the engine cannot load within its budget are skipped and listed with the reason.

A trace has one JSON object a line. The first is {\"game\": NAME, \"roles\": [...]}; then comes one line a step with
`playout`, `step`, `state` (the facts that hold), and either `legal` (a list for each role) and `moves` (the joint move
made), or `terminal` and `goals`, or `legal` and `cut` where recording stopped.

A record is one JSON object (docs/tournaments.md); its states, moves, end and goals are checked, and moves that the host made for a
player are listed with the reason. The rules are those in the record, or else the bundled game that it names, or else those of --game.
A folder with index.json and data has truth about games with hidden information (docs/checks.md): counts, plays, beliefs,
values, information sets and formulas are compared item by item.
A folder with games/NAME/NAME.txt and traces/NAME.jsonl.gz has runs of video games, as docs/methods/vgdl.md describes: sprites,
score, winner, avatar, generator and observations are compared tick by tick.
Exit code 1 means that something is not as recorded.")]
pub(crate) struct Replay {
    /// A game, bundled or a rule file, and its traces; or records of matches: JSON files, or
    /// folders with some
    #[arg(
        required_unless_present = "corpus",
        conflicts_with = "corpus",
        value_name = "WHAT"
    )]
    what: Vec<String>,

    /// The game of records that do not tell it
    #[arg(long, value_name = "GAME", conflicts_with = "corpus")]
    game: Option<String>,

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

    /// With --corpus of video games: how many runs of each recording, spread over it; all if not
    /// given
    #[arg(long, value_name = "N", requires = "corpus")]
    runs: Option<usize>,

    /// Check at most N steps of each trace
    #[arg(long, value_name = "N", default_value_t = u64::MAX, hide_default_value = true)]
    max_steps: u64,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Replay {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<Verdict> {
        if let Some(folder) = &self.corpus {
            if video::is_one(folder) {
                let runs = video::Runs {
                    folder,
                    only: self.only.as_deref(),
                    threads: self.threads,
                    runs: self.runs,
                };
                return runs.run(out, self.json);
            }
            if hidden::is_one(folder) {
                let hidden = hidden::Hidden {
                    folder,
                    engine: &self.engine,
                    only: self.only.as_deref(),
                    threads: self.threads,
                };
                return hidden.run(out, self.json);
            }
            if let Some(timed) = TimedCorpus::find(folder, self.only.as_deref()) {
                return timed.run(out, &self.engine.engine, self.json);
            }
            let corpus = corpus::Corpus {
                folder,
                engine: &self.engine,
                only: self.only.as_deref(),
                threads: self.threads,
                max_steps: self.max_steps,
            };
            return corpus.run(out, self.json);
        }
        match self.what.split_first() {
            Some((first, _)) if recorded::are_records(first) => self.records(out),
            Some((game, traces)) => self.traces(game, traces, out),
            None => bail!("nothing is given to check"),
        }
    }

    fn traces(
        &self,
        game: &str,
        traces: &[String],
        out: &mut dyn Write,
    ) -> anyhow::Result<Verdict> {
        if traces.is_empty() {
            bail!("traces of `{game}` are missing; records of matches end in .json");
        }
        if self.game.is_some() {
            bail!("--game goes with records of matches; traces come after their game");
        }
        let rules = Ruleset::find(game)?;
        let loaded = self.engine.load(&rules)?;
        let mut report = TraceReport {
            game: rules.name().to_owned(),
            engine: loaded.report.engine.clone(),
            ..TraceReport::default()
        };
        let subject = Subject::new(loaded.machine)?;
        let mut is_incomplete = false;
        for path in traces {
            // The others are followed all the same.
            if let Err(error) = follow_trace(&subject, Path::new(path), self.max_steps, &mut report)
            {
                let bad = terminal::BAD;
                anstream::eprintln!("{bad}error{bad:#}: {error}");
                is_incomplete = true;
            }
        }
        if self.json {
            write_json(out, &report)?;
        } else {
            write_report(out, &report)?;
        }
        Ok(match is_incomplete {
            true => Verdict::Incomplete,
            // Following no step at all shows nothing.
            false => (report.mismatches == 0 && report.steps > 0).into(),
        })
    }

    fn records(&self, out: &mut dyn Write) -> anyhow::Result<Verdict> {
        if self.max_steps != u64::MAX {
            bail!("--max-steps goes with traces; records are checked whole");
        }
        let mut checker = Checker::new(&self.engine, self.game.as_deref());
        for path in recorded::files(&self.what)? {
            let name = path.display().to_string();
            let checked = records::read(&path).and_then(|record| checker.check(&name, &record));
            if let Err(error) = checked {
                checker.note_unread(&name, &error);
            }
        }
        checker.report(out, self.json)
    }
}

fn write_report(out: &mut dyn Write, report: &TraceReport) -> anyhow::Result<()> {
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
        write_mismatch(out, mismatch)?;
    }
    Ok(())
}

/// Where an engine first differs from a trace.
fn write_mismatch(out: &mut dyn Write, mismatch: &Mismatch) -> anyhow::Result<()> {
    let Mismatch {
        trace,
        playout,
        step,
        what,
        recorded,
        engine,
    } = mismatch;
    writeln!(out, "  {trace}, playout {playout}, step {step}: {what}")?;
    let recorded = text::wrapped(recorded, 110, 19);
    writeln!(out, "    only recorded: {recorded}")?;
    let engine = text::wrapped(engine, 110, 19);
    writeln!(out, "    only engine:   {engine}")?;
    Ok(())
}
