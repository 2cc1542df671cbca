//! Dependencies: groups, strata, what changes, and what a question needs.

use paidia_gdl::analysis::{Component, Dependencies, Dynamics};
use paidia_gdl::program::{Program, RelationId};

use crate::program::evaluate::evaluate;
use crate::program::{program, relation};

/// The only group of a relation.
fn group(dependencies: &Dependencies, id: RelationId) -> &Component {
    let groups = &dependencies.components_of[id.index()];
    assert_eq!(groups.len(), 1);
    &dependencies.components[groups[0]]
}

/// The number of negations below a relation.
fn stratum(program: &Program, name: &str) -> usize {
    let dependencies = Dependencies::new(program);
    group(&dependencies, relation(program, name)).stratum
}

const GRAPH: &str = "
    (edge a b) (edge b c) (edge c a) (edge c d)
    (<= (node ?x) (edge ?x ?y)) (<= (node ?y) (edge ?x ?y))
    (<= (path ?x ?y) (edge ?x ?y)) (<= (path ?x ?y) (edge ?x ?z) (path ?z ?y))
    (<= (apart ?x ?y) (node ?x) (node ?y) (not (path ?x ?y)))
    (<= (even ?x) (edge a ?x)) (<= (even ?y) (odd ?x) (edge ?x ?y)) (<= (odd ?y) (even ?x) (edge ?x ?y))
    (<= (strange ?x) (node ?x) (not (apart ?x ?x)) (not (odd ?x)))";

#[test]
fn strata_count_negations() {
    let program = program(GRAPH);
    for (name, expected) in [
        ("edge/2", 0),
        ("path/2", 0),
        ("odd/1", 0),
        ("apart/2", 1),
        ("strange/1", 2),
    ] {
        assert_eq!(stratum(&program, name), expected, "{name}");
    }
}

#[test]
fn relations_that_need_each_other_form_a_group() {
    let program = program(GRAPH);
    let dependencies = Dependencies::new(&program);
    let group = |name: &str| group(&dependencies, relation(&program, name));
    assert!(!group("edge/2").recursive && !group("apart/2").recursive);
    assert!(group("path/2").recursive);
    assert!(!group("path/2").partial);
    let mut together = vec![relation(&program, "even/1"), relation(&program, "odd/1")];
    together.sort();
    assert_eq!(group("odd/1").relations, together);
    assert_eq!(group("odd/1").rules.len(), 3);
}

#[test]
fn groups_come_after_those_they_need() {
    let program = program(GRAPH);
    let dependencies = Dependencies::new(&program);
    for (place, component) in dependencies.components.iter().enumerate() {
        for &rule in &component.rules {
            for atom in program.rules[rule]
                .body
                .iter()
                .filter_map(|literal| literal.atom())
            {
                let needed = &dependencies.components_of[atom.relation.index()];
                assert!(needed.iter().all(|&needed| needed <= place));
            }
        }
    }
}

#[test]
fn a_question_needs_its_cone_and_no_more() {
    let program = program(GRAPH);
    let dependencies = Dependencies::new(&program);
    let cone = |name: &str| {
        let needed = dependencies.cone(&program, [relation(&program, name)]);
        assert!(needed.is_sorted());
        let relations = needed
            .iter()
            .flat_map(|&index| &dependencies.components[index].relations);
        let mut names: Vec<String> = relations.map(|&id| program.relation_name(id)).collect();
        names.sort();
        names
    };
    assert_eq!(cone("apart/2"), ["apart/2", "edge/2", "node/1", "path/2"]);
    assert_eq!(cone("odd/1"), ["edge/2", "even/1", "odd/1"]);
}

/// Authors define a goal by the lack of another: no clause depends on its own negation, though the
/// relation does.
const GOALS: &str = "
    (role x) (role o) (init (won x))
    (<= (goal ?r 100) (true (won ?r)))
    (<= (goal ?r 0) (role ?r) (not (goal ?r 100)))
    (<= (goal ?r 50) (role ?r) (not (goal ?r 100)) (not (goal ?r 0)))";

#[test]
fn clauses_with_negation_among_themselves_are_taken_apart() {
    let program = program(GOALS);
    let dependencies = Dependencies::new(&program);
    let goal = relation(&program, "goal/2");
    let groups = &dependencies.components_of[goal.index()];
    let groups: Vec<&Component> = groups
        .iter()
        .map(|&group| &dependencies.components[group])
        .collect();
    assert_eq!(groups.len(), 3);
    assert!(
        groups
            .iter()
            .all(|group| group.partial && !group.recursive && group.rules.len() == 1)
    );
    assert_eq!(
        groups.iter().map(|group| group.stratum).collect::<Vec<_>>(),
        [0, 1, 2]
    );
    let facts = evaluate(&program).facts();
    let goals: Vec<&String> = facts
        .iter()
        .filter(|fact| fact.starts_with("(goal"))
        .collect();
    assert_eq!(goals, ["(goal o 0)", "(goal x 100)"]);
}

#[test]
fn clauses_that_are_taken_apart_may_be_recursive() {
    let program = program(
        "(edge a b) (edge b c) (start a)
         (<= (state ?x reached) (start ?x))
         (<= (state ?y reached) (state ?x reached) (edge ?x ?y))
         (<= (state ?x lonely) (node ?x) (not (state ?x reached)))
         (node a) (node b) (node c) (node d)",
    );
    let dependencies = Dependencies::new(&program);
    let state = relation(&program, "state/2");
    let groups = &dependencies.components_of[state.index()];
    let recursive = groups
        .iter()
        .filter(|&&group| dependencies.components[group].recursive);
    assert_eq!(recursive.count(), 1);
    let facts = evaluate(&program).facts();
    let states: Vec<&String> = facts
        .iter()
        .filter(|fact| fact.starts_with("(state"))
        .collect();
    assert_eq!(
        states,
        [
            "(state a reached)",
            "(state b reached)",
            "(state c reached)",
            "(state d lonely)"
        ]
    );
}

#[test]
fn facts_change_with_what_they_depend_on() {
    let program = program(
        "(role r) (init (at 1)) (succ 1 2) (succ 2 3)
         (<= (more ?x ?y) (succ ?x ?y)) (<= (more ?x ?z) (succ ?x ?y) (more ?y ?z))
         (<= (free ?x) (succ ?y ?x) (not (true (at ?x))))
         (<= (legal ?r (go ?x)) (role ?r) (free ?x))
         (<= (target ?x) (does ?r (go ?x)))
         (<= (next (at ?x)) (target ?x))
         (<= (next (at ?x)) (true (at ?x)) (not moved)) (<= moved (target ?x))
         (<= (goal r 100) (true (at 3))) (<= terminal (true (at 3)))",
    );
    let dependencies = Dependencies::new(&program);
    for (name, expected) in [
        ("succ/2", Dynamics::Static),
        ("more/2", Dynamics::Static),
        ("init at/1", Dynamics::Static),
        ("true at/1", Dynamics::State),
        ("free/1", Dynamics::State),
        ("legal go/2", Dynamics::State),
        ("goal/2", Dynamics::State),
        ("does go/2", Dynamics::Move),
        ("target/1", Dynamics::Move),
        ("moved/0", Dynamics::Move),
        ("next at/1", Dynamics::Move),
    ] {
        let id = relation(&program, name);
        assert_eq!(dependencies.dynamics[id.index()], expected, "{name}");
    }
}
