//! The forward engine: it agrees with the reference engine on every game, in every order of bodies
//! and with as little memory as you like.
//!
//! `PAIDIA_GAMES=a,b` tries those games only; `PAIDIA_CORPUS` tells where the public collection is.

use std::path::{Path, PathBuf};

use paidia_game::{
    Chance, ConformanceOptions, CrossCheck, Legible, PlayoutRunner, Rules, conformance,
};
use paidia_gdl::Source;
use paidia_gdl::check::check_source;
use paidia_gdl::program::Program;
use paidia_reason::forward::{Options, Order};
use paidia_reason::{Forward, Reference};

/// Bundled games with few facts and many, recursion, hidden information, and moves at the same
/// time.
const BUNDLED: [&str; 12] = [
    "tic-tac-toe",
    "connect-four-8x6",
    "breakthrough",
    "hanoi",
    "kuhn-poker",
    "monty-hall",
    "atari-go-7x7",
    "blocker",
    "nim",
    "othello",
    "tron",
    "peg-solitaire",
];

/// Public sheets with functions in arguments, lists, recursion and relations that do not fit.
const PUBLIC: [&str; 9] = [
    "ruleDepthExponential",
    "mastermind448",
    "mummymaze1p",
    "hex",
    "blocker",
    "peg",
    "sheepAndWolf",
    "sudoku",
    "merrills",
];

/// Little memory, so that tests are quick and large rules run without tables.
const SMALL: Options = Options {
    order: Order::Best,
    memory: 8 << 20,
    candidates: true,
};

fn program(name: &str, rules: &str) -> Program {
    let (reading, report) = check_source(&Source::new(name, rules), None);
    assert!(!report.has_errors(), "{name}: {:?}", report.problems);
    Program::new(&reading.sheet, report.dialect).unwrap()
}

fn bundled(name: &str) -> Program {
    program(name, paidia_library::find(name).unwrap().rules)
}

/// The first difference to the reference engine in some random play.
fn difference(name: &str, program: &Program, options: Options, playouts: u32) -> Option<String> {
    let suspect = Forward::with(name, program, options).unwrap();
    let trusted = Reference::new(name, program).unwrap();
    let pair = CrossCheck { trusted, suspect };
    let difference = pair.run(playouts, 60, 5).err();
    difference.map(|difference| format!("{name}, {options:?}: {difference}"))
}

/// Whether a game is to be tried, one of the usual ones or of those asked for.
fn is_wanted(name: &str, usual: &[&str]) -> bool {
    match std::env::var("PAIDIA_GAMES") {
        Ok(wanted) => wanted == "all" || wanted.split(',').any(|other| other == name),
        Err(_) => usual.contains(&name),
    }
}

/// The rule sheets of the public collection, if it is there.
fn corpus() -> Option<PathBuf> {
    let given = std::env::var_os("PAIDIA_CORPUS").map(PathBuf::from);
    let usual = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/games");
    let folder = given.unwrap_or_else(usual).join("gdl");
    folder.is_dir().then_some(folder)
}

