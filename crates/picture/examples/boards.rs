//! Draws every bundled game and every rule sheet of some folders, and prints a table of the boards that were found.
//!
//! `cargo run --release -p paidia-picture --example boards -- [--judged FILE] [--show NAME] FOLDER...`
//!
//! Bundled games are drawn with their metadata and, as `NAME without metadata`, without. Each is drawn at the start and after
//! random moves, from a picture that was made of the rules and of the first states of another random match.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs};

use paidia_game::{Chance, Game, Legible, Walker};
use paidia_gdl::Source;
use paidia_gdl::check::check_source;
use paidia_gdl::program::Program;
use paidia_library::Metadata;
use paidia_picture::{Form, Rules, Scene};
use paidia_reason::Reference;

/// A picture is made of so many states of a random match.
const SEEN: u32 = 30;

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
    let mut table = Table::default();
    println!("| sheet | board | found | moves with squares |\n|---|---|---|---|");
    for game in paidia_library::all() {
        if shown.as_ref().is_some_and(|shown| shown != game.name) {
            continue;
        }
        let metadata = game.facts().expect("bundled metadata is sound");
        let with = picture(game.name, game.rules, Some(&metadata), shown.is_some());
        table.row(game.name, judged.get(game.name), with);
        let without = picture(game.name, game.rules, None, shown.is_some());
        let name = format!("{} without metadata", game.name);
        table.row(&name, judged.get(game.name), without);
    }
    for path in folders.iter().flat_map(|folder| sheets(folder)) {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        if shown.as_ref().is_some_and(|shown| *shown != name) {
            continue;
        }
        let text = fs::read_to_string(&path).expect("the sheet can be read");
        table.row(
            &name,
            judged.get(&*name),
            picture(&name, &text, None, shown.is_some()),
        );
    }
    table.finish();
}

/// What was judged by hand: a name and `board`, `strip` or `none` on each line, and perhaps a remark after that.
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
    let source = Source::new(name, text);
    let (reading, report) = check_source(&source, None);
    if report.problems.iter().any(paidia_gdl::Problem::is_error) {
        return Err("the sheet has errors".to_owned());
    }
    let program =
        Program::new(&reading.sheet, report.dialect).map_err(|error| error.to_string())?;
    let game = Reference::new(name, program.clone()).map_err(|error| error.to_string())?;
    let mut seen = Vec::new();
    walk(&game, 1, SEEN, |fluents, _| seen.push(fluents));
    let rules = Rules {
        sheet: &reading.sheet,
        program: &program,
    };
    let scene = Scene::new(Some(rules), metadata, &seen);
    let mut moves: BTreeMap<String, bool> = BTreeMap::new();
    let mut step = 0;
    walk(&game, 2, DRAWN, |fluents, legal| {
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

/// Plays at random and tells of each state its fluents and legal moves.
fn walk(game: &Reference, seed: u64, states: u32, mut visit: impl FnMut(Vec<String>, Vec<String>)) {
    let mut walker = game.walker();
    let mut state = game.initial();
    walker.jump(&state);
    let mut chance = Chance::from_seed(seed);
    let mut joint = Vec::new();
    for _ in 0..states {
        walker.save(&mut state);
        let over = walker.is_terminal();
        let legal = walker.legal();
        let names = legal.iter().flat_map(|(_, moves)| moves);
        let names = names.map(|&id| game.moves().name(id).to_string()).collect();
        let drawn = legal.draw(&mut chance, &mut joint);
        visit(game.fluents(&state), names);
        if over || drawn.is_err() {
            return;
        }
        walker.advance(&joint, &mut chance);
    }
}

fn show(scene: &Scene, fluents: &[String], legal: &[String]) {
    let frame = scene.frame(fluents);
    for board in &scene.boards {
        println!("{} {:?}", board.name, board.columns);
        let width = board.columns.len();
        for row in (0..board.rows.len()).rev() {
            let start = board.first as usize + row * width;
            let cells = frame.cells[start..start + width].iter().map(|cell| {
                let words = cell.as_deref().unwrap_or(".").split(' ');
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

/// The table and its sums.
#[derive(Default)]
struct Table {
    rows: usize,
    errors: usize,
    boards: usize,
    found: usize,
    missed: Vec<String>,
}

impl Table {
    fn row(&mut self, name: &str, judged: Option<&String>, drawn: Result<Drawn, String>) {
        self.rows += 1;
        let judged = judged.map_or("?", String::as_str);
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
        let flat = drawn.scene.boards.iter().any(|board| board.rows.len() > 1);
        if judged == "board" {
            self.boards += 1;
            if flat {
                self.found += 1;
            } else {
                self.missed.push(name.to_owned());
            }
        }
        let sizes: Vec<String> = sizes.collect();
        let (all, with) = drawn.moves;
        println!(
            "| {name} | {judged} | {} | {with} of {all} |",
            sizes.join(", ")
        );
    }

    fn finish(&self) {
        println!(
            "\n{} pictures, {} errors; a board was found in {} of {} that have one.",
            self.rows, self.errors, self.found, self.boards
        );
        if !self.missed.is_empty() {
            println!("Missed: {}.", self.missed.join(", "));
        }
    }
}
