//! Containers: the rows of a relation, kept in the ways in which they are asked for.
//!
//! Rows stand one after the other in a vector, which serves whoever wants all of them. Whether a row is there is asked of a
//! bit array with a place for every row that the domains allow, or of a hash table where that would be too large. For
//! every set of columns by which rows are looked up there is an index: an array of lists with a place for every key, or a hash
//! table of lists. `docs/methods/compiled.md` compares them with those of the thesis.

use std::collections::BTreeMap;

use paidia_gdl::datalog::table::{Index, NONE};
use paidia_gdl::program::domains::Domain;

/// The most places of a bit array.
const MEMBER_PLACES: u32 = 1 << 20;

/// The most places of an array of lists.
const INDEX_PLACES: u32 = 1 << 16;

/// The weight of a value that is not in the domain of its column: no sum with it is a place.
const ABSENT: u32 = 1 << 26;

/// The most columns that are counted together, so that sums do not overflow.
const MOST_COLUMNS: usize = 31;

/// Where the weights of one column's values are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Weights {
    /// The least value of the domain.
    first: u32,
    /// How many values there are from the least to the greatest.
    span: u32,
    /// Where the weights start in [`Pool::weights`]: `span` of them, then one for all other values.
    start: u32,
}

/// The weights of values, for all columns that are counted.
#[derive(Clone, Debug, Default)]
pub(super) struct Pool {
    weights: Vec<u32>,
    known: BTreeMap<(Vec<u32>, u32), Weights>,
}

impl Pool {
    /// The weights of a column in which each value of the domain counts `factor` times its number.
    pub(super) fn add(&mut self, values: Vec<u32>, factor: u32) -> Weights {
        let key = (values, factor);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let first = key.0.first().copied().unwrap_or(0);
        let span = key.0.last().map_or(0, |last| last - first + 1);
        let start = self.weights.len();
        self.weights.resize(start + span as usize + 1, ABSENT);
        for (number, value) in key.0.iter().enumerate() {
            self.weights[start + (value - first) as usize] = number as u32 * factor;
        }
        let weights = Weights {
            first,
            span,
            start: start as u32,
        };
        self.known.insert(key, weights);
        weights
    }

    /// What a value counts.
    #[inline]
    pub(super) fn weight(&self, of: Weights, value: u32) -> u32 {
        let offset = value.wrapping_sub(of.first).min(of.span);
        self.weights[(of.start + offset) as usize]
    }
}

/// A number for every row, or key, that domains allow: that of a number with a digit a column.
#[derive(Clone, Debug)]
pub(super) struct Radix {
    /// The columns with their weights.
    columns: Vec<(usize, Weights)>,
    /// For each column, its values.
    values: Vec<Vec<u32>>,
    size: u32,
}

impl Radix {
    /// The numbers for some columns; `None` if there would be more than `limit`.
    fn new(domains: &[Domain], columns: &[usize], limit: u32, pool: &mut Pool) -> Option<Self> {
        let mut values: Vec<Vec<u32>> = Vec::new();
        let mut size = 1u32;
        for &column in columns {
            let domain = &domains[column];
            if domain.open || !domain.compounds.is_empty() || columns.len() > MOST_COLUMNS {
                return None;
            }
            let constants: Vec<u32> = domain.constants.iter().map(|symbol| symbol.0).collect();
            size = size.checked_mul(constants.len() as u32)?;
            values.push(constants);
        }
        if size > limit {
            return None;
        }
        let mut factor = 1;
        let mut weighted = Vec::new();
        for (&column, constants) in columns.iter().zip(&values) {
            weighted.push((column, pool.add(constants.clone(), factor)));
            factor *= constants.len() as u32;
        }
        Some(Self {
            columns: weighted,
            values,
            size,
        })
    }

    /// The weights of the columns, in their order.
    pub(super) fn weights(&self) -> impl Iterator<Item = Weights> {
        self.columns.iter().map(|&(_, weights)| weights)
    }

