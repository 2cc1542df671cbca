//! One bit for each of 256 lanes.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not};

/// How many lanes a block has, on every machine.
pub const LANES: usize = 256;

/// One bit for each lane of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(align(32))]
pub struct Word(pub [u64; 4]);

impl Word {
    /// No lane.
    pub const NONE: Word = Word([0; 4]);
    /// Every lane.
    pub const ALL: Word = Word([u64::MAX; 4]);

    /// The one lane.
    #[inline(always)]
    pub fn of(lane: usize) -> Self {
        let mut word = Word::NONE;
        word.set(lane, true);
        word
    }

    /// The first `lanes` lanes.
    pub fn first(lanes: usize) -> Self {
        let mut word = Word::NONE;
        (0..lanes.min(LANES)).for_each(|lane| word.set(lane, true));
        word
    }

    /// The bit of a lane; lanes beyond the last are false.
    #[inline(always)]
    pub fn get(self, lane: usize) -> bool {
        let part = self.0.get(lane / 64).copied().unwrap_or(0);
        part >> (lane % 64) & 1 == 1
    }

    /// Sets the bit of a lane; nothing for lanes beyond the last.
    #[inline(always)]
    pub fn set(&mut self, lane: usize, value: bool) {
        if let Some(part) = self.0.get_mut(lane / 64) {
            let bit = 1 << (lane % 64);
            *part = if value { *part | bit } else { *part & !bit };
        }
    }

    /// Whether no lane is set.
    #[inline(always)]
    pub fn is_none(self) -> bool {
        self.0.iter().fold(0, |all, part| all | part) == 0
    }

    /// How many lanes are set.
    #[inline(always)]
    pub fn count(self) -> u32 {
        self.0.iter().map(|part| part.count_ones()).sum()
    }

    /// The lanes that are set, from the first.
    #[inline(always)]
    pub fn lanes(self) -> impl Iterator<Item = usize> {
        SetLanes {
            left: self,
            part: 0,
        }
    }

    /// These lanes without the others.
    #[inline(always)]
    #[must_use]
    pub fn and_not(self, other: Word) -> Word {
        self.zip(other, |left, right| left & !right)
    }

    /// The word, inverted if `invert`.
    #[inline(always)]
    #[must_use]
    pub fn inverted_if(self, invert: bool) -> Word {
        let mask = if invert { u64::MAX } else { 0 };
        Word(self.0.map(|part| part ^ mask))
    }

    #[inline(always)]
    fn zip(self, other: Word, operation: impl Fn(u64, u64) -> u64) -> Word {
        Word(std::array::from_fn(|part| {
            operation(self.0[part], other.0[part])
        }))
    }
}

/// The lanes of a word that are set and were not given yet.
struct SetLanes {
    left: Word,
    /// Parts before this one are used up.
    part: usize,
}

impl Iterator for SetLanes {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        while let Some(part) = self.left.0.get_mut(self.part) {
            if *part != 0 {
                let lane = self.part * 64 + part.trailing_zeros() as usize;
                *part &= *part - 1;
                return Some(lane);
            }
            self.part += 1;
        }
        None
    }
}

impl BitAnd for Word {
    type Output = Word;

    #[inline(always)]
    fn bitand(self, other: Word) -> Word {
        self.zip(other, |left, right| left & right)
    }
}

impl BitOr for Word {
    type Output = Word;

    #[inline(always)]
    fn bitor(self, other: Word) -> Word {
        self.zip(other, |left, right| left | right)
    }
}

impl BitXor for Word {
    type Output = Word;

    #[inline(always)]
    fn bitxor(self, other: Word) -> Word {
        self.zip(other, |left, right| left ^ right)
    }
}

impl Not for Word {
    type Output = Word;

    #[inline(always)]
    fn not(self) -> Word {
        self.inverted_if(true)
    }
}

impl BitAndAssign for Word {
    #[inline(always)]
    fn bitand_assign(&mut self, other: Word) {
        *self = *self & other;
    }
}

impl BitOrAssign for Word {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Word) {
        *self = *self | other;
    }
}

#[cfg(test)]
mod tests {
    use super::{LANES, Word};

    #[test]
    fn lanes_are_counted_from_the_first() {
        let mut word = Word::NONE;
        for lane in [0, 63, 64, 255] {
            word.set(lane, true);
        }
        assert_eq!(word.lanes().collect::<Vec<_>>(), [0, 63, 64, 255]);
        word.set(64, false);
        assert_eq!(word.count(), 3);
        assert!(!word.get(64) && word.get(255));
        word.set(LANES, true);
        assert_eq!(word.count(), 3);
        assert_eq!(
            Word::first(65).lanes().collect::<Vec<_>>(),
            (0..65).collect::<Vec<_>>()
        );
    }
}
