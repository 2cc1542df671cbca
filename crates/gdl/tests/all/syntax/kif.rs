//! The KIF reader.

use crate::syntax::{check_problems, check_rules, read, read_sound};
use expect_test::expect;
use paidia_gdl::source::MAX_SOURCE_BYTES;
use paidia_gdl::syntax::{Formula, MAX_DEPTH, Notation::Kif, TermKind};
use paidia_gdl::{Code, Source};

#[test]
fn facts_and_rules() {
    check_rules(
        Kif,
        "(role x) (<= (next (cell ?m ?n x)) (does x (mark ?m ?n)) (not (true (cell ?m ?n b))) \
         (or (distinct ?m 1) (and open (p ?n))))",
        &expect![[r#"
            (role x)
            (<= (next (cell ?m ?n x))
                (does x (mark ?m ?n))
                (not (true (cell ?m ?n b)))
                (or (distinct ?m 1) (and open (p ?n))))
        "#]],
    );
}

#[test]
fn keywords_and_connectives_in_any_case() {
    check_rules(
        Kif,
        "(ROLE X) (<= (Legal ?x Noop) (TRUE (TRUE ?x)) (Not (DOES X ?x)) (OR P (DISTINCT ?X ?x)) (AND Q TERMINAL))",
        &expect![[r#"
            (role X)
            (<= (legal ?x Noop)
                (true (TRUE ?x))
                (not (does X ?x))
                (or P (distinct ?X ?x))
                (and Q terminal))
        "#]],
    );
}

#[test]
fn propositions_with_and_without_parentheses() {
    check_rules(
        Kif,
        "open (shut) (<= (terminal) (open)) (<= terminal shut) (p (a) (f (b)))",
        &expect![[r#"
            (open)
            (shut)
            (<= terminal
                open)
            (<= terminal
                shut)
            (p a (f b))
        "#]],
    );
}

#[test]
fn a_rule_without_conditions_is_a_fact() {
    check_rules(
        Kif,
        "(<= (role x)) (<= open)",
        &expect![[r#"
        (role x)
        (open)
    "#]],
    );
}

#[test]
fn odd_blanks() {
    let text = "\u{feff}(role\tx)\r\n\r\n(role\u{a0}y)\r(\nrole\u{b}z\n)\u{feff}(role\u{2003}w)";
    check_rules(
        Kif,
        text,
        &expect![[r#"
        (role x)

        (role y)
        (role z)
        (role w)
    "#]],
    );
}

#[test]
fn names_hold_anything_but_blanks_parentheses_and_semicolons() {
    check_rules(
        Kif,
        "(succ ?n++ -1 + 1.5 it's \"x\" a,b.c ä→☃ ?ü %20 _ ?_ |b| <== =>) ;",
        &expect![[r#"
            (succ ?n++ -1 + 1.5 it's "x" a,b.c ä→☃ ?ü %20 _ ?_ |b| <== =>)
        "#]],
    );
}

#[test]
fn a_sheet_in_one_more_pair_of_parentheses() {
    check_rules(
        Kif,
        "((role x) (<= (p ?x) (role ?x)) open)",
        &expect![[r#"
        (role x)
        (<= (p ?x)
            (role ?x))
        (open)
    "#]],
    );
    check_rules(
        Kif,
        "((role x))",
        &expect![[r#"
        (role x)
    "#]],
    );
}

#[test]
fn an_empty_sheet() {
    for text in ["", " \n", "\u{feff}", "; nothing"] {
        assert!(read_sound(Kif, text).clauses.is_empty());
    }
}

#[test]
fn comments_stay_with_their_clauses() {
    let text = "; title\n;; of two lines\n\n;;; Roles\n(role x) ; first\n(role y)\n\n\n(<= p ; why\n  ; and how\n  q)\n\n; the end\n;\n";
    let sheet = read_sound(Kif, text);
    let comments: Vec<_> = sheet
        .clauses
        .iter()
        .map(|clause| &clause.comments[..])
        .collect();
    assert_eq!(comments[0], ["title", "of two lines", "", "Roles", "first"]);
    assert_eq!(comments[1], [""; 0]);
    assert_eq!(comments[2], ["", "why", "and how"]);
    assert_eq!(sheet.closing_comments, ["", "the end"]);
}

#[test]
fn places_are_those_of_the_text() {
    let text = "(role x)\n(<= (p ?x) (not (q (f ?x))))";
    let sheet = read_sound(Kif, text);
    let slice = |span: paidia_gdl::Span| &text[span.range()];
    assert_eq!(slice(sheet.clauses[0].span), "(role x)");
    let rule = &sheet.clauses[1];
    assert_eq!(slice(rule.head.span), "(p ?x)");
    assert_eq!(slice(rule.head.relation_span), "p");
    assert_eq!(slice(rule.head.args[0].span), "?x");
    let Formula::Not(inner, span) = &rule.body[0] else {
        panic!("{:?}", rule.body)
    };
    assert_eq!(
        (slice(*span), slice(inner.span())),
        ("(not (q (f ?x)))", "(q (f ?x))")
    );
    let Formula::Atom(atom) = &**inner else {
        panic!("{inner:?}")
    };
    assert_eq!(slice(atom.args[0].span), "(f ?x)");
    assert!(matches!(atom.args[0].kind, TermKind::Compound(..)));
}

#[test]
fn connectives_with_the_wrong_parts() {
    check_problems(
        Kif,
        "(<=)\n(<= p (not))\n(<= p (not a b))\n(<= p (distinct a))\n(<= p (or))\n(<= p not)\n(<= p (and))\n(role x)",
        &expect![[r#"
            error[bad-connective]: this rule has no head
             --> sheet:1:1
              |
            1 | (<=)
              | ^^^^ expected a head
              |
              = help: write `(<= head condition ...)`

            error[bad-connective]: `not` takes exactly one literal, not 0
             --> sheet:2:7
              |
            2 | (<= p (not))
              |       ^^^^^ expected exactly one literal
              |
              = help: write what must not hold

            error[bad-connective]: `not` takes exactly one literal, not 2
             --> sheet:3:7
              |
            3 | (<= p (not a b))
              |       ^^^^^^^^^ expected exactly one literal
              |
              = help: write a `not` for each, or `(not (and ...))`

            error[bad-connective]: `distinct` takes exactly two terms, not 1
             --> sheet:4:7
              |
            4 | (<= p (distinct a))
              |       ^^^^^^^^^^^^ expected exactly two terms
              |
              = help: write `(distinct ?x ?y)`

            error[bad-connective]: `or` takes at least one literal, not 0
             --> sheet:5:7
              |
            5 | (<= p (or))
              |       ^^^^ expected at least one literal
              |
              = help: remove it, or write what it should join

            error[bad-connective]: `not` takes exactly one literal, not 0
             --> sheet:6:7
              |
            6 | (<= p not)
              |       ^^^ expected exactly one literal
              |
              = help: write what must not hold

            error[bad-connective]: `and` takes at least one literal, not 0
             --> sheet:7:7
              |
            7 | (<= p (and))
              |       ^^^^^ expected at least one literal
              |
              = help: remove it, or write what it should join
            ---
            (role x)
        "#]],
    );
}

#[test]
fn what_is_not_a_clause() {
    check_problems(
        Kif,
        "()\n7\n?x\n<=\n...\n(or a b)\n(distinct a b)\n(role x)",
        &expect![[r#"
            error[not-a-clause]: an empty list is neither a fact nor a rule
             --> sheet:1:1
              |
            1 | ()
              | ^^ expected a fact or a rule
              |
              = help: a fact is `(relation argument ...)`, a rule is `(<= head condition ...)`

            error[not-a-clause]: `7` is neither a fact nor a rule
             --> sheet:2:1
              |
            2 | 7
              | ^ expected a fact or a rule
              |
              = help: a fact is `(relation argument ...)`, a rule is `(<= head condition ...)`

            error[not-a-clause]: `?x` is neither a fact nor a rule
             --> sheet:3:1
              |
            3 | ?x
              | ^^ expected a fact or a rule
              |
              = help: a fact is `(relation argument ...)`, a rule is `(<= head condition ...)`

            error[not-a-clause]: `<=` is neither a fact nor a rule
             --> sheet:4:1
              |
            4 | <=
              | ^^ expected a fact or a rule
              |
              = help: a fact is `(relation argument ...)`, a rule is `(<= head condition ...)`

            error[not-a-clause]: `...` is neither a fact nor a rule
             --> sheet:5:1
              |
            5 | ...
              | ^^^ expected a fact or a rule
              |
              = help: write the clauses that are left out here

            error[not-a-clause]: `or` is neither a fact nor a rule
             --> sheet:6:1
              |
            6 | (or a b)
              | ^^^^^^^^ expected a fact or a rule
              |
              = help: a fact is `(relation argument ...)`, a rule is `(<= head condition ...)`

            error[not-a-clause]: `distinct` is neither a fact nor a rule
             --> sheet:7:1
              |
            7 | (distinct a b)
              | ^^^^^^^^^^^^^^ expected a fact or a rule
              |
              = help: a fact is `(relation argument ...)`, a rule is `(<= head condition ...)`
            ---
            (role x)
        "#]],
    );
}

#[test]
fn what_is_not_a_literal() {
    check_problems(
        Kif,
        "(<= ?x p)\n(<= (not p) q)\n(<= p ?x)\n(<= p (?x a))\n(<= p 3)\n(<= p (3 a))\n(<= p ())\n(<= p ((q) (r)))\n(?p a)\n(<= p (<= q r))\n(role x)",
        &expect![[r#"
            error[not-a-literal]: the variable `?x` is not a literal
             --> sheet:1:5
              |
            1 | (<= ?x p)
              |     ^^ expected a literal
              |
              = help: a literal is `(relation argument ...)`

            error[not-a-literal]: `not` cannot be the head of a rule
             --> sheet:2:5
              |
            2 | (<= (not p) q)
              |     ^^^^^^^ expected a literal
              |
              = help: a head is one positive literal

            error[not-a-literal]: the variable `?x` is not a literal
             --> sheet:3:7
              |
            3 | (<= p ?x)
              |       ^^ expected a literal
              |
              = help: a literal is `(relation argument ...)`

            error[not-a-literal]: the variable `?x` cannot be a relation
             --> sheet:4:8
              |
            4 | (<= p (?x a))
              |        ^^ expected a literal
              |
              = help: a literal is `(relation argument ...)`

            error[not-a-literal]: the number `3` is not a literal
             --> sheet:5:7
              |
            5 | (<= p 3)
              |       ^ expected a literal
              |
              = help: a literal is `(relation argument ...)`

            error[not-a-literal]: the number `3` cannot be a relation
             --> sheet:6:8
              |
            6 | (<= p (3 a))
              |        ^ expected a literal
              |
              = help: a literal is `(relation argument ...)`

            error[not-a-literal]: an empty list is not a literal
             --> sheet:7:7
              |
            7 | (<= p ())
              |       ^^ expected a literal
              |
              = help: remove it

            error[not-a-literal]: a literal cannot start with a list
             --> sheet:8:7
              |
            8 | (<= p ((q) (r)))
              |       ^^^^^^^^^ expected a literal
              |
              = help: write `(and ...)` around several literals

            error[not-a-literal]: the variable `?p` cannot be a relation
             --> sheet:9:2
              |
            9 | (?p a)
              |  ^^ expected a literal
              |
              = help: a literal is `(relation argument ...)`

            error[not-a-literal]: `<=` can only start a clause
              --> sheet:10:7
               |
            10 | (<= p (<= q r))
               |       ^^^^^^^^ expected a literal
               |
               = help: close the clause before it
            ---
            (role x)
        "#]],
    );
}

#[test]
fn what_is_not_a_term() {
    check_problems(
        Kif,
        "(p ())\n(p ?)\n(p (?f a))\n(p ((f) a))\n(p (1 2))\n(p <=)\n(role x)",
        &expect![[r#"
            error[not-a-term]: an empty list is not a term
             --> sheet:1:4
              |
            1 | (p ())
              |    ^^ expected a term
              |
              = help: remove it

            error[not-a-term]: this variable has no name
             --> sheet:2:4
              |
            2 | (p ?)
              |    ^ expected a term
              |
              = help: write a name after `?`

            error[not-a-term]: the variable `?f` cannot be a function
             --> sheet:3:5
              |
            3 | (p (?f a))
              |     ^^ expected a term
              |
              = help: a function is a name

            error[not-a-term]: a term cannot start with a list
             --> sheet:4:4
              |
            4 | (p ((f) a))
              |    ^^^^^^^ expected a term
              |
              = help: start it with the name of a function

            error[not-a-term]: the number `1` cannot be a function
             --> sheet:5:5
              |
            5 | (p (1 2))
              |     ^ expected a term
              |
              = help: a function is a name

            error[not-a-term]: `<=` is not a term
             --> sheet:6:4
              |
            6 | (p <=)
              |    ^^ expected a term
            ---
            (role x)
        "#]],
    );
}

#[test]
fn every_mistake_of_a_clause_is_reported() {
    check_problems(
        Kif,
        "(<= (p ()) (not) (q (? ?)))\n",
        &expect![[r#"
            error[not-a-term]: an empty list is not a term
             --> sheet:1:8
              |
            1 | (<= (p ()) (not) (q (? ?)))
              |        ^^ expected a term
              |
              = help: remove it

            error[bad-connective]: `not` takes exactly one literal, not 0
             --> sheet:1:12
              |
            1 | (<= (p ()) (not) (q (? ?)))
              |            ^^^^^ expected exactly one literal
              |
              = help: write what must not hold

            error[not-a-term]: the variable `?` cannot be a function
             --> sheet:1:22
              |
            1 | (<= (p ()) (not) (q (? ?)))
              |                      ^ expected a term
              |
              = help: a function is a name
            ---
        "#]],
    );
}

#[test]
fn nesting_has_a_limit() {
    let nested = |depth: usize| format!("{}p{}", "(f ".repeat(depth), ")".repeat(depth));
    read_sound(Kif, &nested(MAX_DEPTH));
    let reading = read(Kif, &format!("{}(role x)", nested(MAX_DEPTH + 1)));
    assert_eq!(reading.problems.len(), 1);
    assert_eq!(reading.problems[0].code, Code::NestingTooDeep);
    assert_eq!(reading.sheet.clauses.len(), 1);
}

#[test]
fn very_deep_nesting_is_one_problem() {
    for text in [
        "(".repeat(100_000),
        "(a ".repeat(100_000),
        "(".repeat(100_000) + &")".repeat(100_000),
    ] {
        let reading = read(Kif, &text);
        assert_eq!(reading.problems.len(), 1);
        assert_eq!(reading.problems[0].code, Code::NestingTooDeep);
    }
}

#[test]
fn too_large_a_sheet_is_one_problem() {
    let source = Source::new("sheet", "(a)".repeat(MAX_SOURCE_BYTES / 3 + 1));
    let reading = paidia_gdl::syntax::kif::read(&source);
    assert_eq!(reading.problems.len(), 1);
    assert_eq!(reading.problems[0].code, Code::TooLarge);
    assert!(reading.sheet.clauses.is_empty());
}
