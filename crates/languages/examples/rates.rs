//! How fast board games are played: random playouts, and positions by making and unmaking moves,
//! on one thread.
//!
//! ```console
//! $ cargo run --release -p paidia-languages --example rates -- 5 my-game.sbg other-game.sbg
//! ```
//!
//! The first number is the seconds for each measurement.

use std::env;
use std::fs;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use paidia_game::{Chance, PlayoutRunner, Rules};
use paidia_gdl::Source;
use paidia_gdl::render::render;
use paidia_languages::board::{self, BoardGame, BoardMove, Position};

fn main() -> ExitCode {
    let mut arguments = env::args().skip(1);
    let seconds = arguments.next().and_then(|text| text.parse::<f64>().ok());
    let Some(seconds) = seconds.filter(|seconds| (0.0..3600.0).contains(seconds)) else {
        eprintln!("usage: rates SECONDS FILE.sbg ...");
        return ExitCode::from(2);
    };
    println!(
        "{:24} {:>12} {:>12} {:>8} {:>12}",
        "game", "playouts/s", "moves/s", "length", "nodes/s"
    );
    for path in arguments {
        if let Err(error) = measure(&path, Duration::from_secs_f64(seconds)) {
            eprintln!("{path}: {error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

fn measure(path: &str, time: Duration) -> Result<(), String> {
    let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
    let source = Source::new(path, text);
    let reading = board::read(&source);
    if reading.has_errors() {
        return Err(render(&source, &reading.problems, false));
    }
    let name = reading.rules.name.clone();
    let game = BoardGame::new(&name, reading.rules).map_err(|error| error.to_string())?;

    let mut runner = PlayoutRunner::new(&game, game.initial(), u32::MAX);
    let mut chance = Chance::from_seed(1);
    let started = Instant::now();
    while started.elapsed() < time {
        (0..16).for_each(|_| _ = runner.run(&mut chance));
    }
    let (figures, spent) = (runner.figures(), started.elapsed().as_secs_f64());
    let length = figures.mean_length().unwrap_or_default();

    let mut tree = Tree {
        position: game.position(),
        moves: Vec::new(),
        nodes: 0,
    };
    let (started, mut depth) = (Instant::now(), 1);
    while started.elapsed() < time {
        tree.count(depth, started + time);
        depth += 1;
    }
    println!(
        "{name:24} {:>12.0} {:>12.0} {length:>8.1} {:>12.0}",
        figures.playouts as f64 / spent,
        figures.states as f64 / spent,
        tree.nodes as f64 / started.elapsed().as_secs_f64(),
    );
    Ok(())
}

/// Positions of all ways of a length, each of which is made and has its moves looked for.
struct Tree {
    position: Position,
    moves: Vec<BoardMove>,
    nodes: u64,
}

impl Tree {
    fn count(&mut self, depth: u32, until: Instant) {
        self.nodes += 1;
        if self.position.winner().is_some() || self.position.is_out_of_turns() {
            return;
        }
        let first = self.moves.len();
        self.position.moves(&mut self.moves);
        for place in first..self.moves.len() {
            // The clock is looked at seldom.
            if depth == 0 || self.nodes.is_multiple_of(4096) && Instant::now() > until {
                break;
            }
            let undo = self.position.make(self.moves[place]);
            self.count(depth - 1, until);
            self.position.unmake(undo);
        }
        self.moves.truncate(first);
    }
}
