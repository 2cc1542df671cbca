//! Random playouts of the compiled engine beside the reference engine: playouts per second of
//! processor time.
//!
//! `cargo bench -p paidia-reason --bench compiled [-- SECONDS GAME...]`, where a game is the name
//! of a bundled one or the path of a rule sheet. With fewer seconds than a playout takes, at least
//! eight of them are run.

mod common;

use std::path::Path;
use std::time::{Duration, Instant};

use common::{arguments, playouts, program};
use paidia_reason::{Compiled, Reference};

const GAMES: [&str; 6] = [
    "tic-tac-toe",
    "blocker",
    "connect-four",
    "breakthrough",
    "checkers",
    "skirmish",
];

fn main() {
    let (seconds, games) = arguments(&GAMES);
    println!(
        "{:24} {:>7} {:>12} {:>11} {:>11} {:>6} {:>7}",
        "game", "load ms", "instructions", "compiled/s", "reference/s", "ratio", "length"
    );
    for game in games {
        if let Err(problem) = measure(&game, seconds) {
            println!("{game:24} {problem}");
        }
    }
}

fn measure(name: &str, time: Duration) -> Result<(), String> {
    let program = program(name)?;
    let short = Path::new(name)
        .file_stem()
        .map_or(name.into(), |stem| stem.to_string_lossy());
    let started = Instant::now();
    let game = Compiled::new(&short, &program).map_err(|problem| problem.to_string())?;
    let load = started.elapsed();
    let instructions = game.instructions();
    let (figures, seconds) = playouts(&game, time);
    let rate = figures.playouts as f64 / seconds;
    let reference = Reference::new(&short, &program).map_err(|problem| problem.to_string())?;
    let (others, other_seconds) = playouts(&reference, time);
    let other_rate = others.playouts as f64 / other_seconds;
    println!(
        "{short:24} {:7} {instructions:12} {rate:11.1} {other_rate:11.1} {:6.2} {:7.1}",
        load.as_millis(),
        rate / other_rate,
        figures.mean_length().unwrap_or_default(),
    );
    Ok(())
}
