//! Does a player keep to its memory? The process is watched while it plays.
//!
//! ```text
//! cargo run --release -p paidia-arena --example memory_check -- \
//!     --megabytes 50
//! cargo run --release -p paidia-arena --example memory_check -- \
//!     --megabytes 50 --player 'uct(threads=2)' --game othello --moves 30
//! ```
//!
//! The player plays the first role, the others move at random; a match that ends is started anew.
//! What counts is by how much the largest resident size of the process, as Linux tells it, is
//! larger than before the first search: that must be within the limit and a tenth.

#[path = "../common/bundled.rs"]
mod bundled;
#[path = "../common/mod.rs"]
mod common;

use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use paidia_arena::PlayerSpec;
use paidia_arena::catalogue::MEMORY;
use paidia_game::{Chance, Game, MoveId, RoleId, Rules, Walker};
use paidia_search::Budget;

#[derive(Parser)]
#[command(about = "Watches the memory of the process while a player plays")]
struct Arguments {
    /// The player; its memory is set
    #[arg(long, default_value = "paidia")]
    player: PlayerSpec,
    /// The game
    #[arg(long, default_value = "connect-four")]
    game: String,
    /// The limit
    #[arg(long, default_value_t = 50)]
    megabytes: u64,
    /// Moves
    #[arg(long, default_value_t = 60)]
    moves: usize,
    /// Seconds for each move
    #[arg(long, default_value_t = 1.0)]
    seconds: f64,
}

const MEGABYTE: f64 = (1 << 20) as f64;

fn main() -> ExitCode {
    let mut arguments = Arguments::parse();
    let limit = arguments.megabytes.to_string();
    match arguments.player.with(MEMORY.name, &limit) {
        Ok(player) => arguments.player = player,
        Err(bad) => {
            eprintln!("{bad}");
            return ExitCode::FAILURE;
        }
    }
    let Some(before) = resident("VmRSS:") else {
        eprintln!("this system does not tell how large a process is");
        return ExitCode::FAILURE;
    };
    let playable = bundled::load(&arguments.game);
    let mut player = common::search(&arguments.player, &playable, RoleId(0), 1);
    let game = &playable.game;
    let loaded = resident("VmRSS:").unwrap_or(before);
    let budget = Budget::time(Duration::from_secs_f64(arguments.seconds));
    let (mut walker, mut chance, mut state) = (game.walker(), Chance::from_seed(1), game.initial());
    for number in 1..=arguments.moves {
        if walker.is_terminal() {
            walker.jump(&game.initial());
        }
        walker.save(&mut state);
        let decision = player.choose(&state, budget);
        let mut joint: Vec<MoveId> = Vec::new();
        if walker.draw(&mut chance, &mut joint).is_err() {
            break;
        }
        joint[0] = decision.id;
        walker.advance(&joint, &mut chance);
        let now = resident("VmRSS:").unwrap_or(0.0) - loaded;
        let nodes = decision.report.nodes;
        println!("move {number:>3}: {nodes:>9} states in the tree, {now:>7.1} MB more than before");
    }
    let peak = resident("VmHWM:").unwrap_or(f64::INFINITY) - loaded;
    let allowed = arguments.megabytes as f64 * 1.1;
    println!("the game took {:.1} MB", loaded - before);
    println!("the player took {peak:.1} MB at most; {allowed:.1} MB are allowed");
    ExitCode::from(u8::from(peak > allowed))
}

/// A size of this process in megabytes, where the system tells (Linux does).
fn resident(field: &str) -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    let kibibytes: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024.0 / MEGABYTE)
}
