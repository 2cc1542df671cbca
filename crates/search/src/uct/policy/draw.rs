//! Drawing by scores.

use paidia_game::Chance;

/// How a move is drawn by scores.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Draw {
    /// With probability proportional to exp(score / temperature).
    Gibbs {
        /// The temperature; low is greedy.
        temperature: f64,
    },
    /// The one with the highest score, but with this probability any.
    Greedy {
        /// How often any.
        epsilon: f64,
    },
}

impl Draw {
    /// A place that is drawn without looking at scores, where that is to be.
    #[inline]
    pub(super) fn without_scores(self, places: usize, chance: &mut Chance) -> Option<usize> {
        match self {
            Draw::Gibbs { .. } => None,
            Draw::Greedy { epsilon } => {
                let any = chance.fraction() < epsilon;
                any.then(|| chance.below(places as u32) as usize)
            }
        }
    }

    /// A place by its score. The scores are used up.
    pub(in crate::uct) fn by_scores(self, scores: &mut [f64], chance: &mut Chance) -> usize {
        match self {
            Draw::Gibbs { temperature } => gibbs(scores, temperature, chance),
            Draw::Greedy { .. } => highest(scores, chance),
        }
    }
}

pub(super) fn gibbs(scores: &mut [f64], temperature: f64, chance: &mut Chance) -> usize {
    // The highest score is taken off first, so that nothing overflows.
    let highest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut total = 0.0;
    for weight in &mut *scores {
        *weight = ((*weight - highest) / temperature).exp();
        total += *weight;
    }
    let mut left = chance.fraction() * total;
    let drawn = scores.iter().position(|&weight| {
        left -= weight;
        left < 0.0
    });
    drawn.unwrap_or(scores.len() - 1)
}

/// The place of the highest score, each of several equals as likely.
fn highest(scores: &[f64], chance: &mut Chance) -> usize {
    let (mut best, mut found, mut equals) = (f64::NEG_INFINITY, 0, 0u32);
    for (place, &score) in scores.iter().enumerate() {
        if score > best {
            (best, found, equals) = (score, place, 1);
        } else if score == best {
            equals += 1;
            if chance.below(equals) == 0 {
                found = place;
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::Draw;
    use paidia_game::Chance;

    fn frequencies(draw: Draw) -> [f64; 3] {
        let mut chance = Chance::from_seed(11);
        let mut counts = [0.0; 3];
        for _ in 0..20_000 {
            let any = draw.without_scores(3, &mut chance);
            let place = any.unwrap_or_else(|| draw.by_scores(&mut [20.0, 40.0, 50.0], &mut chance));
            counts[place] += 1.0 / 20_000.0;
        }
        counts
    }

    fn assert_near(measured: [f64; 3], expected: [f64; 3]) {
        for (measured, expected) in measured.iter().zip(expected) {
            assert!(
                (measured - expected).abs() < 0.015,
                "{measured} for {expected}"
            );
        }
    }

    #[test]
    fn sampling_follows_gibbs() {
        let weights = [(-3.0f64).exp(), (-1.0f64).exp(), 1.0];
        let total: f64 = weights.iter().sum();
        let expected = weights.map(|weight| weight / total);
        assert_near(frequencies(Draw::Gibbs { temperature: 10.0 }), expected);
    }

    #[test]
    fn cold_is_greedy_and_hot_is_uniform() {
        let cold = frequencies(Draw::Gibbs { temperature: 0.01 });
        assert_eq!(cold[..2], [0.0, 0.0]);
        assert_near(
            frequencies(Draw::Gibbs { temperature: 1e9 }),
            [1.0 / 3.0; 3],
        );
    }

    #[test]
    fn greedy_takes_the_best_but_sometimes_any() {
        let expected = [0.2 / 3.0, 0.2 / 3.0, 0.8 + 0.2 / 3.0];
        assert_near(frequencies(Draw::Greedy { epsilon: 0.2 }), expected);
    }
}
