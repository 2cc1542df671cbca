//! From the text of a move to the squares it is about.
//!
//! Arguments of moves are columns, rows or boards by what the rules link them with; see
//! [`crate::links`]. Where the rules link nothing, neighbouring arguments that can be a column and
//! a row are taken for such.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::grid::{Axis, Grid};
use crate::links::{Links, Place};
use crate::plan::Plan;
use crate::term::take_apart;
use crate::vocabulary::{Key, Occurrences, Values, Vocabulary};

/// What the arguments of moves are: for each, a grid and a part of the names of its squares.
#[derive(Clone, Debug, Default)]
pub(crate) struct Moves {
    meaning: FxHashMap<Key, Vec<Option<(usize, usize)>>>,
}

/// A part of a square that a move names: the part and what it adds to the number of the square.
type Named = (usize, u32);

impl Moves {
    /// Finds out what the arguments of moves are.
    pub(crate) fn new(
        vocabulary: &Vocabulary,
        links: &Links,
        plans: &[Plan],
        grids: &[Grid],
    ) -> Self {
        let parts = parts(plans);
        let mut this = Self::default();
        for (key, kind) in &vocabulary.moves {
            let mut meaning: Vec<Option<(usize, usize)>> = (0..key.1)
                .map(|index| {
                    let own = linked(links, &parts, &(key.clone(), index));
                    own.map(|own| larger(links, &parts, &(key.clone(), index), own, kind, grids))
                })
                .collect();
            if meaning.iter().all(Option::is_none) {
                meaning = (0..key.1)
                    .map(|index| perhaps(links, &parts, &(key.clone(), index)))
                    .collect();
            }
            if meaning.iter().all(Option::is_none) {
                meaning = by_values(kind, grids);
            }
            if meaning.iter().any(Option::is_some) {
                this.meaning.insert(key.clone(), meaning);
            }
        }
        this
    }

    /// The squares of a move, in the order in which it names them; each is a set of which any is
    /// meant.
    pub(crate) fn squares(&self, grids: &[Grid], text: &str) -> Vec<Vec<u32>> {
        let (name, arguments) = take_apart(text);
        let Some(meaning) = self.meaning.get(&(name.to_owned(), arguments.len())) else {
            return Vec::new();
        };
        let mut named: BTreeMap<usize, Vec<Named>> = BTreeMap::new();
        for (meaning, argument) in meaning.iter().zip(arguments) {
            let Some((grid, part)) = *meaning else {
                continue;
            };
            // What names a square that is not there names none.
            let Some(&offset) = grids[grid].parts[part].offsets.get(argument) else {
                return Vec::new();
            };
            named.entry(grid).or_default().push((part, offset));
        }
        let squares = named.iter().map(|(&grid, named)| {
            let squares = assemble(&grids[grid], named);
            squares
                .into_iter()
                .map(move |square| grids[grid].cells(&square))
        });
        squares.flatten().collect()
    }
}

/// Which argument of which fluent is which part of a grid.
fn parts(plans: &[Plan]) -> BTreeMap<Place, (usize, usize)> {
    let mut parts = BTreeMap::new();
    for (grid, plan) in plans.iter().enumerate() {
        for layer in &plan.layers {
            for (part, &index) in layer.places.iter().enumerate() {
                let key = (layer.fluent.clone(), layer.arity);
                parts.entry((key, index)).or_insert((grid, part));
            }
        }
    }
    parts
}

fn linked(
    links: &Links,
    parts: &BTreeMap<Place, (usize, usize)>,
    argument: &Place,
) -> Option<(usize, usize)> {
    let votes = links.of(argument);
    // Fluents that are on no board, such as counters, may have most votes without contradicting the
    // others.
    let shown = |place: &Place| parts.keys().any(|(key, _)| *key == place.0);
    let best = votes.into_iter().find(|(place, _)| shown(place))?;
    parts.get(best.0).copied()
}

/// Of several boards that an argument is linked with, the one that has all squares which it can
/// name.
fn larger(
    links: &Links,
    parts: &BTreeMap<Place, (usize, usize)>,
    argument: &Place,
    own: (usize, usize),
    kind: &Occurrences,
    grids: &[Grid],
) -> (usize, usize) {
    let part = |(grid, part): (usize, usize)| &grids[grid].parts[part];
    let names = |place: (usize, usize)| {
        let mut values = kind.values[argument.1].constants.iter();
        values.all(|value| part(place).offsets.contains_key(value))
    };
    let is_other = |place: &(usize, usize)| {
        place.0 != own.0 && part(*place).axis == part(own).axis && names(*place)
    };
    if names(own) {
        return own;
    }
    let votes = links.of(argument).into_iter();
    let mut others = votes.filter_map(|(place, _)| parts.get(place).copied());
    others.find(is_other).unwrap_or(own)
}

