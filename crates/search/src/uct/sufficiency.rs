//! Enough is enough: a move that is good enough is taken without looking further.
//!
//! After S. Gudmundsson and Y. Björnsson, "Sufficiency-Based Selection Strategy for Monte-Carlo
//! Tree Search" (GIGA 2013): where some move of a state is worth more than a threshold, the
//! constant C of UCT is 0. The threshold is given, or found from the returns of simulations that
//! were won and of the others.

use paidia_game::Chance;

use super::tree::Arm;

/// When a move is good enough.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sufficiency {
    /// Never: plain UCT.
    Never,
    /// When it is worth more than this, on the scale of returns.
    Above {
        /// The threshold α.
        threshold: f64,
    },
    /// With a probability that depends on how far it is above the line between won simulations and
    /// others.
    Dynamic {
        /// Which way the probability goes.
        reading: Reading,
    },
}

/// The two ways to read the formula of the dynamic threshold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// As printed: the probability that a value is higher than the one at hand, which falls as
    /// moves become better.
    Printed,
    /// As meant: the probability that it is lower.
    Meant,
}

/// The least probability of plain UCT with a dynamic threshold.
const FLOOR: f64 = 0.1;

/// A running mean with its spread.
#[derive(Clone, Copy, Debug, Default)]
struct Spread {
    count: f64,
    mean: f64,
    squares: f64,
}

impl Spread {
    fn add(&mut self, value: f64) {
        self.count += 1.0;
        let before = value - self.mean;
        self.mean += before / self.count;
        self.squares += before * (value - self.mean);
    }

    fn deviation(&self) -> f64 {
        (self.squares / (self.count - 1.0).max(1.0)).sqrt()
    }
}

/// What one role has seen of returns.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Experience {
    wins: Spread,
    others: Spread,
    /// How far the best value at the root was above the line, after each simulation.
    excess: Spread,
}

impl Experience {
    /// A simulation returned a value; `best` is the best value at the root after it.
    pub(super) fn add(&mut self, value: f64, is_win: bool, best: Option<f64>) {
        match is_win {
            true => self.wins.add(value),
            false => self.others.add(value),
        }
        if let (Some(line), Some(best)) = (self.line(), best) {
            self.excess.add(best - line);
        }
    }

    /// The line between won simulations and others, nearer to the mean of those that are fewer;
    /// none before there are both.
    fn line(&self) -> Option<f64> {
        let (won, other) = (&self.wins, &self.others);
        let both = won.count > 0.0 && other.count > 0.0;
        both.then(|| (other.count * won.mean + won.count * other.mean) / (won.count + other.count))
    }

    /// How likely a move of this value is good enough.
    fn probability(&self, best: f64, reading: Reading) -> f64 {
        let deviation = self.excess.deviation();
        let Some(line) = self.line().filter(|_| deviation > 0.0) else {
            return 0.0;
        };
        let below = normal((best - line - self.excess.mean) / deviation);
        let sufficient = match reading {
            Reading::Printed => 1.0 - below,
            Reading::Meant => below,
        };
        sufficient.min(1.0 - FLOOR)
    }
}

impl Sufficiency {
    /// Whether the best of some moves is good enough for a role to look no further.
    pub(crate) fn is_met(self, arms: &[Arm], known: &Experience, chance: &mut Chance) -> bool {
        match self {
            Sufficiency::Never => false,
            Sufficiency::Above { threshold } => {
                best_value(arms).is_some_and(|best| best > threshold)
            }
            Sufficiency::Dynamic { reading } => best_value(arms)
                .is_some_and(|best| chance.fraction() < known.probability(best, reading)),
        }
    }
}

/// The best mean return of the moves that were tried.
pub(super) fn best_value(arms: &[Arm]) -> Option<f64> {
    let tried = arms.iter().filter(|arm| arm.visits() > 0);
    let values = tried.map(|arm| arm.total() / f64::from(arm.visits()));
    values.reduce(f64::max)
}

/// The probability that a normal variable is below a value, with an error below 8e-8 (Abramowitz
/// and Stegun, 26.2.17).
fn normal(value: f64) -> f64 {
    const FACTORS: [f64; 5] = [
        0.319_381_530,
        -0.356_563_782,
        1.781_477_937,
        -1.821_255_978,
        1.330_274_429,
    ];
    let step = 1.0 / (1.0 + 0.231_641_9 * value.abs());
    let sum = FACTORS
        .iter()
        .rev()
        .fold(0.0, |sum, factor| (sum + factor) * step);
    let density = (-value * value / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    let tail = density * sum;
    if value >= 0.0 { 1.0 - tail } else { tail }
}

#[cfg(test)]
mod tests {
    use super::{Experience, Reading, Spread, Sufficiency, normal};
    use crate::uct::tree::Arm;
    use paidia_game::{Chance, MoveId};

    fn arms(means: &[f64]) -> Vec<Arm> {
        let arm = |&mean: &f64| Arm::with(MoveId(0), 5, mean);
        means.iter().map(arm).collect()
    }

    #[test]
    fn a_threshold_switches() {
        let above = Sufficiency::Above { threshold: 60.0 };
        let is_met = |means: &[f64]| {
            above.is_met(
                &arms(means),
                &Experience::default(),
                &mut Chance::from_seed(1),
            )
        };
        assert!(is_met(&[20.0, 61.0]));
        assert!(!is_met(&[20.0, 59.0]));
        assert!(!is_met(&[]));
    }

    #[test]
    fn the_line_is_weighted_crosswise() {
        let spread = |count, mean| Spread {
            count,
            mean,
            squares: 0.0,
        };
        let known = Experience {
            wins: spread(3.0, 1.0),
            others: spread(1.0, 0.0),
            excess: Spread::default(),
        };
        assert_eq!(known.line(), Some(0.25));
        assert_eq!(Experience::default().line(), None);
    }

    #[test]
    fn plain_choice_keeps_a_tenth() {
        let mut known = Experience::default();
        for (value, is_win) in [(100.0, true), (0.0, false)] {
            known.add(value, is_win, None);
        }
        [10.0, 20.0, 30.0]
            .iter()
            .for_each(|&best| known.add(50.0, false, Some(best)));
        let high = |reading| known.probability(99.0, reading);
        assert_eq!(high(Reading::Meant), 0.9);
        assert!(high(Reading::Printed) < 1e-3);
        let mut chance = Chance::from_seed(4);
        let meant = Sufficiency::Dynamic {
            reading: Reading::Meant,
        };
        let moves = arms(&[99.0]);
        let met = (0..10_000)
            .filter(|_| meant.is_met(&moves, &known, &mut chance))
            .count();
        assert!((8_800..9_200).contains(&met), "{met}");
    }

    #[test]
    fn the_normal_distribution_is_known() {
        for (value, expected) in [
            (0.0, 0.5),
            (1.0, 0.841_344_75),
            (-1.96, 0.024_997_9),
            (3.0, 0.998_650_1),
        ] {
            assert!(
                (normal(value) - expected).abs() < 1e-6,
                "{value}: {}",
                normal(value)
            );
        }
    }
}
