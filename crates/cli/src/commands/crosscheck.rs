//! `paidia crosscheck`: an engine beside the reference engine, until they differ.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::bail;
use clap::Args;
use serde::Serialize;

use super::write_json;
use crate::engine::{EngineChoice, no_network, seconds};
use crate::{Verdict, terminal, text, workers};
use paidia_arena::rules::{RulesError, Ruleset, sheets};
use paidia_arena::verify::{Comparison, Distance, Trial};

/// Compares an engine with the reference engine in random play
#[derive(Args)]
#[command(after_help = "Examples:
  paidia crosscheck chess                              ten playouts, every state compared
  paidia crosscheck --bundled --playouts 1000          all bundled games
  paidia crosscheck --bundled --engine batch --playouts 100000
  paidia crosscheck --corpus DIR --only chess          every DIR/gdl/NAME.kif with `chess` in its name

States, legal moves, ends, goals and percepts are compared after every move, and the first difference ends it. The batch
engine plays whole playouts; the means of its lengths and goals are compared with those of `propnet` over as many
playouts, and with those of the reference over as many as --seconds give. They may be four standard deviations
apart; chance alone brings two means that far apart once in 16,000 times.")]
pub(crate) struct Crosscheck {
    /// Bundled games or rule files
    #[arg(value_name = "GAME", required_unless_present_any = ["bundled", "corpus"])]
    games: Vec<String>,

    /// All bundled games
    #[arg(long)]
    bundled: bool,

    /// All rule files of a folder with `gdl` in it
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,

    /// Only games with this in their name
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,

    #[command(flatten)]
    engine: EngineChoice,

    /// How many playouts
    #[arg(long, value_name = "N", default_value_t = 10)]
    playouts: u64,

    /// Start no playout of the reference engine after this long, for each game
    #[arg(long, value_name = "S", default_value_t = 60.0, value_parser = seconds)]
    seconds: f64,

    /// Where the random choices come from
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Cut a playout after N joint moves
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    step_limit: u32,

    /// How many games to check at once; all processors if not given
    #[arg(long, value_name = "N")]
    threads: Option<usize>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    engine: String,
    games: usize,
    playouts: u64,
    states: u64,
    /// Games in which the engines differ.
    differences: usize,
    /// Games that the engine cannot play.
    skipped: usize,
    /// Games that could not be checked for another reason.
    errors: usize,
    results: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    game: String,
    #[serde(flatten)]
    comparison: Comparison,
    seconds: f64,
    error: Option<String>,
    /// Whether the error is that the rules could not be read.
    #[serde(skip)]
    is_unread: bool,
}

impl Crosscheck {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<Verdict> {
        let games = self.games()?;
        let results = workers::map(&games, self.threads, "games", |game| self.check(game));
        let count = |wanted: fn(&Row) -> bool| results.iter().filter(|row| wanted(row)).count();
        let report = Report {
            engine: self.engine.engine.to_string(),
            games: results.len(),
            playouts: results.iter().map(|row| row.comparison.playouts).sum(),
            states: results.iter().map(|row| row.comparison.states).sum(),
            differences: count(|row| row.comparison.differs()),
            skipped: count(|row| row.comparison.skipped.is_some()),
            errors: count(|row| row.error.is_some()),
            results,
        };
        if self.json {
            write_json(out, &report)?;
        } else {
            write_table(out, &report)?;
        }
        let is_unread = report.results.iter().any(|row| row.is_unread);
        Ok(match is_unread && report.differences == 0 {
            true => Verdict::Incomplete,
            false => (report.differences == 0 && report.errors == 0).into(),
        })
    }

    /// The games by name or path.
    fn games(&self) -> anyhow::Result<Vec<String>> {
        let mut games = self.games.clone();
        if self.bundled {
            games.extend(paidia_library::sheets().map(|game| game.name.to_owned()));
        }
        if let Some(folder) = &self.corpus {
            games.extend(sheets(folder)?);
        }
        games.retain(|game| {
            let name = Path::new(game).file_stem().unwrap_or_default();
            let name = name.to_string_lossy();
            self.only.as_ref().is_none_or(|only| name.contains(only))
        });
        if games.is_empty() {
            bail!("there is no such game");
        }
        Ok(games)
    }

