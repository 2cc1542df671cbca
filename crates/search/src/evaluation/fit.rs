//! Logistic regression on counts, by stochastic gradient descent with a rate of its own for each
//! weight (J. Duchi, E. Hazan, Y. Singer: Adaptive subgradient methods, 2011).

use paidia_game::Chance;

/// The rate, and how much a weight is drawn to nothing each time it is changed.
const RATE: f32 = 0.05;
const DECAY: f32 = 1e-4;

/// The most times that everything is gone through, and the most counts that are looked at in all.
const MOST_ROUNDS: usize = 60;
const MOST_COUNTS: usize = 150_000_000;

/// Rounds without a better prediction after which it ends.
const PATIENCE: usize = 5;

/// One sample of this number is not learnt from but predicted.
const CHECKED: usize = 8;

/// Samples: what they count, and what is to be predicted.
#[derive(Clone, Debug, Default)]
pub(super) struct Data {
    counts: Vec<(u32, f32)>,
    ends: Vec<u32>,
    /// The part of the points, from 0 to 1.
    labels: Vec<f32>,
}

impl Data {
    /// Adds a sample.
    pub(super) fn add(&mut self, counts: impl Iterator<Item = (u32, f32)>, label: f32) {
        self.counts.extend(counts);
        self.ends.push(self.counts.len() as u32);
        self.labels.push(label);
    }

    pub(super) fn len(&self) -> usize {
        self.labels.len()
    }

    fn counts(&self, sample: usize) -> &[(u32, f32)] {
        let start = match sample {
            0 => 0,
            _ => self.ends[sample - 1] as usize,
        };
        &self.counts[start..self.ends[sample] as usize]
    }
}

/// What was found.
#[derive(Clone, Debug)]
pub(super) struct Fit {
    pub(super) weights: Vec<f32>,
    pub(super) bias: f32,
    /// The correlation of predictions with labels, on samples that were not learnt from.
    pub(super) correlation: f64,
}

impl Fit {
    fn odds(&self, counts: &[(u32, f32)]) -> f32 {
        let terms = counts.iter();
        let terms = terms.map(|&(place, count)| self.weights[place as usize] * count);
        self.bias + terms.sum::<f32>()
    }
}

fn logistic(odds: f32) -> f32 {
    1.0 / (1.0 + (-odds).exp())
}

/// Fits weights of that many counts.
pub(super) fn fit(data: &Data, weights: usize, chance: &mut Chance) -> Fit {
    let mut fit = Fit {
        weights: vec![0.0; weights],
        bias: 0.0,
        correlation: 0.0,
    };
    let is_checked = |sample: &usize| sample % CHECKED == CHECKED - 1;
    let (checked, mut learnt): (Vec<usize>, Vec<usize>) = (0..data.len()).partition(is_checked);
    let mut squares = vec![1.0f32; weights];
    let mut bias_square = 1.0;
    let mut best = fit.clone();
    let mut least = loss(data, &checked, &fit);
    let mut since = 0;
    let rounds = MOST_COUNTS / data.counts.len().max(1);
    for _ in 0..rounds.clamp(4, MOST_ROUNDS) {
        chance.shuffle(&mut learnt);
        for &sample in &learnt {
            let counts = data.counts(sample);
            let wrong = logistic(fit.odds(counts)) - data.labels[sample];
            bias_square += wrong * wrong;
            fit.bias -= RATE * wrong / bias_square.sqrt();
            for &(place, count) in counts {
                let place = place as usize;
                let slope = wrong * count + DECAY * fit.weights[place];
                squares[place] += slope * slope;
                fit.weights[place] -= RATE * slope / squares[place].sqrt();
            }
        }
        let now = loss(data, &checked, &fit);
        if now < least {
            (least, since) = (now, 0);
            best.clone_from(&fit);
        } else {
            since += 1;
            if since == PATIENCE {
                break;
            }
        }
    }
    best.correlation = correlation(data, &checked, &best);
    best
}

/// The mean cross-entropy.
fn loss(data: &Data, samples: &[usize], fit: &Fit) -> f64 {
    let of = |&sample: &usize| {
        let chance = logistic(fit.odds(data.counts(sample))).clamp(1e-6, 1.0 - 1e-6);
        let label = data.labels[sample];
        -f64::from(label * chance.ln() + (1.0 - label) * (1.0 - chance).ln())
    };
    samples.iter().map(of).sum::<f64>() / samples.len().max(1) as f64
}

fn correlation(data: &Data, samples: &[usize], fit: &Fit) -> f64 {
    let count = samples.len().max(1) as f64;
    let pairs = || {
        samples.iter().map(|&sample| {
            let told = f64::from(logistic(fit.odds(data.counts(sample))));
            (told, f64::from(data.labels[sample]))
        })
    };
    let (told, came) = pairs().fold((0.0, 0.0), |sum, pair| (sum.0 + pair.0, sum.1 + pair.1));
    let (told, came) = (told / count, came / count);
    let (mut both, mut own, mut other) = (0.0, 0.0, 0.0);
    for (one, two) in pairs() {
        both += (one - told) * (two - came);
        own += (one - told).powi(2);
        other += (two - came).powi(2);
    }
    match own * other > 0.0 {
        true => both / (own * other).sqrt(),
        false => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::{Data, fit, logistic};
    use paidia_game::Chance;

    #[test]
    fn weights_that_made_the_labels_are_found_again() {
        let truth = [1.0f32, -0.5, 0.0];
        let mut chance = Chance::from_seed(1);
        let mut data = Data::default();
        for _ in 0..4_000 {
            let counts: Vec<f32> = truth.iter().map(|_| chance.below(4) as f32).collect();
            let odds: f32 = counts
                .iter()
                .zip(truth)
                .map(|(count, own)| count * own)
                .sum();
            data.add((0..).zip(counts), logistic(odds - 0.5));
        }
        let found = fit(&data, truth.len(), &mut chance);
        for (found, truth) in found.weights.iter().zip(truth) {
            assert!((found - truth).abs() < 0.15, "{found}");
        }
        assert!(found.correlation > 0.95);
    }
}
