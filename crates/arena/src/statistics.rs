//! Points, and how sure we are of them.
//!
//! Games give points from 0 to 1, mostly 0, ½ and 1. The interval of a mean is Wilson's, which is
//! good for few games and for means near 0 and 1, where the textbook's interval is not. Wilson's is
//! for games without draws; draws make a mean surer than wins and losses do. So it is taken for as
//! many games without draws as would be as sure: their number is the number of games times the
//! variance without draws over the variance that was seen, both after adding z²/2 wins and z²/2
//! losses, the same that Wilson's interval adds to its middle.
//!
//! Sums of several means, each with a weight, get their interval from those of the means (the
//! method of variance estimates recovery: G. Y. Zou and A. Donner, 2008): the distances from mean
//! to bound are added as standard errors are.

use serde::Serialize;

/// How far apart the two bounds are, in standard errors from the middle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interval {
    /// 95 of 100 such intervals hold the truth.
    TwoSided95,
    /// Each bound alone is right 95 times of 100.
    OneSided95,
}

impl Interval {
    fn z(self) -> f64 {
        match self {
            Interval::TwoSided95 => 1.959_963_985,
            Interval::OneSided95 => 1.644_853_627,
        }
    }
}

/// The results of a number of games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Tally {
    /// Games.
    pub games: u32,
    /// Games with all the points.
    pub wins: u32,
    /// Games with a part of the points.
    pub draws: u32,
    /// Games without points.
    pub losses: u32,
    sum: f64,
    squares: f64,
}

/// A value with its bounds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
}

impl Estimate {
    /// The quotient of two figures; `None` where the other may be nothing. Its interval comes from
    /// theirs, on the scale of logarithms: the distances from value to bound are added as standard
    /// errors are.
    pub(crate) fn over(self, other: Estimate) -> Option<Estimate> {
        if other.value <= 0.0 {
            return None;
        }
        let value = self.value / other.value;
        let distance = |near: f64, far: f64| match near > 0.0 && far > 0.0 {
            true => (near / far).ln(),
            false => f64::INFINITY,
        };
        let down = distance(self.value, self.low).hypot(distance(other.high, other.value));
        let up = distance(self.high, self.value).hypot(distance(other.value, other.low));
        let high = match self.value > 0.0 {
            true => value * up.exp(),
            // Nothing divided by something: at most what the bound allows.
            false => self.high / other.low,
        };
        Some(Estimate {
            value,
            low: value * (-down).exp(),
            high,
        })
    }
}

impl Tally {
    /// Adds a game.
    pub fn add(&mut self, points: f64) {
        self.games += 1;
        self.sum += points;
        self.squares += points * points;
        if points >= 1.0 {
            self.wins += 1;
        } else if points <= 0.0 {
            self.losses += 1;
        } else {
            self.draws += 1;
        }
    }

    /// The mean, from 0 to 1, with its interval; `None` without games.
    pub fn estimate(&self, interval: Interval) -> Option<Estimate> {
        if self.games == 0 {
            return None;
        }
        let games = f64::from(self.games);
        let square = interval.z() * interval.z();
        let middle = (self.sum + square / 2.0) / (games + square);
        let variance = (self.squares + square / 2.0) / (games + square) - middle * middle;
        let alike = games * middle * (1.0 - middle) / variance;
        Some(wilson(self.sum / games, alike, interval.z()))
    }
}

/// A share as a percentage.
pub(crate) fn percent(share: Estimate) -> Estimate {
    Estimate {
        value: share.value * 100.0,
        low: share.low * 100.0,
        high: share.high * 100.0,
    }
}

/// The mean of some numbers with its interval by their variance; `None` without numbers. Of one
/// number nothing tells how sure it is.
pub(crate) fn mean_of(numbers: &[f64], interval: Interval) -> Option<Estimate> {
    if numbers.is_empty() {
        return None;
    }
    let count = numbers.len() as f64;
    let value = numbers.iter().sum::<f64>() / count;
    let squares: f64 = numbers.iter().map(|number| (number - value).powi(2)).sum();
    let half = match numbers.len() {
        1 => f64::INFINITY,
        _ => interval.z() * (squares / (count - 1.0) / count).sqrt(),
    };
    Some(Estimate {
        value,
        low: value - half,
        high: value + half,
    })
}

/// Wilson's interval for a mean of `games` games that are won or lost.
fn wilson(mean: f64, games: f64, z: f64) -> Estimate {
    let square = z * z;
    let middle = (mean + square / (2.0 * games)) / (1.0 + square / games);
    let spread = mean * (1.0 - mean) / games + square / (4.0 * games * games);
    let half = z * spread.max(0.0).sqrt() / (1.0 + square / games);
    Estimate {
        value: mean,
        low: (middle - half).clamp(0.0, mean),
        high: (middle + half).clamp(mean, 1.0),
    }
}

