//! Sheets as they are found in the world: listings of papers, and the public collection where it is
//! present.

use paidia_gdl::check::{Report, check_source};
use paidia_gdl::render::render;
use paidia_gdl::{Dialect, Problem, Source};
use std::path::{Path, PathBuf};

const LISTINGS: &[(&str, &str, Dialect)] = &[
    (
        "monty-hall",
        include_str!("sheets/listings/monty-hall.gdl"),
        Dialect::GdlII,
    ),
    (
        "exploding-bomb",
        include_str!("sheets/listings/exploding-bomb.gdl"),
        Dialect::GdlII,
    ),
    (
        "chicken",
        include_str!("sheets/listings/chicken.gdl"),
        Dialect::RtGdl,
    ),
    (
        "tic-tac-toe-clock",
        include_str!("sheets/listings/tic-tac-toe-clock.gdl"),
        Dialect::RtGdl,
    ),
    (
        "chess-clock",
        include_str!("sheets/listings/chess-clock.gdl"),
        Dialect::RtGdl,
    ),
    (
        "real-time-objects",
        include_str!("sheets/listings/real-time-objects.gdl"),
        Dialect::RtGdl,
    ),
];

#[test]
fn listings_of_papers_have_no_problems() {
    for &(name, text, dialect) in LISTINGS {
        let source = Source::new(name, text);
        for chosen in [None, Some(dialect)] {
            let (_, report) = check_source(&source, chosen);
            let sound = Report {
                dialect,
                problems: Vec::new(),
            };
            assert_eq!(
                report,
                sound,
                "{}",
                render(&source, &report.problems, false)
            );
        }
    }
}

/// The rule sheets of the public collection; none, with a note, where there is no collection.
fn public_sheets() -> Vec<PathBuf> {
    let folder = std::env::var_os("PAIDIA_CORPUS").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/games"),
        PathBuf::from,
    );
    let Ok(entries) = std::fs::read_dir(folder.join("gdl")) else {
        eprintln!("skipped: no collection in {}", folder.display());
        return Vec::new();
    };
    let paths = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    paths
        .filter(|path| path.extension().is_some_and(|extension| extension == "kif"))
        .collect()
}

#[test]
fn public_sheets_have_no_errors_and_few_warnings() {
    for path in public_sheets() {
        let bytes = std::fs::read(&path).expect("the sheet can be read");
        let source = Source::new(path.display().to_string(), String::from_utf8_lossy(&bytes));
        let (_, report) = check_source(&source, None);
        let problems = &report.problems;
        assert!(
            !problems.iter().any(Problem::is_error),
            "{}",
            render(&source, problems, false)
        );
        // Every warning was looked at by hand; the most that a sheet has and deserves is 8.
        assert!(problems.len() <= 8, "{}", render(&source, problems, false));
    }
}
