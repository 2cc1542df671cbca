//! The samples to take.

use std::collections::BTreeSet;

use super::data::{Effort, EngineEntry, Measure, Measurements, Place, TableData};
use crate::contest::game_seed;

/// A sample to take.
#[derive(Clone, Debug)]
pub struct Task {
    /// What is measured.
    pub measure: Measure,
    /// Where it begins.
    pub at: Place,
    /// How deep node counts go.
    pub depth: u32,
    /// The game.
    pub game: String,
    /// How the engine is written.
    pub engine: String,
    /// The round, from 0.
    pub round: u32,
    /// CPU seconds.
    pub seconds: f64,
    /// Recorded matches of which one position each is taken.
    pub positions: usize,
    /// The seed of the study.
    pub seed: u64,
}

impl Task {
    /// What tells it from all others.
    pub fn fingerprint(&self) -> String {
        let Self {
            game,
            engine,
            round,
            seconds,
            positions,
            seed,
            ..
        } = self;
        let place = self.at.name();
        match self.measure {
            Measure::Load => format!("load {game} with {engine}"),
            Measure::Nodes => format!(
                "nodes of {game} at {place}, depth {}, {positions} positions, with {engine}, seed {seed}",
                self.depth
            ),
            Measure::Playouts | Measure::Minimax => {
                let what = match self.measure {
                    Measure::Minimax => "minimax",
                    _ => "playouts",
                };
                format!(
                    "{what} of {game} at {place}, {positions} positions, with {engine}, {seconds} s, seed {seed}, round {round}"
                )
            }
        }
    }

    /// Where its random choices come from; those of all engines in a round are the same.
    pub(super) fn chance(&self) -> u64 {
        game_seed(self.seed, &self.game, self.round)
    }
}

/// The samples of a game: round after round, and in each round all engines in turn, in an order
/// that changes from round to round.
pub(super) fn tasks_of_game(
    study: &Measurements,
    effort: &Effort,
    game: &str,
    seed: u64,
) -> Vec<Task> {
    let (mut tasks, mut seen) = (Vec::new(), BTreeSet::new());
    for round in 0..effort.rounds {
        for table in &study.tables {
            let games = study.games_of(table, effort);
            if !games.iter().any(|other| other == game) {
                continue;
            }
            let mut engines = study.engines_of(table);
            let turn = round as usize % engines.len();
            engines.rotate_left(turn);
            for entry in engines {
                let task = task(table, effort, game, entry, round, seed);
                if seen.insert(task.fingerprint()) {
                    tasks.push(task);
                }
            }
        }
    }
    tasks
}

/// The sample of a figure in a round.
pub(super) fn task(
    table: &TableData,
    effort: &Effort,
    game: &str,
    entry: &EngineEntry,
    round: u32,
    seed: u64,
) -> Task {
    Task {
        measure: table.measure,
        at: table.at,
        depth: table.depths.get(game).copied().unwrap_or(0),
        game: game.to_owned(),
        engine: entry.engine.clone(),
        round,
        seconds: effort.seconds,
        positions: match table.at {
            Place::Start => 1,
            _ => effort.positions,
        },
        seed,
    }
}
