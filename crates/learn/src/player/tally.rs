//! Numbers for all squares of a small board at once, a bit of each in one word.

use paidia_languages::board::Squares;

/// How often each square was added, up to 127 times.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    /// The bits of all numbers, the lowest first.
    planes: [Squares; 7],
}

impl Tally {
    /// Adds one to each square of a set.
    #[inline]
    pub(super) fn add(&mut self, mut set: Squares) {
        for plane in &mut self.planes {
            if set == 0 {
                return;
            }
            (*plane, set) = (*plane ^ set, *plane & set);
        }
        // A number that is full stays so.
        self.planes.iter_mut().for_each(|plane| *plane |= set);
    }

    /// The sum over all squares that were added, by what each number counts.
    #[inline]
    pub(super) fn sum(&self, of: impl Fn(usize) -> i32) -> i32 {
        let used = self.planes.iter().rposition(|&plane| plane != 0);
        let used = used.map_or(0, |last| last + 1);
        let mut sum = 0;
        for count in 1..1 << used {
            let mut equal = Squares::MAX;
            for (place, plane) in self.planes[..used].iter().enumerate() {
                equal &= if count >> place & 1 == 1 {
                    *plane
                } else {
                    !plane
                };
            }
            if equal != 0 {
                sum += equal.count_ones() as i32 * of(count);
            }
        }
        sum
    }

    /// On how many squares this is more, less those on which it is less.
    #[inline]
    pub(super) fn more_than(&self, other: &Tally) -> i32 {
        let (mut more, mut less) = (0, 0);
        for (one, other) in self.planes.iter().zip(&other.planes).rev() {
            let open = !(more | less);
            more |= open & one & !other;
            less |= open & other & !one;
        }
        more.count_ones() as i32 - less.count_ones() as i32
    }
}
