//! The generator of the original framework: a linear congruence with 48 bits of state.
//!
//! Recorded runs tell the whole state after every tick, so the order and the number of draws are
//! part of the rules. The algorithm is the one that the documentation of `java.util.Random` gives.

/// The multiplier of the congruence.
const MULTIPLIER: u64 = 0x5_DEEC_E66D;
/// What is added in each step.
const INCREMENT: u64 = 0xB;
/// The 48 bits of the state.
const MASK: u64 = (1 << 48) - 1;

/// A generator whose whole state is one number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The generator that a seed names.
    pub fn from_seed(seed: i64) -> Self {
        Self {
            state: (seed as u64 ^ MULTIPLIER) & MASK,
        }
    }

    /// The 48 bits from which everything later follows.
    pub fn state(self) -> u64 {
        self.state
    }

    /// The top bits of the next state, at most 32 of them.
    #[inline]
    fn next(&mut self, bits: u32) -> u32 {
        self.state = self.state.wrapping_mul(MULTIPLIER).wrapping_add(INCREMENT) & MASK;
        (self.state >> (48 - bits)) as u32
    }

    /// A number below `bound`, which must be at least 1.
    #[inline]
    pub fn below(&mut self, bound: i32) -> i32 {
        debug_assert!(bound > 0, "nothing is below {bound}");
        let mut drawn = self.next(31) as i32;
        if bound & (bound - 1) == 0 {
            return ((i64::from(bound) * i64::from(drawn)) >> 31) as i32;
        }
        loop {
            let rest = drawn % bound;
            // The last, incomplete run of remainders would favour small ones: it is drawn again.
            if drawn
                .checked_sub(rest)
                .and_then(|low| low.checked_add(bound - 1))
                .is_some()
            {
                return rest;
            }
            drawn = self.next(31) as i32;
        }
    }

    /// A number from 0 up to, not including, 1, with 24 bits.
    #[inline]
    pub fn float(&mut self) -> f64 {
        f64::from(self.next(24)) / f64::from(1 << 24)
    }

    /// A number from 0 up to, not including, 1, with 53 bits.
    #[inline]
    pub fn double(&mut self) -> f64 {
        let high = u64::from(self.next(26)) << 27;
        (high + u64::from(self.next(27))) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn draws_are_those_of_the_original() {
        let mut random = Random::from_seed(42);
        let fours: Vec<i32> = (0..8).map(|_| random.below(4)).collect();
        assert_eq!(fours, [2, 0, 2, 0, 1, 3, 1, 2]);
        let threes: Vec<i32> = (0..6).map(|_| random.below(3)).collect();
        assert_eq!(threes, [1, 2, 2, 2, 0, 0]);
        assert!((random.float() - 0.275_748).abs() < 1e-6);
        assert_eq!(
            random.double().to_bits(),
            0.690_425_760_502_421_3_f64.to_bits()
        );
        assert_eq!(random.below(1), 0);
        assert_eq!(random.below(1_000_000_007), 681_268_736);
        let large: Vec<i32> = (0..3).map(|_| random.below(2_000_000_000)).collect();
        assert_eq!(large, [1_974_241_400, 326_327_863, 937_357_226]);
        assert_eq!(random.state(), 122_861_286_444_036);
        let first = Random::from_seed(-5).double();
        assert_eq!(first.to_bits(), 0.269_300_957_969_324_85_f64.to_bits());
    }
}
