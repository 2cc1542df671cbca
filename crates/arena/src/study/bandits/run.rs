//! Playing with the models that are missing, several at a time.

use std::collections::BTreeSet;

use paidia_game::Chance;
use paidia_search::bandit::Bandit;
use serde::{Deserialize, Serialize};

use super::data::{BanditData, BanditStudy, Tasks};
use crate::contest::{game_seed, hash};
use crate::study::error::StudyError;
use crate::study::experiment::Scale;
use crate::study::ledger::RecordFile;
use crate::study::run::spread;

/// All models of a study at a scale.
#[derive(Clone, Debug)]
pub struct BanditPlan {
    /// The scale.
    pub scale: Scale,
    /// The seed of the study.
    pub seed: u64,
    /// The models: the first of every bandit, then the second of every bandit, and so on.
    pub models: Vec<Model>,
}

/// A bandit to be drawn and played with.
#[derive(Clone, Debug)]
pub struct Model {
    /// The place of its bandit in the study.
    pub bandit: usize,
    /// Its number.
    pub number: u32,
    /// Where all that is random about it comes from.
    seed: u64,
    /// Tasks with each way to choose.
    tasks: u32,
    fingerprint: String,
}

/// What came out of playing with a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trial {
    /// The bandit.
    pub bandit: String,
    /// The number of the model.
    pub model: u32,
    /// Its fingerprint: it counts only in a plan that has the same.
    pub setup: String,
    /// For plain UCT and for the threshold, after each look in how many of the tasks the arm that seemed best wins in the end.
    pub found: [Vec<u32>; 2],
    /// Tasks with each way to choose.
    pub tasks: u32,
}

impl BanditPlan {
    /// Plans a study.
    ///
    /// # Errors
    /// If it does not have that scale.
    pub fn new(study: &BanditStudy, scale: Scale, seed: u64) -> Result<Self, StudyError> {
        let tasks = study.scale(scale)?;
        let mut models = Vec::new();
        for number in 0..tasks.models {
            for (place, bandit) in study.bandits.iter().enumerate() {
                models.push(Model::new(study, (place, bandit), tasks, number, seed));
            }
        }
        Ok(Self {
            scale,
            seed,
            models,
        })
    }
}

impl Model {
    fn new(
        study: &BanditStudy,
        (place, bandit): (usize, &BanditData),
        Tasks { tasks, .. }: Tasks,
        number: u32,
        seed: u64,
    ) -> Self {
        let seed = game_seed(seed, &bandit.name, number);
        let text = format!(
            "{}\n{} {} {:?}\n{} {} {} {}\n{number} {seed} {tasks}\n",
            bandit.name,
            bandit.arms,
            bandit.winners,
            bandit.sight,
            study.exploration,
            study.threshold,
            study.trials,
            study.every,
        );
        Self {
            bandit: place,
            fingerprint: format!("{:016x}", hash(text.as_bytes())),
            number,
            seed,
            tasks,
        }
    }

    /// A short text for everything that matters: models with the same one are the same.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    fn play(&self, study: &BanditStudy) -> Trial {
        let data = &study.bandits[self.bandit];
        let mut chance = Chance::from_seed(self.seed);
        let winners = (f64::from(data.arms) * data.winners).round() as usize;
        let bandit = Bandit::new(data.arms as usize, winners, &mut chance);
        let found = study.choosers().map(|chooser| {
            let mut found = vec![0; study.looks().len()];
            for _ in 0..self.tasks {
                let (trials, every) = (study.trials, study.every);
                let looks = bandit.play(chooser, data.sight.into(), trials, every, &mut chance);
                for (count, wins) in found.iter_mut().zip(looks) {
                    *count += u32::from(wins);
                }
            }
            found
        });
        Trial {
            bandit: data.name.clone(),
            model: self.number,
            setup: self.fingerprint.clone(),
            found,
            tasks: self.tasks,
        }
    }
}

/// Plays with the models of the plan that the file does not have, `jobs` at a time. `progress` is told how many of how many are done.
///
/// # Errors
/// If the file cannot be written; what was finished by then is in it.
pub fn play(
    study: &BanditStudy,
    plan: &BanditPlan,
    file: &mut RecordFile<Trial>,
    jobs: usize,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<(), StudyError> {
    let done: BTreeSet<String> = file
        .records
        .iter()
        .map(|trial| trial.setup.clone())
        .collect();
    let missing: Vec<&Model> = plan
        .models
        .iter()
        .filter(|model| !done.contains(&model.fingerprint))
        .collect();
    spread(&missing, jobs, file, progress, &|model| {
        Ok(model.play(study))
    })
}
