//! Random play beside the reference engine.

use paidia_game::{AnyGame, ConformanceOptions, CrossCheck, conformance};
use paidia_reason::prover::{Options, Order, StateStore};
use paidia_reason::{Prover, Reference};

use crate::{corpus, full, is_wanted, program};

/// Games whose states take the prover long: fewer steps of them are played.
const SLOW: [&str; 2] = ["laikLee_hex", "sudoku"];

/// Public sheets that cannot be grounded, and some that ask for what few do: functions in
/// arguments, lists, recursion, hidden information.
const PUBLIC: [&str; 8] = [
    "merrills",
    "laikLee_hex",
    "mummymaze1p",
    "sudoku",
    "hex",
    "blocker",
    "skirmish",
    "atariGo_7x7",
];

/// Every variant but the default one.
fn variants() -> Vec<Options> {
    let mut variants = Vec::new();
    for state in [StateStore::Asserted, StateStore::List, StateStore::Naive] {
        for order in [Order::NegativesLast, Order::Written] {
            for fixed in [false, true] {
                variants.push(Options {
                    state,
                    order,
                    fixed,
                });
            }
        }
    }
    variants.retain(|&variant| variant != Options::default());
    variants
}

/// The first difference to the reference engine in some random play.
fn difference(name: &str, rules: &str, options: Options, playouts: u32) -> Option<String> {
    let program = program(name, rules);
    let suspect = Prover::with(name, &program, options).unwrap();
    let trusted = Reference::new(name, &program).unwrap();
    let pair = CrossCheck { trusted, suspect };
    let steps = match SLOW.contains(&name) {
        true => 4,
        false => 25,
    };
    let difference = pair.run(playouts, steps, 5).err();
    difference.map(|difference| format!("{name}, {options:?}: {difference}"))
}

#[test]
fn bundled_games_are_played_like_by_the_reference() {
    let games = paidia_library::all().iter();
    let games = games.filter(|game| is_wanted(game.name));
    let found: Vec<String> = games
        .filter_map(|game| difference(game.name, game.rules, Options::default(), 1))
        .collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn variants_are_played_like_by_the_reference() {
    let few = [
        "tic-tac-toe",
        "connect-four",
        "kuhn-poker",
        "hanoi",
        "atari-go-7x7",
        "monty-hall",
    ];
    let games = paidia_library::all().iter();
    let games = games.filter(|game| is_wanted(game.name) && (full() || few.contains(&game.name)));
    let mut found = Vec::new();
    for game in games {
        for options in variants() {
            found.extend(difference(game.name, game.rules, options, 1));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn the_contract_is_kept() {
    let options = ConformanceOptions {
        playouts: 1,
        step_limit: 10,
        seed: 1,
    };
    for name in ["tic-tac-toe", "kuhn-poker", "atari-go-7x7", "hanoi"] {
        let rules = paidia_library::find(name).unwrap().rules;
        let game = Prover::new(name, &program(name, rules)).unwrap();
        let failures = conformance(&AnyGame::new(game), options);
        assert!(failures.is_empty(), "{name}: {failures:?}");
    }
}

#[test]
fn public_games_are_played_like_by_the_reference() {
    let Some(folder) = corpus() else { return };
    let mut found = Vec::new();
    for name in PUBLIC.into_iter().filter(|name| is_wanted(name)) {
        let path = folder.join(format!("gdl/{name}.kif"));
        let Ok(rules) = std::fs::read_to_string(&path) else {
            println!("skipped: no {}", path.display());
            continue;
        };
        found.extend(difference(name, &rules, Options::default(), 1));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
