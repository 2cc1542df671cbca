//! Where the KIF reader finds a parenthesis missing or too many.

use crate::syntax::{check_problems, check_rules, read};
use expect_test::expect;
use paidia_gdl::syntax::Notation::Kif;

#[test]
fn missing_at_the_end_of_a_fact() {
    check_problems(
        Kif,
        "(role x)\n(init (cell 1 1 b)\n(init (cell 1 2 b))\n(init (cell 1 3 b))\n",
        &expect![[r#"
            error[unclosed-parenthesis]: this parenthesis is never closed
             --> sheet:2:1
              |
            2 | (init (cell 1 1 b)
              | ^ opened here
            3 | (init (cell 1 2 b))
              | - the next clause starts here
              |
              = help: add the missing `)`
            ---
            (role x)
            (init (cell 1 2 b))
            (init (cell 1 3 b))
        "#]],
    );
}

#[test]
fn missing_at_the_end_of_a_rule() {
    check_problems(
        Kif,
        "(<= (next (cell ?m ?n x))\n    (does x (mark ?m ?n))\n    (true (cell ?m ?n b))\n\n(<= (next (control x))\n    (true (control o)))\n(role x)\n",
        &expect![[r#"
            error[unclosed-parenthesis]: this parenthesis is never closed
             --> sheet:1:1
              |
            1 | (<= (next (cell ?m ?n x))
              | ^ opened here
            ...
            5 | (<= (next (control x))
              | - the next clause starts here
              |
              = help: add the missing `)`
            ---
            (<= (next (control x))
                (true (control o)))
            (role x)
        "#]],
    );
}

#[test]
fn missing_inside_a_rule() {
    check_problems(
        Kif,
        "(role x)\n\n(<= (next (cell ?m ?n x)\n    (does x (mark ?m ?n))\n    (true (cell ?m ?n b)))\n\n(role y)\n",
        &expect![[r#"
            error[unclosed-parenthesis]: this parenthesis is never closed
             --> sheet:3:5
              |
            3 | (<= (next (cell ?m ?n x)
              |     ^ opened here
            ...
            7 | (role y)
              | - the next clause starts here
              |
              = help: add the missing `)`
            ---
            (role x)

            (role y)
        "#]],
    );
}

#[test]
fn missing_at_the_end_of_the_text() {
    check_problems(
        Kif,
        "(role x)\n(<= terminal\n    (not open)\n",
        &expect![[r#"
        error[unclosed-parenthesis]: this parenthesis is never closed
         --> sheet:2:1
          |
        2 | (<= terminal
          | ^ opened here
        3 |     (not open)
          |               - the text ends here
          |
          = help: add the missing `)`
        ---
        (role x)
    "#]],
    );
}

#[test]
fn missing_without_any_lines() {
    check_problems(
        Kif,
        "(role x) (<= (p ?x) (q ?x) (<= (q ?x) (role ?x)) (role y)",
        &expect![[r#"
            error[unclosed-parenthesis]: this parenthesis is never closed
             --> sheet:1:10
              |
            1 | (role x) (<= (p ?x) (q ?x) (<= (q ?x) (role ?x)) (role y)
              |          ^ opened here     - the next clause starts here
              |
              = help: add the missing `)`
            ---
            (role x)
            (<= (q ?x)
                (role ?x))
            (role y)
        "#]],
    );
}

#[test]
fn missing_in_one_clause_and_too_many_in_another() {
    check_problems(
        Kif,
        "(role x)\n(<= p\n    (q 1)\n(<= q\n    (r 1)))\n(role y)\n",
        &expect![[r#"
            error[unclosed-parenthesis]: this parenthesis is never closed
             --> sheet:2:1
              |
            2 | (<= p
              | ^ opened here
            3 |     (q 1)
            4 | (<= q
              | - the next clause starts here
              |
              = help: add the missing `)`

            error[stray-parenthesis]: this parenthesis closes nothing
             --> sheet:5:11
              |
            5 |     (r 1)))
              |           ^ no list is open here
              |
              = help: remove it, or look for a `)` too many before it
            ---
            (role x)
            (<= q
                (r 1))
            (role y)
        "#]],
    );
}

#[test]
fn missing_twice() {
    check_problems(
        Kif,
        "(init (a 1)\n(init (a 2))\n(init (a 3)\n(init (a 4))\n",
        &expect![[r#"
            error[unclosed-parenthesis]: this parenthesis is never closed
             --> sheet:1:1
              |
            1 | (init (a 1)
              | ^ opened here
            2 | (init (a 2))
              | - the next clause starts here
              |
              = help: add the missing `)`

            error[unclosed-parenthesis]: this parenthesis is never closed
             --> sheet:3:1
              |
            3 | (init (a 3)
              | ^ opened here
            4 | (init (a 4))
              | - the next clause starts here
              |
              = help: add the missing `)`
            ---
            (init (a 2))
            (init (a 4))
        "#]],
    );
}

#[test]
fn bodies_in_the_first_column_are_no_evidence() {
    let rule = "(<= (next (a ?x))\n(b ?x)\n(c ?x)\n(d ?x))\n";
    let text = format!("{rule}{rule}(<= p\n(q 1)\n(r 1)\n\n{rule}");
    check_problems(
        Kif,
        &text,
        &expect![[r#"
            error[unclosed-parenthesis]: this parenthesis is never closed
              --> sheet:9:1
               |
             9 | (<= p
               | ^ opened here
            ...
            13 | (<= (next (a ?x))
               | - the next clause starts here
               |
               = help: add the missing `)`
            ---
            (<= (next (a ?x))
                (b ?x)
                (c ?x)
                (d ?x))
            (<= (next (a ?x))
                (b ?x)
                (c ?x)
                (d ?x))

            (<= (next (a ?x))
                (b ?x)
                (c ?x)
                (d ?x))
        "#]],
    );
}

#[test]
fn balanced_sheets_are_taken_as_they_are() {
    check_rules(
        Kif,
        "  (role x)\n(<= p\n(role x)\n(q 1)\n)\n      (role y)",
        &expect![[r#"
            (role x)
            (<= p
                (role x)
                (q 1))
            (role y)
        "#]],
    );
}

#[test]
fn too_many_after_a_clause() {
    check_problems(
        Kif,
        "(role x))\n(role y)))) )\n)(role z)\n",
        &expect![[r#"
        error[stray-parenthesis]: this parenthesis closes nothing
         --> sheet:1:9
          |
        1 | (role x))
          |         ^ no list is open here
          |
          = help: remove it, or look for a `)` too many before it

        error[stray-parenthesis]: this parenthesis closes nothing
         --> sheet:2:9
          |
        2 | (role y)))) )
          |         ^ no list is open here
          |
          = help: remove it, or look for a `)` too many before it
        ---
        (role x)
        (role y)
        (role z)
    "#]],
    );
}

#[test]
fn too_many_inside_a_rule() {
    check_problems(
        Kif,
        "(role x)\n(<= (next (control x)))\n    (true (control o))\n    (p 1))\n(role y)\n",
        &expect![[r#"
            error[stray-parenthesis]: this parenthesis closes the clause too early
             --> sheet:2:23
              |
            2 | (<= (next (control x)))
              |                       ^ nothing of the clause is open after it
            3 |     (true (control o))
            4 |     (p 1))
              |          - so that this one closes nothing
              |
              = help: remove one `)` here
            ---
            (role x)
            (role y)
        "#]],
    );
}

#[test]
fn a_file_of_opening_parentheses_takes_no_time() {
    for text in [
        "(\n".repeat(200_000),
        "(<= ".repeat(200_000),
        ")a".repeat(200_000),
        "\n (a)".repeat(100_000) + ")",
    ] {
        assert!(!read(Kif, &text).problems.is_empty());
    }
}
