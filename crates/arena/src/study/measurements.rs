//! Measurements: how fast engines work out the same games, and whether they find the same.
//!
//! A trial is a sample: an engine that is ready on a game, a [`Contender`], makes playouts or
//! searches for a while. All samples of a game are taken in one go, on one thread and in rounds: in
//! each round every engine takes its turn, in an order that changes from round to round, so that
//! whatever else the machine does disturbs all of them alike. Figures are medians over the rounds,
//! claims compare engines round by round, and time is the CPU time of the process, or the clock's
//! in tables that say so.

mod agenda;
mod batched;
mod bench;
mod by_hand;
mod claims;
mod contender;
mod crewed;
mod data;
mod figures;
mod minimax;
mod report;
mod stopwatch;
mod walking;

pub use agenda::Task;
pub use batched::{Batched, contender};
pub use bench::Sample;
pub use by_hand::by_hand;
pub use contender::{Contender, Count, Job, Position, Work};
pub use crewed::crewed;
pub use data::{Effort, EngineEntry, Measure, Measurements, Place, TableData, Unit};
pub use figures::{FigureTable, MeasurementFigures, Row, Slot};
pub use walking::Walking;

use agenda::tasks_of_game;
use bench::LoadedGame;

use super::claims::Finding;
use super::error::StudyError;
use super::front::{Front, Run};
use super::kernel::{Bench, Contents, Equipment, Experiment, Summary};
use super::ledger::Ledger;
use super::report::Report;

impl Experiment for Measurements {
    const TRIALS: &'static str = "samples";
    const CELL: &'static str = "engine";

    type Trial = Task;
    type Record = Sample;
    type Ready = ();
    type Figures = MeasurementFigures;

    fn front(&self) -> &Front {
        &self.front
    }

    fn front_mut(&mut self) -> &mut Front {
        &mut self.front
    }

    fn contents(&self) -> Contents {
        Contents {
            games: self.games.keys().cloned().collect(),
            cells: self.engines.len(),
            claims: self.claims.len(),
            scales: self.scales.keys().copied().collect(),
        }
    }

    fn check(&self) -> Result<(), StudyError> {
        self.check_data()
    }

    fn take_bundled(&mut self, names: &[String]) {
        if self.all_games {
            let games = names.iter().map(|name| (name.clone(), String::new()));
            self.games = games.collect();
        }
    }

    fn agenda(&self, run: Run) -> Result<Vec<Task>, StudyError> {
        let effort = run.scale.of(&self.scales)?;
        let games = self.games.keys();
        let tasks = games.flat_map(|game| tasks_of_game(self, effort, game, run.seed));
        Ok(tasks.collect())
    }

    fn fingerprint(task: &Task) -> String {
        task.fingerprint()
    }

    fn prepare(&self, _: &[Task], _: &dyn Equipment) -> Result<(), StudyError> {
        Ok(())
    }

    /// All samples of a game.
    fn lots(missing: Vec<Task>) -> Vec<Vec<Task>> {
        let lots = missing.chunk_by(|one, other| one.game == other.game);
        lots.map(<[Task]>::to_vec).collect()
    }

    /// What else the program does would take time from what is measured.
    fn jobs(_: usize) -> usize {
        1
    }

    fn make(
        &self,
        bench: &Bench<'_, Self>,
        lot: &[Task],
        add: &mut dyn FnMut(Sample) -> Result<(), StudyError>,
    ) -> Result<(), StudyError> {
        let Some(first) = lot.first() else {
            return Ok(());
        };
        let mut game = LoadedGame::new(self, &first.game, lot, bench.equipment);
        let mut tasks = lot.iter();
        tasks.try_for_each(|task| add(Sample::new(task, game.take(task))))
    }

    fn figures(&self, run: Run, ledger: &Ledger<Sample>) -> Result<MeasurementFigures, StudyError> {
        let effort = run.scale.of(&self.scales)?;
        let (agenda, samples) = (self.agenda(run)?, ledger.by_fingerprint());
        let taken = agenda.iter().filter(|task| {
            let sample = samples.get(task.fingerprint().as_str());
            sample.is_some_and(|sample| sample.count.is_some())
        });
        let tables = self.tables.iter();
        Ok(MeasurementFigures {
            games: self.games.clone(),
            engines: self.engines.clone(),
            taken: taken.count(),
            wanted: agenda.len(),
            tables: tables
                .map(|data| figures::table(self, data, effort, run.seed, &samples))
                .collect(),
        })
    }

    fn remarks(&self, run: Run, _: &Ledger<Sample>) -> Vec<String> {
        let effort = self.scales.get(&run.scale).into_iter();
        let remark = |effort: &Effort| {
            format!(
                "Each figure is the median of {} samples of {} s of CPU time, and ± half of what lies between the lowest and the highest. \
                 The engines of a game take turns.",
                effort.rounds, effort.seconds
            )
        };
        effort.map(remark).collect()
    }

    fn findings(&self, figures: &MeasurementFigures) -> Vec<Finding> {
        let claims = self.claims.iter();
        claims
            .map(|claim| claims::judge(claim, &figures.tables))
            .collect()
    }

    fn is_blank(figures: &MeasurementFigures) -> bool {
        let mut slots = figures.slots();
        slots.all(|slot| slot.figure.is_none() && slot.problem.is_none())
    }

    fn report(summary: &Summary<MeasurementFigures>) -> Report {
        report::report(summary)
    }
}
