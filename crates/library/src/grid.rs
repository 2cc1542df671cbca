//! The squares of a board, found in the fluents of a state.
//!
//! With a [`Board`] of the metadata the fluent and its arguments are known; without, [`guess`] looks for a
//! fluent whose first two arguments look like columns and rows. Columns go from left to right and rows from
//! the bottom up, in the order of numbers or else of texts.

use std::collections::{BTreeMap, BTreeSet};

use crate::metadata::{Board, Labels, Shape};

/// A rectangle of squares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    /// The columns from left to right, as in the rules.
    pub columns: Vec<String>,
    /// The rows from the bottom up, as in the rules.
    pub rows: Vec<String>,
    /// What is on each square, row by row from the bottom; `None` where the state says nothing.
    pub contents: Vec<Option<String>>,
}

impl Grid {
    /// What is on a square, by the places of its column and row.
    pub fn content(&self, column: usize, row: usize) -> Option<&str> {
        self.contents
            .get(row * self.columns.len() + column)?
            .as_deref()
    }
}

/// A state taken apart: boards, and the fluents that are on none of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picture<'a> {
    /// The boards, in the order of the metadata, each with its grid.
    pub boards: Vec<(Board, Grid)>,
    /// All other fluents.
    pub rest: Vec<&'a str>,
}

/// Takes a state apart by the boards of the metadata; if there are none, by a guess.
///
/// The first state of a match should be given as `initial`, so that a board keeps its size when squares are
/// left out later.
pub fn picture<'a>(boards: &[Board], initial: &[String], fluents: &'a [String]) -> Picture<'a> {
    let guessed = if boards.is_empty() {
        guess(initial)
    } else {
        None
    };
    let boards = guessed.as_ref().map_or(boards, std::slice::from_ref);
    let mut picture = Picture::default();
    let mut drawn = BTreeSet::new();
    for board in boards {
        let now = squares(board, fluents);
        let before = squares(board, initial);
        drawn.extend(now.iter().map(|square| square.fluent));
        let grid = grid(&before, &now);
        if !grid.contents.is_empty() {
            picture.boards.push((board.clone(), grid));
        }
    }
    picture.rest = fluents
        .iter()
        .map(String::as_str)
        .filter(|fluent| !drawn.contains(fluent))
        .collect();
    picture
}

/// A fact about a square.
struct Square<'a> {
    fluent: &'a str,
    column: String,
    row: String,
    content: String,
}

fn squares<'a>(board: &Board, fluents: &'a [String]) -> Vec<Square<'a>> {
    let found = fluents.iter().filter_map(|fluent| {
        let (name, arguments) = take_apart(fluent)?;
        let argument = |place: usize| arguments.get(place.checked_sub(1)?).cloned();
        let belongs = name == board.fluent && board.takes(&arguments);
        let (column, row) = (argument(board.column)?, argument(board.row)?);
        let content = argument(board.content)?;
        belongs.then_some(Square {
            fluent,
            column,
            row,
            content,
        })
    });
    found.collect()
}

/// The name and the arguments of a fluent that has arguments.
fn take_apart(fluent: &str) -> Option<(String, Vec<String>)> {
    let inner = fluent.strip_prefix('(')?.strip_suffix(')')?;
    let mut parts = paidia_game::split(inner).ok()?.into_iter();
    Some((parts.next()?, parts.collect()))
}

/// Boards larger than this are not drawn.
const LONGEST_SIDE: usize = 64;

fn grid(before: &[Square<'_>], now: &[Square<'_>]) -> Grid {
    let columns = in_order(before.iter().chain(now).map(|square| &*square.column));
    let rows = in_order(before.iter().chain(now).map(|square| &*square.row));
    if columns.len().max(rows.len()) > LONGEST_SIDE {
        return Grid {
            columns,
            rows,
            contents: Vec::new(),
        };
    }
    let mut contents: Vec<Option<String>> = vec![None; columns.len() * rows.len()];
    for square in now {
        let column = columns.iter().position(|column| *column == square.column);
        let row = rows.iter().position(|row| *row == square.row);
        if let (Some(column), Some(row)) = (column, row) {
            let content = &mut contents[row * columns.len() + column];
            // Two things on one square are shown together.
            *content = Some(match content.take() {
                Some(other) => format!("{other} {}", square.content),
                None => square.content.clone(),
            });
        }
    }
    Grid {
        columns,
        rows,
        contents,
    }
}