#[test]
fn bundled_games_are_played_like_by_the_reference() {
    let games = paidia_library::all().iter();
    let games = games.filter(|game| is_wanted(game.name, &BUNDLED));
    let found: Vec<String> = games
        .filter_map(|game| difference(game.name, &program(game.name, game.rules), SMALL, 3))
        .collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn public_games_are_played_like_by_the_reference() {
    let Some(folder) = corpus() else {
        println!("skipped: the public collection is not there");
        return;
    };
    let mut found = Vec::new();
    for name in PUBLIC.into_iter().filter(|name| is_wanted(name, &PUBLIC)) {
        let path = folder.join(format!("{name}.kif"));
        let Ok(rules) = std::fs::read_to_string(&path) else {
            println!("skipped: no {}", path.display());
            continue;
        };
        found.extend(difference(name, &program(name, &rules), SMALL, 1));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn options_change_nothing() {
    let different = [
        Options {
            order: Order::Original,
            ..SMALL
        },
        Options {
            order: Order::Worst,
            ..SMALL
        },
        Options {
            candidates: false,
            ..SMALL
        },
        Options {
            memory: 20_000,
            ..SMALL
        },
        Options { memory: 0, ..SMALL },
    ];
    let names = [
        "tic-tac-toe",
        "connect-four",
        "breakthrough-6x6",
        "kuhn-poker",
        "hanoi",
        "atari-go-7x7",
    ];
    let mut found = Vec::new();
    for name in names.into_iter().filter(|name| is_wanted(name, &names)) {
        for options in different {
            found.extend(difference(name, &bundled(name), options, 3));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn walkers_keep_the_promises_of_the_contract() {
    for name in ["tic-tac-toe", "hanoi", "kuhn-poker", "rock-paper-scissors"] {
        for memory in [0, 3_000, 1 << 20] {
            let options = Options { memory, ..SMALL };
            let game = Forward::with(name, &bundled(name), options).unwrap();
            assert_eq!(
                conformance(&game, ConformanceOptions::default()),
                [],
                "{name}"
            );
        }
    }
}

/// Groups of relations that need each other, with two recursive conditions in one rule, and a
/// recursion without variables.
#[test]
fn recursion_is_followed_to_its_end() {
    let rules = "
        (role r) (init (at a)) (init (link a b))
        (node a) (node b) (node c) (node d)
        (<= (legal r (join ?x ?y)) (node ?x) (node ?y))
        (<= (next (link ?x ?y)) (true (link ?x ?y)))
        (<= (next (link ?x ?y)) (does r (join ?x ?y)))
        (<= (next (at ?x)) (true (at ?x)))
        (<= (next (at ?x)) (path a ?x))
        (<= (path ?x ?y) (true (link ?x ?y)))
        (<= (path ?x ?z) (path ?x ?y) (path ?y ?z))
        (<= (even ?x) (true (at ?x)) (not (true (link ?x ?x))))
        (<= (even ?y) (odd ?x) (true (link ?x ?y)))
        (<= (odd ?y) (even ?x) (true (link ?x ?y)))
        (<= win (path a d) (odd d))
        (<= lost win (even a))
        (<= win lost)
        (<= terminal win)
        (<= (goal r 100) lost)
        (<= (goal r 50) win (not lost))
        (<= (goal r 0) (not win))";
    let program = program("paths", rules);
    for order in [Order::Best, Order::Original, Order::Worst] {
        let options = Options { order, ..SMALL };
        let found = difference("paths", &program, options, 40);
        assert_eq!(found, None);
    }
}

#[test]
fn memory_is_never_more_than_allowed() {
    for name in ["breakthrough", "connect-four-8x6", "peg-solitaire"] {
        let program = bundled(name);
        for memory in [1_000, 100_000, 1 << 20] {
            let game = Forward::with(name, &program, Options { memory, ..SMALL }).unwrap();
            let report = game.report();
            let used = report.table_bytes + report.knowledge_bytes;
            assert!(used <= memory, "{name}: {report:?}");
        }
    }
}

#[test]
fn small_games_have_small_tables() {
    let game = Forward::new("tic-tac-toe", &bundled("tic-tac-toe")).unwrap();
    let report = game.report();
    assert_eq!(report.untabled, 0, "{report:?}");
    assert!((1_000..70_000).contains(&report.table_bytes), "{report:?}");
}

fn mean_states(name: &str, playouts: u32) -> f64 {
    let game = Forward::new(name, &bundled(name)).unwrap();
    let mut runner = PlayoutRunner::new(&game, game.initial(), 100);
    let mut chance = Chance::from_seed(1);
    (0..playouts).for_each(|_| {
        runner.run(&mut chance);
    });
    // The paper counts the state at the start, too.
    1.0 + runner.figures().mean_length().unwrap()
}

#[test]
fn playouts_are_as_long_as_published() {
    let (short, long) = (
        mean_states("tic-tac-toe", 20_000),
        mean_states("connect-four-8x6", 3_000),
    );
    assert!((short - 8.63).abs() < 0.04, "{short}");
    assert!((long - 23.36).abs() < 0.6, "{long}");
}

#[test]
fn states_are_read_and_written() {
    let game = Forward::new("hanoi", &bundled("hanoi")).unwrap();
    let start = game.initial();
    let fluents = game.fluents(&start);
    let texts: Vec<&str> = fluents.iter().map(String::as_str).rev().collect();
    assert_eq!(game.state(&texts), Ok(start));
    assert!(game.state(&["(on 5 17)"]).is_err());
    assert!(game.state(&["(nowhere 5 1)"]).is_err());
}
