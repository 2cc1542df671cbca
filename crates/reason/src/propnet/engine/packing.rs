//! Packing gates into words so that no gate feeds another of its own word or an earlier one.

use std::ops::Range;

/// Words while they are filled.
#[derive(Debug, Default)]
pub(super) struct Packing {
    /// For each word, how many of its bits are taken.
    taken: Vec<u8>,
    /// For each word, itself if it has room, else a later word to look at.
    roomy: Vec<usize>,
    /// Words before this one are not used any more.
    first: usize,
}

impl Packing {
    /// How many words there are.
    pub(super) fn words(&self) -> usize {
        self.taken.len()
    }

    /// From now on only new words are used.
    pub(super) fn start_part(&mut self) {
        self.first = self.words();
    }

    /// New words for that many bits, which nothing else gets into.
    pub(super) fn fresh(&mut self, bits: usize) -> Range<usize> {
        let start = self.words();
        let end = start + bits.div_ceil(64);
        self.taken.resize(end, 64);
        self.roomy.extend(start + 1..=end);
        start..end
    }

    /// A bit in the first word with room that is not before `earliest`.
    pub(super) fn place(&mut self, earliest: usize) -> usize {
        let word = self.find_room(earliest.max(self.first));
        let slot = word * 64 + usize::from(self.taken[word]);
        self.taken[word] += 1;
        if self.taken[word] == 64 {
            self.roomy[word] = word + 1;
        }
        slot
    }

    /// A bit in the last word, or in a new one if that is full.
    pub(super) fn append(&mut self) -> usize {
        self.place(self.words().saturating_sub(1))
    }

    fn find_room(&mut self, earliest: usize) -> usize {
        let mut word = earliest;
        while word < self.words() && self.roomy[word] != word {
            word = self.roomy[word];
        }
        while self.words() <= word {
            self.roomy.push(self.words());
            self.taken.push(0);
        }
        // Whoever asks for this place again finds the way at once.
        let mut passed = earliest;
        while passed < word {
            passed = std::mem::replace(&mut self.roomy[passed], word);
        }
        word
    }
}
