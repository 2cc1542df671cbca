//! A machine of 256 small cores, as a model: what the paper on UCT and the MPPA found, from the playouts of our engine.
//!
//! ```text
//! cargo run --release -p paidia-arena --example manycore -- --csv manycore.csv
//! ```
//!
//! Nobody here has such a machine, so its times are virtual: [`machine`] tells how a run goes and what it takes. How long playouts are and
//! how large the networks are is measured. `docs/methods/parallel-uct.md` has the figures beside the paper's.

#[path = "../common/ground.rs"]
mod ground;
mod machine;

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Parser;
use machine::{Load, Machine, Shape, Threads};
use paidia_game::{Chance, Game, PlayoutRunner};
use paidia_reason::propnet::{GroundGame, Propnet};

#[derive(Parser)]
#[command(about = "Playouts a second of a machine of 256 small cores, as a model")]
struct Arguments {
    /// Write a line for each game, number of clusters, number of threads and management to this file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
}

/// The paper's games, and how many times as fast all cores were as one.
const GAMES: [(&str, f64); 3] = [
    ("tic-tac-toe", 170.0),
    ("eight-puzzle", 133.0),
    ("breakthrough", 155.0),
];

/// Playouts whose lengths are measured.
const PLAYOUTS: usize = 4_096;

/// Joint moves after which a playout is cut.
const STEP_LIMIT: u32 = 1_000;

fn main() -> std::io::Result<()> {
    let arguments = Arguments::parse();
    let machine = Machine::PAPER;
    println!(
        "{:<22}{:>10}{:>8}{:>8}{:>11}{:>11}{:>9}{:>8}{:>11}",
        "game", "operations", "length", "1 core", "256 cores", "kept", "times", "part", "the paper"
    );
    let mut loads: Vec<Load> = Vec::new();
    for (game, paper) in GAMES {
        let load = load(game);
        show(&machine, &load, &format!("{paper:.0}"));
        loads.push(load);
    }
    let full = filled(&loads[0]);
    show(&machine, &full, "less");
    loads.push(full);
    for game in ["hex-7x7", "hex-9x9"] {
        let operations = bundled(game).network.operations();
        match machine.fit(operations) {
            Ok(()) => println!("{game:<22}{operations:>10}  fits into a cluster"),
            Err(refused) => println!("{game:<22}{operations:>10}  refused: {refused}"),
        }
    }
    for shape in [Shape::ONE, Shape::ALL] {
        let [few, many] = [200, 2_000].map(|bytes| machine.run(shape, bytes, 0.0));
        println!(
            "messages to {} x {} threads: 2,000 bytes take {:.2} times as long as 200",
            shape.clusters,
            shape.threads,
            many / few
        );
    }
    match &arguments.csv {
        Some(path) => std::fs::write(path, csv(&machine, &loads)),
        None => Ok(()),
    }
}

/// A bundled game as a network.
///
/// # Panics
/// If there is none: the games of the paper have one.
fn bundled(name: &str) -> GroundGame {
    let bundled = paidia_library::find(name).expect("the game is bundled");
    ground::ground(name, bundled.rules).expect("the game has a network")
}

/// What is known of a bundled game.
fn load(name: &'static str) -> Load {
    let ground = bundled(name);
    let (operations, fluents) = (ground.network.operations(), ground.fluents.len());
    let game = Propnet::new(ground);
    let mut runner = PlayoutRunner::new(&game, game.initial(), STEP_LIMIT);
    let mut chance = Chance::from_seed(1);
    Load {
        name,
        operations,
        message: fluents.div_ceil(8),
        lengths: (0..PLAYOUTS)
            .map(|_| runner.run(&mut chance).length)
            .collect(),
    }
}

/// Tic-tac-toe that goes on until the board is full.
fn filled(tic_tac_toe: &Load) -> Load {
    Load {
        name: "tic-tac-toe, filled",
        lengths: vec![9; tic_tac_toe.lengths.len()],
        ..tic_tac_toe.clone()
    }
}

