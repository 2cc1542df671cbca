//! Where the facts of relations stand: a bit for every row that the domains allow.
//!
//! The place of a row is a number with a field of bits for each column, which holds the column's
//! digit: the number of its value among those that the column can have. So places are made of
//! digits, and digits of places, by shifts. The order of the fields is a *view*. In the first view,
//! columns that are often asked for stand lowest, so that the rows with some known columns are few
//! words, or part of one; a relation that is asked for in a way that this does not serve gets a
//! view more. A large view has a *summary*, with a bit for every word that has one. Relations with
//! too many places, or with terms in their columns, are kept in hash tables.

use paidia_gdl::program::domains::Domain;
use rustc_hash::FxHashMap;

use super::code::Summarised;
use super::tables::{MOST_COLUMNS, Tables, Weights, digit};

/// The most bits of a place.
const MOST_BITS: u32 = 21;

/// The most words of all views together.
const ALL_WORDS: u32 = 1 << 20;

/// Views with more words than this have a summary.
const SMALL: u32 = 16;

/// The most words of a view of a recursion, whose rounds look at a bit for each.
const WORDS_IN_ROUNDS: u32 = 1 << 13;

/// The most words that a loop reads; beyond that it gets a view of its own.
const FEW_WORDS: u32 = 8;

/// The most views of a relation.
const MOST_VIEWS: usize = 4;

/// The most keys of a list of rows.
const MOST_KEYS: u32 = 1 << 16;

/// The values that some columns can have, sorted, by number.
#[derive(Clone, Debug, Default)]
pub(super) struct Domains {
    values: Vec<Vec<u32>>,
    known: FxHashMap<Vec<u32>, u32>,
}

impl Domains {
    /// The number of a domain; `None` if there can be terms in it.
    fn add(&mut self, domain: &Domain) -> Option<u32> {
        if domain.open || !domain.compounds.is_empty() {
            return None;
        }
        let values: Vec<u32> = domain.constants.iter().map(|symbol| symbol.0).collect();
        let next = self.values.len() as u32;
        let number = *self.known.entry(values.clone()).or_insert(next);
        if number == next {
            self.values.push(values);
        }
        Some(number)
    }

    /// The values of a domain.
    pub(super) fn of(&self, number: u32) -> &[u32] {
        &self.values[number as usize]
    }

    /// How many bits a digit of a domain has.
    fn width(&self, number: u32) -> u32 {
        width_of(self.of(number).len())
    }
}

/// How many bits a digit has that tells this number of values apart.
fn width_of(count: usize) -> u32 {
    count.max(1).next_power_of_two().trailing_zeros()
}

/// Whether there are few enough rows with these domains that each can have a bit.
pub(super) fn fits(domains: &[Domain]) -> bool {
    let is_flat = |domain: &Domain| !domain.open && domain.compounds.is_empty();
    let widths = domains
        .iter()
        .map(|domain| width_of(domain.constants.len()));
    domains.len() <= MOST_COLUMNS && domains.iter().all(is_flat) && widths.sum::<u32>() <= MOST_BITS
}

/// Where the digit of a column is in a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Digit {
    pub(super) shift: u32,
    pub(super) width: u32,
}

impl Digit {
    /// As many bits as the digit has.
    pub(super) fn mask(self) -> u32 {
        (1 << self.width) - 1
    }
}

/// The bits of a relation with the columns in some order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct View {
    /// For each column, where its digit is.
    pub(super) digits: Vec<Digit>,
    /// The first word.
    pub(super) first: u32,
    pub(super) words: u32,
    /// Where the summary starts, if there is one.
    pub(super) summary: Option<u32>,
}

impl View {
    /// A view with the columns in this order, the lowest first, which stands nowhere yet.
    fn new(order: &[usize], widths: &[u32]) -> Self {
        let mut digits = vec![Digit { shift: 0, width: 0 }; widths.len()];
        let mut shift = 0;
        for &column in order {
            let width = widths[column];
            digits[column] = Digit { shift, width };
            shift += width;
        }
        Self {
            digits,
            first: 0,
            words: 1 << shift.saturating_sub(6),
            summary: None,
        }
    }

    /// How many words a loop over the rows that differ in these columns looks at.
    pub(super) fn words_to_ask(&self, unknown: &[usize]) -> u32 {
        let high = unknown.iter().map(|&column| {
            let Digit { shift, width } = self.digits[column];
            (shift + width).saturating_sub(shift.max(6))
        });
        1 << high.sum::<u32>()
    }

    /// Whether these columns are the lowest.
    fn has_lowest(&self, columns: &[usize]) -> bool {
        let digits = || columns.iter().map(|&column| self.digits[column]);
        let total: u32 = digits().map(|digit| digit.width).sum();
        digits().all(|digit| digit.width == 0 || digit.shift + digit.width <= total)
    }

