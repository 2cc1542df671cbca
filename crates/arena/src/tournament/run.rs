//! Playing what is left of a tournament, several matches at a time.
//!
//! Threads claim matches, play them and finish them. Where nothing is free but something is not
//! finished either, other processes are playing it; a thread that waits for them polls the list,
//! since matches that they do not finish become free. Meanwhile one thread counts what is done and
//! renews the claims.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::plan::Plan;
use super::setting::{Tournament, TournamentError};
use crate::contest::{ContestGames, Setup};
use crate::record::{Heading, file_name};
use crate::store::WorkList;

/// How often the list is asked how much is left, and the longest sleep of a thread that waits for
/// others.
const BEAT: Duration = Duration::from_secs(1);

/// How a tournament is played.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// How many matches are played at a time; with none, the run only waits for others.
    pub jobs: usize,
    /// The most matches that this run plays.
    pub at_most: Option<usize>,
    /// Whether matches are written down.
    pub records: bool,
    /// Whether to wait for what others play, and to play it if they do not finish it.
    pub wait: bool,
    /// Once this is set, no other match is begun.
    pub interrupt: Arc<AtomicBool>,
}

/// Plays what the work list has free, and finishes each match when it is over. `progress` is told
/// how many of how many are done.
///
/// # Errors
/// If a game is not loaded, a player cannot be made, something cannot be written, or the tournament
/// is another one by now; what was finished by then is in the list.
pub fn run(
    tournament: &Tournament,
    plan: &Plan,
    tables: &ContestGames,
    list: &dyn WorkList,
    options: &RunOptions,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<(), TournamentError> {
    let matches = plan.matches.iter();
    let matches: BTreeMap<String, &Setup> =
        matches.map(|setup| (setup.fingerprint(), setup)).collect();
    let left = list.left()?;
    let jobs = options.jobs.min(left);
    let work = Work {
        tournament,
        matches,
        tables,
        list,
        options,
        progress,
        quota: AtomicUsize::new(options.at_most.unwrap_or(usize::MAX)),
        playing: Mutex::default(),
        stop: AtomicBool::new(false),
    };
    work.tell(left);
    std::thread::scope(|scope| {
        let (finished, news) = channel();
        let mut threads = Vec::new();
        for number in 0..jobs.max(1) {
            let (work, finished) = (&work, finished.clone());
            threads.push(scope.spawn(move || work.some(number < jobs, &finished)));
        }
        drop(finished);
        let watched = work.watch(left, &news);
        let joined = threads.into_iter().map(|thread| match thread.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        // All are waited for, whatever the first one says.
        let results: Vec<Result<(), TournamentError>> = joined.collect();
        results.into_iter().chain([watched]).collect()
    })
}

/// What the threads share.
struct Work<'a> {
    tournament: &'a Tournament,
    /// The matches by the fingerprints of their setups.
    matches: BTreeMap<String, &'a Setup>,
    tables: &'a ContestGames,
    list: &'a dyn WorkList,
    options: &'a RunOptions,
    progress: &'a (dyn Fn(usize, usize) + Sync),
    /// How many matches this run may still begin.
    quota: AtomicUsize,
    /// What is being played now.
    playing: Mutex<BTreeSet<String>>,
    /// Set after an error: no thread begins another match.
    stop: AtomicBool,
}

impl Work<'_> {
    /// What one thread does: the next match, until there is none. One that does not play only
    /// waits.
    fn some(&self, plays: bool, finished: &Sender<()>) -> Result<(), TournamentError> {
        let result = self.until_done(plays, finished);
        if result.is_err() {
            self.stop.store(true, Ordering::Relaxed);
        }
        result
    }

    fn until_done(&self, plays: bool, finished: &Sender<()>) -> Result<(), TournamentError> {
        let shortest = BEAT / 32;
        let mut pause = shortest;
        while !self.is_stopped() {
            if plays && !self.take_quota() {
                break;
            }
            if plays && self.next()? {
                // The receiver is gone only where watching failed, which is reported by itself.
                let _ = finished.send(());
                pause = shortest;
                continue;
            }
            self.quota.fetch_add(usize::from(plays), Ordering::Relaxed);
            if !self.options.wait || self.list.left()? == 0 {
                break;
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(BEAT);
        }
        Ok(())
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.options.interrupt.load(Ordering::Relaxed)
    }

    /// Whether this run may begin another match.
    fn take_quota(&self) -> bool {
        let less = |quota: usize| quota.checked_sub(1);
        let taken = self
            .quota
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
        taken.is_ok()
    }

    /// Plays the next match that is free; false if there is none.
    fn next(&self) -> Result<bool, TournamentError> {
        let Some(claimed) = self.list.claim()? else {
            return Ok(false);
        };
        let setup = self.matches.get(&claimed);
        let setup = setup.ok_or_else(|| TournamentError::UnknownMatch(claimed.clone()))?;
        self.playing().insert(claimed.clone());
        let played = self.play(setup);
        self.playing().remove(&claimed);
        played.map(|()| true)
    }

    fn playing(&self) -> MutexGuard<'_, BTreeSet<String>> {
        // A set is whole between any two of our steps.
        self.playing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn play(&self, setup: &Setup) -> Result<(), TournamentError> {
        let (tournament, seed) = (&self.tournament.name, self.tournament.seed);
        let table = self.tables.get(&setup.game);
        let table = table.ok_or_else(|| TournamentError::NoTable(setup.game.clone()))?;
        // Every player was tried when the tournament was planned; what fails all the same is one of
        // these.
        let bad_player = |reason| {
            let names = setup.contestants.iter();
            let names: Vec<&str> = names.map(|contestant| contestant.name.as_str()).collect();
            TournamentError::Player {
                player: names.join("` or `"),
                game: Some(setup.game.clone()),
                reason: Box::new(reason),
            }
        };
        if !self.options.records {
            let outcome = table.play(setup, seed).map_err(bad_player)?;
            return Ok(self.list.finish(&outcome, None)?);
        }
        let heading = Heading {
            id: format!(
                "{tournament}.{}.{}",
                file_name(&setup.game),
                setup.fingerprint()
            ),
            game: setup.game.clone(),
            tournament: Some(tournament.clone()),
            ..Heading::default()
        };
        let played = table.play_recorded(setup, seed, heading);
        let (outcome, record) = played.map_err(bad_player)?;
        Ok(self.list.finish(&outcome, Some(&record))?)
    }

    /// Counts what is done and renews claims, until all threads have ended.
    fn watch(&self, left: usize, news: &Receiver<()>) -> Result<(), TournamentError> {
        let watched = self.keep_up(left, news);
        if watched.is_err() {
            self.stop.store(true, Ordering::Relaxed);
        }
        watched
    }

    fn keep_up(&self, mut left: usize, news: &Receiver<()>) -> Result<(), TournamentError> {
        let (mut counted, mut renewed) = (Instant::now(), Instant::now());
        loop {
            match news.recv_timeout(BEAT) {
                Ok(()) => left = left.saturating_sub(1),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
            // Others play, too, so that the list knows better.
            if counted.elapsed() >= BEAT {
                left = self.list.left()?;
                counted = Instant::now();
            }
            self.tell(left);
            let renewal = self.list.renewal();
            if renewal.is_some_and(|renewal| renewed.elapsed() >= renewal) {
                let playing: Vec<String> = self.playing().iter().cloned().collect();
                self.list.renew(&playing)?;
                renewed = Instant::now();
            }
        }
    }

    fn tell(&self, left: usize) {
        let all = self.matches.len();
        (self.progress)(all.saturating_sub(left), all);
    }
}
