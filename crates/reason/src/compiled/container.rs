//! Hash tables of rows, for relations that have no bits: too many rows are possible, or there are
//! terms in them.
//!
//! Rows stand one after the other in a vector. For every set of columns by which rows are looked up
//! there is an index: an array of lists with a place for every key, or a hash table of lists.

use paidia_gdl::datalog::table::{Index, NONE};

use super::layout::{Key, Layout};
use super::tables::Tables;

/// The rows of a relation.
#[derive(Clone, Debug)]
pub(super) struct Container {
    rows: Vec<u32>,
    len: u32,
    members: Index,
    indexes: Vec<Lookup>,
}

/// The rows with a key, newest first.
#[derive(Clone, Debug)]
enum Lookup {
    /// For each place the newest row, and for each row the one before it.
    Array {
        newest: Vec<u32>,
        links: Vec<Link>,
    },
    Hash(Index),
}

#[derive(Clone, Copy, Debug)]
struct Link {
    before: u32,
    place: u32,
}

/// The place of a key; none of the array if a value is outside its domain.
#[inline]
fn place(key: &Key, tables: &Tables, values: impl Iterator<Item = u32>) -> usize {
    let weights = key.weights.iter().zip(values);
    let weights = weights.map(|(&weights, value)| tables.weight(weights, value));
    weights.sum::<u32>() as usize
}

impl Container {
    /// An empty container.
    pub(super) fn new(layout: &Layout) -> Self {
        let lookup = |(columns, key): &(Vec<usize>, Option<Key>)| match key {
            Some(key) => Lookup::Array {
                newest: vec![NONE; key.size as usize],
                links: Vec::new(),
            },
            None => Lookup::Hash(Index::new(columns.clone().into())),
        };
        Self {
            rows: Vec::new(),
            len: 0,
            members: Index::new((0..layout.arity).collect()),
            indexes: layout.indexes.iter().map(lookup).collect(),
        }
    }

    /// How many rows there are.
    #[inline]
    pub(super) fn len(&self) -> u32 {
        self.len
    }

    /// All rows one after the other.
    pub(super) fn flat(&self) -> &[u32] {
        &self.rows
    }

    /// Some row.
    #[inline]
    pub(super) fn row(&self, number: u32, arity: usize) -> &[u32] {
        let start = number as usize * arity;
        &self.rows[start..start + arity]
    }

    /// Whether a row is there.
    pub(super) fn finds(&self, arity: usize, row: &[u32]) -> bool {
        self.members.first(&self.rows, arity, row) != NONE
    }

    /// Adds a row; whether it was new.
    pub(super) fn insert(
        &mut self,
        layout: &Layout,
        tables: &Tables,
        values: impl Iterator<Item = u32>,
    ) -> bool {
        let start = self.rows.len();
        self.rows.extend(values);
        let (rows, row) = self.rows.split_at(start);
        let members = &mut self.members;
        let new = members.insert(rows, layout.arity, row, self.len, true);
        match new {
            true => self.link(layout, tables, self.len),
            false => self.rows.truncate(start),
        }
        self.len += u32::from(new);
        new
    }

    /// Adds a row to all indexes.
    fn link(&mut self, layout: &Layout, tables: &Tables, number: u32) {
        let start = number as usize * layout.arity;
        let row = &self.rows[start..start + layout.arity];
        for (lookup, (columns, key)) in self.indexes.iter_mut().zip(&layout.indexes) {
            match (lookup, key) {
                (Lookup::Array { newest, links }, Some(key)) => {
                    let values = columns.iter().map(|&column| row[column]);
                    // Every row is within the domains, or no rule would have derived it.
                    let place = place(key, tables, values).min(newest.len() - 1);
                    let before = std::mem::replace(&mut newest[place], number);
                    let place = place as u32;
                    links.push(Link { before, place });
                }
                (Lookup::Hash(index), _) => {
                    index.insert(&self.rows, layout.arity, row, number, false);
                }
                (Lookup::Array { .. }, None) => {}
            }
        }
    }

    /// The newest row with a key, or [`NONE`].
    pub(super) fn first(&self, layout: &Layout, tables: &Tables, index: usize, key: &[u32]) -> u32 {
        match (&self.indexes[index], &layout.indexes[index].1) {
            (Lookup::Array { newest, .. }, Some(count)) => {
                let place = place(count, tables, key.iter().copied());
                newest.get(place).copied().unwrap_or(NONE)
            }
            (Lookup::Hash(index), _) => index.first(&self.rows, layout.arity, key),
            (Lookup::Array { .. }, None) => NONE,
        }
    }

    /// The next older row with the same key, or [`NONE`].
    #[inline]
    pub(super) fn next(&self, index: usize, row: u32) -> u32 {
        match &self.indexes[index] {
            Lookup::Array { links, .. } => links[row as usize].before,
            Lookup::Hash(index) => index.next(row),
        }
    }

    /// Removes all rows and keeps the memory.
    pub(super) fn clear(&mut self) {
        if self.len > 0 {
            self.clear_indexes();
            self.rows.clear();
            self.len = 0;
            self.members.clear();
        }
    }

    fn clear_indexes(&mut self) {
        for lookup in &mut self.indexes {
            match lookup {
                Lookup::Array { newest, links } => {
                    if newest.len() <= links.len() {
                        newest.fill(NONE);
                    } else {
                        let places = links.iter().map(|link| link.place as usize);
                        places.for_each(|place| newest[place] = NONE);
                    }
                    links.clear();
                }
                Lookup::Hash(index) => index.clear(),
            }
        }
    }

    /// Takes the rows of another container, which is empty then, instead of its own.
    pub(super) fn take(&mut self, other: &mut Self, layout: &Layout, tables: &Tables) {
        self.clear();
        other.clear_indexes();
        std::mem::swap(&mut self.rows, &mut other.rows);
        std::mem::swap(&mut self.len, &mut other.len);
        std::mem::swap(&mut self.members, &mut other.members);
        if !self.indexes.is_empty() {
            (0..self.len).for_each(|number| self.link(layout, tables, number));
        }
    }
}