    /// Whether the view needs no summary.
    pub(super) fn is_small(&self) -> bool {
        self.words <= SMALL
    }

    /// The place of the first bit.
    pub(super) fn start(&self) -> u32 {
        self.first * 64
    }

    /// The part of all words that the view is.
    pub(super) fn range(&self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.words) as usize
    }

    /// The summary's part of all words.
    fn summary_range(&self, summary: u32) -> std::ops::Range<usize> {
        summary as usize..(summary + self.words.div_ceil(64)) as usize
    }

    /// Where the view stands, if it has a summary.
    pub(super) fn summarised(&self) -> Option<Summarised> {
        self.summary.map(|summary| Summarised {
            first: self.first,
            words: self.words,
            summary,
        })
    }

    /// The place, counted from the view's first, of a row; `None` if the domains do not allow the
    /// row.
    fn place(&self, domains: &Domains, columns: &[Option<u32>], row: &[u32]) -> Option<u32> {
        let mut place = 0;
        for ((&column, &value), at) in columns.iter().zip(row).zip(&self.digits) {
            place |= digit(domains.of(column?), value)? << at.shift;
        }
        Some(place)
    }

    /// The place of the row that has a place in another view of the same relation, both counted
    /// from the view's first.
    fn moved(&self, other: &View, place: u32) -> u32 {
        let digits = self.digits.iter().zip(&other.digits);
        digits.fold(0, |moved, (here, there)| {
            moved | (place >> there.shift & there.mask()) << here.shift
        })
    }

    /// Sets the bit of a place, counted from the view's first; whether it was not set.
    #[inline]
    pub(super) fn set(&self, bits: &mut [u64], place: u32) -> bool {
        let word = &mut bits[(self.first + place / 64) as usize];
        let bit = 1 << (place % 64);
        let new = *word & bit == 0;
        *word |= bit;
        if let Some(summary) = self.summary {
            bits[(summary + place / 4096) as usize] |= 1 << (place / 64 % 64);
        }
        new
    }

    /// Calls `visit` with all places whose bits are set, counted from the view's first, in their
    /// order.
    #[inline]
    pub(super) fn each(&self, bits: &[u64], mut visit: impl FnMut(u32)) {
        self.each_word(bits, |word| {
            each_bit(bits[(self.first + word) as usize], |bit| {
                visit(word * 64 + bit);
            });
        });
    }

    /// Calls `visit` with all words that may have bits, counted from the view's first.
    #[inline]
    fn each_word(&self, bits: &[u64], mut visit: impl FnMut(u32)) {
        let Some(summary) = self.summary else {
            return (0..self.words).for_each(visit);
        };
        for (number, &word) in bits[self.summary_range(summary)].iter().enumerate() {
            each_bit(word, |bit| visit(number as u32 * 64 + bit));
        }
    }

    /// Whether no bit is set.
    pub(super) fn is_empty(&self, bits: &[u64]) -> bool {
        let mut any = false;
        self.each_word(bits, |word| any |= bits[(self.first + word) as usize] != 0);
        !any
    }

    /// Clears all bits.
    pub(super) fn clear(&self, bits: &mut [u64]) {
        let Some(summary) = self.summary else {
            return bits[self.range()].fill(0);
        };
        for index in self.summary_range(summary) {
            let first = (self.first as usize) + (index - summary as usize) * 64;
            each_bit(std::mem::take(&mut bits[index]), |bit| {
                bits[first + bit as usize] = 0;
            });
        }
    }

    /// Takes the bits of another view of the same size, which has none then, instead of its own;
    /// whether there were any.
    pub(super) fn take(&self, from: &View, bits: &mut [u64]) -> bool {
        let mut any = 0;
        let mut move_word = |bits: &mut [u64], word: u32| {
            let value = std::mem::take(&mut bits[(from.first + word) as usize]);
            bits[(self.first + word) as usize] = value;
            any |= value;
        };
        let (Some(summary), Some(other)) = (self.summary, from.summary) else {
            (0..self.words).for_each(|word| move_word(bits, word));
            return any != 0;
        };
        for index in 0..self.words.div_ceil(64) {
            let new = std::mem::take(&mut bits[(other + index) as usize]);
            let old = std::mem::replace(&mut bits[(summary + index) as usize], new);
            let first = self.first + index * 64;
            each_bit(old & !new, |bit| bits[(first + bit) as usize] = 0);
            each_bit(new, |bit| move_word(bits, index * 64 + bit));
        }
        any != 0
    }

    /// Makes the bits those of another view of the same size.
    pub(super) fn copy(&self, from: &View, bits: &mut [u64]) {
        if self.summary.is_none() {
            return bits.copy_within(from.range(), self.first as usize);
        }
        self.clear(bits);
        let (Some(summary), Some(other)) = (self.summary, from.summary) else {
            return;
        };
        for index in 0..self.words.div_ceil(64) {
            let words = bits[(other + index) as usize];
            bits[(summary + index) as usize] = words;
            each_bit(words, |bit| {
                let word = index * 64 + bit;
                bits[(self.first + word) as usize] = bits[(from.first + word) as usize];
            });
        }
    }
}

