//! Every bundled game is as the README of the games wants it.

use std::path::{Path, PathBuf};

use paidia_library::{BundledGame, GameKind, all, find, real_time};
use paidia_testkit::corpus;

/// Runs a check on every game and shows all failures at once.
#[track_caller]
fn for_every_game(check: impl Fn(&BundledGame) -> Result<(), String>) {
    let failures: Vec<String> = all()
        .iter()
        .chain(real_time())
        .filter_map(|game| {
            check(game)
                .err()
                .map(|problem| format!("{}: {problem}", game.name))
        })
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn require(holds: bool, problem: &str) -> Result<(), String> {
    if holds {
        Ok(())
    } else {
        Err(problem.to_owned())
    }
}

fn games_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games")
}

#[test]
fn every_folder_is_bundled_with_rules_and_facts() {
    let folders = std::fs::read_dir(games_folder()).unwrap();
    let mut names: Vec<String> = folders
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
        .collect();
    names.sort();
    let bundled = all().iter().chain(real_time());
    let mut bundled: Vec<&str> = bundled.map(|game| game.name).collect();
    bundled.sort_unstable();
    assert_eq!(bundled, names);
    assert!(bundled.contains(&"tic-tac-toe"));
}

#[test]
fn names_are_kebab_case() {
    for_every_game(|game| {
        let words_are_plain = game.name.split('-').all(|word| {
            !word.is_empty()
                && word
                    .bytes()
                    .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
        });
        require(words_are_plain, "the name is not kebab case")
    });
}

#[test]
fn facts_are_complete() {
    for_every_game(|game| {
        let facts = game.facts().map_err(|error| error.to_string())?;
        require(!facts.title.trim().is_empty(), "no title")?;
        require(facts.idea.ends_with('.'), "the idea is not a sentence")?;
        require(
            facts.rules.trim().len() > 40,
            "the rules for people are missing",
        )?;
        require(
            facts.kind != GameKind::Puzzle || facts.players == 1,
            "a puzzle is for one player",
        )
    });
}

#[test]
fn players_are_the_roles_of_the_rules() {
    for_every_game(|game| {
        if !game.is_sheet() {
            return Ok(());
        }
        let facts = game.facts().map_err(|error| error.to_string())?;
        // Facts stand at the beginning of a line; rules ask for roles elsewhere.
        let facts_of_roles = game.rules.lines().filter(|line| line.starts_with("(role "));
        let roles = facts_of_roles.flat_map(|line| line.split("(role ").skip(1));
        let named = roles.filter(|rest| !rest.starts_with('?') && !rest.starts_with("random"));
        let players = named.filter(|rest| rest.contains(')')).count();
        require(
            players == usize::from(facts.players),
            &format!("{players} roles, {} players", facts.players),
        )
    });
}

#[test]
fn boards_are_fluents_of_the_rules() {
    for_every_game(|game| {
        if !game.is_sheet() {
            return Ok(());
        }
        let facts = game.facts().map_err(|error| error.to_string())?;
        for board in &facts.boards {
            let known = game.rules.contains(&format!("({} ", board.fluent));
            require(known, &format!("no fluent is called {}", board.fluent))?;
        }
        Ok(())
    });
}

#[test]
fn glyphs_are_short() {
    for_every_game(|game| {
        let facts = game.facts().map_err(|error| error.to_string())?;
        for (content, piece) in &facts.pieces {
            let length = piece.glyph.chars().count();
            require(
                (1..=4).contains(&length),
                &format!("the glyph of {content} has {length} characters"),
            )?;
        }
        Ok(())
    });
}

#[test]
fn public_names_are_sheets_of_the_public_collection() {
    let Some(corpus) = corpus() else { return };
    for_every_game(|game| {
        let facts = game.facts().map_err(|error| error.to_string())?;
        let sheet = facts.public.map(|public| corpus.path(&public.name));
        require(
            sheet.is_none_or(|sheet| sheet.is_file()),
            "the public sheet does not exist",
        )
    });
}

#[test]
fn a_name_is_found_and_a_misspelt_one_is_guessed() {
    assert_eq!(find("tic-tac-toe").unwrap().name, "tic-tac-toe");
    let error = find("Tic Tac Tow").unwrap_err();
    assert_eq!(error.suggestions[0], "tic-tac-toe");
    assert!(
        error
            .to_string()
            .starts_with("no bundled game is called `Tic Tac Tow`; did you mean `tic-tac-toe`")
    );
    assert_eq!(
        find("zzzzzzzz").unwrap_err().to_string(),
        "no bundled game is called `zzzzzzzz`"
    );
}
