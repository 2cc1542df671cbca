//! Storage that several threads fill and read at once, in pieces that never move.
//!
//! A piece is made when the first element in it is needed, and paid for out of a budget that all
//! storage of a tree shares: when the budget is empty, nothing more is added. Elements are atomic
//! numbers inside, so that everything here is ordinary safe code.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Bytes that may still be spent.
#[derive(Debug)]
pub(super) struct MemoryBudget {
    limit: usize,
    spent: AtomicUsize,
}

impl MemoryBudget {
    pub(super) fn new(limit: usize) -> Self {
        Self {
            limit,
            spent: AtomicUsize::new(0),
        }
    }

    pub(super) fn limit(&self) -> usize {
        self.limit
    }

    pub(super) fn spent(&self) -> usize {
        self.spent.load(Ordering::Relaxed)
    }

    /// Takes this number of bytes, unless that is more than there is. The first piece of everything
    /// is always paid for.
    fn pay(&self, bytes: usize, is_first: bool) -> bool {
        let before = self.spent.fetch_add(bytes, Ordering::Relaxed);
        let enough = before + bytes <= self.limit || is_first;
        if !enough {
            self.spent.fetch_sub(bytes, Ordering::Relaxed);
        }
        enough
    }

    fn pay_back(&self, bytes: usize) {
        self.spent.fetch_sub(bytes, Ordering::Relaxed);
    }
}

/// Something that several threads write, alone in its lines of the cache, so that reads of its
/// neighbours do not wait for the writes.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(super) struct CacheAligned<T>(pub(super) T);

/// Elements by number, in pieces of equal length.
#[derive(Debug)]
pub(super) struct Store<T> {
    pieces: Box<[OnceLock<Box<[T]>>]>,
    /// Each piece has two to this power elements.
    bits: u32,
    /// What an element costs, with what hangs on it.
    cost: usize,
    len: CacheAligned<AtomicUsize>,
}

impl<T: Default> Store<T> {
    /// Storage for as many elements as the budget can pay, in pieces of `2^bits`, each element at a
    /// cost in bytes.
    pub(super) fn new(bits: u32, cost: usize, budget: &MemoryBudget) -> Self {
        let most = budget.limit() / cost / (1 << bits) + 2;
        Self {
            pieces: (0..most).map(|_| OnceLock::new()).collect(),
            bits,
            cost,
            len: CacheAligned::default(),
        }
    }

    /// How many elements are in use.
    pub(super) fn len(&self) -> usize {
        self.len.0.load(Ordering::Relaxed)
    }

