//! Rules that would keep a plain Prolog busy for ever, or give it wrong answers.

use paidia_game::{CrossCheck, Game, Resource, Rules, Walker};
use paidia_gdl::Source;
use paidia_gdl::check::check_source;
use paidia_gdl::program::Program;
use paidia_reason::prover::{Options, Order, StateStore};
use paidia_reason::{Prover, Reference};

/// Every variant of the prover agrees with the reference engine on a sheet.
fn assert_agrees(rules: &str) {
    let program = paidia_testkit::rules(rules).program();
    for state in [StateStore::Asserted, StateStore::List, StateStore::Naive] {
        for order in [Order::NegativesLast, Order::Written] {
            let options = Options {
                state,
                order,
                fixed: false,
            };
            let pair = CrossCheck {
                trusted: Reference::new("test", &program).unwrap(),
                suspect: Prover::with("test", &program, options).unwrap(),
            };
            let run = pair.run(3, 20, 1);
            assert!(run.is_ok(), "{options:?}: {}", run.unwrap_err());
        }
    }
}

/// The program of a sheet that the checks may refuse.
fn unchecked(rules: &str) -> Program {
    let (reading, report) = check_source(&Source::new("test", rules), None);
    Program::new(&reading.sheet, report.dialect).unwrap()
}

/// The legal moves of the first role at the start.
fn legal(rules: &str) -> Vec<String> {
    let game = Prover::new("test", &paidia_testkit::rules(rules).program()).unwrap();
    let mut walker = game.walker();
    let legal = walker.legal();
    let role = game.facts().role_ids().next().unwrap();
    let names = legal.of(role).iter().map(|&id| game.moves().name(id));
    names.map(|name| name.to_string()).collect()
}

/// A walk on a ring of six places where one can jump to whatever can be reached.
const RING: &str = "
    (role r) (init (at 1)) (init (open 3)) (goal r 50)
    (edge 1 2) (edge 2 3) (edge 3 4) (edge 4 5) (edge 5 6) (edge 6 1) (edge 7 8)
    (<= (way ?x ?y) (edge ?x ?y) (not (true (open ?x))))
    (<= (legal r (go ?y)) (true (at ?x)) (reach ?x ?y))
    (<= (next (at ?y)) (does r (go ?y)))
    (<= (next (open ?x)) (true (at ?x)))
    (<= terminal (true (at 6)))";

#[test]
fn left_recursion_ends() {
    let rules = format!(
        "{RING} (<= (reach ?x ?y) (way ?x ?y)) (<= (reach ?x ?z) (reach ?x ?y) (way ?y ?z))"
    );
    assert_eq!(legal(&rules), ["(go 2)", "(go 3)"]);
    assert_agrees(&rules);
}

#[test]
fn right_recursion_in_a_ring_ends() {
    let rules = format!(
        "{RING} (<= (reach ?x ?y) (edge ?x ?y)) (<= (reach ?x ?z) (edge ?x ?y) (reach ?y ?z))"
    );
    assert_eq!(
        legal(&rules),
        ["(go 1)", "(go 2)", "(go 3)", "(go 4)", "(go 5)", "(go 6)"]
    );
    assert_agrees(&rules);
}

#[test]
fn relations_that_need_each_other_end() {
    assert_agrees(&format!(
        "{RING}
        (<= (reach ?x ?y) (odd ?x ?y)) (<= (reach ?x ?y) (even ?x ?y))
        (<= (odd ?x ?y) (way ?x ?y)) (<= (odd ?x ?z) (even ?x ?y) (way ?y ?z))
        (<= (even ?x ?z) (odd ?x ?y) (odd ?y ?z)) (<= (even ?x ?z) (reach ?x ?y) (reach ?y ?z))"
    ));
}

