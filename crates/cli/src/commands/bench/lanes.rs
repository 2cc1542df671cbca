//! How fast playouts in lanes are that look a move ahead or weigh moves, beside uniform ones.

use std::io::Write;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use cpu_time::ProcessTime;
use paidia_accel::{Batches, Decisive, Draws};
use paidia_arena::engine::{self, Engine, Machine, Purpose};
use paidia_arena::rules::Ruleset;
use paidia_arena::table::aligned;
use paidia_game::{Effort, Extent};
use paidia_gdl::grounding;
use serde::Serialize;

use crate::terminal::Progress;
use crate::text;

/// Joint moves after which a playout is cut.
const STEP_LIMIT: u32 = 1_000;

/// The kinds of playouts beside uniform ones.
const KINDS: [(&str, Draws); 4] = [
    ("own", draws(Decisive::Own, false)),
    ("both", draws(Decisive::Both, false)),
    ("weighted", draws(Decisive::No, true)),
    ("both, weighted", draws(Decisive::Both, true)),
];

const fn draws(decisive: Decisive, is_weighted: bool) -> Draws {
    Draws {
        decisive,
        is_weighted,
    }
}

/// The rates of some games.
#[derive(Serialize)]
pub(super) struct Lanes {
    seconds: f64,
    games: Vec<Row>,
    /// For each kind the geometric mean of its parts of the uniform rate, and of how many games.
    means: Vec<(&'static str, f64, usize)>,
}

#[derive(Serialize)]
struct Row {
    game: String,
    /// Uniform playouts a CPU second.
    uniform: f64,
    operations: usize,
    /// For each kind, the part of the uniform rate and of the operations; why not, if it cannot be
    /// had.
    kinds: Vec<Result<(f64, f64), String>>,
}

impl Lanes {
    /// Measures games whose rules become a network; others are left out.
    pub(super) fn measure(games: &[String], seconds: f64, seed: u64) -> anyhow::Result<Self> {
        let mut progress = Progress::new(Some(games.len() as u64), "games");
        let mut rows = Vec::new();
        for (number, game) in (1..).zip(games) {
            let rules = Ruleset::find(game)?;
            let spec = Engine::Batch.into();
            let budget = grounding::Budget::default();
            let loaded = engine::load_for(&spec, &rules, budget, Purpose::Playouts);
            if let Ok(loaded) = loaded
                && let Machine::Batch(batches) = &loaded.machine
            {
                rows.push(Row::measure(rules.name(), batches, seconds, seed));
            }
            progress.set(number);
        }
        let kinds = KINDS.iter().enumerate();
        let means = kinds.map(|(place, &(name, _))| {
            let parts = rows.iter().filter_map(|row| row.kinds[place].as_ref().ok());
            let logs: Vec<f64> = parts.map(|&(part, _)| part.max(1e-9).ln()).collect();
            let mean = logs.iter().sum::<f64>() / logs.len().max(1) as f64;
            (name, mean.exp(), logs.len())
        });
        Ok(Self {
            seconds,
            means: means.collect(),
            games: rows,
        })
    }

    /// The table for people.
    pub(super) fn write(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let mut head = vec![
            "game".to_owned(),
            "uniform/s".to_owned(),
            "operations".to_owned(),
        ];
        head.extend(KINDS.iter().map(|(name, _)| (*name).to_owned()));
        let mut lines = vec![head];
        for row in &self.games {
            let mut cells = vec![
                row.game.clone(),
                text::rounded(row.uniform),
                row.operations.to_string(),
            ];
            cells.extend(row.kinds.iter().map(|kind| match kind {
                Ok((part, _)) => format!("{part:.2}"),
                Err(_) => "-".to_owned(),
            }));
            lines.push(cells);
        }
        for line in aligned(&lines, 2) {
            writeln!(out, "{line}")?;
        }
        writeln!(out)?;
        for row in &self.games {
            if let Some(Err(reason)) = row.kinds.get(1) {
                writeln!(out, "{}: no look ahead, since {reason}", row.game)?;
            }
        }
        writeln!(out)?;
        for (name, mean, games) in &self.means {
            writeln!(
                out,
                "{name}: {mean:.2} of the uniform rate in the geometric mean over {games} games"
            )?;
        }
        Ok(())
    }
}

impl Row {
    fn measure(name: &str, batches: &Batches, seconds: f64, seed: u64) -> Self {
        let uniform = rate(batches, Draws::PLAIN, seconds, seed);
        let operations = batches.operations(Draws::PLAIN);
        let kinds = KINDS.iter().map(|&(_, draws)| {
            let foreseen = batches.foresees(draws.decisive);
            foreseen.map_err(|reason| reason.to_string())?;
            let part = rate(batches, draws, seconds, seed) / uniform.max(1e-9);
            let size = batches.operations(draws) as f64 / operations.max(1) as f64;
            Ok((part, size))
        });
        Self {
            kinds: kinds.collect(),
            game: name.to_owned(),
            uniform,
            operations,
        }
    }
}

/// Playouts a CPU second.
fn rate(batches: &Batches, draws: Draws, seconds: f64, seed: u64) -> f64 {
    let effort = Effort {
        extent: Extent::Time(Duration::from_secs_f64(seconds)),
        threads: 1,
        seed,
        step_limit: STEP_LIMIT,
    };
    batches.prepare_by(draws);
    let cpu = ProcessTime::now();
    let (start, never) = (batches.initial(), AtomicBool::new(false));
    let figures = batches.simulate_by(draws, &start, effort, &mut |_| {}, &never);
    figures.playouts as f64 / cpu.elapsed().as_secs_f64().max(1e-9)
}
