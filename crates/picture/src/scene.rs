//! The picture of a game: its boards, and how states and moves are shown on them.

use std::collections::{BTreeMap, BTreeSet};

use paidia_gdl::program::Program;
use paidia_gdl::syntax::Sheet;
use paidia_library::{Dress, Metadata, Shape};
use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::grid::{self, Grid};
use crate::links::Links;
use crate::look::{self, Look};
use crate::moves::Moves;
use crate::plan::{Content, Layer, Plan};
use crate::term::{take_apart, word};
use crate::vocabulary::{Key, Vocabulary};
use crate::{LONGEST_SIDE, MOST_BOARDS, MOST_CELLS, declared, dress, find};

/// The rules of a game as they were written, and as engines want them.
#[derive(Clone, Copy, Debug)]
pub struct Rules<'a> {
    /// As written.
    pub sheet: &'a Sheet,
    /// The program of that sheet.
    pub program: &'a Program,
}

/// How the states of a game are drawn. Serialised, it is what a front end needs to know once a
/// game.
#[derive(Clone, Debug, Serialize)]
pub struct Scene {
    /// The boards; none if the game has none.
    pub boards: Vec<Board>,
    /// The number of squares of all boards together.
    pub cells: u32,
    /// How contents of squares look; contents that are missing here are shown as text.
    pub looks: BTreeMap<String, Look>,
    #[serde(skip)]
    grids: Vec<Grid>,
    #[serde(skip)]
    layers: FxHashMap<Key, Vec<(usize, Layer)>>,
    #[serde(skip)]
    moves: Moves,
    /// Fluents that are grouped by their first argument where they are shown beside the boards.
    #[serde(skip)]
    by_first: BTreeSet<Key>,
}

/// A rectangle of squares, some of which may not exist. Square (column, row) has the number
/// `first + row * columns.len() + column`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Board {
    /// What to call it.
    pub name: String,
    /// The shape of its squares.
    pub shape: Shape,
    /// The columns from left to right, as in the rules.
    pub columns: Vec<String>,
    /// The rows from the bottom up, as in the rules.
    pub rows: Vec<String>,
    /// What to write below the columns.
    pub column_labels: Vec<String>,
    /// What to write beside the rows.
    pub row_labels: Vec<String>,
    /// Whether squares have alternating colours.
    pub checkered: bool,
    /// The number of its first square, the one at the bottom left.
    pub first: u32,
    /// What is drawn around and between its squares.
    #[serde(flatten)]
    pub dress: Dress,
    /// Whether squares of which the first state says nothing do not exist.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub sparse: bool,
}

/// A state on the boards.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Frame {
    /// What is on each square; two things are joined by a blank. `None` where the state says
    /// nothing.
    pub cells: Vec<Option<String>>,
    /// What is on no board.
    pub beside: Vec<Aside>,
}

/// Facts that are on no board, and belong together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Aside {
    /// What they are about.
    pub label: String,
    /// What they say; nothing if that they hold says it all.
    pub values: Vec<String>,
}

/// A state taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout<'a> {
    /// What is on each square, as in [`Frame::cells`].
    pub cells: Vec<Option<String>>,
    /// The fluents that are on no board.
    pub rest: Vec<&'a str>,
}

/// Groups of facts are labelled by name and first argument if there are no more first arguments
/// than this.
const MOST_GROUPS: usize = 8;

impl Scene {
    /// The picture of a game.
    ///
    /// Boards are those of the metadata; if it has none, they are looked for in the rules. The
    /// first state should be the one that matches begin with; a few more, say from a random match,
    /// help where the rules leave something open.
    pub fn new(
        rules: Option<Rules<'_>>,
        metadata: Option<&Metadata>,
        states: &[Vec<String>],
    ) -> Self {
        let program = rules.map(|rules| rules.program);
        let vocabulary = Vocabulary::new(program, states);
        Self::of_vocabulary(rules, metadata, &vocabulary)
    }

