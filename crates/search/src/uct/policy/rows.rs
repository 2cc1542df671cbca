//! What came of moves after other moves, a row for each that came before.
//!
//! When a move is drawn, the same few moves have come before for all that are legal. So they are
//! looked up once, and what is known of the legal moves lies side by side.

use std::hash::Hash;

use paidia_game::MoveId;
use rustc_hash::FxHashMap;

use super::Mean;

/// The most sequences that are remembered; more are not learned.
const MOST: usize = 1 << 20;

/// Sequences that count for less than this part of a visit are forgotten.
const NOTHING: f64 = 1e-3;

/// By what came before, the moves that were made then, in the order of their numbers, with the
/// means of their returns.
#[derive(Clone, Debug)]
pub(super) struct Rows<Before> {
    rows: FxHashMap<Before, Vec<(MoveId, Mean)>>,
    /// How many moves there are in all rows.
    count: usize,
}

impl<Before> Default for Rows<Before> {
    fn default() -> Self {
        Self {
            rows: FxHashMap::default(),
            count: 0,
        }
    }
}

impl<Before: Eq + Hash> Rows<Before> {
    pub(super) fn learn(&mut self, before: Before, id: MoveId, value: f64) {
        let row = match self.count < MOST {
            true => self.rows.entry(before).or_default(),
            false => match self.rows.get_mut(&before) {
                Some(row) => row,
                None => return,
            },
        };
        match row.binary_search_by_key(&id.0, |(known, _)| known.0) {
            Ok(place) => row[place].1.add(value),
            Err(place) if self.count < MOST => {
                let mut mean = Mean::default();
                mean.add(value);
                row.insert(place, (id, mean));
                self.count += 1;
            }
            Err(_) => (),
        }
    }

    /// Looks up moves after what came before.
    pub(super) fn after(&self, before: &Before) -> Row<'_> {
        Row {
            moves: self.rows.get(before).map_or(&[], Vec::as_slice),
            next: 0,
        }
    }

    /// Lets sequences count less, and forgets those that hardly count.
    pub(super) fn fade(&mut self, factor: f64) {
        let mut count = 0;
        self.rows.retain(|_, row| {
            row.retain_mut(|(_, mean)| {
                mean.fade(factor);
                mean.visits > NOTHING
            });
            count += row.len();
            !row.is_empty()
        });
        self.count = count;
    }

    /// All sequences.
    #[cfg(test)]
    pub(super) fn iter(&self) -> impl Iterator<Item = (&Before, MoveId)> {
        let rows = self.rows.iter();
        rows.flat_map(|(before, row)| row.iter().map(move |&(id, _)| (before, id)))
    }
}

/// The moves of a row, looked up one after the other.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Row<'a> {
    moves: &'a [(MoveId, Mean)],
    next: usize,
}

impl<'a> Row<'a> {
    /// What came of a move; quick if moves are asked for in the order of their numbers, as engines
    /// mostly list them.
    pub(super) fn find(&mut self, id: MoveId) -> Option<&'a Mean> {
        if self.next > 0 && self.moves[self.next - 1].0.0 >= id.0 {
            self.next = self.moves.partition_point(|(known, _)| known.0 < id.0);
        }
        while self.next < self.moves.len() && self.moves[self.next].0.0 < id.0 {
            self.next += 1;
        }
        let (known, mean) = self.moves.get(self.next)?;
        (*known == id).then_some(mean)
    }
}

#[cfg(test)]
mod tests {
    use super::Rows;
    use paidia_game::MoveId;

    #[test]
    fn moves_are_found_in_any_order() {
        let mut rows = Rows::default();
        for id in [7, 3, 5, 3] {
            rows.learn(1, MoveId(id), f64::from(id));
        }
        let mut row = rows.after(&1);
        for (id, visits) in [
            (3, 2),
            (4, 0),
            (7, 1),
            (8, 0),
            (5, 1),
            (5, 1),
            (3, 2),
            (0, 0),
        ] {
            let found = row.find(MoveId(id)).map_or(0.0, |mean| mean.visits);
            assert_eq!(found, f64::from(visits), "{id}");
        }
        assert!(rows.after(&2).find(MoveId(3)).is_none());
    }

    #[test]
    fn what_hardly_counts_is_forgotten() {
        let mut rows = Rows::default();
        (0..3).for_each(|_| rows.learn(1, MoveId(0), 50.0));
        rows.learn(1, MoveId(1), 50.0);
        rows.learn(2, MoveId(0), 50.0);
        rows.fade(0.0005);
        assert_eq!(rows.iter().collect::<Vec<_>>(), [(&1, MoveId(0))]);
        assert_eq!(rows.count, 1);
    }
}
