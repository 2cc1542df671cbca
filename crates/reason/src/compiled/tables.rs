//! Tables that tell what a value counts: in the place of a row, in a domain, as a symbol.

use rustc_hash::FxHashMap;

/// The weight of a value that is not in the domain of its column: no sum with it is a place of any
/// array.
pub const ABSENT: u32 = 1 << 27;

/// The most columns that are counted together, so that sums do not overflow.
pub(super) const MOST_COLUMNS: usize = 31;

/// A table of what values count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Weights {
    /// The least value that the table has.
    pub first: u32,
    /// How many values it has from that on.
    pub span: u32,
    /// Where the weights start in [`Tables::entries`]: `span` of them, then one for all other
    /// values.
    pub start: u32,
}

/// All tables one after the other, each once.
#[derive(Clone, Debug, Default)]
pub struct Tables {
    entries: Vec<u32>,
    known: FxHashMap<(u32, Vec<u32>), Weights>,
}

impl Tables {
    /// A table for the values from `first` on.
    fn add(&mut self, first: u32, entries: Vec<u32>) -> Weights {
        let key = (first, entries);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let weights = Weights {
            first,
            span: key.1.len() as u32,
            start: self.entries.len() as u32,
        };
        self.entries.extend_from_slice(&key.1);
        self.entries.push(ABSENT);
        self.known.insert(key, weights);
        weights
    }

    /// The table of nothing, for values that are only read.
    pub(super) fn none(&mut self) -> Weights {
        self.add(0, Vec::new())
    }

    /// What symbols count that are values of a domain: their digit, shifted.
    pub(super) fn of_symbols(&mut self, domain: &[u32], shift: u32) -> Weights {
        let first = domain.first().copied().unwrap_or(0);
        let span = domain.last().map_or(0, |last| last - first + 1);
        let mut entries = vec![ABSENT; span as usize];
        for (digit, value) in domain.iter().enumerate() {
            entries[(value - first) as usize] = (digit as u32) << shift;
        }
        self.add(first, entries)
    }

    /// What digits of one domain count in another: their digit there, shifted.
    pub(super) fn of_digits(&mut self, from: &[u32], domain: &[u32], shift: u32) -> Weights {
        let weight = |value: &u32| digit(domain, *value).map_or(ABSENT, |digit| digit << shift);
        self.add(0, from.iter().map(weight).collect())
    }

    /// Nothing for the digits of a domain that are in another.
    pub(super) fn within(&mut self, from: &[u32], domain: &[u32]) -> Weights {
        let weight = |value: &u32| digit(domain, *value).map_or(ABSENT, |_| 0);
        self.add(0, from.iter().map(weight).collect())
    }

    /// Nothing for the symbols that are in a domain.
    pub(super) fn among(&mut self, domain: &[u32]) -> Weights {
        let first = domain.first().copied().unwrap_or(0);
        let last = domain.last().copied();
        let values = last.map_or(0..0, |last| first..last + 1);
        let weight = |value| digit(domain, value).map_or(ABSENT, |_| 0);
        let entries = values.map(weight).collect();
        self.add(first, entries)
    }

    /// The symbols that the digits of a domain stand for.
    pub(super) fn symbols(&mut self, domain: &[u32]) -> Weights {
        self.add(0, domain.to_vec())
    }

    /// What a value counts.
    #[inline]
    pub fn weight(&self, of: Weights, value: u32) -> u32 {
        let offset = value.wrapping_sub(of.first).min(of.span);
        self.entries[(of.start + offset) as usize]
    }

    /// All entries of all tables.
    pub fn entries(&self) -> &[u32] {
        &self.entries
    }
}

/// The number of a value in a domain, whose values are sorted.
pub(super) fn digit(domain: &[u32], value: u32) -> Option<u32> {
    domain.binary_search(&value).ok().map(|digit| digit as u32)
}
