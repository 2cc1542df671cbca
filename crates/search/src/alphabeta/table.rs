//! The transposition table: what was found about states, by their hash.

use paidia_game::MoveId;

/// What a value says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

/// What was found about a state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    key: u64,
    pub(super) value: i32,
    pub(super) best: MoveId,
    pub(super) depth: i16,
    pub(super) bound: Bound,
    /// The search in which it was found.
    age: u8,
}

const EMPTY: Entry = Entry {
    key: 0,
    value: 0,
    best: MoveId::CHANCE,
    depth: i16::MIN,
    bound: Bound::AtLeast,
    age: 0,
};

/// Entries by the lower bits of their keys, two for each.
#[derive(Debug)]
pub(super) struct Table {
    /// None before the first search.
    entries: Vec<Entry>,
    mask: usize,
    age: u8,
    filled: usize,
}

impl Table {
    /// A table of at most this number of bytes.
    pub(super) fn new(memory: usize) -> Self {
        let most = (memory / size_of::<Entry>()).max(2);
        // The largest power of two that is not above it.
        let size = 1 << most.ilog2();
        Self {
            entries: Vec::new(),
            mask: size - 1,
            age: 0,
            filled: 0,
        }
    }

    /// Another search begins: what was found before makes room.
    pub(super) fn grow_older(&mut self) {
        if self.entries.is_empty() {
            self.entries = vec![EMPTY; self.mask + 1];
        }
        self.age = self.age.wrapping_add(1);
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.entries.fill(EMPTY);
        self.filled = 0;
    }

    /// Entries that are taken.
    pub(super) fn len(&self) -> usize {
        self.filled
    }

    fn places(&self, key: u64) -> [usize; 2] {
        let place = key as usize & self.mask;
        [place, place ^ 1]
    }

    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<Entry> {
        let found = self.places(key).map(|place| self.entries[place]);
        let is_it = |entry: &Entry| entry.key == key && entry.depth > i16::MIN;
        found.into_iter().find(is_it)
    }

    /// Notes what was found; of two other states in its places, the one of an older search or of
    /// less depth is forgotten.
    pub(super) fn set(&mut self, key: u64, value: i32, best: MoveId, depth: i16, bound: Bound) {
        let places = self.places(key);
        let same = places
            .into_iter()
            .find(|&place| self.entries[place].key == key);
        let worth = |place: &usize| {
            let entry = self.entries[*place];
            (entry.age == self.age, entry.depth)
        };
        let place = same.or_else(|| places.into_iter().min_by_key(worth));
        let Some(place) = place else { return };
        let entry = &mut self.entries[place];
        self.filled += usize::from(entry.depth == i16::MIN);
        let best = match best == MoveId::CHANCE && entry.key == key {
            true => entry.best,
            false => best,
        };
        *entry = Entry {
            key,
            value,
            best,
            depth,
            bound,
            age: self.age,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::{Bound, Table};
    use paidia_game::MoveId;

    #[test]
    fn what_is_deeper_stays() {
        let mut table = Table::new(64);
        table.grow_older();
        let note = |table: &mut Table, key, depth| {
            table.set(key, 7, MoveId(1), depth, Bound::Exact);
        };
        note(&mut table, 8, 5);
        note(&mut table, 16, 3);
        note(&mut table, 24, 4);
        assert!(table.get(8).is_some() && table.get(24).is_some());
        assert!(table.get(16).is_none() && table.get(0).is_none());
        table.grow_older();
        note(&mut table, 32, 1);
        assert_eq!(table.get(32).map(|entry| entry.value), Some(7));
    }
}
