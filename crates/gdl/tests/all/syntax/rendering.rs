//! How problems are shown.

use expect_test::{Expect, expect};
use paidia_gdl::render::render;
use paidia_gdl::{Code, Problem, Source, Span};

#[track_caller]
fn check(text: &str, problems: &[Problem], expected: &Expect) {
    expected.assert_eq(&render(&Source::new("game.kif", text), problems, false));
}

#[test]
fn a_problem_with_everything() {
    let problem = Problem::new(
        Code::UnclosedParenthesis,
        Span::new(9, 10),
        "this parenthesis is never closed",
    )
    .label("opened here")
    .related(Span::new(19, 20), "the next clause starts here")
    .help("add the missing `)`");
    let warning = Problem::new(Code::CaseVariants, Span::new(6, 7), "`x` looks like `X`");
    check(
        "(role x)\n(role y\n\n\n(role z)\n",
        &[problem, warning],
        &expect![[r#"
            error[unclosed-parenthesis]: this parenthesis is never closed
             --> game.kif:2:1
              |
            2 | (role y
              | ^ opened here
            ...
            5 | (role z)
              | - the next clause starts here
              |
              = help: add the missing `)`

            warning[case-variants]: `x` looks like `X`
             --> game.kif:1:7
              |
            1 | (role x)
              |       ^
        "#]],
    );
}

#[test]
fn places_at_the_end_and_inside_characters() {
    let at = |start, end| Problem::new(Code::NotATerm, Span { start, end }, "here").label("this");
    check(
        "(röle ☃)\n\n",
        &[
            at(3, 4),
            at(3, 3),
            at(8, 9),
            at(13, 13),
            at(99, 120),
            at(7, 2),
        ],
        &expect![[r#"
            error[not-a-term]: here
             --> game.kif:1:3
              |
            1 | (röle ☃)
              |   ^ this

            error[not-a-term]: here
             --> game.kif:1:3
              |
            1 | (röle ☃)
              |   ^ this

            error[not-a-term]: here
             --> game.kif:1:7
              |
            1 | (röle ☃)
              |       ^ this

            error[not-a-term]: here
             --> game.kif:1:9
              |
            1 | (röle ☃)
              |         ^ this

            error[not-a-term]: here
             --> game.kif:1:9
              |
            1 | (röle ☃)
              |         ^ this

            error[not-a-term]: here
             --> game.kif:1:7
              |
            1 | (röle ☃)
              |       ^ this
        "#]],
    );
    check(
        "",
        &[at(0, 0), at(5, 9)],
        &expect![[r#"
        error[not-a-term]: here
         --> game.kif:1:1
          |
        1 |
          | ^ this

        error[not-a-term]: here
         --> game.kif:1:1
          |
        1 |
          | ^ this
    "#]],
    );
}

#[test]
fn places_far_apart() {
    let text = format!("(role x\n{}(role y)", "(p 1)\n".repeat(2000));
    let problem = Problem::new(Code::UnclosedParenthesis, Span::new(0, 1), "never closed").related(
        Span::new(text.len() - 8, text.len()),
        "the next clause starts here",
    );
    check(
        &text,
        &[problem],
        &expect![[r#"
        error[unclosed-parenthesis]: never closed
         --> game.kif:1:1
          |
        1 | (role x
          | ^
          |
          = note: the next clause starts here, in line 2002
    "#]],
    );
}

#[test]
fn a_very_long_line() {
    let text = format!("{}(p 1)", "(p 1)".repeat(10_000));
    let problem =
        Problem::new(Code::NotATerm, Span::new(40_003, 40_004), "not a term").label("this");
    check(
        &text,
        &[problem],
        &expect![[r#"
        error[not-a-term]: not a term
        --> game.kif:1:40004
    "#]],
    );
}

#[test]
fn colour_is_a_matter_of_choice() {
    let problem = [Problem::new(Code::NotATerm, Span::new(0, 1), "here")];
    let source = Source::new("game.kif", "(p)");
    assert!(!render(&source, &problem, false).contains('\u{1b}'));
    assert!(render(&source, &problem, true).contains('\u{1b}'));
}
