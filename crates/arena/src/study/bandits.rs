//! Bandits: plain UCT and sufficiency thresholds on arms that take their time to show what they are
//! worth.
//!
//! A trial is a model, a bandit drawn from a seed of its own: a number of tasks is played on it in
//! each way to choose. Figures are how often the arm that seems best wins in the end, over models.

use std::collections::{BTreeMap, BTreeSet};

use paidia_game::Chance;
use paidia_search::bandit::{Bandit, Chooser, Sight};
use serde::{Deserialize, Serialize};

use super::claims::{Claim, Finding, Quantifier, check_claims};
use super::error::StudyError;
use super::front::{Front, Run, Scale, bad};
use super::kernel::{Bench, Contents, Equipment, Experiment, Summary};
use super::ledger::{Ledger, Record};
use super::report::{NOTHING, Report, bounds};
use crate::contest::{game_seed, hash};
use crate::plot::{self, Panel, Plot};
use crate::statistics::{Estimate, Interval, mean_of};
use crate::table::TextTable;

/// A study of bandits.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bandits {
    #[serde(flatten)]
    front: Front,
    /// The constant C of UCT, for returns from 0 to 1.
    exploration: f64,
    /// The value above which an arm is good enough.
    threshold: f64,
    /// How often arms are tried in a task.
    trials: u32,
    /// After how many trials each the arm that seems best is looked at.
    every: u32,
    /// The trials that tables show.
    shown: Vec<u32>,
    scales: BTreeMap<Scale, Tasks>,
    bandits: Vec<BanditData>,
    #[serde(default)]
    claims: Vec<Claim<At>>,
}

/// How much is played at a scale: models of each bandit, and tasks with each model and each way.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Tasks {
    models: u32,
    tasks: u32,
}

/// A bandit to be drawn: how many arms there are, and the part of them that wins in the end.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct BanditData {
    name: String,
    arms: u32,
    winners: f64,
    sight: SightData,
}

/// What is seen of an arm, as data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum SightData {
    Outcome,
    Mean,
}

/// What claims are about: how much more often thresholds find a winner, on each of some bandits.
#[derive(Clone, Debug, Deserialize)]
pub struct At {
    bandits: Vec<String>,
    at: u32,
}

/// A model to be drawn and played with.
#[derive(Clone, Debug)]
pub struct Model {
    bandit: usize,
    number: u32,
    seed: u64,
    tasks: u32,
    fingerprint: String,
}

/// What came out of playing with a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelRecord {
    /// The bandit.
    pub bandit: String,
    /// The number of the model.
    pub model: u32,
    /// Its fingerprint.
    pub setup: String,
    /// For plain UCT and for the threshold, after each look in how many of the tasks the arm that
    /// seemed best wins in the end.
    pub found: [Vec<u32>; 2],
    /// Tasks with each way to choose.
    pub tasks: u32,
}

impl Record for ModelRecord {
    fn fingerprint(&self) -> &str {
        &self.setup
    }
}

/// What came out of a study of bandits.
#[derive(Clone, Debug, Serialize)]
pub struct CurveFigures {
    /// Models that were played with.
    pub played: usize,
    /// Models that the scale wants.
    pub wanted: usize,
    /// After how many trials each look was.
    pub looks: Vec<u32>,
    /// Of these, those that tables show.
    pub shown: Vec<u32>,
    /// The bandits.
    pub curves: Vec<Curve>,
}

/// What came out of a bandit, after each look: the part of the tasks in which the arm that seemed
/// best wins in the end, over models.
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

/// The most arms, trials, models and tasks of a study: more would take days.
const MOST_ARMS: u32 = 1_000;
const MOST_TRIALS: u32 = 1_000_000;
const MOST_TASKS: u32 = 10_000;

impl Bandits {
    /// The ways to choose: plain UCT, and with a threshold.
    fn choosers(&self) -> [Chooser; 2] {
        [None, Some(self.threshold)].map(|threshold| Chooser {
            exploration: self.exploration,
            threshold,
        })
    }

    /// The trials after which the arm that seems best is looked at.
    fn looks(&self) -> Vec<u32> {
        let looks = 1..=self.trials / self.every;
        looks.map(|look| look * self.every).collect()
    }

    /// Whether there is a look after each of these trials.
    fn check_looks(&self, place: &str, trials: &[u32]) -> Result<(), StudyError> {
        let looked = |&at: &u32| at > 0 && at <= self.trials && at.is_multiple_of(self.every);
        match trials.iter().find(|at| !looked(at)) {
            None => Ok(()),
            Some(at) => {
                let problem = format!("there is no look after {at} trials; see `every`");
                Err(bad(place, problem))
            }
        }
    }