/// Calls `visit` with all bits that are set.
#[inline]
fn each_bit(mut word: u64, mut visit: impl FnMut(u32)) {
    while word != 0 {
        visit(word.trailing_zeros());
        word &= word - 1;
    }
}

/// How a key of a hash table that is an array is counted, by symbols.
#[derive(Clone, Debug)]
pub(super) struct Key {
    pub(super) weights: Vec<Weights>,
    pub(super) size: u32,
}

/// How the rows of a relation are kept.
#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    pub(super) arity: usize,
    /// For each column, the number of its domain, if there are no terms in it.
    pub(super) domains: Vec<Option<u32>>,
    /// The views; none for a hash table.
    pub(super) views: Vec<View>,
    /// For a relation of a recursion that has views: the rows of the last round, and those of the
    /// present.
    pub(super) rounds: Option<[View; 2]>,
    /// For each set of columns by which a hash table's rows are looked up, how they are counted if
    /// there is an array of lists.
    pub(super) indexes: Vec<(Vec<usize>, Option<Key>)>,
}

/// The columns that are not known where a relation is asked for, and how often it is.
pub(super) type Asked = Vec<(Vec<usize>, usize)>;

impl Layout {
    /// The layout for rows with these domains that are asked for in these ways; views stand nowhere
    /// yet.
    pub(super) fn new(all: &[Domain], asked: &Asked, fixed: bool, domains: &mut Domains) -> Self {
        let columns: Vec<Option<u32>> = all.iter().map(|domain| domains.add(domain)).collect();
        let mut layout = Self {
            arity: all.len(),
            domains: columns,
            ..Self::default()
        };
        let width = |column: &Option<u32>| column.map(|column| domains.width(column));
        let widths: Option<Vec<u32>> = layout.domains.iter().map(width).collect();
        let widths = widths.filter(|widths| {
            widths.len() <= MOST_COLUMNS && widths.iter().sum::<u32>() <= MOST_BITS
        });
        if let Some(widths) = widths {
            layout.choose_views(&widths, asked, fixed);
        }
        layout
    }

    fn choose_views(&mut self, widths: &[u32], asked: &Asked, fixed: bool) {
        let count = |column: usize| -> usize {
            let with = asked
                .iter()
                .filter(|(unknown, _)| unknown.contains(&column));
            with.map(|(_, times)| times).sum()
        };
        let mut order: Vec<usize> = (0..self.arity).collect();
        order.sort_by_key(|&column| std::cmp::Reverse(count(column)));
        self.views.push(View::new(&order, widths));
        for (unknown, _) in asked {
            let keys: u32 = (0..self.arity)
                .filter(|column| !unknown.contains(column))
                .map(|column| widths[column])
                .sum();
            let mut views = self.views.iter();
            let served = fixed && 1 << keys <= MOST_KEYS
                || views.any(|view| {
                    view.words_to_ask(unknown) <= FEW_WORDS || view.has_lowest(unknown)
                });
            if !served && self.views.len() < MOST_VIEWS {
                let mut order = order.clone();
                order.sort_by_key(|column| !unknown.contains(column));
                self.views.push(View::new(&order, widths));
            }
        }
    }

    /// The view in which a loop over the rows that differ in these columns looks at the fewest
    /// words, and how many those are.
    pub(super) fn best_view(&self, unknown: &[usize]) -> Option<(&View, u32)> {
        let views = self.views.iter();
        let views = views.map(|view| (view, view.words_to_ask(unknown)));
        views.min_by_key(|&(_, words)| words)
    }

    /// A view with a summary in which the rows that differ in these columns stand side by side.
    pub(super) fn region(&self, unknown: &[usize]) -> Option<&View> {
        let mut views = self.views.iter();
        views.find(|view| view.summary.is_some() && view.has_lowest(unknown))
    }

    /// How keys of these columns are counted by lists of rows, if there can be such lists.
    pub(super) fn keys(&self, columns: &[usize], domains: &Domains) -> Option<(Vec<u32>, u32)> {
        let mut bits = 0;
        let mut shifts = Vec::new();
        for &column in columns {
            shifts.push(bits);
            bits += domains.width(self.domains[column]?);
        }
        (bits < 32 && 1 << bits <= MOST_KEYS && columns.len() <= MOST_COLUMNS)
            .then(|| (shifts, 1 << bits))
    }