/// Different texts, as numbers if all of them are numbers, with the numbers between them filled in.
fn in_order<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<String> {
    let texts: BTreeSet<&str> = texts.collect();
    let numbers: Option<BTreeSet<i64>> = texts.iter().map(|text| text.parse().ok()).collect();
    match numbers {
        Some(numbers) => {
            let (first, last) = (numbers.first().copied(), numbers.last().copied());
            let (first, last) = (first.unwrap_or(0), last.unwrap_or(-1));
            if last.saturating_sub(first) < LONGEST_SIDE as i64 {
                (first..=last).map(|number| number.to_string()).collect()
            } else {
                numbers.iter().map(i64::to_string).collect()
            }
        }
        None => texts.into_iter().map(str::to_owned).collect(),
    }
}

/// The fluent that looks most like a board: its first two arguments name each square once, and most squares
/// of the rectangle are named.
pub fn guess(fluents: &[String]) -> Option<Board> {
    let mut by_name: BTreeMap<(String, usize), Vec<Vec<String>>> = BTreeMap::new();
    for (name, arguments) in fluents.iter().filter_map(|fluent| take_apart(fluent)) {
        by_name
            .entry((name, arguments.len()))
            .or_default()
            .push(arguments);
    }
    let boards = by_name
        .into_iter()
        .filter(|((_, arity), facts)| *arity == 3 && is_board(facts));
    let ((fluent, _), _) = boards.max_by_key(|(_, facts)| facts.len())?;
    Some(Board {
        fluent,
        column: 1,
        row: 2,
        content: 3,
        shape: Shape::Square,
        when: BTreeMap::new(),
        labels: Labels::Numbers,
        checkered: false,
    })
}

fn is_board(facts: &[Vec<String>]) -> bool {
    let distinct = |place: usize| {
        facts
            .iter()
            .map(|fact| &fact[place])
            .collect::<BTreeSet<_>>()
            .len()
    };
    let (columns, rows) = (distinct(0), distinct(1));
    let places: BTreeSet<(&str, &str)> = facts.iter().map(|fact| (&*fact[0], &*fact[1])).collect();
    columns > 1 && rows > 1 && places.len() == facts.len() && 2 * places.len() > columns * rows
}

#[cfg(test)]
mod tests {
    use super::{guess, picture};

    fn fluents(text: &str) -> Vec<String> {
        paidia_game::split(text).unwrap()
    }

    #[test]
    fn a_board_is_guessed_and_the_rest_is_kept() {
        let state =
            fluents("(cell 1 1 x) (cell 1 2 b) (cell 2 1 b) (cell 2 2 o) (control x) (step 3)");
        let picture = picture(&[], &state, &state);
        assert_eq!(picture.rest, ["(control x)", "(step 3)"]);
        let (board, grid) = &picture.boards[0];
        assert_eq!(board.fluent, "cell");
        assert_eq!(
            (&*grid.columns, &*grid.rows),
            (
                &["1", "2"].map(str::to_owned)[..],
                &["1", "2"].map(str::to_owned)[..]
            )
        );
        assert_eq!(grid.content(1, 1), Some("o"));
        assert_eq!(grid.content(0, 1), Some("b"));
    }

    #[test]
    fn columns_are_in_the_order_of_numbers_and_gaps_are_filled() {
        let state = fluents(
            "(cell 2 1 x) (cell 10 1 y) (cell 10 2 z) (cell 2 2 x) (cell 9 1 x) (cell 9 2 x)",
        );
        let board = guess(&state);
        let picture = picture(&[board.unwrap()], &state, &state);
        let columns = ["2", "3", "4", "5", "6", "7", "8", "9", "10"];
        assert_eq!(picture.boards[0].1.columns, columns);
        assert_eq!(picture.boards[0].1.content(1, 0), None);
    }

    #[test]
    fn facts_that_repeat_a_place_are_no_board() {
        assert_eq!(
            guess(&fluents(
                "(edge 1 2 a) (edge 1 2 b) (edge 2 1 a) (edge 2 2 a)"
            )),
            None
        );
        assert_eq!(guess(&fluents("(coins 5) done")), None);
    }

    #[test]
    fn a_board_keeps_its_size_when_squares_are_left_out() {
        let initial = fluents("(cell 1 1 x) (cell 1 2 b) (cell 2 1 b) (cell 2 2 o)");
        let later = fluents("(cell 1 1 x)");
        let picture = picture(&[], &initial, &later);
        assert_eq!(picture.boards[0].1.contents.len(), 4);
        assert_eq!(picture.boards[0].1.content(1, 1), None);
    }
}
