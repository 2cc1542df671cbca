//! What action heuristics cost: how long it takes to make them, which part of a search's time they
//! take, and how many simulations are left.
//!
//! ```text
//! cargo run --release -p paidia-arena --example heuristics
//! cargo run --release -p paidia-arena --example heuristics -- --seconds 1 pentago breakthrough
//! ```
//!
//! One thread searches from positions of random play with one playout at a time: without
//! heuristics, with them in the tree, in playouts, and in both, in turn. Figures are for all
//! positions together, and so those of the paper's Table 3.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use clap::Parser;
use paidia_arena::engine::{EngineSpec, Machine, load};
use paidia_arena::rules::Ruleset;
use paidia_arena::{Playable, PlayerSpec};
use paidia_game::{Chance, Game, MoveId, RoleId, Rules, Walker};
use paidia_gdl::grounding::Budget as Grounding;
use paidia_reason::propnet::Propnet;
use paidia_reason::propnet::engine::State;
use paidia_search::Budget;
use paidia_search::advice::{Advice, AdviceOptions, AdviceSource};

#[derive(Parser)]
#[command(about = "Measures what action heuristics cost")]
struct Arguments {
    /// Bundled games; those of the paper that there are, if none is named
    games: Vec<String>,
    /// Seconds for each search
    #[arg(long, default_value_t = 0.2)]
    seconds: f64,
    /// Positions of each game
    #[arg(long, default_value_t = 5)]
    positions: usize,
}

/// The paper's games that are bundled.
const GAMES: &[&str] = &[
    "battle",
    "bidding-tic-tac-toe",
    "blocker",
    "breakthrough",
    "checkers-small",
    "chinese-checkers-2",
    "chinook",
    "connect-four",
    "nine-board-tic-tac-toe",
    "pentago",
    "sheep-and-wolf",
    "skirmish",
];

/// The players, the one without heuristics first.
const PLAYERS: [&str; 4] = [
    "uct",
    "uct(advice=tree)",
    "uct(advice=playouts)",
    "uct(advice=both)",
];

fn main() {
    let arguments = Arguments::parse();
    let all: Vec<String> = GAMES.iter().map(|&name| name.to_owned()).collect();
    let games = match arguments.games.is_empty() {
        true => &all,
        false => &arguments.games,
    };
    println!(
        "game, seconds to make, share of time (tree, playouts, both), simulations in % (tree, playouts, both)"
    );
    for name in games {
        match measure(name, &arguments) {
            Ok(figures) => println!("{name}, {figures}"),
            Err(because) => println!("{name}: {because}"),
        }
    }
}

fn measure(name: &str, arguments: &Arguments) -> Result<String, String> {
    let playable = playable(name)?;
    let source = playable.advice().ok_or("it has no advice")?.clone();
    let start = Instant::now();
    let options = AdviceOptions { persistence: true };
    source(options).map_err(|because| because.to_string())?;
    let made = start.elapsed().as_secs_f64();
    let spent = Arc::new(AtomicU64::new(0));
    let playable = Playable::new(playable.game).with_advice(timed(source, &spent));
    let time = Duration::from_secs_f64(arguments.seconds);
    let mut sums = [Sum::default(); PLAYERS.len()];
    for (number, position) in positions(&playable.game, arguments.positions)
        .iter()
        .enumerate()
    {
        for (player, sum) in PLAYERS.iter().zip(&mut sums) {
            let spec: PlayerSpec = player.parse().map_err(|bad| format!("{bad}"))?;
            let player = playable.search(&spec, RoleId(0), number as u64);
            let mut player = player.map_err(|bad| bad.to_string())?;
            spent.store(0, Ordering::Relaxed);
            let report = player.choose(position, Budget::time(time)).report;
            sum.advice += spent.load(Ordering::Relaxed) as f64 * 1e-9;
            sum.time += report.time.as_secs_f64();
            sum.simulations += report.simulations as f64;
        }
    }
    let plain = sums[0].simulations / sums[0].time;
    let share = sums[1..].iter().map(|sum| 100.0 * sum.advice / sum.time);
    let left = sums[1..]
        .iter()
        .map(|sum| 100.0 * sum.simulations / sum.time / plain);
    let texts: Vec<String> = share
        .chain(left)
        .map(|figure| format!("{figure:.1}"))
        .collect();
    Ok(format!("{made:.2}, {}", texts.join(", ")))
}

/// What searches took and did.
#[derive(Clone, Copy, Default)]
struct Sum {
    advice: f64,
    time: f64,
    simulations: f64,
}

fn playable(name: &str) -> Result<Playable<Propnet>, String> {
    let rules = Ruleset::find(name).map_err(|error| error.to_string())?;
    let spec: EngineSpec = "propnet".parse().map_err(|bad| format!("{bad}"))?;
    let loaded = load(&spec, &rules, Grounding::default());
    match loaded.map_err(|error| error.to_string())?.machine {
        Machine::Propnet(playable) => Ok(playable),
        _ => Err("it has no network".to_owned()),
    }
}

/// Positions of random play in which the first role has a choice, each from a match of its own.
fn positions(game: &Propnet, count: usize) -> Vec<State> {
    let (mut walker, mut joint, mut found) = (game.walker(), Vec::<MoveId>::new(), Vec::new());
    for number in 0..count as u64 {
        let mut chance = Chance::from_seed(number);
        let mut state = game.initial();
        walker.jump(&state);
        for step in 0.. {
            if step >= 4 * number && walker.legal().of(RoleId(0)).len() > 1 {
                break;
            }
            if walker.is_terminal() || walker.draw(&mut chance, &mut joint).is_err() {
                walker.jump(&game.initial());
                break;
            }
            walker.advance(&joint, &mut chance);
        }
        walker.save(&mut state);
        found.push(state);
    }
    found
}

/// Advice whose time is counted.
struct Timed {
    advice: Box<dyn Advice<State>>,
    spent: Arc<AtomicU64>,
}

impl Advice<State> for Timed {
    fn values(&mut self, state: &State, role: RoleId, moves: &[MoveId], values: &mut Vec<f64>) {
        let start = Instant::now();
        self.advice.values(state, role, moves, values);
        let spent = start.elapsed().as_nanos() as u64;
        self.spent.fetch_add(spent, Ordering::Relaxed);
    }
}

fn timed(source: AdviceSource<State>, spent: &Arc<AtomicU64>) -> AdviceSource<State> {
    let spent = Arc::clone(spent);
    Arc::new(move |options| {
        let advice = source(options)?;
        let spent = Arc::clone(&spent);
        Ok(Box::new(Timed { advice, spent }))
    })
}
