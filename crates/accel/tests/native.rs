//! Machine code does what the interpreter of the same instructions does.
//!
//! `PAIDIA_GAMES=a,b` tries those games only; `PAIDIA_CORPUS` tells where the public collection is.

use std::path::{Path, PathBuf};

use paidia_accel::native;
use paidia_game::CrossCheck;
use paidia_gdl::Source;
use paidia_gdl::check::check_source;
use paidia_gdl::program::Program;
use paidia_reason::Compiled;
use paidia_reason::compiled::{Demand, Optimisations};

/// Public sheets that cannot be grounded, and some that ask for what few do: functions in arguments, lists, recursion, calls.
const PUBLIC: [&str; 10] = [
    "chess",
    "merrills",
    "laikLee_hex",
    "slaughter",
    "sudoku",
    "ruleDepthExponential",
    "mastermind448",
    "checkers",
    "skirmish",
    "hex",
];

fn program(name: &str, rules: &str) -> Program {
    let (reading, report) = check_source(&Source::new(name, rules), None);
    assert!(!report.has_errors(), "{name}: {:?}", report.problems);
    Program::new(&reading.sheet, report.dialect).unwrap()
}

/// The first difference to the interpreter in some random play.
fn difference(name: &str, rules: &str, optimisations: Optimisations) -> Option<String> {
    let program = program(name, rules);
    let made = || Compiled::with(name, &program, optimisations).unwrap();
    let suspect = native(made());
    assert_eq!(
        suspect.is_translated(),
        paidia_accel::why_off().is_none(),
        "{name}"
    );
    let pair = CrossCheck {
        trusted: made(),
        suspect,
    };
    let difference = pair.run(3, 60, 5).err();
    difference.map(|difference| format!("{name}, {optimisations:?}: {difference}"))
}

/// Whether a game is to be tried.
fn is_wanted(name: &str) -> bool {
    let wanted = std::env::var("PAIDIA_GAMES").ok();
    wanted.is_none_or(|wanted| wanted.split(',').any(|other| other == name))
}

/// The rule sheets of the public collection, if it is there.
fn corpus() -> Option<PathBuf> {
    let given = std::env::var_os("PAIDIA_CORPUS").map(PathBuf::from);
    let usual = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/games");
    let folder = given.unwrap_or_else(usual).join("gdl");
    folder.is_dir().then_some(folder)
}

#[test]
fn bundled_games_are_played_like_by_the_interpreter() {
    let games = paidia_library::all().iter();
    let games = games.filter(|game| is_wanted(game.name));
    let found: Vec<String> = games
        .filter_map(|game| difference(game.name, game.rules, Optimisations::default()))
        .collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn public_games_are_played_like_by_the_interpreter() {
    let Some(folder) = corpus() else {
        println!("skipped: the public collection is not there");
        return;
    };
    let mut found = Vec::new();
    for name in PUBLIC.into_iter().filter(|name| is_wanted(name)) {
        let path = folder.join(format!("{name}.kif"));
        match std::fs::read_to_string(&path) {
            Ok(rules) => found.extend(difference(name, &rules, Optimisations::default())),
            Err(_) => println!("skipped: no {}", path.display()),
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn optimisations_change_nothing() {
    let all = Optimisations::default();
    let without = [
        Optimisations {
            share: false,
            ..all
        },
        Optimisations {
            order: false,
            ..all
        },
        Optimisations { cut: false, ..all },
        Optimisations {
            restrict: false,
            ..all
        },
        Optimisations {
            carry: false,
            ..all
        },
        Optimisations {
            demand: Demand::Never,
            ..all
        },
        Optimisations {
            demand: Demand::Always,
            ..all
        },
    ];
    let names = ["tic-tac-toe", "connect-four", "kuhn-poker", "atari-go-7x7"];
    let mut found = Vec::new();
    for name in names.into_iter().filter(|name| is_wanted(name)) {
        let rules = paidia_library::find(name).unwrap().rules;
        for optimisations in without {
            found.extend(difference(name, rules, optimisations));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
