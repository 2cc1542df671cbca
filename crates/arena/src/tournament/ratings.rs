//! Ratings: one number per player that explains the results.
//!
//! The model is Bradley's and Terry's: a player of strength `p` beats one of strength `q` with
//! probability `p / (p + q)`; a draw counts as half a win and half a loss. The strengths are those
//! under which the results are likeliest, found by Hunter's MM iteration (D. R. Hunter, MM
//! algorithms for generalized Bradley-Terry models, 2004). They are told on Elo's scale, where 400
//! points are odds of ten to one, with mean 0. Intervals come from the Fisher information: on the
//! scale of logarithms the covariance is the inverse of the information within the strengths whose
//! logarithms sum to 0.
//!
//! Likeliest strengths exist if from every player to every other a chain of wins or draws leads (L.
//! R. Ford, 1957); a player that never lost would be infinitely strong. Where they do not, every
//! two players get one drawn game more, and [`Ratings::bounded`] says so.

use serde::Serialize;

use crate::statistics::Estimate;

/// Points of Elo's scale for a factor of e.
const SCALE: f64 = 400.0 / std::f64::consts::LN_10;

/// How far the bounds of an interval are away, in standard errors.
const Z: f64 = 1.959_963_985;

/// The iteration ends when no strength changes by more than this part of it, or after `MAX_ROUNDS`.
const PRECISION: f64 = 1e-12;
const MAX_ROUNDS: usize = 200_000;

/// The ratings of some players.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ratings {
    /// For each player its rating with the 95 % interval.
    pub players: Vec<Estimate>,
    /// Whether drawn games were added, because the results alone bound no strength.
    pub bounded: bool,
}

/// Rates players by the points that each made against each: `points[i][j]` are those of `i` against
/// `j`. `None` if there were no games.
pub fn rate(points: &[Vec<f64>]) -> Option<Ratings> {
    let count = points.len();
    if count == 0 || points.iter().flatten().all(|&points| points == 0.0) {
        return None;
    }
    let bounded = !is_strongly_connected(points);
    let extra = if bounded { 0.5 } else { 0.0 };
    let against = |one: usize, other: usize| {
        if one == other {
            0.0
        } else {
            points[one][other] + extra
        }
    };
    let wins: Vec<Vec<f64>> = (0..count)
        .map(|one| (0..count).map(|other| against(one, other)).collect())
        .collect();
    let strengths = strengths(&wins);
    let errors = standard_errors(&wins, &strengths);
    let logarithms: Vec<f64> = strengths.iter().map(|strength| strength.ln()).collect();
    let mean = logarithms.iter().sum::<f64>() / count as f64;
    let estimate = |(logarithm, error): (&f64, f64)| {
        let value = SCALE * (logarithm - mean);
        let half = SCALE * Z * error;
        Estimate {
            value,
            low: value - half,
            high: value + half,
        }
    };
    let players = logarithms.iter().zip(errors).map(estimate).collect();
    Some(Ratings { players, bounded })
}

/// Whether from every player to every other a chain of wins or draws leads.
fn is_strongly_connected(points: &[Vec<f64>]) -> bool {
    let reaches_all = |beats: &dyn Fn(usize, usize) -> bool| {
        let mut reached = vec![false; points.len()];
        reached[0] = true;
        let mut open = vec![0];
        while let Some(one) = open.pop() {
            for (other, reached) in reached.iter_mut().enumerate() {
                if !*reached && beats(one, other) {
                    *reached = true;
                    open.push(other);
                }
            }
        }
        reached.into_iter().all(|reached| reached)
    };
    reaches_all(&|one, other| points[one][other] > 0.0)
        && reaches_all(&|one, other| points[other][one] > 0.0)
}

/// The likeliest strengths.
fn strengths(wins: &[Vec<f64>]) -> Vec<f64> {
    let count = wins.len();
    let totals: Vec<f64> = wins.iter().map(|row| row.iter().sum()).collect();
    let mut strengths = vec![1.0; count];
    for _ in 0..MAX_ROUNDS {
        let mut change: f64 = 0.0;
        for one in 0..count {
            let share = |other: usize| {
                let games = wins[one][other] + wins[other][one];
                games / (strengths[one] + strengths[other])
            };
            let shares: f64 = (0..count).filter(|&other| other != one).map(share).sum();
            if shares > 0.0 {
                let next = totals[one] / shares;
                change = change.max((next / strengths[one] - 1.0).abs());
                strengths[one] = next;
            }
        }
        if change < PRECISION {
            break;
        }
    }
    strengths
}

