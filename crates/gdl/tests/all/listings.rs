//! Sheets as they are found in the world: listings of papers, and the public collection where it is
//! present.

use paidia_gdl::check::{Report, check_source};
use paidia_gdl::render::render;
use paidia_gdl::{Dialect, Problem, Source};
use paidia_testkit::corpus;

const LISTINGS: &[(&str, &str, Dialect)] = &[
    (
        "monty-hall",
        include_str!("../sheets/listings/monty-hall.gdl"),
        Dialect::GdlII,
    ),
    (
        "exploding-bomb",
        include_str!("../sheets/listings/exploding-bomb.gdl"),
        Dialect::GdlII,
    ),
    (
        "chicken",
        include_str!("../sheets/listings/chicken.gdl"),
        Dialect::RtGdl,
    ),
    (
        "tic-tac-toe-clock",
        include_str!("../sheets/listings/tic-tac-toe-clock.gdl"),
        Dialect::RtGdl,
    ),
    (
        "chess-clock",
        include_str!("../sheets/listings/chess-clock.gdl"),
        Dialect::RtGdl,
    ),
    (
        "real-time-objects",
        include_str!("../sheets/listings/real-time-objects.gdl"),
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

#[test]
fn public_sheets_have_no_errors_and_few_warnings() {
    let Some(corpus) = corpus() else { return };
    let mut sheets = 0;
    for rules in corpus.all() {
        let source = Source::new(rules.name, rules.text);
        let (_, report) = check_source(&source, None);
        let problems = &report.problems;
        assert!(
            !problems.iter().any(Problem::is_error),
            "{}",
            render(&source, problems, false)
        );
        // Every warning was looked at by hand; the most that a sheet has and deserves is 8.
        assert!(problems.len() <= 8, "{}", render(&source, problems, false));
        sheets += 1;
    }
    assert!(sheets > 200, "only {sheets} sheets");
}
