//! What the checks say, word for word, where it takes more than one sentence; and where they say
//! nothing.

use expect_test::{Expect, expect};
use paidia_gdl::check::check_source;
use paidia_gdl::render::render;
use paidia_gdl::{Code, Source};

/// Checks a piece of a sheet; what every piece lacks does not count.
fn problems(rules: &str) -> String {
    let source = Source::new("rules.kif", rules);
    let (_, mut report) = check_source(&source, None);
    let lacking = [
        Code::MissingRole,
        Code::MissingTerminal,
        Code::MissingGoal,
        Code::MissingLegal,
        Code::UnusedRelation,
        Code::UndefinedRelation,
    ];
    report
        .problems
        .retain(|problem| !lacking.contains(&problem.code));
    render(&source, &report.problems, false)
}

#[track_caller]
fn check(rules: &str, expected: &Expect) {
    expected.assert_eq(&problems(rules));
}

#[track_caller]
fn check_sound(rules: &str) {
    assert_eq!(problems(rules), "");
}

#[test]
fn a_negative_cycle_is_shown_in_full() {
    check(
        "(<= safe (not attacked))\n(<= attacked (threat rook))\n(<= (threat ?piece) (piece ?piece) safe)\n(piece rook)",
        &expect![[r#"
            error[negative-cycle]: `safe` depends on its own negation
             --> rules.kif:1:15
              |
            1 | (<= safe (not attacked))
              |               ^^^^^^^^ `safe` needs `not attacked` here
            2 | (<= attacked (threat rook))
              |              ------------- `attacked` needs `threat` here
            3 | (<= (threat ?piece) (piece ?piece) safe)
              |                                    ---- `threat` needs `safe` here
              |
              = help: break the cycle: define one of these without asking for the other
        "#]],
    );
}

#[test]
fn clauses_decide_about_negative_cycles() {
    check_sound(
        "(role a) (<= (goal ?r 0) (role ?r) (not (goal ?r 100))) (<= (goal ?r 100) (role ?r) won)",
    );
    check_sound(
        "(<= (p 1 ?x) (q ?x) (not (p 2 ?x))) (<= (p 2 ?x) (q ?x) (not (p 3 ?x))) (p 3 b) (q b)",
    );
    check(
        "(<= (p 1 ?x) (q ?x) (not (p 2 ?x)))\n(<= (p ?n ?x) (q ?x) (q ?n) (p 1 ?x))\n(q b)",
        &expect![[r#"
            error[negative-cycle]: `p` depends on its own negation
             --> rules.kif:1:26
              |
            1 | (<= (p 1 ?x) (q ?x) (not (p 2 ?x)))
              |                          ^^^^^^^^ `p` needs `not p` here
            2 | (<= (p ?n ?x) (q ?x) (q ?n) (p 1 ?x))
              |                             -------- `p` needs `p` here
              |
              = help: break the cycle: define one of these without asking for the other
        "#]],
    );
}

#[test]
fn a_forbidden_dependency_is_shown_step_by_step() {
    check(
        "(<= (legal ?r pass) (idle ?r))\n(<= (legal ?r wait) (idle ?r))\n(<= (idle ?r) (quiet ?r))\n(<= (quiet ?r) (does ?r pass))",
        &expect![[r#"
            error[keyword-dependency]: `legal` must not depend on `does`
             --> rules.kif:1:21
              |
            1 | (<= (legal ?r pass) (idle ?r))
              |                     ^^^^^^^^^ needs `idle`, here and in another place
            2 | (<= (legal ?r wait) (idle ?r))
            3 | (<= (idle ?r) (quiet ?r))
              |               ---------- `idle` needs `quiet` here
            4 | (<= (quiet ?r) (does ?r pass))
              |                -------------- `quiet` needs `does` here
              |
              = help: it is asked before any move is made
        "#]],
    );
    check(
        "(<= (init (cell ?x)) (true (cell ?x)))",
        &expect![[r#"
        error[keyword-dependency]: `init` must not depend on `true`
         --> rules.kif:1:22
          |
        1 | (<= (init (cell ?x)) (true (cell ?x)))
          |                      ^^^^^^^^^^^^^^^^
          |
          = help: the initial state is made before anything holds or happens
    "#]],
    );
}

#[test]
fn branches_of_or_bind_together() {
    check_sound("(<= (next (at ?x)) (or (p ?x) (and (q ?x ?y) (not (r ?y)))))");
    check_sound("(<= (next (at ?x)) (p ?x) (or (q ?y) (distinct ?x a)))");
    check(
        "(<= (next (at ?x))\n    (or (p ?x)\n        (q ?y)))",
        &expect![[r#"
            error[unsafe-variable]: the variable `?x` in the head is not bound by a positive condition
             --> rules.kif:1:15
              |
            1 | (<= (next (at ?x))
              |               ^^ not bound
            2 |     (or (p ?x)
            3 |         (q ?y)))
              |         ------ this branch of `or` does not bind `?x`
              |
              = help: bind `?x` in every branch, or beside the `or`
        "#]],
    );
    check(
        "(<= (next at)\n    (or (p ?x)\n        (not (q ?x))))",
        &expect![[r#"
            error[unsafe-variable]: the variable `?x` under `not` is not bound by a positive condition
             --> rules.kif:3:17
              |
            3 |         (not (q ?x))))
              |         --------^^--
              |         |       |
              |         |       not bound
              |         this branch of `or` does not bind `?x`
              |
              = help: bind `?x` in every branch, or beside the `or`
        "#]],
    );
}

#[test]
fn nothing_under_not_binds() {
    check_sound("(<= (next at) (p ?x) (not (or (q ?x) (and (r ?x) (not (s ?x))))))");
    check(
        "(<= (next at) (not (and (p ?x) (q ?x))))",
        &expect![[r#"
        error[unsafe-variable]: the variable `?x` under `not` is not bound by a positive condition
         --> rules.kif:1:28
          |
        1 | (<= (next at) (not (and (p ?x) (q ?x))))
          |                            ^^ not bound
          |
          = help: add a condition that says which values `?x` can have
    "#]],
    );
}

#[test]
fn a_variable_that_is_nearly_bound() {
    check(
        "(<= (next (at ?player)) (does ?plaeyr walk)) (legal a walk)",
        &expect![[r#"
            error[unsafe-variable]: the variable `?player` in the head is not bound by a positive condition
             --> rules.kif:1:15
              |
            1 | (<= (next (at ?player)) (does ?plaeyr walk)) (legal a walk)
              |               ^^^^^^^ not bound
              |
              = help: did you mean `?plaeyr`?
        "#]],
    );
}

#[test]
fn recursion_may_pass_values_on() {
    check_sound("(<= (path ?a ?b) (edge ?a ?b)) (<= (path ?a ?c) (edge ?a ?b) (path ?b ?c))");
    check_sound(
        "(<= (even ?n) (odd ?m) (succ ?m ?n)) (<= (odd ?n) (even ?m) (succ ?m ?n)) (even 0)",
    );
    check_sound("(<= (p (f ?x) ?y) (q ?x) (p (g ?x) ?y))");
    check_sound("(<= (p (f ?x)) (q ?z) (p (f ?x)))");
}

#[test]
fn recursion_may_not_let_values_grow() {
    check(
        "(nat zero)\n(<= (nat ?n) (positive ?n))\n(<= (positive (s ?n)) (nat ?n))",
        &expect![[r#"
            error[unbounded-recursion]: the recursion of `positive` can build ever larger terms
             --> rules.kif:3:28
              |
            3 | (<= (positive (s ?n)) (nat ?n))
              |               ------       ^^ only the recursive `nat` gives this value
              |               |
              |               the term grows here
              |
              = help: bind the argument by a relation outside the recursion, such as a list of all its values
        "#]],
    );
    check(
        "(<= (path ?a ?c) (path ?a ?b) (path ?b ?c))",
        &expect![[r#"
        warning[loose-recursion]: the recursion of `path` is looser than GDL allows
         --> rules.kif:1:27
          |
        1 | (<= (path ?a ?c) (path ?a ?b) (path ?b ?c))
          |                           ^^        -- the same here
          |                           |
          |                           only the recursive `path` gives this value
          |
          = help: bind the argument by a relation outside the recursion; some players refuse it as it is
    "#]],
    );
}

#[test]
fn odd_numbers_of_arguments() {
    check(
        "(succ 1 2) (succ 2 3)\n(<= (next (n ?y)) (true (n ?x)) (succ ?x ?y 1))",
        &expect![[r#"
            error[relation-arity]: `succ` has 3 arguments here and 2 elsewhere
             --> rules.kif:2:33
              |
            1 | (succ 1 2) (succ 2 3)
              | ---------- 2 arguments here
            2 | (<= (next (n ?y)) (true (n ?x)) (succ ?x ?y 1))
              |                                 ^^^^^^^^^^^^^^ 3 arguments
              |
              = help: use different names for different things
        "#]],
    );
    check(
        "(init cell 1 empty)",
        &expect![[r#"
        error[keyword-arity]: `init` takes 1 argument, not 3
         --> rules.kif:1:1
          |
        1 | (init cell 1 empty)
          | ^^^^^^^^^^^^^^^^^^^ 3 arguments
          |
          = help: are parentheses missing? write `(init (fluent argument ...))`
    "#]],
    );
    check(
        "(init infinity a) (init 1.0 b)\n(<= (next c) (expired b))",
        &expect![[r#"
            error[keyword-arity]: `next` takes 2 arguments, not 1
             --> rules.kif:2:5
              |
            2 | (<= (next c) (expired b))
              |     ^^^^^^^^ 1 argument
              |
              = help: rtGDL needs a lifetime first; `infinity` is one that never ends
        "#]],
    );
}

#[test]
fn fluents_and_moves_that_are_hidden_behind_variables() {
    check_sound("(start (cell 1)) (<= (init ?f) (start ?f)) (<= (next (a)) (true (cell 2)))");
    check_sound(
        "(move go) (<= (legal ?r ?m) (role ?r) (move ?m)) (<= (next a) (does ?r stay)) (role r)",
    );
    check(
        "(init a)\n(<= (next ?f) (true ?f))\n(<= (next a) (true (not a)))",
        &expect![[r#"
            warning[undefined-fluent]: the fluent `not` is asked for, but no `init` or `next` makes it hold
             --> rules.kif:3:20
              |
            3 | (<= (next a) (true (not a)))
              |                    ^^^^^^^ never holds
              |
              = help: `not` goes outside: `(not (true ...))`
        "#]],
    );
}

#[test]
fn declarations_that_cover_the_rules() {
    check_sound("(base a) (init a) (<= (next a) (true a))");
    check_sound("(<= (base ?f) (fluent ?f)) (fluent a) (init a)");
    check(
        "(base a)\n(init a)\n(init (b 1 2))",
        &expect![[r#"
        warning[declaration-mismatch]: `b` with 2 arguments is not declared by any `base`
         --> rules.kif:3:7
          |
        1 | (base a)
          | -------- declarations begin here
        2 | (init a)
        3 | (init (b 1 2))
          |       ^^^^^^^ not declared
          |
          = help: declare it too, or leave out all `base` clauses
    "#]],
    );
}

#[test]
fn expired_is_a_name_like_any_other_in_gdl() {
    check_sound("(init a) (<= (expired ?x) (true a) (p ?x)) (<= (next a) (expired b))");
}

#[test]
fn chance_and_percepts_in_real_time() {
    check_sound(
        "(role random) (init infinity a) (<= (sees random b) (true ?t a)) (<= (next 2 a) (expired a))",
    );
}

#[test]
fn many_problems_of_one_kind() {
    let rules: String = (0..30)
        .map(|number| format!("(<= (next (cell ?x)) (not (p{number} ?x)))\n"))
        .collect();
    let shown = problems(&rules);
    assert_eq!(
        shown.matches("error[unsafe-variable]").count(),
        11,
        "{shown}"
    );
    assert!(shown.contains("20 more problems of this kind"), "{shown}");
}
