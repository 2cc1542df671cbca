//! The seeded source of everything random.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A seeded generator: the same seed gives the same draws on every machine and in every version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chance {
    generator: Xoshiro256PlusPlus,
}

impl Chance {
    /// The generator that a seed names.
    pub fn from_seed(seed: u64) -> Self {
        Self {
            generator: Xoshiro256PlusPlus::seed_from_u64(seed),
        }
    }

    /// A generator whose draws do not overlap with those of `self`, for another thread.
    ///
    /// `self` goes on with other draws than it would have had.
    #[must_use]
    pub fn split(&mut self) -> Self {
        let other = self.clone();
        self.generator.jump();
        other
    }

    /// 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.generator.next_u64()
    }

    /// A number below `bound`, each equally likely; 0 if the bound is 0.
    ///
    /// Lemire's method: one multiplication almost always, and exact. (Daniel Lemire, Fast Random
    /// Integer Generation in an Interval, 2019.)
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        let mut product = (self.bits() >> 32) * u64::from(bound);
        if (product as u32) < bound {
            let threshold = bound.wrapping_neg() % bound;
            while (product as u32) < threshold {
                product = (self.bits() >> 32) * u64::from(bound);
            }
        }
        (product >> 32) as u32
    }

    /// An element of the slice, each equally likely. A slice of one element costs no draw.
    #[inline]
    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> Option<T> {
        match choices {
            [] => None,
            [only] => Some(*only),
            _ => Some(choices[self.below(choices.len() as u32) as usize]),
        }
    }

    /// Puts the elements in a random order, each equally likely.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u32 + 1) as usize);
        }
    }

    /// A number from 0 up to, not including, 1.
    pub fn fraction(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::Chance;

    #[test]
    fn a_seed_means_the_same_draws_for_ever() {
        let mut chance = Chance::from_seed(7);
        let draws: Vec<u32> = (0..8).map(|_| chance.below(10)).collect();
        assert_eq!(draws, [0, 1, 7, 4, 9, 4, 7, 3]);
    }

    #[test]
    fn draws_are_uniform() {
        // 60,000 throws of a die: chi-square with 5 degrees of freedom exceeds 20.5 once in a
        // thousand seeds.
        let mut chance = Chance::from_seed(1);
        let mut counts = [0f64; 6];
        for _ in 0..60_000 {
            counts[chance.below(6) as usize] += 1.0;
        }
        let chi_square: f64 = counts
            .iter()
            .map(|count| (count - 10_000.0).powi(2) / 10_000.0)
            .sum();
        assert!(chi_square < 20.5, "{counts:?}");
    }

    #[test]
    fn bounds_are_kept() {
        let mut chance = Chance::from_seed(3);
        assert_eq!(chance.below(0), 0);
        assert_eq!(chance.below(1), 0);
        assert!((0..1000).all(|_| chance.below(u32::MAX) < u32::MAX));
        assert!((0..1000).all(|_| (0.0..1.0).contains(&chance.fraction())));
        assert_eq!(chance.pick::<u8>(&[]), None);
    }

    #[test]
    fn every_order_is_as_likely() {
        // 6,000 shuffles of three: chi-square with 5 degrees of freedom exceeds 20.5 once in a
        // thousand seeds.
        let mut chance = Chance::from_seed(2);
        let mut counts = [0f64; 27];
        for _ in 0..6_000 {
            let mut items = [0, 1, 2];
            chance.shuffle(&mut items);
            counts[items[0] * 9 + items[1] * 3 + items[2]] += 1.0;
        }
        let seen = counts.iter().filter(|&&count| count > 0.0);
        let chi_square: f64 = seen.map(|count| (count - 1_000.0).powi(2) / 1_000.0).sum();
        assert_eq!(counts.iter().filter(|&&count| count > 0.0).count(), 6);
        assert!(chi_square < 20.5, "{counts:?}");
    }

    #[test]
    fn split_generators_differ() {
        let mut chance = Chance::from_seed(5);
        let mut other = chance.split();
        assert_ne!(chance.bits(), other.bits());
    }
}
