//! What a paper claims about bandits, and whether it holds here.

use serde::Deserialize;

use super::curves::Curve;
use super::data::BanditStudy;
use crate::study::claims::{Finding, Judgement, Part};
use crate::study::error::StudyError;
use crate::study::experiment::bad;

/// A claim about how much more often thresholds find a winner than plain UCT does.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CurveClaim {
    /// A short name.
    pub id: String,
    /// The claim in words.
    pub text: String,
    /// The bandits it is about; each of them counts.
    pub bandits: Vec<String>,
    /// After how many trials.
    pub at: u32,
    /// The least difference, from -1 to 1.
    pub at_least: Option<f64>,
    /// The largest difference.
    pub at_most: Option<f64>,
    /// Whether it holds unless it fails: the claim is that no difference shows.
    #[serde(default)]
    pub unless_refuted: bool,
}

impl CurveClaim {
    /// Whether it makes sense in its study.
    pub(super) fn check(&self, study: &BanditStudy) -> Result<(), StudyError> {
        let place = format!("claim `{}`", self.id);
        if self.at_least.is_none() && self.at_most.is_none() {
            return Err(bad(place, "give `at_least`, `at_most` or both"));
        }
        let known = |name: &String| study.bandits.iter().any(|bandit| bandit.name == *name);
        if self.bandits.is_empty() || !self.bandits.iter().all(known) {
            return Err(bad(place, "it is about no bandit of the study"));
        }
        study.check_looks(&place, &[self.at])
    }

    /// Judges the claim by the curves of the bandits it is about.
    pub(super) fn judge(&self, study: &BanditStudy, curves: &[Curve]) -> Finding {
        let parts: Vec<Part> = self
            .bandits
            .iter()
            .map(|bandit| self.part(bandit, study, curves))
            .collect();
        Finding {
            id: self.id.clone(),
            text: self.text.clone(),
            judgement: Judgement::of_all(&parts),
            parts,
        }
    }

    fn part(&self, bandit: &str, study: &BanditStudy, curves: &[Curve]) -> Part {
        let curve = curves.iter().find(|curve| curve.bandit == bandit);
        let look = (self.at / study.every) as usize - 1;
        let estimate = curve.and_then(|curve| curve.difference.get(look).copied());
        let within = |estimate| match Judgement::of(estimate, self.at_least, self.at_most) {
            Judgement::Undecided if self.unless_refuted => Judgement::Holds,
            judgement => judgement,
        };
        Part {
            what: bandit.to_owned(),
            judgement: estimate.map_or(Judgement::Undecided, within),
            estimate,
        }
    }
}
