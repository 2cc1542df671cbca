//! What is printed is read as the same rules, for sheets made up at random.

use crate::syntax::read_sound;
use paidia_gdl::syntax::{Notation, print, same_rules};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// Names of relations, functions and constants: plain ones and odd ones, but nothing that means
/// something else.
fn name() -> impl Strategy<Value = String> {
    let plain = "[a-z][a-zA-Z0-9_]{0,4}";
    let odd = "[A-Z_a-zäÄß☃'\"%&|,.:<>=~!*+/\\\\-]{1,4}";
    let name = prop_oneof![3 => plain, 1 => odd];
    name.prop_filter("means something else", |name| {
        let connectives = ["and", "or", "not", "distinct", "<=", "..."];
        !connectives.contains(&name.to_lowercase().as_str())
    })
}

fn number() -> impl Strategy<Value = String> {
    "-?[0-9]{1,3}(\\.[0-9]{1,2})?"
}

fn variable() -> impl Strategy<Value = String> {
    let name = prop_oneof!["[a-z][a-z0-9]{0,2}", "[_A-Za-z0-9ßİ+*'-]{1,4}"];
    name.prop_map(|name| format!("?{name}"))
}

/// A list in KIF, or the name alone if there is nothing to list.
fn list(name: &str, parts: &[String]) -> String {
    match parts {
        [] => name.to_owned(),
        _ => format!("({name} {})", parts.join(" ")),
    }
}

fn term() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![name(), number(), variable()];
    leaf.prop_recursive(3, 12, 3, |inner| {
        (name(), prop::collection::vec(inner, 1..4)).prop_map(|(name, args)| list(&name, &args))
    })
}

fn atom() -> impl Strategy<Value = String> {
    (name(), prop::collection::vec(term(), 0..4)).prop_map(|(name, args)| list(&name, &args))
}

fn formula() -> impl Strategy<Value = String> {
    let distinct = (term(), term()).prop_map(|(left, right)| format!("(distinct {left} {right})"));
    let leaf = prop_oneof![4 => atom(), 1 => distinct];
    leaf.prop_recursive(3, 10, 3, |inner| {
        let joined = (
            prop_oneof!["and", "or"],
            prop::collection::vec(inner.clone(), 1..4),
        );
        prop_oneof![
            inner.prop_map(|inner| format!("(not {inner})")),
            joined.prop_map(|(word, parts)| list(&word, &parts)),
        ]
    })
}

fn clause() -> impl Strategy<Value = String> {
    let comment = prop_oneof![
        Just(String::new()),
        Just("\n".to_owned()),
        ";{0,3}[ -~]{0,9}".prop_map(|text| format!("; {text}\n"))
    ];
    (comment, atom(), prop::collection::vec(formula(), 0..4)).prop_map(|(comment, head, body)| {
        match &body[..] {
            [] => format!("{comment}{head}\n"),
            _ => format!("{comment}(<= {head} {})\n", body.join(" ")),
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 400,
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn sheets_survive_both_notations(clauses in prop::collection::vec(clause(), 1..6)) {
        let text = clauses.concat();
        let sheet = read_sound(Notation::Kif, &text);
        prop_assert_eq!(sheet.clauses.len(), clauses.len());
        for notation in [Notation::Kif, Notation::Infix] {
            let printed = print(&sheet, notation);
            let again = read_sound(notation, &printed);
            prop_assert!(same_rules(&sheet, &again), "{}", printed);
            prop_assert_eq!(print(&again, notation), printed);
        }
    }
}

#[test]
fn every_letter_survives_both_notations() {
    let letters = (char::MIN..=char::MAX).filter(|letter| letter.is_alphanumeric());
    let facts = letters
        .map(|letter| format!("(p{letter} ?{letter} ?{letter}x ?_{letter} {letter} {letter}x)\n"));
    let sheet = read_sound(Notation::Kif, &facts.collect::<String>());
    let again = read_sound(Notation::Infix, &print(&sheet, Notation::Infix));
    assert!(same_rules(&sheet, &again));
}

#[test]
fn different_sheets_are_not_the_same() {
    let sheets = [
        "(p a)",
        "(p b)",
        "(q a)",
        "(p ?a)",
        "(p a a)",
        "(p (a a))",
        "(p a)(p a)",
        "(<= (p a) q)",
        "(<= (p a) (not q))",
        "(<= (p a) (or q))",
        "(<= (p a) (and q))",
        "(<= (p a) (or q r))",
        "(<= (p a) (distinct q r))",
        "(<= (p a) (distinct r q))",
    ];
    let sheets = sheets.map(|text| read_sound(Notation::Kif, text));
    for (left, sheet) in sheets.iter().enumerate() {
        for (right, other) in sheets.iter().enumerate() {
            assert_eq!(same_rules(sheet, other), left == right);
        }
    }
}
