//! Bandits whose arms show only over time what they are worth: a test bed for selection strategies.
//!
//! After S. Gudmundsson and Y. Björnsson, "Sufficiency-Based Selection Strategy for Monte-Carlo
//! Tree Search" (GIGA 2013): the mean of an arm is a random walk, one step per trial, which ends at
//! the best or the worst return, the true value of the arm. The values of moves change in a similar
//! way while the tree below them grows. Arms are chosen by the code that chooses moves in a tree.

use paidia_game::Chance;

use crate::uct::select::{Selection, best};
use crate::uct::sufficiency::{Experience, Sufficiency};
use crate::uct::tree::Arm;

/// Steps from the middle to either end, and the most steps that a walk takes.
const HALF: i32 = 25;
const LONGEST: usize = 500;

/// Returns are from 0 to this.
const HIGHEST: f64 = 100.0;

/// What is seen of an arm when it is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// A win or a loss, with the arm's present mean as the probability of a win.
    Outcome,
    /// The present mean itself.
    Mean,
}

/// How arms are chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chooser {
    /// The constant C of UCT, for returns from 0 to 1.
    pub exploration: f64,
    /// The value above which an arm is good enough, if there is one.
    pub threshold: Option<f64>,
}

/// A number of arms, each with the walk of its mean.
#[derive(Clone, Debug)]
pub struct Bandit {
    /// The mean at each trial, in steps; from its end on it stays as it is.
    walks: Vec<Vec<u8>>,
}

impl Bandit {
    /// A bandit of `arms` arms, of which `winners`, at least one, win in the end.
    pub fn new(arms: usize, winners: usize, chance: &mut Chance) -> Self {
        let winners = winners.max(1);
        let walks = (0..arms).map(|arm| walk(arm < winners, chance));
        Self {
            walks: walks.collect(),
        }
    }

    /// Whether an arm wins in the end.
    fn wins(&self, arm: usize) -> bool {
        self.walks[arm].last().is_some_and(|&end| end > 0)
    }

    /// The mean of an arm when it is tried once more, from 0 to 1.
    fn mean(&self, arm: usize, trials: u32) -> f64 {
        let walk = &self.walks[arm];
        let place = (trials as usize).min(walk.len() - 1);
        f64::from(walk[place]) / f64::from(2 * HALF)
    }

    /// Tries arms; returns, for every `every` trials, whether the arm that looked best by then wins
    /// in the end.
    pub fn play(
        &self,
        chooser: Chooser,
        sight: Sight,
        trials: u32,
        every: u32,
        chance: &mut Chance,
    ) -> Vec<bool> {
        let arms: Vec<Arm> = self.walks.iter().map(|_| Arm::default()).collect();
        let selection = Selection::Uct {
            exploration: chooser.exploration * HIGHEST,
            growth: 0.0,
        };
        let greedy = selection.without_exploration();
        let sufficiency =
            chooser
                .threshold
                .map_or(Sufficiency::Never, |value| Sufficiency::Above {
                    threshold: value * HIGHEST,
                });
        let nothing = Experience::default();
        let mut found = Vec::new();
        for trial in 1..=trials {
            let selection = match sufficiency.is_met(&arms, &nothing, chance) {
                true => &greedy,
                false => &selection,
            };
            let arm = selection.select(arms.iter().enumerate(), trial - 1, chance);
            let mean = self.mean(arm, arms[arm].visits());
            arms[arm].add(HIGHEST * sight.sample(mean, chance));
            if trial % every == 0 {
                let values = arms.iter().enumerate().filter(|(_, arm)| arm.visits() > 0);
                let best = best(values, chance, |arm: &Arm| {
                    arm.total() / f64::from(arm.visits())
                });
                found.push(self.wins(best));
            }
        }
        found
    }
}

impl Sight {
    fn sample(self, mean: f64, chance: &mut Chance) -> f64 {
        match self {
            Sight::Outcome => f64::from(u8::from(chance.fraction() < mean)),
            Sight::Mean => mean,
        }
    }
}

/// A walk from the middle to the end where an arm wins, or to the one where it loses. Walks that go
/// elsewhere, or take too long, are not taken.
fn walk(wins: bool, chance: &mut Chance) -> Vec<u8> {
    let end = if wins { 2 * HALF } else { 0 };
    loop {
        let (mut place, mut walk) = (HALF, vec![HALF as u8]);
        while place % (2 * HALF) != 0 && walk.len() < LONGEST {
            place += 2 * chance.below(2) as i32 - 1;
            walk.push(place as u8);
        }
        if place == end {
            return walk;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Bandit, Chooser, HALF, LONGEST, Sight};
    use paidia_game::Chance;

    #[test]
    fn walks_go_step_by_step_to_their_ends() {
        let bandit = Bandit::new(10, 3, &mut Chance::from_seed(1));
        for (arm, walk) in bandit.walks.iter().enumerate() {
            assert!(walk.len() <= LONGEST && walk[0] == HALF as u8);
            assert!(walk.windows(2).all(|pair| pair[0].abs_diff(pair[1]) == 1));
            let inner = &walk[..walk.len() - 1];
            assert!(inner.iter().all(|&place| place > 0 && place < 50));
            let end = if arm < 3 { 1.0 } else { 0.0 };
            assert_eq!((bandit.mean(arm, 0), bandit.mean(arm, 9_999)), (0.5, end));
            assert_eq!(bandit.wins(arm), arm < 3);
        }
        let none = Bandit::new(4, 0, &mut Chance::from_seed(1));
        assert!(none.wins(0) && !none.wins(1), "there is always a winner");
    }

    #[test]
    fn a_winner_is_found_with_time() {
        let mut chance = Chance::from_seed(2);
        let bandit = Bandit::new(20, 6, &mut chance);
        for threshold in [None, Some(0.6)] {
            let chooser = Chooser {
                exploration: 0.4,
                threshold,
            };
            let mut found = [0; 2];
            for _ in 0..20 {
                let play = bandit.play(chooser, Sight::Outcome, 3_000, 1_000, &mut chance);
                assert_eq!(play.len(), 3);
                found[0] += u32::from(play[0]);
                found[1] += u32::from(play[2]);
            }
            assert!(found[1] >= 19 && found[0] <= found[1], "{found:?}");
        }
    }

    #[test]
    fn arms_are_tried_once_before_any_is_tried_twice() {
        let bandit = Bandit::new(7, 1, &mut Chance::from_seed(3));
        // With every arm tried once, and the mean seen, all look the same: each is as likely the
        // best.
        let chooser = Chooser {
            exploration: 0.4,
            threshold: None,
        };
        let mut chance = Chance::from_seed(4);
        let wins = (0..7_000).filter(|_| bandit.play(chooser, Sight::Mean, 7, 7, &mut chance)[0]);
        let wins = wins.count();
        assert!((850..1_150).contains(&wins), "{wins}");
    }
}
