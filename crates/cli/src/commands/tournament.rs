//! `paidia tournament`: everybody plays everybody.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use anyhow::{Context, bail};
use clap::Args;
use paidia_arena::contest::Tables;
use paidia_arena::store::{Database, WorkList};
use paidia_arena::tournament::{self, Plan, RunOptions, Summary, Tournament};

use super::write_json;
use crate::Verdict;
use crate::engine::EngineChoice;
use crate::recording::DATABASE;
use crate::tables::table;
use crate::terminal::Progress;

/// Plays a tournament, or what is left of it, and shows the results
#[derive(Args)]
#[command(after_help = "Examples:
  paidia tournament tournaments/small.toml              plays it; again, it plays only what is missing
  paidia tournament my.toml --jobs 2 --out results      two matches at a time, everything in the folder `results`
  paidia tournament my.toml --report-only --json        what came out so far

The file names players, games, and how much a move may cost; docs/tournaments.md explains it. Every finished match is in the
database DIR/matches.sqlite at once, and its record in DIR/NAME/. Stop it as you like, with Ctrl-C or worse: the same command goes on
where it was, and matches that were cut off are played again. A match depends on the seed, the game, who sits where and the
round, not on --jobs, unless players think by the clock. Results are written to DIR as NAME.md, NAME.csv and NAME.html.")]
pub(crate) struct TournamentCommand {
    /// The tournament, a TOML file
    file: PathBuf,

    /// The folder of the results
    #[arg(long, value_name = "DIR", default_value = "tournament-results")]
    out: PathBuf,

    /// How many matches are played at a time; all processors if it is not given, one if players think by the clock
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,

    /// Play at most so many matches now
    #[arg(long, value_name = "N")]
    at_most: Option<usize>,

    /// Write no records of matches
    #[arg(long)]
    no_records: bool,

    /// Play nothing: report what is there
    #[arg(long)]
    report_only: bool,

    #[command(flatten)]
    engine: EngineChoice,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl TournamentCommand {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<Verdict> {
        let tournament = read(&self.file)?;
        let mut tables = Tables::new();
        for game in &tournament.games {
            tables.insert(game.clone(), table(&self.engine, game)?);
        }
        let plan = Plan::new(&tournament, &tables)?;
        let path = self.out.join(DATABASE);
        if self.report_only && !path.is_file() {
            bail!(
                "there is no {}; run it without --report-only",
                path.display()
            );
        }
        let database = Database::open(&path)?;
        if !self.report_only {
            self.play(&tournament, &plan, &tables, &database)?;
        }
        let outcomes = database.outcomes(&tournament.name, &plan.setups())?;
        let summary = tournament::summarise(&tournament, &plan, &outcomes)?;
        self.write_files(&summary)?;
        if self.json {
            write_json(out, &summary)?;
        } else {
            writeln!(out, "{}", summary.text().trim_end())?;
        }
        Ok(Verdict::Yes)
    }

    /// Plays what is missing.
    fn play(
        &self,
        tournament: &Tournament,
        plan: &Plan,
        tables: &Tables,
        database: &Database,
    ) -> anyhow::Result<()> {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let usual = if plan.is_timed() { 1 } else { processors };
        let options = RunOptions {
            jobs: self.jobs.map_or(usual, usize::from),
            at_most: self.at_most,
            records: (!self.no_records).then(|| self.out.clone()),
        };
        let bar: Mutex<Option<Progress>> = Mutex::default();
        let progress = |done: usize, all: usize| {
            if let Ok(mut bar) = bar.lock() {
                let bar = bar.get_or_insert_with(|| {
                    Progress::resumed(Some(all as u64), done as u64, "matches")
                });
                bar.set(done as u64);
            }
        };
        tournament::run(tournament, plan, tables, database, &options, &progress)?;
        Ok(())
    }

    fn write_files(&self, summary: &Summary) -> anyhow::Result<()> {
        let write = |ending: &str, text: String| {
            let path = self.out.join(format!("{}.{ending}", summary.tournament));
            std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
        };
        write("csv", summary.csv())?;
        write("md", summary.markdown())?;
        write("html", summary.html())
    }
}

fn read(path: &Path) -> anyhow::Result<Tournament> {
    let name = path.display();
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?;
    let stem = path
        .file_stem()
        .map_or_else(|| "tournament".into(), |stem| stem.to_string_lossy());
    Tournament::parse(&stem, &text).with_context(|| format!("in {name}"))
}
