//! Reading, printing and refusing rule files.

use std::fs;

use paidia_gdl::render::render;
use paidia_gdl::{Problem, Severity, Source};
use paidia_languages::board::{self, CODES, Goal, read_expression};
use paidia_testkit::boards;

use crate::data::{games, json, rules};

const SMALL: &str = "<<Small>>\n<BOARD>\n3 3\n|p.p|\n|...|\n|P.P|\n<PIECES>\n\
                     P (0,1,e) + (1,1,p) &\n<GOALS>\n20 &\n@P 0 2, 1 2 &\n#p 0 &\n";

/// The problems of a text, rendered.
fn problems(text: &str) -> (Vec<Problem>, String) {
    let source = Source::new("test.sbg", text);
    let problems = board::read(&source).problems;
    let shown = render(&source, &problems, false);
    (problems, shown)
}

/// The name of the only error of a text.
#[track_caller]
fn error(text: &str) -> &'static str {
    let (problems, shown) = problems(text);
    let errors: Vec<&Problem> = problems
        .iter()
        .filter(|problem| problem.is_error())
        .collect();
    assert_eq!(errors.len(), 1, "{text}\n{shown}");
    errors[0].code.name()
}

#[test]
fn rules_are_read_as_they_are_written() {
    let rules = rules("small", SMALL);
    assert_eq!(
        (rules.name.as_str(), rules.width, rules.height),
        ("Small", 3, 3)
    );
    assert_eq!(
        (rules.at(0, 0).character(), rules.at(0, 2).character()),
        ('P', 'p')
    );
    assert_eq!(rules.pieces[0].moves.to_string(), "(0,1,e) + (1,1,p)");
    assert_eq!(rules.turns, 20);
    let goals = [
        Goal::Reach {
            letter: b'P',
            squares: vec![(0, 2), (1, 2)],
        },
        Goal::Fall {
            letter: b'p',
            count: 0,
        },
    ];
    assert_eq!(rules.goals, goals);
}

#[test]
fn the_normal_form_means_the_same_and_is_a_fixed_point() {
    let Some(folder) = boards() else { return };
    for (name, text) in games(&folder) {
        let source = Source::new(name.as_str(), text.as_str());
        let printed = board::format(&source).unwrap();
        let mut before = rules(&name, &text);
        let mut after = rules(&name, &printed);
        // Only where things stand differs.
        let pieces = before.pieces.iter_mut().chain(&mut after.pieces);
        pieces.for_each(|piece| piece.span = paidia_gdl::Span::default());
        assert_eq!(before, after, "{name}");
        assert_eq!(
            board::format(&Source::new("again", printed.as_str())).unwrap(),
            printed
        );
        let comments = text.matches("//").count() + text.matches("/*").count();
        assert_eq!(
            printed.matches("//").count() + printed.matches("/*").count(),
            comments
        );
        assert!(
            printed
                .lines()
                .all(|line| line.len() <= 100 || line.starts_with(['@', '/'])),
            "{printed}"
        );
    }
}

#[test]
fn comments_stay_where_they_belong() {
    let text = "// about\n<<A>> // name\n<BOARD> 1 1 |P|\n<PIECES>\n// before\nP (0,1,e)/* in */ & // behind\n\
                <GOALS> 5 & /* end */ // last";
    let printed = board::format(&Source::new("a", text)).unwrap();
    let expected = "// about\n<<A>> // name\n<BOARD>\n1 1\n|P|\n<PIECES>\n// before\n/* in */\n\
                    P (0,1,e) & // behind\n<GOALS>\n5 & /* end */ // last\n";
    assert_eq!(printed, expected);
}

#[test]
fn each_faulty_file_is_refused_for_its_fault() {
    let Some(folder) = boards() else { return };
    let reasons = json(&folder.join("syntax/refuse.json"));
    let reasons = reasons.as_object().unwrap();
    assert!(reasons.len() >= 36);
    // The kind of problem that says what the reason says.
    let kind = |name: &str| match name {
        "rows_too_few" | "rows_too_many" | "row_too_short" | "row_too_long" | "row_character" => {
            "board-rows"
        }
        "no_height" => "board-size",
        "no_turnlimit" | "negative_turnlimit" | "goal_no_squares" | "goal_odd_number"
        | "goal_no_number" | "goal_letter" | "goal_unknown" | "junk" => "board-goal",
        "two_rules" => "board-rule-twice",
        "lower_case_rule" => "board-rule-letter",
        "signed_plus" | "content_letter" | "two_contents" | "pair" => "board-step",
        "power_of_power" | "power_negative" | "power_missing" => "board-power",
        _ => "board-syntax",
    };
    for (name, reason) in reasons {
        let text = fs::read_to_string(folder.join(format!("syntax/refuse/{name}.sbg"))).unwrap();
        let (problems, shown) = problems(&text);
        let errors: Vec<&Problem> = problems
            .iter()
            .filter(|problem| problem.is_error())
            .collect();
        // One mistake is one message, and not a row of consequences.
        assert_eq!(errors.len(), 1, "{name} ({reason}):\n{shown}");
        assert_eq!(
            errors[0].code.name(),
            kind(name),
            "{name} ({reason}):\n{shown}"
        );
        assert!(!errors[0].message.is_empty());
    }
}

