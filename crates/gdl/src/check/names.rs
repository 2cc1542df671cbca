//! Names in messages: how they are quoted, and which other name was probably meant.

use crate::source::Span;
use crate::symbol::{Symbol, Symbols};
use crate::syntax::{Notation, Term, TermKind, term_text};
use std::borrow::Cow;

/// Longer names are cut in messages and are never compared for likeness.
const LONGEST_NAME: usize = 40;

/// The name between backquotes, cut if it is absurdly long.
pub(super) fn quote(name: &str) -> String {
    format!("`{}`", cut(name))
}

/// The name, cut if it is absurdly long.
pub(super) fn cut(name: &str) -> Cow<'_, str> {
    match name.char_indices().nth(LONGEST_NAME) {
        Some((end, _)) => format!("{}…", &name[..end]).into(),
        None => name.into(),
    }
}

/// The notation in which a variable is written at a place: with `?` before its name it is KIF.
pub(super) fn notation_at(symbols: &Symbols, variable: Symbol, span: Span) -> Notation {
    if span.range().len() > symbols.name(variable).len() {
        Notation::Kif
    } else {
        Notation::Infix
    }
}

/// The variable between backquotes, as its author writes it.
pub(super) fn quote_variable(symbols: &Symbols, variable: Symbol, notation: Notation) -> String {
    let term = Term {
        kind: TermKind::Variable(variable),
        span: Span::default(),
    };
    quote(&term_text(&term, symbols, notation))
}

/// The candidate most like `name`, if one is close enough to be a typing mistake.
pub(super) fn closest<'n>(
    name: &str,
    candidates: impl IntoIterator<Item = &'n str>,
) -> Option<&'n str> {
    if name.len() > LONGEST_NAME || name.len() < 3 {
        return None;
    }
    let allowed = name.len().div_ceil(4).min(3);
    candidates
        .into_iter()
        .filter(|candidate| candidate.len().abs_diff(name.len()) <= allowed && *candidate != name)
        .map(|candidate| (slips(name, candidate), candidate))
        .filter(|&(distance, _)| distance <= allowed)
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

/// Letters added, left out, exchanged or swapped with their neighbour. Case does not count.
pub(super) fn slips(left: &str, right: &str) -> usize {
    strsim::osa_distance(&left.to_lowercase(), &right.to_lowercase())
}

/// Where else: the end of a label about something that occurs `count` times, first of all here.
pub(super) fn places(count: usize) -> String {
    match count {
        0 | 1 => String::new(),
        2 => ", here and in another place".to_owned(),
        _ => format!(", here and in {} other places", count - 1),
    }
}

/// A number of arguments, in words.
pub(super) fn arguments(count: usize) -> String {
    match count {
        0 => "no arguments".to_owned(),
        1 => "1 argument".to_owned(),
        _ => format!("{count} arguments"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_name_that_was_meant() {
        let known = ["adjacent", "succ", "line", "row"];
        assert_eq!(closest("adjcent", known), Some("adjacent"));
        assert_eq!(closest("sucsc", known), Some("succ"));
        assert_eq!(closest("column", known), None);
        assert_eq!(closest("ro", known), None);
    }

    #[test]
    fn long_names_are_cut() {
        assert_eq!(quote("cell"), "`cell`");
        assert!(quote(&"ä".repeat(1000)).chars().count() < 50);
    }
}
