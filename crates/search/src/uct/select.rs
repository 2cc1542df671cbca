//! How a move is chosen in the tree.

use paidia_game::Chance;

use super::rave::Rave;
use super::tree::Arm;

/// How a role chooses a move in a state of the tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Selection {
    /// The highest `Q + C * sqrt(ln N / n)`, untried moves first, ties at random (Kocsis and
    /// Szepesvári's UCT).
    Uct {
        /// The constant C, on the scale of the goals; the thesis has 40.
        exploration: f64,
        /// How C grows with the visits N of a state: `C * (1 + growth * ln(1 + N / 3000))`; the
        /// thesis has a constant, so 0.
        growth: f64,
    },
    /// UCT with what came of moves wherever they were made later.
    Rave(Rave),
    /// Every move is as likely.
    Random,
}

impl Selection {
    /// The same without a bonus for what was tried less.
    pub(crate) fn without_exploration(&self) -> Self {
        match *self {
            Selection::Uct { growth, .. } => Selection::Uct {
                exploration: 0.0,
                growth,
            },
            other => other,
        }
    }

    /// What a move counts more for having been tried so seldom, times the square root of how often,
    /// in a state with `visits` visits.
    #[inline]
    pub(super) fn bonus(&self, visits: u32) -> f64 {
        let Selection::Uct {
            exploration,
            growth,
        } = *self
        else {
            return 0.0;
        };
        let visits = f64::from(visits.max(1));
        let grown = match growth {
            0.0 => 1.0,
            growth => 1.0 + growth * (visits / MANY_VISITS).ln_1p(),
        };
        exploration * grown * visits.ln().sqrt()
    }

    /// The place of the chosen one of some moves with their places; `visits` is how often the state
    /// was visited.
    #[inline]
    pub(crate) fn select<'a>(
        &self,
        arms: impl Iterator<Item = (usize, &'a Arm)>,
        visits: u32,
        chance: &mut Chance,
    ) -> usize {
        match *self {
            // With RAVE moves are chosen elsewhere, where more is known about them.
            Selection::Random | Selection::Rave(_) => best(arms, chance, |_| 0.0),
            Selection::Uct { .. } => {
                let weight = self.bonus(visits);
                best(arms, chance, |arm| match arm.visits() {
                    0 => f64::INFINITY,
                    tried => {
                        // The same formula with one division.
                        let tried = f64::from(tried);
                        (arm.total() + weight * tried.sqrt()) / tried
                    }
                })
            }
        }
    }
}

/// Visits from which on a growing C grows noticeably.
const MANY_VISITS: f64 = 3_000.0;

/// The place of the arm with the highest score, each of several equals as likely.
#[inline]
pub(crate) fn best<T>(
    arms: impl Iterator<Item = (usize, T)>,
    chance: &mut Chance,
    score: impl Fn(T) -> f64,
) -> usize {
    let (mut best, mut found, mut equals) = (f64::NEG_INFINITY, 0, 0u32);
    for (place, arm) in arms {
        let value = score(arm);
        if value > best {
            (best, found, equals) = (value, place, 1);
        } else if value == best {
            equals += 1;
            // The k-th of equals replaces the choice with probability 1/k, which makes all of them
            // as likely.
            if chance.below(equals) == 0 {
                found = place;
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::Selection;
    use crate::uct::tree::Arm;
    use paidia_game::{Chance, MoveId};

    fn uct(exploration: f64) -> Selection {
        Selection::Uct {
            exploration,
            growth: 0.0,
        }
    }

    fn arms(statistics: &[(u32, f64)]) -> Vec<Arm> {
        let arm = |(index, &(visits, mean)): (usize, &(u32, f64))| {
            Arm::with(MoveId(index as u32), visits, mean)
        };
        statistics.iter().enumerate().map(arm).collect()
    }

    #[test]
    fn untried_moves_come_first_and_ties_are_uniform() {
        let (mut chance, arms) = (
            Chance::from_seed(3),
            arms(&[(5, 100.0), (0, 0.0), (0, 0.0), (0, 0.0)]),
        );
        let mut counts = [0u32; 4];
        for _ in 0..30_000 {
            counts[uct(40.0).select(arms.iter().enumerate(), 5, &mut chance)] += 1;
        }
        assert_eq!(counts[0], 0);
        // Chi-square with two degrees of freedom: 13.8 is passed by chance once in a thousand
        // seeds.
        let square: f64 = counts[1..]
            .iter()
            .map(|&count| (f64::from(count) - 10_000.0).powi(2) / 10_000.0)
            .sum();
        assert!(square < 13.8, "{counts:?}");
    }

    #[test]
    fn the_formula_is_that_of_uct() {
        let mut chance = Chance::from_seed(1);
        // 50 + 40 * sqrt(ln 100 / 50) = 62.1 against 20 + 40 * sqrt(ln 100 / 4) = 62.9
        let arms = arms(&[(50, 50.0), (4, 20.0)]);
        assert_eq!(
            uct(40.0).select(arms.iter().enumerate(), 100, &mut chance),
            1
        );
        assert_eq!(
            uct(30.0).select(arms.iter().enumerate(), 100, &mut chance),
            0
        );
    }

    #[test]
    fn a_growing_constant_tells_after_many_visits() {
        let mut chance = Chance::from_seed(1);
        let mut place = |growth, visits, statistics: &[(u32, f64)]| {
            let (exploration, arms) = (10.0, arms(statistics));
            let selection = Selection::Uct {
                exploration,
                growth,
            };
            selection.select(arms.iter().enumerate(), visits, &mut chance)
        };
        // 50 + 10 * sqrt(ln 30000 / 29900) = 50.2 against 40 + 10 * sqrt(ln 30000 / 100) = 43.2; C
        // grows 13 times: 1 + 5 * ln 11
        let many = [(29_900, 50.0), (100, 40.0)];
        assert_eq!(
            (place(0.0, 30_000, &many), place(5.0, 30_000, &many)),
            (0, 1)
        );
        let few = [(29, 50.0), (10, 43.0)];
        assert_eq!((place(0.0, 39, &few), place(5.0, 39, &few)), (0, 0));
    }
}