    fn model(&self, place: usize, number: u32, tasks: u32, seed: u64) -> Model {
        let bandit = &self.bandits[place];
        let seed = game_seed(seed, &bandit.name, number);
        let text = format!(
            "{}\n{} {} {:?}\n{} {} {} {}\n{number} {seed} {tasks}\n",
            bandit.name,
            bandit.arms,
            bandit.winners,
            bandit.sight,
            self.exploration,
            self.threshold,
            self.trials,
            self.every,
        );
        Model {
            bandit: place,
            fingerprint: format!("{:016x}", hash(text.as_bytes())),
            number,
            seed,
            tasks,
        }
    }

    fn play(&self, model: &Model) -> ModelRecord {
        let data = &self.bandits[model.bandit];
        let sight = match data.sight {
            SightData::Outcome => Sight::Outcome,
            SightData::Mean => Sight::Mean,
        };
        let mut chance = Chance::from_seed(model.seed);
        let winners = (f64::from(data.arms) * data.winners).round() as usize;
        let bandit = Bandit::new(data.arms as usize, winners, &mut chance);
        let found = self.choosers().map(|chooser| {
            let mut found = vec![0; self.looks().len()];
            for _ in 0..model.tasks {
                let looks = bandit.play(chooser, sight, self.trials, self.every, &mut chance);
                for (count, wins) in found.iter_mut().zip(looks) {
                    *count += u32::from(wins);
                }
            }
            found
        });
        ModelRecord {
            bandit: data.name.clone(),
            model: model.number,
            setup: model.fingerprint.clone(),
            found,
            tasks: model.tasks,
        }
    }

    fn curve(&self, bandit: &BanditData, records: &[&ModelRecord]) -> Curve {
        let own = records.iter().filter(|record| record.bandit == bandit.name);
        let own: Vec<&&ModelRecord> = own.collect();
        let part = |record: &ModelRecord, way: usize, look: usize| {
            let found = record.found[way].get(look).copied().unwrap_or(0);
            f64::from(found) / f64::from(record.tasks.max(1))
        };
        let over_models = |figure: &dyn Fn(&ModelRecord, usize) -> f64| -> Vec<Estimate> {
            let after = |look: usize| {
                let values: Vec<f64> = own.iter().map(|record| figure(record, look)).collect();
                mean_of(&values, Interval::TwoSided95)
            };
            (0..self.looks().len()).filter_map(after).collect()
        };
        Curve {
            bandit: bandit.name.clone(),
            models: own.len(),
            plain: over_models(&|record, look| part(record, 0, look)),
            threshold: over_models(&|record, look| part(record, 1, look)),
            difference: over_models(&|record, look| part(record, 1, look) - part(record, 0, look)),
        }
    }
}

impl Experiment for Bandits {
    const TRIALS: &'static str = "models";
    const CELL: &'static str = "bandit";

    type Trial = Model;
    type Record = ModelRecord;
    type Ready = ();
    type Figures = CurveFigures;

    fn front(&self) -> &Front {
        &self.front
    }

    fn front_mut(&mut self) -> &mut Front {
        &mut self.front
    }

    fn contents(&self) -> Contents {
        Contents {
            games: Vec::new(),
            cells: self.bandits.len(),
            claims: self.claims.len(),
            scales: self.scales.keys().copied().collect(),
        }
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
        check_claims(&self.claims, |claim| {
            let about = &claim.about;
            if about.bandits.is_empty() || !about.bandits.iter().all(|name| names.contains(name)) {
                return Err(bad(claim.place(), "it is about no bandit of the study"));
            }
            self.check_looks(&claim.place(), &[about.at])
        })
    }

    /// The first model of every bandit, then the second of every bandit, and so on.
    fn agenda(&self, run: Run) -> Result<Vec<Model>, StudyError> {
        let Tasks { models, tasks } = *run.scale.of(&self.scales)?;
        let places = 0..self.bandits.len();
        let models =
            (0..models).flat_map(|number| places.clone().map(move |place| (place, number)));
        let model = |(place, number)| self.model(place, number, tasks, run.seed);
        Ok(models.map(model).collect())
    }

    fn fingerprint(model: &Model) -> String {
        model.fingerprint.clone()
    }

    fn prepare(&self, _: &[Model], _: &dyn Equipment) -> Result<(), StudyError> {
        Ok(())
    }

    fn make(
        &self,
        _: &Bench<'_, Self>,
        lot: &[Model],
        add: &mut dyn FnMut(ModelRecord) -> Result<(), StudyError>,
    ) -> Result<(), StudyError> {
        lot.iter().try_for_each(|model| add(self.play(model)))
    }

    fn figures(&self, run: Run, ledger: &Ledger<ModelRecord>) -> Result<CurveFigures, StudyError> {
        let (agenda, known) = (self.agenda(run)?, ledger.by_fingerprint());
        let models = agenda.iter();
        let records: Vec<&ModelRecord> = models
            .filter_map(|model| known.get(model.fingerprint.as_str()).copied())
            .collect();
        let bandits = self.bandits.iter();
        Ok(CurveFigures {
            played: records.len(),
            wanted: agenda.len(),
            looks: self.looks(),
            shown: self.shown.clone(),
            curves: bandits.map(|bandit| self.curve(bandit, &records)).collect(),
        })
    }

