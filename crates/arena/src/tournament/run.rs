//! Playing what is left of a tournament, several matches at a time.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::plan::Plan;
use super::setting::{Tournament, TournamentError};
use crate::contest::{Setup, Tables};
use crate::record::{Heading, file_name};
use crate::store::{MatchRow, WorkList};

/// How a tournament is played.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// How many matches are played at a time.
    pub jobs: usize,
    /// The most matches that this run plays.
    pub at_most: Option<usize>,
    /// The folder of the database, in which records are written, if they are.
    pub records: Option<PathBuf>,
}

/// Plays what the work list has free, and finishes each match when it is over. `progress` is told how many of how many are done.
///
/// # Errors
/// If another process has the tournament, a game is not loaded, a player cannot be made, or something cannot be written; what was
/// finished by then is in the list.
pub fn run(
    tournament: &Tournament,
    plan: &Plan,
    tables: &Tables,
    list: &dyn WorkList,
    options: &RunOptions,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<(), TournamentError> {
    let setups = plan.setups();
    list.begin(&tournament.name, &setups)?;
    let done = list.outcomes(&tournament.name, &setups)?.len();
    let work = Work {
        tournament,
        plan,
        tables,
        list,
        options,
        progress,
        begun: AtomicUsize::new(0),
        done: AtomicUsize::new(done),
        stop: AtomicBool::new(false),
    };
    progress(done, setups.len());
    let jobs = options.jobs.clamp(1, (setups.len() - done).max(1));
    let result = std::thread::scope(|scope| {
        let worker = |number| {
            let work = &work;
            scope.spawn(move || work.some(number))
        };
        let workers: Vec<_> = (0..jobs).map(worker).collect();
        let joined = workers.into_iter().map(|worker| match worker.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        // All are waited for, whatever the first one says.
        let results: Vec<Result<(), TournamentError>> = joined.collect();
        results.into_iter().collect()
    });
    list.end(&tournament.name);
    result
}

/// What the threads share.
struct Work<'a> {
    tournament: &'a Tournament,
    plan: &'a Plan,
    tables: &'a Tables,
    list: &'a dyn WorkList,
    options: &'a RunOptions,
    progress: &'a (dyn Fn(usize, usize) + Sync),
    /// Matches that this run has begun.
    begun: AtomicUsize,
    /// Matches that are finished, by this run or others.
    done: AtomicUsize,
    /// Set when something went wrong: nobody begins another match.
    stop: AtomicBool,
}

impl Work<'_> {
    /// What one thread does: the next match, until there is none.
    fn some(&self, number: usize) -> Result<(), TournamentError> {
        let worker = format!("{}-{number}", std::process::id());
        while !self.stop.load(Ordering::Relaxed) {
            let begun = self.begun.fetch_add(1, Ordering::Relaxed);
            if self.options.at_most.is_some_and(|most| begun >= most) {
                break;
            }
            match self.next(&worker) {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => {
                    self.stop.store(true, Ordering::Relaxed);
                    return Err(error);
                }
            }
        }
        Ok(())
    }

    /// Plays the next match that is free; false if there is none.
    fn next(&self, worker: &str) -> Result<bool, TournamentError> {
        let claimed = self.list.claim(&self.tournament.name, worker)?;
        let Some(setup) = claimed.and_then(|place| self.plan.matches.get(place)) else {
            return Ok(false);
        };
        self.play(setup)?;
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        (self.progress)(done, self.plan.matches.len());
        Ok(true)
    }

    fn play(&self, setup: &Setup) -> Result<(), TournamentError> {
        let (tournament, seed) = (&self.tournament.name, self.tournament.seed);
        let table = self.tables.get(&setup.game);
        let table = table.ok_or_else(|| TournamentError::NoTable(setup.game.clone()))?;
        let bad_player = |reason| TournamentError::Player {
            player: setup.cell.clone(),
            reason,
        };
        let Some(folder) = &self.options.records else {
            let outcome = table.play(setup, seed).map_err(bad_player)?;
            return Ok(self.list.finish(tournament, &outcome, None)?);
        };
        let id = format!(
            "{tournament}.{}.{}",
            file_name(&setup.game),
            setup.fingerprint()
        );
        let file = format!("{}/{}.json", file_name(tournament), file_name(&id));
        let heading = Heading {
            id,
            game: setup.game.clone(),
            tournament: Some(tournament.clone()),
            ..Heading::default()
        };
        let played = table.play_recorded(setup, seed, heading);
        let (outcome, record) = played.map_err(bad_player)?;
        // First the file: a match that is in the list has its record. If we die in between, it is played again, to the same end.
        record.write(&folder.join(&file))?;
        let row = MatchRow::new(&record, &file);
        Ok(self.list.finish(tournament, &outcome, Some(&row))?)
    }
}
