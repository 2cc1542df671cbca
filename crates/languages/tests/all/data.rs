//! The reference data as the tests want it.

use std::fs;
use std::io::Read;
use std::path::Path;

use flate2::read::GzDecoder;
use paidia_gdl::Source;
use paidia_gdl::render::render;
use paidia_languages::board::{self, BoardGame, BoardMove, BoardRules, Position};
use serde_json::Value;

/// The rules of a text that must be sound.
#[track_caller]
pub(crate) fn rules(name: &str, text: &str) -> BoardRules {
    let source = Source::new(name, text);
    let reading = board::read(&source);
    assert!(
        !reading.has_errors(),
        "{}",
        render(&source, &reading.problems, false)
    );
    reading.rules
}

/// The game of a text that must be sound.
#[track_caller]
pub(crate) fn game(name: &str, text: &str) -> BoardGame {
    BoardGame::new(name, rules(name, text)).unwrap()
}

/// The names and texts of all games of the reference data, in order.
pub(crate) fn games(folder: &Path) -> Vec<(String, String)> {
    let files = fs::read_dir(folder.join("games")).unwrap();
    let mut games: Vec<(String, String)> = files
        .map(|file| {
            let path = file.unwrap().path();
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            (name, fs::read_to_string(path).unwrap())
        })
        .collect();
    games.sort();
    assert!(games.len() >= 24, "{} games", games.len());
    games
}

pub(crate) fn json(path: &Path) -> Value {
    let text =
        fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The text of a compressed file.
pub(crate) fn unzipped(path: &Path) -> String {
    let mut text = String::new();
    let file = fs::File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    GzDecoder::new(file).read_to_string(&mut text).unwrap();
    text
}

/// A move in the short form of the data: `a2a3`.
pub(crate) fn short(position: &Position, chosen: BoardMove) -> String {
    let tables = position.tables();
    tables.square_name(chosen.from) + &tables.square_name(chosen.to)
}

/// The legal moves of a position in the order of the data: by columns and rows as numbers.
pub(crate) fn legal(position: &mut Position) -> Vec<(BoardMove, String)> {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    let mut named: Vec<(BoardMove, String)> = moves
        .into_iter()
        .map(|chosen| (chosen, short(position, chosen)))
        .collect();
    let tables = position.tables();
    named.sort_by_key(|(chosen, _)| (tables.place(chosen.from), tables.place(chosen.to)));
    named
}

pub(crate) fn strings(value: &Value) -> Vec<String> {
    let items = value.as_array().unwrap().iter();
    items
        .map(|item| item.as_str().unwrap().to_owned())
        .collect()
}
