//! The Datalog machine, through lowering and analysis, against the shortest way, on made-up sheets.

use std::collections::BTreeSet;

use paidia_gdl::analysis::Dependencies;
use paidia_gdl::program::{Program, RelationId, RelationKind};

use crate::program::demand::as_asked;
use crate::program::evaluate::{LIMITS, evaluate, evaluate_with};
use crate::program::{flat_rules, made_up, naive, program, relation, sheet};

/// Made-up sheets with few enough facts, with all facts.
fn cases(
    seeds: std::ops::Range<u64>,
    growing: bool,
) -> impl Iterator<Item = (u64, String, BTreeSet<String>)> {
    seeds.filter_map(move |seed| {
        let text = made_up::sheet(seed, growing);
        let facts = naive::facts(&sheet(&text))?;
        Some((seed, text, facts))
    })
}

#[track_caller]
fn assert_same(seed: u64, text: &str, expected: &BTreeSet<String>, found: &BTreeSet<String>) {
    let missing: Vec<_> = expected.difference(found).collect();
    let extra: Vec<_> = found.difference(expected).collect();
    assert!(
        missing.is_empty() && extra.is_empty(),
        "seed {seed}\n{text}\nmissing {missing:?}\ntoo many {extra:?}"
    );
}

#[test]
fn everything_that_follows_is_derived() {
    let mut compared = 0;
    for (seed, text, expected) in cases(0..300, true) {
        let program = program(&text);
        let evaluation = evaluate(&program);
        assert_eq!(evaluation.exhausted(), None, "seed {seed}");
        assert_same(seed, &text, &expected, &evaluation.facts());
        compared += 1;
    }
    assert!(compared > 200, "only {compared} sheets were small enough");
}

/// A choice of relations that may be asked for on demand: those of whole components without a
/// keyword among them.
fn some_on_demand(program: &Program, seed: u64) -> Vec<RelationId> {
    let dependencies = Dependencies::new(program);
    let is_plain = |id: &RelationId| {
        let kind = program.relation(*id).kind;
        matches!(kind, RelationKind::Plain | RelationKind::Helper)
    };
    let mut bits = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mut chosen = Vec::new();
    for component in &dependencies.components {
        bits = bits.rotate_left(7);
        let suits = !component.partial && component.relations.iter().all(is_plain);
        if suits && bits.is_multiple_of(2) {
            chosen.extend(&component.relations);
        }
    }
    chosen
}

/// The facts of the relations that are not on demand.
fn whole(
    expected: &BTreeSet<String>,
    program: &Program,
    on_demand: &[RelationId],
) -> BTreeSet<String> {
    let mut whole = expected.clone();
    for id in on_demand {
        let name = program.symbols.name(program.relation(*id).name);
        let (fact, row) = (format!("({name})"), format!("({name} "));
        whole.retain(|known| *known != fact && !known.starts_with(&row));
    }
    whole
}

#[test]
fn relations_on_demand_give_the_same_answers() {
    for (seed, text, expected) in cases(0..300, true) {
        let program = program(&text);
        let on_demand = some_on_demand(&program, seed);
        let evaluation = evaluate_with(&program, LIMITS, &on_demand);
        assert_eq!(evaluation.exhausted(), None, "seed {seed}");
        let expected = whole(&expected, &program, &on_demand);
        assert_same(seed, &text, &expected, &evaluation.facts());
    }
}

#[test]
fn what_is_derived_as_asked_gives_the_same_answers() {
    let mut compared = 0;
    for (seed, text, expected) in cases(200..440, true) {
        let program = program(&text);
        let relations = some_on_demand(&program, seed);
        let Some(rewritten) = as_asked(&program, &relations) else {
            continue;
        };
        let evaluation = evaluate(&rewritten);
        assert_eq!(evaluation.exhausted(), None, "seed {seed}");
        let [expected, found] =
            [&expected, &evaluation.facts()].map(|facts| whole(facts, &program, &relations));
        assert_same(seed, &text, &expected, &found);
        compared += 1;
    }
    assert!(compared > 100, "only {compared} sheets could be rewritten");
}

#[test]
fn walks_derived_as_asked_are_all_found() {
    for seed in 2500..2900 {
        let text = made_up::walks(seed);
        let expected = naive::facts(&sheet(&text)).expect("the graph is small");
        let program = program(&text);
        let relations = ["p/2", "q/2", "s/2"].map(|name| relation(&program, name));
        let Some(rewritten) = as_asked(&program, &relations) else {
            continue;
        };
        let evaluation = evaluate(&rewritten);
        let [expected, found] =
            [&expected, &evaluation.facts()].map(|facts| whole(facts, &program, &relations));
        assert_same(seed, &text, &expected, &found);
    }
}

#[test]
fn questions_that_come_up_again_are_answered_in_full() {
    // Among these are graphs on which each part of the method matters.
    for seed in 2500..2900 {
        let text = made_up::walks(seed);
        let expected = naive::facts(&sheet(&text)).expect("the graph is small");
        let program = program(&text);
        let names = ["p/2", "q/2", "s/2"];
        let on_demand = names.map(|name| relation(&program, name));
        let evaluation = evaluate_with(&program, LIMITS, &on_demand);
        assert_eq!(evaluation.exhausted(), None, "seed {seed}");
        assert_same(
            seed,
            &text,
            &whole(&expected, &program, &on_demand),
            &evaluation.facts(),
        );
        assert_same(seed, &text, &expected, &evaluate(&program).facts());
    }
}

#[test]
fn flat_rules_give_the_same_facts() {
    let flat = cases(0..300, false)
        .filter(|(seed, text, _)| flat_rules::agrees(&format!("seed {seed}"), text, LIMITS));
    let flat = flat.count();
    assert!(flat > 100, "only {flat} sheets have flat rules");
}
