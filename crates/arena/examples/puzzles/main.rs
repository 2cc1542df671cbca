//! How puzzles are solved, and in how much time: every way of searching on every game of one role.
//!
//! ```text
//! cargo run --release -p paidia-arena --example puzzles -- --seconds 10
//! cargo run --release -p paidia-arena --example puzzles -- --seconds 10 --rules FOLDER
//! cargo run --release -p paidia-arena --example puzzles -- --seconds 10 hanoi sudoku
//! ```
//!
//! The first column is the exact solution where all states fit into a million: the best goal, and
//! the moves to it. `auto` is what the default player does before its first move. `uct` plays the
//! game to its end, with the time before the first move and a hundredth of it for each move.

#[path = "../common/mod.rs"]
mod common;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Parser;
use paidia_arena::{Local, MatchEnd, Playable, PlayerSpec, Referee};
use paidia_game::{Goal, RoleId, Rules, SolveBudget};
use paidia_reason::propnet::Propnet;
use paidia_search::puzzle::{Method, solve};
use paidia_search::{Budget, InformedPlayer};

/// States within which the exact solution is looked for.
const STATES: usize = 1_000_000;
/// Bytes that each search may take.
const MEMORY: usize = 1 << 30;

#[derive(Parser)]
#[command(about = "Every way of searching on every puzzle")]
struct Arguments {
    /// Only these games
    games: Vec<String>,
    /// Only these ways of searching; may be repeated
    #[arg(long = "method", value_parser = method)]
    methods: Vec<Method>,
    /// Rule sheets to be read instead of the bundled games
    #[arg(long)]
    rules: Option<PathBuf>,
    /// Seconds for each way of searching
    #[arg(long, default_value_t = 10.0)]
    seconds: f64,
}

fn method(name: &str) -> Result<Method, String> {
    let found = Method::ALL.into_iter().find(|method| method.name() == name);
    found.ok_or_else(|| {
        let names = Method::ALL.map(Method::name);
        format!("the ways of searching are {}", names.join(", "))
    })
}

fn main() -> std::io::Result<()> {
    let arguments = Arguments::parse();
    let time = Duration::from_secs_f64(arguments.seconds);
    let some = !arguments.methods.is_empty();
    let methods = if some {
        arguments.methods
    } else {
        Method::ALL.to_vec()
    };
    print!("{:<28}{:>10}", "game", "exact");
    for method in &methods {
        print!("{:>18}", method.name());
    }
    println!("{:>8}", "uct");
    for (name, rules) in sheets(arguments.rules)? {
        let wanted = arguments.games.is_empty() || arguments.games.contains(&name);
        let game = wanted.then(|| puzzle(&name, &rules)).flatten();
        let Some(game) = game else { continue };
        print!(
            "{name:<28}{:>10}",
            exact(&game.game).map_or("?".into(), shown)
        );
        for &method in &methods {
            print!("{:>18}", searched(&game.game, method, time));
        }
        let played = if some {
            String::new()
        } else {
            played(&game, time)
        };
        println!("{played:>8}");
    }
    Ok(())
}

/// The rule sheets of a folder, or those that are bundled.
fn sheets(folder: Option<PathBuf>) -> std::io::Result<Vec<(String, String)>> {
    let Some(folder) = folder else {
        let bundled = paidia_library::sheets();
        return Ok(bundled
            .map(|game| (game.name.into(), game.rules.into()))
            .collect());
    };
    let mut sheets = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if let Some(name) = path.file_stem() {
            sheets.push((
                name.to_string_lossy().into_owned(),
                std::fs::read_to_string(&path)?,
            ));
        }
    }
    sheets.sort();
    Ok(sheets)
}

/// The game, if it has one role and a network.
fn puzzle(name: &str, rules: &str) -> Option<Playable<Propnet>> {
    // Most games need not be made a network to see that they are for more players.
    let roles = rules.matches("(role ").count() + rules.matches("(ROLE ").count();
    let game = (roles > 0)
        .then(|| common::network(name, rules))
        .flatten()?;
    let facts = game.game.facts();
    (facts.roles.len() == 1 && !facts.has_chance()).then_some(game)
}

