//! `paidia replay`: recorded play, traces or records of matches, checked against an engine step by step.

mod checker;
mod corpus;
mod judge;
mod lanes;
mod recorded;
mod trace;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use clap::Args;
use paidia_accel::LANES;
use paidia_arena::engine::{BatchGame, EngineError, Loaded, Machine};
use paidia_arena::rules::Ruleset;
use paidia_game::AnyGame;
use serde::Serialize;

use super::write_json;
use crate::engine::EngineChoice;
use crate::records::{self, Checker};
use crate::{Verdict, terminal, text};
use judge::Mismatch;
use lanes::LaneChecker;
use trace::{Step, Trace};

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
  paidia replay --corpus DIR --engine batch           each step in a lane of the batch engine, beside other steps

With --corpus, games that the engine cannot load within its budget are skipped and listed with the reason.

A trace has one JSON object a line. The first is {\"game\": NAME, \"roles\": [...]}; then comes one line a step with
`playout`, `step`, `state` (the facts that hold), and either `legal` (a list for each role) and `moves` (the joint move
made), or `terminal` and `goals`, or `legal` and `cut` where recording stopped.

A record is one JSON object (docs/tournaments.md); its states, moves, end and goals are checked, and moves that the host made for a
player are listed with the reason. The rules are those in the record, or else the bundled game that it names, or else those of --game.
Exit code 1 means that something is not as recorded.")]
pub(crate) struct Replay {
    /// A game, bundled or a rule file, and its traces; or records of matches: JSON files, or folders with some
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
    engine: String,
    traces: usize,
    playouts: u64,
    steps: u64,
    mismatches: u64,
    first_mismatch: Option<Mismatch>,
}

impl Replay {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<Verdict> {
        if let Some(folder) = &self.corpus {
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
        let mut report = Report {
            game: rules.name().to_owned(),
            engine: loaded.report.engine.clone(),
            ..Report::default()
        };
        let subject = Subject::new(loaded)?;
        for path in traces {
            replay(&subject, Path::new(path), self.max_steps, &mut report)?;
        }
        if self.json {
            write_json(out, &report)?;
        } else {
            write_report(out, &report)?;
        }
        Ok((report.mismatches == 0).into())
    }

    fn records(&self, out: &mut dyn Write) -> anyhow::Result<Verdict> {
        if self.max_steps != u64::MAX {
            bail!("--max-steps goes with traces; records are checked whole");
        }
        let mut checker = Checker::new(&self.engine, self.game.as_deref());
        for path in recorded::files(&self.what)? {
            checker.check(&path.display().to_string(), &records::read(&path)?)?;
        }
        checker.report(out, self.json)
    }
}

/// A game to check.
enum Subject {
    Walking(AnyGame),
    Batch(Arc<BatchGame>),
}

impl Subject {
    fn new(loaded: Loaded) -> Result<Self, EngineError> {
        match loaded.machine {
            Machine::Batch(game) => Ok(Subject::Batch(game)),
            machine => Ok(Subject::Walking(machine.game()?)),
        }
    }

    /// Whatever follows a trace with these roles.
    fn follow(&self, roles: &[String]) -> anyhow::Result<Follower<'_>> {
        Ok(match self {
            Subject::Walking(game) => Follower::Walker(checker::Checker::new(game, roles)?),
            Subject::Batch(game) => Follower::Lanes(Box::new(LaneChecker::new(game, roles)?)),
        })
    }
}

enum Follower<'a> {
    Walker(checker::Checker<'a>),
    Lanes(Box<LaneChecker<'a>>),
}

impl Follower<'_> {
    /// Checks the next steps of the trace, at most [`LANES`] of them.
    fn check(&mut self, steps: &[Step]) -> anyhow::Result<Vec<Mismatch>> {
        match self {
            Follower::Walker(checker) => {
                let mut found = Vec::new();
                for step in steps {
                    let checked = checker.check(step);
                    found.extend(checked.with_context(|| format!("line {}", step.line))?);
                }
                Ok(found)
            }
            Follower::Lanes(checker) => checker.check(steps),
        }
    }
}

/// Checks one trace and adds what was found to the report.
fn replay(
    subject: &Subject,
    path: &Path,
    max_steps: u64,
    report: &mut Report,
) -> anyhow::Result<()> {
    let name = path.display().to_string();
    let mut trace = Trace::open(path).with_context(|| format!("in {name}"))?;
    let follower = subject.follow(&trace.header.roles);
    let mut follower = follower.with_context(|| format!("in {name}"))?;
    report.traces += 1;
    let mut left = max_steps;
    loop {
        let most = left.min(LANES as u64) as usize;
        let steps = trace
            .next_steps(most)
            .with_context(|| format!("in {name}"))?;
        if steps.is_empty() {
            return Ok(());
        }
        let mismatches = follower
            .check(&steps)
            .with_context(|| format!("in {name}"))?;
        left -= steps.len() as u64;
        report.steps += steps.len() as u64;
        report.playouts += steps.iter().filter(|step| step.step == 0).count() as u64;
        report.mismatches += mismatches.len() as u64;
        if report.first_mismatch.is_none() {
            let first = mismatches.into_iter().next();
            report.first_mismatch = first.map(|mismatch| Mismatch {
                trace: name.clone(),
                ..mismatch
            });
        }
    }
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
