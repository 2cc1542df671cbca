//! The infix reader.

use crate::syntax::{check_problems, check_rules, read, read_sound};
use expect_test::expect;
use paidia_gdl::Code;
use paidia_gdl::syntax::{MAX_DEPTH, Notation::Infix, Notation::Kif, same_rules};

#[test]
fn facts_and_rules() {
    check_rules(
        Infix,
        "role(x). next(cell(M,N,x)) :- does(xplayer, mark(M,N)), true(cell(M,N,b)).\nterminal :- not open.",
        &expect![[r#"
            (role x)
            (<= (next (cell ?m ?n x))
                (does xplayer (mark ?m ?n))
                (true (cell ?m ?n b)))
            (<= terminal
                (not open))
        "#]],
    );
}

#[test]
fn signs_of_all_papers_mean_the_same() {
    let rule = |arrow, and, or, not, unequal| {
        format!("p(X, Y) {arrow} q(X) {and} (r(Y) {or} {not} s) {and} X {unequal} Y.")
    };
    let plain = read_sound(
        Kif,
        "(<= (p ?x ?y) (q ?x) (or (r ?y) (not s)) (distinct ?x ?y))",
    );
    for arrow in [":-", "<=", "<-", "⇐", "←"] {
        for and in [",", "&", "∧", "and"] {
            for or in ["|", "∨", ";", "or"] {
                for not in ["~", "¬", "not", "\\+"] {
                    for unequal in ["\\=", "!=", "≠"] {
                        let text = rule(arrow, and, or, not, unequal);
                        assert!(same_rules(&plain, &read_sound(Infix, &text)), "{text}");
                    }
                }
            }
        }
    }
}

#[test]
fn and_binds_more_than_or() {
    check_rules(
        Infix,
        "p :- a, b | c, d. q :- a, (b ; c), d. r :- not (a, b), ~(c | d). s :- a | (b, (c, d)).",
        &expect![[r#"
            (<= p
                (or (and a b) (and c d)))
            (<= q
                a
                (or b c)
                d)
            (<= r
                (not (and a b))
                (not (or c d)))
            (<= s
                (or a (and b (and c d))))
        "#]],
    );
}

#[test]
fn connectives_as_functions() {
    check_rules(
        Infix,
        "p :- and(a, b), or(c), or(and(d), not(e)), distinct(X, f(x)).",
        &expect![[r#"
            (<= p
                (and a b)
                (or c)
                (or (and d) (not e))
                (distinct ?x (f x)))
        "#]],
    );
}

#[test]
fn variables_and_constants() {
    check_rules(
        Infix,
        "p(X, Row2, _x, _X, __x, _'n++', ?d, infinity, -1, 1.5, 120.0, 'Red', 'x-ray', 'it''s', onMap, é, Ä).",
        &expect![[r#"
            (p ?x ?row2 ?_x ?X ?__x ?n++ ?d infinity -1 1.5 120.0 Red x-ray it's onMap é ?ä)
        "#]],
    );
}

#[test]
fn a_lone_underscore_is_a_new_variable() {
    check_rules(
        Infix,
        "p(X) :- q(X, _, _), r(__1, _).\ns :- q(_).",
        &expect![[r#"
            (<= (p ?x)
                (q ?x ?_2 ?_3)
                (r ?_1 ?_4))
            (<= s
                (q ?_5))
        "#]],
    );
}

#[test]
fn quoted_names_that_kif_cannot_write_are_escaped() {
    check_rules(
        Infix,
        "p('Any Text', 'a(b)', 'x;y', '?x', '<=', 'a\u{a0}b', '50%', 'a?').",
        &expect![[r#"
            (p Any%20Text a%28b%29 x%3By %3Fx %3C= a%C2%A0b 50% a?)
        "#]],
    );
}

#[test]
fn full_stops_may_be_missing_where_lines_tell() {
    check_rules(
        Infix,
        "role(a). role(b)\ninit(1.0, control(a))\nnext(1.0, control(S))\n  ⇐ does(R, M)\n  ∧ role(S)\n  ∧ distinct(R, S)\nterminal ⇐ p\n'Odd'(x)\nopen",
        &expect![[r#"
            (role a)
            (role b)
            (init 1.0 (control a))
            (<= (next 1.0 (control ?s))
                (does ?r ?m)
                (role ?s)
                (distinct ?r ?s))
            (<= terminal
                p)
            (Odd x)
            (open)
        "#]],
    );
}

#[test]
fn a_number_takes_no_full_stop() {
    check_rules(
        Infix,
        "p :- X \\= 1.\nq(1.5).r :- X \\= 2.5.",
        &expect![[r#"
        (<= p
            (distinct ?x 1))
        (q 1.5)
        (<= r
            (distinct ?x 2.5))
    "#]],
    );
}

#[test]
fn comments_of_all_kinds() {
    let text = "% title\n%% line two\n\n// roles\nrole(x). % first\n/* one\n * two\n\n   three */\nrole(y).\np :- /* why */ q. // so\n\n% end\n";
    let sheet = read_sound(Infix, text);
    let comments: Vec<_> = sheet
        .clauses
        .iter()
        .map(|clause| &clause.comments[..])
        .collect();
    assert_eq!(comments[0], ["title", "line two", "", "roles", "first"]);
    assert_eq!(comments[1], ["one", "two", "", "three"]);
    assert_eq!(comments[2], ["why", "so"]);
    assert_eq!(sheet.closing_comments, ["", "end"]);
}

#[test]
fn keywords_in_other_cases_need_quotes() {
    check_rules(
        Infix,
        "'ROLE'(x). 'Legal'(x, 'Noop').",
        &expect![[r#"
        (role x)
        (legal x Noop)
    "#]],
    );
}

#[test]
fn places_include_the_full_stop() {
    let text = "role(x). p :- ( q | r ).";
    let sheet = read_sound(Infix, text);
    assert_eq!(&text[sheet.clauses[0].span.range()], "role(x).");
    assert_eq!(&text[sheet.clauses[0].head.span.range()], "role(x)");
    assert_eq!(&text[sheet.clauses[1].body[0].span().range()], "( q | r )");
}

#[test]
fn misplaced_tokens() {
    check_problems(
        Infix,
        "p :- q r.\np q.\np :- .\n:- q.\np :- q, .\np(a b).\np(a,).\n= q.\nrole(x).\n",
        &expect![[r#"
            error[unexpected-token]: `r` does not fit here
             --> sheet:1:8
              |
            1 | p :- q r.
              |        ^ expected `,` or `.`

            error[unexpected-token]: `q` does not fit here
             --> sheet:2:3
              |
            2 | p q.
              |   ^ expected `:-` or `.`

            error[unexpected-token]: `.` does not fit here
             --> sheet:3:6
              |
            3 | p :- .
              |      ^ expected a literal

            error[unexpected-token]: a clause cannot start with `:-`
             --> sheet:4:1
              |
            3 | p :- .
              |      - the clause before ends here
            4 | :- q.
              | ^^ expected a fact or a rule
              |
              = help: remove the full stop if that clause goes on

            error[unexpected-token]: `.` does not fit here
             --> sheet:5:9
              |
            5 | p :- q, .
              |         ^ expected a literal

            error[unexpected-token]: `b` does not fit here
             --> sheet:6:5
              |
            6 | p(a b).
              |     ^ expected `,` or `)`

            error[unexpected-token]: `)` does not fit here
             --> sheet:7:5
              |
            7 | p(a,).
              |     ^ expected a term

            error[unexpected-token]: `=` does not fit here
             --> sheet:8:1
              |
            8 | = q.
              | ^ expected a fact or a rule
              |
              = help: use one variable for things that are equal
            ---
            (role x)
        "#]],
    );
}

#[test]
fn parentheses_that_do_not_match() {
    check_problems(
        Infix,
        "goal(R, 100) :- line(R)).\np(a, b.\nq(a :- r.\ns(a\nt(b).\np :- (q, r.\n).\nrole(x).",
        &expect![[r#"
            error[stray-parenthesis]: this parenthesis closes nothing
             --> sheet:1:24
              |
            1 | goal(R, 100) :- line(R)).
              |                        ^ nothing is open here
              |
              = help: remove it, or look for a `)` too many before it

            error[unclosed-parenthesis]: this parenthesis is never closed
             --> sheet:2:2
              |
            2 | p(a, b.
              |  ^    - expected `)` before this
              |  |
              |  opened here
              |
              = help: add the missing `)`

            error[unclosed-parenthesis]: this parenthesis is never closed
             --> sheet:3:2
              |
            3 | q(a :- r.
              |  ^  -- expected `)` before this
              |  |
              |  opened here
              |
              = help: add the missing `)`

            error[unclosed-parenthesis]: this parenthesis is never closed
             --> sheet:4:2
              |
            4 | s(a
              |  ^ opened here
            5 | t(b).
              | - expected `)` before this
              |
              = help: add the missing `)`

            error[unclosed-parenthesis]: this parenthesis is never closed
             --> sheet:6:6
              |
            6 | p :- (q, r.
              |      ^    - expected `)` before this
              |      |
              |      opened here
              |
              = help: add the missing `)`

            error[stray-parenthesis]: this parenthesis closes nothing
             --> sheet:7:1
              |
            7 | ).
              | ^ nothing is open here
              |
              = help: remove it, or look for a `)` too many before it
            ---
            (t b)
            (role x)
        "#]],
    );
}

#[test]
fn a_full_stop_too_many() {
    check_problems(
        Infix,
        "p(X)\n  :- q(X).\n  , r(X).\nrole(x).",
        &expect![[r#"
            error[unexpected-token]: a clause cannot start with `,`
             --> sheet:3:3
              |
            2 |   :- q(X).
              |          - the clause before ends here
            3 |   , r(X).
              |   ^ expected a fact or a rule
              |
              = help: remove the full stop if that clause goes on
            ---
            (<= (p ?x)
                (q ?x))
            (role x)
        "#]],
    );
}

#[test]
fn a_comma_or_a_full_stop_is_missing() {
    check_problems(
        Infix,
        "p :-\nq,\nr\ns.\nt :- q\n     r.\nrole(x).",
        &expect![[r#"
            error[unexpected-token]: a `,` or a `.` is missing before this
             --> sheet:4:1
              |
            3 | r
              | - after this
            4 | s.
              | ^ does the clause go on, or does another one start?

            error[unexpected-token]: `r` does not fit here
             --> sheet:6:6
              |
            6 |      r.
              |      ^ expected `,` or `.`
            ---
            (s)
            (role x)
        "#]],
    );
}

#[test]
fn misused_names_and_connectives() {
    check_problems(
        Infix,
        "X.\np :- X.\np :- X(a).\n3.\np :- 3(a).\np('').\np(_'').\n'not'(a).\nnot p :- q.\ndistinct(a, b).\n(a | b) :- c.\np :- distinct(a).\np :- or().\nrole(x).",
        &expect![[r#"
            error[not-a-literal]: the variable `X` is not a literal
             --> sheet:1:1
              |
            1 | X.
              | ^ expected a literal
              |
              = help: constants start with a small letter

            error[not-a-literal]: the variable `X` is not a literal
             --> sheet:2:6
              |
            2 | p :- X.
              |      ^ expected a literal
              |
              = help: constants start with a small letter

            error[not-a-term]: the variable `X` cannot be a function or a relation
             --> sheet:3:6
              |
            3 | p :- X(a).
              |      ^ expected a term
              |
              = help: names of functions start with a small letter, or are quoted

            error[not-a-literal]: the number `3` is not a literal
             --> sheet:4:1
              |
            4 | 3.
              | ^ expected a literal

            error[not-a-term]: the number `3` cannot be a function or a relation
             --> sheet:5:6
              |
            5 | p :- 3(a).
              |      ^ expected a term

            error[not-a-term]: there is nothing between these quotes
             --> sheet:6:3
              |
            6 | p('').
              |   ^^ expected a term

            error[not-a-term]: this variable has no name
             --> sheet:7:3
              |
            7 | p(_'').
              |   ^^^ expected a term

            error[not-a-literal]: `not` cannot be a relation
             --> sheet:8:1
              |
            8 | 'not'(a).
              | ^^^^^ expected a literal

            error[not-a-literal]: this cannot be a fact or the head of a rule
             --> sheet:9:1
              |
            9 | not p :- q.
              | ^^^^^ expected one positive literal

            error[not-a-literal]: this cannot be a fact or the head of a rule
              --> sheet:10:1
               |
            10 | distinct(a, b).
               | ^^^^^^^^^^^^^^ expected one positive literal

            error[not-a-literal]: this cannot be a fact or the head of a rule
              --> sheet:11:1
               |
            11 | (a | b) :- c.
               | ^^^^^^^ expected one positive literal

            error[bad-connective]: `distinct` takes exactly two terms, not 1
              --> sheet:12:6
               |
            12 | p :- distinct(a).
               |      ^^^^^^^^^^^ expected exactly two terms

            error[bad-connective]: `or` takes at least one literal, not 0
              --> sheet:13:6
               |
            13 | p :- or().
               |      ^^^^ expected at least one literal
            ---
            (role x)
        "#]],
    );
}

#[test]
fn what_is_never_closed() {
    check_problems(
        Infix,
        "p('abc).\nrole(x). /* the rest",
        &expect![[r#"
            error[unexpected-token]: this quote is never closed
             --> sheet:1:3
              |
            1 | p('abc).
              |   ^ opened here
              |
              = help: close it on the same line

            error[unexpected-token]: this comment is never closed
             --> sheet:2:10
              |
            2 | role(x). /* the rest
              |          ^^ opened here
              |
              = help: close it with `*/`
            ---
            (role x)
        "#]],
    );
}

#[test]
fn nesting_has_a_limit() {
    let nested = |depth: usize| format!("{}p{}.", "f(".repeat(depth), ")".repeat(depth));
    read_sound(Infix, &nested(MAX_DEPTH));
    let negated = |depth: usize| format!("p :- {}q.", "not ".repeat(depth));
    read_sound(Infix, &negated(MAX_DEPTH - 1));
    for text in [
        nested(MAX_DEPTH + 1),
        negated(MAX_DEPTH),
        negated(100_000),
        nested(100_000),
        "(".repeat(100_000),
    ] {
        let reading = read(Infix, &format!("{text}\nrole(x)."));
        assert_eq!(reading.problems.len(), 1);
        assert_eq!(reading.problems[0].code, Code::NestingTooDeep);
    }
}

/// A reader that looked at the rest of the text, or back at all of it, at each of these would take
/// 40,000,000,000 steps and not come back.
#[test]
fn long_texts_are_read_to_their_end() {
    // An odd number, so that the last quotation mark has no other.
    const PARTS: usize = 200_001;
    // How many problems are reported and how many clauses are read. Two slashes begin a comment,
    // and a clause that opens parentheses to the end is one problem.
    for (part, problems, clauses) in [
        ("p(_). ", 0, PARTS),
        ("\n p", 0, PARTS),
        ("/", 0, 0),
        ("'", 1, 0),
        (") ", 1, 0),
        ("_(", 1, 0),
        ("p :- ( ", 1, 0),
        ("p q. ", 1_000, 0),
    ] {
        let reading = read(Infix, &part.repeat(PARTS));
        let found = (reading.problems.len(), reading.sheet.clauses.len());
        assert_eq!(found, (problems, clauses), "{part:?}");
    }
}
