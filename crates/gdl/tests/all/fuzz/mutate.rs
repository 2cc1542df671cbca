//! Damaging texts at random.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::ops::Range;

/// What damaged texts are cut to.
const MAX_BYTES: usize = 4 << 10;

/// What matters to the readers, and what looks like it.
const PIECES: [&str; 64] = [
    "(",
    ")",
    "((",
    "))",
    ")(",
    "()",
    "<=",
    "(<=",
    "(<= ",
    "\n(",
    "\n(<=",
    ";",
    "; c\n",
    ";;; \n",
    "?",
    "?x",
    " ?x ",
    "and",
    "(or",
    "(not ",
    "not ",
    "distinct",
    "(distinct ?x ?y)",
    "true",
    "TERMINAL",
    "role",
    "\n",
    "\r\n",
    "\r",
    "\t",
    " ",
    "\u{feff}",
    "\u{a0}",
    "é",
    "☃",
    "İ",
    "'",
    "''",
    "'a b'",
    "_",
    "_'n'",
    "_X",
    ":-",
    "⇐",
    "<-",
    ".",
    ". ",
    "...",
    ",",
    "&",
    "∧",
    "|",
    "∨",
    "~",
    "¬",
    "\\+",
    "\\=",
    "≠",
    "%",
    "//",
    "/*",
    "*/",
    "-1",
    "0.5",
];

/// A stream of damaged texts that depends on nothing but its seed.
pub(crate) struct Mutator<'a> {
    random: Xoshiro256PlusPlus,
    seeds: &'a [String],
}

impl<'a> Mutator<'a> {
    pub(crate) fn new(seed: u64, seeds: &'a [String]) -> Self {
        let random = Xoshiro256PlusPlus::seed_from_u64(seed);
        Self { random, seeds }
    }

    /// One of the seeds, or a part of it, damaged in one to eight places.
    pub(crate) fn next_text(&mut self) -> String {
        let seed = self.below(self.seeds.len());
        let mut text = self.seeds[seed].clone().into_bytes();
        if self.below(2) == 0 {
            let part = self.range(&text, MAX_BYTES);
            text = text[part].to_vec();
        }
        for _ in 0..=self.below(8) {
            self.damage(&mut text);
        }
        text.truncate(MAX_BYTES);
        String::from_utf8_lossy(&text).into_owned()
    }

    fn damage(&mut self, text: &mut Vec<u8>) {
        let place = self.below(text.len() + 1);
        match self.below(8) {
            0 => drop(text.drain(self.range(text, 64))),
            1 => {
                let part = text[self.range(text, 256)].to_vec();
                insert(text, place, &part);
            }
            2 => {
                let piece = PIECES[self.below(PIECES.len())];
                let times = 1 + self.below(300);
                insert(text, place, piece.repeat(times).as_bytes());
            }
            3 => {
                let other = &self.seeds[self.below(self.seeds.len())];
                let part = self.range(other.as_bytes(), 512);
                insert(text, place, &other.as_bytes()[part]);
            }
            4 if place < text.len() => text[place] = self.random.next_u32() as u8,
            5 if place < text.len() => text[place] ^= 1 << self.below(8),
            _ => {
                let piece = PIECES[self.below(PIECES.len())];
                let end = text.len().min(place + self.below(4));
                text.splice(place..end, piece.bytes());
            }
        }
    }

    /// A range of the text, of at most that many bytes.
    fn range(&mut self, text: &[u8], longest: usize) -> Range<usize> {
        let start = self.below(text.len() + 1);
        let length = self.below(longest.min(text.len() - start) + 1);
        start..start + length
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.random.next_u64() % limit as u64) as usize
    }
}

fn insert(text: &mut Vec<u8>, place: usize, part: &[u8]) {
    text.splice(place..place, part.iter().copied());
}
