//! Games are played like by the reference engine.

use std::path::{Path, PathBuf};

use paidia_game::{
    Chance, ConformanceOptions, CrossCheck, Game, Goal, Legible, MoveId, RoleId, Rules, Walker,
    conformance, playout,
};
use paidia_gdl::Source;
use paidia_gdl::check::check_source;
use paidia_gdl::program::Program;
use paidia_reason::incremental::{Options, Work};
use paidia_reason::{Incremental, Reference};

use crate::without;

/// Bundled games that take long to load or to derive in a debug build.
const LARGE: [&str; 2] = ["chess", "amazons"];

/// Public sheets with functions in arguments and with recursion.
const PUBLIC: [&str; 5] = [
    "blocker",
    "hex",
    "mummymaze1p",
    "connectFour",
    "linesOfAction",
];

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
    let suspect = Incremental::with(name, program, options).unwrap();
    let trusted = Reference::new(name, program).unwrap();
    let pair = CrossCheck { trusted, suspect };
    let difference = pair.run(playouts, 40, 5).err();
    difference.map(|difference| format!("{name}, {options:?}: {difference}"))
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
    let found: Vec<String> = games
        .filter(|game| !LARGE.contains(&game.name))
        .filter_map(|game| {
            let program = program(game.name, game.rules);
            difference(game.name, &program, Options::default(), 1)
        })
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
    for name in PUBLIC {
        let path = folder.join(format!("{name}.kif"));
        let Ok(rules) = std::fs::read_to_string(&path) else {
            println!("skipped: no {}", path.display());
            continue;
        };
        found.extend(difference(
            name,
            &program(name, &rules),
            Options::default(),
            1,
        ));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn no_optimisation_changes_a_game() {
    let names = [
        "tic-tac-toe",
        "connect-four",
        "hex-7x7",
        "atari-go-7x7",
        "kuhn-poker",
    ];
    let mut found = Vec::new();
    for name in names {
        for options in without() {
            found.extend(difference(name, &bundled(name), options, 2));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn walkers_keep_their_promises() {
    for name in ["connect-four", "hex-7x7", "kuhn-poker", "othello"] {
        let game = Incremental::new(name, &bundled(name)).unwrap();
        let options = ConformanceOptions {
            playouts: 2,
            step_limit: 40,
            seed: 3,
        };
        let failures = conformance(&game, options);
        assert!(failures.is_empty(), "{name}: {failures:?}");
    }
}

/// All that can be asked in a state, as texts.
fn view<G: Game>(game: &G, walker: &mut G::Walker) -> (bool, Vec<Vec<String>>, Vec<Goal>) {
    let legal = walker.legal().iter().map(|(_, moves)| {
        let texts = moves.iter().map(|&id| game.moves().name(id).to_string());
        texts.collect()
    });
    let legal = legal.collect();
    let roles = 0..game.facts().roles.len() as u16;
    let goals = roles.map(|role| walker.goal(RoleId(role))).collect();
    (walker.is_terminal(), legal, goals)
}

/// States from the beginning to the end of some matches, as lists of fluents.
fn states(game: &Reference, matches: u32) -> Vec<Vec<String>> {
    let mut chance = Chance::from_seed(11);
    let (mut joint, mut state): (Vec<MoveId>, _) = (Vec::new(), game.initial());
    let mut found = Vec::new();
    for length in 0..matches {
        let mut walker = game.walker();
        playout(&mut walker, &mut joint, 3 * length, &mut chance);
        walker.save(&mut state);
        found.push(game.fluents(&state));
    }
    found
}

#[test]
fn unrelated_states_can_be_jumped_to() {
    for name in ["hex-7x7", "connect-four", "othello", "atari-go-7x7"] {
        let program = bundled(name);
        let game = Incremental::new(name, &program).unwrap();
        let reference = Reference::new(name, &program).unwrap();
        let states = states(&reference, 20);
        let (mut walker, mut trusted) = (game.walker(), reference.walker());
        let mut chance = Chance::from_seed(1);
        for jump in 0..60 {
            let texts = &states[chance.below(states.len() as u32) as usize];
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            walker.jump(&game.state(&texts).unwrap());
            // Sometimes on at once, with everything left to do.
            if jump % 3 == 0 {
                continue;
            }
            trusted.jump(&reference.state(&texts).unwrap());
            let expected = view(&reference, &mut trusted);
            assert_eq!(view(&game, &mut walker), expected, "{name}, jump {jump}");
        }
    }
}

/// How much a few random playouts take, without asking for goals.
fn work(name: &str, options: Options) -> Work {
    let game = Incremental::with(name, &bundled(name), options).unwrap();
    let (mut walker, mut joint) = (game.walker(), Vec::new());
    let mut chance = Chance::from_seed(4);
    for _ in 0..10 {
        walker.jump(&game.initial());
        playout(&mut walker, &mut joint, 200, &mut chance);
    }
    walker.work()
}

#[test]
fn only_recursion_needs_a_heap() {
    for (name, recursive) in [
        ("connect-four", false),
        ("othello", false),
        ("hex-7x7", true),
        ("y-36", true),
    ] {
        let heap = work(name, Options::default()).heap;
        assert_eq!(heap > 0, recursive, "{name}: {heap}");
    }
}

#[test]
fn what_nobody_asks_for_is_not_looked_at() {
    let eager = Options {
        lazy: false,
        ..Options::default()
    };
    // In Hex the end needs all that the goals need; in the others, goals need more.
    for (name, more) in [("hex-7x7", 0), ("connect-four", 1), ("othello", 1)] {
        let (lazy, eager) = (work(name, Options::default()), work(name, eager));
        assert!(
            lazy.polls + more <= eager.polls,
            "{name}: {lazy:?}, {eager:?}"
        );
    }
}
