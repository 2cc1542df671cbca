//! Matches of tournaments that another process began.

use std::collections::BTreeSet;
use std::time::Duration;

use paidia_arena::store::StoreError;
use paidia_arena::tournament::{self, RunOptions, TournamentError};
use paidia_server::database::{SharedDatabase, SharedList};

use super::say;
use crate::planned_tournament::PlannedTournament;

/// How often the database is asked for work when there is none.
const PAUSE: Duration = Duration::from_secs(1);

/// Plays matches from a database.
pub(super) struct Helper {
    database: SharedDatabase,
    threads: Option<usize>,
    /// The tournament that was played last.
    last: Option<Loaded>,
    /// Tournaments that cannot be played here, with their revisions.
    refused: BTreeSet<(String, i64)>,
}

/// A tournament that can be played here.
struct Loaded {
    revision: i64,
    records: bool,
    event: PlannedTournament,
}

impl Helper {
    pub(super) fn connect(address: &str, threads: Option<usize>) -> anyhow::Result<Self> {
        Ok(Self {
            database: SharedDatabase::open(address)?,
            threads,
            last: None,
            refused: BTreeSet::new(),
        })
    }

    /// Plays whatever is free, for ever or until nothing is left.
    pub(super) fn help(&mut self, until_done: bool) -> anyhow::Result<()> {
        say(format_args!("waiting for matches"));
        loop {
            let mut open = self.database.open_tournaments()?;
            open.retain(|one| !self.refused.contains(&(one.name.clone(), one.revision)));
            match open.iter().find(|one| one.free) {
                Some(next) => self.play(&next.name)?,
                None if until_done && open.is_empty() => return Ok(()),
                None => std::thread::sleep(PAUSE),
            }
        }
    }

    /// Plays what is free of a tournament.
    fn play(&mut self, name: &str) -> anyhow::Result<()> {
        let Some((definition, list)) = self.database.join(name)? else {
            return Ok(());
        };
        let revision = list.revision();
        let last = self.last.take();
        let last = last.filter(|last| last.event.tournament.name == name);
        let loaded = match last.filter(|last| last.revision == revision) {
            Some(loaded) => loaded,
            None => match PlannedTournament::of_definition(&definition) {
                Ok(event) => {
                    say(format_args!("plays `{name}`"));
                    Loaded {
                        revision,
                        records: definition.records,
                        event,
                    }
                }
                Err(reason) => {
                    say(format_args!("cannot play `{name}`: {reason:#}"));
                    self.refused.insert((name.to_owned(), revision));
                    return Ok(());
                }
            },
        };
        loaded.play(&list, self.threads)?;
        self.last = Some(loaded);
        Ok(())
    }
}

impl Loaded {
    fn play(&self, list: &SharedList<'_>, threads: Option<usize>) -> anyhow::Result<()> {
        let PlannedTournament {
            tournament,
            plan,
            tables,
        } = &self.event;
        let options = RunOptions {
            jobs: threads.unwrap_or_else(|| self.event.usual_jobs()),
            at_most: None,
            records: self.records,
            // There may be other tournaments.
            wait: false,
            interrupt: std::sync::Arc::default(),
        };
        match tournament::run(tournament, plan, tables, list, &options, &|_, _| {}) {
            // It was begun anew, so it is looked at anew.
            Err(TournamentError::Store(StoreError::Changed(_))) => Ok(()),
            played => Ok(played?),
        }
    }
}
