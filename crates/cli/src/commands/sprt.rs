//! `paidia sprt`: whether one player is better than another, tested as chess programs are.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::Ordering;

use anyhow::{Context, bail};
use clap::Args;
use paidia_arena::contest::Outcome;
use paidia_arena::store::{Archive, DATABASE, Database, WorkList};
use paidia_arena::tournament::sprt::{Claims, Sequential, Standing, Verdict as Found};
use paidia_arena::tournament::{self, RunOptions};
use paidia_server::database::{Definition, SharedDatabase};
use serde::Serialize;

use super::write_json;
use crate::Verdict;
use crate::engine::EngineChoice;
use crate::interrupt::on_interrupt;
use crate::planned_tournament::PlannedTournament;
use crate::terminal::Progress;

/// The games that are played if none is named: of two, of many kinds, and none solved at once.
const GAMES: [&str; 12] = [
    "breakthrough",
    "breakthrough-6x6",
    "connect-four",
    "pentago",
    "checkers-small",
    "chinook",
    "knightthrough",
    "othello",
    "hex-7x7",
    "amazons-6x6",
    "nine-board-tic-tac-toe",
    "quad",
];

/// What the first player is called in the tournament.
const FIRST: &str = "A";

/// Tests whether player A is better than player B, with as few matches as that takes
#[derive(Args)]
#[command(after_help = "Examples:
  paidia sprt 'paidia(history=8)' paidia                       twelve games, 0.1 s a move, until it is clear
  paidia sprt A B --games chess,othello --simulations 1000     results that depend on nothing but this line
  paidia sprt A B --high 52 --error 0.01 --jobs 4              a smaller gain, surer
  paidia sprt A B --name try --report-only                     what came out so far
  paidia sprt A B --database postgres://me@db.local/games      together with every `paidia worker --database` of the same address

Both players play both seats from the same opening, whose first moves are drawn at random. Every finished match is in the database
DIR/matches.sqlite at once; the same command goes on where it was. The test ends when A is found to have --high percent of the
points rather than --low, or --low rather than --high, and each decision is wrong with the probability --error at most.
Exit code 1 means that A was not found better.")]
pub(crate) struct Sprt {
    /// The player that may be better, as `paidia players` lists it or as an address `http://...`
    #[arg(value_name = "A")]
    first: String,

    /// The player that it is compared with
    #[arg(value_name = "B")]
    second: String,

    /// The games, bundled or paths, with commas between them; twelve of many kinds if none is named
    #[arg(long, value_name = "GAMES", value_delimiter = ',')]
    games: Vec<String>,

    /// Seconds a move; 0.1 if nothing is said
    #[arg(long, value_name = "S", group = "thinking")]
    seconds: Option<f64>,

    /// Simulations a move, instead
    #[arg(long, value_name = "N", group = "thinking")]
    simulations: Option<u64>,

    /// Count seconds only while the thinking thread has a processor: for a busy machine
    #[arg(long)]
    cpu: bool,

    /// Seconds before the first move
    #[arg(long, value_name = "S", default_value_t = 1.0)]
    start: f64,

    /// Joint moves that are drawn at random before the players are asked
    #[arg(long, value_name = "N", default_value_t = 4)]
    opening: u32,

    /// The percentage of the points by the claim that A is no better
    #[arg(long, value_name = "PERCENT", default_value_t = 50.0)]
    low: f64,

    /// The percentage of the points by the claim that A is better
    #[arg(long, value_name = "PERCENT", default_value_t = 55.0)]
    high: f64,

    /// How likely a wrong decision may be
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    error: f64,

    /// The most pairs of matches on each game
    #[arg(long, value_name = "N", default_value_t = 200)]
    pairs: u64,

    /// Where the random choices come from
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// How many matches are played at a time; one by the clock, else one for each processor
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,

    /// The name of the test; tests with different names keep their matches apart
    #[arg(long, value_name = "NAME", default_value = "sprt")]
    name: String,

    /// The folder of the results
    #[arg(long, value_name = "DIR", default_value = "sprt-results")]
    out: PathBuf,

    /// Play nothing: report what is there
    #[arg(long)]
    report_only: bool,

    /// The PostgreSQL database that other machines take matches from
    #[arg(long, value_name = "URL")]
    database: Option<String>,

    #[command(flatten)]
    engine: EngineChoice,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report<'a> {
    first: &'a str,
    second: &'a str,
    claims: Claims,
    #[serde(flatten)]
    standing: Standing,
}

impl Sprt {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<Verdict> {
        let claims = self.claims()?;
        let file = self.file()?;
        let (event, games) = PlannedTournament::of_file(&self.name, &file, &self.engine)?;
        let setups = event.plan.setups();
        let (standing, interrupted) = match &self.database {
            Some(address) => {
                let definition = Definition {
                    program: env!("CARGO_PKG_VERSION").to_owned(),
                    name: self.name.clone(),
                    file,
                    games,
                    records: false,
                    lease: 60,
                };
                let database = SharedDatabase::open(address)?;
                let list = database.begin(&definition, &setups)?;
                self.test(
                    &event,
                    claims,
                    &list,
                    database.outcomes(&self.name, &setups)?,
                )?
            }
            None => {
                let path = self.out.join(DATABASE);
                let database = Database::open(&path)?;
                let outcomes = database.outcomes(&self.name, &setups)?;
                let list = database.begin(&self.name, &setups)?;
                self.test(&event, claims, &list, outcomes)?
            }
        };
        let found = standing.verdict;
        let report = Report {
            first: &self.first,
            second: &self.second,
            claims,
            standing,
        };
        match self.json {
            true => write_json(out, &report)?,
            false => write_text(out, &report)?,
        }
        Ok(match interrupted {
            true => Verdict::Interrupted,
            false => (found == Found::Better).into(),
        })
    }

