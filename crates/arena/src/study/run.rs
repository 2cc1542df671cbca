//! Playing what is missing, several games at a time.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::error::StudyError;
use super::ledger::{Ledger, RecordFile};
use super::plan::Plan;
use crate::contest::{Setup, Tables};

/// Plays the games of the plan that the ledger does not have, `jobs` at a time, and adds each when it is over. `progress` is told how many
/// of how many are done.
///
/// # Errors
/// If a game is not loaded or wants another number of players, a player cannot be made, or the ledger cannot be written; what was
/// finished by then is in the ledger.
pub fn run(
    plan: &Plan,
    tables: &Tables,
    ledger: &mut Ledger,
    jobs: usize,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<(), StudyError> {
    let missing = missing(plan, ledger);
    for setup in &missing {
        check(setup, tables)?;
    }
    spread(&missing, jobs, ledger, progress, &|setup| {
        let table = tables.get(&setup.game);
        let table = table.ok_or_else(|| StudyError::NoTable(setup.game.clone()))?;
        let record = table.play(setup, plan.seed);
        record.map_err(|reason| StudyError::Player {
            player: setup.cell.clone(),
            reason,
        })
    })
}

/// The games of the plan that the ledger does not have.
fn missing<'a>(plan: &'a Plan, ledger: &Ledger) -> Vec<&'a Setup> {
    let done: BTreeSet<&String> = ledger.records.iter().map(|record| &record.setup).collect();
    let games = plan.games.iter();
    games
        .filter(|setup| !done.contains(&setup.fingerprint()))
        .collect()
}

fn check(setup: &Setup, tables: &Tables) -> Result<(), StudyError> {
    let table = tables.get(&setup.game);
    let table = table.ok_or_else(|| StudyError::NoTable(setup.game.clone()))?;
    let (players, roles) = (setup.contestants.len(), table.players());
    if players == roles {
        return Ok(());
    }
    Err(StudyError::Seats {
        cell: setup.cell.clone(),
        game: setup.game.clone(),
        players,
        roles,
    })
}

/// Works on all items, `jobs` at a time, and adds each record to the file when it is there. `progress` is told how many of how many are done.
///
/// # Errors
/// The first error of a worker, or of the file; what was finished by then is in the file.
pub(super) fn spread<T, R>(
    items: &[T],
    jobs: usize,
    file: &mut RecordFile<R>,
    progress: &(dyn Fn(usize, usize) + Sync),
    work: &(dyn Fn(&T) -> Result<R, StudyError> + Sync),
) -> Result<(), StudyError>
where
    T: Sync,
    R: Clone + Serialize + DeserializeOwned + Send,
{
    let shared = Work {
        items,
        next: AtomicUsize::new(0),
        stop: AtomicBool::new(false),
        file: Mutex::new((file, 0)),
        progress,
        work,
    };
    progress(0, items.len());
    let jobs = jobs.clamp(1, items.len().max(1));
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..jobs).map(|_| scope.spawn(|| shared.some())).collect();
        let joined = workers.into_iter().map(|worker| match worker.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        // All are waited for, whatever the first one says.
        let results: Vec<Result<(), StudyError>> = joined.collect();
        results.into_iter().collect()
    })
}

/// What the threads share.
struct Work<'a, T, R> {
    items: &'a [T],
    next: AtomicUsize,
    /// Set when something went wrong: nobody begins another item.
    stop: AtomicBool,
    /// The file, and how many records were added.
    file: Mutex<(&'a mut RecordFile<R>, usize)>,
    progress: &'a (dyn Fn(usize, usize) + Sync),
    work: &'a (dyn Fn(&T) -> Result<R, StudyError> + Sync),
}

impl<T: Sync, R: Clone + Serialize + DeserializeOwned + Send> Work<'_, T, R> {
    /// What one thread does: the next item, until there is none.
    fn some(&self) -> Result<(), StudyError> {
        while !self.stop.load(Ordering::Relaxed) {
            let place = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = self.items.get(place) else {
                break;
            };
            if let Err(error) = self.one(item) {
                self.stop.store(true, Ordering::Relaxed);
                return Err(error);
            }
        }
        Ok(())
    }

    fn one(&self, item: &T) -> Result<(), StudyError> {
        let record = (self.work)(item)?;
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.0.add(record)?;
        file.1 += 1;
        (self.progress)(file.1, self.items.len());
        Ok(())
    }
}
