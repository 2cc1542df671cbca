//! A network laid out for propagation: where every gate is, and whom it feeds.

use std::ops::Range;

use super::recursion::Cycle;
use super::signals::Signals;
use super::tape::Tape;

/// The value of a node, or its opposite: the place of its bit among all words, then whether it is inverted, in the lowest bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tap(pub(super) u32);

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

/// A counted connection to a gate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    /// The gate.
    pub(super) slot: u32,
    /// What the gate's count of false inputs goes up by when the source becomes true: 1 if the wire is inverted, else -1.
    pub(super) step: i32,
}

/// What a source feeds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fan {
    /// A range of [`Circuit::edges`].
    pub(super) edges: Span,
    /// A range of [`Circuit::banks`].
    pub(super) banks: Span,
}

/// A range that takes little room.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) start: u32,
    pub(super) end: u32,
}

/// Gates of one word that share a guard.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bank {
    pub(super) word: usize,
    pub(super) gates: u64,
}

/// What is done in one go when the circuit runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// Words are swept.
    Words(Range<usize>),
    /// A recursive part is brought up to date.
    Cycle(usize),
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
        signals.words[self.first + place].current() ^ self.inverted[place]
    }

    pub(super) fn words<'a>(&'a self, signals: &'a Signals) -> impl Iterator<Item = u64> + 'a {
        let words = &signals.words[self.first..];
        words
            .iter()
            .zip(&self.inverted)
            .map(|(word, inverted)| word.current() ^ inverted)
    }
}

/// A network laid out for propagation.
#[derive(Debug)]
pub(super) struct Circuit {
    /// For each source, what it feeds. Sources are slots and, after these, moves.
    pub(super) fans: Vec<Fan>,
    pub(super) edges: Vec<Edge>,
    pub(super) banks: Vec<Bank>,
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
