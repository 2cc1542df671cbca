//! `paidia bench`: how fast the engines are, game by game.
//!
//! Every figure comes from a run of `paidia simulate` in a process of its own, so that the memory
//! of one game is not counted for the next, and whatever one game does, the table goes on.

mod lanes;
mod loads;
mod rates;
mod run;
mod search;
mod signature;
mod table;
mod video;

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Args;
use paidia_accel::Backend;
use paidia_arena::engine::{Engine, EngineSpec};
use paidia_arena::rules::{RuleText, sheets};
use serde::Serialize;

use super::write_json;
use crate::engine::{EngineList, EngineListParser, NetworkOptions, seconds};
use crate::terminal::Progress;
use crate::{Verdict, text};
use lanes::Lanes;
use loads::Loads;
use rates::{Rates, Ratios, Summary};
use run::{Child, Run};
use search::Searches;
use signature::Signature;

/// Measures engines on games: playouts a CPU second, load time, memory, gates
#[derive(Args)]
#[command(after_help = "Examples:
  paidia bench                                         all bundled games, all engines
  paidia bench chess othello --engine propnet,batch    two games, two engines
  paidia bench hex --engine 'compiled,compiled(cut=off)'
                                                       one engine with and without one of its optimisations
  paidia bench --corpus DIR --table --runs 3           the games of the reference table from DIR/gdl, and how many times
                                                       as fast as other programs we are
  paidia bench --corpus DIR hex --engine batch         the game DIR/gdl/hex.kif
  paidia bench --corpus DIR --loads --list loads.csv   what loading each game in DIR/gdl costs
  paidia bench --corpus VIDEO                          video games: copies and advances, beside those of GVGAI
  paidia bench --lanes --seconds 0.3                   what it costs playouts to see a move ahead, or to weigh moves
  paidia bench --signature                             a number that changes where play does
  paidia bench --search --seconds 2                    how fast players search, beside playouts without a search

Where the processor has AVX-512, batches are measured with AVX2 too, in turns with it.

Rates count CPU time, so they suffer less than the clock from what else the machine does. With --runs, they are medians, and
`±` is half of the way from the slowest to the fastest run.")]
pub(crate) struct Bench {
    /// Bundled games or rule files; with --corpus, names of rule files there
    #[arg(value_name = "GAME")]
    games: Vec<String>,

    /// The engines to measure, each written `name` or `name(key=value, ...)`, with commas between
    /// them; may be repeated
    #[arg(long, value_name = "ENGINE", value_parser = EngineListParser, default_value = "reference,compiled,propnet,batch")]
    engine: Vec<EngineList>,

    #[command(flatten)]
    network: NetworkOptions,

    /// How long each run starts playouts
    #[arg(long, value_name = "S", default_value_t = 1.0, value_parser = seconds)]
    seconds: f64,

    /// How many runs
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    runs: u16,

    /// How many threads play
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,

    /// Where the random choices come from
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Take games from a folder with `gdl` in it: those named, or all
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,

    /// The games of the reference table, and comparisons with it
    #[arg(long, requires = "corpus", conflicts_with = "games")]
    table: bool,

    /// Compare with the rates of this table instead of the one that is built in
    #[arg(long, value_name = "FILE")]
    reference: Option<PathBuf>,

    /// Only load the games as networks: what time and memory that takes, or why it cannot be done
    #[arg(long, conflicts_with_all = ["table", "reference", "engine"])]
    loads: bool,

    /// With --loads, write a line for each game to this file, as comma-separated values
    #[arg(long, value_name = "FILE", requires = "loads")]
    list: Option<PathBuf>,

    /// How fast players search; four games if none is named
    #[arg(long, conflicts_with_all = ["table", "reference", "engine", "loads", "runs", "threads"])]
    search: bool,

    /// How fast playouts in lanes are that look a move ahead or weigh moves, as parts of the
    /// uniform rate, with the geometric mean, and why others cannot
    #[arg(long, conflicts_with_all = ["table", "reference", "engine", "loads", "search", "signature", "runs", "threads"])]
    lanes: bool,

    /// A number from fixed searches of the default player over twenty games, or those named: it
    /// stays as it is as long as play does
    #[arg(long, conflicts_with_all = ["table", "reference", "engine", "loads", "search", "runs", "threads"])]
    signature: bool,

