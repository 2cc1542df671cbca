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

/// The most places of all bit arrays together.
const ALL_PLACES: u32 = 1 << 25;

/// The weight of a value that is not in the domain of its column: no sum with it is a place of any array.
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
    /// How many places there are in bit arrays.
    places: u32,
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

    /// How many words all bit arrays take.
    pub(super) fn words(&self) -> usize {
        self.places as usize / 64
    }

    /// Room for a bit array of so many places, if there is so much; where it starts, at the first bit of a word.
    fn take(&mut self, size: u32) -> Option<u32> {
        let start = self.places;
        let end = start + size.next_multiple_of(64);
        (end <= ALL_PLACES).then(|| {
            self.places = end;
            start
        })
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
    start: u32,
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
            start: 0,
            size,
        })
    }

    /// The weights of the columns, by column.
    pub(super) fn weights(&self) -> Vec<Weights> {
        let mut columns = self.columns.clone();
        columns.sort_by_key(|&(column, _)| column);
        columns.into_iter().map(|(_, weights)| weights).collect()
    }

    /// The values of the column that counts least, if they fit a word.
    pub(super) fn least(&self) -> Option<(usize, &[u32])> {
        let (column, values) = (self.columns.first()?.0, self.values.first()?);
        (values.len() <= 64).then_some((column, values))
    }

    /// The first number.
    pub(super) fn start(&self) -> u32 {
        self.start
    }

    /// How many numbers there are.
    pub(super) fn size(&self) -> usize {
        self.size as usize
    }

    /// The number of a row; none below [`ABSENT`] if the domains do not allow the row.
    #[inline]
    fn place(&self, pool: &Pool, row: &[u32]) -> u32 {
        let columns = self.columns.iter();
        let weights = columns.map(|&(column, weights)| pool.weight(weights, row[column]));
        self.start + weights.sum::<u32>()
    }

    /// Puts the row with that number, of all columns, in `into`.
    pub(super) fn row(&self, place: u32, into: &mut Vec<u32>) {
        into.clear();
        into.resize(self.columns.len(), 0);
        let mut rest = place - self.start;
        for (&(column, _), values) in self.columns.iter().zip(&self.values) {
            let count = values.len() as u32;
            into[column] = values[(rest % count) as usize];
            rest /= count;
        }
    }
}

/// How the rows of a relation are kept.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) arity: usize,
    /// The numbers of rows, if there is a bit array: they are its bits.
    pub(super) members: Option<Radix>,
    /// For each set of columns by which rows are looked up, the numbers of keys if there is an array of lists.
    pub(super) indexes: Vec<(Vec<usize>, Option<Radix>)>,
}

impl Layout {
    /// The layout for rows with these domains; bits that differ in the column `least` only stand side by side.
    pub(super) fn new(domains: &[Domain], least: usize, pool: &mut Pool) -> Self {
        let mut all: Vec<usize> = (0..domains.len()).collect();
        all.sort_by_key(|&column| column != least);
        let radix = Radix::new(domains, &all, MEMBER_PLACES, pool);
        let members = radix.and_then(|radix| {
            let start = pool.take(radix.size)?;
            Some(Radix { start, ..radix })
        });
        Self {
            arity: domains.len(),
            members,
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

/// The rows of a relation. Its bit array is elsewhere, in one array with those of all others.
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
    /// The places of the rows, whose bits are set.
    Array(Vec<u32>),
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
            Some(_) => Members::Array(Vec::new()),
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
            Members::Array(places) => Some(places),
            Members::Hash(_) => None,
        }
    }

    /// Some row.
    #[inline]
    pub(super) fn row(&self, number: u32, arity: usize) -> &[u32] {
        let start = number as usize * arity;
        &self.rows[start..start + arity]
    }

    /// Whether a row is there, if the container is a hash table.
    pub(super) fn finds(&self, arity: usize, row: &[u32]) -> bool {
        match &self.members {
            Members::Array(_) => false,
            Members::Hash(index) => index.first(&self.rows, arity, row) != NONE,
        }
    }

    /// Adds a row; whether it was new. A row that the domains do not allow is none.
    pub(super) fn insert(
        &mut self,
        layout: &Layout,
        pool: &Pool,
        bits: &mut [u64],
        row: &[u32],
    ) -> bool {
        let Some(radix) = &layout.members else {
            return self.insert_hashed(layout, pool, row.iter().copied());
        };
        let place = radix.place(pool, row);
        let new = set(bits, place);
        if new {
            self.append(layout, pool, place, row.iter().copied());
        }
        new
    }

