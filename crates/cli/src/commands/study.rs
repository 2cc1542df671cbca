//! `paidia study`: published experiments, repeated.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::Context;
use clap::Args;
use paidia_arena::contest::ContestGame;
use paidia_arena::study::measurements::Contender;
use paidia_arena::study::{self, Equipment, Report, Run, Scale, Session, StudyError};
use serde::Serialize;

use super::write_json;
use crate::contenders::contender;
use crate::engine::EngineChoice;
use crate::engine::table;
use crate::interrupt::on_interrupt;
use crate::terminal::{self, Progress};
use crate::{Verdict, text};

/// Repeats a published experiment, and shows what came out beside what the paper has
#[derive(Args)]
#[command(after_help = "Examples:
  paidia study --list                                   what there is
  paidia study cadia-connect4                           quick: some games of every pairing, in minutes
  paidia study cadia-connect4 --scale report --jobs 2   more games, in hours; can be stopped and continued
  paidia study cadia-connect4 --scale report --report-only
  paidia study reasoners                                engines instead of players: rates and node counts
  paidia study nested-positions                         single positions instead of games: how often the right move is chosen

Every finished game is added to DIR/NAME.jsonl at once. The same command again plays only what is missing, whatever stopped it;
a larger scale begins with the games of the smaller one. A game depends on the seed, its pairing and its number, not on --jobs,
unless players think by the clock. The results are written to DIR as NAME.md, NAME.csv and NAME.svg,
and all trials as NAME.trials.csv.

A claim of the paper holds if the 95 % interval of our figure lies within its bounds, fails if it lies outside, and is undecided
otherwise. Exit code 1 means that a claim fails.

Studies of engines take samples instead of games, one after the other on one thread, by CPU time; --jobs and --engine mean nothing
to them. For their claims the lowest and the highest round stand for the interval. Studies of bandits play with models instead.")]
pub(crate) struct Study {
    /// The study, by the name that --list shows, or the path of a study's TOML file
    #[arg(required_unless_present = "list")]
    name: Option<String>,

    /// List the studies
    #[arg(long, conflicts_with = "name")]
    list: bool,

    /// How much is played: `quick` takes minutes, `report` hours, `paper` is as published
    #[arg(long, value_name = "SCALE", default_value = "quick")]
    scale: Scale,

    #[command(flatten)]
    conduct: Conduct,
}

/// How trials are made, and where their records and results go.
#[derive(Args)]
pub(super) struct Conduct {
    /// Where the random choices come from
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) seed: u64,

    /// How many games are played at a time; all processors if it is not given
    #[arg(long, value_name = "N")]
    jobs: Option<std::num::NonZeroUsize>,

    /// The folder of the results
    #[arg(long, value_name = "DIR", default_value = "study-results")]
    out: PathBuf,

    /// Play nothing: report what is there
    #[arg(long)]
    report_only: bool,

    #[command(flatten)]
    engine: EngineChoice,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct List {
    studies: Vec<Listed>,
}

/// A study in the list.
#[derive(Serialize)]
struct Listed {
    name: &'static str,
    title: String,
    source: String,
    games: Vec<String>,
    cells: usize,
    claims: usize,
    /// What its cells are called.
    #[serde(skip)]
    cell: &'static str,
    /// What there is a number of at each scale.
    counted: &'static str,
    /// For each scale how many games, samples or searches there are in all.
    scales: Vec<(Scale, usize)>,
}

/// Games and engines, as the command line makes them.
impl Equipment for EngineChoice {
    fn table(&self, game: &str) -> Result<Box<dyn ContestGame>, StudyError> {
        table(self, game).map_err(|error| StudyError::Game(text::error_in_words(&error)))
    }

    fn contender(&self, game: &str, engine: &str) -> Result<Box<dyn Contender>, String> {
        contender(self, game, engine)
    }
}

impl Study {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<Verdict> {
        let Some(name) = self.name.as_deref().filter(|_| !self.list) else {
            return self.write_list(out);
        };
        let mut study = find(name)?;
        study.take_bundled(&bundled_games());
        let run = Run {
            scale: self.scale,
            seed: self.conduct.seed,
        };
        conduct(&*study, run, &self.conduct, out)
    }

