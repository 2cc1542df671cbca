//! Facts of one kind read as facts about squares.

use std::collections::BTreeSet;

use super::hints::{Hints, Turn};
use crate::order::{in_order, split_number};
use crate::plan::{Content, Squares};
use crate::vocabulary::{Key, Kind, Vocabulary};

/// What sort of facts about squares they are, the surest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sort {
    /// A column, a row, and what is there.
    Contents,
    /// The name of a square, and what is there.
    Names,
    /// A column and a row; the name of the fluent says what is there.
    Presence,
    /// A place on a line.
    Strip,
}

/// How facts of a kind are about squares.
#[derive(Clone, Debug)]
pub(super) struct Reading {
    pub(super) sort: Sort,
    pub(super) squares: Squares,
    /// The arguments that name the square, in the order of a layer's places.
    pub(super) places: Vec<usize>,
    pub(super) content: Content,
}

/// Something that tells boards apart has no more values than this.
const MOST_SIBLINGS: usize = 16;

/// Reads the facts of a kind, if they can be about squares.
pub(super) fn read(
    key: &Key,
    kind: &Kind,
    vocabulary: &Vocabulary,
    hints: &Hints,
) -> Option<Reading> {
    if let Some(reading) = read_names(key, kind, vocabulary) {
        return Some(reading);
    }
    let orders = orders(kind, vocabulary);
    let ordered: Vec<usize> = (0..key.1)
        .filter(|&index| orders[index].is_some())
        .collect();
    let unordered: Vec<usize> = (0..key.1)
        .filter(|&index| orders[index].is_none())
        .collect();
    let (places, content) = if unordered.is_empty() && ordered.len() > 2 {
        let content = content_among(kind, &ordered);
        let places = ordered.into_iter().filter(|&index| index != content);
        (places.collect(), vec![content])
    } else {
        (ordered, unordered)
    };
    let crossing = Crossing {
        key,
        kind,
        hints,
        orders: &orders,
    };
    match places[..] {
        [place] => crossing.strip(place, content),
        [one, other] if content.is_empty() && kind.most_facts() > 2 && kind.determined(&[one]) => {
            crossing.strip(one, vec![other])
        }
        [one, other] => crossing.flat(one, other, content),
        [one, other, third] => crossing.family(one, other, third, content),
        [one, other, third, fourth] if !content.is_empty() => {
            crossing.nested([one, other, third, fourth], content)
        }
        _ => None,
    }
}

/// The values of each argument in order, where they have one. Players have none, whatever a relation says of them.
fn orders(kind: &Kind, vocabulary: &Vocabulary) -> Vec<Option<Vec<String>>> {
    let order = |values: &crate::vocabulary::Values| {
        if values.open
            || values
                .constants
                .iter()
                .any(|value| vocabulary.roles.contains(value))
        {
            return None;
        }
        in_order(&values.constants, &vocabulary.successions).filter(|order| order.len() > 1)
    };
    kind.values.iter().map(order).collect()
}

/// Which of several ordered arguments is what is on the square: one that the others determine, the last if it can be.
fn content_among(kind: &Kind, ordered: &[usize]) -> usize {
    let last = ordered[ordered.len() - 1];
    let determined = |&&index: &&usize| {
        let others: Vec<usize> = ordered
            .iter()
            .copied()
            .filter(|&other| other != index)
            .collect();
        kind.determined(&others)
    };
    ordered
        .iter()
        .rev()
        .find(determined)
        .copied()
        .unwrap_or(last)
}

/// Facts with columns and rows.
struct Crossing<'a> {
    key: &'a Key,
    kind: &'a Kind,
    hints: &'a Hints,
    orders: &'a [Option<Vec<String>>],
}

