//! Positions as bit sets of fluents, and what is read from words of bits.

use std::fmt;

use paidia_game::Chance;

/// How many words a small state has.
const FEW: usize = 3;

/// A position of a network: the set of fluents that hold.
#[derive(PartialEq, Eq, Hash)]
pub struct State {
    words: Words,
}

/// The states of one game are all of one kind, so that equality and hashing look at the fluents
/// alone.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Words {
    /// At most 192 fluents need no memory of their own. Words that a game does not use are zero.
    Few([u64; FEW]),
    Many(Box<[u64]>),
}

impl AsRef<[u64]> for State {
    fn as_ref(&self) -> &[u64] {
        self.words()
    }
}

impl State {
    /// The state of a game with that many fluents in which none holds.
    pub(crate) fn empty(fluents: usize) -> Self {
        let words = if fluents <= FEW * 64 {
            Words::Few([0; FEW])
        } else {
            Words::Many(vec![0; fluents.div_ceil(64)].into())
        };
        Self { words }
    }

    /// The bits of all fluents, fluent n as bit `n % 64` of word `n / 64`; at least as many words
    /// as the fluents need.
    #[inline]
    pub fn words(&self) -> &[u64] {
        match &self.words {
            Words::Few(words) => words,
            Words::Many(words) => words,
        }
    }

    #[inline]
    pub(crate) fn words_mut(&mut self) -> &mut [u64] {
        match &mut self.words {
            Words::Few(words) => words,
            Words::Many(words) => words,
        }
    }

    /// Makes a fluent hold.
    pub(crate) fn insert(&mut self, fluent: usize) {
        self.words_mut()[fluent / 64] |= 1 << (fluent % 64);
    }

    /// Whether a fluent holds.
    pub(super) fn contains(&self, fluent: usize) -> bool {
        self.words()[fluent / 64] >> (fluent % 64) & 1 == 1
    }

    /// Makes no fluent hold.
    pub(super) fn clear(&mut self) {
        self.words_mut().fill(0);
    }

    /// The numbers of the fluents that hold, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> {
        self.words()
            .iter()
            .enumerate()
            .flat_map(|(place, &word)| Bits(word).map(move |bit| place * 64 + bit))
    }
}

impl Clone for State {
    fn clone(&self) -> Self {
        Self {
            words: self.words.clone(),
        }
    }

    fn clone_from(&mut self, source: &Self) {
        match (&mut self.words, &source.words) {
            (Words::Many(own), Words::Many(other)) => own.clone_from(other),
            (own, other) => *own = other.clone(),
        }
    }
}

impl fmt::Debug for State {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_set().entries(self.iter()).finish()
    }
}

/// The places of the ones in a word, from the lowest.
pub(crate) struct Bits(pub(crate) u64);

impl Iterator for Bits {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(bit)
    }
}

/// Draws one of the ones in some words as [`Chance::pick`] does from the list of them; its place.
#[inline]
pub(crate) fn draw<W: Iterator<Item = u64>>(
    words: impl Fn() -> W,
    chance: &mut Chance,
) -> Option<u32> {
    let count: u32 = words().map(u64::count_ones).sum();
    match count {
        0 => None,
        1 => nth(words(), 0),
        _ => nth(words(), chance.below(count)),
    }
}

/// The place of a one in some words, counted from 0.
#[inline]
fn nth(words: impl Iterator<Item = u64>, mut number: u32) -> Option<u32> {
    for (mut word, first) in words.zip((0..).step_by(64)) {
        let ones = word.count_ones();
        if number < ones {
            (0..number).for_each(|_| word &= word - 1);
            return Some(first + word.trailing_zeros());
        }
        number -= ones;
    }
    None
}

/// A hash of some words.
#[inline]
pub(crate) fn hash(words: impl Iterator<Item = u64>) -> u64 {
    words.fold(0, |hash, word| mix(hash ^ word))
}

/// A bijection that scatters its argument: the finalizer of SplitMix64.
fn mix(value: u64) -> u64 {
    let value = (value ^ value >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let value = (value ^ value >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ value >> 31
}
