//! Random playouts of the forward engine in its three orders: thousands of states per second of
//! processor time, counted as the paper does, with the state at the start.
//!
//! `cargo bench -p paidia-reason --bench forward [-- SECONDS GAME...]`, where a game is the name of
//! a bundled one or the path of a rule sheet. The last three columns are without candidates: inputs
//! read all facts, as the paper has it.

mod common;

use std::path::Path;
use std::time::Duration;

use common::{arguments, playouts, program};
use paidia_gdl::program::Program;
use paidia_reason::Forward;
use paidia_reason::forward::{Options, Order};

const GAMES: [&str; 10] = [
    "tic-tac-toe",
    "connect-four-8x6",
    "hanoi",
    "breakthrough",
    "blocker",
    "chomp",
    "lights-out",
    "nine-board-tic-tac-toe",
    "peg-solitaire",
    "sheep-and-wolf",
];

fn main() {
    let (seconds, games) = arguments(&GAMES);
    println!(
        "{:24} {:>6} {:>6} {:>9} {:>6} {:>5} {:>8} {:>7} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}",
        "game",
        "stat s",
        "tab s",
        "tables kB",
        "kB",
        "rules",
        "untabled",
        "states",
        "best k/s",
        "original",
        "worst",
        "best",
        "original",
        "worst",
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
    let (game, best, states) = rate(&short, &program, Options::default(), time)?;
    let report = game.report();
    print!(
        "{short:24} {:6.2} {:6.2} {:9} {:6} {:5} {:8} {states:7.2} {best:8.1}",
        report.statistics.as_secs_f64(),
        report.building.as_secs_f64(),
        report.table_bytes / 1_000,
        report.knowledge_bytes / 1_000,
        report.rules,
        report.untabled,
    );
    let others = [
        (Order::Original, true),
        (Order::Worst, true),
        (Order::Best, false),
        (Order::Original, false),
        (Order::Worst, false),
    ];
    for (order, candidates) in others {
        let options = Options {
            order,
            candidates,
            ..Options::default()
        };
        print!(" {:8.1}", rate(&short, &program, options, time)?.1);
    }
    println!();
    Ok(())
}

/// The engine, its rate in thousands of states per second, and the states of a playout.
fn rate(
    name: &str,
    program: &Program,
    options: Options,
    time: Duration,
) -> Result<(Forward, f64, f64), String> {
    let game = Forward::with(name, program, options).map_err(|problem| problem.to_string())?;
    let (figures, seconds) = playouts(&game, time);
    let states = (figures.states + figures.playouts) as f64;
    Ok((
        game,
        states / seconds / 1_000.0,
        states / figures.playouts as f64,
    ))
}
