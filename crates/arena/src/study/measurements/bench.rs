//! Taking samples of a game.

use std::collections::BTreeMap;
use std::ops::Range;
use std::time::Instant;

use cpu_time::ProcessTime;
use serde::{Deserialize, Serialize};

use super::agenda::Task;
use super::contender::{Contender, Count, Job, Position, Work};
use super::data::{Measure, Measurements, Place};
use crate::contest::game_seed;
use crate::study::kernel::Equipment;
use crate::study::ledger::Record;

/// A sample that was taken, or could not be.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Sample {
    /// The fingerprint of its task.
    pub task: String,
    /// What was counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<Count>,
    /// Why nothing was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

impl Sample {
    pub(super) fn new(task: &Task, outcome: Result<Count, String>) -> Self {
        let (count, problem) = match outcome {
            Ok(count) => (Some(count), None),
            Err(problem) => (None, Some(problem)),
        };
        Self {
            task: task.fingerprint(),
            count,
            problem,
        }
    }
}

impl Record for Sample {
    fn fingerprint(&self) -> &str {
        &self.task
    }

    /// What could not be measured is tried again: the program may have learnt it since.
    fn is_final(&self) -> bool {
        self.count.is_some()
    }
}

/// A game with all engines that are measured on it.
pub(super) struct LoadedGame {
    engines: BTreeMap<String, Result<Ready, String>>,
    /// Where each place's positions are, or why there are none.
    places: Result<BTreeMap<Place, Range<usize>>, String>,
    /// What failed once, and is not tried again in this run.
    failed: BTreeMap<(String, Measure, Place), String>,
    step_limit: u32,
}

/// An engine that is loaded, and the CPU seconds that this took.
struct Ready {
    contender: Box<dyn Contender>,
    load: f64,
}

impl LoadedGame {
    pub(super) fn new(
        study: &Measurements,
        game: &str,
        tasks: &[Task],
        equipment: &dyn Equipment,
    ) -> Self {
        let recorded = positions(study, game, tasks, equipment);
        let (positions, places) = match recorded {
            Ok((positions, places)) => (positions, Ok(places)),
            Err(problem) => (vec![Position::Initial], Err(problem)),
        };
        let mut engines = BTreeMap::new();
        for task in tasks {
            if !engines.contains_key(&task.engine) {
                let ready = ready(game, &task.engine, &positions, equipment);
                engines.insert(task.engine.clone(), ready);
            }
        }
        Self {
            engines,
            places,
            failed: BTreeMap::new(),
            step_limit: study.step_limit,
        }
    }

    pub(super) fn take(&mut self, task: &Task) -> Result<Count, String> {
        let kind = (task.engine.clone(), task.measure, task.at);
        if let Some(problem) = self.failed.get(&kind) {
            return Err(problem.clone());
        }
        let outcome = self.try_taking(task);
        if let Err(problem) = &outcome {
            self.failed.insert(kind, problem.clone());
        }
        outcome
    }

    fn try_taking(&mut self, task: &Task) -> Result<Count, String> {
        let ready = match self.engines.get_mut(&task.engine) {
            Some(Ok(ready)) => ready,
            Some(Err(problem)) => return Err(problem.clone()),
            None => return Err("it was not loaded".to_owned()),
        };
        let work = match task.measure {
            Measure::Load => {
                return Ok(Count {
                    cpu: ready.load,
                    ..Count::default()
                });
            }
            Measure::Playouts => Work::Playouts,
            Measure::Minimax => Work::Minimax,
            Measure::Nodes => Work::Nodes(task.depth),
        };
        let positions = match &self.places {
            _ if task.at == Place::Start => 0..1,
            Ok(places) => places.get(&task.at).cloned().unwrap_or(0..1),
            Err(problem) => return Err(problem.clone()),
        };
        let job = Job {
            work,
            positions,
            seconds: task.seconds,
            seed: task.chance(),
            step_limit: self.step_limit,
        };
        let started = Instant::now();
        let count = ready.contender.measure(&job)?;
        Ok(Count {
            clock: started.elapsed().as_secs_f64(),
            ..count
        })
    }
}

fn ready(
    game: &str,
    engine: &str,
    positions: &[Position],
    equipment: &dyn Equipment,
) -> Result<Ready, String> {
    let started = ProcessTime::now();
    let mut contender = equipment.contender(game, engine)?;
    let load = started.elapsed().as_secs_f64();
    contender.prepare(positions)?;
    Ok(Ready { contender, load })
}

type Places = (Vec<Position>, BTreeMap<Place, Range<usize>>);

/// The positions in which the tasks begin: the initial state, and those of recorded matches.
fn positions(
    study: &Measurements,
    game: &str,
    tasks: &[Task],
    equipment: &dyn Equipment,
) -> Result<Places, String> {
    let mut positions = vec![Position::Initial];
    let mut places = BTreeMap::from([(Place::Start, 0..1)]);
    let recorded = tasks.iter().filter(|task| task.at != Place::Start);
    let wanted: BTreeMap<Place, &Task> = recorded.map(|task| (task.at, task)).collect();
    let Some(task) = wanted.values().next() else {
        return Ok((positions, places));
    };
    let no_records = |problem: String| format!("there are no recorded matches: {problem}");
    let mut recorder = equipment
        .contender(game, &study.recorder)
        .map_err(no_records)?;
    let mut matches = Vec::new();
    for number in 0..task.positions {
        let seed = game_seed(task.seed, &format!("{game}, recorded"), number as u32);
        let states = recorder.record(seed, study.step_limit);
        matches.push(states.map_err(no_records)?);
    }
    for &place in wanted.keys() {
        let first = positions.len();
        for (number, states) in matches.iter().enumerate() {
            let far = place.part(number, matches.len()) * states.len() as f64;
            let state = states.get(far as usize);
            positions.push(state.cloned().unwrap_or(Position::Initial));
        }
        places.insert(place, first..positions.len());
    }
    Ok((positions, places))
}
