//! Words thrown together at random: whatever they are, the checks answer, and in good order.

use paidia_gdl::check::check_source;
use paidia_gdl::{Dialect, Source};
use proptest::prelude::*;

/// Words that mean something to the checks, so that a soup of them gets past the readers now and
/// then.
const WORDS: &[&str] = &[
    "role", "init", "true", "next", "legal", "does", "goal", "terminal", "sees", "base", "input",
    "expired", "not", "or", "and", "distinct", "p", "q", "P", "f", "leagl", "random", "infinity",
    "0", "100", "1.5", "?x", "?y", "?X",
];

/// A term, an atom or a formula, as text.
fn expression() -> impl Strategy<Value = String> {
    let word = prop::sample::select(WORDS).prop_map(str::to_owned);
    word.prop_recursive(4, 40, 4, |inner| {
        let first = prop::sample::select(WORDS);
        (first, prop::collection::vec(inner, 1..4))
            .prop_map(|(first, rest)| format!("({first} {})", rest.join(" ")))
    })
}

fn sheet() -> impl Strategy<Value = String> {
    let fact = expression();
    let rule = prop::collection::vec(expression(), 1..5)
        .prop_map(|parts| format!("(<= {})", parts.join(" ")));
    prop::collection::vec(prop_oneof![fact, rule], 0..12).prop_map(|clauses| clauses.join("\n"))
}

fn dialect() -> impl Strategy<Value = Option<Dialect>> {
    prop::sample::select(vec![
        None,
        Some(Dialect::Gdl),
        Some(Dialect::GdlII),
        Some(Dialect::RtGdl),
    ])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn every_soup_is_checked(text in sheet(), dialect in dialect()) {
        let source = Source::new("soup", text);
        let (reading, report) = check_source(&source, dialect);
        prop_assert!(report.problems.is_sorted_by_key(|problem| problem.span));
        prop_assert!(reading.problems.is_empty() || report.has_errors());
        for problem in &report.problems {
            let related = problem.related.iter().map(|(span, _)| *span);
            for span in related.chain([problem.span]) {
                prop_assert!(source.text.get(span.range()).is_some(), "{problem:?}");
            }
            prop_assert!(!problem.message.is_empty() && !problem.message.ends_with('.'), "{problem:?}");
        }
    }
}
