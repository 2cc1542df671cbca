//! Taking the samples that are missing.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::time::Instant;

use cpu_time::ProcessTime;
use serde::{Deserialize, Serialize};

use super::agenda::{Agenda, Task};
use super::contender::{Contender, Count, Job, Position, Work};
use super::data::{Comparison, Measure, Place};
use crate::contest::game_seed;
use crate::study::error::StudyError;
use crate::study::ledger::RecordFile;

/// Makes the engine that is written so for the game of that name, or tells why it cannot.
pub type Loader<'a> = dyn FnMut(&str, &str) -> Result<Box<dyn Contender>, String> + 'a;

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
    fn new(task: &Task, outcome: Result<Count, String>) -> Self {
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

/// Takes the samples that the file does not have, and adds each when it is taken. What could not be measured before is tried again: the
/// program may have learnt it since. `progress` is told how many of how many are done.
///
/// # Errors
/// If the file cannot be written; what cannot be measured is no error but a sample that says why.
pub fn measure(
    comparison: &Comparison,
    agenda: &Agenda,
    load: &mut Loader<'_>,
    file: &mut RecordFile<Sample>,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<(), StudyError> {
    let taken = |sample: &&Sample| sample.count.is_some();
    let done = file.records.iter().filter(taken);
    let done: BTreeSet<String> = done.map(|sample| sample.task.clone()).collect();
    let missing = |tasks: &'_ [Task]| -> Vec<Task> {
        let tasks = tasks.iter().cloned();
        tasks
            .filter(|task| !done.contains(&task.fingerprint()))
            .collect()
    };
    let games = agenda.games.iter();
    let lots: Vec<(&String, Vec<Task>)> =
        games.map(|(game, tasks)| (game, missing(tasks))).collect();
    let all = lots.iter().map(|(_, tasks)| tasks.len()).sum();
    let mut finished = 0;
    progress(0, all);
    for (game, tasks) in lots.iter().filter(|(_, tasks)| !tasks.is_empty()) {
        let mut bench = Bench::new(comparison, game, tasks, load);
        for task in tasks {
            file.add(Sample::new(task, bench.take(task)))?;
            finished += 1;
            progress(finished, all);
        }
    }
    Ok(())
}

/// A game with all engines that are measured on it.
struct Bench {
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

impl Bench {
    fn new(comparison: &Comparison, game: &str, tasks: &[Task], load: &mut Loader<'_>) -> Self {
        let recorded = positions(comparison, game, tasks, load);
        let (positions, places) = match recorded {
            Ok((positions, places)) => (positions, Ok(places)),
            Err(problem) => (vec![Position::Initial], Err(problem)),
        };
        let mut engines = BTreeMap::new();
        for task in tasks {
            if !engines.contains_key(&task.engine) {
                let ready = ready(game, &task.engine, &positions, load);
                engines.insert(task.engine.clone(), ready);
            }
        }
        Self {
            engines,
            places,
            failed: BTreeMap::new(),
            step_limit: comparison.step_limit,
        }
    }

    fn take(&mut self, task: &Task) -> Result<Count, String> {
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
    load: &mut Loader<'_>,
) -> Result<Ready, String> {
    let started = ProcessTime::now();
    let mut contender = load(game, engine)?;
    let load = started.elapsed().as_secs_f64();
    contender.prepare(positions)?;
    Ok(Ready { contender, load })
}

type Places = (Vec<Position>, BTreeMap<Place, Range<usize>>);

/// The positions in which the tasks begin: the initial state, and those of recorded matches.
fn positions(
    comparison: &Comparison,
    game: &str,
    tasks: &[Task],
    load: &mut Loader<'_>,
) -> Result<Places, String> {
    let mut positions = vec![Position::Initial];
    let mut places = BTreeMap::from([(Place::Start, 0..1)]);
    let recorded = tasks.iter().filter(|task| task.at != Place::Start);
    let wanted: BTreeMap<Place, &Task> = recorded.map(|task| (task.at, task)).collect();
    let Some(task) = wanted.values().next() else {
        return Ok((positions, places));
    };
    let no_records = |problem: String| format!("there are no recorded matches: {problem}");
    let mut recorder = load(game, &comparison.recorder).map_err(no_records)?;
    let mut matches = Vec::new();
    for number in 0..task.positions {
        let seed = game_seed(task.seed, &format!("{game}, recorded"), number as u32);
        let states = recorder.record(seed, comparison.step_limit);
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
