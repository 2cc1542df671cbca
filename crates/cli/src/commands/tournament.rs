//! `paidia tournament`: round robins.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use anyhow::{Context, bail};
use clap::Args;
use paidia_arena::contest::Outcome;
use paidia_arena::store::{Archive, DATABASE, Database, WorkList};
use paidia_arena::tournament::{self, RunOptions, Summary};
use paidia_server::database::{Definition, GameDefinition, SharedDatabase};

use super::write_json;
use crate::Verdict;
use crate::engine::EngineChoice;
use crate::interrupt::on_interrupt;
use crate::planned_tournament::PlannedTournament;
use crate::terminal::Progress;

/// Plays a tournament, or what is left of it, and shows the results
#[derive(Args)]
#[command(after_help = "Examples:
  paidia tournament tournaments/small.toml              plays it; again, it plays only what is missing
  paidia tournament my.toml --jobs 2 --out results      two matches at a time, everything in the folder `results`
  paidia tournament my.toml --report-only --json        what came out so far
  paidia tournament my.toml --database postgres://me@db.local/games
                                                        together with every `paidia worker --database` of the same address

The file names players, games, and how much a move may cost; docs/tournaments.md explains it. Every finished match is in the
database DIR/matches.sqlite at once, and its record in DIR/NAME/. Stop it as you like, with Ctrl-C or worse: the same command goes on
where it was, and matches that were cut off are played again. A match depends on the seed, the game, who sits where and the
round, not on --jobs or on who plays it, unless players think by the clock. Results are written to DIR as NAME.md, NAME.csv and NAME.html.

With --database the matches and their records are in a PostgreSQL database instead, from which any number of machines take matches; this
command plays, too, waits for the others, and reports when all is played. A match whose machine falls silent is free for others after
--lease seconds. The password may be in the variable PGPASSWORD. Nothing that is sent is encrypted: use a private network or SSH.")]
pub(crate) struct TournamentCommand {
    /// The tournament, a TOML file
    file: PathBuf,

    /// The folder of the results
    #[arg(long, value_name = "DIR", default_value = "tournament-results")]
    out: PathBuf,

    /// How many matches are played at a time; all processors if it is not given, one if players
    /// think by the clock. With --database it may be 0: others play
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,

    /// Play at most N matches now
    #[arg(long, value_name = "N")]
    at_most: Option<usize>,

    /// Write no records of matches
    #[arg(long)]
    no_records: bool,

    /// Play nothing: report what is there
    #[arg(long)]
    report_only: bool,

    /// The PostgreSQL database that other machines take matches from, such as
    /// `postgres://user:password@host/database`
    #[arg(long, value_name = "URL")]
    database: Option<String>,

    /// With --database: seconds after which a match of a machine that is not heard of is free for
    /// others
    #[arg(long, value_name = "S", default_value_t = 60, requires = "database", value_parser = clap::value_parser!(u32).range(1..=86_400))]
    lease: u32,

    #[command(flatten)]
    engine: EngineChoice,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl TournamentCommand {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<Verdict> {
        let (name, file) = read(&self.file)?;
        let event = PlannedTournament::of_file(&name, &file, &self.engine);
        let (event, games) = event.with_context(|| format!("in {}", self.file.display()))?;
        let note = "no other match is begun, and the report follows when those that are played end";
        let interrupt = on_interrupt(note)?;
        let outcomes = match &self.database {
            Some(address) => {
                let definition = self.definition(name, file, games);
                self.shared(address, &definition, &event, &interrupt)?
            }
            None => self.alone(&event, &interrupt)?,
        };
        let summary = tournament::summarise(&event.tournament, &event.plan, &outcomes)?;
        self.write_files(&summary)?;
        if self.json {
            write_json(out, &summary)?;
        } else {
            writeln!(out, "{}", summary.text().trim_end())?;
        }
        Ok(match interrupt.load(Ordering::Relaxed) {
            true => Verdict::Interrupted,
            false => Verdict::Yes,
        })
    }

    /// Plays what is missing with a database in the folder; what came out so far.
    fn alone(
        &self,
        event: &PlannedTournament,
        interrupt: &Arc<AtomicBool>,
    ) -> anyhow::Result<Vec<Outcome>> {
        let path = self.out.join(DATABASE);
        if self.report_only && !path.is_file() {
            bail!(
                "there is no {}; run it without --report-only",
                path.display()
            );
        }
        if self.jobs == Some(0) {
            bail!("--jobs 0 leaves everything to others, who need --database");
        }
        let database = Database::open(&path)?;
        let (name, setups) = (&event.tournament.name, event.plan.setups());
        if !self.report_only {
            self.play(event, &database.begin(name, &setups)?, interrupt)?;
        }
        Ok(database.outcomes(name, &setups)?)
    }

    /// Plays what is missing together with others; what came out so far.
    fn shared(
        &self,
        address: &str,
        definition: &Definition,
        event: &PlannedTournament,
        interrupt: &Arc<AtomicBool>,
    ) -> anyhow::Result<Vec<Outcome>> {
        let database = SharedDatabase::open(address)?;
        let setups = event.plan.setups();
        if !self.report_only {
            let list = database.begin(definition, &setups)?;
            if self.jobs == Some(0) {
                eprintln!("note: the matches are left to others: `paidia worker --database URL`");
            }
            self.play(event, &list, interrupt)?;
        }
        Ok(database.outcomes(&definition.name, &setups)?)
    }

    fn definition(&self, name: String, file: String, games: Vec<GameDefinition>) -> Definition {
        Definition {
            program: env!("CARGO_PKG_VERSION").to_owned(),
            name,
            file,
            games,
            records: !self.no_records,
            lease: self.lease,
        }
    }

    /// Plays what is missing.
    fn play(
        &self,
        event: &PlannedTournament,
        list: &dyn WorkList,
        interrupt: &Arc<AtomicBool>,
    ) -> anyhow::Result<()> {
        let options = RunOptions {
            jobs: self.jobs.unwrap_or_else(|| event.usual_jobs()),
            at_most: self.at_most,
            records: !self.no_records,
            wait: self.at_most.is_none(),
            interrupt: Arc::clone(interrupt),
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
        let PlannedTournament {
            tournament,
            plan,
            tables,
        } = event;
        tournament::run(tournament, plan, tables, list, &options, &progress)?;
        Ok(())
    }

    fn write_files(&self, summary: &Summary) -> anyhow::Result<()> {
        let write = |ending: &str, text: String| {
            let path = self.out.join(format!("{}.{ending}", summary.tournament));
            let written = std::fs::create_dir_all(&self.out);
            let written = written.and_then(|()| std::fs::write(&path, text));
            written.with_context(|| format!("cannot write {}", path.display()))
        };
        write("csv", summary.csv())?;
        write("md", summary.markdown())?;
        write("html", summary.html())
    }
}

/// The name of a tournament, and what is in its file.
fn read(path: &Path) -> anyhow::Result<(String, String)> {
    let text = std::fs::read_to_string(path);
    let text = text.with_context(|| format!("cannot read {}", path.display()))?;
    let stem = path
        .file_stem()
        .map_or_else(|| "tournament".into(), |stem| stem.to_string_lossy());
    Ok((stem.into_owned(), text))
}
