//! Random playouts of compiled rules as machine code, beside the same code run by its interpreter
//! and the reference engine: playouts per second of processor time.
//!
//! `cargo bench -p paidia-accel --bench native [-- SECONDS GAME...]`, where a game is the name of a
//! bundled one or the path of a rule sheet. With fewer seconds than a playout takes, at least eight
//! of them are run.

#[path = "../../reason/benches/common/mod.rs"]
mod common;

use std::path::Path;
use std::time::{Duration, Instant};

use common::{arguments, playouts, program};
use paidia_accel::native;
use paidia_game::Game;
use paidia_reason::{Compiled, Reference};

const GAMES: [&str; 6] = [
    "tic-tac-toe",
    "blocker",
    "connect-four-8x6",
    "breakthrough",
    "checkers",
    "skirmish",
];

fn main() {
    let (seconds, games) = arguments(&GAMES);
    println!(
        "{:20} {:>7} {:>9} {:>12} {:>10} {:>10} {:>11} {:>6}",
        "game",
        "load ms",
        "native ms",
        "instructions",
        "native/s",
        "compiled/s",
        "reference/s",
        "ratio"
    );
    for game in games {
        if let Err(problem) = measure(&game, seconds) {
            println!("{game:20} {problem}");
        }
    }
}

/// Playouts per second.
fn rate<G: Game>(game: &G, time: Duration) -> f64 {
    let (figures, seconds) = playouts(game, time);
    figures.playouts as f64 / seconds
}

fn measure(name: &str, time: Duration) -> Result<(), String> {
    let program = program(name)?;
    let short = Path::new(name)
        .file_stem()
        .map_or(name.into(), |stem| stem.to_string_lossy());
    let make = || Compiled::new(&short, &program).map_err(|problem| problem.to_string());
    let compiled = make()?;
    let started = Instant::now();
    let other = make()?;
    let load = started.elapsed();
    let started = Instant::now();
    let translated = native(other);
    let translation = started.elapsed();
    let reference = Reference::new(&short, &program).map_err(|problem| problem.to_string())?;
    let instructions = translated.instructions();
    let rates = (
        rate(&translated, time),
        rate(&compiled, time),
        rate(&reference, time),
    );
    println!(
        "{short:20} {:7} {:9} {instructions:12} {:10.1} {:10.1} {:11.1} {:6.2}",
        load.as_millis(),
        translation.as_millis(),
        rates.0,
        rates.1,
        rates.2,
        rates.0 / rates.2,
    );
    Ok(())
}
