//! Squares with names such as `a1` and `c3`.

use std::collections::BTreeSet;

use super::reading::{Reading, Sort};
use crate::order::split_number;
use crate::plan::{Content, Squares};
use crate::vocabulary::{Key, Occurrences, Vocabulary};

/// Reads facts with such a name, if they are about squares.
pub(super) fn read_names(
    key: &Key,
    kind: &Occurrences,
    vocabulary: &Vocabulary,
) -> Option<Reading> {
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
    let span = |first: char, last: char| last as usize - first as usize + 1;
    let following = letters.first().zip(letters.last());
    following.is_some_and(|(&first, &last)| span(first, last) == letters.len())
        && letters.len() > 1
        && numbers.len() > 1
        && parts.len() > 3
}

/// Whether names are of things rather than of squares: a fluent says something of two of them, as
/// that one is on the other.
fn are_things(names: &BTreeSet<String>, vocabulary: &Vocabulary) -> bool {
    vocabulary.fluents.values().any(|kind| {
        let alike = kind.values.iter().filter(|values| {
            let common = values.constants.intersection(names).count();
            2 * common > names.len()
        });
        alike.count() > 1
    })
}

/// The letters are columns if nearly all squares of the rectangle exist; otherwise they are rows,
/// from the top, as in a star.
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
