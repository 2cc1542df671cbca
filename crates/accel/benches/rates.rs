//! Playouts per CPU second of the batch engine, with what they are made of.
//!
//! `cargo bench -p paidia-accel -- GAME…`, where GAME is a bundled game or a rule file; without
//! any, a few bundled games. A line for each backend: operations a step, nanoseconds an operation
//! per 256 lanes, steps and playouts per second of processor time.

use std::sync::Arc;
use std::time::Duration;

use cpu_time::ProcessTime;
use paidia_accel::{Backend, Batch, BatchOptions, compile};
use paidia_game::{BatchPlayouts, Figures};
use paidia_gdl::Source;
use paidia_gdl::check::check_source;
use paidia_gdl::grounding::Budget;
use paidia_gdl::program::Program;
use paidia_reason::propnet::{Network, ground_game};

const GAMES: [&str; 4] = ["tic-tac-toe", "connect-four", "breakthrough", "othello"];

/// How long each measurement takes at least.
const TIME: Duration = Duration::from_millis(700);

fn main() {
    let given: Vec<String> = std::env::args()
        .skip(1)
        .filter(|name| !name.starts_with('-'))
        .collect();
    let names = if given.is_empty() {
        GAMES.map(String::from).to_vec()
    } else {
        given
    };
    println!(
        "{:24} {:>8} {:>7} {:>6} {:>9} {:>6} {:>8} {:>10} {:>11} {:>7}",
        "game",
        "gates",
        "ops",
        "goals",
        "backend",
        "blocks",
        "ns/op",
        "steps/s",
        "playouts/s",
        "length"
    );
    for name in names {
        match network(&name) {
            Ok(network) => measure(&name, &network),
            Err(because) => println!("{name:24} {because}"),
        }
    }
}

fn network(name: &str) -> Result<Network, String> {
    let text = match paidia_library::find(name) {
        Ok(game) => game.rules.to_owned(),
        Err(_) => std::fs::read_to_string(name).map_err(|error| error.to_string())?,
    };
    let (reading, report) = check_source(&Source::new(name, text), None);
    if report.has_errors() {
        return Err("has errors".into());
    }
    let program =
        Program::new(&reading.sheet, report.dialect).map_err(|error| error.to_string())?;
    let budget = Budget {
        time: Duration::from_secs(60),
        ..Budget::default()
    };
    let game = ground_game(name, &program, budget).map_err(|error| error.to_string())?;
    Ok(game.network)
}

fn measure(name: &str, network: &Network) {
    let stem = std::path::Path::new(name)
        .file_stem()
        .map_or(name.into(), |stem| stem.to_string_lossy());
    let wanted = std::env::var("PAIDIA_BACKEND");
    let is_wanted = |backend: &Backend| wanted.as_deref().is_ok_and(|name| name == backend.name());
    let backends = Backend::ALL
        .into_iter()
        .filter(|backend| backend.is_available() && (wanted.is_err() || is_wanted(backend)));
    for backend in backends {
        for blocks in [1, 4] {
            let start = ProcessTime::now();
            let program = Arc::new(compile(network, backend.order()));
            let compile_ms = start.elapsed().as_secs_f64() * 1e3;
            let options = BatchOptions {
                blocks,
                backend,
                ..BatchOptions::default()
            };
            let mut batch = Batch::with_program(Arc::clone(&program), options);
            let mut initial = vec![0u64; network.initial.len().div_ceil(64)];
            for (fluent, _) in network
                .initial
                .iter()
                .enumerate()
                .filter(|&(_, &holds)| holds)
            {
                initial[fluent / 64] |= 1 << (fluent % 64);
            }
            let mut figures = Figures::new(network.legal.len());
            let mut steps = 0u64;
            let start = ProcessTime::now();
            let elapsed = loop {
                if batch.open() < 1_000_000 {
                    batch.submit(&initial, 0, 1_000_000);
                }
                batch.tally(100, &mut figures);
                steps += 100;
                let elapsed = start.elapsed();
                if elapsed > TIME {
                    break elapsed.as_secs_f64();
                }
            };
            let (playouts, states) = (figures.playouts, figures.states);
            let words = (steps * blocks as u64) as f64;
            println!(
                "{stem:24} {:8} {:7} {:6} {:>9} {blocks:6} {:8.3} {:10.0} {:11.0} {:7.1} {compile_ms:10.2}",
                network.operations(),
                program.operations(),
                program.goal_operations(),
                backend.name(),
                elapsed * 1e9 / words / program.operations() as f64,
                states as f64 / elapsed,
                playouts as f64 / elapsed,
                states as f64 / playouts.max(1) as f64,
            );
        }
    }
}