    /// The number of a row; not below the size if the domains do not allow the row.
    #[inline]
    fn place(&self, pool: &Pool, row: &[u32]) -> u32 {
        let columns = self.columns.iter();
        columns
            .map(|&(column, weights)| pool.weight(weights, row[column]))
            .sum()
    }

    /// Appends the values of the columns of the row with that number.
    pub(super) fn push_row(&self, place: u32, into: &mut Vec<u32>) {
        let mut rest = place;
        for values in &self.values {
            let count = values.len() as u32;
            into.push(values[(rest % count) as usize]);
            rest /= count;
        }
    }
}

/// How the rows of a relation are kept.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) arity: usize,
    /// The numbers of rows, if there is a bit array.
    pub(super) members: Option<Radix>,
    /// For each set of columns by which rows are looked up, the numbers of keys if there is an array of lists.
    pub(super) indexes: Vec<(Vec<usize>, Option<Radix>)>,
}

impl Layout {
    /// The layout for rows with these domains.
    pub(super) fn new(domains: &[Domain], pool: &mut Pool) -> Self {
        let all: Vec<usize> = (0..domains.len()).collect();
        Self {
            arity: domains.len(),
            members: Radix::new(domains, &all, MEMBER_PLACES, pool),
            indexes: Vec::new(),
        }
    }

    /// The number of the index over these columns, made if need be.
    pub(super) fn index_on(
        &mut self,
        domains: &[Domain],
        columns: &[usize],
        pool: &mut Pool,
    ) -> usize {
        let known = self.indexes.iter().position(|(other, _)| other == columns);
        known.unwrap_or_else(|| {
            let radix = Radix::new(domains, columns, INDEX_PLACES, pool);
            self.indexes.push((columns.to_vec(), radix));
            self.indexes.len() - 1
        })
    }
}

/// The rows of a relation.
#[derive(Clone, Debug)]
pub(super) struct Container {
    rows: Vec<u32>,
    len: u32,
    members: Members,
    indexes: Vec<Lookup>,
}

