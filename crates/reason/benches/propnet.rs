//! Random playouts of networks: joint moves per second of processor time.
//!
//! `cargo bench -p paidia-reason --bench propnet [-- SECONDS GAME...]`, where a game is the name of a bundled one or the path
//! of a rule sheet. Mean length and goal are printed too: with a given seed they must not depend on how the engine works, as far
//! as the same playouts were run.

use std::path::Path;
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use paidia_game::{Chance, Game, PlayoutRunner, RoleId};
use paidia_gdl::Source;
use paidia_gdl::check::check_source;
use paidia_gdl::grounding::Budget;
use paidia_gdl::program::Program;
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
    let mut arguments = std::env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with('-'));
    let seconds = arguments.next().and_then(|number| number.parse().ok());
    let seconds = Duration::from_secs_f64(seconds.unwrap_or(2.0));
    let mut games: Vec<String> = arguments.collect();
    if games.is_empty() {
        games = GAMES.map(str::to_owned).to_vec();
    }
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
    let mut runner = PlayoutRunner::new(&game, game.initial(), 1_000);
    let mut chance = Chance::from_seed(1);
    let start = ProcessTime::now();
    while start.elapsed() < time {
        (0..8).for_each(|_| {
            runner.run(&mut chance);
        });
    }
    let seconds = start.elapsed().as_secs_f64();
    let figures = runner.figures();
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

/// The program of a bundled game, or of the sheet at a path.
fn program(name: &str) -> Result<Program, String> {
    let text = match paidia_library::find(name) {
        Ok(bundled) => bundled.rules.to_owned(),
        Err(_) => std::fs::read_to_string(name).map_err(|problem| problem.to_string())?,
    };
    let (reading, report) = check_source(&Source::new(name, text), None);
    if report.has_errors() {
        return Err("the rules have errors".to_owned());
    }
    Program::new(&reading.sheet, report.dialect).map_err(|problem| problem.to_string())
}