/// `constant` plus each mean times its weight; `None` if one of them has no games.
pub(crate) fn weighted(
    constant: f64,
    parts: &[(f64, Tally)],
    interval: Interval,
) -> Option<Estimate> {
    let (mut value, mut below, mut above) = (constant, 0.0, 0.0);
    for (weight, tally) in parts {
        let mean = tally.estimate(interval)?;
        value += weight * mean.value;
        let (down, up) = (mean.value - mean.low, mean.high - mean.value);
        // A mean that counts negatively pulls the sum down by rising.
        let (down, up) = if *weight < 0.0 {
            (up, down)
        } else {
            (down, up)
        };
        below += (weight * down).powi(2);
        above += (weight * up).powi(2);
    }
    Some(Estimate {
        value,
        low: value - below.sqrt(),
        high: value + above.sqrt(),
    })
}

/// How likely it is that two equals differ at least as much as this: the exact sign test,
/// two-sided. Draws say nothing either way.
pub fn sign_test(wins: u32, losses: u32) -> f64 {
    let games = wins + losses;
    let fewer = wins.min(losses);
    // The logarithm of the probability of `k` wins in `games` games, for k = 0, 1, ... in turn.
    let mut logarithm = -f64::from(games) * std::f64::consts::LN_2;
    let mut tail = logarithm.exp();
    for won in 0..fewer {
        logarithm += (f64::from(games - won) / f64::from(won + 1)).ln();
        tail += logarithm.exp();
    }
    (2.0 * tail).min(1.0)
}

/// Holm's correction for asking several questions: of all that are called significant at some
/// level, one or more are wrong with at most that probability.
pub fn holm(chances: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..chances.len()).collect();
    order.sort_by(|&one, &other| chances[one].total_cmp(&chances[other]));
    let mut corrected = vec![0.0; chances.len()];
    let mut least: f64 = 0.0;
    for (before, &place) in order.iter().enumerate() {
        let asked = (chances.len() - before) as f64;
        least = least.max((chances[place] * asked).min(1.0));
        corrected[place] = least;
    }
    corrected
}

#[cfg(test)]
mod tests {
    use super::{Estimate, Interval, Tally, holm, mean_of, sign_test, weighted};
    use paidia_game::Chance;

    fn tally(wins: u32, draws: u32, losses: u32) -> Tally {
        let mut tally = Tally::default();
        for (count, points) in [(wins, 1.0), (draws, 0.5), (losses, 0.0)] {
            for _ in 0..count {
                tally.add(points);
            }
        }
        tally
    }

    #[track_caller]
    fn assert_interval(tally: Tally, low: f64, high: f64) {
        let estimate = tally.estimate(Interval::TwoSided95).unwrap();
        let close = (estimate.low - low).abs() < 5e-5 && (estimate.high - high).abs() < 5e-5;
        assert!(close, "{estimate:?}");
    }

    /// Figures of Newcombe's paper (Two-sided confidence intervals for the single proportion, 1998,
    /// Table I, method 3).
    #[test]
    fn without_draws_the_interval_is_wilsons() {
        assert_interval(tally(81, 0, 263 - 81), 0.2553, 0.3662);
        assert_interval(tally(15, 0, 148 - 15), 0.0624, 0.1605);
        assert_interval(tally(0, 0, 20), 0.0, 0.1611);
        assert_interval(tally(1, 0, 28), 0.0061, 0.1718);
    }

    #[test]
    fn quotients_have_intervals() {
        let estimate = |value, low, high| Estimate { value, low, high };
        let exact = estimate(2.0, 2.0, 2.0);
        let ratio = estimate(8.0, 4.0, 16.0).over(exact).unwrap();
        let close = |one: f64, other: f64| (one - other).abs() < 1e-9;
        assert!(close(ratio.value, 4.0) && close(ratio.low, 2.0) && close(ratio.high, 8.0));
        let both = estimate(8.0, 4.0, 16.0).over(estimate(2.0, 1.0, 4.0));
        let both = both.unwrap();
        assert!(both.low < ratio.low && both.high > ratio.high);
        let none = estimate(0.0, 0.0, 3.0).over(exact).unwrap();
        assert!(none.value == 0.0 && none.low == 0.0 && close(none.high, 1.5));
        assert_eq!(exact.over(estimate(0.0, 0.0, 1.0)), None);
    }

    #[test]
    fn no_games_no_estimate() {
        assert_eq!(tally(0, 0, 0).estimate(Interval::TwoSided95), None);
        assert_eq!(
            weighted(0.0, &[(1.0, tally(0, 0, 0))], Interval::TwoSided95),
            None
        );
    }

