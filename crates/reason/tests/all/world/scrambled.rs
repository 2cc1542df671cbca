//! Names mean nothing: a sheet with all its names exchanged is the same game.

use std::collections::{BTreeMap, BTreeSet};

use paidia_game::{Chance, Perft};
use paidia_gdl::Source;
use paidia_gdl::keyword::Keyword;
use paidia_gdl::syntax;

use paidia_testkit::RuleSheet;
use paidia_testkit::settings::full;

use crate::world::{count, reference};

/// Whether a name means something: those of the language, the role of chance, and goals do.
fn means_something(name: &str, goals: &BTreeSet<String>) -> bool {
    const WORDS: [&str; 6] = ["<=", "and", "or", "not", "distinct", "random"];
    Keyword::by_name(name).is_some() || WORDS.contains(&name) || goals.contains(name)
}

/// The goals of a sheet: all that can be, if one of them is a variable.
fn goals(rules: &str) -> BTreeSet<String> {
    let sheet = syntax::read(&Source::new("rules", rules)).sheet;
    let heads = sheet.clauses.iter().map(|clause| &clause.head);
    let goals = heads.filter(|head| sheet.symbols.name(head.relation) == "goal");
    let values: Option<BTreeSet<String>> = goals
        .map(|head| Some(sheet.symbols.name(head.args[1].as_constant()?).to_owned()))
        .collect();
    values.unwrap_or_else(|| (0..=100).map(|goal| goal.to_string()).collect())
}

/// The sheet with every other name replaced by one that sorts in another place.
fn scrambled(rules: &str, seed: u64) -> String {
    let goals = goals(rules);
    let mut chance = Chance::from_seed(seed);
    let mut names: BTreeMap<&str, String> = BTreeMap::new();
    let mut text = String::new();
    for line in rules.lines() {
        let mut rest = line.split(';').next().unwrap_or_default();
        while let Some(first) = rest.chars().next() {
            let is_end = |c: char| c.is_whitespace() || "()".contains(c);
            if is_end(first) {
                text.push(first);
                rest = &rest[first.len_utf8()..];
                continue;
            }
            let name = &rest[..rest.find(is_end).unwrap_or(rest.len())];
            rest = &rest[name.len()..];
            let sign = if name.starts_with('?') { "?" } else { "" };
            let count = names.len();
            let new = names
                .entry(name)
                .or_insert_with(|| match means_something(name, &goals) {
                    true => name.to_owned(),
                    false => format!("{sign}n{}_{count}", chance.below(1 << 20)),
                });
            text.push_str(new);
        }
        text.push('\n');
    }
    text
}

fn counts(name: &str, rules: &str, state_limit: usize) -> Perft {
    count(
        &reference(name, &RuleSheet::new(name, rules).program()),
        4,
        state_limit,
    )
}

#[test]
fn exchanging_all_names_changes_no_count() {
    let state_limit = if full() { 20_000 } else { 500 };
    let mut wrong = Vec::new();
    for (seed, game) in (1..).zip(paidia_library::sheets()) {
        let other = scrambled(game.rules, seed);
        assert_ne!(other, game.rules);
        let (one, other) = (
            counts(game.name, game.rules, state_limit),
            counts(game.name, &other, state_limit),
        );
        if one != other {
            wrong.push(format!("{}: {one:?}, scrambled {other:?}", game.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
