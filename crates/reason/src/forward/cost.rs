//! The cost model: how many reads a rule is expected to take, given the order of its conditions.
//!
//! A condition that brings a new variable is an *input*: the facts of its relation are read one
//! after the other. One whose variables are all known is asked about and costs little. So the
//! expected reads of a rule with the inputs Q₁ … Qₙ are (corollary 2)
//!
//! ```text
//! Σᵢ Q̄ᵢ · Π_{j<i} Q̄ⱼ Q̂ⱼ
//! ```
//!
//! where Q̄ is the mean number of facts of a relation and Q̂ the probability that one of them
//! agrees with what is known.
//!
//! A read is cheap, though: a look into a table, in a loop over a list. To follow a combination
//! that agrees, to ask about conditions and to begin the next loop takes longer. So what is
//! compared are reads and combinations that are followed, each with its weight.

/// The probability that a fact agrees with what is known, given for each column the part of all
/// facts that agree there.
///
/// Where all values are as frequent, that is the paper's product of the sizes of unknown variables'
/// domains over the number of possible facts.
pub(super) fn pass_probability(columns: impl Iterator<Item = f64>) -> f64 {
    columns.product::<f64>().min(1.0)
}

/// The probability that a fact holds about which everything is known, given the number of its
/// relation's facts and, for each column, the part of them that agree there.
pub(super) fn holds_probability(facts: f64, columns: impl Iterator<Item = f64>) -> f64 {
    (facts * columns.product::<f64>()).min(1.0)
}

/// What a read takes, where to follow a combination takes 1.
const READ: f64 = 0.4;

/// What is expected of the inputs and conditions so far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Expectation {
    /// Facts that are read.
    pub(super) reads: f64,
    /// Combinations that are followed.
    followed: f64,
    /// Combinations of facts that agree with each other.
    pub(super) reach: f64,
    /// What of `followed` is not if no input comes after this one: its table then gives what is
    /// derived.
    direct: f64,
}

impl Expectation {
    /// Before the first input.
    pub(super) const START: Self = Self {
        reads: 0.0,
        followed: 0.0,
        reach: 1.0,
        direct: 0.0,
    };

    /// With one more input: `read` facts are looked at for each combination, and `pass` of them
    /// agree with it.
    #[must_use]
    pub(super) fn input(self, read: f64, pass: f64) -> Self {
        let reach = self.reach * pass;
        Self {
            reads: self.reads + self.reach * read,
            followed: self.followed + reach,
            reach,
            direct: reach,
        }
    }

    /// With one more input whose facts are permanent, of which `pass` agree with a combination: the
    /// table lists them, so that nothing is read.
    #[must_use]
    pub(super) fn permanent_input(self, pass: f64) -> Self {
        Self {
            direct: 0.0,
            ..self.input(0.0, pass)
        }
    }

    /// With one more condition, which holds with that probability.
    #[must_use]
    pub(super) fn condition(self, probability: f64) -> Self {
        Self {
            reach: self.reach * probability,
            direct: 0.0,
            ..self
        }
    }

    /// What the rule takes if no input comes after these.
    pub(super) fn cost(self) -> f64 {
        READ * self.reads + self.followed - self.direct
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
        // (cell ?m 1 ?x): three of three values for ?m, one of three, three of three for ?x.
        let columns = [3.0 / 3.0, 1.0 / 3.0, 3.0 / 3.0];
        close(pass_probability(columns.into_iter()), 0.33, 0.01);
    }

    #[test]
    fn one_of_fourteen_drops_is_made() {
        // (does red (drop 1)): one of two roles, one of seven columns.
        let columns = [1.0 / 2.0, 1.0 / 7.0];
        close(holds_probability(1.0, columns.into_iter()), 0.0714, 0.0001);
    }

    /// The reads of three inputs over made-up facts, each holding with its probability: (p ?x) (q
    /// ?x ?y) (r ?y ?z).
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
        // What is known before: nothing, ?x, ?y.
        let columns: [&[f64]; 3] = [&[1.0], &[1.0 / values, 1.0], &[1.0 / values, 1.0]];
        let mut expected = Expectation::START;
        for ((size, share), columns) in sizes.into_iter().zip(shares).zip(columns) {
            let facts = size * share;
            let pass = pass_probability(columns.iter().copied());
            expected = expected.input(facts, facts * pass);
        }
        let mean = counted as f64 / f64::from(rounds);
        close(mean / expected.reads, 1.0, 0.05);
    }
}