    /// With --search, players to measure, written `name(key=value, ...)`, may be repeated; with
    /// --signature the player
    #[arg(long, value_name = "PLAYER")]
    player: Vec<String>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    seconds: f64,
    runs: u16,
    threads: u16,
    seed: u64,
    /// Whether rules and batches run as machine code, and if not, why.
    native: String,
    rows: Vec<Row>,
    summaries: Vec<Summary>,
}

/// One engine on one game.
#[derive(Serialize)]
struct Row {
    game: String,
    /// The engine that was asked for.
    asked: String,
    #[serde(flatten)]
    run: Option<Run>,
    /// How many times as fast as others.
    ratios: Option<Ratios>,
    /// The same playouts with AVX2, where the run was with AVX-512.
    #[serde(flatten)]
    narrow: Option<Narrow>,
    error: Option<String>,
}

/// Playouts with AVX2, beside those with AVX-512.
#[derive(Clone, Copy, Serialize)]
struct Narrow {
    avx2_playouts_per_cpu_s: f64,
    /// How many times as fast AVX-512 is.
    avx512_by_avx2: f64,
}

impl Bench {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<Verdict> {
        if let Some(folder) = self
            .corpus
            .as_deref()
            .filter(|folder| video::is_one(folder))
        {
            return Ok(video::run(folder, &self.games, self.seconds, self.json, out)?.into());
        }
        if self.signature {
            return self.sign(out);
        }
        if !self.player.is_empty() && !self.search {
            bail!("--player goes with --search or --signature");
        }
        let rates = self.rates()?;
        let games = self.games(rates.as_ref())?;
        if self.loads {
            return self.load(&games, out);
        }
        if self.lanes {
            let lanes = Lanes::measure(&games, self.seconds, self.seed)?;
            match self.json {
                true => write_json(out, &lanes)?,
                false => lanes.write(out)?,
            }
            return Ok(Verdict::Yes);
        }
        if self.search {
            let searches = Searches::measure(self, &games)?;
            if self.json {
                write_json(out, &searches)?;
            } else {
                searches.write(out)?;
            }
            return Ok(searches.all_searched().into());
        }
        let rows = self.measure(&games, rates.as_ref())?;
        let failed = rows.iter().all(|row| row.error.is_some());
        let report = Report {
            seconds: self.seconds,
            runs: self.runs,
            threads: self.threads,
            seed: self.seed,
            native: paidia_accel::native_in_words(),
            summaries: rates::summaries(&rows),
            rows,
        };
        if self.json {
            write_json(out, &report)?;
        } else {
            table::write_table(out, &report)?;
        }
        Ok((!failed).into())
    }

    /// Tells the number of the fixed searches.
    fn sign(&self, out: &mut dyn Write) -> anyhow::Result<Verdict> {
        let player = match self.player.as_slice() {
            [] => "paidia",
            [player] => player,
            _ => bail!("--signature is of one player"),
        };
        let signature = Signature::measure(&self.games, &player.parse()?)?;
        if self.json {
            write_json(out, &signature)?;
        } else {
            signature.write(out)?;
        }
        Ok(Verdict::Yes)
    }