fn show(machine: &Machine, load: &Load, paper: &str) {
    let rate = |shape, threads| machine.rate(shape, load, threads, machine::RUNS);
    let gain = machine.gain(Shape::ALL, load, Threads::Restarted);
    let length: u32 = load.lengths.iter().sum();
    println!(
        "{:<22}{:>10}{:>8.1}{:>8.0}{:>11.0}{:>11.0}{:>9.0}{:>6.0} %{:>11}",
        load.name,
        load.operations,
        f64::from(length) / load.lengths.len() as f64,
        rate(Shape::ONE, Threads::Restarted),
        rate(Shape::ALL, Threads::Restarted),
        rate(Shape::ALL, Threads::Polling),
        gain,
        100.0 * gain / Shape::ALL.cores() as f64,
        paper
    );
}

/// A line for everything.
fn csv(machine: &Machine, loads: &[Load]) -> String {
    let mut text = "game,clusters,threads,management,playouts_per_s\n".to_owned();
    for load in loads {
        for clusters in [1, 2, 4, 8, 16] {
            for threads in 1..=16 {
                for (kind, name) in [(Threads::Restarted, "restart"), (Threads::Polling, "keep")] {
                    let rate = machine.rate(Shape { clusters, threads }, load, kind, machine::RUNS);
                    // Writing to a string cannot fail.
                    let _ = writeln!(
                        text,
                        "\"{}\",{clusters},{threads},{name},{rate:.1}",
                        load.name
                    );
                }
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{Load, Machine, Shape, Threads, filled, load};

    const MACHINE: Machine = Machine::PAPER;

    fn part(load: &Load) -> f64 {
        MACHINE.gain(Shape::ALL, load, Threads::Restarted) / Shape::ALL.cores() as f64
    }

    #[test]
    fn playouts_are_as_long_as_in_the_paper() {
        let lengths = load("tic-tac-toe").lengths;
        assert!(lengths.iter().all(|length| (5..=9).contains(length)));
        assert!(lengths.contains(&5) && lengths.contains(&9));
        let lengths = load("eight-puzzle").lengths;
        let cut = lengths.iter().filter(|&&length| length == 60).count();
        assert!(cut * 100 >= lengths.len() * 99, "{cut}");
    }

    #[test]
    fn the_constants_give_the_figures_for_tic_tac_toe() {
        let game = load("tic-tac-toe");
        let rate = |shape| MACHINE.rate(shape, &game, Threads::Restarted, 500);
        let (one, all) = (rate(Shape::ONE), rate(Shape::ALL));
        assert!((400.0..500.0).contains(&one), "{one}");
        assert!((70_000.0..85_000.0).contains(&all), "{all}");
    }

    #[test]
    fn all_cores_are_used_by_more_than_half_and_long_playouts_use_them_better() {
        let games = ["tic-tac-toe", "eight-puzzle", "breakthrough"].map(load);
        let parts = games.each_ref().map(part);
        assert!(
            parts.iter().all(|part| (0.5..0.8).contains(part)),
            "{parts:?}"
        );
        let [_, puzzle, breakthrough] = parts;
        assert!(breakthrough > puzzle, "{breakthrough} and {puzzle}");
    }

    #[test]
    fn large_messages_matter_when_there_are_many() {
        let times = |shape| MACHINE.run(shape, 2_000, 0.0) / MACHINE.run(shape, 200, 0.0);
        assert!(times(Shape::ONE) < 1.2, "{}", times(Shape::ONE));
        let all = times(Shape::ALL);
        assert!((3.0..7.0).contains(&all), "{all}");
    }

    #[test]
    fn results_that_arrive_at_once_are_in_each_others_way() {
        let game = load("tic-tac-toe");
        let [usual, full] = [&game, &filled(&game)].map(part);
        assert!(full < usual, "{full} and {usual}");
    }

    #[test]
    fn threads_that_poll_slow_down_those_that_work() {
        let game = load("tic-tac-toe");
        for threads in 14..=16 {
            let shape = Shape {
                clusters: 16,
                threads,
            };
            let rate = |kind| MACHINE.rate(shape, &game, kind, 500);
            let (restarted, kept) = (rate(Threads::Restarted), rate(Threads::Polling));
            assert!(restarted >= kept, "{threads}: {restarted} and {kept}");
        }
    }

    #[test]
    fn rules_that_do_not_fit_are_refused() {
        for game in ["tic-tac-toe", "eight-puzzle", "breakthrough"] {
            assert_eq!(MACHINE.fit(load(game).operations), Ok(()), "{game}");
        }
        let refused = MACHINE.fit(1 << 20).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "the rules take 13631488 bytes, and a cluster has 2097152"
        );
    }
}
