//! What waits to be looked at again, in the order of levels.
//!
//! A *bucket* holds what has one level and is needed by the same questions. Buckets are numbered by
//! level, and a question goes through those that it needs from the lowest on: what is looked at
//! puts only what stands higher in the queue. An *item* is an atom, or a region (a number from the
//! number of atoms on).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{QUESTIONS, Question, Questions};

/// Where items wait.
#[derive(Debug)]
pub(super) struct Buckets {
    /// For each bucket, the questions that need it.
    uses: Vec<Questions>,
    /// For each bucket, where its items stand in a list of all; one more entry than there are
    /// buckets.
    starts: Vec<u32>,
    /// For each question, the buckets that it needs, as bits.
    asked: [Vec<u64>; QUESTIONS],
    /// How many items there are, waiting or not.
    items: usize,
}

/// The level and the questions of a bucket.
pub(super) type Key = (u32, Questions);

impl Buckets {
    /// The buckets for pairs of key and item, and for each pair its bucket.
    pub(super) fn new(pairs: &[(Key, u32)], items: usize) -> (Self, Vec<u32>) {
        let mut keys: Vec<Key> = pairs.iter().map(|&(key, _)| key).collect();
        keys.sort_unstable();
        keys.dedup();
        let bucket = |key: &Key| keys.partition_point(|other| other < key);
        let mut different = pairs.to_vec();
        different.sort_unstable();
        different.dedup();
        let mut starts = vec![0; keys.len() + 1];
        for (key, _) in &different {
            starts[bucket(key) + 1] += 1;
        }
        for place in 1..starts.len() {
            starts[place] += starts[place - 1];
        }
        let words = keys.len().div_ceil(64);
        let asked = std::array::from_fn(|question| {
            let mut bits = vec![0; words];
            for (number, &(_, uses)) in keys.iter().enumerate() {
                bits[number / 64] |= u64::from(uses >> question & 1) << (number % 64);
            }
            bits
        });
        let of_pairs = pairs.iter().map(|(key, _)| bucket(key) as u32).collect();
        let this = Self {
            uses: keys.iter().map(|&(_, uses)| uses).collect(),
            starts,
            asked,
            items,
        };
        (this, of_pairs)
    }
}

/// The items that wait.
#[derive(Clone, Debug)]
pub(super) enum Queue {
    /// A list for each bucket, every item at most once.
    Lists(Waiting),
    /// A heap for each question, items as often as they were pushed.
    Heaps([BinaryHeap<Reverse<(u32, u32)>>; QUESTIONS]),
}

/// A list of items for each bucket.
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    /// The buckets that are not empty, as bits.
    filled: Vec<u64>,
    /// For each bucket, where its list ends.
    ends: Vec<u32>,
    lists: Vec<u32>,
    /// For each item, whether it waits.
    waits: Vec<bool>,
}

impl Queue {
    /// An empty queue, with lists or with heaps.
    pub(super) fn new(buckets: &Buckets, lists: bool) -> Self {
        if !lists {
            return Queue::Heaps(Default::default());
        }
        let count = buckets.uses.len();
        Queue::Lists(Waiting {
            filled: vec![0; count.div_ceil(64)],
            ends: buckets.starts[..count].to_vec(),
            lists: vec![0; buckets.starts[count] as usize],
            waits: vec![false; buckets.items],
        })
    }

    /// Puts an item in a bucket.
    #[inline]
    pub(super) fn push(&mut self, buckets: &Buckets, bucket: u32, item: u32) {
        match self {
            Queue::Lists(waiting) => waiting.push(bucket as usize, item),
            Queue::Heaps(heaps) => {
                let uses = buckets.uses[bucket as usize];
                let needed = |&(question, _): &(usize, _)| uses >> question & 1 == 1;
                for (_, heap) in heaps.iter_mut().enumerate().filter(needed) {
                    heap.push(Reverse((bucket, item)));
                    if heap.len() > 64 + 2 * buckets.items {
                        drop_repeated(heap);
                    }
                }
            }
        }
    }

    /// The lowest bucket that a question needs and that is not empty.
    #[inline]
    pub(super) fn first(&self, buckets: &Buckets, question: Question) -> Option<u32> {
        match self {
            Queue::Lists(waiting) => waiting.first(&buckets.asked[question as usize]),
            Queue::Heaps(heaps) => {
                let next = heaps[question as usize].peek();
                next.map(|&Reverse((bucket, _))| bucket)
            }
        }
    }

    /// Takes an item out of the bucket that [`Self::first`] gave.
    #[inline]
    pub(super) fn take(
        &mut self,
        buckets: &Buckets,
        bucket: u32,
        question: Question,
    ) -> Option<u32> {
        match self {
            Queue::Lists(waiting) => waiting.take(buckets, bucket as usize),
            Queue::Heaps(heaps) => {
                let heap = &mut heaps[question as usize];
                let next = heap.peek().filter(|next| next.0.0 == bucket);
                let item = next.map(|next| next.0.1)?;
                heap.pop();
                Some(item)
            }
        }
    }
}

/// Keeps a heap that no question empties from growing without end.
fn drop_repeated(heap: &mut BinaryHeap<Reverse<(u32, u32)>>) {
    let mut items = std::mem::take(heap).into_vec();
    items.sort_unstable();
    items.dedup();
    *heap = items.into();
}

impl Waiting {
    #[inline]
    fn push(&mut self, bucket: usize, item: u32) {
        if std::mem::replace(&mut self.waits[item as usize], true) {
            return;
        }
        let end = &mut self.ends[bucket];
        self.lists[*end as usize] = item;
        *end += 1;
        self.filled[bucket / 64] |= 1 << (bucket % 64);
    }

    #[inline]
    fn first(&self, asked: &[u64]) -> Option<u32> {
        let words = self.filled.iter().zip(asked).zip((0..).step_by(64));
        for ((filled, asked), first) in words {
            let ready = filled & asked;
            if ready != 0 {
                return Some(first + ready.trailing_zeros());
            }
        }
        None
    }

    #[inline]
    fn take(&mut self, buckets: &Buckets, bucket: usize) -> Option<u32> {
        let end = &mut self.ends[bucket];
        if *end == buckets.starts[bucket] {
            self.filled[bucket / 64] &= !(1 << (bucket % 64));
            return None;
        }
        *end -= 1;
        let item = self.lists[*end as usize];
        self.waits[item as usize] = false;
        Some(item)
    }
}