    /// Takes `count` elements in a row, all in one piece; the number of the first, or `None` if
    /// they cannot be paid for.
    pub(super) fn take(&self, count: usize, budget: &MemoryBudget) -> Option<u32> {
        if count > 1 << self.bits {
            return None;
        }
        let advance = |len| {
            let end = self.place(len, count) + count;
            u32::try_from(end).is_ok().then_some(end)
        };
        let before = self
            .len
            .0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, advance);
        let before = before.ok()?;
        let first = self.place(before, count);
        if count == 0 || self.has_piece(first >> self.bits, budget) {
            return Some(first as u32);
        }
        // Another thread may have taken elements after these; then these are lost until the next
        // collection.
        let _ = self.len.0.compare_exchange(
            first + count,
            before,
            Ordering::Relaxed,
            Ordering::Relaxed,
        );
        None
    }

    /// Whether there is such an element: of those that could not be paid for, the number may be
    /// counted.
    pub(super) fn exists(&self, index: u32) -> bool {
        let piece = self.pieces.get(index as usize >> self.bits);
        piece.is_some_and(|piece| piece.get().is_some())
    }

    /// Where `count` elements in a row go if `len` are in use. What is left of a piece stays empty
    /// if it is too little.
    pub(super) fn place(&self, len: usize, count: usize) -> usize {
        let size = 1 << self.bits;
        match len % size + count <= size {
            true => len,
            false => len.next_multiple_of(size),
        }
    }

    /// Sees to it that a piece is there.
    fn has_piece(&self, piece: usize, budget: &MemoryBudget) -> bool {
        let Some(place) = self.pieces.get(piece) else {
            return false;
        };
        if place.get().is_some() {
            return true;
        }
        let bytes = self.cost << self.bits;
        if !budget.pay(bytes, piece == 0) {
            return false;
        }
        let elements = (0..1usize << self.bits).map(|_| T::default()).collect();
        if place.set(elements).is_err() {
            // Another thread was quicker.
            budget.pay_back(bytes);
        }
        true
    }

    /// An element that was taken.
    #[inline]
    pub(super) fn get(&self, index: u32) -> &T {
        let index = index as usize;
        &self.piece(index >> self.bits)[index & ((1 << self.bits) - 1)]
    }

    #[inline]
    fn piece(&self, piece: usize) -> &[T] {
        match self.pieces[piece].get() {
            Some(elements) => elements,
            None => &[],
        }
    }

    /// Elements that were taken in a row, from `start` up to, not including, `end`.
    #[inline]
    pub(super) fn row(&self, start: u32, end: u32) -> &[T] {
        let first = start as usize & ((1 << self.bits) - 1);
        &self.piece(start as usize >> self.bits)[first..first + (end - start) as usize]
    }

    /// Keeps the first `len` elements only, and gives up the pieces that nothing is left in.
    pub(super) fn truncate(&mut self, len: usize, budget: &MemoryBudget) {
        *self.len.0.get_mut() = len;
        let used = len.div_ceil(1 << self.bits).max(1);
        for place in self.pieces.iter_mut().skip(used) {
            if place.take().is_some() {
                budget.pay_back(self.cost << self.bits);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{MemoryBudget, Store};
    use std::sync::atomic::{AtomicU32, Ordering};

    #[test]
    fn rows_lie_in_one_piece() {
        let budget = MemoryBudget::new(10_000);
        let store: Store<AtomicU32> = Store::new(3, 4, &budget);
        assert_eq!(store.take(6, &budget), Some(0));
        assert_eq!(store.take(2, &budget), Some(6));
        assert_eq!(store.take(3, &budget), Some(8));
        assert_eq!(store.take(6, &budget), Some(16));
        assert_eq!(store.take(9, &budget), None);
        for index in 16..22 {
            store.get(index).store(index, Ordering::Relaxed);
        }
        let row = store.row(17, 22);
        let row: Vec<u32> = row
            .iter()
            .map(|element| element.load(Ordering::Relaxed))
            .collect();
        assert_eq!(row, (17..22).collect::<Vec<u32>>());
        assert!(store.row(7, 7).is_empty());
    }

    #[test]
    fn an_empty_purse_adds_nothing() {
        let budget = MemoryBudget::new(100);
        let mut store: Store<AtomicU32> = Store::new(3, 4, &budget);
        let mut taken = 0;
        while store.take(1, &budget).is_some() {
            taken += 1;
        }
        assert_eq!(taken, 24);
        assert_eq!(budget.spent(), 96);
        store.truncate(9, &budget);
        assert_eq!(budget.spent(), 64);
        assert_eq!(store.take(7, &budget), Some(9));
    }

    #[test]
    fn threads_take_different_elements() {
        let budget = MemoryBudget::new(1 << 20);
        let store: Store<AtomicU32> = Store::new(4, 4, &budget);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..500 {
                        let first = store.take(3, &budget).unwrap();
                        for index in first..first + 3 {
                            store.get(index).fetch_add(1, Ordering::Relaxed);
                        }
                    }
                });
            }
        });
        // Of sixteen elements of a piece, a row of three leaves one over.
        assert_eq!(store.len(), 6_000 / 15 * 16 - 1);
        let taken = (0..store.len() as u32).map(|index| store.get(index).load(Ordering::Relaxed));
        assert!(taken.clone().all(|times| times <= 1));
        assert_eq!(taken.sum::<u32>(), 6_000);
    }
}
