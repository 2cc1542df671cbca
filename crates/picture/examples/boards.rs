//! Draws every bundled game and every rule sheet of some folders, and prints a table of the boards
//! that were found.
//!
//! `cargo run --release -p paidia-picture --example boards -- [--judged FILE] [--show NAME]
//! FOLDER...`
//!
//! Bundled games are drawn with their metadata and, as `NAME without metadata`, without. Each is
//! drawn at the start and after random moves, from a picture that was made of the rules and of the
//! first states of another random match.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs};

use paidia_library::Metadata;
use paidia_picture::{Board, Form, Scene};

#[path = "../tests/all/common.rs"]
#[expect(dead_code, reason = "tests also look at the first state")]
mod common;

use common::Subject;

/// States of the match that is drawn.
const DRAWN: u32 = 60;

fn main() {
    let mut folders = Vec::new();
    let (mut judged, mut shown) = (None, None);
    let mut arguments = env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match &*argument {
            "--judged" => judged = arguments.next(),
            "--show" => shown = arguments.next(),
            _ => folders.push(PathBuf::from(argument)),
        }
    }
    let judged = judged.map_or_else(BTreeMap::new, |path| read_judged(Path::new(&path)));
    let (mut declared, mut bundled, mut public) = <(Table, Table, Table)>::default();
    println!("| sheet | board | found | moves with squares |\n|---|---|---|---|");
    for game in paidia_library::sheets() {
        if shown.as_ref().is_some_and(|shown| shown != game.name) {
            continue;
        }
        let metadata = game.facts().expect("bundled metadata is sound");
        let with = picture(game.name, game.rules, Some(&metadata), shown.is_some());
        // Where the metadata has a board, the one that is found without must be of the same size.
        let board = with
            .as_ref()
            .ok()
            .and_then(|with| with.scene.boards.first());
        let size = board.filter(|_| !metadata.boards.is_empty());
        let size = size.map(|board| format!("{}x{}", board.columns.len(), board.rows.len()));
        declared.row(game.name, Some(size.as_deref().unwrap_or("none")), with);
        let without = picture(game.name, game.rules, None, shown.is_some());
        let name = format!("{} without metadata", game.name);
        bundled.row(&name, Some(size.as_deref().unwrap_or("none")), without);
    }
    for path in folders.iter().flat_map(|folder| sheets(folder)) {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        if shown.as_ref().is_some_and(|shown| *shown != name) {
            continue;
        }
        let text = fs::read_to_string(&path).expect("the sheet can be read");
        let judged = judged.get(&*name).map(String::as_str);
        public.row(&name, judged, picture(&name, &text, None, shown.is_some()));
    }
    declared.finish("Bundled games as their metadata says");
    bundled.finish("Bundled games without metadata");
    public.finish("Sheets of the folders");
}

/// What was judged by hand, a sheet a line: its name, the size of its largest board or what it has
/// instead, and perhaps a remark.
fn read_judged(path: &Path) -> BTreeMap<String, String> {
    let text = fs::read_to_string(path).expect("the list of judgements can be read");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .filter_map(|line| {
            let mut words = line.split_whitespace();
            Some((words.next()?.to_owned(), words.next()?.to_owned()))
        })
        .collect()
}

fn sheets(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder can be read");
    let mut sheets: Vec<PathBuf> = entries
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "kif"))
        .collect();
    sheets.sort();
    sheets
}

/// A game that was drawn.
struct Drawn {
    scene: Scene,
    /// Moves that were legal somewhere and have arguments, and how many of them have squares.
    moves: (usize, usize),
}

