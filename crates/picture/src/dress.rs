//! What boards look like beside their squares, where no metadata says it: blocks of squares, and
//! squares that do not exist.

use std::collections::BTreeSet;

use crate::grid::Grid;
use crate::plan::{Content, Plan, Squares};
use crate::vocabulary::Vocabulary;

/// States that must agree on which squares exist.
const ENOUGH_STATES: usize = 4;

/// How many columns and rows make a block: where boards stand in boards, and where a number from 1
/// to the length of a side stands on each square, as in sudoku.
pub(crate) fn blocks(plan: &Plan, vocabulary: &Vocabulary) -> Option<[usize; 2]> {
    let Squares::Crossed {
        columns,
        rows,
        boards: None,
    } = &plan.squares
    else {
        return None;
    };
    if let ([_, fine], [_, upright]) = (&columns[..], &rows[..]) {
        return Some([fine.len(), upright.len()]);
    }
    let (width, height, _) = plan.squares.size();
    let block = width.isqrt();
    let is_square = block > 1 && block * block == width && width == height;
    let expected: BTreeSet<i64> = (1..=width as i64).collect();
    (is_square && numbers(plan, vocabulary) == expected).then_some([block, block])
}

/// The numbers that can stand on squares.
fn numbers(plan: &Plan, vocabulary: &Vocabulary) -> BTreeSet<i64> {
    let mut numbers = BTreeSet::new();
    for layer in &plan.layers {
        let key = (layer.fluent.clone(), layer.arity);
        let (Content::Arguments(places), Some(kind)) =
            (&layer.content, vocabulary.fluents.get(&key))
        else {
            continue;
        };
        let values = places
            .iter()
            .flat_map(|&place| &kind.values[place].constants);
        numbers.extend(values.filter_map(|value| value.parse::<i64>().ok()));
    }
    numbers
}

/// Whether the squares of which the first state says nothing do not exist: what is on the others
/// changes, and the same squares are told of in all states that were seen.
pub(crate) fn is_sparse(plan: &Plan, grid: &Grid, vocabulary: &Vocabulary) -> bool {
    let states = vocabulary.fluents.values().map(|kind| kind.facts.len());
    let states = states.max().unwrap_or(0);
    if states < ENOUGH_STATES {
        return false;
    }
    let told: Vec<BTreeSet<(u32, String)>> = (0..states)
        .map(|state| told(plan, grid, vocabulary, state))
        .collect();
    let cells = |state: &BTreeSet<(u32, String)>| -> BTreeSet<u32> {
        state.iter().map(|(cell, _)| *cell).collect()
    };
    let first = cells(&told[0]);
    let is_same = told.iter().all(|state| cells(state) == first);
    let has_changed = told.iter().any(|state| *state != told[0]);
    let (columns, rows, boards) = plan.squares.size();
    is_same && has_changed && first.len() < columns * rows * boards
}

/// What a state says of squares.
fn told(
    plan: &Plan,
    grid: &Grid,
    vocabulary: &Vocabulary,
    state: usize,
) -> BTreeSet<(u32, String)> {
    let mut told = BTreeSet::new();
    for layer in &plan.layers {
        let key = (layer.fluent.clone(), layer.arity);
        let facts = vocabulary
            .fluents
            .get(&key)
            .and_then(|kind| kind.facts.get(state));
        for fact in facts.into_iter().flatten() {
            let belongs = |(place, value): &(usize, String)| fact.get(*place) == Some(value);
            if !layer.when.iter().all(belongs) {
                continue;
            }
            let places = layer.places.iter().map(|&place| fact[place].as_str());
            if let Some(cell) = grid.cell(places) {
                told.insert((cell, fact.join(" ")));
            }
        }
    }
    told
}
