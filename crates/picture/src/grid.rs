//! Numbers for squares.
//!
//! Each part of a square's name (its column, its row, its board) adds something to the square's
//! number, so that finding a square is a sum, and a name of which parts are missing stands for the
//! sums over all values of those parts.

use rustc_hash::FxHashMap;

use crate::plan::Squares;
use crate::scene::Board;

/// What a part of a square's name says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Axis {
    /// Where from left to right.
    Column,
    /// Where from the bottom up.
    Row,
    /// On which board.
    Board,
    /// Everything at once.
    Square,
}

/// One part of the names of squares.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    /// What it says.
    pub(crate) axis: Axis,
    /// What each of its values adds to the number of the square.
    pub(crate) offsets: FxHashMap<String, u32>,
}

/// The squares of some boards.
#[derive(Clone, Debug)]
pub(crate) struct Grid {
    first: u32,
    /// In the order of the plan's places.
    pub(crate) parts: Vec<Part>,
}

impl Grid {
    /// Numbers squares, the first of them with `first`.
    pub(crate) fn new(squares: &Squares, first: u32) -> Self {
        let (width, height, _) = squares.size();
        let (width, area) = (width as u32, (width * height) as u32);
        let mut parts = Vec::new();
        match squares {
            Squares::Crossed {
                columns,
                rows,
                boards,
            } => {
                add_parts(&mut parts, Axis::Column, columns, 1);
                add_parts(&mut parts, Axis::Row, rows, width);
                add_parts(&mut parts, Axis::Board, boards.as_slice(), area);
            }
            Squares::Named { names, .. } => {
                let offset = |(name, column, row): &(String, usize, usize)| {
                    (name.clone(), *row as u32 * width + *column as u32)
                };
                parts.push(Part {
                    axis: Axis::Square,
                    offsets: names.iter().map(offset).collect(),
                });
            }
        }
        Self { first, parts }
    }

    /// The square that the values of all parts name.
    pub(crate) fn cell<'a>(&self, values: impl Iterator<Item = &'a str>) -> Option<u32> {
        let mut cell = self.first;
        for (part, value) in self.parts.iter().zip(values) {
            cell += part.offsets.get(value)?;
        }
        Some(cell)
    }

    /// All squares whose parts are these, as offsets; any value where there is none.
    pub(crate) fn cells(&self, known: &[Option<u32>]) -> Vec<u32> {
        let mut cells = vec![self.first];
        for (part, known) in self.parts.iter().zip(known) {
            let offsets: Vec<u32> = match known {
                Some(offset) => vec![*offset],
                None => part.offsets.values().copied().collect(),
            };
            cells = cells
                .iter()
                .flat_map(|cell| offsets.iter().map(move |offset| cell + offset))
                .collect();
        }
        cells.sort_unstable();
        cells
    }
}

fn add_parts(parts: &mut Vec<Part>, axis: Axis, values: &[Vec<String>], step: u32) {
    let mut steps = vec![step; values.len()];
    for index in (1..values.len()).rev() {
        steps[index - 1] = steps[index] * values[index].len() as u32;
    }
    for (values, step) in values.iter().zip(steps) {
        let offsets = values.iter().zip(0u32..);
        let offsets = offsets.map(|(value, index)| (value.clone(), index * step));
        parts.push(Part {
            axis,
            offsets: offsets.collect(),
        });
    }
}

/// The boards of a plan as they are shown.
pub(crate) fn boards(plan: &crate::plan::Plan, first: u32) -> impl Iterator<Item = Board> {
    let (columns, rows, names) = match &plan.squares {
        Squares::Crossed {
            columns,
            rows,
            boards,
        } => {
            let names = match boards {
                Some(boards) => boards
                    .iter()
                    .map(|board| format!("{} {board}", plan.name))
                    .collect(),
                None => vec![plan.name.clone()],
            };
            (crossed(columns), crossed(rows), names)
        }
        Squares::Named { columns, rows, .. } => {
            (columns.clone(), rows.clone(), vec![plan.name.clone()])
        }
    };
    let area = (columns.len() * rows.len()) as u32;
    let (style, dress) = (plan.style, plan.dress.clone());
    let board = move |(name, index): (String, u32)| Board {
        name,
        shape: style.shape,
        column_labels: labels(&columns, style.labels),
        row_labels: rows.clone(),
        columns: columns.clone(),
        rows: rows.clone(),
        checkered: style.checkered,
        first: first + index * area,
        dress: dress.clone(),
        sparse: false,
    };
    names.into_iter().zip(0u32..).map(board)
}

/// The values of several parts together, the coarsest part first.
fn crossed(parts: &[Vec<String>]) -> Vec<String> {
    let mut names = vec![String::new()];
    for part in parts {
        let longer = names.iter().flat_map(|name| {
            part.iter().map(move |value| match name.as_str() {
                "" => value.clone(),
                name => format!("{name}.{value}"),
            })
        });
        names = longer.collect();
    }
    names
}

fn labels(columns: &[String], labels: paidia_library::Labels) -> Vec<String> {
    if labels == paidia_library::Labels::Letters && columns.len() <= 26 {
        let letters = (b'a'..=b'z').take(columns.len());
        letters
            .map(|letter| char::from(letter).to_string())
            .collect()
    } else {
        columns.to_vec()
    }
}
