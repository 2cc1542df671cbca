//! `paidia study`: published experiments, repeated.

mod bandits;
mod positions;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use anyhow::{Context, bail};
use clap::Args;
use paidia_arena::study::comparison::{self, Agenda, Comparing, Comparison, Sample};
use paidia_arena::study::{
    self, Experiment, Ledger, Plan, RecordFile, RunNote, Scale, Summary, Tables, halving,
};
use serde::Serialize;

use super::write_json;
use crate::contenders::contender;
use crate::engine::EngineChoice;
use crate::engine::table;
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
unless players think by the clock. The results are written to DIR as NAME.md, NAME.csv and NAME.svg.

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

    /// Where the random choices come from
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

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

/// The results of a study in all forms.
struct Pages {
    study: String,
    text: String,
    csv: String,
    svg: String,
    markdown: String,
}

impl Pages {
    fn of_matches(summary: &Summary) -> Self {
        Self {
            study: summary.heading.study.clone(),
            text: summary.text(),
            csv: summary.csv(),
            svg: summary.svg(),
            markdown: summary.markdown(Some(&format!("{}.svg", summary.heading.study))),
        }
    }

    fn of_engines(comparing: &Comparing) -> Self {
        Self {
            study: comparing.heading.study.clone(),
            text: comparing.text(),
            csv: comparing.csv(),
            svg: comparing.svg(),
            markdown: comparing.markdown(Some(&format!("{}.svg", comparing.heading.study))),
        }
    }
}

impl Study {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<Verdict> {
        let Some(name) = self.name.as_deref().filter(|_| !self.list) else {
            return self.write_list(out);
        };
        match find(name)? {
            study::Study::Matches(experiment) => self.run_matches(&experiment, out),
            study::Study::Engines(comparison) => self.run_engines(comparison, out),
            study::Study::Positions(quiz) => self.run_positions(&quiz, out),
            study::Study::Bandits(study) => self.run_bandits(&study, out),
        }
    }

    fn run_matches(&self, experiment: &Experiment, out: &mut dyn Write) -> anyhow::Result<Verdict> {
        let ledger = if self.report_only {
            Ledger::read(&self.result_file(&experiment.name))?
        } else {
            self.play(experiment)?
        };
        let crowned = halving::crown(experiment, self.scale, self.seed, &ledger)?;
        let plan = Plan::new(&crowned, self.scale, self.seed)?;
        let summary = study::summarise(&crowned, &plan, &ledger, &self.others(experiment)?);
        if summary.played == 0 {
            bail!(self.nothing_there("games"));
        }
        self.show(&Pages::of_matches(&summary), &summary, out)?;
        Ok(summary.stands().into())
    }

    fn run_engines(&self, comparison: Comparison, out: &mut dyn Write) -> anyhow::Result<Verdict> {
        let comparison = with_bundled(comparison);
        let agenda = Agenda::new(&comparison, self.scale, self.seed)?;
        let file = if self.report_only {
            RecordFile::read(&self.result_file(&comparison.name))?
        } else {
            self.measure(&comparison, &agenda)?
        };
        let comparing = comparison::summarise(&comparison, &agenda, &file)?;
        if comparing.is_blank() {
            bail!(self.nothing_there("samples"));
        }
        self.show(&Pages::of_engines(&comparing), &comparing, out)?;
        Ok(comparing.stands().into())
    }

    fn nothing_there(&self, what: &str) -> String {
        format!(
            "{} has no {what} of this study at this scale and seed; run it without --report-only",
            self.out.display()
        )
    }

    fn result_file(&self, study: &str) -> PathBuf {
        self.out.join(format!("{study}.jsonl"))
    }

    /// What is noted about this run.
    fn note(&self, study: &str, jobs: usize) -> RunNote {
        RunNote {
            study: study.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            scale: self.scale.name().to_owned(),
            seed: self.seed,
            jobs,
            processors: processors(),
        }
    }

    /// Takes the samples that are missing.
    fn measure(
        &self,
        comparison: &Comparison,
        agenda: &Agenda,
    ) -> anyhow::Result<RecordFile<Sample>> {
        let mut file = RecordFile::open(&self.result_file(&comparison.name))?;
        file.note(self.note(&comparison.name, 1))?;
        let mut bar: Option<Progress> = None;
        let mut progress = |done: usize, all: usize| {
            let bar = bar.get_or_insert_with(|| Progress::new(Some(all as u64), "samples"));
            bar.set(done as u64);
        };
        let mut load = |game: &str, engine: &str| contender(&self.engine, game, engine);
        comparison::measure(comparison, agenda, &mut load, &mut file, &mut progress)?;
        Ok(file)
    }