fn picture(
    name: &str,
    text: &str,
    metadata: Option<&Metadata>,
    shown: bool,
) -> Result<Drawn, String> {
    let subject = Subject::read(name, text)?;
    let scene = subject.scene(metadata);
    let mut moves: BTreeMap<String, bool> = BTreeMap::new();
    let mut step = 0;
    subject.walk(2, DRAWN, |fluents, legal| {
        let frame = scene.frame(&fluents);
        assert_eq!(frame.cells.len(), scene.cells as usize);
        if shown && step % 8 == 0 {
            show(&scene, &fluents, &legal);
        }
        step += 1;
        for text in legal.into_iter().filter(|text| text.starts_with('(')) {
            let squares = scene.steps(&text);
            assert!(squares.iter().flatten().all(|&cell| cell < scene.cells));
            moves.insert(text, !squares.is_empty());
        }
    });
    let with_squares = moves.values().filter(|&&has| has).count();
    Ok(Drawn {
        scene,
        moves: (moves.len(), with_squares),
    })
}

fn show(scene: &Scene, fluents: &[String], legal: &[String]) {
    let frame = scene.frame(fluents);
    for board in &scene.boards {
        println!("{} {:?}", board.name, board.columns);
        let width = board.columns.len();
        for row in (0..board.rows.len()).rev() {
            let start = board.first as usize + row * width;
            let cells = frame.cells[start..start + width].iter().map(|cell| {
                let words = cell.iter().flat_map(|cell| cell.split(' '));
                let looks = words.map(|word| match scene.looks.get(word).map(|look| &look.form) {
                    Some(Form::Shape(figure)) => format!("{figure:?}"),
                    Some(Form::Glyph(text) | Form::Text(text)) => text.clone(),
                    None => format!("[{word}]"),
                });
                format!("{:7}", looks.collect::<Vec<_>>().join("+"))
            });
            println!("{:>4} {}", board.rows[row], cells.collect::<String>());
        }
    }
    for aside in &frame.beside {
        println!("  {}: {}", aside.label, aside.values.join(", "));
    }
    for text in legal.iter().take(6) {
        println!("  {text} -> {:?}", scene.steps(text));
    }
}

/// The columns and rows of a board as they were judged.
fn size(judged: &str) -> Option<(usize, usize)> {
    let (columns, rows) = judged.split_once('x')?;
    Some((columns.parse().ok()?, rows.parse().ok()?))
}

/// The table and its sums.
#[derive(Default)]
struct Table {
    rows: usize,
    errors: usize,
    boards: usize,
    found: usize,
    missed: Vec<String>,
    surplus: Vec<String>,
}

impl Table {
    fn row(&mut self, name: &str, judged: Option<&str>, drawn: Result<Drawn, String>) {
        self.rows += 1;
        let judged = judged.unwrap_or("?");
        let drawn = match drawn {
            Ok(drawn) => drawn,
            Err(error) => {
                self.errors += 1;
                println!("| {name} | {judged} | error: {error} | |");
                return;
            }
        };
        let sizes = drawn.scene.boards.iter().map(|board| {
            format!(
                "{} {}x{}",
                board.name,
                board.columns.len(),
                board.rows.len()
            )
        });
        let sizes: Vec<String> = sizes.collect();
        if let Some((columns, rows)) = size(judged) {
            self.boards += 1;
            // Whether an edge that nothing ever stands on belongs to the board is a matter of
            // taste.
            let fits = |board: &Board| {
                board.columns.len().abs_diff(columns) <= 1 && board.rows.len().abs_diff(rows) <= 1
            };
            if drawn.scene.boards.iter().any(fits) {
                self.found += 1;
            } else {
                self.missed.push(name.to_owned());
            }
        } else if !drawn.scene.boards.is_empty() {
            self.surplus.push(name.to_owned());
        }
        let (all, with) = drawn.moves;
        println!(
            "| {name} | {judged} | {} | {with} of {all} |",
            sizes.join(", ")
        );
    }

    fn finish(&self, title: &str) {
        println!(
            "\n{title}: {} pictures, {} errors; a board was found in {} of {} that have one.",
            self.rows, self.errors, self.found, self.boards
        );
        if !self.missed.is_empty() {
            println!("Missed: {}.", self.missed.join(", "));
        }
        if !self.surplus.is_empty() {
            println!(
                "Drawn though there is no board: {}.",
                self.surplus.join(", ")
            );
        }
    }
}