#[test]
fn negation_is_asked_when_its_variables_are_bound() {
    let rules = "
        (role r) (init (at a)) (goal r 0) (place a) (place b) (place c)
        (<= (busy ?x) (true (at ?x)))
        (<= (legal r (go ?x ?y)) (not (busy ?y)) (distinct ?x ?y) (place ?x) (not (free ?x)) (place ?y))
        (<= (free ?x) (place ?x) (not (busy ?x)))
        (<= (next (at ?y)) (does r (go ?x ?y)))
        (<= terminal (true (at nowhere)))";
    assert_eq!(legal(rules), ["(go a b)", "(go a c)"]);
    assert_agrees(rules);
}

#[test]
fn a_goal_may_deny_another_goal() {
    assert_agrees(
        "(role r) (init (count 0)) (succ 0 1) (succ 1 2) (legal r wait)
        (<= (next (count ?y)) (true (count ?x)) (succ ?x ?y))
        (<= terminal (true (count 2)))
        (<= (goal r 100) (true (count 2)))
        (<= (goal r 0) (role r) (not (goal r 100)))",
    );
}

#[test]
fn functions_are_taken_apart_and_put_together() {
    // A stack as a term, a call with a half-known term, and one variable twice in a call.
    let rules = "
        (role r) (init (stack (push a nil))) (goal r 0) (item a) (item b)
        (<= (legal r (add ?x)) (item ?x) (true (stack ?s)) (not (holds ?s ?x)))
        (<= (legal r (drop ?x)) (true (stack ?s)) (top ?s (pair ?x ?x)))
        (<= (holds (push ?x ?s) ?x) (term (push ?x ?s)))
        (<= (holds (push ?y ?s) ?x) (term (push ?y ?s)) (holds ?s ?x))
        (<= (term ?s) (true (stack ?s)))
        (<= (term ?s) (term (push ?x ?s)))
        (<= (top ?s (pair ?x ?y)) (same ?x ?y) (first ?s ?x))
        (<= (first (push ?x ?s) ?x) (true (stack (push ?x ?s))))
        (<= (same ?x ?x) (item ?x))
        (<= (next (stack (push ?x ?s))) (does r (add ?x)) (true (stack ?s)))
        (<= (next (stack ?s)) (does r (drop ?x)) (true (stack (push ?x ?s))))
        (<= terminal (true (stack nil)))";
    assert_eq!(legal(rules), ["(add b)", "(drop a)"]);
    assert_agrees(rules);
}

#[test]
fn ever_larger_questions_are_not_asked() {
    assert_agrees(
        "(role r) (init (p 1)) (goal r 0) (legal r wait)
        (<= (big ?x) (true (p ?x)))
        (<= (big ?x) (big (f ?x)))
        (<= (next (p 1)) (big 1))
        (<= terminal (big 2))",
    );
}

#[test]
fn a_variable_is_no_part_of_itself() {
    assert_agrees(
        "(role r) (init (p 1)) (goal r 0)
        (<= (legal r wait) (true (p ?x)) (not odd))
        (<= odd (equal ?x (f ?x)))
        (<= (equal ?x ?x) (thing ?x))
        (thing 1) (thing (f 1))
        (<= (next (p ?x)) (true (p ?x)))
        (<= terminal odd)",
    );
}

#[test]
fn terms_that_grow_for_ever_run_into_a_limit() {
    let rules = "
        (role r) (init (n 0)) (goal r 0) (legal r wait)
        (<= (number ?x) (true (n ?x)))
        (<= (number (s ?x)) (number ?x))
        (<= (next (n 0)) (number ?x))
        (<= terminal (number ?x) (distinct ?x ?x))";
    let game = Prover::new("grow", &unchecked(rules)).unwrap();
    let mut walker = game.walker();
    assert!(walker.is_terminal());
    let fault = walker.fault().unwrap();
    assert_eq!(fault.resource, Resource::TermDepth);
    // The walker is of use again elsewhere, and runs into the same limit.
    walker.jump(&game.initial());
    assert!(walker.fault().is_none());
    assert!(walker.is_terminal() && walker.fault().is_some());
}