    fn write_list(&self, out: &mut dyn Write) -> anyhow::Result<Verdict> {
        let studies = study::all()
            .iter()
            .map(listed)
            .collect::<anyhow::Result<Vec<Listed>>>()?;
        if self.conduct.json {
            write_json(out, &List { studies })?;
            return Ok(Verdict::Yes);
        }
        let (strong, faint) = (terminal::STRONG, terminal::FAINT);
        let width = studies.iter().map(|study| study.name.len()).max();
        let width = width.unwrap_or_default();
        for study in studies {
            writeln!(
                out,
                "{strong}{:<width$}{strong:#} {}",
                study.name, study.title
            )?;
            let counts = study.scales.iter();
            let counts: Vec<String> = counts
                .map(|(scale, count)| format!("{count} {}", scale.name()))
                .collect();
            writeln!(
                out,
                "{:width$} {faint}{}; {}; {}: {}{faint:#}",
                "",
                text::count(study.cells as u128, study.cell),
                text::count(study.claims as u128, "claim"),
                study.counted,
                counts.join(", ")
            )?;
        }
        Ok(Verdict::Yes)
    }
}

/// Makes the trials of a study that are missing, and shows what came out.
pub(super) fn conduct(
    study: &dyn study::Study,
    run: Run,
    how: &Conduct,
    out: &mut dyn Write,
) -> anyhow::Result<Verdict> {
    let name = study.front().name.clone();
    let note = "nothing more is begun, and the report follows when what is played ends";
    let interrupt = on_interrupt(note)?;
    let report = study.perform(&Session {
        interrupt: &interrupt,
        run,
        file: &how.out.join(format!("{name}.jsonl")),
        jobs: how.jobs.map_or_else(processors, usize::from),
        report_only: how.report_only,
        equipment: &how.engine,
        progress: &shown(),
    })?;
    show(&name, &report, how, out)?;
    Ok(match interrupt.load(Ordering::Relaxed) {
        true => Verdict::Interrupted,
        false => report.stands().into(),
    })
}

/// Writes the results to their files, and prints them.
fn show(study: &str, report: &Report, how: &Conduct, out: &mut dyn Write) -> anyhow::Result<()> {
    let write = |ending: &str, text: &str| {
        let path = how.out.join(format!("{study}.{ending}"));
        std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
    };
    write("csv", &report.csv())?;
    write("trials.csv", report.trials())?;
    write("svg", &report.svg())?;
    write("md", &report.markdown())?;
    if how.json {
        writeln!(out, "{}", report.json())?;
    } else {
        writeln!(out, "{}", report.text().trim_end())?;
    }
    Ok(())
}

fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Without a terminal, a line says every so often how far a study is.
const BETWEEN_LINES: Duration = Duration::from_secs(10);

/// Shows how many trials are done: with a bar for each stage, or with lines where standard error is
/// no terminal.
fn shown() -> impl Fn(&'static str, usize, usize) + Sync {
    let is_terminal = std::io::stderr().is_terminal();
    let state: Mutex<(Option<Progress>, Instant)> = Mutex::new((None, Instant::now()));
    move |what, done, all| {
        let Ok(mut state) = state.lock() else {
            return;
        };
        let (bar, last) = &mut *state;
        if !is_terminal {
            let is_end = done == all || done == 0;
            if all > 0 && (is_end || last.elapsed() >= BETWEEN_LINES) {
                *last = Instant::now();
                eprintln!("{done} of {all} {what}");
            }
            return;
        }
        if done == 0 {
            *bar = Some(Progress::new(Some(all as u64), what));
        }
        if let Some(bar) = bar.as_mut() {
            bar.set(done as u64);
        }
    }
}

fn bundled_games() -> Vec<String> {
    let games = paidia_library::sheets();
    games.map(|game| game.name.to_owned()).collect()
}

fn listed(bundled: &'static study::BundledStudy) -> anyhow::Result<Listed> {
    let mut study = bundled
        .read()
        .with_context(|| format!("in {}", bundled.name))?;
    study.take_bundled(&bundled_games());
    let (front, contents, [cell, counted]) = (study.front(), study.contents(), study.words());
    let mut scales = Vec::new();
    for &scale in &contents.scales {
        scales.push((scale, study.count(scale)?));
    }
    Ok(Listed {
        name: bundled.name,
        title: front.title.clone(),
        source: front.source.clone(),
        games: contents.games,
        cells: contents.cells,
        claims: contents.claims,
        cell,
        counted,
        scales,
    })
}

/// A bundled study, or one in a file.
fn find(name: &str) -> anyhow::Result<Box<dyn study::Study>> {
    let path = Path::new(name);
    if path.extension().is_none_or(|extension| extension != "toml") {
        return Ok(study::find(name)?.read()?);
    }
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?;
    let stem = path
        .file_stem()
        .map_or_else(|| "study".into(), |stem| stem.to_string_lossy());
    study::read(&stem, &text).with_context(|| format!("in {name}"))
}