    /// The number of a hash table's index over these columns, made if need be.
    pub(super) fn index_on(
        &mut self,
        columns: &[usize],
        domains: &Domains,
        tables: &mut Tables,
    ) -> usize {
        let known = self.indexes.iter().position(|(other, _)| other == columns);
        known.unwrap_or_else(|| {
            let key = self.keys(columns, domains).map(|(shifts, size)| {
                let pairs = columns.iter().zip(shifts);
                let weights = pairs.filter_map(|(&column, shift)| {
                    Some(tables.of_symbols(domains.of(self.domains[column]?), shift))
                });
                let weights = weights.collect();
                Key { weights, size }
            });
            self.indexes.push((columns.to_vec(), key));
            self.indexes.len() - 1
        })
    }

    /// Adds the places of a row in all views to `into`, each counted from the view's first; false,
    /// and nothing is added, if the domains do not allow the row, or there are no views.
    pub(super) fn places(&self, domains: &Domains, row: &[u32], into: &mut Vec<u32>) -> bool {
        let before = into.len();
        for view in &self.views {
            into.extend(view.place(domains, &self.domains, row));
        }
        let all = into.len() - before == self.views.len() && !self.views.is_empty();
        if !all {
            into.truncate(before);
        }
        all
    }

    /// Whether a place of the first view is that of a row.
    pub(super) fn is_place(&self, domains: &Domains, place: u32) -> bool {
        let digits = self.views.iter().take(1).flat_map(|view| &view.digits);
        digits.zip(&self.domains).all(|(at, column)| {
            let values = column.map_or(0, |column| domains.of(column).len());
            ((place >> at.shift & at.mask()) as usize) < values
        }) && self.views.first().is_some_and(|view| {
            let bits: u32 = view.digits.iter().map(|digit| digit.width).sum();
            place >> bits == 0
        })
    }

    /// Puts the row at a place of the first view in `into`.
    pub(super) fn row(&self, domains: &Domains, place: u32, into: &mut Vec<u32>) {
        into.clear();
        let digits = self.views.iter().take(1).flat_map(|view| &view.digits);
        for (at, column) in digits.zip(&self.domains) {
            let values = column.map_or(&[][..], |column| domains.of(column));
            let digit = place >> at.shift & at.mask();
            into.push(values.get(digit as usize).copied().unwrap_or(0));
        }
    }

    /// Sets the bits of a row in all views; false if the domains do not allow it, or there are no
    /// views.
    pub(super) fn insert(&self, domains: &Domains, bits: &mut [u64], row: &[u32]) -> bool {
        let mut allowed = !self.views.is_empty();
        for view in &self.views {
            let place = view.place(domains, &self.domains, row);
            match place {
                Some(place) => {
                    view.set(bits, place);
                }
                None => allowed = false,
            }
        }
        allowed
    }

    /// Makes the other views agree with the first.
    pub(super) fn follow(&self, bits: &mut [u64]) {
        let Some((first, others)) = self.views.split_first() else {
            return;
        };
        if others.is_empty() {
            return;
        }
        others.iter().for_each(|view| view.clear(bits));
        for word in first.range() {
            let mut left = bits[word];
            while left != 0 {
                let place = (word as u32 - first.first) * 64 + left.trailing_zeros();
                left &= left - 1;
                for view in others {
                    view.set(bits, view.moved(first, place));
                }
            }
        }
    }
}

/// Gives views their places among all words.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Words {
    next: u32,
}

impl Words {
    /// How many words are taken.
    pub(super) fn taken(&self) -> u32 {
        self.next
    }

    /// Takes `words` words; where they start.
    pub(super) fn take(&mut self, words: u32) -> u32 {
        self.next += words;
        self.next - words
    }

    /// Gives a view its place.
    fn place(&mut self, view: &mut View) {
        view.first = self.take(view.words);
        view.summary = (!view.is_small()).then(|| self.take(view.words.div_ceil(64)));
    }

    /// Gives all views of a layout their places; if there is no room, the relation goes to a hash
    /// table.
    pub(super) fn place_all(&mut self, layout: &mut Layout, recursive: bool) {
        let views = layout.views.len() as u32 + 2 * u32::from(recursive);
        let each = layout.views.first().map_or(0, |view| view.words);
        let is_too_large = recursive && each > WORDS_IN_ROUNDS;
        if self.next + views * (each + each.div_ceil(64)) > ALL_WORDS || is_too_large {
            layout.views.clear();
        }
        let Some(mut round) = layout.views.first().cloned() else {
            return;
        };
        layout.views.iter_mut().for_each(|view| self.place(view));
        layout.rounds = recursive.then(|| {
            self.place(&mut round);
            let mut other = round.clone();
            self.place(&mut other);
            [round, other]
        });
    }
}

#[cfg(test)]
mod tests;
