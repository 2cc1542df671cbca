//! The pages that explain the codes: whole, of one form, and with examples that do what the page
//! says.

use paidia_gdl::check::check_source;
use paidia_gdl::{Code, Dialect, Source};

/// Codes whose example would not fit on a page.
const WITHOUT_EXAMPLE: &[Code] = &[Code::ControlCharacter, Code::NestingTooDeep, Code::TooLarge];

/// The `gdl` blocks of a page.
fn examples(page: &str) -> Vec<&str> {
    let blocks = page.split("```gdl\n").skip(1);
    blocks.filter_map(|rest| rest.split("```").next()).collect()
}

fn codes_of(code: Code, example: &str) -> Vec<Code> {
    // Only a dialect that was chosen can be the wrong one.
    let dialect = (code == Code::WrongDialect).then_some(Dialect::Gdl);
    let (_, report) = check_source(&Source::new(code.name(), example), dialect);
    report.problems.iter().map(|problem| problem.code).collect()
}

#[test]
fn every_page_is_whole() {
    for code in Code::ALL {
        let page = code.explanation();
        let name = code.name();
        let lines = page.lines().count();
        assert!((12..=30).contains(&lines), "{name} has {lines} lines");
        assert!(
            page.starts_with(&format!("# {name}\n\n")),
            "{name} has its title"
        );
        assert!(
            page.lines().all(|line| line.chars().count() <= 90),
            "{name} fits a terminal"
        );
        assert!(
            page.contains("Mended") || page.contains("Read it as"),
            "{name} shows what to do"
        );
    }
}

#[test]
fn the_first_example_has_the_problem_and_the_second_has_not() {
    for &code in Code::ALL {
        let examples = examples(code.explanation());
        if WITHOUT_EXAMPLE.contains(&code) {
            assert!(
                examples.is_empty(),
                "{} has an example after all",
                code.name()
            );
            continue;
        }
        let &[wrong, mended] = examples.as_slice() else {
            panic!("{} has {} examples", code.name(), examples.len());
        };
        let (before, after) = (codes_of(code, wrong), codes_of(code, mended));
        assert!(
            before.contains(&code),
            "{}: the wrong example gives {before:?}",
            code.name()
        );
        assert!(
            !after.contains(&code),
            "{}: the mended example gives {after:?}",
            code.name()
        );
    }
}

#[test]
fn every_code_is_found_by_its_name() {
    for &code in Code::ALL {
        assert_eq!(Code::by_name(code.name()), Some(code));
    }
    assert_eq!(Code::by_name("no-such-code"), None);
}