impl Crossing<'_> {
    /// The columns or rows at an argument. Where the first state lists empty squares it lists all of them, and the rules may
    /// allow for more than there are.
    fn axis(&self, place: usize, content: &[usize]) -> Vec<String> {
        let order = self.orders[place].clone().unwrap_or_default();
        let blank = |fact: &Vec<String>| {
            content
                .iter()
                .any(|&index| crate::look::may_be_nothing(&fact[index]))
        };
        let facts = self.kind.first_facts();
        if !facts.iter().any(blank) {
            return order;
        }
        let seen: BTreeSet<&str> = facts.iter().map(|fact| &*fact[place]).collect();
        let first = order.iter().position(|value| seen.contains(&**value));
        let last = order.iter().rposition(|value| seen.contains(&**value));
        match (first, last) {
            (Some(first), Some(last)) if last > first => order[first..=last].to_vec(),
            _ => order,
        }
    }

    fn reading(
        &self,
        sort: Sort,
        places: Vec<usize>,
        content: Vec<usize>,
        boards: Option<Vec<String>>,
    ) -> Reading {
        let half = places.len() / 2;
        let axes = |places: &[usize]| -> Vec<Vec<String>> {
            places
                .iter()
                .map(|&place| self.axis(place, &content))
                .collect()
        };
        let squares = Squares::Crossed {
            columns: axes(&places[..half]),
            rows: axes(&places[half..2 * half]),
            boards,
        };
        Reading {
            sort,
            squares,
            places,
            content: self.content(content),
        }
    }

    fn content(&self, content: Vec<usize>) -> Content {
        if content.is_empty() {
            Content::Fixed(self.key.0.clone())
        } else {
            Content::Arguments(content)
        }
    }

    /// One row of squares.
    fn strip(&self, place: usize, content: Vec<usize>) -> Option<Reading> {
        let columns = self.axis(place, &content);
        Some(Reading {
            sort: Sort::Strip,
            squares: Squares::Crossed {
                columns: vec![columns],
                rows: vec![vec![self.key.0.clone()]],
                boards: None,
            },
            places: vec![place],
            content: self.content(content),
        })
    }

    /// Columns and rows, and a family of boards if squares of the same name have several contents.
    fn flat(&self, one: usize, other: usize, mut content: Vec<usize>) -> Option<Reading> {
        let sibling = content.iter().position(|&index| {
            content.len() > 1 && index < one.max(other) && self.tells_apart(one, other, index)
        });
        let board = sibling.map(|position| content.remove(position));
        let sort = if content.is_empty() {
            Sort::Presence
        } else {
            Sort::Contents
        };
        let boards = board.map(|index| self.kind.values[index].constants.iter().cloned().collect());
        let places = [one, other].into_iter().chain(board).collect();
        Some(self.turned(self.reading(sort, places, content, boards)))
    }

    /// Whether an argument is a board: the same column and row stand with several values of it.
    fn tells_apart(&self, one: usize, other: usize, index: usize) -> bool {
        let values = &self.kind.values[index];
        !values.open
            && values.constants.len() <= MOST_SIBLINGS
            && (0..self.kind.facts.len()).any(|state| {
                let squares = self.kind.seen(state, &[one, other]).len();
                self.kind.seen(state, &[one, other, index]).len() > squares
            })
    }

    /// Three ordered arguments: two of them are columns and rows, and the third is a board.
    fn family(
        &self,
        one: usize,
        other: usize,
        third: usize,
        content: Vec<usize>,
    ) -> Option<Reading> {
        let values = |place: usize| self.orders[place].as_deref().unwrap_or_default();
        let [a, b, c] = [one, other, third].map(values);
        let (places, board) = match (a == b, b == c, a == c) {
            (true, false, _) | (true, true, _) => ([one, other], third),
            (false, true, _) => ([other, third], one),
            (false, false, true) => ([one, third], other),
            // The shortest, because boards are fewer than columns.
            _ if a.len() <= b.len().min(c.len()) => ([other, third], one),
            _ if b.len() < c.len() => ([one, third], other),
            _ => ([one, other], third),
        };
        let sort = if content.is_empty() {
            return None;
        } else {
            Sort::Contents
        };
        let boards = Some(self.axis(board, &content));
        let places = vec![places[0], places[1], board];
        let mut reading = self.reading(sort, places, content, boards);
        reading = self.turned(reading);
        Some(reading)
    }

    /// Boards in boards: the first two arguments name a board, the other two a square of it.
    fn nested(&self, [a, b, c, d]: [usize; 4], content: Vec<usize>) -> Option<Reading> {
        Some(self.turned(self.reading(Sort::Contents, vec![a, c, b, d], content, None)))
    }

    /// The reading with columns and rows the way they are meant.
    fn turned(&self, mut reading: Reading) -> Reading {
        let half = if reading.places.len() == 4 { 2 } else { 1 };
        let Squares::Crossed { columns, rows, .. } = &mut reading.squares else {
            return reading;
        };
        let place = |index: usize| (self.key.clone(), reading.places[index]);
        let (last_column, last_row) = (&columns[half - 1], &rows[half - 1]);
        let turn = self.hints.turn(
            &place(half - 1),
            &place(2 * half - 1),
            [last_column, last_row],
        );
        if turn != Turn::Upright {
            std::mem::swap(columns, rows);
            let (first, second) = reading.places.split_at_mut(half);
            first.swap_with_slice(&mut second[..half]);
        }
        if turn == Turn::Table {
            rows.iter_mut().for_each(|row| row.reverse());
        }
        reading
    }
}