    /// Says what loading costs; whether all games could be loaded.
    fn load(&self, games: &[String], out: &mut dyn Write) -> anyhow::Result<Verdict> {
        let loads = Loads::measure(self, games)?;
        if let Some(path) = &self.list {
            std::fs::write(path, loads.csv())
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        if self.json {
            write_json(out, &loads)?;
        } else {
            loads.write_summary(out)?;
        }
        Ok(loads.all_loaded().into())
    }

    fn rates(&self) -> anyhow::Result<Option<Rates>> {
        match &self.reference {
            Some(path) => Rates::read(path).map(Some),
            None if self.table => Rates::built_in().map(Some),
            None => Ok(None),
        }
    }

    /// The games by name or path.
    fn games(&self, rates: Option<&Rates>) -> anyhow::Result<Vec<String>> {
        let named = match rates {
            Some(rates) if self.table => rates.games(),
            _ => self.games.clone(),
        };
        let games = match &self.corpus {
            Some(folder) if named.is_empty() => sheets(folder)?,
            Some(folder) => {
                let path = |name: &String| folder.join("gdl").join(format!("{name}.kif"));
                let paths = named.iter().map(path);
                paths.map(|path| path.display().to_string()).collect()
            }
            None if named.is_empty() && self.search => {
                search::GAMES.iter().map(ToString::to_string).collect()
            }
            None if named.is_empty() => {
                let bundled = paidia_library::sheets();
                bundled.map(|game| game.name.to_owned()).collect()
            }
            None => named,
        };
        if games.is_empty() {
            bail!("the table has no games");
        }
        // Each is read once more by every run, in a process of its own: what cannot be read is said
        // before anything is measured.
        for game in &games {
            if is_pipe(game) {
                bail!("{game} can be read once only, and each run reads it: write it to a file");
            }
            RuleText::find(game)?;
        }
        Ok(games)
    }

    /// Runs everything once, then once more, and so on: what disturbs the machine for a while does
    /// not hit all runs of one game.
    fn measure(&self, games: &[String], rates: Option<&Rates>) -> anyhow::Result<Vec<Row>> {
        let engines = self.engine.iter().flat_map(|list| &list.0);
        let engines: Vec<EngineSpec> = engines
            .map(|engine| self.network.applied_to(engine))
            .collect();
        let pairs: Vec<(&String, &EngineSpec)> = games
            .iter()
            .flat_map(|game| engines.iter().map(move |engine| (game, engine)))
            .collect();
        let mut children: Vec<Vec<anyhow::Result<Child>>> =
            pairs.iter().map(|_| Vec::new()).collect();
        let mut narrow: Vec<Vec<anyhow::Result<Child>>> =
            pairs.iter().map(|_| Vec::new()).collect();
        // In turns, so that both see the same machine.
        let is_wide = Backend::chosen()? == Backend::Avx512;
        let runs = usize::from(self.runs);
        let mut progress = Progress::new(Some((pairs.len() * runs) as u64), "runs");
        for run in 0..runs {
            for (place, &(game, engine)) in pairs.iter().enumerate() {
                children[place].push(self.child(game, engine, self.seconds, None)?);
                if is_wide && engine.engine() == Engine::Batch {
                    let child = self.child(game, engine, self.seconds, Some(Backend::Native))?;
                    narrow[place].push(child);
                }
                progress.set((run * pairs.len() + place + 1) as u64);
            }
        }
        let rows = pairs.iter().zip(children).zip(narrow);
        Ok(rows
            .map(|((&(game, engine), runs), narrow)| row(game, engine, runs, narrow, rates))
            .collect())
    }
}

/// Whether a game is standard input, or a pipe.
fn is_pipe(game: &str) -> bool {
    game == "-" || std::fs::metadata(game).is_ok_and(|what| !what.is_file() && !what.is_dir())
}

fn row(
    game: &str,
    asked: &EngineSpec,
    runs: Vec<anyhow::Result<Child>>,
    narrow: Vec<anyhow::Result<Child>>,
    rates: Option<&Rates>,
) -> Row {
    let mut name = run::name_of(game);
    let medians = |runs: Vec<anyhow::Result<Child>>| {
        let runs: anyhow::Result<Vec<Child>> = runs.into_iter().collect();
        runs.map(|runs| Run::of(&runs))
    };
    let run = medians(runs);
    let narrow = medians(narrow).ok().flatten();
    let (run, error) = match run {
        Ok(run) => (run, None),
        Err(error) => (None, Some(text::error_in_words(&error))),
    };
    if let Some(run) = &run {
        name.clone_from(&run.game);
    }
    let rivals = rates.and_then(|rates| rates.of(&name));
    let ratios = run
        .as_ref()
        .zip(rivals)
        .map(|(run, rivals)| Ratios::new(run, rivals));
    let narrow = run.as_ref().zip(narrow).map(|(run, narrow)| Narrow {
        avx2_playouts_per_cpu_s: narrow.playouts_per_cpu_s,
        avx512_by_avx2: run.playouts_per_cpu_s / narrow.playouts_per_cpu_s.max(1e-9),
    });
    Row {
        game: name,
        asked: asked.to_string(),
        run,
        narrow,
        ratios,
        error,
    }
}
