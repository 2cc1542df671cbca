//! Random play of the prover's variants beside the reference engine: states (joint moves made) per
//! second of processor time.
//!
//! `cargo bench -p paidia-reason --bench prover [-- SECONDS GAME...]`, where a game is the name of
//! a bundled one or the path of a rule sheet. A playout that is not over when the time is up counts
//! with the states that it has had.

mod common;

use std::path::Path;
use std::time::Duration;

use common::{arguments, program};
use cpu_time::ProcessTime;
use paidia_game::{Chance, Game, RoleId, Walker};
use paidia_reason::prover::{Options, StateStore};
use paidia_reason::{Prover, Reference};

const GAMES: [&str; 7] = [
    "tic-tac-toe",
    "connect-four-8x6",
    "breakthrough",
    "checkers",
    "othello",
    "blocker",
    "skirmish",
];

/// The variants that are measured: how the state is kept, and whether fixed relations are derived
/// once.
const VARIANTS: [(StateStore, bool); 4] = [
    (StateStore::Asserted, false),
    (StateStore::List, false),
    (StateStore::Naive, false),
    (StateStore::Asserted, true),
];

fn main() {
    let (seconds, games) = arguments(&GAMES);
    println!(
        "{:24} {:>11} {:>11} {:>11} {:>11} {:>11} {:>6}",
        "game", "asserted/s", "list/s", "naive/s", "fixed/s", "reference/s", "ratio"
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
    let mut rates = Vec::new();
    for (state, fixed) in VARIANTS {
        let options = Options {
            state,
            fixed,
            ..Options::default()
        };
        let game = Prover::with(&short, &program, options);
        rates.push(rate(&game.map_err(|problem| problem.to_string())?, time));
    }
    let reference = Reference::new(&short, &program).map_err(|problem| problem.to_string())?;
    rates.push(rate(&reference, time));
    print!("{short:24}");
    rates.iter().for_each(|rate| print!(" {rate:11.1}"));
    println!(" {:6.3}", rates[0] / rates[rates.len() - 1]);
    Ok(())
}

/// States a second in random play; goals are asked for at the end of a game.
fn rate<G: Game>(game: &G, time: Duration) -> f64 {
    let (mut walker, start) = (game.walker(), game.initial());
    let (mut chance, mut joint) = (Chance::from_seed(1), Vec::new());
    let (mut states, clock) = (0u64, ProcessTime::now());
    while clock.elapsed() < time {
        if walker.is_terminal() || walker.legal().draw(&mut chance, &mut joint).is_err() {
            walker.goal(RoleId(0));
            walker.jump(&start);
            continue;
        }
        walker.advance(&joint, &mut chance);
        states += 1;
    }
    states as f64 / clock.elapsed().as_secs_f64()
}
