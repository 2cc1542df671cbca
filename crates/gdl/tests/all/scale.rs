//! Sheets that are far too large, or made to hurt: the checks stay fast and brief.
//!
//! Every sheet here has some 20,000 parts of the kind that a careless check would compare pair by
//! pair, which would keep these tests busy for minutes.

use paidia_gdl::check::check_source;
use paidia_gdl::{Code, Source};
use std::fmt::Write;

const MANY: usize = 20_000;

/// A sheet made of one line for each number.
fn lines(line: impl Fn(usize, &mut String)) -> String {
    let mut text = String::new();
    for number in 0..MANY {
        line(number, &mut text);
        text.push('\n');
    }
    text
}

macro_rules! lines {
    ($number:ident => $($format:tt)*) => {
        // Writing to a string cannot fail.
        lines(|$number, text| { let _ = write!(text, $($format)*); })
    };
}

/// Checks the sheet and returns the codes that were found, each once.
#[track_caller]
fn codes(text: &str) -> Vec<Code> {
    let (reading, report) = check_source(&Source::new("large", text), None);
    assert_eq!(reading.problems, [], "the sheet is read");
    assert!(
        report.problems.len() < 100,
        "nobody reads {} problems",
        report.problems.len()
    );
    let mut codes: Vec<Code> = report.problems.iter().map(|problem| problem.code).collect();
    codes.sort_unstable();
    codes.dedup();
    codes.retain(|code| !matches!(code, Code::MissingRole | Code::MissingTerminal));
    codes
}

#[test]
fn chains_and_cycles_of_relations() {
    let chain = lines!(n => "(<= (p{n} ?x) (p{} ?x))", n + 1);
    assert_eq!(
        codes(&chain),
        [Code::UndefinedRelation, Code::UnusedRelation]
    );
    let cycle = lines!(n => "(<= p{n} (not p{}))", (n + 1) % MANY);
    assert_eq!(codes(&cycle), [Code::NegativeCycle, Code::UnusedRelation]);
    let own_cycles = lines!(n => "(<= p{n} (not p{n}))");
    assert_eq!(
        codes(&own_cycles),
        [Code::NegativeCycle, Code::UnusedRelation]
    );
    let dependent =
        lines!(n => "(<= (legal x m{n}) p{n}) (<= p{n} p{})", n + 1) + "(<= p20000 (does x y))";
    assert_eq!(
        codes(&dependent),
        [Code::KeywordDependency, Code::UndefinedMove]
    );
}

#[test]
fn many_clauses_of_one_relation() {
    let negative = lines!(n => "(<= (p {n}) (not (p {})))", n + 1);
    assert_eq!(
        codes(&negative),
        [Code::NegativeCycle, Code::UnusedRelation]
    );
    let recursive = lines!(n => "(<= (p {n} (f ?y)) (p ?x ?y))");
    assert_eq!(
        codes(&recursive),
        [Code::UnboundedRecursion, Code::UnusedRelation]
    );
    let duplicate = lines!(_n => "(<= (next (a ?x)) (true (a ?x)))");
    assert_eq!(codes(&duplicate), [Code::DuplicateClause]);
}

#[test]
fn many_names() {
    let undefined = lines!(n => "(<= (next a) abcde{n}) (abcdef{n})");
    assert_eq!(
        codes(&undefined),
        [Code::UndefinedRelation, Code::UnusedRelation]
    );
    let fluents = lines!(n => "(<= (next (abcde{n} 1)) (true (abcdef{n} 2)) (does x (m{n} 1)))(legal x (n{n} 1))");
    assert_eq!(
        codes(&fluents),
        [Code::UndefinedFluent, Code::UndefinedMove]
    );
    let strangers = "(role abcde1)".to_owned() + lines!(n => "(legal abcdef{n} pass)").as_str();
    assert_eq!(
        codes(&strangers),
        [Code::UnknownRole, Code::MissingLegal, Code::MissingGoal]
    );
    let roles = lines!(n => "(role abcde{n}) (legal abcdef{n} pass)");
    assert_eq!(codes(&roles), [Code::TooLarge]);
    let cases = lines!(n => "(init (abc{n} Abc{n}))");
    assert_eq!(codes(&cases), [Code::CaseVariants]);
}

#[test]
fn large_clauses() {
    let variables = lines!(n => "?x{n}");
    let unsafe_head = format!("(<= (p {variables}) (not (q {variables})))");
    assert_eq!(
        codes(&unsafe_head),
        [
            Code::UnsafeVariable,
            Code::UndefinedRelation,
            Code::UnusedRelation
        ]
    );
    let recursive = format!("(<= (p {variables}) (p a {variables}) (p {variables} b))");
    assert_eq!(
        codes(&recursive),
        [Code::RelationArity, Code::UnusedRelation]
    );
    let branches = lines!(n => "(and (q ?x{n} ?y) (not (q ?x{n} ?z)))");
    let branches = format!("(<= (p ?y) (or {branches}))");
    assert_eq!(
        codes(&branches),
        [
            Code::UnsafeVariable,
            Code::UndefinedRelation,
            Code::UnusedRelation
        ]
    );
    let same = "?x ".repeat(MANY);
    let same = format!("(<= (p (f ?x) {same}) (p {same} ?x))");
    assert_eq!(codes(&same), [Code::UnusedRelation]);
}

#[test]
fn long_names_are_not_repeated_in_full() {
    let name = "n".repeat(1 << 20);
    let text =
        format!("(role {name}) (legal {name}x 1) (<= (next {name}) ({name}) (true {name}y))");
    let (_, report) = check_source(&Source::new("large", text), None);
    assert!(report.problems.len() > 3);
    for problem in &report.problems {
        assert!(
            problem.message.len() < 200 && problem.help.len() < 200,
            "{}",
            problem.code.name()
        );
    }
}
