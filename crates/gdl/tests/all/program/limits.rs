//! What runs out is told, and nothing else runs over: no stack, no memory, no time.

use paidia_gdl::Dialect;
use paidia_gdl::analysis::Dynamics;
use paidia_gdl::datalog::{Exhausted, Limits};
use paidia_gdl::program::{Program, TooLarge};

use crate::program::evaluate::{Evaluation, LIMITS, evaluate, evaluate_with};
use crate::program::{program, relation, sheet};

/// The numbers from 0 to `last` as a relation `succ`, and what is reachable from 0.
fn counting(last: usize) -> String {
    let mut text = String::from("(reached 0) (<= (reached ?y) (reached ?x) (succ ?x ?y))\n");
    for number in 0..last {
        text.push_str(&format!("(succ {number} {})\n", number + 1));
    }
    text
}

#[test]
fn what_runs_out_is_told() {
    let program = program(&counting(1_000));
    let exhausted = |limits: Limits| evaluate_with(&program, limits, &[]).exhausted();
    assert_eq!(exhausted(LIMITS), None);
    assert_eq!(
        exhausted(Limits {
            steps: 500,
            ..LIMITS
        }),
        Some(Exhausted::Steps)
    );
    assert_eq!(
        exhausted(Limits {
            rows: 1_500,
            ..LIMITS
        }),
        Some(Exhausted::Rows)
    );
    assert_eq!(
        exhausted(Limits {
            rows: 2_001,
            ..LIMITS
        }),
        None,
        "as many rows as there are"
    );
}

#[test]
fn terms_that_grow_without_end_run_out() {
    let program = program("(p zero) (<= (p (s ?x)) (p ?x))");
    let exhausted =
        |terms: u32| evaluate_with(&program, Limits { terms, ..LIMITS }, &[]).exhausted();
    assert_eq!(exhausted(100), Some(Exhausted::Terms));
    assert_eq!(exhausted(1_000), Some(Exhausted::Levels));
}

#[test]
fn long_chains_are_followed() {
    let program = program(&counting(50_000));
    let evaluation = evaluate(&program);
    assert_eq!(evaluation.exhausted(), None);
    assert_eq!(
        evaluation.rows(relation(&program, "reached/1")).len(),
        50_001
    );
}

/// A question that leads to another, and so on to the end of a chain, through bodies of many
/// literals.
fn chain_on_demand(length: usize) -> String {
    let same: String = (0..60)
        .map(|z| format!("(same ?z{z} ?z{})", z + 1))
        .collect();
    let mut text = format!(
        "(<= (end ?x) (last ?x)) (<= (end ?x) (step ?x ?z0) {same} (end ?z60))
         (last {length}) (same {length} {length}) (<= found (end 0))\n"
    );
    for number in 0..length {
        text.push_str(&format!(
            "(step {number} {})(same {number} {number})\n",
            number + 1
        ));
    }
    text
}

#[test]
fn deep_questions_are_answered_or_refused_but_do_not_overflow_the_stack() {
    let holds = |length: usize| {
        let program = program(&chain_on_demand(length));
        let on_demand = [relation(&program, "end/1")];
        let evaluation = evaluate_with(&program, LIMITS, &on_demand);
        match evaluation.exhausted() {
            None => Ok(evaluation.facts().contains("(found)")),
            Some(exhausted) => Err(exhausted),
        }
    };
    assert_eq!(holds(10), Ok(true));
    // Each step of the chain takes 62 look-ups and a call.
    assert_eq!(holds(Limits::DEPTH / 70), Ok(true));
    assert_eq!(holds(Limits::DEPTH / 60), Err(Exhausted::Depth));
    assert_eq!(holds(10_000), Err(Exhausted::Depth));
}

#[test]
fn answers_that_were_cut_short_are_not_taken_for_all() {
    let program = program(&format!(
        "{} (<= (far ?x) (reached ?x) (last ?x)) (last 300)",
        counting(300)
    ));
    let on_demand = [relation(&program, "reached/1")];
    let mut evaluation = Evaluation::new(
        &program,
        Limits {
            steps: 1_000,
            ..LIMITS
        },
        &on_demand,
    );
    evaluation.derive(Dynamics::Static);
    assert_eq!(evaluation.exhausted(), Some(Exhausted::Steps));
    assert!(evaluation.rows(relation(&program, "far/1")).is_empty());
    evaluation.machine.set_limits(LIMITS);
    evaluation.machine.restart_count(0);
    evaluation.derive(Dynamics::Static);
    assert_eq!(evaluation.exhausted(), None);
    assert_eq!(evaluation.rows(relation(&program, "far/1")).len(), 1);
}

/// A rule with that many conditions, all of them met.
fn long_rule(literals: usize) -> String {
    let same: String = (1..literals)
        .map(|z| format!("(same ?z{} ?z{z})", z - 1))
        .collect();
    format!("(same a a) (<= (p ?z0) (same ?z0 a) {same})")
}

#[test]
fn long_bodies_are_evaluated_and_endless_ones_refused() {
    let program = program(&long_rule(1_000));
    assert_eq!(evaluate(&program).rows(relation(&program, "p/1")).len(), 1);
    let error = Program::new(&sheet(&long_rule(50_000)), Dialect::Gdl).unwrap_err();
    assert_eq!(
        error,
        TooLarge::Body {
            clause: 1,
            literals: 50_000
        }
    );
    let expected = "clause 2 of the sheet has 50000 conditions; there may be 1000";
    assert_eq!(error.to_string(), expected);
}

/// Facts about as many kinds of fluents.
fn fluents(kinds: usize) -> String {
    (0..kinds)
        .map(|kind| format!("(init (f{kind} a))"))
        .collect()
}

#[test]
fn variables_for_whole_fluents_multiply_rules_only_so_far() {
    let text = fluents(2_000) + "(<= (next ?f) (true ?f))";
    assert_eq!(program(&text).rules.len(), 4_000);
    let text = fluents(2_000) + "(<= (next ?f) (true ?f) (true ?g))";
    let error = Program::new(&sheet(&text), Dialect::Gdl).unwrap_err();
    assert!(
        matches!(error, TooLarge::Rules(rules) if rules > 500_000),
        "{error}"
    );
}

#[test]
fn disjunctions_that_cannot_be_shared_multiply_rules_only_so_far() {
    // Neither branch binds a variable, so that no helper relation can stand for the disjunction.
    let disjunctions = |count: usize| {
        let one = |number| format!("(or (distinct ?x a{number}) (distinct ?y b{number}))");
        let all: String = (0..count).map(one).collect();
        sheet(&format!("(d a b) (<= (p ?x ?y) (d ?x ?y) {all})"))
    };
    let program = Program::new(&disjunctions(10), Dialect::Gdl).unwrap();
    assert_eq!(program.rules.len(), 1 + 1024);
    let error = Program::new(&disjunctions(30), Dialect::Gdl).unwrap_err();
    assert_eq!(error, TooLarge::Rules(1 + (1 << 30)));
}