    #[test]
    fn draws_make_a_mean_surer() {
        let width = |tally: Tally| {
            let estimate = tally.estimate(Interval::TwoSided95).unwrap();
            estimate.high - estimate.low
        };
        let (none, half, all) = (tally(50, 0, 50), tally(25, 50, 25), tally(0, 100, 0));
        assert!(width(all) < width(half) && width(half) < width(none));
        // Half of the variance, so the width over the square root of two, nearly.
        assert!((width(none) / width(half) - std::f64::consts::SQRT_2).abs() < 0.05);
        assert!(width(tally(0, 3, 0)) > 0.5, "three draws prove nothing");
    }

    /// 4,000 times 40 games: an interval that is right 95 times of 100 is right between 93 and 98
    /// times here, for any truth.
    #[test]
    fn intervals_hold_the_truth_as_often_as_they_say() {
        let mut chance = Chance::from_seed(1);
        for (win, draw) in [(0.5, 0.0), (0.4, 0.3), (0.85, 0.1), (0.1, 0.8), (0.93, 0.0)] {
            let truth = win + draw / 2.0;
            let mut right = 0;
            for _ in 0..4000 {
                let mut tally = Tally::default();
                for _ in 0..40 {
                    let drawn = chance.fraction();
                    tally.add(if drawn < win {
                        1.0
                    } else if drawn < win + draw {
                        0.5
                    } else {
                        0.0
                    });
                }
                let estimate = tally.estimate(Interval::TwoSided95).unwrap();
                right += u32::from(estimate.low <= truth && truth <= estimate.high);
            }
            assert!(
                (3720..=3920).contains(&right),
                "{win} {draw}: {right} of 4000"
            );
        }
    }

    /// Newcombe's difference of proportions (Interval estimation for the difference between
    /// independent proportions, 1998, Table II, method 10) is the same method.
    #[test]
    fn differences_are_newcombes() {
        let check = |one: Tally, other: Tally, low: f64, high: f64| {
            let parts = [(1.0, one), (-1.0, other)];
            let estimate = weighted(0.0, &parts, Interval::TwoSided95).unwrap();
            let close = (estimate.low - low).abs() < 5e-5 && (estimate.high - high).abs() < 5e-5;
            assert!(close, "{estimate:?}");
        };
        check(tally(56, 0, 14), tally(48, 0, 32), 0.0524, 0.3339);
        check(tally(9, 0, 1), tally(3, 0, 7), 0.1705, 0.8090);
        check(tally(10, 0, 0), tally(0, 0, 10), 0.6075, 1.0);
    }

    #[test]
    fn means_have_the_interval_of_their_variance() {
        let estimate = mean_of(&[1.0, 3.0, 5.0, 7.0], Interval::TwoSided95).unwrap();
        let half = 1.959_963_985 * (20.0f64 / 3.0 / 4.0).sqrt();
        assert_eq!(estimate.value, 4.0);
        assert!((estimate.high - 4.0 - half).abs() < 1e-9);
        assert!((4.0 - estimate.low - half).abs() < 1e-9);
        let one = mean_of(&[2.0], Interval::TwoSided95).unwrap();
        assert!(one.high.is_infinite() && one.value == 2.0);
        assert_eq!(mean_of(&[], Interval::TwoSided95), None);
    }

    #[test]
    fn the_sign_test_is_exact() {
        assert_eq!(sign_test(0, 0), 1.0);
        assert_eq!(sign_test(3, 3), 1.0);
        assert!((sign_test(5, 0) - 2.0 / 32.0).abs() < 1e-12);
        assert!((sign_test(1, 9) - 2.0 * 11.0 / 1024.0).abs() < 1e-12);
        assert!(sign_test(4000, 3000) < 1e-30 && sign_test(4000, 3000) >= 0.0);
        assert!((sign_test(520, 480) - 0.2174).abs() < 1e-3);
    }

    #[test]
    fn holm_corrects_step_by_step() {
        let corrected = holm(&[0.01, 0.04, 0.03, 0.005]);
        let known = [0.03, 0.06, 0.06, 0.02];
        let pairs = corrected.iter().zip(known);
        assert!(
            pairs
                .clone()
                .all(|(one, other)| (one - other).abs() < 1e-12),
            "{corrected:?}"
        );
    }

    #[test]
    fn one_mean_keeps_its_interval() {
        let games = tally(30, 10, 20);
        let alone = games.estimate(Interval::OneSided95).unwrap();
        let sum = weighted(0.0, &[(1.0, games)], Interval::OneSided95).unwrap();
        assert!((alone.low - sum.low).abs() < 1e-12 && (alone.high - sum.high).abs() < 1e-12);
        let wider = games.estimate(Interval::TwoSided95).unwrap();
        assert!(wider.low < alone.low && alone.high < wider.high);
    }
}