/// Which rows there are.
#[derive(Clone, Debug)]
enum Members {
    /// A bit for each place, and the places of the rows.
    Array {
        words: Vec<u64>,
        places: Vec<u32>,
    },
    Hash(Index),
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

impl Container {
    /// An empty container.
    pub(super) fn new(layout: &Layout) -> Self {
        let members = match &layout.members {
            Some(radix) => Members::Array {
                words: vec![0; (radix.size as usize).div_ceil(64)],
                places: Vec::new(),
            },
            None => Members::Hash(Index::new((0..layout.arity).collect())),
        };
        let lookup = |(columns, radix): &(Vec<usize>, Option<Radix>)| match radix {
            Some(radix) => Lookup::Array {
                newest: vec![NONE; radix.size as usize],
                links: Vec::new(),
            },
            None => Lookup::Hash(Index::new(columns.clone().into())),
        };
        Self {
            rows: Vec::new(),
            len: 0,
            members,
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

    /// The places of all rows, if the container is a bit array.
    pub(super) fn places(&self) -> Option<&[u32]> {
        match &self.members {
            Members::Array { places, .. } => Some(places),
            Members::Hash(_) => None,
        }
    }

    /// Some row.
    #[inline]
    pub(super) fn row(&self, number: u32, arity: usize) -> &[u32] {
        let start = number as usize * arity;
        &self.rows[start..start + arity]
    }

    /// Whether a row is there: a bit array wants its place, a hash table the row.
    #[inline]
    pub(super) fn holds<'a>(
        &self,
        arity: usize,
        place: impl FnOnce() -> u32,
        row: impl FnOnce() -> &'a [u32],
    ) -> bool {
        match &self.members {
            Members::Array { words, .. } => {
                let place = place();
                let word = words.get((place / 64) as usize).copied().unwrap_or(0);
                word >> (place % 64) & 1 == 1
            }
            Members::Hash(index) => index.first(&self.rows, arity, row()) != NONE,
        }
    }

    /// Adds a row; whether it was new. A row that the domains do not allow is none.
    #[inline]
    pub(super) fn insert(
        &mut self,
        layout: &Layout,
        pool: &Pool,
        values: impl Iterator<Item = u32>,
    ) -> bool {
        let start = self.rows.len();
        self.rows.extend(values);
        let new = self.claim(layout, pool, start);
        match new {
            true => self.link(layout, pool, self.len),
            false => self.rows.truncate(start),
        }
        self.len += u32::from(new);
        new
    }

    /// Marks the row that starts there as a member; whether it was none.
    #[inline]
    fn claim(&mut self, layout: &Layout, pool: &Pool, start: usize) -> bool {
        let (rows, row) = self.rows.split_at(start);
        match (&mut self.members, &layout.members) {
            (Members::Array { words, places }, Some(radix)) => {
                let place = radix.place(pool, row);
                let Some(word) = words.get_mut((place / 64) as usize) else {
                    return false;
                };
                let bit = 1 << (place % 64);
                let new = *word & bit == 0;
                *word |= bit;
                if new {
                    places.push(place);
                }
                new
            }
            (Members::Hash(index), _) => index.insert(rows, layout.arity, row, self.len, true),
            (Members::Array { .. }, None) => false,
        }
    }

    /// Adds a row to all indexes.
    #[inline]
    fn link(&mut self, layout: &Layout, pool: &Pool, number: u32) {
        let start = number as usize * layout.arity;
        let row = &self.rows[start..start + layout.arity];
        for (lookup, (_, radix)) in self.indexes.iter_mut().zip(&layout.indexes) {
            match (lookup, radix) {
                (Lookup::Array { newest, links }, Some(radix)) => {
                    // Every row is within the domains, or it would not have come here.
                    let place = radix.place(pool, row).min(radix.size.saturating_sub(1));
                    let before = std::mem::replace(&mut newest[place as usize], number);
                    links.push(Link { before, place });
                }
                (Lookup::Hash(index), _) => {
                    index.insert(&self.rows, layout.arity, row, number, false);
                }
                (Lookup::Array { .. }, None) => {}
            }
        }
    }

    /// The newest row with a key, or [`NONE`]: an array wants the key's place, a hash table the key.
    #[inline]
    pub(super) fn first<'a>(
        &self,
        index: usize,
        arity: usize,
        place: impl FnOnce() -> u32,
        key: impl FnOnce() -> &'a [u32],
    ) -> u32 {
        match &self.indexes[index] {
            Lookup::Array { newest, .. } => newest.get(place() as usize).copied().unwrap_or(NONE),
            Lookup::Hash(index) => index.first(&self.rows, arity, key()),
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
    #[inline]
    pub(super) fn clear(&mut self) {
        if self.len > 0 {
            self.clear_indexes();
            self.clear_rows();
        }
    }

    fn clear_indexes(&mut self) {
        for lookup in &mut self.indexes {
            match lookup {
                Lookup::Array { newest, links } => {
                    if newest.len() <= links.len() {
                        newest.fill(NONE);
                    } else {
                        links
                            .iter()
                            .for_each(|link| newest[link.place as usize] = NONE);
                    }
                    links.clear();
                }
                Lookup::Hash(index) => index.clear(),
            }
        }
    }

    fn clear_rows(&mut self) {
        self.rows.clear();
        self.len = 0;
        match &mut self.members {
            Members::Array { words, places } => {
                if words.len() <= places.len() {
                    words.fill(0);
                } else {
                    places
                        .iter()
                        .for_each(|place| words[(place / 64) as usize] = 0);
                }
                places.clear();
            }
            Members::Hash(index) => index.clear(),
        }
    }

    /// Takes the rows of another container with the same members, which is empty then, instead of its own.
    pub(super) fn take(&mut self, other: &mut Self, layout: &Layout, pool: &Pool) {
        self.clear();
        other.clear_indexes();
        std::mem::swap(&mut self.rows, &mut other.rows);
        std::mem::swap(&mut self.len, &mut other.len);
        std::mem::swap(&mut self.members, &mut other.members);
        for number in 0..self.len {
            self.link(layout, pool, number);
        }
    }
}
