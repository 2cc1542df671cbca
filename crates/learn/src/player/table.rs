//! What a search found out about positions, shared by its threads.

use std::sync::atomic::{AtomicU64, Ordering};

use paidia_languages::board::BoardMove;

/// A table of positions by their keys. Entries are two words that threads read and write without
/// locks; one that was written by two of them at once does not fit its key and is ignored. (Robert
/// Hyatt and Timothy Mann, A Lock-less Transposition Table Implementation, 2002.)
pub struct Table {
    entries: Vec<[AtomicU64; 2]>,
}

/// What is known about the value of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// It is at least this.
    Lower,
    /// It is at most this.
    Upper,
    /// It is this.
    Exact,
}

/// What was found out about a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) value: i32,
    pub(super) depth: i32,
    pub(super) bound: Bound,
    pub(super) best: BoardMove,
}

impl Table {
    /// A table of about that many bytes.
    pub fn new(bytes: usize) -> Self {
        let most = (bytes / 16).max(1024);
        let size = 1usize << most.ilog2();
        let entries = (0..size).map(|_| [AtomicU64::new(0), AtomicU64::new(0)]);
        Self {
            entries: entries.collect(),
        }
    }

    fn at(&self, key: u64) -> &[AtomicU64; 2] {
        &self.entries[key as usize & (self.entries.len() - 1)]
    }

    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<Entry> {
        let [check, data] = self.at(key).each_ref();
        let data = data.load(Ordering::Relaxed);
        if check.load(Ordering::Relaxed) ^ data != key || data == 0 {
            return None;
        }
        Some(Entry {
            value: data as u32 as i32,
            depth: (data >> 32 & 0xff) as i32,
            bound: match data >> 40 & 3 {
                1 => Bound::Lower,
                2 => Bound::Upper,
                _ => Bound::Exact,
            },
            best: BoardMove {
                from: (data >> 42 & 0x3ff) as u16,
                to: (data >> 52 & 0x3ff) as u16,
            },
        })
    }

    #[inline]
    pub(super) fn put(&self, key: u64, entry: Entry) {
        let bound = match entry.bound {
            Bound::Lower => 1,
            Bound::Upper => 2,
            Bound::Exact => 3,
        };
        let data = u64::from(entry.value as u32)
            | (entry.depth.clamp(0, 255) as u64) << 32
            | bound << 40
            | u64::from(entry.best.from) << 42
            | u64::from(entry.best.to) << 52;
        let [check, place] = self.at(key).each_ref();
        check.store(key ^ data, Ordering::Relaxed);
        place.store(data, Ordering::Relaxed);
    }

    /// Forgets everything.
    pub fn clear(&self) {
        for entry in &self.entries {
            entry
                .iter()
                .for_each(|word| word.store(0, Ordering::Relaxed));
        }
    }
}
