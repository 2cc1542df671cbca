//! The readers and printers on the public collection of rule sheets, where it is present.

use crate::syntax::read;
use paidia_gdl::Source;
use paidia_gdl::syntax::{Notation, Sheet, infix, kif, print, same_rules};
use paidia_testkit::corpus;

/// The sheets of the collection, if it is there.
fn sources() -> Option<Vec<Source>> {
    let rules = corpus()?.all().into_iter();
    let sources = rules.map(|rules| Source::new(rules.name, rules.text));
    let sources: Vec<Source> = sources.collect();
    assert!(sources.len() > 200, "only {} sheets", sources.len());
    Some(sources)
}

#[test]
fn every_sheet_is_read_without_a_problem() {
    for source in sources().into_iter().flatten() {
        let reading = kif::read(&source);
        assert_eq!(reading.problems, [], "{}", source.name);
        assert!(!reading.sheet.clauses.is_empty(), "{}", source.name);
    }
}

/// The comments of all clauses, and those after the last.
fn comments(sheet: &Sheet) -> Vec<&[String]> {
    let of_clauses = sheet.clauses.iter().map(|clause| &clause.comments[..]);
    of_clauses.chain([&sheet.closing_comments[..]]).collect()
}

#[test]
fn every_sheet_survives_both_notations() {
    for source in sources().into_iter().flatten() {
        let name = &source.name;
        let sheet = kif::read(&source).sheet;
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
    for Source { text, .. } in sources().into_iter().flatten() {
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