/// Squares with names such as `a1` and `c3`.
fn read_names(key: &Key, kind: &Kind, vocabulary: &Vocabulary) -> Option<Reading> {
    let mut named = (0..key.1).filter(|&index| are_squares(&kind.values[index].constants));
    let (place, None) = (named.next()?, named.next()) else {
        return None;
    };
    if kind.values[place].open || are_things(&kind.values[place].constants, vocabulary) {
        return None;
    }
    let content: Vec<usize> = (0..key.1).filter(|&index| index != place).collect();
    Some(Reading {
        sort: Sort::Names,
        squares: named_squares(&kind.values[place].constants),
        places: vec![place],
        content: if content.is_empty() {
            Content::Fixed(key.0.clone())
        } else {
            Content::Arguments(content)
        },
    })
}

/// A letter and a number.
fn letter_and_number(name: &str) -> Option<(char, i64)> {
    let (letters, number) = split_number(name)?;
    let mut letters = letters.chars();
    match (letters.next(), letters.next()) {
        (Some(letter), None) if letter.is_ascii_alphabetic() => Some((letter, number)),
        _ => None,
    }
}

fn are_squares(names: &BTreeSet<String>) -> bool {
    let parts: Option<Vec<(char, i64)>> =
        names.iter().map(|name| letter_and_number(name)).collect();
    let parts = parts.unwrap_or_default();
    let letters: BTreeSet<char> = parts.iter().map(|part| part.0).collect();
    let numbers: BTreeSet<i64> = parts.iter().map(|part| part.1).collect();
    letters.len() > 1 && numbers.len() > 1 && parts.len() > 3
}

/// Whether names are of things rather than of squares: a fluent says something of two of them, as that one is on the other.
fn are_things(names: &BTreeSet<String>, vocabulary: &Vocabulary) -> bool {
    vocabulary.fluents.values().any(|kind| {
        let alike = kind.values.iter().filter(|values| {
            let common = values.constants.intersection(names).count();
            2 * common > names.len()
        });
        alike.count() > 1
    })
}

/// The letters are columns if nearly all squares of the rectangle exist; otherwise they are rows, from the top, as in a star.
fn named_squares(names: &BTreeSet<String>) -> Squares {
    let parts: Vec<(&String, char, i64)> = names
        .iter()
        .filter_map(|name| letter_and_number(name).map(|(letter, number)| (name, letter, number)))
        .collect();
    let letters: BTreeSet<char> = parts.iter().map(|part| part.1).collect();
    let numbers: BTreeSet<i64> = parts.iter().map(|part| part.2).collect();
    let mut letters: Vec<char> = letters.into_iter().collect();
    let numbers: Vec<i64> = numbers.into_iter().collect();
    let upright = 4 * names.len() >= 3 * letters.len() * numbers.len();
    if !upright {
        letters.reverse();
    }
    let square = |(name, letter, number): (&String, char, i64)| {
        let letter = letters.iter().position(|&other| other == letter)?;
        let number = numbers.iter().position(|&other| other == number)?;
        let (column, row) = if upright {
            (letter, number)
        } else {
            (number, letter)
        };
        Some((name.clone(), column, row))
    };
    let names = parts.into_iter().filter_map(square).collect();
    let letters = letters.iter().map(char::to_string).collect();
    let numbers = numbers.iter().map(i64::to_string).collect();
    let (columns, rows) = if upright {
        (letters, numbers)
    } else {
        (numbers, letters)
    };
    Squares::Named {
        columns,
        rows,
        names,
    }
}
