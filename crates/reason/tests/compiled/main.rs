//! The compiled engine: it agrees with the reference engine on every game, with and without each
//! optimisation.
//!
//! `PAIDIA_GAMES=a,b` tries those games only; `PAIDIA_CORPUS` tells where the public collection is.

use std::path::{Path, PathBuf};

use paidia_game::CrossCheck;
use paidia_gdl::Source;
use paidia_gdl::check::check_source;
use paidia_gdl::program::Program;
use paidia_reason::compiled::{Demand, Optimisations};
use paidia_reason::{Compiled, Reference};

/// Public sheets that cannot be grounded, and some that ask for what few do: functions in
/// arguments, lists, recursion, hidden information.
const PUBLIC: [&str; 12] = [
    "chess",
    "merrills",
    "laikLee_hex",
    "mummymaze1p",
    "slaughter",
    "sudoku",
    "ruleDepthExponential",
    "mastermind448",
    "checkers",
    "skirmish",
    "hex",
    "blocker",
];

const ALL: Optimisations = Optimisations {
    share: true,
    order: true,
    cut: true,
    restrict: true,
    carry: true,
    demand: Demand::WherePays,
};

fn program(name: &str, rules: &str) -> Program {
    let (reading, report) = check_source(&Source::new(name, rules), None);
    assert!(!report.has_errors(), "{name}: {:?}", report.problems);
    Program::new(&reading.sheet, report.dialect).unwrap()
}

/// The first difference to the reference engine in some random play.
fn difference(
    name: &str,
    rules: &str,
    optimisations: Optimisations,
    playouts: u32,
) -> Option<String> {
    let program = program(name, rules);
    let suspect = Compiled::with(name, &program, optimisations).unwrap();
    let trusted = Reference::new(name, &program).unwrap();
    let pair = CrossCheck { trusted, suspect };
    let difference = pair.run(playouts, 60, 5).err();
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
fn bundled_games_are_played_like_by_the_reference() {
    let games = paidia_library::all().iter();
    let games = games.filter(|game| is_wanted(game.name));
    let found: Vec<String> = games
        .filter_map(|game| difference(game.name, game.rules, ALL, 3))
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
    for name in PUBLIC.into_iter().filter(|name| is_wanted(name)) {
        let path = folder.join(format!("{name}.kif"));
        let Ok(rules) = std::fs::read_to_string(&path) else {
            println!("skipped: no {}", path.display());
            continue;
        };
        found.extend(difference(name, &rules, ALL, 1));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn optimisations_change_nothing() {
    let without = [
        Optimisations {
            share: false,
            ..ALL
        },
        Optimisations {
            order: false,
            ..ALL
        },
        Optimisations { cut: false, ..ALL },
        Optimisations {
            restrict: false,
            ..ALL
        },
        Optimisations {
            carry: false,
            ..ALL
        },
        Optimisations {
            demand: Demand::Always,
            ..ALL
        },
        Optimisations {
            share: false,
            order: false,
            cut: false,
            restrict: false,
            carry: false,
            demand: Demand::Never,
        },
        Optimisations {
            share: false,
            order: false,
            cut: false,
            restrict: false,
            carry: false,
            demand: Demand::Always,
        },
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
    for name in names.into_iter().filter(|name| is_wanted(name)) {
        let rules = paidia_library::find(name).unwrap().rules;
        for optimisations in without {
            found.extend(difference(name, rules, optimisations, 2));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
