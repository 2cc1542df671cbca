//! The readers and printers on the public collection of rule sheets, where it is present.

use crate::read;
use paidia_gdl::Source;
use paidia_gdl::syntax::{Notation, Sheet, infix, kif, print, same_rules};
use std::path::{Path, PathBuf};

/// The rule sheets of the collection; none, with a note, where there is no collection.
fn sheets() -> Vec<PathBuf> {
    let folder = std::env::var_os("PAIDIA_CORPUS").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/games"),
        PathBuf::from,
    );
    let Ok(entries) = std::fs::read_dir(folder.join("gdl")) else {
        eprintln!("skipped: no collection in {}", folder.display());
        return Vec::new();
    };
    let paths = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    let mut sheets: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|extension| extension == "kif"))
        .collect();
    sheets.sort();
    sheets
}

fn source(path: &Path) -> Source {
    let bytes = std::fs::read(path).expect("the sheet can be read");
    Source::new(path.display().to_string(), String::from_utf8_lossy(&bytes))
}

#[test]
fn every_sheet_is_read_without_a_problem() {
    for path in sheets() {
        let reading = kif::read(&source(&path));
        assert_eq!(reading.problems, [], "{}", path.display());
        assert!(!reading.sheet.clauses.is_empty(), "{}", path.display());
    }
}

/// The comments of all clauses, and those after the last.
fn comments(sheet: &Sheet) -> Vec<&[String]> {
    let of_clauses = sheet.clauses.iter().map(|clause| &clause.comments[..]);
    of_clauses.chain([&sheet.closing_comments[..]]).collect()
}

#[test]
fn every_sheet_survives_both_notations() {
    for path in sheets() {
        let name = path.display();
        let sheet = kif::read(&source(&path)).sheet;
        let printed = print(&sheet, Notation::Infix);
        let reading = infix::read(&Source::new("printed", printed.as_str()));
        assert_eq!(reading.problems, [], "{name} as infix");
        assert!(same_rules(&sheet, &reading.sheet), "{name} as infix");
        assert_eq!(
            comments(&sheet),
            comments(&reading.sheet),
            "{name} as infix"
        );
        assert_eq!(
            print(&reading.sheet, Notation::Infix),
            printed,
            "{name} as infix twice"
        );

        let printed = print(&reading.sheet, Notation::Kif);
        let reading = kif::read(&Source::new("printed", printed.as_str()));
        assert_eq!(reading.problems, [], "{name} as KIF again");
        assert!(same_rules(&sheet, &reading.sheet), "{name} as KIF again");
        assert_eq!(print(&sheet, Notation::Kif), printed, "{name} as KIF twice");
    }
}

/// Breaks twenty places of every sheet and counts how often exactly one problem is reported, and
/// that at the clause that is broken. Returns this count and that of all trials.
fn count_located(break_at: impl Fn(&mut String, usize)) -> (usize, usize) {
    let (mut located, mut trials) = (0, 0);
    for path in sheets() {
        let text = source(&path).text;
        let Sheet { clauses, .. } = read(Notation::Kif, &text).sheet;
        let closing: Vec<usize> = clauses
            .iter()
            .flat_map(|clause| clause.span.range())
            .filter(|&at| text.as_bytes()[at] == b')')
            .filter(|&at| {
                !text[..at]
                    .rsplit('\n')
                    .next()
                    .is_some_and(|line| line.contains(';'))
            })
            .collect();
        for at in closing.iter().step_by(closing.len() / 20 + 1) {
            let clause = clauses
                .iter()
                .find(|clause| clause.span.range().contains(at));
            let clause = clause.expect("every one of them is in a clause").span;
            let mut broken = text.clone();
            break_at(&mut broken, *at);
            let problems = read(Notation::Kif, &broken).problems;
            let place = problems.first().map_or(0, |problem| problem.span.start);
            let is_located = problems.len() == 1 && (clause.start..=clause.end).contains(&place);
            located += usize::from(is_located);
            trials += 1;
        }
    }
    (located, trials)
}

#[test]
fn a_missing_parenthesis_is_reported_where_it_is_missing() {
    let (located, trials) = count_located(|text, at| text.replace_range(at..=at, ""));
    assert!(located * 100 >= trials * 99, "{located} of {trials}");
}

#[test]
fn a_parenthesis_too_many_is_reported_where_it_is() {
    let (located, trials) = count_located(|text, at| text.insert(at, ')'));
    assert!(located * 100 >= trials * 98, "{located} of {trials}");
}
