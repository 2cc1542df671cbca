//! Rules rewritten so that what is asked drives what is derived. `random` compares what they
//! derive.

use paidia_gdl::analysis::Dependencies;
use paidia_gdl::datalog::demand::{Asking, Situation, rewrite};
use paidia_gdl::datalog::fixed::guess;
use paidia_gdl::program::{Program, RelationId};

use crate::program::evaluate::evaluate;
use crate::program::{program, relation};

/// The program with some relations derived as far as they are asked for, if that is possible.
pub(crate) fn as_asked(program: &Program, relations: &[RelationId]) -> Option<Program> {
    let mut demanded = vec![false; program.relations.len()];
    relations.iter().for_each(|id| demanded[id.index()] = true);
    let dependencies = Dependencies::new(program);
    // What must be known before moves are made is kept apart from the rest.
    let phases = dependencies.dynamics.iter();
    let phases: Vec<u8> = phases.map(|&dynamics| dynamics as u8 + 1).collect();
    let situation = Situation {
        program,
        dependencies: &dependencies,
        estimates: &guess(program),
        is_guessed: &vec![true; program.relations.len()],
        phases: &phases,
        asking: Asking::Derived,
    };
    rewrite(&situation, demanded).map(|rewritten| rewritten.program)
}

/// The program of a text with the named relations as asked.
fn rewritten(text: &str, names: &[&str]) -> Option<Program> {
    let program = program(text);
    let relations: Vec<RelationId> = names.iter().map(|name| relation(&program, name)).collect();
    as_asked(&program, &relations)
}

/// How many rows a relation of a rewritten program has.
fn rows(program: &Program, name: &str) -> usize {
    evaluate(program).rows(relation(program, name)).len()
}

const GRAPH: &str = "(edge a b) (edge b c) (edge c b) (edge d e) (edge e a) (start a) (start d)
    (<= (path ?x ?y) (edge ?x ?y)) ";

#[test]
fn only_what_is_asked_is_derived() {
    let left = format!(
        "{GRAPH} (<= (path ?x ?y) (path ?x ?z) (edge ?z ?y)) (<= (found ?x ?y) (start ?x) (path ?x ?y))"
    );
    let program = rewritten(&left, &["path/2"]).unwrap();
    assert_eq!(rows(&program, "path/2"), 0);
    assert_eq!(rows(&program, "asked path by 0/1"), 2);
    // From a to b and c, from d to all but itself.
    assert_eq!(rows(&program, "path by 0/2"), 6);
    assert_eq!(rows(&program, "found/2"), 6);
}

#[test]
fn a_recursion_that_ends_with_itself_does_not_repeat_its_question() {
    let right = format!("{GRAPH} (<= (path ?x ?y) (edge ?x ?z) (path ?z ?y))");
    let one = format!("{right} (<= (found ?y) (path a ?y))");
    let program = rewritten(&one, &["path/2"]).unwrap();
    assert_eq!(rows(&program, "asked path by 0/1"), 3);
    assert_eq!(rows(&program, "path by 0/1"), 2);
    assert_eq!(rows(&program, "found/1"), 2);
    // Which question was answered does not matter here, but does there.
    let some = format!("{right} (<= (found ?y) (start ?x) (path ?x ?y))");
    let program = rewritten(&some, &["path/2"]).unwrap();
    assert_eq!(rows(&program, "path by 0/1"), 4);
    let pairs = format!("{right} (<= (found ?x ?y) (start ?x) (path ?x ?y))");
    let program = rewritten(&pairs, &["path/2"]).unwrap();
    assert_eq!(rows(&program, "found/2"), 6);
}

#[test]
fn what_was_tested_before_is_not_forgotten() {
    let right = format!("{GRAPH} (<= (path ?x ?y) (edge ?x ?z) (path ?z ?y))");
    // From b one comes to c and to b itself, not to a.
    for (test, rows_found) in [("(path b a)", 0), ("(path b c)", 1)] {
        let text = format!("{right} (<= found {test} (start ?x) (path ?x e))");
        let program = rewritten(&text, &["path/2"]).unwrap();
        assert_eq!(rows(&program, "found/0"), rows_found, "{test}");
    }
}

#[test]
fn what_nobody_looks_at_is_left_out() {
    let text = format!(
        "{GRAPH} (<= (path ?x ?y) (path ?x ?z) (edge ?z ?y)) (<= (leaves ?x) (start ?x) (path ?x ?y))"
    );
    let program = rewritten(&text, &["path/2"]).unwrap();
    assert_eq!(rows(&program, "leaves/1"), 2);
    assert_eq!(rows(&program, "path by 0/1"), 2);
}

#[test]
fn short_rules_take_the_place_of_what_they_define() {
    let text = "(edge a b) (edge b c) (mark c) (<= (good ?x ?y) (edge ?x ?y) (mark ?y))
        (<= (found ?x) (edge ?z ?x) (good ?x c))";
    let program = rewritten(text, &["good/2"]).unwrap();
    assert_eq!(rows(&program, "found/1"), 1);
    let mut names = program
        .relations
        .iter()
        .map(|relation| program.symbols.name(relation.name));
    assert!(names.all(|name| !name.starts_with("asked")));
}

#[test]
fn a_relation_that_would_depend_on_its_negation_stays_whole() {
    // What is asked of p depends on q, which depends on p.
    let text = "(n a) (n b) (n c) (e a b) (e b b) (<= (p ?x ?y) (e ?x ?y)) (<= (p ?x ?y) (p ?x ?z) (e ?z ?y))
        (<= (q ?x) (n ?x) (not (p ?x b))) (<= (r ?x) (n ?x) (q ?x) (p ?x ?x)) (<= (s ?x) (n ?x) (not (p ?x ?x)) (q ?x))";
    let names = ["p/2", "q/1"];
    let program = rewritten(text, &names);
    let whole = crate::program::program(text);
    let program = program.unwrap_or(whole.clone());
    for name in ["r/1", "s/1"] {
        assert_eq!(rows(&program, name), rows(&whole, name), "{name}");
    }
    assert_eq!(rows(&program, "s/1"), 1);
}

#[test]
fn nothing_is_asked_about_ever_larger_terms() {
    let text = "(p a) (p (f a)) (n a) (<= (p ?x) (p (f ?x))) (<= (q ?x) (n ?x) (p ?x))";
    assert!(rewritten(text, &["p/1"]).is_none());
}
