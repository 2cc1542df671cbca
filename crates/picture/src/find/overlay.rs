//! Facts that name the squares of a board that another kind of facts has already made.

use std::collections::BTreeSet;

use super::reading::Sort;
use super::{Candidate, sides};
use crate::plan::{Content, Plan, Squares};
use crate::vocabulary::Vocabulary;

/// What becomes of a kind of facts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// They are drawn on the board of this plan.
    On(usize),
    /// They are drawn on that board, which must be larger for them.
    Around(usize),
    /// They may have a board of their own.
    Apart,
    /// They are not drawn.
    Beside,
}

/// What becomes of a kind of facts, when there are these boards already.
pub(super) fn fate(candidate: &Candidate<'_>, plans: &[Plan], vocabulary: &Vocabulary) -> Fate {
    let mut fate = Fate::Apart;
    for (index, plan) in plans.iter().enumerate() {
        if encloses(candidate, plan, vocabulary) {
            return Fate::Around(index);
        }
        if !same_squares(candidate, &plan.squares) {
            continue;
        }
        match company(candidate, plan, vocabulary) {
            Company::Welcome => return Fate::On(index),
            Company::Twin => {}
            Company::Remark => fate = Fate::Beside,
        }
    }
    fate
}

fn same_squares(candidate: &Candidate<'_>, squares: &Squares) -> bool {
    match (&candidate.reading.squares, squares) {
        (Squares::Named { names, .. }, Squares::Named { names: others, .. }) => {
            let others: BTreeSet<&str> = others.iter().map(|(name, ..)| &**name).collect();
            let known = names.iter().filter(|(name, ..)| others.contains(&**name));
            2 * known.count() > names.len()
        }
        (
            own @ Squares::Crossed {
                boards: Some(_), ..
            },
            other,
        ) => own == other,
        _ => {
            let (Some((columns, rows)), Some((other_columns, other_rows))) =
                (candidate.sides(), sides(squares))
            else {
                return candidate.reading.squares == *squares;
            };
            match candidate.reading.sort {
                Sort::Strip => rows.len() == other_rows.len() && alike(columns, other_columns),
                Sort::Presence => among(columns, other_columns) && among(rows, other_rows),
                _ if candidate.covered(0) == columns.len() * rows.len() => {
                    columns == other_columns && rows == other_rows
                }
                _ => alike(columns, other_columns) && alike(rows, other_rows),
            }
        }
    }
}

/// Whether facts name more squares than a board has, and all that it has, and the board was only
/// guessed at from what was seen.
fn encloses(candidate: &Candidate<'_>, plan: &Plan, vocabulary: &Vocabulary) -> bool {
    let (Some((columns, rows)), Some((inner_columns, inner_rows))) =
        (candidate.sides(), sides(&plan.squares))
    else {
        return false;
    };
    let inside =
        |inner: &[String], outer: &[String]| inner.iter().all(|value| outer.contains(value));
    let larger = columns.len() * rows.len() > inner_columns.len() * inner_rows.len();
    let area = inner_columns.len() * inner_rows.len();
    larger
        && candidate.reading.sort == Sort::Contents
        && inside(inner_columns, columns)
        && inside(inner_rows, rows)
        && 2 * candidate.covered(0) < columns.len() * rows.len()
        && 2 * plan_squares(plan, vocabulary).len() < area
}

/// Whether most of these values are among the others.
fn among(values: &[String], others: &[String]) -> bool {
    let common = values.iter().filter(|value| others.contains(value));
    3 * common.count() >= 2 * values.len()
}

/// Whether they are, and at least half of the others.
fn alike(values: &[String], others: &[String]) -> bool {
    among(values, others) && 3 * values.len() >= others.len()
}

/// How facts go with those that are on a board already.
enum Company {
    /// They can be drawn on the same squares.
    Welcome,
    /// They are another board of the same size.
    Twin,
    /// They say something about what is on the board.
    Remark,
}

fn company(candidate: &Candidate<'_>, plan: &Plan, vocabulary: &Vocabulary) -> Company {
    let Content::Arguments(content) = &candidate.reading.content else {
        return Company::Welcome;
    };
    if candidate.reading.sort == Sort::Strip {
        return Company::Welcome;
    }
    let own = contents(candidate, content);
    let others: BTreeSet<&str> = plan
        .layers
        .iter()
        .flat_map(|layer| match &layer.content {
            Content::Fixed(name) => BTreeSet::from([name.as_str()]),
            Content::Arguments(places) => {
                let kind = vocabulary.fluents.get(&(layer.fluent.clone(), layer.arity));
                let values = kind.into_iter().flat_map(|kind| {
                    places
                        .iter()
                        .flat_map(|&place| &kind.values[place].constants)
                });
                values.map(String::as_str).collect()
            }
        })
        .collect();
    let numbers = |values: &BTreeSet<&str>| values.iter().all(|value| value.parse::<i64>().is_ok());
    if numbers(&own) && !numbers(&others) {
        return Company::Remark;
    }
    let (own_first, other_first) = (first_squares(candidate), plan_squares(plan, vocabulary));
    match (own_first.is_empty(), other_first.is_empty()) {
        (true, true) => Company::Twin,
        (true, false) if own.is_disjoint(&others) && content.len() == 1 => Company::Welcome,
        (true, false) => Company::Remark,
        (false, true) => Company::Welcome,
        (false, false) => {
            let (columns, rows, boards) = plan.squares.size();
            let full = 2 * candidate.covered(0) > columns * rows * boards;
            if full && !own_first.is_disjoint(&other_first) {
                Company::Twin
            } else {
                Company::Welcome
            }
        }
    }
}

fn contents<'a>(candidate: &Candidate<'a>, content: &[usize]) -> BTreeSet<&'a str> {
    let kind = candidate.kind;
    let values = content
        .iter()
        .flat_map(|&place| &kind.values[place].constants);
    values.map(String::as_str).collect()
}

/// The squares that facts of the first state are about.
fn first_squares<'a>(candidate: &Candidate<'a>) -> BTreeSet<Vec<&'a str>> {
    candidate.kind.seen(0, &candidate.reading.places)
}

fn plan_squares<'a>(plan: &Plan, vocabulary: &'a Vocabulary) -> BTreeSet<Vec<&'a str>> {
    let layers = plan.layers.iter();
    let squares = layers.filter_map(|layer| {
        let kind = vocabulary
            .fluents
            .get(&(layer.fluent.clone(), layer.arity))?;
        Some(kind.seen(0, &layer.places))
    });
    squares.flatten().collect()
}
