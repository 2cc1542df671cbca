//! Random playouts of networks: joint moves per second of processor time.
//!
//! `cargo bench -p paidia-reason --bench propnet [-- SECONDS GAME...]`, where a game is the name of
//! a bundled one or the path of a rule sheet. Mean length and goal are printed too: with a given
//! seed they must not depend on how the engine works, as far as the same playouts were run.

mod common;

use std::path::Path;
use std::time::{Duration, Instant};

use common::{arguments, playouts, program};
use paidia_game::RoleId;
use paidia_gdl::grounding::Budget;
use paidia_reason::propnet::{Propnet, ground_game};

const GAMES: [&str; 8] = [
    "tic-tac-toe",
    "connect-four",
    "breakthrough",
    "knightthrough",
    "checkers",
    "othello",
    "hex-9x9",
    "eight-puzzle",
];

fn main() {
    let (seconds, games) = arguments(&GAMES);
    println!(
        "{:24} {:>7} {:>9} {:>7} {:>10} {:>11} {:>7} {:>7}",
        "game", "gates", "ground ms", "load ms", "moves/s", "playouts/s", "length", "goal"
    );
    for game in games {
        if let Err(problem) = measure(&game, seconds) {
            println!("{game:24} {problem}");
        }
    }
}

fn measure(name: &str, time: Duration) -> Result<(), String> {
    let started = Instant::now();
    let program = program(name)?;
    let short = Path::new(name)
        .file_stem()
        .map_or(name.into(), |stem| stem.to_string_lossy());
    let game =
        ground_game(&short, &program, Budget::default()).map_err(|problem| problem.to_string())?;
    let gates = game.network.gates();
    let ground = started.elapsed();
    let game = Propnet::new(game);
    let load = started.elapsed() - ground;
    let (figures, seconds) = playouts(&game, time);
    println!(
        "{short:24} {gates:7} {:9} {:7} {:10.0} {:11.0} {:7.1} {:7.2}",
        ground.as_millis(),
        load.as_millis(),
        figures.states as f64 / seconds,
        figures.playouts as f64 / seconds,
        figures.mean_length().unwrap_or_default(),
        figures.mean_goal(RoleId(0)).unwrap_or_default(),
    );
    Ok(())
}
