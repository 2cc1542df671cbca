//! Boards that are wanted, before their squares have numbers.

use paidia_library::{Dress, Labels, Shape};

use crate::{LONGEST_SIDE, MOST_BOARDS, MOST_CELLS};

/// Boards with the same columns and rows, and what is drawn on them.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// The name of the boards.
    pub(crate) name: String,
    /// How squares are named.
    pub(crate) squares: Squares,
    /// How they look.
    pub(crate) style: Style,
    /// What is drawn around and between their squares.
    pub(crate) dress: Dress,
    /// What is drawn on them.
    pub(crate) layers: Vec<Layer>,
}

/// How boards look whatever is on them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    pub(crate) shape: Shape,
    pub(crate) labels: Labels,
    pub(crate) checkered: bool,
}

impl Default for Style {
    fn default() -> Self {
        Self {
            shape: Shape::Square,
            labels: Labels::Numbers,
            checkered: false,
        }
    }
}

/// How the arguments of a fact name a square.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Squares {
    /// By a column and a row, perhaps in several parts each, and perhaps by a board. The values of
    /// each part are in order: columns from the left, rows from the bottom.
    Crossed {
        /// The parts of a column, the coarsest first.
        columns: Vec<Vec<String>>,
        /// The parts of a row, the coarsest first.
        rows: Vec<Vec<String>>,
        /// What tells boards apart, if anything.
        boards: Option<Vec<String>>,
    },
    /// By one name.
    Named {
        /// Labels of the columns from the left.
        columns: Vec<String>,
        /// Labels of the rows from the bottom.
        rows: Vec<String>,
        /// Names with their columns and rows.
        names: Vec<(String, usize, usize)>,
    },
}

/// Facts of one kind that are drawn.
#[derive(Clone, Debug)]
pub(crate) struct Layer {
    /// The name of the fluent.
    pub(crate) fluent: String,
    /// The number of its arguments.
    pub(crate) arity: usize,
    /// Where the parts of the square's name stand: those of the column, of the row, and the board;
    /// or the name.
    pub(crate) places: Vec<usize>,
    /// What is drawn.
    pub(crate) content: Content,
    /// Only facts with these arguments are drawn.
    pub(crate) when: Vec<(usize, String)>,
}

/// What a fact puts on its square.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// Always the same.
    Fixed(String),
    /// What stands at these arguments.
    Arguments(Vec<usize>),
}

impl Squares {
    /// The number of columns, rows and boards.
    pub(crate) fn size(&self) -> (usize, usize, usize) {
        let product = |parts: &[Vec<String>]| parts.iter().map(Vec::len).product();
        match self {
            Squares::Crossed {
                columns,
                rows,
                boards,
            } => (
                product(columns),
                product(rows),
                boards.as_ref().map_or(1, Vec::len),
            ),
            Squares::Named { columns, rows, .. } => (columns.len(), rows.len(), 1),
        }
    }

    /// Whether boards of this size can be drawn.
    pub(crate) fn fits(&self) -> bool {
        let (columns, rows, boards) = self.size();
        let side = 1..=LONGEST_SIDE;
        side.contains(&columns)
            && side.contains(&rows)
            && (1..=MOST_BOARDS).contains(&boards)
            && columns * rows * boards <= MOST_CELLS
    }
}
