//! Sets of levels.

/// A set of levels of a nested search, which are numbered from 1, the lowest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Levels(u8);

impl Levels {
    /// The highest level there is. Each takes as many times longer as a game has moves, so it is
    /// out of reach in practice.
    pub const HIGHEST: u8 = 8;
    /// No level.
    pub const NONE: Self = Self(0);
    /// Every level.
    pub const ALL: Self = Self(u8::MAX);

    /// The set of some levels; those that there are not, are not in it.
    pub fn of(levels: &[u8]) -> Self {
        let bits = levels.iter().filter_map(|&level| bit(level));
        Self(bits.fold(0, |all, bit| all | bit))
    }

    /// Whether a level is in it.
    pub fn contains(self, level: u8) -> bool {
        bit(level).is_some_and(|bit| self.0 & bit != 0)
    }

    /// The levels that are in both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Whether every level of this set is in the other, too.
    pub fn is_within(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }
}

fn bit(level: u8) -> Option<u8> {
    (1..=Levels::HIGHEST)
        .contains(&level)
        .then(|| 1 << (level - 1))
}

#[cfg(test)]
mod tests {
    use super::Levels;

    #[test]
    fn levels_are_in_or_out() {
        let some = Levels::of(&[1, 3, 0, 9]);
        let inside: Vec<u8> = (0..=9).filter(|&level| some.contains(level)).collect();
        assert_eq!(inside, [1, 3]);
        assert!(some.is_within(Levels::ALL) && !Levels::ALL.is_within(some));
        assert_eq!(some.and(Levels::of(&[3, 4])), Levels::of(&[3]));
        assert!(Levels::NONE.is_within(some) && (1..=8).all(|level| Levels::ALL.contains(level)));
    }
}