/// What an argument may be where no other of its move is anything: any place that rules link it
/// with.
fn perhaps(
    links: &Links,
    parts: &BTreeMap<Place, (usize, usize)>,
    argument: &Place,
) -> Option<(usize, usize)> {
    let votes = links.of(argument).into_iter();
    let mut linked = votes.filter_map(|(place, _)| parts.get(place));
    linked.next().copied()
}

/// Whether the values of an argument are all columns, or all rows, of a grid whose other side has
/// other names.
fn side(values: &Values, grid: &Grid) -> Option<usize> {
    let is_side = |part: &usize| {
        let offsets = &grid.parts[*part].offsets;
        let known = values
            .constants
            .iter()
            .filter(|value| offsets.contains_key(*value));
        let known = known.count();
        // A line of squares is known by most of its names.
        let enough = match grid.parts.len() {
            1 => 2 * offsets.len() / 3,
            _ => offsets.len(),
        };
        known > 1 && known >= enough && 3 * known >= 2 * values.constants.len()
    };
    let is_axis = |part: &usize| matches!(grid.parts[*part].axis, Axis::Column | Axis::Row);
    let mut sides = (0..grid.parts.len()).filter(|part| is_axis(part) && is_side(part));
    match (sides.next(), sides.next()) {
        (Some(side), None) if !values.open => Some(side),
        _ => None,
    }
}

/// Neighbours whose values are columns and rows of a grid, or the one argument of a move whose
/// values are columns.
fn by_values(kind: &Occurrences, grids: &[Grid]) -> Vec<Option<(usize, usize)>> {
    let mut meaning = vec![None; kind.values.len()];
    for (grid, parts) in grids.iter().map(|grid| &grid.parts).enumerate() {
        let axes: Vec<Axis> = parts.iter().map(|part| part.axis).collect();
        let within = |values: &Values, part: usize| {
            !values.open
                && values.constants.len() > 1
                && values
                    .constants
                    .iter()
                    .all(|value| parts[part].offsets.contains_key(value))
        };
        let mut index = 0;
        while index < kind.values.len() {
            let rest = &kind.values[index..];
            if axes == [Axis::Square] && within(&rest[0], 0) {
                meaning[index] = Some((grid, 0));
            } else if axes.starts_with(&[Axis::Column, Axis::Row])
                && rest.len() > 1
                && within(&rest[0], 0)
                && within(&rest[1], 1)
            {
                meaning[index] = Some((grid, 0));
                meaning[index + 1] = Some((grid, 1));
                index += 1;
            }
            index += 1;
        }
    }
    if let ([None], [values]) = (&meaning[..], &kind.values[..]) {
        let mut sides = grids.iter().enumerate();
        meaning[0] = sides.find_map(|(grid, own)| Some((grid, side(values, own)?)));
    }
    meaning
}

/// Squares from the parts that a move names: the first of each part make the first square, and so
/// on.
fn assemble(grid: &Grid, named: &[Named]) -> Vec<Vec<Option<u32>>> {
    let of_part = |part: usize| -> Vec<u32> {
        let of_part = named.iter().filter(|(other, _)| *other == part);
        of_part.map(|&(_, offset)| offset).collect()
    };
    let by_part: Vec<Vec<u32>> = (0..grid.parts.len()).map(of_part).collect();
    let count = by_part.iter().map(Vec::len).max().unwrap_or(0);
    let regular = by_part
        .iter()
        .all(|offsets| matches!(offsets.len(), 0 | 1) || offsets.len() == count);
    if !regular {
        return one_by_one(grid, named);
    }
    (0..count)
        .map(|square| {
            // What is named once, such as the board, holds for all squares.
            let offset = |offsets: &Vec<u32>| offsets.get(square).or(offsets.last()).copied();
            by_part.iter().map(offset).collect()
        })
        .collect()
}

/// Squares from parts in the order of the move: a part that is named again begins a new square,
/// which has what it does not name from the square before.
fn one_by_one(grid: &Grid, named: &[Named]) -> Vec<Vec<Option<u32>>> {
    let mut squares = Vec::new();
    let mut square = vec![None; grid.parts.len()];
    let mut fresh = vec![false; grid.parts.len()];
    for &(part, offset) in named {
        if fresh[part] {
            squares.push(square.clone());
            fresh.fill(false);
        }
        square[part] = Some(offset);
        fresh[part] = true;
    }
    squares.push(square);
    squares
}
