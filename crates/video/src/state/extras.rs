//! What few games have: timers, stocks, odd numbers, memories.

use crate::kind::TypeId;

/// What few games have.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Extras {
    pub(crate) timers: Vec<Timer>,
    pub(crate) stocks: Vec<Stock>,
    /// Bits of pairs of numbers: orientations beyond the usual, and speeds.
    pub(crate) numbers: Vec<(u64, u64)>,
    pub(crate) memories: Vec<Memory>,
    pub(crate) counters: Vec<i32>,
    /// Effects whose score does not apply at present; only some have such a memory.
    pub(crate) silent: Vec<u16>,
    /// What spawners make now, where an effect has changed it.
    pub(crate) spawns: Vec<(u16, TypeId, TypeId)>,
}

impl Extras {
    pub(super) fn is_empty(&self) -> bool {
        self.timers.is_empty()
            && self.stocks.is_empty()
            && self.numbers.is_empty()
            && self.memories.is_empty()
            && self.counters.is_empty()
            && self.silent.is_empty()
            && self.spawns.is_empty()
    }

    pub(super) fn copy(&mut self, other: &Self) {
        self.timers.clone_from(&other.timers);
        self.stocks.clone_from(&other.stocks);
        self.numbers.clone_from(&other.numbers);
        self.memories.clone_from(&other.memories);
        self.counters.clone_from(&other.counters);
        self.silent.clone_from(&other.silent);
        self.spawns.clone_from(&other.spawns);
    }
}

/// An effect that runs later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Timer {
    pub(crate) due: i32,
    pub(crate) effect: u16,
    pub(crate) wait: i32,
    pub(crate) repeating: bool,
    /// The type whose sprites it acts on, or none.
    pub(crate) kind: TypeId,
}

/// How much of a resource a sprite has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Stock {
    pub(crate) slot: u16,
    pub(crate) resource: TypeId,
    pub(crate) amount: i32,
}

/// What a chaser by paths remembers. (N-7)
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Memory {
    pub(crate) slot: u16,
    /// The sprite it is after; none once that is gone and only its place is known.
    pub(crate) target: u16,
    pub(crate) has_target: bool,
    pub(crate) place: (i32, i32, i16, i16),
    pub(crate) known: Option<(i32, i32)>,
    /// Whether the first of the list of targets is there.
    pub(crate) listed: bool,
}
