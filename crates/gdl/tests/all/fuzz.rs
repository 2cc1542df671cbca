//! Damaged rule sheets: whatever is read, nothing panics, nothing hangs, and what was understood
//! can be printed and read again.
//!
//! Sheets of `corpus/` and of `tests/listings/` are damaged at random, with a fixed seed. An
//! ordinary test run tries a few thousand; for a longer one, say how many, and another seed if you
//! like:
//!
//! ```text
//! PAIDIA_FUZZ_INPUTS=1000000 PAIDIA_FUZZ_SEED=7 \
//!     cargo test --release -p paidia-gdl --test all fuzz -- --nocapture
//! ```
//!
//! A text that fails is printed. Put it into `corpus/` together with the mending.

mod mutate;

use mutate::Mutator;
use paidia_gdl::check::check_source;
use paidia_gdl::render::render;
use paidia_gdl::syntax::{Notation, Reading, Sheet, infix, kif, print, same_rules};
use paidia_gdl::{Problem, Source, Span};
use paidia_testkit::settings::number;
use std::path::Path;
use std::time::{Duration, Instant};

/// Longer than any damaged sheet can take on the slowest machine: these have a few thousand bytes.
const HANGS: Duration = Duration::from_secs(10);

#[test]
fn kif_reader() {
    fuzz("KIF reader", |source| examine(source, &kif::read(source)));
}

#[test]
fn infix_reader() {
    fuzz("infix reader", |source| {
        examine(source, &infix::read(source));
    });
}

#[test]
fn checks() {
    fuzz("checks", |source| {
        let (_, report) = check_source(source, None);
        examine_problems(source, &report.problems);
    });
}

/// Tries a target on all seeds and on damaged ones.
fn fuzz(target: &str, examine: impl Fn(&Source)) {
    let seeds = seeds();
    let inputs: u64 = number("PAIDIA_FUZZ_INPUTS", 3000);
    let mut mutator = Mutator::new(number("PAIDIA_FUZZ_SEED", 1), &seeds);
    let damaged = (0..inputs).map(|_| mutator.next_text());
    let mut tried = 0_u64;
    let mut slowest = Duration::ZERO;
    for text in seeds.iter().cloned().chain(damaged) {
        let source = Source::new("fuzz", text);
        let shown = ShownOnPanic(&source.text);
        let start = Instant::now();
        examine(&source);
        slowest = slowest.max(start.elapsed());
        assert!(slowest < HANGS, "this took {slowest:?}");
        drop(shown);
        tried += 1;
    }
    println!("{target}: {tried} inputs, the slowest took {slowest:?}");
}

/// The sheets to start from.
fn seeds() -> Vec<String> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut files: Vec<_> = ["all/fuzz/corpus", "listings"]
        .iter()
        .flat_map(|folder| std::fs::read_dir(tests.join(folder)).expect("the folder is there"))
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    files
        .iter()
        .map(|file| std::fs::read_to_string(file).expect("text"))
        .collect()
}

struct ShownOnPanic<'a>(&'a str);

impl Drop for ShownOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("the text that failed:\n{:?}", self.0);
        }
    }
}

/// What holds of every reading.
fn examine(source: &Source, reading: &Reading) {
    examine_problems(source, &reading.problems);
    for clause in &reading.sheet.clauses {
        assert_inside(source, clause.span);
        assert_inside(source, clause.head.span);
        assert_inside(source, clause.head.relation_span);
        clause
            .body
            .iter()
            .for_each(|formula| assert_inside(source, formula.span()));
    }
    for notation in [Notation::Kif, Notation::Infix] {
        examine_printed(&reading.sheet, notation);
    }
}

fn examine_problems(source: &Source, problems: &[Problem]) {
    assert!(problems.is_sorted_by_key(|problem| problem.span.start));
    for problem in problems {
        assert_inside(source, problem.span);
        problem
            .related
            .iter()
            .for_each(|(span, _)| assert_inside(source, *span));
        assert!(!problem.message.is_empty() && !problem.message.ends_with('.'));
    }
    // One is enough to know that any is shown; showing thousands takes long.
    assert_eq!(
        render(source, &problems[..problems.len().min(3)], false).is_empty(),
        problems.is_empty()
    );
}

fn assert_inside(source: &Source, span: Span) {
    assert!(
        source.text.get(span.range()).is_some(),
        "{span:?} is not in the text"
    );
}

fn examine_printed(sheet: &Sheet, notation: Notation) {
    let printed = Source::new("printed", print(sheet, notation));
    let reading = match notation {
        Notation::Kif => kif::read(&printed),
        Notation::Infix => infix::read(&printed),
    };
    assert_eq!(reading.problems, [], "in {notation:?}:\n{}", printed.text);
    assert!(
        same_rules(sheet, &reading.sheet),
        "as {notation:?}:\n{}",
        printed.text
    );
    assert_eq!(
        print(&reading.sheet, notation),
        printed.text,
        "printed twice"
    );
}