    /// The picture of a game whose rules are not in GDL: what there is follows from its metadata,
    /// from states, and from the texts of moves.
    pub fn of_texts<'a>(
        metadata: Option<&Metadata>,
        states: &[Vec<String>],
        moves: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let mut vocabulary = Vocabulary::new(None, states);
        vocabulary.read_moves(moves);
        Self::of_vocabulary(None, metadata, &vocabulary)
    }

    fn of_vocabulary(
        rules: Option<Rules<'_>>,
        metadata: Option<&Metadata>,
        vocabulary: &Vocabulary,
    ) -> Self {
        let program = rules.map(|rules| rules.program);
        let links = program.map(Links::new).unwrap_or_default();
        let declared = metadata.map(|metadata| declared::plans(metadata, vocabulary));
        let plans = match declared {
            Some(plans) if !plans.is_empty() => plans,
            _ => find::plans(vocabulary, &links, rules.map(|rules| rules.sheet)),
        };
        Self::of_plans(within_limits(plans), vocabulary, &links, metadata)
    }

    fn of_plans(
        plans: Vec<Plan>,
        vocabulary: &Vocabulary,
        links: &Links,
        metadata: Option<&Metadata>,
    ) -> Self {
        let mut boards = Vec::new();
        let mut grids = Vec::new();
        let mut cells = 0;
        for plan in &plans {
            let (columns, rows, count) = plan.squares.size();
            let grid = Grid::new(&plan.squares, cells);
            let sparse = dress::is_sparse(plan, &grid, vocabulary);
            let blocks = plan
                .dress
                .blocks
                .or_else(|| dress::blocks(plan, vocabulary));
            boards.extend(grid::boards(plan, cells).map(|mut board| {
                (board.sparse, board.dress.blocks) = (sparse, blocks);
                board
            }));
            grids.push(grid);
            cells += (columns * rows * count) as u32;
        }
        let moves = Moves::new(vocabulary, links, &plans, &grids);
        let pieces = metadata.map(|metadata| &metadata.pieces);
        let looks = look::looks(&plans, vocabulary, pieces);
        if metadata.is_none_or(|metadata| metadata.boards.is_empty()) {
            let chess = look::is_chess(&looks);
            boards.iter_mut().for_each(|board| board.checkered |= chess);
        }
        let mut layers: FxHashMap<Key, Vec<(usize, Layer)>> = FxHashMap::default();
        for (grid, plan) in plans.into_iter().enumerate() {
            for layer in plan.layers {
                let key = (layer.fluent.clone(), layer.arity);
                layers.entry(key).or_default().push((grid, layer));
            }
        }
        Self {
            boards,
            cells,
            looks,
            grids,
            layers,
            moves,
            by_first: by_first(vocabulary),
        }
    }

    /// A state taken apart: what is on the boards, and what is not.
    pub fn lay_out<'a>(&self, fluents: &'a [String]) -> Layout<'a> {
        let mut cells: Vec<Option<String>> = vec![None; self.cells as usize];
        let mut rest = Vec::new();
        for fluent in fluents {
            match self.square(fluent) {
                Some((cell, content)) => {
                    let cell = &mut cells[cell as usize];
                    *cell = Some(match cell.take() {
                        Some(other) => format!("{other} {content}"),
                        None => content,
                    });
                }
                None => rest.push(fluent.as_str()),
            }
        }
        Layout { cells, rest }
    }

    /// A state as it is shown.
    pub fn frame(&self, fluents: &[String]) -> Frame {
        let Layout { cells, rest } = self.lay_out(fluents);
        let mut beside: Vec<Aside> = Vec::new();
        for fluent in rest {
            let (name, arguments) = take_apart(fluent);
            let key = (name.to_owned(), arguments.len());
            let (label, value) = match &*arguments {
                [first, others @ ..] if self.by_first.contains(&key) => {
                    (format!("{name} {first}"), others.join(" "))
                }
                others => (name.to_owned(), others.join(" ")),
            };
            let values = (!value.is_empty()).then_some(value);
            match beside.iter_mut().rfind(|aside| aside.label == label) {
                Some(aside) => aside.values.extend(values),
                None => beside.push(Aside {
                    label,
                    values: values.into_iter().collect(),
                }),
            }
        }
        Frame { cells, beside }
    }

    /// The square that a fluent is about, and what it puts there.
    fn square(&self, fluent: &str) -> Option<(u32, String)> {
        let (name, arguments) = take_apart(fluent);
        let layers = self.layers.get(&(name.to_owned(), arguments.len()))?;
        layers.iter().find_map(|(grid, layer)| {
            let belongs = |(argument, value): &(usize, String)| {
                arguments.get(*argument).is_some_and(|found| found == value)
            };
            if !layer.when.iter().all(belongs) {
                return None;
            }
            let values = layer.places.iter().map(|&place| arguments[place]);
            let cell = self.grids[*grid].cell(values)?;
            let content = match &layer.content {
                Content::Fixed(content) => content.clone(),
                Content::Arguments(places) => {
                    let words: Vec<String> =
                        places.iter().map(|&place| word(arguments[place])).collect();
                    words.join("_")
                }
            };
            Some((cell, content))
        })
    }

    /// A fluent in words of people: the name of its square, and what is there, or nothing if it
    /// says that the square is empty.
    pub fn placed(&self, fluent: &str) -> Option<(String, Option<String>)> {
        let (cell, content) = self.square(fluent)?;
        let is_on = |board: &&Board| {
            let area = (board.columns.len() * board.rows.len()) as u32;
            (board.first..board.first + area).contains(&cell)
        };
        let board = self.boards.iter().find(is_on)?;
        let width = board.columns.len();
        let offset = (cell - board.first) as usize;
        let (column, row) = (offset % width, offset / width);
        let name = match board.rows.len() {
            1 if board.name == content => board.column_labels.get(column)?.clone(),
            1 => format!("{} {}", board.name, board.column_labels.get(column)?),
            _ => square_name(board, column, row)?,
        };
        let name = match name.contains(',') {
            true => format!("({name})"),
            false => name,
        };
        let name = match self.boards.len() {
            _ if board.rows.len() == 1 => name,
            1 => name,
            _ => format!("{name} of `{}`", board.name),
        };
        let is_empty = self.looks.get(&content).is_some_and(Look::is_empty);
        Some((name, (!is_empty).then(|| content.replace('_', " "))))
    }

    /// What to click for a move, in order. Each step is a set of squares of which any will do; a
    /// move that is about no square has none.
    pub fn steps(&self, text: &str) -> Vec<Vec<u32>> {
        self.moves.squares(&self.grids, text)
    }

    /// A move as players write it, where its arguments are squares of the only board: `a2-a3`,
    /// `b2`, `d`, perhaps with one word after it, as in `a7-a8 queen`.
    pub fn named(&self, text: &str) -> Option<String> {
        let [board] = &self.boards[..] else {
            return None;
        };
        let steps = self.steps(text);
        let (_, arguments) = take_apart(text);
        let (mut names, mut used) = (Vec::new(), 0);
        for step in &steps {
            let width = board.columns.len() as u32;
            let column = |cell: u32| (cell - board.first) % width;
            let first = *step.first()?;
            match &step[..] {
                [cell] => {
                    let row = ((cell - board.first) / width) as usize;
                    names.push(square_name(board, column(*cell) as usize, row)?);
                    used += 2;
                }
                cells if cells.iter().all(|&cell| column(cell) == column(first)) => {
                    let label = board.column_labels.get(column(first) as usize)?;
                    label
                        .chars()
                        .next()
                        .filter(|letter| letter.is_alphabetic())?;
                    names.push(label.clone());
                    used += 1;
                }
                _ => return None,
            }
        }
        match &arguments[used.min(arguments.len())..] {
            _ if names.is_empty() || used > arguments.len() => None,
            [] => Some(names.join("-")),
            [word] if word.parse::<i64>().is_err() && !word.starts_with('(') => {
                Some(format!("{} {word}", names.join("-")))
            }
            _ => None,
        }
    }

    /// The squares that the moves of a joint move name, each once and in order. A move that leaves
    /// squares open, as dropping a disc in a column does, names none.
    pub fn touched<T: AsRef<str>>(&self, joint: &[T]) -> Vec<u32> {
        let steps = joint.iter().flat_map(|text| self.steps(text.as_ref()));
        let squares = steps.filter(|step| step.len() == 1).flatten();
        squares.collect::<BTreeSet<u32>>().into_iter().collect()
    }
}

