//! `paidia study`: published experiments, repeated.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use anyhow::{Context, bail};
use clap::Args;
use paidia_arena::study::{self, Experiment, Ledger, Plan, RunNote, Scale, Summary, Tables};
use serde::Serialize;

use super::write_json;
use crate::engine::EngineChoice;
use crate::tables::table;
use crate::terminal::{self, Progress};
use crate::{Verdict, text};

/// Repeats a published experiment, and shows what came out beside what the paper has
#[derive(Args)]
#[command(after_help = "Examples:
  paidia study --list                                   what there is
  paidia study cadia-connect4                           quick: some games of every pairing, in minutes
  paidia study cadia-connect4 --scale report --jobs 2   more games, in hours; can be stopped and continued
  paidia study cadia-connect4 --scale report --report-only

Every finished game is added to DIR/NAME.jsonl at once. The same command again plays only what is missing, whatever stopped it;
a larger scale begins with the games of the smaller one. A game depends on the seed, its pairing and its number, not on --jobs,
unless players think by the clock. The results are written to DIR as NAME.md, NAME.csv and NAME.svg.

A claim of the paper holds if the 95 % interval of our figure lies within its bounds, fails if it lies outside, and is undecided
otherwise. Exit code 1 means that a claim fails.")]
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
    /// For each scale how many games there are in all.
    scales: Vec<(Scale, usize)>,
}

impl Study {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<Verdict> {
        let Some(name) = self.name.as_deref().filter(|_| !self.list) else {
            return self.write_list(out);
        };
        let experiment = find(name)?;
        let plan = Plan::new(&experiment, self.scale, self.seed)?;
        let ledger = if self.report_only {
            Ledger::read(&self.result_file(&experiment))?
        } else {
            self.play(&experiment, &plan)?
        };
        let summary = study::summarise(&experiment, &plan, &ledger, &self.others(&experiment)?);
        if summary.played == 0 {
            bail!(
                "{} has no games of this study at this scale and seed; run it without --report-only",
                self.out.display()
            );
        }
        self.write_files(&summary)?;
        if self.json {
            write_json(out, &summary)?;
        } else {
            writeln!(out, "{}", summary.text().trim_end())?;
        }
        Ok(summary.stands().into())
    }

    fn result_file(&self, experiment: &Experiment) -> PathBuf {
        self.out.join(format!("{}.jsonl", experiment.name))
    }

    /// Plays what is missing.
    fn play(&self, experiment: &Experiment, plan: &Plan) -> anyhow::Result<Ledger> {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let jobs = self.jobs.map_or(processors, usize::from);
        let mut tables = Tables::new();
        for setup in &plan.games {
            if !tables.contains_key(&setup.game) {
                tables.insert(setup.game.clone(), table(&self.engine, &setup.game)?);
            }
        }
        let mut ledger = Ledger::open(&self.result_file(experiment))?;
        ledger.note(RunNote {
            study: experiment.name.clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            scale: self.scale.name().to_owned(),
            seed: self.seed,
            jobs,
            processors,
        })?;
        let bar: Mutex<Option<Progress>> = Mutex::default();
        let progress = |done: usize, all: usize| {
            if let Ok(mut bar) = bar.lock() {
                let bar = bar.get_or_insert_with(|| Progress::new(Some(all as u64), "games"));
                bar.set(done as u64);
            }
        };
        study::run(plan, &tables, &mut ledger, jobs, &progress)?;
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
            let ledger = Ledger::read(&self.result_file(&other))?;
            others.push((other, plan, ledger));
        }
        Ok(others)
    }

    fn write_files(&self, summary: &Summary) -> anyhow::Result<()> {
        let write = |ending: &str, text: String| {
            let path = self.out.join(format!("{}.{ending}", summary.study));
            std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
        };
        write("csv", summary.csv())?;
        write("svg", summary.svg())?;
        write(
            "md",
            summary.markdown(Some(&format!("{}.svg", summary.study))),
        )
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
        for study in studies {
            writeln!(out, "{strong}{:<18}{strong:#} {}", study.name, study.title)?;
            let games = study.scales.iter();
            let games: Vec<String> = games
                .map(|(scale, games)| format!("{games} {}", scale.name()))
                .collect();
            writeln!(
                out,
                "{:18} {faint}{}; {}; games: {}{faint:#}",
                "",
                text::count(study.cells as u128, "pairing"),
                text::count(study.claims as u128, "claim"),
                games.join(", ")
            )?;
        }
        Ok(Verdict::Yes)
    }
}

fn listed(study: &'static study::BundledStudy) -> anyhow::Result<Listed> {
    let experiment = study
        .experiment()
        .with_context(|| format!("in {}", study.name))?;
    let mut scales = Vec::new();
    for &scale in experiment.scales.keys() {
        scales.push((scale, Plan::new(&experiment, scale, 1)?.games.len()));
    }
    Ok(Listed {
        name: study.name,
        title: experiment.title.clone(),
        source: experiment.source.clone(),
        games: experiment.games.keys().cloned().collect(),
        cells: experiment.cells.len(),
        claims: experiment.claims.len(),
        scales,
    })
}

/// A bundled study, or one in a file.
fn find(name: &str) -> anyhow::Result<Experiment> {
    let path = Path::new(name);
    if path.extension().is_none_or(|extension| extension != "toml") {
        return Ok(study::find(name)?.experiment()?);
    }
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?;
    let stem = path
        .file_stem()
        .map_or_else(|| "study".into(), |stem| stem.to_string_lossy());
    Experiment::parse(&stem, &text).with_context(|| format!("in {name}"))
}
