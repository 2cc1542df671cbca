//! The facts of one relation, with indexes.
//!
//! Rows are kept in a flat array in the order of insertion, so that "what is new since then" is a
//! range. Each index is a hash table from the values of some columns to a chain of rows. Emptying a
//! table takes constant time an index: slots carry the generation in which they were written.

/// No row.
pub const NONE: u32 = u32::MAX;

/// A set of rows of equal length.
#[derive(Clone, Debug)]
pub struct Table {
    arity: usize,
    rows: Vec<u32>,
    len: u32,
    members: Index,
    indexes: Vec<Index>,
}

/// A hash table from the values of some columns to the rows with those values. It does not keep the
/// rows: the caller has them, one after the other.
#[derive(Clone, Debug)]
pub struct Index {
    columns: Box<[usize]>,
    slots: Vec<Slot>,
    used: usize,
    generation: u32,
    /// For each row, the row before it with the same key.
    chain: Vec<u32>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    generation: u32,
    head: u32,
}

impl Table {
    /// An empty table for rows of that length.
    pub fn new(arity: usize) -> Self {
        Self {
            arity,
            rows: Vec::new(),
            len: 0,
            members: Index::new((0..arity).collect()),
            indexes: Vec::new(),
        }
    }

    /// How many columns a row has.
    pub fn arity(&self) -> usize {
        self.arity
    }

    /// How many rows there are.
    pub fn len(&self) -> u32 {
        self.len
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The row with that number.
    #[inline]
    pub fn row(&self, row: u32) -> &[u32] {
        let start = row as usize * self.arity;
        &self.rows[start..start + self.arity]
    }

    /// One value of a row.
    #[inline]
    pub fn value(&self, row: u32, column: usize) -> u32 {
        self.rows[row as usize * self.arity + column]
    }

    /// All rows in the order of insertion.
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.len).map(|row| self.row(row))
    }

    /// All rows one after the other.
    pub fn flat(&self) -> &[u32] {
        &self.rows
    }

    /// Whether the row is there.
    #[inline]
    pub fn contains(&self, row: &[u32]) -> bool {
        self.find(row) != NONE
    }

    /// The number of the row, or [`NONE`].
    #[inline]
    pub fn find(&self, row: &[u32]) -> u32 {
        self.members.first(&self.rows, self.arity, row)
    }

    /// Adds a row; whether it was new.
    pub fn insert(&mut self, row: &[u32]) -> bool {
        debug_assert_eq!(row.len(), self.arity, "row of the wrong length");
        let number = self.len;
        if !self
            .members
            .insert(&self.rows, self.arity, row, number, true)
        {
            return false;
        }
        self.rows.extend_from_slice(row);
        self.len += 1;
        for index in &mut self.indexes {
            index.insert(&self.rows, self.arity, row, number, false);
        }
        true
    }

    /// Removes all rows and keeps the memory.
    pub fn clear(&mut self) {
        if self.len > 0 {
            self.rows.clear();
            self.len = 0;
            self.members.clear();
            self.indexes.iter_mut().for_each(Index::clear);
        }
    }

    /// The number of the index over these columns, made if need be.
    pub fn index_on(&mut self, columns: &[usize]) -> usize {
        if let Some(found) = self
            .indexes
            .iter()
            .position(|index| *index.columns == *columns)
        {
            return found;
        }
        let mut index = Index::new(columns.into());
        for number in 0..self.len {
            let row: Vec<u32> = self.row(number).to_vec();
            index.insert(&self.rows, self.arity, &row, number, false);
        }
        self.indexes.push(index);
        self.indexes.len() - 1
    }

    /// The newest row whose indexed columns have these values, or [`NONE`].
    #[inline]
    pub fn first(&self, index: usize, key: &[u32]) -> u32 {
        self.indexes[index].first(&self.rows, self.arity, key)
    }

    /// The next older row with the same key, or [`NONE`].
    #[inline]
    pub fn next(&self, index: usize, row: u32) -> u32 {
        self.indexes[index].next(row)
    }

    /// How many different keys an index has: a measure of how much it narrows a search.
    pub fn keys(&self, index: usize) -> usize {
        self.indexes[index].used
    }
}

#[inline]
fn hash(values: impl Iterator<Item = u32>) -> u64 {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut state = 0u64;
    for value in values {
        state = (state.rotate_left(23) ^ u64::from(value).wrapping_add(1)).wrapping_mul(FACTOR);
    }
    state
}

impl Index {
    /// An empty index over these columns.
    pub fn new(columns: Box<[usize]>) -> Self {
        Self {
            columns,
            slots: vec![Slot::default(); 8],
            used: 0,
            generation: 1,
            chain: Vec::new(),
        }
    }

    /// Where the search for a key starts: the upper bits, which the multiplication mixes best.
    #[inline]
    fn place(&self, hash: u64) -> usize {
        (hash >> (64 - self.slots.len().trailing_zeros())) as usize
    }