/// The standard errors of the logarithms of the strengths.
fn standard_errors(wins: &[Vec<f64>], strengths: &[f64]) -> Vec<f64> {
    let count = wins.len();
    let even = 1.0 / count as f64;
    // Adding `even` everywhere makes the information invertible, and changes nothing where the
    // logarithms sum to 0.
    let mut matrix = vec![vec![even; count]; count];
    for one in 0..count {
        for other in 0..count {
            if one == other {
                continue;
            }
            let games = wins[one][other] + wins[other][one];
            let chance = strengths[one] / (strengths[one] + strengths[other]);
            let information = games * chance * (1.0 - chance);
            matrix[one][one] += information;
            matrix[one][other] -= information;
        }
    }
    let inverse = inverse(matrix);
    let error = |place: usize| (inverse[place][place] - even).max(0.0).sqrt();
    (0..count).map(error).collect()
}

/// The inverse of a positive definite matrix, by Gauss and Jordan; such a matrix needs no pivots.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let count = matrix.len();
    let unit = |row: usize| (0..count).map(move |column| f64::from(u8::from(row == column)));
    let mut inverse: Vec<Vec<f64>> = (0..count).map(|row| unit(row).collect()).collect();
    for pivot in 0..count {
        let scale = 1.0 / matrix[pivot][pivot];
        for row in [&mut matrix[pivot], &mut inverse[pivot]] {
            row.iter_mut().for_each(|cell| *cell *= scale);
        }
        let (pivot_row, pivot_inverse) = (matrix[pivot].clone(), inverse[pivot].clone());
        for row in (0..count).filter(|&row| row != pivot) {
            let factor = matrix[row][pivot];
            for column in 0..count {
                matrix[row][column] -= factor * pivot_row[column];
                inverse[row][column] -= factor * pivot_inverse[column];
            }
        }
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::{SCALE, Z, rate};

    #[track_caller]
    fn assert_close(one: f64, other: f64, by: f64) {
        assert!((one - other).abs() < by, "{one} is not {other}");
    }

    #[test]
    fn of_two_players_all_is_known_in_closed_form() {
        let ratings = rate(&[vec![0.0, 30.0], vec![10.0, 0.0]]).unwrap();
        let [one, other] = ratings.players[..] else {
            panic!("there are two")
        };
        assert!(!ratings.bounded);
        assert_close(one.value - other.value, 400.0 * 3f64.log10(), 1e-6);
        assert_close(one.value + other.value, 0.0, 1e-9);
        // The logarithm of the odds has variance 1 / (n p q), and each player has half of it as
        // deviation.
        let error = (1.0 / (40.0 * 0.75 * 0.25f64)).sqrt() / 2.0;
        assert_close(one.high - one.value, SCALE * Z * error, 1e-6);
    }

    /// The worked example of Wikipedia's article on the Bradley-Terry model: strengths 0.139,
    /// 0.226, 0.143 and 0.492.
    #[test]
    fn a_known_example_comes_out() {
        let points = [
            vec![0.0, 2.0, 0.0, 1.0],
            vec![3.0, 0.0, 5.0, 0.0],
            vec![0.0, 3.0, 0.0, 1.0],
            vec![4.0, 0.0, 3.0, 0.0],
        ];
        let ratings = rate(&points).unwrap();
        let strengths: Vec<f64> = ratings
            .players
            .iter()
            .map(|rating| (rating.value / SCALE).exp())
            .collect();
        let sum: f64 = strengths.iter().sum();
        for (strength, known) in strengths.iter().zip([0.139, 0.226, 0.143, 0.492]) {
            assert_close(strength / sum, known, 5e-4);
        }
    }

    #[test]
    fn who_never_lost_gets_a_finite_rating_and_that_is_said() {
        let ratings = rate(&[vec![0.0, 4.0], vec![0.0, 0.0]]).unwrap();
        assert!(ratings.bounded);
        let gap = ratings.players[0].value - ratings.players[1].value;
        assert_close(gap, 400.0 * 9f64.log10(), 1e-6);
        // A player without opponents is rated as the others are, and very uncertain.
        let lonely = rate(&[vec![0.0, 5.0, 0.0], vec![5.0, 0.0, 0.0], vec![0.0; 3]]).unwrap();
        assert!(lonely.bounded && lonely.players[2].high > lonely.players[0].high);
        assert_eq!(rate(&[vec![0.0]]), None);
        assert_eq!(rate(&[]), None);
    }

    #[test]
    fn draws_make_equals() {
        let ratings = rate(&[vec![0.0, 5.0], vec![5.0, 0.0]]).unwrap();
        assert_close(ratings.players[0].value, 0.0, 1e-9);
    }
}
