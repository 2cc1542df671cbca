//! The cost model: how many reads a rule is expected to take, given the order of its conditions.
//!
//! A condition that brings a new variable is an *input*: the facts of its relation are read one after the other. One whose
//! variables are all known is asked about and costs little. So the expected reads of a rule with the inputs Q₁ … Qₙ are (corollary 2)
//!
//! ```text
//! Σᵢ Q̄ᵢ · Π_{j<i} Q̄ⱼ Q̂ⱼ
//! ```
//!
//! where Q̄ is the mean number of facts of a relation and Q̂ the probability that one of them agrees with what is known.

/// The probability that a fact agrees with what is known: the sizes of the domains of the variables that are not, over the
/// number of facts that there can be.
pub(super) fn pass_probability(unknown: impl Iterator<Item = f64>, possible: f64) -> f64 {
    (unknown.product::<f64>() / possible.max(1.0)).min(1.0)
}

/// The probability that a fact holds about which everything is known.
pub(super) fn holds_probability(facts: f64, possible: f64) -> f64 {
    (facts / possible.max(1.0)).min(1.0)
}

/// What is expected of the inputs and conditions so far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Expectation {
    /// Facts that are read.
    pub(super) reads: f64,
    /// Combinations of facts that agree with each other.
    pub(super) reach: f64,
}

impl Expectation {
    /// Before the first input.
    pub(super) const START: Self = Self {
        reads: 0.0,
        reach: 1.0,
    };

    /// With one more input: `read` facts are looked at for each combination, and `pass` of them agree with it.
    #[must_use]
    pub(super) fn input(self, read: f64, pass: f64) -> Self {
        Self {
            reads: self.reads + self.reach * read,
            reach: self.reach * pass,
        }
    }

    /// With one more condition, which holds with that probability.
    #[must_use]
    pub(super) fn condition(self, probability: f64) -> Self {
        Self {
            reach: self.reach * probability,
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Expectation, holds_probability, pass_probability};
    use paidia_game::Chance;

    fn close(left: f64, right: f64, tolerance: f64) {
        assert!((left - right).abs() <= tolerance, "{left} and {right}");
    }

    #[test]
    fn the_first_input_of_a_row_of_tic_tac_toe_passes_once_in_three() {
        // (cell ?m 1 ?x): three values for ?m and three for ?x, of 27 cells.
        close(pass_probability([3.0, 3.0].into_iter(), 27.0), 0.33, 0.01);
    }

    #[test]
    fn one_of_fourteen_drops_is_made() {
        close(holds_probability(1.0, 14.0), 0.0714, 0.0001);
    }

    /// The reads of three inputs over made-up facts, each holding with its probability: (p ?x) (q ?x ?y) (r ?y ?z).
    #[test]
    fn expected_reads_are_those_of_uniform_facts() {
        const VALUES: usize = 12;
        let shares = [0.5, 0.3, 0.2];
        let mut chance = Chance::from_seed(1);
        let (mut counted, rounds) = (0usize, 300);
        for _ in 0..rounds {
            let mut draw = |count: usize, share: f64| -> Vec<usize> {
                (0..count).filter(|_| chance.fraction() < share).collect()
            };
            let p = draw(VALUES, shares[0]);
            let q = draw(VALUES * VALUES, shares[1]);
            let r = draw(VALUES * VALUES, shares[2]);
            counted += p.len();
            for x in &p {
                counted += q.len();
                let agreeing = q.iter().filter(|&fact| fact / VALUES == *x).count();
                counted += agreeing * r.len();
            }
        }
        let values = VALUES as f64;
        let sizes = [values, values * values, values * values];
        let unknown: [&[f64]; 3] = [&[values], &[values], &[values]];
        let mut expected = Expectation::START;
        for ((size, share), unknown) in sizes.into_iter().zip(shares).zip(unknown) {
            let facts = size * share;
            let pass = pass_probability(unknown.iter().copied(), size);
            expected = expected.input(facts, facts * pass);
        }
        let mean = counted as f64 / f64::from(rounds);
        close(mean / expected.reads, 1.0, 0.05);
    }
}
