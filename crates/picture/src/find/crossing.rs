//! Squares with columns and rows.

use std::collections::BTreeSet;

use super::hints::Turn;
use super::reading::{Known, Reading, Sort};
use crate::look::may_be_nothing;
use crate::plan::{Content, Squares};
use crate::vocabulary::{Key, Occurrences};

/// Something that tells boards apart has no more values than this.
const MOST_SIBLINGS: usize = 16;

/// More columns than this are rare: what allows for more is probably a counter that columns are
/// counted with.
const LONG: usize = 16;

/// Facts of a kind, and the orders of their arguments' values.
pub(super) struct Crossing<'a> {
    pub(super) key: &'a Key,
    pub(super) kind: &'a Occurrences,
    pub(super) known: Known<'a>,
    pub(super) orders: &'a [Option<Vec<String>>],
}

impl Crossing<'_> {
    /// One row of squares.
    pub(super) fn strip(&self, place: usize, content: Vec<usize>) -> Reading {
        Reading {
            sort: Sort::Strip,
            squares: Squares::Crossed {
                columns: vec![self.axis(place, &[place], &content)],
                rows: vec![vec![self.key.0.clone()]],
                boards: None,
            },
            places: vec![place],
            content: self.content(content),
        }
    }

    /// Two ordered arguments and no more: a column and a row, unless the second is an amount of the
    /// first.
    pub(super) fn presence(&self, one: usize, other: usize) -> Option<Reading> {
        if self.kind.most_facts() > 2 && self.kind.determined(&[one]) {
            return Some(self.strip(one, vec![other]));
        }
        let things = self.orders[one] == self.orders[other] && self.are_things(one);
        (!things).then(|| self.turned(self.reading(Sort::Presence, vec![one, other], vec![])))
    }

    /// Whether values are things rather than columns: they have names, and a fluent is about one of
    /// them alone, as that nothing is on it.
    fn are_things(&self, place: usize) -> bool {
        let values = &self.kind.values[place].constants;
        let named = values.iter().all(|value| value.parse::<i64>().is_err());
        let alone = |(key, kind): (&Key, &Occurrences)| {
            let common = |other: &BTreeSet<String>| other.intersection(values).count();
            key.1 == 1 && 2 * common(&kind.values[0].constants) > values.len()
        };
        named && self.known.vocabulary.fluents.iter().any(alone)
    }

    /// A column, a row and contents; and a family of boards, if squares of the same name have
    /// several contents.
    pub(super) fn flat(&self, one: usize, other: usize, mut content: Vec<usize>) -> Reading {
        let sibling = content.iter().position(|&index| {
            content.len() > 1 && index < one.max(other) && self.tells_apart(one, other, index)
        });
        let board = sibling.map(|position| content.remove(position));
        let places = [one, other].into_iter().chain(board).collect();
        self.turned(self.reading(Sort::Contents, places, content))
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

    /// Three ordered arguments: two of them are columns and rows, and the third is a board, or part
    /// of the content.
    pub(super) fn family(
        &self,
        one: usize,
        other: usize,
        third: usize,
        mut content: Vec<usize>,
    ) -> Reading {
        let values = |place: usize| self.orders[place].as_deref().unwrap_or_default();
        let [a, b, c] = [one, other, third].map(values);
        let (places, board) = match (a == b, b == c, a == c) {
            (true, _, _) => ([one, other], third),
            (false, true, _) => ([other, third], one),
            (false, false, true) => ([one, third], other),
            // The shortest, because boards are fewer than columns.
            _ if a.len() <= b.len().min(c.len()) => ([other, third], one),
            _ if b.len() < c.len() => ([one, third], other),
            _ => ([one, other], third),
        };
        if self.kind.most_facts() > 2 && self.kind.determined(&places) {
            content.push(board);
            content.sort_unstable();
            return self.turned(self.reading(Sort::Contents, places.to_vec(), content));
        }
        let places = vec![places[0], places[1], board];
        self.turned(self.reading(Sort::Contents, places, content))
    }

    /// Boards in boards: the first two arguments name a board, the other two a square of it.
    pub(super) fn nested(&self, [a, b, c, d]: [usize; 4], content: Vec<usize>) -> Reading {
        self.turned(self.reading(Sort::Contents, vec![a, c, b, d], content))
    }

    /// The reading in which these places are the parts of a column and of a row, and the odd one
    /// out a board.
    fn reading(&self, sort: Sort, places: Vec<usize>, content: Vec<usize>) -> Reading {
        let half = places.len() / 2;
        let axes = |some: &[usize]| -> Vec<Vec<String>> {
            let axis = |&place: &usize| self.axis(place, &places, &content);
            some.iter().map(axis).collect()
        };
        let squares = Squares::Crossed {
            columns: axes(&places[..half]),
            rows: axes(&places[half..2 * half]),
            boards: axes(&places[2 * half..]).pop(),
        };
        Reading {
            sort,
            squares,
            content: self.content(content),
            places,
        }
    }

    fn content(&self, content: Vec<usize>) -> Content {
        if content.is_empty() {
            Content::Fixed(self.key.0.clone())
        } else {
            Content::Arguments(content)
        }
    }

    /// The columns, rows or boards at an argument: those that the rules allow for, unless there is
    /// reason to believe that there are fewer.
    fn axis(&self, place: usize, places: &[usize], content: &[usize]) -> Vec<String> {
        let Some(order) = self.orders[place].as_deref() else {
            return self.kind.values[place].constants.iter().cloned().collect();
        };
        let first: BTreeSet<&str> = self
            .kind
            .first_facts()
            .iter()
            .map(|fact| &*fact[place])
            .collect();
        let blank = |fact: &Vec<String>| content.iter().any(|&index| may_be_nothing(&fact[index]));
        // A state that lists empty squares lists all of them.
        if self.kind.first_facts().iter().any(blank) {
            return within(order, |value| first.contains(value));
        }
        let seen = self.kind.seen_values(place);
        let named = self.named(place);
        if !named.is_empty() && named.len() < order.len() {
            return within(order, |value| named.contains(value) || seen.contains(value));
        }
        if named.is_empty() && self.is_filled(places) {
            return within(order, |value| first.contains(value));
        }
        if named.is_empty()
            && let Some(list) = self.listed(&seen, order.len())
        {
            return within(order, |value| list.contains(value));
        }
        // Where moves name everything it takes many facts to believe that they never mean it.
        let believable = named.is_empty() || self.kind.most_facts() > LONG;
        let shorter = within(order, |value| seen.contains(value));
        if believable && order.len() > LONG && 2 * shorter.len() < order.len() {
            return shorter;
        }
        order.to_vec()
    }

    /// The shortest list of the rules with all values that were seen, if it has fewer than there
    /// could be.
    fn listed(&self, seen: &BTreeSet<String>, most: usize) -> Option<&BTreeSet<String>> {
        let lists = self.known.vocabulary.lists.iter();
        let fitting = lists.filter(|list| {
            seen.len() > 1 && list.len() > 2 && list.len() < most && list.is_superset(seen)
        });
        fitting.min_by_key(|list| list.len())
    }

    /// What moves can name at an argument.
    fn named(&self, place: usize) -> BTreeSet<&str> {
        let Known {
            links, vocabulary, ..
        } = self.known;
        let place = (self.key.clone(), place);
        let arguments = links.arguments(&place);
        let values =
            arguments.filter_map(|(key, index)| vocabulary.moves.get(key)?.values.get(*index));
        let constants = values
            .filter(|values| !values.open)
            .flat_map(|values| &values.constants);
        constants.map(String::as_str).collect()
    }

    /// Whether the first state has a fact about every square of a rectangle.
    fn is_filled(&self, places: &[usize]) -> bool {
        let area: usize = places
            .iter()
            .map(|&place| self.kind.seen(0, &[place]).len())
            .product();
        places.len() > 1 && area > 3 && self.kind.seen(0, places).len() == area
    }

    /// The reading with columns and rows the way they are meant.
    fn turned(&self, mut reading: Reading) -> Reading {
        let half = if reading.places.len() == 4 { 2 } else { 1 };
        let Squares::Crossed { columns, rows, .. } = &mut reading.squares else {
            return reading;
        };
        let place = |index: usize| (self.key.clone(), reading.places[index]);
        let turn = self.known.hints.turn(
            &place(half - 1),
            &place(2 * half - 1),
            [&columns[half - 1], &rows[half - 1]],
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

/// The part of an order from the first value that is wanted to the last; all of it if fewer than
/// two are.
fn within(order: &[String], wanted: impl Fn(&str) -> bool) -> Vec<String> {
    let first = order.iter().position(|value| wanted(value));
    let last = order.iter().rposition(|value| wanted(value));
    match (first, last) {
        (Some(first), Some(last)) if last > first => order[first..=last].to_vec(),
        _ => order.to_vec(),
    }
}