/// The best goal and the fewest moves to it, if all states fit into the budget.
fn exact(game: &Propnet) -> Option<(i32, usize)> {
    let solution = paidia_game::solve(game, &game.initial(), SolveBudget::states(STATES)).ok()?;
    Some((*solution.goals.first()?, solution.line.len()))
}

fn shown((goal, moves): (i32, usize)) -> String {
    format!("{goal} in {moves}")
}

/// What a way of searching finds, and in how many seconds if it knows that there is nothing better.
fn searched(game: &Propnet, method: Method, time: Duration) -> String {
    let (role, start) = (RoleId(0), game.initial());
    let started = Instant::now();
    let outcome = solve(game, role, &start, method, MEMORY, Budget::time(time))
        .expect("puzzles have no chance");
    let seconds = started.elapsed().as_secs_f64();
    let found = outcome
        .best
        .map_or("-".into(), |best| shown((best.goal, best.moves.len())));
    match outcome.perfect {
        true => format!("{found} {seconds:.1}s"),
        false => format!("{found} ..."),
    }
}

/// A player of the only role.
fn player(spec: &PlayerSpec, playable: &Playable<Propnet>) -> Box<InformedPlayer<Propnet>> {
    let search = common::search(spec, playable, RoleId(0), 1);
    let game = &playable.game;
    Box::new(InformedPlayer::new(game, RoleId(0), search, 1))
}

/// The goal that plain tree search reaches.
fn played(playable: &Playable<Propnet>, time: Duration) -> String {
    let spec: PlayerSpec = "uct".parse().expect("it is a player");
    let player = player(&spec, playable);
    let game = &playable.game;
    let seat = Local::new(player, Budget::time(time / 100)).preparing(Some(Budget::time(time)));
    let referee = Referee::new(game, 1000);
    let mut record = referee.start(&game.initial(), 1);
    match referee.play(&mut record, &mut [Some(Box::new(seat))]) {
        MatchEnd::Over(goals) => match goals[0] {
            Goal::One(goal) => goal.to_string(),
            Goal::None | Goal::Several => "none".into(),
        },
        _ => "cut".into(),
    }
}

#[cfg(test)]
mod tests {
    use paidia_arena::{Local, MatchEnd, Playable, Referee};
    use paidia_game::{Goal, Rules};
    use paidia_reason::propnet::Propnet;
    use paidia_search::Budget;

    use super::{exact, player, puzzle, sheets};

    /// Bundled puzzles with more than a million states.
    const LARGE: [&str; 7] = [
        "asteroids-serial",
        "fifteen-puzzle",
        "knights-tour",
        "lights-out",
        "peg-solitaire",
        "rubiks-cube-2x2x2",
        "sudoku",
    ];

    /// The goal that the default player reaches with a budget of states before its first move.
    fn reached(playable: &Playable<Propnet>, states: u64) -> Goal {
        let player = player(&"paidia".parse().unwrap(), playable);
        let game = &playable.game;
        let seat = Local::new(player, Budget::states(100)).preparing(Some(Budget::states(states)));
        let referee = Referee::new(game, 1000);
        let mut record = referee.start(&game.initial(), 1);
        match referee.play(&mut record, &mut [Some(Box::new(seat))]) {
            MatchEnd::Over(goals) => goals[0],
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_default_player_solves_every_puzzle_of_a_million_states() {
        let mut solved = 0;
        for (name, rules) in sheets(None).unwrap() {
            let Some(game) = puzzle(&name, &rules).filter(|_| !LARGE.contains(&&*name)) else {
                continue;
            };
            let (goal, moves) = exact(&game.game).unwrap_or_else(|| panic!("{name} is large"));
            assert_eq!(reached(&game, 8_000_000), Goal::One(goal), "{name}");
            let facts = paidia_library::find(&name).unwrap().facts().unwrap();
            assert_eq!(
                (goal, facts.solvable_in),
                (100, Some(moves as u32)),
                "{name}"
            );
            solved += 1;
        }
        assert!(solved >= 11, "{solved}");
    }

    #[test]
    fn the_default_player_solves_large_puzzles_that_are_filled_in_or_give_points() {
        for name in ["knights-tour", "sudoku"] {
            let rules = paidia_library::find(name).unwrap().rules;
            let game = puzzle(name, rules).unwrap();
            assert_eq!(reached(&game, 5_000_000), Goal::One(100), "{name}");
        }
    }
}
