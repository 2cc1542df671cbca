//! Random playouts of the incremental engine at three stages of a game, beside the paper's.
//!
//! `cargo bench -p paidia-reason --bench incremental [-- SECONDS GAME...]`, where a game is the
//! name of a bundled one or the path of a rule sheet. Rates are playouts in 5 s of processor time.
//! The stages are the start, and states a third and two thirds through a random playout, fifty of
//! each. `--without` compares the optimisations instead, each left out by itself.

mod common;

use std::path::Path;
use std::time::Duration;

use common::{arguments, playouts, program};
use cpu_time::ProcessTime;
use paidia_game::{Chance, Game, RoleId, Rules, Walker, playout};
use paidia_reason::Incremental;
use paidia_reason::incremental::Options;

/// Games with the paper's playouts in 5 s at its three stages.
const GAMES: [(&str, [Option<f64>; 3]); 5] = [
    ("tic-tac-toe", [Some(48.3e3), None, None]),
    ("connect-four", [Some(29.3e3), Some(33.7e3), Some(37.3e3)]),
    ("hex-7x7", [Some(7.19e3), Some(9.48e3), Some(12.7e3)]),
    ("y-36", [Some(10.3e3), Some(13.1e3), Some(17.4e3)]),
    ("othello", [Some(0.808e3), Some(1.13e3), Some(1.94e3)]),
];

const STAGES: [&str; 3] = ["early", "middle", "end"];

/// How many states stand for a stage.
const STATES: u32 = 50;

fn main() {
    let (time, games) = arguments(&GAMES.map(|(name, _)| name));
    let compare = std::env::args().any(|argument| argument == "--without");
    for game in games {
        let outcome = if compare {
            measure_without(&game, time)
        } else {
            measure(&game, time)
        };
        if let Err(problem) = outcome {
            println!("{game:16} {problem}");
        }
    }
}

fn load(name: &str, options: Options) -> Result<(String, Incremental), String> {
    let program = program(name)?;
    let short = Path::new(name)
        .file_stem()
        .map_or(name.into(), |stem| stem.to_string_lossy());
    let game =
        Incremental::with(&short, &program, options).map_err(|problem| problem.to_string())?;
    Ok((short.into_owned(), game))
}

fn measure(name: &str, time: Duration) -> Result<(), String> {
    let (name, game) = load(name, Options::default())?;
    let rules = game.stratified();
    println!(
        "{name}: {} rules, {} levels, {} recursive atoms",
        rules.rules(),
        rules.levels(),
        rules.recursive_atoms()
    );
    let published = GAMES.iter().find(|(other, _)| *other == name);
    for (number, stage) in STAGES.into_iter().enumerate() {
        let states = states(&game, number as u32);
        let sample = play(&game, &states, time);
        let rate = 5.0 * f64::from(sample.playouts) / sample.seconds;
        let paper = published.and_then(|(_, stages)| stages[number]);
        let times = paper.map_or(String::new(), |paper| {
            format!("{:6.1} x paper", rate / paper)
        });
        println!(
            "  {stage:8} {rate:12.0} playouts in 5 s {times:16} {:6.1} moves, a move: {:6.1} polls {:6.1} changes {:6.2} in heap",
            sample.each(sample.moves, sample.playouts.into()),
            sample.each(sample.polls, sample.moves),
            sample.each(sample.changes, sample.moves),
            sample.each(sample.heap, sample.moves),
        );
    }
    Ok(())
}

/// Playouts and what they took.
struct Sample {
    playouts: u32,
    moves: u64,
    seconds: f64,
    polls: u64,
    changes: u64,
    heap: u64,
}

impl Sample {
    fn each(&self, count: u64, of: u64) -> f64 {
        count as f64 / of.max(1) as f64
    }
}

/// States some thirds through random playouts.
fn states(game: &Incremental, thirds: u32) -> Vec<<Incremental as Rules>::State> {
    let mut chance = Chance::from_seed(2);
    let (mut walker, mut joint) = (game.walker(), Vec::new());
    let initial = game.initial();
    let state = |_| {
        let before = chance.clone();
        walker.jump(&initial);
        let length = playout(&mut walker, &mut joint, 1_000, &mut chance).length;
        walker.jump(&initial);
        playout(
            &mut walker,
            &mut joint,
            length * thirds / 3,
            &mut before.clone(),
        );
        let mut state = initial.clone();
        walker.save(&mut state);
        state
    };
    (0..STATES).map(state).collect()
}

fn play(game: &Incremental, states: &[<Incremental as Rules>::State], time: Duration) -> Sample {
    let (mut walker, mut joint) = (game.walker(), Vec::new());
    let mut chance = Chance::from_seed(1);
    let before = walker.work();
    let start = ProcessTime::now();
    let (mut playouts, mut moves) = (0, 0);
    while start.elapsed() < time {
        for state in states {
            walker.jump(state);
            moves += u64::from(playout(&mut walker, &mut joint, 1_000, &mut chance).length);
            (0..game.facts().roles.len() as u16).for_each(|role| {
                walker.goal(RoleId(role));
            });
            playouts += 1;
        }
    }
    let work = walker.work();
    Sample {
        playouts,
        moves,
        seconds: start.elapsed().as_secs_f64(),
        polls: work.polls - before.polls,
        changes: work.changes - before.changes,
        heap: work.heap - before.heap,
    }
}

/// The rate with all optimisations, and how much of it is left without each.
fn measure_without(name: &str, time: Duration) -> Result<(), String> {
    let all = Options::default();
    let none = Options {
        levels: false,
        support: false,
        queue: false,
        count: false,
        lazy: false,
    };
    let settings = [
        ("all", all),
        (
            "levels",
            Options {
                levels: false,
                ..all
            },
        ),
        (
            "support",
            Options {
                support: false,
                ..all
            },
        ),
        (
            "queue",
            Options {
                queue: false,
                ..all
            },
        ),
        (
            "count",
            Options {
                count: false,
                ..all
            },
        ),
        ("lazy", Options { lazy: false, ..all }),
        ("none", none),
    ];
    let mut whole = None;
    for (setting, options) in settings {
        let (name, game) = load(name, options)?;
        let (figures, seconds) = playouts(&game, time);
        let rate = figures.playouts as f64 / seconds;
        let share = rate / *whole.get_or_insert(rate);
        let words = match setting {
            "all" | "none" => format!("with {setting}"),
            _ => format!("without {setting}"),
        };
        println!("{name:16} {words:16} {rate:12.0} playouts a second {share:6.2}");
    }
    Ok(())
}
