//! Boards as the metadata of a bundled game declares them.

use std::collections::BTreeSet;

use paidia_library::{Board, Metadata};

use crate::order::in_order;
use crate::plan::{Content, Layer, Plan, Squares, Style};
use crate::vocabulary::{Occurrences, Vocabulary};

/// Plans of the boards of the metadata; what cannot be drawn is left out.
pub(crate) fn plans(metadata: &Metadata, vocabulary: &Vocabulary) -> Vec<Plan> {
    let mut plans = Vec::new();
    let mut rest = metadata.boards.as_slice();
    while let Some(board) = rest.first() {
        // Boards that differ in one argument only are a family, so that moves can tell which is
        // meant.
        let family = rest.iter().take_while(|other| is_sibling(board, other));
        let (family, others) = rest.split_at(family.count().max(1));
        rest = others;
        plans.extend(plan(family, vocabulary).filter(|plan| plan.squares.fits()));
    }
    plans
}

fn is_sibling(one: &Board, other: &Board) -> bool {
    let alike = Board {
        when: one.when.clone(),
        ..other.clone()
    };
    *one == alike
        && one.when.len() == 1
        && other.when.len() == 1
        && one.when.keys().eq(other.when.keys())
}

fn plan(family: &[Board], vocabulary: &Vocabulary) -> Option<Plan> {
    let board = family.first()?;
    let places = [board.column, board.row, board.content];
    let [column, row, content] = places.map(|place| place.saturating_sub(1));
    let needed = [column, row, content].into_iter().max()?;
    let mut kinds = vocabulary.fluents.iter();
    let (key, kind) = kinds.find(|(key, _)| key.0 == board.fluent && key.1 > needed)?;
    let mut places = vec![column, row];
    let mut when = Vec::new();
    let mut boards = None;
    for (argument, value) in &board.when {
        let place = argument.parse::<usize>().ok()?.checked_sub(1)?;
        if family.len() > 1 {
            places.push(place);
            let values = family.iter().flat_map(|board| board.when.values());
            boards = Some(values.cloned().collect());
        } else {
            when.push((place, value.clone()));
        }
    }
    let axis = |place, given: &[String]| match given.is_empty() {
        true => axis(kind, place, &when, vocabulary),
        false => given.to_vec(),
    };
    let mut rows = axis(row, &board.rows);
    if board.top_down {
        rows.reverse();
    }
    Some(Plan {
        name: board.fluent.clone(),
        squares: Squares::Crossed {
            columns: vec![axis(column, &board.columns)],
            rows: vec![rows],
            boards,
        },
        style: Style {
            shape: board.shape,
            labels: board.labels,
            checkered: board.checkered,
        },
        dress: board.dress.clone(),
        layers: vec![Layer {
            fluent: key.0.clone(),
            arity: key.1,
            places,
            content: Content::Arguments(vec![content]),
            when,
        }],
    })
}

/// The columns or rows: those of the first state, if there are any, because the rules may allow for
/// more than there are.
fn axis(
    kind: &Occurrences,
    place: usize,
    when: &[(usize, String)],
    vocabulary: &Vocabulary,
) -> Vec<String> {
    let belongs = |fact: &&Vec<String>| {
        when.iter()
            .all(|(argument, value)| fact.get(*argument) == Some(value))
    };
    let facts = kind.first_facts().iter().filter(belongs);
    let mut values: BTreeSet<String> = facts.map(|fact| fact[place].clone()).collect();
    if values.len() < 2 {
        values.clone_from(&kind.values[place].constants);
    }
    in_order(&values, &vocabulary.successions).unwrap_or_else(|| values.into_iter().collect())
}