    /// Adds a row that is new by its place, whose bit whoever calls has set.
    #[inline]
    pub(super) fn append(
        &mut self,
        layout: &Layout,
        pool: &Pool,
        place: u32,
        values: impl Iterator<Item = u32>,
    ) {
        self.rows.extend(values);
        if let Members::Array(places) = &mut self.members {
            places.push(place);
        }
        if !self.indexes.is_empty() {
            self.link(layout, pool, self.len);
        }
        self.len += 1;
    }

    /// Adds a row to a hash table; whether it was new.
    pub(super) fn insert_hashed(
        &mut self,
        layout: &Layout,
        pool: &Pool,
        values: impl Iterator<Item = u32>,
    ) -> bool {
        let start = self.rows.len();
        self.rows.extend(values);
        let (rows, row) = self.rows.split_at(start);
        let new = match &mut self.members {
            Members::Array(_) => false,
            Members::Hash(index) => index.insert(rows, layout.arity, row, self.len, true),
        };
        match new {
            true => self.link(layout, pool, self.len),
            false => self.rows.truncate(start),
        }
        self.len += u32::from(new);
        new
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

    /// The newest row with the key that has a place in an array of lists, or [`NONE`].
    #[inline]
    pub(super) fn first_at(&self, index: usize, place: u32) -> u32 {
        match &self.indexes[index] {
            Lookup::Array { newest, .. } => newest.get(place as usize).copied().unwrap_or(NONE),
            Lookup::Hash(_) => NONE,
        }
    }

    /// The newest row with a key, or [`NONE`], if the index is a hash table.
    pub(super) fn first_with(&self, index: usize, arity: usize, key: &[u32]) -> u32 {
        match &self.indexes[index] {
            Lookup::Array { .. } => NONE,
            Lookup::Hash(index) => index.first(&self.rows, arity, key),
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
    pub(super) fn clear(&mut self, bits: &mut [u64]) {
        if self.len > 0 {
            self.clear_indexes();
            self.rows.clear();
            self.len = 0;
            match &mut self.members {
                Members::Array(places) => {
                    clear_words(bits, places);
                    places.clear();
                }
                Members::Hash(index) => index.clear(),
            }
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

    /// Takes the rows of another container, which is empty then, instead of its own. Both have the same domains.
    pub(super) fn take(
        &mut self,
        other: &mut Self,
        layouts: [&Layout; 2],
        pool: &Pool,
        bits: &mut [u64],
    ) {
        self.clear(bits);
        other.clear_indexes();
        std::mem::swap(&mut self.rows, &mut other.rows);
        std::mem::swap(&mut self.len, &mut other.len);
        std::mem::swap(&mut self.members, &mut other.members);
        let [here, there] = layouts;
        if let (Members::Array(places), Some(here), Some(there)) =
            (&mut self.members, &here.members, &there.members)
        {
            clear_words(bits, places);
            for place in places {
                *place = *place - there.start + here.start;
                bits[(*place / 64) as usize] |= 1 << (*place % 64);
            }
        }
        if !self.indexes.is_empty() {
            (0..self.len).for_each(|number| self.link(here, pool, number));
        }
    }
}

/// Clears the words with these places; a word has bits of one relation only.
#[inline]
fn clear_words(bits: &mut [u64], places: &[u32]) {
    let words = places.iter().map(|place| (place / 64) as usize);
    words.for_each(|word| bits[word] = 0);
}

/// Sets a bit; whether it is a place and was not set.
#[inline]
pub(super) fn set(bits: &mut [u64], place: u32) -> bool {
    let Some(word) = bits.get_mut((place / 64) as usize) else {
        return false;
    };
    let bit = 1 << (place % 64);
    let new = *word & bit == 0;
    *word |= bit;
    new
}

/// So many bits, at most 64, from a place on.
#[inline]
pub(super) fn window(bits: &[u64], place: u32, width: u32) -> u64 {
    let (word, offset) = ((place / 64) as usize, place % 64);
    let low = bits.get(word).copied().unwrap_or(0) >> offset;
    let high = match offset {
        0 => 0,
        _ => bits.get(word + 1).copied().unwrap_or(0) << (64 - offset),
    };
    (low | high) & (u64::MAX >> (64 - width))
}

/// Whether a bit is set.
#[inline]
pub(super) fn is_set(bits: &[u64], place: u32) -> bool {
    let word = bits.get((place / 64) as usize).copied().unwrap_or(0);
    word >> (place % 64) & 1 == 1
}

#[cfg(test)]
mod tests;
