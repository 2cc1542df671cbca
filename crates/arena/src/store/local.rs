//! The work list of a tournament in SQLite, for one process.

use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OptionalExtension, Row, params};

use super::sqlite::insert_match;
use super::{Database, MatchRow, StoreError, WorkList, to_text};
use crate::contest::{Outcome, hash};
use crate::record::{MatchRecord, file_name};

/// The matches of a tournament that this process plays; no other process has them until this is
/// dropped.
pub struct LocalList<'a> {
    database: &'a Database,
    tournament: String,
    /// Nothing is asked of it: the tournament is locked as long as it is open. A connection is not
    /// for several threads, a mutex is.
    _lock: std::sync::Mutex<Connection>,
}

impl<'a> LocalList<'a> {
    /// Locks a tournament until the list is dropped or the process ends.
    pub(super) fn lock(database: &'a Database, tournament: &str) -> Result<Self, StoreError> {
        let name = format!("lock-{:016x}", hash(tournament.as_bytes()));
        let path = database.path().with_extension(name);
        let lock = || -> rusqlite::Result<Connection> {
            let connection = Connection::open(&path)?;
            connection.busy_timeout(Duration::ZERO)?;
            connection.execute_batch("BEGIN EXCLUSIVE")?;
            Ok(connection)
        };
        let lock = lock().map_err(|reason| match reason.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
                StoreError::Busy(tournament.to_owned())
            }
            _ => database.failed(reason),
        })?;
        Ok(Self {
            database,
            tournament: tournament.to_owned(),
            _lock: lock.into(),
        })
    }

    /// Writes a record into a file beside the database, and gives its row with the text of it.
    fn keep(&self, record: &MatchRecord) -> Result<(MatchRow, String), StoreError> {
        let folder = file_name(&self.tournament);
        let file = format!("{folder}/{}.json", file_name(&record.match_id));
        let path = self.database.beside(&file);
        record.write(&path).map_err(|reason| StoreError::File {
            place: path.display().to_string(),
            reason,
        })?;
        let row = MatchRow::new(record, &file);
        let text = to_text(&self.database.place(), "a match", &row)?;
        Ok((row, text))
    }
}

impl WorkList for LocalList<'_> {
    fn claim(&self) -> Result<Option<String>, StoreError> {
        // One statement is one transaction: no other claim can come between choosing and claiming.
        self.database.with(|connection| {
            let mut statement = connection.prepare_cached(
                "UPDATE task SET worker = ?2 WHERE rowid = (
                     SELECT rowid FROM task
                     WHERE tournament = ?1 AND place IS NOT NULL AND worker IS NULL AND outcome IS NULL
                     ORDER BY place LIMIT 1)
                 RETURNING setup",
            )?;
            let worker = std::process::id().to_string();
            let setup = |row: &Row<'_>| row.get(0);
            statement
                .query_row([&self.tournament, &worker], setup)
                .optional()
        })
    }

    fn renewal(&self) -> Option<Duration> {
        None
    }

    fn renew(&self, _: &[String]) -> Result<(), StoreError> {
        Ok(())
    }

    fn finish(&self, outcome: &Outcome, record: Option<&MatchRecord>) -> Result<(), StoreError> {
        let text = to_text(&self.database.place(), "an outcome", outcome)?;
        // First the file: a match that is in the list has its record. If we die in between, it is
        // played again, to the same end.
        let row = record.map(|record| self.keep(record)).transpose()?;
        self.database.with(|connection| {
            let transaction = connection.transaction()?;
            let finished = transaction.execute(
                "UPDATE task SET outcome = ?3, worker = NULL WHERE tournament = ?1 AND setup = ?2 AND outcome IS NULL",
                params![self.tournament, outcome.setup, text],
            )?;
            if let (1, Some((row, text))) = (finished, &row) {
                insert_match(&transaction, row, text)?;
            }
            transaction.commit()
        })
    }

    fn left(&self) -> Result<usize, StoreError> {
        let left: i64 = self.database.with(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT count(*) FROM task WHERE tournament = ?1 AND place IS NOT NULL AND outcome IS NULL",
            )?;
            statement.query_row([&self.tournament], |row| row.get(0))
        })?;
        Ok(left as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::{Database, WorkList};
    use crate::contest::{Ending, Outcome};
    use crate::store::{Archive, StoreError};

    fn outcome(setup: &str) -> Outcome {
        Outcome {
            cell: "cell".into(),
            number: 0,
            seed: 1,
            setup: setup.into(),
            ending: Ending::Over,
            steps: 3,
            seats: Vec::new(),
            goal_range: (0, 100),
            is_perfect: None,
        }
    }

    fn setups(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    /// What is free, all claimed now.
    fn claims(list: &dyn WorkList) -> Vec<String> {
        std::iter::from_fn(|| list.claim().unwrap()).collect()
    }

    #[test]
    fn each_match_is_claimed_once_and_again_after_a_crash() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/matches.sqlite");
        let setups = setups(&["a", "b", "c"]);
        let first = Database::open(&path).unwrap();
        let list = first.begin("t", &setups).unwrap();
        assert_eq!(list.claim().unwrap().unwrap(), "a");
        assert_eq!(list.claim().unwrap().unwrap(), "b");
        list.finish(&outcome("b"), None).unwrap();
        assert_eq!(list.left().unwrap(), 2);
        // The first match is claimed when the run ends.
        drop(list);
        drop(first);
        let second = Database::open(&path).unwrap();
        let list = second.begin("t", &setups).unwrap();
        assert_eq!(claims(&list), ["a", "c"]);
        assert_eq!(second.outcomes("t", &setups).unwrap(), [outcome("b")]);
    }

    #[test]
    fn the_first_finish_counts() {
        let folder = tempfile::tempdir().unwrap();
        let database = Database::open(&folder.path().join("matches.sqlite")).unwrap();
        let setups = setups(&["a"]);
        let list = database.begin("t", &setups).unwrap();
        list.claim().unwrap();
        list.finish(&outcome("a"), None).unwrap();
        let late = Outcome {
            steps: 99,
            ..outcome("a")
        };
        list.finish(&late, None).unwrap();
        assert_eq!(database.outcomes("t", &setups).unwrap(), [outcome("a")]);
    }

    #[test]
    fn a_longer_list_keeps_what_is_done_and_puts_others_aside() {
        let folder = tempfile::tempdir().unwrap();
        let database = Database::open(&folder.path().join("matches.sqlite")).unwrap();
        let list = database.begin("t", &setups(&["a", "b"])).unwrap();
        list.claim().unwrap();
        list.finish(&outcome("a"), None).unwrap();
        drop(list);
        let list = database.begin("t", &setups(&["c", "a"])).unwrap();
        assert_eq!(list.left().unwrap(), 1);
        assert_eq!(claims(&list), ["c"]);
        assert_eq!(database.outcomes("t", &setups(&["c"])).unwrap(), []);
    }

    #[test]
    fn a_tournament_is_played_by_one_run_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("matches.sqlite");
        let first = Database::open(&path).unwrap();
        let list = first.begin("t", &[]).unwrap();
        let second = Database::open(&path).unwrap();
        assert!(matches!(second.begin("t", &[]), Err(StoreError::Busy(_))));
        second.begin("other", &[]).unwrap();
        drop(list);
        second.begin("t", &[]).unwrap();
    }
}
