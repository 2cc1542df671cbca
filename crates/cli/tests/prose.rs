//! Documentation and comments keep to the house style: lines that fit a page, and code that is not
//! spoken of as a person.

use std::fs;
use std::path::{Path, PathBuf};

/// The most columns of a line of prose.
const COLUMNS: usize = 100;

/// The crates whose comments keep to the style.
const CRATES: [&str; 11] = [
    "accel", "arena", "cli", "game", "gdl", "library", "picture", "reason", "search", "server",
    "testkit",
];

/// Words that hide what acts.
const PERSONS: [&str; 5] = ["somebody", "nobody", "whoever", "everybody", "anybody"];

/// Phrases that hide which number is meant.
const QUANTITIES: [&str; 2] = ["so many", "so much"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The files below a folder with this extension.
fn files(folder: &Path, extension: &str, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, extension, found);
        } else if path.extension().is_some_and(|own| own == extension) {
            found.push(path);
        }
    }
}

/// The pages that are written by hand: reports of studies are written by the program.
fn pages() -> Vec<PathBuf> {
    let mut pages = Vec::new();
    files(&root().join("docs"), "md", &mut pages);
    pages.retain(|page| !page.components().any(|part| part.as_os_str() == "studies"));
    let others = ["README.md", "games/README.md", "studies/README.md"];
    pages.extend(others.map(|page| root().join(page)));
    pages
}

/// The number and text of the lines of a page outside code blocks.
fn prose(page: &str) -> Vec<(usize, &str)> {
    let mut code = false;
    let mut lines = Vec::new();
    for (number, line) in page.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            code = !code;
        } else if !code {
            lines.push((number + 1, line));
        }
    }
    lines
}

/// The number and text of the lines of a Rust file that are comments and nothing else.
fn comments(source: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = source.lines().enumerate();
    lines
        .filter(|(_, line)| line.trim_start().starts_with("//"))
        .map(|(number, line)| (number + 1, line))
}

fn is_long(line: &str) -> bool {
    line.chars().count() > COLUMNS
}

fn is_vague(line: &str) -> bool {
    let line = line.to_lowercase();
    let words: Vec<_> = line.split(|letter: char| !letter.is_alphabetic()).collect();
    let vague = |pair: &[&str]| QUANTITIES.contains(&pair.join(" ").as_str());
    words.iter().any(|word| PERSONS.contains(word)) || words.windows(2).any(vague)
}

/// Where comments of these crates are as `bad` says.
fn bad_comments(bad: impl Fn(&str) -> bool) -> Vec<String> {
    let mut places = Vec::new();
    for name in CRATES {
        let mut sources = Vec::new();
        files(&root().join("crates").join(name), "rs", &mut sources);
        assert!(!sources.is_empty(), "there is no crate {name}");
        for source in sources {
            let text = fs::read_to_string(&source).unwrap();
            let lines = comments(&text).filter(|(_, line)| bad(line));
            places.extend(lines.map(|(number, _)| format!("{}:{number}", source.display())));
        }
    }
    places
}

/// Rows of tables, pictures and addresses of links cannot be broken.
fn can_be_broken(line: &str) -> bool {
    let line = line.trim_start();
    !(line.starts_with('|')
        || line.starts_with("![")
        || line.starts_with('[') && !line.contains(' '))
}

#[test]
fn pages_have_short_lines() {
    let mut long = Vec::new();
    let pages = pages();
    assert!(pages.len() >= 30, "only {} pages were found", pages.len());
    for page in pages {
        let text = fs::read_to_string(&page).unwrap();
        let lines = prose(&text);
        let bad = lines
            .iter()
            .filter(|(_, line)| is_long(line) && can_be_broken(line));
        long.extend(bad.map(|(number, _)| format!("{}:{number}", page.display())));
    }
    assert!(long.is_empty(), "over {COLUMNS} columns: {long:#?}");
}

#[test]
fn pages_name_what_acts() {
    let mut places = Vec::new();
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        let lines = text.lines().enumerate();
        let bad = lines.filter(|(_, line)| is_vague(line));
        places.extend(bad.map(|(number, _)| format!("{}:{}", page.display(), number + 1)));
    }
    assert!(places.is_empty(), "say what acts instead: {places:#?}");
}

#[test]
fn comments_have_short_lines() {
    let long = bad_comments(is_long);
    assert!(long.is_empty(), "over {COLUMNS} columns: {long:#?}");
}

#[test]
fn comments_name_what_acts() {
    let places = bad_comments(is_vague);
    assert!(places.is_empty(), "say what acts instead: {places:#?}");
}

/// The places where a block of code begins in comments that is not plain text.
fn code_in_comments(source: &str) -> Vec<usize> {
    let mut inside = false;
    let mut places = Vec::new();
    for (number, line) in comments(source) {
        let text = line.trim_start().trim_start_matches(['/', '!']).trim();
        if text.starts_with("```") {
            inside = !inside;
            if inside && text != "```text" {
                places.push(number);
            }
        }
    }
    places
}

/// So `.ci/run` need not look for tests in the documentation of each crate.
#[test]
fn documentation_has_no_tests() {
    let mut sources = Vec::new();
    files(&root().join("crates"), "rs", &mut sources);
    sources.retain(|source| source.components().any(|part| part.as_os_str() == "src"));
    assert!(sources.len() > 300, "only {} files", sources.len());
    let mut places = Vec::new();
    for source in sources {
        let text = fs::read_to_string(&source).unwrap();
        let found = code_in_comments(&text).into_iter();
        places.extend(found.map(|number| format!("{}:{number}", source.display())));
    }
    assert!(places.is_empty(), "say `text`, or test it: {places:#?}");
}

#[test]
fn the_checks_find_what_they_look_for() {
    assert!(is_long(&"x".repeat(101)) && !is_long(&"ü".repeat(100)));
    assert!(is_vague("// Nobody waits.") && !is_vague("// The body waits."));
    assert!(is_vague("/// So many.") && !is_vague("/// So are many."));
    assert_eq!(prose("a\n```\nb\n```\nc"), [(1, "a"), (5, "c")]);
    assert_eq!(comments("a\n  // b").collect::<Vec<_>>(), [(2, "  // b")]);
    let code = "/// ```\n/// a\n/// ```\n//! ```text\n//! b\n//! ```\n";
    assert_eq!(code_in_comments(code), [1]);
    assert!(!can_be_broken("| a | b |") && can_be_broken("[a](b) and more"));
}
