//! Many short lists in one piece of memory.

/// A list for each of the keys 0, 1, 2, ...
#[derive(Clone, Debug, Default)]
pub(crate) struct Lists<T> {
    /// Where each list starts; the last entry is where the last list ends.
    pub(crate) starts: Vec<u32>,
    pub(crate) items: Vec<T>,
}

impl<T: Copy> Lists<T> {
    /// Sorts pairs of key and item into lists for the keys below `keys`; items keep their order.
    pub(crate) fn new(keys: usize, pairs: &[(u32, T)]) -> Self {
        let mut starts = vec![0u32; keys + 1];
        for &(key, _) in pairs {
            starts[key as usize + 1] += 1;
        }
        for key in 0..keys {
            starts[key + 1] += starts[key];
        }
        let mut items: Vec<T> = pairs.iter().map(|&(_, item)| item).collect();
        let mut ends = starts.clone();
        for &(key, item) in pairs {
            let end = &mut ends[key as usize];
            items[*end as usize] = item;
            *end += 1;
        }
        Self { starts, items }
    }

    /// The list of a key.
    #[inline]
    pub(crate) fn of(&self, key: usize) -> &[T] {
        &self.items[self.starts[key] as usize..self.starts[key + 1] as usize]
    }
}