    /// Plays what is missing: first the games that determine the champions, then those of the
    /// study.
    fn play(&self, experiment: &Experiment) -> anyhow::Result<Ledger> {
        let jobs = self.jobs.map_or_else(processors, usize::from);
        let (scale, seed) = (self.scale, self.seed);
        let mut ledger = Ledger::open(&self.result_file(&experiment.name))?;
        ledger.note(self.note(&experiment.name, jobs))?;
        let mut tables = Tables::new();
        let mut play = |plan: &Plan, ledger: &mut Ledger, what| -> anyhow::Result<()> {
            for setup in &plan.games {
                if !tables.contains_key(&setup.game) {
                    tables.insert(setup.game.clone(), table(&self.engine, &setup.game)?);
                }
            }
            Ok(study::run(plan, &tables, ledger, jobs, &shown(what))?)
        };
        for number in 0.. {
            let Some(round) = halving::round(experiment, scale, seed, number, &ledger)? else {
                break;
            };
            play(&round, &mut ledger, "games for champions")?;
        }
        let crowned = halving::crown(experiment, scale, seed, &ledger)?;
        play(&Plan::new(&crowned, scale, seed)?, &mut ledger, "games")?;
        Ok(ledger)
    }

    /// The studies that claims name, with what was played of them.
    fn others(&self, experiment: &Experiment) -> anyhow::Result<Vec<(Experiment, Plan, Ledger)>> {
        let mut others = Vec::new();
        let mut names: Vec<&String> = experiment
            .claims
            .iter()
            .flat_map(|claim| &claim.also)
            .collect();
        names.sort();
        names.dedup();
        for name in names {
            let other = study::find(name)?.experiment()?;
            let plan = Plan::new(&other, self.scale, self.seed)?;
            let ledger = Ledger::read(&self.result_file(&other.name))?;
            others.push((other, plan, ledger));
        }
        Ok(others)
    }

    /// Writes the results to their files, and prints them.
    fn show(
        &self,
        pages: &Pages,
        results: &impl Serialize,
        out: &mut dyn Write,
    ) -> anyhow::Result<()> {
        let write = |ending: &str, text: &str| {
            let path = self.out.join(format!("{}.{ending}", pages.study));
            std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
        };
        write("csv", &pages.csv)?;
        write("svg", &pages.svg)?;
        write("md", &pages.markdown)?;
        if self.json {
            write_json(out, results)?;
        } else {
            writeln!(out, "{}", pages.text.trim_end())?;
        }
        Ok(())
    }

    fn write_list(&self, out: &mut dyn Write) -> anyhow::Result<Verdict> {
        let studies = study::all()
            .iter()
            .map(listed)
            .collect::<anyhow::Result<Vec<Listed>>>()?;
        if self.json {
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

fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Shows how many of something are done.
fn shown(what: &'static str) -> impl Fn(usize, usize) + Sync {
    let bar: Mutex<Option<Progress>> = Mutex::default();
    move |done, all| {
        if let Ok(mut bar) = bar.lock() {
            let bar = bar.get_or_insert_with(|| Progress::new(Some(all as u64), what));
            bar.set(done as u64);
        }
    }
}

/// The comparison with all bundled games, if it wants them all.
fn with_bundled(comparison: Comparison) -> Comparison {
    let names = paidia_library::all().iter();
    comparison.with_bundled(names.map(|game| game.name.to_owned()))
}

fn listed(study: &'static study::BundledStudy) -> anyhow::Result<Listed> {
    let read = study.read().with_context(|| format!("in {}", study.name))?;
    match read {
        study::Study::Matches(experiment) => listed_matches(study.name, &experiment),
        study::Study::Engines(comparison) => listed_engines(study.name, comparison),
        study::Study::Positions(quiz) => positions::listed(study.name, &quiz),
        study::Study::Bandits(read) => bandits::listed(study.name, &read),
    }
}

fn listed_matches(name: &'static str, experiment: &Experiment) -> anyhow::Result<Listed> {
    let mut scales = Vec::new();
    for &scale in experiment.scales.keys() {
        scales.push((scale, Plan::new(experiment, scale, 1)?.games.len()));
    }
    Ok(Listed {
        name,
        title: experiment.title.clone(),
        source: experiment.source.clone(),
        games: experiment.games.keys().cloned().collect(),
        cells: experiment.cells.len(),
        claims: experiment.claims.len(),
        cell: "pairing",
        counted: "games",
        scales,
    })
}

fn listed_engines(name: &'static str, comparison: Comparison) -> anyhow::Result<Listed> {
    let comparison = with_bundled(comparison);
    let mut scales = Vec::new();
    for &scale in comparison.scales.keys() {
        scales.push((scale, Agenda::new(&comparison, scale, 1)?.len()));
    }
    Ok(Listed {
        name,
        title: comparison.title.clone(),
        source: comparison.source.clone(),
        games: comparison.games.keys().cloned().collect(),
        cells: comparison.engines.len(),
        claims: comparison.claims.len(),
        cell: "engine",
        counted: "samples",
        scales,
    })
}

/// A bundled study, or one in a file.
fn find(name: &str) -> anyhow::Result<study::Study> {
    let path = Path::new(name);
    if path.extension().is_none_or(|extension| extension != "toml") {
        return Ok(study::find(name)?.read()?);
    }
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?;
    let stem = path
        .file_stem()
        .map_or_else(|| "study".into(), |stem| stem.to_string_lossy());
    study::Study::parse(&stem, &text).with_context(|| format!("in {name}"))
}
