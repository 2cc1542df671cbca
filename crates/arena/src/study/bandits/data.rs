//! Studies of bandits as data.

use std::collections::{BTreeMap, BTreeSet};

use paidia_search::bandit::{Chooser, Sight};
use serde::{Deserialize, Serialize};

use super::claims::CurveClaim;
use crate::study::error::StudyError;
use crate::study::experiment::{Scale, bad};

/// A study of bandits.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BanditStudy {
    /// The name of its file.
    #[serde(skip)]
    pub name: String,
    /// What it is called.
    pub title: String,
    /// Where it was published.
    pub source: String,
    /// What it is about, in a few sentences.
    pub about: String,
    /// What differs from the publication, a sentence or two each.
    #[serde(default)]
    pub notes: Vec<String>,
    /// The constant C of UCT, for returns from 0 to 1.
    pub exploration: f64,
    /// The value above which an arm is good enough.
    pub threshold: f64,
    /// How often arms are tried in a task.
    pub trials: u32,
    /// After how many trials each it is looked which arm seems best.
    pub every: u32,
    /// The trials that tables show.
    pub shown: Vec<u32>,
    /// How much is played.
    pub scales: BTreeMap<Scale, Tasks>,
    /// The bandits.
    pub bandits: Vec<BanditData>,
    /// What the paper claims.
    #[serde(default)]
    pub claims: Vec<CurveClaim>,
}

/// How much is played at a scale.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tasks {
    /// Models of each bandit.
    pub models: u32,
    /// Tasks with each model and each way to choose.
    pub tasks: u32,
}

/// A kind of bandit.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BanditData {
    /// Its name; no other bandit of the study has it.
    pub name: String,
    /// How many arms it has.
    pub arms: u32,
    /// The part of them that wins in the end, at least one.
    pub winners: f64,
    /// What is seen of an arm when it is tried.
    pub sight: SightData,
}

/// What is seen of an arm, as data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SightData {
    /// Wins and losses.
    Outcome,
    /// The mean itself.
    Mean,
}

impl From<SightData> for Sight {
    fn from(sight: SightData) -> Self {
        match sight {
            SightData::Outcome => Sight::Outcome,
            SightData::Mean => Sight::Mean,
        }
    }
}

/// The most arms, trials, models and tasks of a study: what anybody could wait for.
const MOST_ARMS: u32 = 1_000;
const MOST_TRIALS: u32 = 1_000_000;
const MOST_TASKS: u32 = 10_000;

impl BanditStudy {
    /// Reads a study.
    ///
    /// # Errors
    /// If the text is not TOML, lacks something, or does not make sense.
    pub fn parse(name: &str, text: &str) -> Result<Self, StudyError> {
        let mut study: Self = toml::from_str(text)?;
        name.clone_into(&mut study.name);
        study.check()?;
        Ok(study)
    }

    /// The data of a scale.
    ///
    /// # Errors
    /// If the study does not have that scale.
    pub fn scale(&self, scale: Scale) -> Result<Tasks, StudyError> {
        let data = self.scales.get(&scale).copied();
        data.ok_or_else(|| bad("scales", format!("there is no scale `{}`", scale.name())))
    }

    /// The ways to choose: plain UCT, and with a threshold.
    pub(super) fn choosers(&self) -> [Chooser; 2] {
        [None, Some(self.threshold)].map(|threshold| Chooser {
            exploration: self.exploration,
            threshold,
        })
    }

    /// The trials after which it is looked which arm seems best.
    pub(super) fn looks(&self) -> Vec<u32> {
        (1..=self.trials / self.every)
            .map(|look| look * self.every)
            .collect()
    }

    fn check(&self) -> Result<(), StudyError> {
        let is_share = |value: f64| (0.0..=1.0).contains(&value);
        if !is_share(self.threshold) || !(0.0..=1e3).contains(&self.exploration) {
            return Err(bad("threshold", "returns are from 0 to 1"));
        }
        let trials = 1..=MOST_TRIALS;
        if !trials.contains(&self.trials) || self.every == 0 || self.every > self.trials {
            let problem = format!("there are 1 to {MOST_TRIALS}, and some between looks");
            return Err(bad("trials", problem));
        }
        self.check_looks("shown", &self.shown)?;
        let names: BTreeSet<&String> = self.bandits.iter().map(|bandit| &bandit.name).collect();
        if names.is_empty() || names.len() < self.bandits.len() {
            return Err(bad("bandits", "there must be some, all of different names"));
        }
        for bandit in &self.bandits {
            if !(1..=MOST_ARMS).contains(&bandit.arms) || !is_share(bandit.winners) {
                let problem = format!("there are 1 to {MOST_ARMS} arms, and a part of them wins");
                return Err(bad(format!("bandit `{}`", bandit.name), problem));
            }
        }
        let tasks = 1..=MOST_TASKS;
        for scale in self.scales.values() {
            if !tasks.contains(&scale.models) || !tasks.contains(&scale.tasks) {
                let problem = format!("there are 1 to {MOST_TASKS} models, and as many tasks");
                return Err(bad("scales", problem));
            }
        }
        self.claims.iter().try_for_each(|claim| claim.check(self))
    }

    /// Whether it is looked after each of these trials.
    pub(super) fn check_looks(&self, place: &str, trials: &[u32]) -> Result<(), StudyError> {
        let looked = |&at: &u32| at > 0 && at <= self.trials && at.is_multiple_of(self.every);
        match trials.iter().find(|at| !looked(at)) {
            None => Ok(()),
            Some(at) => Err(bad(
                place,
                format!("nobody looks after {at} trials; see `every`"),
            )),
        }
    }
}
