//! Goals on one scale, whatever range the rules declare.

use paidia_game::{GameFacts, RoleId};

/// Puts goals on the scale of returns, from 0 for the lowest goal of the game to 100 for the
/// highest, so that constants of searches mean the same in every game, and a discount is towards
/// the lowest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    lowest: f64,
    /// The distance from the lowest goal to the highest; not 0.
    span: f64,
    /// Whether returns are differences of two roles' goals.
    differences: bool,
}

impl Scale {
    /// The highest return.
    pub const HIGHEST: f64 = 100.0;
    /// The return of a game without a result.
    pub const MIDDLE: f64 = Self::HIGHEST / 2.0;

    /// The scale of a game in which each role's goal counts.
    pub fn new(facts: &GameFacts) -> Self {
        let (lowest, highest) = (*facts.goal_range.start(), *facts.goal_range.end());
        Self {
            lowest: f64::from(lowest),
            span: (f64::from(highest) - f64::from(lowest)).max(1.0),
            differences: false,
        }
    }

    /// The same scale for differences of goals.
    pub(crate) fn of_differences(self, differences: bool) -> Self {
        Self {
            differences,
            ..self
        }
    }

    /// A goal as a return.
    #[inline]
    pub fn return_of(self, goal: i32) -> f64 {
        (f64::from(goal) - self.lowest) * Self::HIGHEST / self.span
    }

    /// A mean return as a mean goal, or as a mean difference of goals.
    pub(crate) fn goal_of(self, value: f64) -> f64 {
        let goal = value * (self.span / Self::HIGHEST);
        match self.differences {
            true => goal,
            false => self.lowest + goal,
        }
    }
}

/// The two players whose goals are compared, in games of two.
pub(crate) fn pair(facts: &GameFacts) -> Option<(RoleId, RoleId)> {
    let mut players = facts.players();
    match (players.next(), players.next(), players.next()) {
        (Some(first), Some(second), None) => Some((first, second)),
        _ => None,
    }
}
