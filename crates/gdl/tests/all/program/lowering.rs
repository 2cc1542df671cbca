//! Sheets become rules without disjunctions over relations split by what they are about.

use paidia_gdl::program::{Literal, Program, RelationKind, Rule, Term};

use crate::program::evaluate::evaluate;
use crate::program::{naive, program, relation, sheet};

/// The rules of a relation.
fn rules_of<'a>(program: &'a Program, name: &str) -> Vec<&'a Rule> {
    let id = relation(program, name);
    let rules = program.rules.iter();
    rules.filter(|rule| rule.head.relation == id).collect()
}

/// The names of the relations in a rule's body, with `not` before those that are negated.
fn body(program: &Program, rule: &Rule) -> Vec<String> {
    let text = |literal: &Literal| match literal {
        Literal::Holds(atom) => program.relation_name(atom.relation),
        Literal::Fails(atom) => format!("not {}", program.relation_name(atom.relation)),
        Literal::Distinct(..) => "distinct".to_owned(),
        Literal::Plain(_) => "plain".to_owned(),
    };
    rule.body.iter().map(text).collect()
}

fn helpers(program: &Program) -> usize {
    let relations = program.relations.iter();
    relations
        .filter(|relation| relation.kind == RelationKind::Helper)
        .count()
}

const FACTS: &str = "(a 1) (a 2) (a 4) (b 2) (b 3) (b 4) (c 2) (c 3) (d 1) (d 3) (d 4) ";

#[test]
fn a_few_disjunctions_multiply_the_rule() {
    let program = program(&format!(
        "{FACTS} (<= (p ?x) (or (a ?x) (b ?x)) (or (c ?x) (d ?x)))"
    ));
    let bodies: Vec<_> = rules_of(&program, "p/1")
        .iter()
        .map(|rule| body(&program, rule))
        .collect();
    assert_eq!(
        bodies,
        [
            ["a/1", "c/1"],
            ["a/1", "d/1"],
            ["b/1", "c/1"],
            ["b/1", "d/1"]
        ]
    );
    assert_eq!(helpers(&program), 0);
}

#[test]
fn many_disjunctions_are_shared_where_they_bind_their_variables() {
    let text = format!(
        "{FACTS} (e 1 2) (e 3 4)
         (<= (p ?x ?y ?z) (or (a ?x) (c ?x)) (or (a ?y) (e ?x ?y)) (or (b ?z) (c ?z) (d ?z)))"
    );
    let program = program(&text);
    // The one in the middle shares ?x with the first, which its own first branch does not bind; so
    // it multiplies the rule. Without helpers there would be 12 rules.
    let bodies: Vec<_> = rules_of(&program, "p/3")
        .iter()
        .map(|rule| body(&program, rule))
        .collect();
    assert_eq!(
        bodies,
        [["or#1/1", "a/1", "or#2/1"], ["or#1/1", "e/2", "or#2/1"]]
    );
    assert_eq!(helpers(&program), 2);
    assert_eq!(
        Some(evaluate(&program).facts()),
        naive::facts(&sheet(&text))
    );
}

#[test]
fn sharing_does_not_change_what_follows() {
    let branch =
        |number: usize| format!("(or (a ?x{number}) (and (b ?x{number}) (not (c ?x{number}))))");
    let formulas = |count: usize| (0..count).map(branch).collect::<String>();
    let head = |count: usize| {
        (0..count)
            .map(|number| format!(" ?x{number}"))
            .collect::<String>()
    };
    for count in 1..6 {
        let text = format!("{FACTS} (<= (p{}) {})", head(count), formulas(count));
        let program = program(&text);
        assert_eq!(helpers(&program), if count > 3 { count } else { 0 });
        assert_eq!(
            Some(evaluate(&program).facts()),
            naive::facts(&sheet(&text)),
            "{text}"
        );
    }
}

#[test]
fn negation_is_pushed_inwards() {
    let text =
        format!("{FACTS} (<= (p ?x) (a ?x) (not (or (b ?x) (not (and (d ?x) (distinct ?x 4))))))");
    let program = program(&text);
    let rules = rules_of(&program, "p/1");
    assert_eq!(rules.len(), 1);
    assert_eq!(
        body(&program, rules[0]),
        ["a/1", "not b/1", "d/1", "distinct"]
    );
    assert!(evaluate(&program).facts().contains("(p 1)"));
}

