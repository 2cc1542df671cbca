//! What a paper claims, and whether it holds here.
//!
//! A claim is about figures that its study names; each kind of study says how they are chosen and
//! reckoned. Everything else is the same for all: a part of a claim holds if the interval of its
//! figure lies within the bounds, fails if it lies outside, and is undecided otherwise; a claim
//! holds if all parts do, and fails if one does. Bounds are fixed before anything is played.
//! Nothing is corrected for asking many questions: of a hundred claims at the edge of truth some
//! are judged wrongly.

use serde::{Deserialize, Serialize};

use super::error::StudyError;
use super::front::{bad, check_names};
use crate::statistics::Estimate;

/// A claim of a paper about figures that `S` chooses.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim<S> {
    /// A short name.
    pub id: String,
    /// The claim in words.
    pub text: String,
    /// The lowest value.
    pub at_least: Option<f64>,
    /// The highest value.
    pub at_most: Option<f64>,
    /// Whether it holds unless it fails: the claim is that no difference shows.
    #[serde(default)]
    pub unless_refuted: bool,
    /// The figures.
    #[serde(flatten)]
    pub about: S,
}

/// What became of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Judgement {
    /// It is so.
    Holds,
    /// It is not so.
    Fails,
    /// The trials do not tell.
    Undecided,
}

/// A claim, judged.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    /// The claim's short name.
    pub id: String,
    /// The claim in words.
    pub text: String,
    /// What became of it.
    pub judgement: Judgement,
    /// What it was judged by.
    pub parts: Vec<Part>,
}

/// A part of a claim, judged.
#[derive(Clone, Debug, Serialize)]
pub struct Part {
    /// What it is about.
    pub what: String,
    /// The figure; `None` if trials are missing.
    pub estimate: Option<Estimate>,
    /// What became of it.
    pub judgement: Judgement,
}

/// For which of its parts a claim is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quantifier {
    /// For all.
    All,
    /// For one at least.
    Some,
}

impl Judgement {
    /// The judgement in a word.
    pub fn name(self) -> &'static str {
        match self {
            Judgement::Holds => "holds",
            Judgement::Fails => "fails",
            Judgement::Undecided => "undecided",
        }
    }

    fn of_parts(parts: &[Part], quantifier: Quantifier) -> Self {
        let all = |judgement| parts.iter().all(|part| part.judgement == judgement);
        let any = |judgement| parts.iter().any(|part| part.judgement == judgement);
        let (holds, fails) = match quantifier {
            Quantifier::All => (all(Judgement::Holds), any(Judgement::Fails)),
            Quantifier::Some => (any(Judgement::Holds), all(Judgement::Fails)),
        };
        match (parts.is_empty(), holds, fails) {
            (false, true, _) => Judgement::Holds,
            (false, false, true) => Judgement::Fails,
            _ => Judgement::Undecided,
        }
    }
}

impl<S> Claim<S> {
    /// Where it is in its study.
    pub(super) fn place(&self) -> String {
        format!("claim `{}`", self.id)
    }

    /// Judges the claim by figures, each with what it is about.
    pub(super) fn judge(
        &self,
        quantifier: Quantifier,
        figures: impl IntoIterator<Item = (String, Option<Estimate>)>,
    ) -> Finding {
        let part = |(what, estimate): (String, Option<Estimate>)| Part {
            what,
            judgement: estimate.map_or(Judgement::Undecided, |estimate| self.within(estimate)),
            estimate,
        };
        let parts: Vec<Part> = figures.into_iter().map(part).collect();
        Finding {
            id: self.id.clone(),
            text: self.text.clone(),
            judgement: Judgement::of_parts(&parts, quantifier),
            parts,
        }
    }

    /// Whether a figure lies within the bounds, by its interval.
    fn within(&self, estimate: Estimate) -> Judgement {
        let least = self.at_least.unwrap_or(f64::NEG_INFINITY);
        let most = self.at_most.unwrap_or(f64::INFINITY);
        if estimate.high < least || estimate.low > most {
            Judgement::Fails
        } else if self.unless_refuted || (estimate.low >= least && estimate.high <= most) {
            Judgement::Holds
        } else {
            Judgement::Undecided
        }
    }
}

/// Whether claims have names of their own and bounds, and are about figures of the study, which
/// `about` tells.
pub(super) fn check_claims<S>(
    claims: &[Claim<S>],
    about: impl Fn(&Claim<S>) -> Result<(), StudyError>,
) -> Result<(), StudyError> {
    check_names("claim", claims.iter().map(|claim| &claim.id))?;
    for claim in claims {
        match (claim.at_least, claim.at_most) {
            (None, None) => {
                return Err(bad(claim.place(), "give `at_least`, `at_most` or both"));
            }
            (Some(least), Some(most)) if least > most => {
                let problem = format!("nothing is at least {least} and at most {most}");
                return Err(bad(claim.place(), problem));
            }
            _ => about(claim)?,
        }
    }
    Ok(())
}
