//! Does the player find the right column? Positions of Connect Four with their exact values, and a
//! player measured on them.
//!
//! ```text
//! cargo run --release -p paidia-arena --example connect_four_positions -- \
//!     measure --seconds 1
//! cargo run --release -p paidia-arena --example connect_four_positions -- \
//!     measure --player 'uct(exploration=60)' --simulations 2000
//! cargo run --release -p paidia-arena --example connect_four_positions -- verify
//! cargo run --release -p paidia-arena --example connect_four_positions -- openings
//! cargo run --release -p paidia-arena --example connect_four_positions -- \
//!     generate --seed 1 > crates/arena/examples/connect_four_positions/positions.txt
//! ```
//!
//! `measure` gives the player each position of `positions.txt` and tells how often its move keeps
//! the exact value. `verify` solves all of them again, `openings` compares the solver with what is
//! known about the start of the game, and `generate` makes the positions.

mod board;
#[path = "../common/bundled.rs"]
mod bundled;
#[path = "../common/mod.rs"]
mod common;
mod generate;
mod measure;
mod openings;
mod positions;
mod solver;

use std::time::Duration;

use clap::{Parser, Subcommand};
use paidia_arena::PlayerSpec;
use paidia_search::Budget;

use crate::positions::Position;
use crate::solver::Solver;

/// Positions that the solver's table has room for: 128 megabytes.
const TABLE: usize = 1 << 24;

#[derive(Parser)]
#[command(about = "Positions of Connect Four with exact values, and players measured on them")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Measures a player on the positions
    Measure {
        /// The player
        #[arg(long, default_value = "paidia")]
        player: PlayerSpec,
        /// Seconds for each move
        #[arg(long, default_value_t = 1.0, conflicts_with = "simulations")]
        seconds: f64,
        /// Simulations for each move, instead of time
        #[arg(long)]
        simulations: Option<u64>,
        /// Use every n-th position only
        #[arg(long, default_value_t = 1)]
        every: usize,
        /// What the player draws from
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Solves every position again
    Verify,
    /// Compares the solver with what is known about the start of the game; takes minutes
    Openings,
    /// Makes positions and prints them
    Generate {
        /// What is drawn from
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// How many
        #[arg(long, default_value_t = 200)]
        count: usize,
    },
}

fn main() {
    match Arguments::parse().task {
        Task::Measure {
            player,
            seconds,
            simulations,
            every,
            seed,
        } => {
            let budget = simulations.map_or_else(
                || Budget::time(Duration::from_secs_f64(seconds)),
                Budget::simulations,
            );
            let chosen: Vec<Position> =
                positions::all().into_iter().step_by(every.max(1)).collect();
            measure::print(&chosen, &player, budget, seed);
        }
        Task::Verify => {
            let mut solver = Solver::new(TABLE);
            let positions = positions::all();
            let wrong = positions
                .iter()
                .filter(|position| !position.is_right(&mut solver));
            println!(
                "{} of {} positions are wrong",
                wrong.count(),
                positions.len()
            );
        }
        Task::Openings => openings::print(&mut Solver::new(TABLE)),
        Task::Generate { seed, count } => generate::print(&mut Solver::new(TABLE), seed, count),
    }
}