    fn compare(&self, rules: &Ruleset) -> anyhow::Result<Comparison> {
        let trial = Trial {
            playouts: self.playouts,
            time: Duration::from_secs_f64(self.seconds),
            seed: self.seed,
            step_limit: self.step_limit,
        };
        Ok(trial.compare(rules, self.engine.load(rules)?)?)
    }

    fn check(&self, game: &str) -> Row {
        let started = Instant::now();
        let mut row = Row {
            game: game.to_owned(),
            comparison: Comparison::default(),
            seconds: 0.0,
            error: None,
            is_unread: false,
        };
        let found = Ruleset::find(game);
        row.is_unread = matches!(&found, Err(error) if !matches!(error, RulesError::Invalid(_)));
        let compared = found.map_err(anyhow::Error::from);
        let compared = compared.and_then(|rules| {
            row.game = rules.name().to_owned();
            self.compare(&rules)
        });
        match compared {
            Ok(comparison) => {
                if comparison.states == 0 && comparison.skipped.is_none() {
                    row.error = Some("nothing was compared: no joint move was made".to_owned());
                }
                row.comparison = comparison;
            }
            Err(failed) => match no_network(&failed) {
                Some(reason) => row.comparison.skipped = Some(reason.to_string()),
                None => row.error = Some(text::error_in_words(&failed)),
            },
        }
        row.seconds = started.elapsed().as_secs_f64();
        row
    }
}

fn write_table(out: &mut dyn Write, report: &Report) -> anyhow::Result<()> {
    let names = report.results.iter().map(|row| row.game.len());
    let width = names.max().unwrap_or(0).max("game".len());
    writeln!(
        out,
        "{:width$}  {:>9}  {:>11}  {:>8}  {:>8}",
        "game", "playouts", "states", "distance", "seconds"
    )?;
    for row in &report.results {
        write_row(out, row, width)?;
    }
    let good = report.differences == 0 && report.errors == 0;
    let style = if good { terminal::GOOD } else { terminal::BAD };
    writeln!(
        out,
        "{} with the {} engine: {style}{} differ, {} could not be checked{style:#}, {} skipped",
        text::count(report.games as u128, "game"),
        report.engine,
        report.differences,
        report.errors,
        report.skipped,
    )?;
    Ok(())
}

fn write_row(out: &mut dyn Write, row: &Row, width: usize) -> anyhow::Result<()> {
    let Row {
        game, comparison, ..
    } = row;
    let good = !comparison.differs() && row.error.is_none();
    let style = if good { terminal::GOOD } else { terminal::BAD };
    let furthest = comparison.furthest();
    let furthest = furthest.map_or("-".to_owned(), |distance| format!("{distance:.2}"));
    writeln!(
        out,
        "{style}{game:width$}{style:#}  {:>9}  {:>11}  {furthest:>8}  {:>8.2}",
        text::grouped(comparison.playouts.into()),
        text::grouped(comparison.states.into()),
        row.seconds
    )?;
    if let Some(reason) = &comparison.skipped {
        writeln!(out, "  skipped: {reason}")?;
    }
    if let Some(error) = &row.error {
        writeln!(out, "  {error}")?;
    }
    if let Some(difference) = &comparison.difference {
        writeln!(out, "  {difference}")?;
    }
    let far = comparison.distances.iter().filter(|found| found.is_far());
    for Distance {
        what,
        against,
        distance,
        ours,
        theirs,
        ..
    } in far
    {
        writeln!(
            out,
            "  mean {what}: {ours:.3}, with {against} {theirs:.3}, {distance:.1} standard deviations apart"
        )?;
    }
    Ok(())
}