/// The name of a square: `b2` where columns have letters, else `2,3`.
fn square_name(board: &Board, column: usize, row: usize) -> Option<String> {
    let (column, row) = (board.column_labels.get(column)?, board.row_labels.get(row)?);
    let has_letters = column.chars().all(char::is_alphabetic);
    Some(match has_letters {
        true => format!("{column}{row}"),
        false => format!("{column},{row}"),
    })
}

/// As many plans as can be drawn.
fn within_limits(plans: Vec<Plan>) -> Vec<Plan> {
    let (mut boards, mut cells) = (0, 0);
    let fits = |plan: &Plan| {
        let (columns, rows, count) = plan.squares.size();
        boards += count;
        cells += columns * rows * count;
        columns.max(rows) <= LONGEST_SIDE && boards <= MOST_BOARDS && cells <= MOST_CELLS
    };
    plans.into_iter().take_while(fits).collect()
}

/// Fluents whose first argument is one of few things.
fn by_first(vocabulary: &Vocabulary) -> BTreeSet<Key> {
    let grouped = vocabulary.fluents.iter().filter(|(key, kind)| {
        let first = &kind.values[0];
        key.1 > 1 && !first.open && first.constants.len() <= MOST_GROUPS
    });
    grouped.map(|(key, _)| key.clone()).collect()
}
