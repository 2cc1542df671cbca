//! Facts of one kind read as facts about squares.

use std::collections::BTreeSet;

use super::crossing::Crossing;
use super::hints::Hints;
use super::named::read_names;
use crate::links::Links;
use crate::order::in_order;
use crate::plan::{Content, Squares};
use crate::vocabulary::{Key, Occurrences, Values, Vocabulary};

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

/// What is known about a game.
#[derive(Clone, Copy)]
pub(super) struct Known<'a> {
    pub(super) vocabulary: &'a Vocabulary,
    pub(super) links: &'a Links,
    pub(super) hints: &'a Hints,
}

/// Reads the facts of a kind, if they can be about squares.
pub(super) fn read(key: &Key, kind: &Occurrences, known: Known<'_>) -> Option<Reading> {
    if let Some(reading) = read_names(key, kind, known.vocabulary) {
        return Some(reading);
    }
    let orders = orders(kind, known.vocabulary);
    let ordered: Vec<usize> = (0..key.1)
        .filter(|&index| orders[index].is_some())
        .collect();
    let unordered: Vec<usize> = (0..key.1)
        .filter(|&index| orders[index].is_none())
        .collect();
    if unordered.is_empty() && are_two_squares(&orders) {
        return None;
    }
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
        known,
        orders: &orders,
    };
    match places[..] {
        [place] => Some(crossing.strip(place, content)),
        [one, other] if content.is_empty() => crossing.presence(one, other),
        [one, other] => Some(crossing.flat(one, other, content)),
        [one, other, third] if !content.is_empty() => {
            Some(crossing.family(one, other, third, content))
        }
        [one, other, third, fourth] if !content.is_empty() => {
            Some(crossing.nested([one, other, third, fourth], content))
        }
        _ => None,
    }
}

/// Whether there are two columns and two rows, as of a line between two points.
fn are_two_squares(orders: &[Option<Vec<String>>]) -> bool {
    matches!(orders, [a, b, c, d] if a == c && b == d)
}

/// The values of each argument in order, where they have one. Players have none, whatever a
/// relation says of them.
fn orders(kind: &Occurrences, vocabulary: &Vocabulary) -> Vec<Option<Vec<String>>> {
    let in_order = |values: &BTreeSet<String>| {
        in_order(values, &vocabulary.successions).filter(|order| order.len() > 1)
    };
    let order = |(index, values): (usize, &Values)| {
        let mut constants = values.constants.iter();
        if values.open || constants.any(|value| vocabulary.roles.contains(value)) {
            return None;
        }
        // Rules that never apply may allow for values that are never seen.
        in_order(&values.constants).or_else(|| in_order(&kind.seen_values(index)))
    };
    kind.values.iter().enumerate().map(order).collect()
}

/// Which of several ordered arguments is what is on the square: one that the others determine, the
/// last if it can be.
fn content_among(kind: &Occurrences, ordered: &[usize]) -> usize {
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