    #[inline]
    fn matches(&self, rows: &[u32], arity: usize, row: u32, key: &[u32]) -> bool {
        let start = row as usize * arity;
        self.columns
            .iter()
            .zip(key)
            .all(|(&column, &value)| rows[start + column] == value)
    }

    /// The newest row whose indexed columns have these values, or [`NONE`].
    #[inline]
    pub fn first(&self, rows: &[u32], arity: usize, key: &[u32]) -> u32 {
        let mask = self.slots.len() - 1;
        let mut place = self.place(hash(key.iter().copied()));
        loop {
            let slot = self.slots[place];
            if slot.generation != self.generation {
                return NONE;
            }
            if self.matches(rows, arity, slot.head, key) {
                return slot.head;
            }
            place = (place + 1) & mask;
        }
    }

    /// The next older row with the same key, or [`NONE`].
    #[inline]
    pub fn next(&self, row: u32) -> u32 {
        self.chain[row as usize]
    }

    /// Adds row `number`, whose values are `row`; false if `unique` and its key is there already.
    pub fn insert(
        &mut self,
        rows: &[u32],
        arity: usize,
        row: &[u32],
        number: u32,
        unique: bool,
    ) -> bool {
        let mask = self.slots.len() - 1;
        let mut place = self.place(hash(self.columns.iter().map(|&column| row[column])));
        let mut before = NONE;
        loop {
            let slot = self.slots[place];
            if slot.generation != self.generation {
                self.used += 1;
                break;
            }
            let start = slot.head as usize * arity;
            if self
                .columns
                .iter()
                .all(|&column| rows[start + column] == row[column])
            {
                if unique {
                    return false;
                }
                before = slot.head;
                break;
            }
            place = (place + 1) & mask;
        }
        self.slots[place] = Slot {
            generation: self.generation,
            head: number,
        };
        if !unique {
            self.chain.push(before);
        }
        if self.used * 2 > self.slots.len() {
            self.grow(rows, arity, row, number);
        }
        true
    }

    /// Doubles the slots. Row `number` may not be in `rows` yet, so its values are given.
    #[cold]
    fn grow(&mut self, rows: &[u32], arity: usize, row: &[u32], number: u32) {
        let size = self.slots.len() * 2;
        let old = std::mem::replace(&mut self.slots, vec![Slot::default(); size]);
        for slot in old
            .into_iter()
            .filter(|slot| slot.generation == self.generation)
        {
            let start = slot.head as usize * arity;
            let values = if slot.head == number {
                row
            } else {
                &rows[start..start + arity]
            };
            let mut place = self.place(hash(self.columns.iter().map(|&column| values[column])));
            while self.slots[place].generation == self.generation {
                place = (place + 1) & (size - 1);
            }
            self.slots[place] = slot;
        }
    }

    /// Removes all rows and keeps the memory.
    pub fn clear(&mut self) {
        self.used = 0;
        self.chain.clear();
        if self.generation == u32::MAX {
            self.slots.fill(Slot::default());
            self.generation = 0;
        }
        self.generation += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::{NONE, Table};

    fn lookup(table: &Table, index: usize, key: &[u32]) -> Vec<Vec<u32>> {
        let mut found = Vec::new();
        let mut row = table.first(index, key);
        while row != NONE {
            found.push(table.row(row).to_vec());
            row = table.next(index, row);
        }
        found.sort();
        found
    }

    #[test]
    fn rows_are_a_set_and_indexes_find_them() {
        let mut table = Table::new(2);
        let early = table.index_on(&[0]);
        for first in 0..50 {
            for second in 0..20 {
                assert!(table.insert(&[first, second]));
                assert!(!table.insert(&[first, second]));
            }
        }
        let late = table.index_on(&[1]);
        assert_eq!(table.len(), 1000);
        assert_eq!(lookup(&table, early, &[7]).len(), 20);
        assert_eq!(lookup(&table, late, &[7]).len(), 50);
        assert_eq!(lookup(&table, late, &[20]), Vec::<Vec<u32>>::new());
        assert!(table.contains(&[49, 19]) && !table.contains(&[50, 0]));
    }

    #[test]
    fn a_cleared_table_forgets() {
        let mut table = Table::new(1);
        let index = table.index_on(&[0]);
        for round in 0..100 {
            assert!(table.insert(&[round]));
            assert_eq!(lookup(&table, index, &[round]), [[round]]);
            table.clear();
            assert!(!table.contains(&[round]));
            assert_eq!(table.first(index, &[round]), NONE);
        }
    }

    #[test]
    fn a_proposition_holds_once() {
        let mut table = Table::new(0);
        assert!(!table.contains(&[]));
        assert!(table.insert(&[]));
        assert!(!table.insert(&[]));
        assert_eq!(table.len(), 1);
        table.clear();
        assert!(table.insert(&[]));
    }
}
