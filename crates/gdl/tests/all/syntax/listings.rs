//! The programs that papers print, read as they print them.

use crate::syntax::{check_problems, read_sound};
use expect_test::expect;
use paidia_gdl::check::check;
use paidia_gdl::syntax::{Notation, guess_notation, print, same_rules};
use paidia_gdl::{Dialect, Source};
use std::path::Path;

/// A listing, how many clauses it has, in which dialect, and whether it is a whole game.
struct Listing {
    file: &'static str,
    clauses: usize,
    dialect: Dialect,
    is_whole: bool,
}

const fn listing(file: &'static str, clauses: usize, dialect: Dialect, is_whole: bool) -> Listing {
    Listing {
        file,
        clauses,
        dialect,
        is_whole,
    }
}

const LISTINGS: [Listing; 14] = [
    listing("tic-tac-toe.kif", 35, Dialect::Gdl, true),
    listing("number-scrabble.kif", 17, Dialect::Gdl, false),
    listing("monty-hall.infix", 27, Dialect::GdlII, true),
    listing("monty-hall-two-players.infix", 30, Dialect::GdlII, true),
    listing(
        "monty-hall-marked-variables.infix",
        27,
        Dialect::GdlII,
        false,
    ),
    listing("exploding-bomb.infix", 26, Dialect::GdlII, true),
    listing("rt-chicken.infix", 14, Dialect::RtGdl, true),
    listing("rt-tic-tac-toe.infix", 23, Dialect::RtGdl, false),
    listing("rt-chess-clock.infix", 10, Dialect::RtGdl, false),
    listing("rt-cheshire-cat.infix", 5, Dialect::RtGdl, false),
    listing("rt-respawn.infix", 6, Dialect::RtGdl, false),
    listing("rt-self-moving.infix", 7, Dialect::RtGdl, false),
    listing("rt-build.infix", 8, Dialect::RtGdl, false),
    listing("rt-turns.infix", 6, Dialect::RtGdl, false),
];

fn text_of(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/listings")
        .join(file);
    std::fs::read_to_string(path).expect("the listing is there")
}

fn notation_of(file: &str) -> Notation {
    if file.ends_with(".kif") {
        Notation::Kif
    } else {
        Notation::Infix
    }
}

#[test]
fn every_listing_is_read() {
    for Listing {
        file,
        clauses,
        dialect,
        ..
    } in LISTINGS
    {
        let text = text_of(file);
        assert_eq!(guess_notation(&text), notation_of(file), "{file}");
        let sheet = read_sound(notation_of(file), &text);
        assert_eq!(sheet.clauses.len(), clauses, "{file}");
        assert_eq!(Dialect::detect(&sheet), dialect, "{file}");
    }
}

#[test]
fn every_listing_survives_both_notations() {
    for Listing { file, .. } in LISTINGS {
        let sheet = read_sound(notation_of(file), &text_of(file));
        for notation in [Notation::Kif, Notation::Infix] {
            let again = read_sound(notation, &print(&sheet, notation));
            assert!(same_rules(&sheet, &again), "{file} as {notation:?}");
        }
    }
}

#[test]
fn whole_games_have_no_errors() {
    for Listing { file, .. } in LISTINGS.into_iter().filter(|listing| listing.is_whole) {
        let text = text_of(file);
        let report = check(&read_sound(notation_of(file), &text), None);
        let problems =
            paidia_gdl::render::render(&Source::new(file, text), &report.problems, false);
        assert!(!report.has_errors(), "{problems}");
    }
}

#[test]
fn no_listing_is_missing() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/listings");
    let files = std::fs::read_dir(folder).expect("the folder is there");
    let names = files.map(|file| {
        file.expect("a file")
            .file_name()
            .into_string()
            .expect("a plain name")
    });
    let others = ["README.md", "tic-tac-toe-unclosed.kif"];
    for name in names.filter(|name| !others.contains(&&**name)) {
        assert!(
            LISTINGS.iter().any(|listing| listing.file == name),
            "{name}"
        );
    }
}

#[test]
fn the_three_versions_of_monty_hall() {
    let candidate_moves = |file: &str| {
        let sheet = read_sound(Notation::Infix, &text_of(file));
        let printed = print(&sheet, Notation::Kif);
        printed
            .split("\n(")
            .filter(|clause| clause.starts_with("<= (legal candidate"))
            .collect::<String>()
    };
    let moves = candidate_moves("monty-hall.infix");
    assert!(moves.contains("choose"));
    assert_eq!(moves, candidate_moves("monty-hall-two-players.infix"));
    assert_eq!(moves, candidate_moves("monty-hall-marked-variables.infix"));
}

#[test]
fn the_misprint_of_the_equivalence_paper() {
    let text = text_of("tic-tac-toe-unclosed.kif");
    let reading = crate::syntax::read(Notation::Kif, &text);
    let problems = paidia_gdl::render::render(
        &Source::new("tic-tac-toe.kif", text),
        &reading.problems,
        false,
    );
    expect![[r#"
        error[unclosed-parenthesis]: this parenthesis is never closed
          --> tic-tac-toe.kif:23:1
           |
        23 | (<= (line ?x) (or (row ?m ?x) (column ?m ?x) (diagonal ?x))
           | ^ opened here
        24 | (<= open (true (cell ?m ?n b)))
           | - the next clause starts here
           |
           = help: add the missing `)`
    "#]]
    .assert_eq(&problems);
    assert_eq!(reading.sheet.clauses.len(), 33);
}

#[test]
fn the_misprints_of_the_paper_on_rtgdl() {
    check_problems(
        Notation::Infix,
        "next(infinity,cell(M,N,C))\n⇐ true(infinity,cell(M,N,C)).\n∧ distinct(C,blank).\ngoal(R,100) ⇐ line(R)).\n...\n",
        &expect![[r#"
            error[unexpected-token]: a clause cannot start with `∧`
             --> sheet:3:1
              |
            2 | ⇐ true(infinity,cell(M,N,C)).
              |                             - the clause before ends here
            3 | ∧ distinct(C,blank).
              | ^ expected a fact or a rule
              |
              = help: remove the full stop if that clause goes on

            error[stray-parenthesis]: this parenthesis closes nothing
             --> sheet:4:22
              |
            4 | goal(R,100) ⇐ line(R)).
              |                      ^ nothing is open here
              |
              = help: remove it, or look for a `)` too many before it

            error[unexpected-token]: `...` does not fit here
             --> sheet:5:1
              |
            5 | ...
              | ^^^ expected a fact or a rule
              |
              = help: write the clauses that are left out here
            ---
            (<= (next infinity (cell ?m ?n ?c))
                (true infinity (cell ?m ?n ?c)))
        "#]],
    );
}
