//! Reading, printing and showing problems, seen from outside.

mod corpus;
mod infix;
mod kif;
mod listings;
mod parentheses;
mod printing;
mod rendering;
mod round_trip;

use expect_test::Expect;
use paidia_gdl::Source;
use paidia_gdl::render::render;
use paidia_gdl::syntax::{self, Notation, Reading, Sheet, print};

/// Reads a text in the given notation.
fn read(notation: Notation, text: &str) -> Reading {
    let source = Source::new("sheet", text);
    match notation {
        Notation::Kif => syntax::kif::read(&source),
        Notation::Infix => syntax::infix::read(&source),
    }
}

/// Reads a text in which there is nothing wrong.
#[track_caller]
fn read_sound(notation: Notation, text: &str) -> Sheet {
    let reading = read(notation, text);
    assert_eq!(reading.problems, [], "in {text:?}");
    reading.sheet
}

/// Compares what is understood of a sound text, printed as KIF, with what is expected.
#[track_caller]
fn check_rules(notation: Notation, text: &str, expected: &Expect) {
    expected.assert_eq(&print(&read_sound(notation, text), Notation::Kif));
}

/// Compares what is understood of a text and what is wrong with it with what is expected.
#[track_caller]
fn check_problems(notation: Notation, text: &str, expected: &Expect) {
    let reading = read(notation, text);
    let problems = render(&Source::new("sheet", text), &reading.problems, false);
    let rules = print(&reading.sheet, Notation::Kif);
    expected.assert_eq(&format!("{problems}---\n{rules}"));
}
