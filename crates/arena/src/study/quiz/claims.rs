//! What a paper claims about choices in positions, and whether it holds here.

use serde::Deserialize;

use super::data::Quiz;
use super::marks::CellMarks;
use crate::statistics::Estimate;
use crate::study::claims::{Finding, Judgement, Part};
use crate::study::error::StudyError;
use crate::study::experiment::bad;

/// A claim of a paper.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuizClaim {
    /// A short name.
    pub id: String,
    /// The claim in words.
    pub text: String,
    /// What it is about.
    pub figure: Figure,
    /// The move whose share is meant.
    #[serde(rename = "move")]
    pub chosen: Option<String>,
    /// The cells: each of them counts.
    pub cells: Vec<String>,
    /// Whether each cell is divided by the next, and these ratios count.
    #[serde(default)]
    pub ratio: bool,
    /// The lowest value.
    pub at_least: Option<f64>,
    /// The highest value.
    pub at_most: Option<f64>,
}

/// What can be claimed about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Figure {
    /// How often the right move was chosen, in percent.
    Right,
    /// How often a move was chosen, in percent.
    Share,
    /// States visited by a search, on average.
    States,
}

impl QuizClaim {
    /// Whether it makes sense in its quiz.
    pub(super) fn check(&self, quiz: &Quiz) -> Result<(), StudyError> {
        let problem = |problem: String| Err(bad(format!("claim `{}`", self.id), problem));
        if self.at_least.is_none() && self.at_most.is_none() {
            return problem("give `at_least`, `at_most` or both".to_owned());
        }
        if (self.figure == Figure::Share) != self.chosen.is_some() {
            return problem("a `move` belongs to the figure `share`".to_owned());
        }
        let is_known = |name: &String| quiz.cells.iter().any(|cell| cell.name == *name);
        if let Some(unknown) = self.cells.iter().find(|name| !is_known(name)) {
            return problem(format!("there is no cell `{unknown}`"));
        }
        match self.cells.len() > usize::from(self.ratio) {
            true => Ok(()),
            false => problem("it is about too few cells".to_owned()),
        }
    }

    /// Judges the claim by what came out of the cells.
    pub(super) fn judge(&self, cells: &[CellMarks]) -> Finding {
        let estimate = |name: &String| {
            let cell = cells.iter().find(|cell| cell.name == *name)?;
            match self.figure {
                Figure::Right => cell.right,
                Figure::States => cell.states,
                Figure::Share => cell.share_of(self.chosen.as_deref()?),
            }
        };
        let part = |what: String, estimate: Option<Estimate>| Part {
            what,
            judgement: estimate.map_or(Judgement::Undecided, |estimate| {
                Judgement::of(estimate, self.at_least, self.at_most)
            }),
            estimate,
        };
        let parts: Vec<Part> = match self.ratio {
            false => {
                let one = |name: &String| part(name.clone(), estimate(name));
                self.cells.iter().map(one).collect()
            }
            true => {
                let pairs = self.cells.windows(2);
                let one = |pair: &[String]| {
                    let both = estimate(&pair[0]).zip(estimate(&pair[1]));
                    let what = format!("{} / {}", pair[0], pair[1]);
                    part(what, both.and_then(|(one, other)| quotient(one, other)))
                };
                pairs.map(one).collect()
            }
        };
        Finding {
            id: self.id.clone(),
            text: self.text.clone(),
            judgement: Judgement::of_all(&parts),
            parts,
        }
    }
}

/// The quotient of two figures. Its interval comes from theirs, on the scale of logarithms: the distances from value to bound are added as
/// standard errors are.
fn quotient(one: Estimate, other: Estimate) -> Option<Estimate> {
    if other.value <= 0.0 {
        return None;
    }
    let value = one.value / other.value;
    let distance = |near: f64, far: f64| match near > 0.0 && far > 0.0 {
        true => (near / far).ln(),
        false => f64::INFINITY,
    };
    let down = distance(one.value, one.low).hypot(distance(other.high, other.value));
    let up = distance(one.high, one.value).hypot(distance(other.value, other.low));
    let high = match one.value > 0.0 {
        true => value * up.exp(),
        // Nothing divided by something: at most what the bound allows.
        false => one.high / other.low,
    };
    Some(Estimate {
        value,
        low: value * (-down).exp(),
        high,
    })
}

#[cfg(test)]
mod tests {
    use super::{Estimate, quotient};

    fn estimate(value: f64, low: f64, high: f64) -> Estimate {
        Estimate { value, low, high }
    }

    #[test]
    fn quotients_have_intervals() {
        let exact = estimate(2.0, 2.0, 2.0);
        let ratio = quotient(estimate(8.0, 4.0, 16.0), exact).unwrap();
        let close = |one: f64, other: f64| (one - other).abs() < 1e-9;
        assert!(close(ratio.value, 4.0) && close(ratio.low, 2.0) && close(ratio.high, 8.0));
        let both = quotient(estimate(8.0, 4.0, 16.0), estimate(2.0, 1.0, 4.0)).unwrap();
        assert!(both.low < ratio.low && both.high > ratio.high);
        let none = quotient(estimate(0.0, 0.0, 3.0), exact).unwrap();
        assert!(none.value == 0.0 && none.low == 0.0 && close(none.high, 1.5));
        assert_eq!(quotient(exact, estimate(0.0, 0.0, 1.0)), None);
    }
}
