//! A network laid out for propagation: where every gate is, and which gates it feeds.

use std::ops::Range;

use super::recursion::Cycle;
use super::signals::Signals;
use super::tape::Tape;

/// A network laid out for propagation.
///
/// A *slot* is the place of a node's bit among all words. *Sources* are slots and, after these,
/// moves.
#[derive(Debug)]
pub(super) struct Circuit {
    /// For each source, what it feeds one by one.
    pub(super) fans: Vec<Fan>,
    pub(super) edges: Vec<Edge>,
    pub(super) banks: Vec<Bank>,
    /// For each word, how it is swept.
    pub(super) plans: Vec<Plan>,
    pub(super) joints: Vec<Joint>,
    pub(super) cycles: Vec<Cycle>,
    /// What follows a change of the state.
    pub(super) now: Vec<Stage>,
    /// What follows moves.
    pub(super) after: Vec<Stage>,
    /// Gates that only goals need.
    pub(super) tape: Tape,
    /// How many words the fluents fill; they are the first.
    pub(super) fluent_words: usize,
    /// For each role, the source of its first move.
    pub(super) moves: Vec<usize>,
    pub(super) legal: Vec<Row>,
    pub(super) next: Row,
    pub(super) percepts: Vec<Row>,
    pub(super) terminal: Tap,
    pub(super) goals: Vec<Vec<(i32, Tap)>>,
    /// The values of all nodes in the initial state before any move.
    pub(super) initial: Signals,
}

/// What a source feeds one by one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fan {
    /// A range of [`Circuit::edges`].
    pub(super) edges: Span,
    /// A range of [`Circuit::banks`].
    pub(super) banks: Span,
}

impl Fan {
    pub(super) fn is_empty(self) -> bool {
        self.edges.range().is_empty() && self.banks.range().is_empty()
    }
}

/// A connection to a gate that counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    /// The gate.
    pub(super) slot: u32,
    /// What the gate's count of false inputs goes up by when the source becomes true: 1 if the wire
    /// is inverted, else -1.
    pub(super) step: i32,
}

/// Gates of one word that share a guard: they are shut while it is false, or true if the wire is
/// inverted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bank {
    pub(super) word: u32,
    /// Which of the gates' guards it is.
    pub(super) guard: u32,
    pub(super) gates: u64,
}

/// How a word is swept.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Plan {
    /// A range of [`Circuit::joints`].
    pub(super) joints: Span,
    /// Gates that feed others one by one.
    pub(super) fanned: u64,
}

/// Gates of a word whose inputs have the same places in another word.
#[derive(Clone, Copy, Debug)]
pub(super) struct Joint {
    /// The word of the inputs.
    pub(super) word: u32,
    /// The inputs that are inverted on their way.
    pub(super) inverted: u64,
    /// The gates that have no such input.
    pub(super) others: u64,
}

/// A range that takes little room.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Span {
    pub(super) start: u32,
    pub(super) end: u32,
}

impl Span {
    #[inline]
    pub(super) fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// What is done in one go when the circuit runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// Words are swept.
    Words(Range<usize>),
    /// Words without joints are swept.
    PlainWords(Range<usize>),
    /// A recursive part is brought up to date.
    Cycle(usize),
}

/// The value of a node, or its opposite: its slot, then whether it is inverted, in the lowest bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tap(u32);

impl Tap {
    pub(super) fn new(slot: usize, inverted: bool) -> Self {
        Tap((slot as u32) << 1 | u32::from(inverted))
    }

    #[inline]
    pub(super) fn read(self, signals: &Signals) -> bool {
        let slot = (self.0 >> 1) as usize;
        let bit = (signals.words[slot / 64].value >> (slot % 64)) as u32;
        (bit ^ self.0) & 1 == 1
    }
}

/// Outputs in a row: their bits are those of whole words.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// The first word.
    pub(super) first: usize,
    /// For each word, the outputs that are the opposite of their gate.
    pub(super) inverted: Vec<u64>,
}

impl Row {
    /// The outputs of one word.
    #[inline]
    pub(super) fn word(&self, signals: &Signals, place: usize) -> u64 {
        signals.words[self.first + place].value ^ self.inverted[place]
    }

    /// The outputs of all words.
    #[inline]
    pub(super) fn words<'a>(&'a self, signals: &'a Signals) -> impl Iterator<Item = u64> + 'a {
        let words = signals.words[self.first..].iter().zip(&self.inverted);
        words.map(|(word, inverted)| word.value ^ inverted)
    }
}
