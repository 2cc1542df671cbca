//! Playing what is missing, several games at a time.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::error::StudyError;
use super::ledger::Ledger;
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
    let work = Work {
        tables,
        missing: &missing,
        seed: plan.seed,
        next: AtomicUsize::new(0),
        stop: AtomicBool::new(false),
        ledger: Mutex::new((ledger, 0)),
        progress,
    };
    progress(0, missing.len());
    let jobs = jobs.clamp(1, missing.len().max(1));
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..jobs).map(|_| scope.spawn(|| work.some())).collect();
        let joined = workers.into_iter().map(|worker| match worker.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        // All are waited for, whatever the first one says.
        let results: Vec<Result<(), StudyError>> = joined.collect();
        results.into_iter().collect()
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

/// What the threads share.
struct Work<'a> {
    tables: &'a Tables,
    missing: &'a [&'a Setup],
    seed: u64,
    next: AtomicUsize,
    /// Set when something went wrong: nobody begins another game.
    stop: AtomicBool,
    /// The ledger, and how many games were added.
    ledger: Mutex<(&'a mut Ledger, usize)>,
    progress: &'a (dyn Fn(usize, usize) + Sync),
}

impl Work<'_> {
    /// What one thread does: the next game, until there is none.
    fn some(&self) -> Result<(), StudyError> {
        while !self.stop.load(Ordering::Relaxed) {
            let place = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(setup) = self.missing.get(place) else {
                break;
            };
            if let Err(error) = self.one(setup) {
                self.stop.store(true, Ordering::Relaxed);
                return Err(error);
            }
        }
        Ok(())
    }

    fn one(&self, setup: &Setup) -> Result<(), StudyError> {
        let table = self.tables.get(&setup.game);
        let table = table.ok_or_else(|| StudyError::NoTable(setup.game.clone()))?;
        let record = table.play(setup, self.seed);
        let record = record.map_err(|reason| StudyError::Player {
            player: setup.cell.clone(),
            reason,
        })?;
        let mut ledger = self.ledger.lock().unwrap_or_else(PoisonError::into_inner);
        ledger.0.add(record)?;
        ledger.1 += 1;
        (self.progress)(ledger.1, self.missing.len());
        Ok(())
    }
}
