//! How good a move is, by its playouts.

/// A length that no playout reaches.
pub(super) const NO_BOUND: u32 = u32::MAX;

/// How good a move is: the sum over its playouts of what they are worth, from -1 to 1 each. How
/// soon they end counts only among moves that are equal in that, so that a quick draw is never
/// preferred to a slow win.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub(crate) struct Worth {
    value: f64,
    /// The sum of one divided by the length, or minus that where a playout is worth less than
    /// nothing; 0 if it does not count.
    haste: f64,
}

/// What came of a playout for the role whose move it tries.
#[derive(Clone, Copy, Debug)]
pub(super) struct End {
    /// From -1, the lowest goal, to 1, the highest.
    pub(super) value: f64,
    /// Joint moves from the choice on.
    pub(super) length: u32,
}

impl Worth {
    pub(super) fn add(&mut self, end: End, discounts: bool) {
        self.value += end.value;
        if discounts && end.value != 0.0 {
            self.haste += end.value.signum() / f64::from(end.length);
        }
    }

    /// Whether all of this number of playouts were won.
    pub(super) fn is_won(self, samples: u32) -> bool {
        self.value >= f64::from(samples)
    }

    /// The mean over this number of playouts.
    pub(super) fn mean(self, samples: u32) -> f64 {
        self.value / f64::from(samples)
    }

    /// With some playouts done, the length from which on the next one can make this move no better
    /// than the best so far, even if it is won and all that are left are won at once. With one
    /// playout a move that is the length of the quickest win.
    pub(super) fn useless_from(self, done: u32, best: Worth, samples: u32) -> u32 {
        if !best.is_won(samples) {
            return NO_BOUND;
        }
        if !self.is_won(done) {
            return 0;
        }
        let wanted = best.haste - self.haste - f64::from(samples - done - 1);
        if wanted <= 0.0 {
            return NO_BOUND;
        }
        // The quotient of a quotient may be off by its last digit.
        (1.0 / wanted - 1e-9).ceil() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::{End, NO_BOUND, Worth};

    fn worth(ends: &[(f64, u32)], discounts: bool) -> Worth {
        let mut worth = Worth::default();
        for &(value, length) in ends {
            worth.add(End { value, length }, discounts);
        }
        worth
    }

    #[test]
    fn a_discount_settles_ties_and_nothing_else() {
        let one = |value, length| worth(&[(value, length)], true);
        let best_first = [
            one(1.0, 2),
            one(1.0, 9),
            one(0.5, 1),
            one(0.0, 3),
            one(-1.0, 8),
            one(-1.0, 2),
        ];
        assert!(best_first.windows(2).all(|pair| pair[0] > pair[1]));
        assert_eq!(one(0.0, 3), one(0.0, 7));
        assert_eq!(worth(&[(1.0, 2)], false), worth(&[(1.0, 9)], false));
    }

    #[test]
    fn a_bound_is_the_length_of_the_quickest_win() {
        let none = Worth::default();
        for length in 1..2_000 {
            let best = worth(&[(1.0, length)], true);
            assert_eq!(none.useless_from(0, best, 1), length);
        }
        assert_eq!(none.useless_from(0, worth(&[(0.5, 3)], true), 1), NO_BOUND);
        assert_eq!(none.useless_from(0, worth(&[(1.0, 3)], false), 1), NO_BOUND);
    }

    #[test]
    fn with_several_playouts_a_bound_leaves_room_for_quick_ones_to_come() {
        let best = worth(&[(1.0, 2), (1.0, 2)], true);
        assert_eq!(Worth::default().useless_from(0, best, 2), NO_BOUND);
        // After a win in four moves only a win in one would be better: in two it would be 3/4.
        let slow = worth(&[(1.0, 4)], true);
        assert_eq!(slow.useless_from(1, best, 2), 2);
        let lost = worth(&[(-1.0, 4)], true);
        assert_eq!(lost.useless_from(1, best, 2), 0);
    }
}