    fn remarks(&self, run: Run, _: &Ledger<ModelRecord>) -> Vec<String> {
        let scale = self.scales.get(&run.scale).into_iter().map(|scale| {
            format!(
                "At this scale there are {} models of each bandit, and {} tasks with each and each way to choose.",
                scale.models, scale.tasks
            )
        });
        scale.collect()
    }

    fn findings(&self, figures: &CurveFigures) -> Vec<Finding> {
        let judge = |claim: &Claim<At>| {
            let look = (claim.about.at / self.every) as usize - 1;
            let figure = |bandit: &String| {
                let curve = figures.curves.iter().find(|curve| curve.bandit == *bandit);
                let difference = curve.and_then(|curve| curve.difference.get(look).copied());
                (bandit.clone(), difference)
            };
            claim.judge(Quantifier::All, claim.about.bandits.iter().map(figure))
        };
        self.claims.iter().map(judge).collect()
    }

    fn is_blank(figures: &CurveFigures) -> bool {
        figures.played == 0
    }

    fn report(summary: &Summary<CurveFigures>) -> Report {
        let figures = &summary.figures;
        Report {
            standing: format!("{} of {} models.", figures.played, figures.wanted),
            tables: figures.tables(),
            written: |estimate| signed(estimate.as_ref()),
            section: "Notes",
            shows: "How often a winner is found",
            plot: figures.plot(),
            csv_head: "bandit,models,trials,plain,plain_low,plain_high,\
                       threshold,threshold_low,threshold_high,\
                       difference,difference_low,difference_high",
            csv_rows: figures.csv_rows(),
            ..summary.begin_report()
        }
    }
}

impl CurveFigures {
    fn tables(&self) -> Vec<TextTable<String>> {
        let both = |curve: &Curve, look: usize| {
            let figures = [&curve.plain, &curve.threshold].map(|figures| figures.get(look));
            let share = |figure: &Estimate| format!("{:.3}", figure.value);
            figures
                .map(|figure| figure.map_or(NOTHING.to_owned(), share))
                .join(" / ")
        };
        let difference = |curve: &Curve, look: usize| signed(curve.difference.get(look));
        vec![
            self.table(
                "How often the arm that seems best wins in the end: plain UCT / threshold",
                &both,
            ),
            self.table(
                "How much more often with the threshold, with 95 % intervals over models",
                &difference,
            ),
        ]
    }

    fn table(&self, title: &str, cell: &dyn Fn(&Curve, usize) -> String) -> TextTable<String> {
        let look = |at: &u32| self.looks.iter().position(|look| look == at);
        let looks: Vec<usize> = self.shown.iter().filter_map(look).collect();
        let heads = looks
            .iter()
            .map(|&look| format!("k = {}", self.looks[look]));
        let row = |curve: &Curve| {
            let cells = looks.iter().map(|&look| cell(curve, look));
            [curve.bandit.clone()].into_iter().chain(cells).collect()
        };
        TextTable {
            title: title.to_owned(),
            head: ["bandit".to_owned()].into_iter().chain(heads).collect(),
            rows: self.curves.iter().map(row).collect(),
        }
    }

    fn plot(&self) -> Plot {
        let panel = |curve: &Curve| Panel {
            title: curve.bandit.clone(),
            lines: vec![curve.plain.clone(), curve.threshold.clone()],
        };
        Plot::Curves(plot::Curves {
            names: &[("plain UCT", 1), ("with a threshold", 0)],
            places: self.looks.iter().map(|&look| f64::from(look)).collect(),
            panels: self.curves.iter().map(panel).collect(),
        })
    }

    fn csv_rows(&self) -> Vec<Vec<String>> {
        let mut rows = Vec::new();
        for curve in &self.curves {
            for (place, look) in self.looks.iter().enumerate() {
                let begin = [
                    curve.bandit.clone(),
                    curve.models.to_string(),
                    look.to_string(),
                ];
                let figures = [&curve.plain, &curve.threshold, &curve.difference];
                let figures = figures.into_iter().filter_map(|figures| figures.get(place));
                let digits = |value: Option<f64>| format!("{:.4}", value.unwrap_or_default());
                let figures = figures.flat_map(|figure| bounds(Some(*figure), digits));
                rows.push(begin.into_iter().chain(figures).collect());
            }
        }
        rows
    }
}

/// A difference as `+0.128 ± 0.033`.
fn signed(estimate: Option<&Estimate>) -> String {
    estimate.map_or(NOTHING.to_owned(), |estimate| {
        let half = (estimate.high - estimate.low) / 2.0;
        format!("{:+.3} ± {half:.3}", estimate.value)
    })
}