#[test]
fn damage_of_any_byte_is_survived() {
    for at in 0..SMALL.len() {
        for byte in [
            b'(', b')', b'^', b'&', b'<', b'|', b'9', b'*', b'/', b'\n', b' ',
        ] {
            let mut text = SMALL.as_bytes().to_vec();
            text[at] = byte;
            let text = String::from_utf8(text).unwrap();
            problems(&text);
            problems(&text[..at]);
        }
    }
    problems("<<é>>\n<BOARD> 3 3 |é|");
    problems("");
}

#[test]
fn hostile_files_are_refused_with_place_and_reason() {
    let with_rule = |rule: &str| SMALL.replace("(0,1,e) + (1,1,p)", rule);
    let deep = format!("{}(0,1,e){}", "(".repeat(100_000), ")".repeat(100_000));
    assert_eq!(error(&with_rule(&deep)), "board-too-large");
    assert_eq!(
        error(&with_rule("(0,1,e)^999999999999999999999")),
        "board-too-large"
    );
    assert_eq!(
        error(&with_rule("(((0,1,e)^1000)^1000)^1000")),
        "board-too-large"
    );
    // A set of states for each of the last 30 steps.
    let blowup = "((0,1,e)+(0,1,p))^*(0,1,e)((0,1,e)+(0,1,p))^30";
    assert_eq!(error(&with_rule(blowup)), "board-too-large");
    assert_eq!(error(&with_rule("(99999,0,e)")), "board-too-large");
    assert_eq!(error(&SMALL.replace("3 3", "100 100")), "board-size");
    assert_eq!(error(&SMALL.replace("3 3", "26 99")), "board-size");
    assert_eq!(error(&SMALL.replace("3 3", "0 3")), "board-size");
    assert_eq!(
        error(&SMALL.replace("20 &", "99999999999999999999999 &")),
        "board-too-large"
    );
    assert_eq!(error(&SMALL.replace("1 2 &", "1 3 &")), "board-off-board");
    assert_eq!(error(&"x".repeat(2 << 20)), "board-too-large");
}

#[test]
fn what_is_probably_not_meant_is_warned_of() {
    let (found, _) = problems(SMALL);
    assert_eq!(found, []);
    let warning = |text: &str| {
        let (problems, shown) = problems(text);
        assert_eq!(problems.len(), 1, "{shown}");
        assert_eq!(problems[0].code.severity(), Severity::Warning);
        problems[0].code.name()
    };
    assert_eq!(warning(&SMALL.replace("|...|", "|.x.|")), "board-no-rule");
    assert_eq!(
        warning(&SMALL.replace("<GOALS>", "Q (0,1,e) &\n<GOALS>")),
        "board-unused-rule"
    );
    assert_eq!(warning(&SMALL.replace("#p 0", "#q 0")), "board-idle-goal");
    assert_eq!(warning(&SMALL.replace("#p 0", "#p 2")), "board-idle-goal");
    assert_eq!(
        warning(&SMALL.replace("(0,1,e)", "(0,3,e)")),
        "board-idle-step"
    );
    assert_eq!(
        warning(&SMALL.replace("(0,1,e)", "(0,1,e)^*")),
        "board-pass"
    );
}

#[test]
fn several_mistakes_are_told_at_once() {
    let text = SMALL
        .replace("(0,1,e)", "(0,1,x)")
        .replace("@P", "@1")
        .replace("|...|", "|..|");
    let (problems, shown) = problems(&text);
    let codes: Vec<&str> = problems.iter().map(|problem| problem.code.name()).collect();
    assert_eq!(codes, ["board-rows", "board-step", "board-goal"], "{shown}");
}

#[test]
fn a_misspelt_section_is_suggested() {
    let (problems, shown) = problems(&SMALL.replace("<PIECES>", "<Pieces>"));
    assert_eq!(problems.len(), 1, "{shown}");
    assert!(problems[0].help.contains("<PIECES>"), "{shown}");
}

#[test]
fn expressions_print_as_they_read() {
    for (text, printed) in [
        ("( (0,1,e) )", "(0,1,e)"),
        (
            "(0,1,e)(0,-1,p)^2+(1,0,w)^*",
            "(0,1,e)(0,-1,p)^2 + (1,0,w)^*",
        ),
        ("((0,1,e)+(1,0,e))(0,1,p)", "((0,1,e) + (1,0,e))(0,1,p)"),
        ("((0,1,e)^2)^*", "((0,1,e)^2)^*"),
        ("(((0,1,e)))(- 1,0,e)*", "(0,1,e)(-1,0,e)^*"),
    ] {
        let read = read_expression(text).unwrap();
        assert_eq!(read.to_string(), printed);
        assert_eq!(read_expression(printed).unwrap(), read);
    }
    assert!(read_expression("(0,1,e) &").is_err());
}

#[test]
fn every_code_has_a_page_that_begins_with_its_name() {
    for code in CODES {
        assert!(code.name().starts_with("board-"));
        assert!(
            code.explanation()
                .starts_with(&format!("# {}\n", code.name()))
        );
    }
}
