//! How fast players search, beside the playouts that their engine makes without a search.

use std::collections::BTreeMap;
use std::io::Write;

use paidia_arena::engine::Engine;
use serde::{Deserialize, Serialize};

use super::{Bench, run};
use crate::terminal::Progress;
use crate::text;

/// The players that are measured if none is named: plain UCT, the default player, and the same with
/// a leaf for every lane.
const USUAL: &[&str] = &[
    "uct",
    "paidia(threads=1)",
    "paidia(threads=1, leaves=256)",
    "paidia(threads=2)",
];

/// The games that are measured if none is named.
pub(super) const GAMES: &[&str] = &["connect-four", "breakthrough", "othello", "chess"];

/// How fast players search.
#[derive(Serialize)]
pub(super) struct Searches {
    seconds: f64,
    rows: Vec<Row>,
}

/// The engine of a game, and the players with it.
#[derive(Serialize)]
struct Row {
    game: String,
    /// Playouts a CPU second one by one, and many side by side.
    scalar: Option<f64>,
    batch: Option<f64>,
    players: Vec<Searched>,
}

/// A player on a game.
#[derive(Serialize)]
struct Searched {
    player: String,
    #[serde(flatten)]
    search: Option<Search>,
    error: Option<String>,
}

/// What `paidia analyse --json` says, as far as it matters here.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Search {
    simulations: u64,
    playouts: u64,
    wall_s: f64,
    simulations_per_cpu_s: f64,
    playouts_per_cpu_s: f64,
    nodes: u64,
    /// What part of the time was spent on what.
    shares: BTreeMap<String, f64>,
}

impl Searches {
    /// Measures each player once on each game, in processes of their own.
    pub(super) fn measure(bench: &Bench, games: &[String]) -> anyhow::Result<Self> {
        let given: Vec<&str> = bench.player.iter().map(String::as_str).collect();
        let players = if given.is_empty() { USUAL } else { &given[..] };
        let mut progress = Progress::new(Some(games.len() as u64), "games");
        let mut rows = Vec::new();
        for game in games {
            rows.push(Row::measure(bench, game, players)?);
            progress.set(rows.len() as u64);
        }
        Ok(Self {
            seconds: bench.seconds,
            rows,
        })
    }

    /// Whether every player searched every game.
    pub(super) fn all_searched(&self) -> bool {
        let mut players = self.rows.iter().flat_map(|row| &row.players);
        players.all(|player| player.error.is_none())
    }

    /// The table for people.
    pub(super) fn write(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let rate = |rate: Option<f64>| rate.map_or("-".to_owned(), grouped);
        for row in &self.rows {
            writeln!(
                out,
                "{}: playouts a CPU second {} one by one, {} side by side",
                row.game,
                rate(row.scalar),
                rate(row.batch)
            )?;
            for searched in &row.players {
                searched.write(out, row)?;
            }
        }
        Ok(())
    }
}

impl Row {
    fn measure(bench: &Bench, game: &str, players: &[&str]) -> anyhow::Result<Self> {
        let engine = |engine: Engine| bench.network.applied_to(&engine.into());
        let pure = |pure| -> anyhow::Result<Option<f64>> {
            let child = bench.child(game, &engine(pure), bench.seconds, None)?;
            Ok(child.ok().and_then(|child| child.playouts_per_cpu_s))
        };
        let (scalar, batch) = (pure(Engine::Propnet)?, pure(Engine::Batch)?);
        let mut searched = Vec::new();
        for &player in players {
            let mut command =
                bench.command("analyse", game, &engine(Engine::Auto), bench.seconds)?;
            command.args(["--player", player]);
            let (search, error) = match run::report_of(command)? {
                Ok(search) => (Some(search), None),
                Err(error) => (None, Some(text::error_in_words(&error))),
            };
            searched.push(Searched {
                player: player.to_owned(),
                search,
                error,
            });
        }
        Ok(Self {
            game: run::name_of(game),
            scalar,
            batch,
            players: searched,
        })
    }
}

impl Searched {
    fn write(&self, out: &mut dyn Write, row: &Row) -> anyhow::Result<()> {
        let Some(search) = &self.search else {
            let error = self.error.as_deref().unwrap_or_default();
            return Ok(writeln!(
                out,
                "  {}: {}",
                self.player,
                error.replace('\n', " ")
            )?);
        };
        // A player with no more playouts than simulations makes them one by one; some simulations
        // end in the tree and need none.
        let (rate, pure, whose) = if search.playouts <= search.simulations {
            (search.simulations_per_cpu_s, row.scalar, "one by one")
        } else {
            (search.playouts_per_cpu_s, row.batch, "side by side")
        };
        let part = pure.map_or("-".to_owned(), |pure| {
            format!("{:.0} %", 100.0 * rate / pure)
        });
        writeln!(
            out,
            "  {}: {} simulations and {} playouts a CPU second ({part} of {whose}), {} playouts a second of the clock",
            self.player,
            grouped(search.simulations_per_cpu_s),
            grouped(search.playouts_per_cpu_s),
            grouped(search.playouts as f64 / search.wall_s.max(1e-9)),
        )?;
        if !search.shares.is_empty() {
            let shares = search.shares.iter();
            let shares = shares.map(|(part, share)| (part.as_str(), *share));
            writeln!(out, "    {}", text::shares(shares))?;
        }
        Ok(())
    }
}

fn grouped(rate: f64) -> String {
    text::grouped(rate as u128)
}
