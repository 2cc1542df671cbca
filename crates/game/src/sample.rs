//! Numbers that were drawn at random: their mean, how far they spread, and whether two lots of them
//! can come from one source.

/// A lot of whole numbers, of which only sums are kept.
///
/// The sums are exact, so it does not matter in which order numbers are added or parts merged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sample {
    count: u64,
    sum: i128,
    squares: u128,
}

impl Sample {
    /// That many numbers with these sums.
    pub(crate) fn of_sums(count: u64, sum: i128, squares: u128) -> Self {
        Self {
            count,
            sum,
            squares,
        }
    }

    /// Adds a number.
    #[inline]
    pub fn add(&mut self, value: i64) {
        self.count += 1;
        self.sum += i128::from(value);
        self.squares += u128::from(value.unsigned_abs()).pow(2);
    }

    /// Adds a number that many times.
    pub fn add_times(&mut self, value: i64, times: u64) {
        self.count += times;
        self.sum += i128::from(value) * i128::from(times);
        self.squares += u128::from(value.unsigned_abs()).pow(2) * u128::from(times);
    }

    /// Adds all numbers of another sample.
    pub fn merge(&mut self, other: Sample) {
        self.count += other.count;
        self.sum += other.sum;
        self.squares += other.squares;
    }

    /// How many numbers there are.
    pub fn count(self) -> u64 {
        self.count
    }

    /// Their mean, if there are any.
    pub fn mean(self) -> Option<f64> {
        (self.count > 0).then(|| self.sum as f64 / self.count as f64)
    }

    /// Their variance, estimated for the source that they were drawn from; needs two numbers.
    pub fn variance(self) -> Option<f64> {
        let mean = self.mean().filter(|_| self.count > 1)?;
        let count = self.count as f64;
        // Rounding can leave a little less than nothing.
        let spread = (self.squares as f64 - count * mean * mean).max(0.0);
        Some(spread / (count - 1.0))
    }

    /// How far apart the means of two samples are, in standard deviations of that difference if
    /// both were drawn from one source.
    ///
    /// Chance alone gives more than 4 in either direction once in 16,000 comparisons of large
    /// samples. The spread is that of both samples together, so that a small one whose numbers
    /// happen to be equal does not count as certain. `None` if a sample is empty.
    pub fn distance(self, other: Sample) -> Option<f64> {
        let difference = self.mean()? - other.mean()?;
        let mut together = self;
        together.merge(other);
        let variance = together.variance()?;
        if difference == 0.0 {
            return Some(0.0);
        }
        let of_means = variance * (1.0 / self.count as f64 + 1.0 / other.count as f64);
        Some(difference / of_means.sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::Sample;

    fn sample(values: &[i64]) -> Sample {
        let mut sample = Sample::default();
        values.iter().for_each(|&value| sample.add(value));
        sample
    }

    #[test]
    fn mean_and_variance_are_those_of_the_numbers() {
        let some = sample(&[2, 4, 4, 4, 5, 5, 7, 9]);
        assert_eq!(some.mean(), Some(5.0));
        assert!((some.variance().unwrap() - 32.0 / 7.0).abs() < 1e-12);
        assert_eq!(sample(&[-3]).mean(), Some(-3.0));
        assert_eq!((sample(&[]).mean(), sample(&[1]).variance()), (None, None));
    }

    #[test]
    fn merging_is_adding_one_after_the_other() {
        let mut merged = sample(&[1, 2]);
        merged.merge(sample(&[-7, 100]));
        assert_eq!(merged, sample(&[100, 2, -7, 1]));
    }

    #[test]
    fn distance_counts_standard_deviations() {
        let half: Vec<i64> = (0..10_000).map(|place| place % 2 * 100).collect();
        let less: Vec<i64> = (0..10_000)
            .map(|place| i64::from(place % 100 < 47) * 100)
            .collect();
        // 50 % against 47 % of 10,000: the difference 0.03 has the standard deviation 0.00707.
        let distance = sample(&half).distance(sample(&less)).unwrap();
        assert!((4.2..4.3).contains(&distance), "{distance}");
        let back = sample(&less).distance(sample(&half)).unwrap();
        assert!((distance + back).abs() < 1e-12);
        assert_eq!(sample(&half).distance(sample(&half)), Some(0.0));
    }

    #[test]
    fn numbers_that_do_not_vary() {
        let same = sample(&[5; 10]);
        assert_eq!(same.distance(sample(&[5; 3])), Some(0.0));
        let apart = same.distance(sample(&[6; 10])).unwrap();
        assert!(apart < -4.0, "{apart}");
        assert_eq!(same.distance(sample(&[])), None);
        // Two draws that happen to be equal say little about a source that varies.
        let varied: Vec<i64> = (0..1_000).map(|place| place % 2 * 100).collect();
        assert!(sample(&varied).distance(sample(&[100; 2])).unwrap().abs() < 2.0);
    }
}