    fn claims(&self) -> anyhow::Result<Claims> {
        let percent = 0.0..=100.0;
        if !(percent.contains(&self.low) && percent.contains(&self.high) && self.low < self.high) {
            bail!("--low and --high are percentages, the first below the second");
        }
        if !(1e-9..0.5).contains(&self.error) {
            bail!("--error is a probability between 0 and 0.5");
        }
        Ok(Claims {
            low: self.low / 100.0,
            high: self.high / 100.0,
            error: self.error,
        })
    }

    /// The tournament that is played, as its file would be.
    fn file(&self) -> anyhow::Result<String> {
        let games: Vec<&str> = match self.games.is_empty() {
            true => GAMES.to_vec(),
            false => self.games.iter().map(String::as_str).collect(),
        };
        let mut texts = vec![self.first.as_str(), &self.second];
        texts.extend(&games);
        if texts.iter().any(|text| text.contains(char::is_control)) {
            bail!("names of games and players have no control characters");
        }
        let thinking = match (self.seconds, self.simulations) {
            (_, Some(simulations)) => format!("simulations = {simulations}"),
            (seconds, None) => format!("seconds = {:?}", seconds.unwrap_or(0.1)),
        };
        // By simulations alone, nothing is to depend on the clock.
        let start = match self.simulations {
            Some(_) => String::new(),
            None => format!("start = {{ seconds = {:?} }}\n", self.start),
        };
        Ok(format!(
            "title = \"A sequential test\"\ngames = {games:?}\nseed = {}\nrounds = {}\n\
             seats = \"balanced\"\n{thinking}\ncpu = {}\n{start}opening = {}\n\
             [players]\nA = {:?}\nB = {:?}\n",
            self.seed, self.pairs, self.cpu, self.opening, self.first, self.second
        ))
    }

    /// Plays until the test is decided; what was found, and whether it was interrupted.
    fn test(
        &self,
        event: &PlannedTournament,
        claims: Claims,
        list: &dyn WorkList,
        outcomes: Vec<Outcome>,
    ) -> anyhow::Result<(Standing, bool)> {
        let PlannedTournament {
            tournament,
            plan,
            tables,
        } = event;
        let list = Sequential::new(claims, plan, FIRST, list, outcomes);
        if self.report_only {
            return Ok((list.standing(), false));
        }
        let note = "no other match is begun, and the report follows when those that are played end";
        let interrupt = on_interrupt(note)?;
        let options = RunOptions {
            jobs: self.jobs.unwrap_or_else(|| event.usual_jobs()).max(1),
            at_most: None,
            records: false,
            wait: self.database.is_some(),
            interrupt: interrupt.clone(),
        };
        let bar: Mutex<Option<Progress>> = Mutex::default();
        let progress = |done: usize, all: usize| {
            if let Ok(mut bar) = bar.lock() {
                let bar = bar.get_or_insert_with(|| {
                    Progress::resumed(Some(all as u64), done as u64, "matches at most")
                });
                bar.set(done as u64);
            }
        };
        tournament::run(tournament, plan, tables, &list, &options, &progress)?;
        Ok((list.standing(), interrupt.load(Ordering::Relaxed)))
    }
}

fn write_text(out: &mut dyn Write, report: &Report<'_>) -> anyhow::Result<()> {
    let Report {
        first,
        second,
        claims,
        standing,
    } = report;
    writeln!(out, "A {first}\nB {second}\n")?;
    let width = standing.games.iter().map(|game| game.game.len()).max();
    let width = width.unwrap_or(4).max(4);
    writeln!(
        out,
        "{:<width$} {:>6} {:>7} {:>6}",
        "game", "pairs", "A has", "±"
    )?;
    let mut games: Vec<_> = standing.games.iter().collect();
    games.sort_by(|one, other| other.points.total_cmp(&one.points));
    for game in games {
        let told = match (game.points - 50.0) / game.error.max(1e-9) {
            surely if surely >= 2.0 => "gained",
            surely if surely <= -2.0 => "lost",
            _ => "",
        };
        let line = format!(
            "{:<width$} {:>6} {:>6.1}% {:>6.1} {told}",
            game.game, game.pairs, game.points, game.error
        );
        writeln!(out, "{}", line.trim_end())?;
    }
    writeln!(
        out,
        "{:<width$} {:>6} {:>6.1}% {:>6.1}\n",
        "all", standing.pairs, standing.points, standing.error
    )?;
    let (low, high) = (100.0 * claims.low, 100.0 * claims.high);
    let found = match standing.verdict {
        Found::Better => format!("A is better: {high:.1} % of the points rather than {low:.1} %"),
        Found::NotBetter => {
            format!("A is not better: {low:.1} % of the points rather than {high:.1} %")
        }
        Found::Open => format!("not decided between {low:.1} % and {high:.1} % of the points"),
    };
    let (least, most) = standing.bounds;
    let ratio = standing.ratio;
    writeln!(
        out,
        "{found} (log of the likelihoods {ratio:.2}, decided beyond {least:.2} and {most:.2})"
    )
    .context("cannot write the report")
}