#[test]
fn not_distinct_is_the_same() {
    let program = program(
        "(q (f a) (f a)) (q (f a) (f b)) (q b c)
         (<= (p ?x ?y) (q (f ?x) ?z) (q ?u (f ?y)) (not (distinct ?u (f ?x))) (not (distinct ?x ?y)))
         (<= (never ?x) (q ?x ?y) (not (distinct (f ?x) (f (f ?x)))))
         (<= (no ?x) (q ?x ?y) (not (distinct a b)))
         (<= (yes ?x) (q ?x ?y) (not (distinct a a)))",
    );
    let rules = rules_of(&program, "p/2");
    assert_eq!(rules[0].head.args, [Term::Variable(0), Term::Variable(0)]);
    assert_eq!(rules[0].variables, 2);
    assert!(program.symbols.get("never").is_some());
    let names: Vec<String> = evaluate(&program).facts().into_iter().collect();
    assert!(names.contains(&"(p a a)".to_owned()), "{names:?}");
    assert!(
        !names
            .iter()
            .any(|name| name.starts_with("(never") || name.starts_with("(no "))
    );
    assert!(names.contains(&"(yes b)".to_owned()));
}

#[test]
fn declarations_become_no_rules() {
    let program = program("(role r) (base (cell 1)) (input r move) (<= (base ?x) (role ?x))");
    assert_eq!(program.rules.len(), 1);
    assert!(program.fluents.is_empty() && program.moves.is_empty());
}

const FRAME: &str = "
    (role white) (role black)
    (init (cell 1 blank)) (init (cell 2 (piece queen white))) (init (control white)) (init started)
    (<= (next ?f) (true ?f) (not (gone ?f)))
    (<= (gone (control ?r)) (true (control ?r)))
    (<= (gone started) (true started))
    (<= (legal ?r ?m) (possible ?r ?m))
    (possible white (put 1)) (possible white pass) (possible black pass)
    (<= (made ?m) (does ?r ?m))
    (<= (sees ?r ?p) (role ?r) (true ?p) (made ?m))";

#[test]
fn relations_are_split_by_what_they_are_about() {
    let program = program(FRAME);
    let kinds = |names: Vec<Option<paidia_gdl::Symbol>>| {
        let text = |functor: Option<_>| functor.map_or("constants", |f| program.symbols.name(f));
        let mut texts: Vec<&str> = names.into_iter().map(text).collect();
        texts.sort_unstable();
        texts
    };
    let fluents = kinds(
        program
            .fluents
            .iter()
            .map(|fluent| fluent.functor)
            .collect(),
    );
    assert_eq!(fluents, ["cell", "constants", "control"]);
    let moves = kinds(program.moves.iter().map(|kind| kind.functor).collect());
    assert_eq!(moves, ["constants", "put"]);
    let percepts = kinds(program.percepts.iter().map(|kind| kind.functor).collect());
    assert_eq!(percepts, ["cell", "constants", "control"]);
    assert_eq!(program.relation(relation(&program, "next cell/2")).arity, 2);
    assert_eq!(program.relation(relation(&program, "does put/2")).arity, 2);
    assert_eq!(program.relation(relation(&program, "legal/2")).arity, 2);
}

#[test]
fn a_variable_for_a_whole_fluent_is_expanded() {
    let program = program(FRAME);
    for (name, expected) in [
        ("next cell/2", vec!["true cell/2", "not gone/1"]),
        ("next control/1", vec!["true control/1", "not gone/1"]),
        ("next/1", vec!["true/1", "not gone/1", "plain"]),
    ] {
        let rules = rules_of(&program, name);
        assert_eq!(rules.len(), 1, "{name}");
        assert_eq!(body(&program, rules[0]), expected, "{name}");
    }
}

#[test]
fn expanded_rules_mean_what_the_rule_meant() {
    let expected = naive::facts(&sheet(FRAME)).unwrap();
    let found = evaluate(&program(FRAME)).facts();
    assert_eq!(found, expected);
    for fact in [
        "(next (cell 2 (piece queen white)))",
        "(made (put 1))",
        "(sees black started)",
    ] {
        assert!(found.contains(fact), "{fact}");
    }
    assert!(!found.contains("(next (control white))") && !found.contains("(next started)"));
}

#[test]
fn domains_keep_to_what_can_be() {
    let program = program(FRAME);
    let size = |name: &str, column: usize| {
        program.relation(relation(&program, name)).domains[column].size()
    };
    assert_eq!(size("true cell/2", 0), Some(2));
    assert_eq!(size("true cell/2", 1), Some(2), "blank and the queen");
    assert_eq!(size("true control/1", 0), Some(1), "black never is");
    assert_eq!(size("made/1", 0), Some(2), "put 1 and pass");
}

#[test]
fn rules_that_can_never_apply_are_left_out() {
    let program = program(
        "(init (step 1)) (<= (next (step 2)) (true (step 1)))
         (<= terminal (true (step 3))) (<= (p ?x) (true (step ?x)) (true (other ?x)))
         (<= (q ?x) (true (step ?x)) (not (true (other ?x))))",
    );
    let names: Vec<String> = program
        .rules
        .iter()
        .map(|rule| program.relation_name(rule.head.relation))
        .collect();
    assert_eq!(names, ["init step/1", "next step/1", "q/1"]);
}
