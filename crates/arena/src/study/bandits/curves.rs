//! What came out of a study of bandits.

use std::collections::BTreeMap;

use serde::Serialize;

use super::data::{BanditData, BanditStudy};
use super::run::{BanditPlan, Trial};
use crate::statistics::{Estimate, Interval, mean_of};
use crate::study::claims::{Finding, Judgement};
use crate::study::error::StudyError;
use crate::study::ledger::RecordFile;
use crate::study::report::Heading;

/// The results of a study of bandits at a scale.
#[derive(Clone, Debug, Serialize)]
pub struct Curves {
    /// What it is, and how it was run.
    #[serde(flatten)]
    pub heading: Heading,
    /// What to know before believing it.
    pub notes: Vec<String>,
    /// Models that were played with.
    pub played: usize,
    /// Models that the scale wants.
    pub wanted: usize,
    /// After how many trials it was looked.
    pub looks: Vec<u32>,
    /// Of these, those that tables show.
    pub shown: Vec<u32>,
    /// The bandits.
    pub curves: Vec<Curve>,
    /// The claims.
    pub claims: Vec<Finding>,
}

/// What came out of a bandit, after each look: the part of the tasks in which the arm that seemed best wins in the end, over models.
#[derive(Clone, Debug, Serialize)]
pub struct Curve {
    /// The bandit.
    pub bandit: String,
    /// Its models.
    pub models: usize,
    /// Plain UCT.
    pub plain: Vec<Estimate>,
    /// With a threshold.
    pub threshold: Vec<Estimate>,
    /// How much more with a threshold, model by model.
    pub difference: Vec<Estimate>,
}

/// Sums up what the file has of the plan.
///
/// # Errors
/// If the study does not have the plan's scale.
pub fn summarise(
    study: &BanditStudy,
    plan: &BanditPlan,
    file: &RecordFile<Trial>,
) -> Result<Curves, StudyError> {
    let by_setup: BTreeMap<&str, &Trial> = file
        .records
        .iter()
        .map(|trial| (trial.setup.as_str(), trial))
        .collect();
    let models = plan.models.iter();
    let trials: Vec<&Trial> = models
        .filter_map(|model| by_setup.get(model.fingerprint()).copied())
        .collect();
    let bandits = study.bandits.iter();
    let curves: Vec<Curve> = bandits
        .map(|bandit| curve(study, bandit, &trials))
        .collect();
    let scale = study.scale(plan.scale)?;
    let mut notes = study.notes.clone();
    notes.push(format!(
        "At this scale there are {} models of each bandit, and {} tasks with each and each way to choose.",
        scale.models, scale.tasks
    ));
    let claims = study.claims.iter();
    Ok(Curves {
        heading: Heading {
            study: study.name.clone(),
            title: study.title.clone(),
            source: study.source.clone(),
            about: study.about.clone(),
            scale: plan.scale,
            seed: plan.seed,
        },
        notes,
        played: trials.len(),
        wanted: plan.models.len(),
        looks: study.looks(),
        shown: study.shown.clone(),
        claims: claims.map(|claim| claim.judge(study, &curves)).collect(),
        curves,
    })
}

impl Curves {
    /// Whether no claim fails.
    pub fn stands(&self) -> bool {
        let mut claims = self.claims.iter();
        claims.all(|claim| claim.judgement != Judgement::Fails)
    }

    /// The places of the looks that tables show.
    pub(super) fn shown_places(&self) -> Vec<usize> {
        let place = |at: &u32| self.looks.iter().position(|look| look == at);
        self.shown.iter().filter_map(place).collect()
    }
}

fn curve(study: &BanditStudy, bandit: &BanditData, trials: &[&Trial]) -> Curve {
    let own: Vec<&&Trial> = trials
        .iter()
        .filter(|trial| trial.bandit == bandit.name)
        .collect();
    let looks = study.looks().len();
    // What each model counts after a look, by some figure of its own.
    let over_models = |figure: &dyn Fn(&Trial, usize) -> f64| -> Vec<Estimate> {
        let after = |look: usize| {
            let values: Vec<f64> = own.iter().map(|trial| figure(trial, look)).collect();
            mean_of(&values, Interval::TwoSided95)
        };
        (0..looks).filter_map(after).collect()
    };
    let part = |trial: &Trial, way: usize, look: usize| {
        let found = trial.found[way].get(look).copied().unwrap_or(0);
        f64::from(found) / f64::from(trial.tasks.max(1))
    };
    Curve {
        bandit: bandit.name.clone(),
        models: own.len(),
        plain: over_models(&|trial, look| part(trial, 0, look)),
        threshold: over_models(&|trial, look| part(trial, 1, look)),
        difference: over_models(&|trial, look| part(trial, 1, look) - part(trial, 0, look)),
    }
}
