//! The database in SQLite.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OptionalExtension, Row, Transaction, params};

use super::{MatchRow, StoreError, WorkList};
use crate::contest::{Outcome, hash};

/// What this program writes; a database of a later version is refused.
const VERSION: i64 = 1;

/// How long to wait for another process that is writing.
const PATIENCE: Duration = Duration::from_secs(30);

const SCHEMA: &str = "
CREATE TABLE IF NOT EXISTS task (
    tournament TEXT NOT NULL,
    setup TEXT NOT NULL,
    place INTEGER,
    worker TEXT,
    outcome TEXT,
    PRIMARY KEY (tournament, setup)
);
CREATE INDEX IF NOT EXISTS task_free ON task (tournament, place) WHERE worker IS NULL AND outcome IS NULL;
CREATE TABLE IF NOT EXISTS match (
    id TEXT PRIMARY KEY,
    game TEXT NOT NULL,
    tournament TEXT,
    started INTEGER NOT NULL,
    row TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS match_started ON match (started);
";

/// A database file.
pub struct Database {
    path: PathBuf,
    connection: Mutex<Connection>,
    /// The tournaments that this process has: locked as long as these are open.
    locks: Mutex<BTreeMap<String, Connection>>,
}

impl Database {
    /// Opens a database, and makes it if there is none.
    ///
    /// # Errors
    /// If it cannot be made or opened, is of a later version, or is no database.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|reason| StoreError::File {
                path: path.to_owned(),
                reason,
            })?;
        }
        let failed = |reason| StoreError::Database {
            path: path.to_owned(),
            reason,
        };
        let connection = Connection::open(path).map_err(failed)?;
        let version = prepare(&connection).map_err(failed)?;
        if version > VERSION {
            return Err(StoreError::Foreign {
                path: path.to_owned(),
                what: format!("version {version}"),
                reason: format!("version {VERSION} is the last one known"),
            });
        }
        Ok(Self {
            path: path.to_owned(),
            connection: Mutex::new(connection),
            locks: Mutex::default(),
        })
    }

    /// Adds a recorded match; one of the same name is replaced.
    ///
    /// # Errors
    /// If the database fails.
    pub fn add_match(&self, row: &MatchRow) -> Result<(), StoreError> {
        let text = self.text("a match", row)?;
        let add = |connection: &Connection| insert_match(connection, row, &text);
        add(&self.lock()).map_err(|reason| self.failed(reason))
    }

    /// The recorded matches, the latest first; only one of this name, if one is given.
    ///
    /// # Errors
    /// If the database fails.
    pub fn matches(&self, id: Option<&str>) -> Result<Vec<MatchRow>, StoreError> {
        let read = |connection: &Connection| -> rusqlite::Result<Vec<String>> {
            let mut statement = connection.prepare(
                "SELECT row FROM match WHERE ?1 IS NULL OR id = ?1 ORDER BY started DESC, id",
            )?;
            let rows = statement.query_map([id], |row| row.get(0))?;
            rows.collect()
        };
        let texts = read(&self.lock()).map_err(|reason| self.failed(reason))?;
        let rows = texts.iter().map(|text| self.value("a match", text));
        rows.collect()
    }

    /// Locks a tournament until its run ends, this database is dropped, or the process ends.
    fn lock_tournament(&self, tournament: &str) -> Result<(), StoreError> {
        let name = format!("lock-{:016x}", hash(tournament.as_bytes()));
        let path = self.path.with_extension(name);
        let lock = || -> rusqlite::Result<Connection> {
            let connection = Connection::open(&path)?;
            connection.busy_timeout(Duration::ZERO)?;
            connection.execute_batch("BEGIN EXCLUSIVE")?;
            Ok(connection)
        };
        let connection = lock().map_err(|reason| match reason.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
                StoreError::Busy(tournament.to_owned())
            }
            _ => self.failed(reason),
        })?;
        let mut locks = self.locks.lock().unwrap_or_else(PoisonError::into_inner);
        locks.insert(tournament.to_owned(), connection);
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Connection> {
        // A transaction whose thread panicked was rolled back.
        self.connection
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn failed(&self, reason: rusqlite::Error) -> StoreError {
        StoreError::Database {
            path: self.path.clone(),
            reason,
        }
    }

    fn text(&self, what: &str, value: &impl serde::Serialize) -> Result<String, StoreError> {
        serde_json::to_string(value).map_err(|reason| self.foreign(what, &reason))
    }

    fn value<T: serde::de::DeserializeOwned>(
        &self,
        what: &str,
        text: &str,
    ) -> Result<T, StoreError> {
        serde_json::from_str(text).map_err(|reason| self.foreign(what, &reason))
    }

    fn foreign(&self, what: &str, reason: &serde_json::Error) -> StoreError {
        StoreError::Foreign {
            path: self.path.clone(),
            what: what.to_owned(),
            reason: reason.to_string(),
        }
    }
}

impl WorkList for Database {
    fn begin(&self, tournament: &str, setups: &[String]) -> Result<(), StoreError> {
        self.lock_tournament(tournament)?;
        let list = |connection: &mut Connection| -> rusqlite::Result<()> {
            let transaction = connection.transaction()?;
            transaction.execute(
                "UPDATE task SET place = NULL, worker = NULL WHERE tournament = ?1",
                [tournament],
            )?;
            enlist(&transaction, tournament, setups)?;
            transaction.commit()
        };
        list(&mut self.lock()).map_err(|reason| self.failed(reason))
    }

    fn claim(&self, tournament: &str, worker: &str) -> Result<Option<usize>, StoreError> {
        // One statement is one transaction: nobody else can come between choosing and claiming.
        let claim = |connection: &Connection| {
            let mut statement = connection.prepare_cached(
                "UPDATE task SET worker = ?2 WHERE rowid = (
                     SELECT rowid FROM task
                     WHERE tournament = ?1 AND place IS NOT NULL AND worker IS NULL AND outcome IS NULL
                     ORDER BY place LIMIT 1)
                 RETURNING place",
            )?;
            let place = |row: &Row<'_>| row.get::<_, i64>(0);
            statement.query_row([tournament, worker], place).optional()
        };
        let place = claim(&self.lock()).map_err(|reason| self.failed(reason))?;
        Ok(place.and_then(|place| usize::try_from(place).ok()))
    }

    fn finish(
        &self,
        tournament: &str,
        outcome: &Outcome,
        row: Option<&MatchRow>,
    ) -> Result<(), StoreError> {
        let text = self.text("an outcome", outcome)?;
        let row = row.map(|row| Ok((row, self.text("a match", row)?)));
        let row = row.transpose()?;
        let finish = |connection: &mut Connection| -> rusqlite::Result<()> {
            let transaction = connection.transaction()?;
            transaction.execute(
                "UPDATE task SET outcome = ?3, worker = NULL WHERE tournament = ?1 AND setup = ?2",
                params![tournament, outcome.setup, text],
            )?;
            if let Some((row, text)) = &row {
                insert_match(&transaction, row, text)?;
            }
            transaction.commit()
        };
        finish(&mut self.lock()).map_err(|reason| self.failed(reason))
    }

    fn end(&self, tournament: &str) {
        let mut locks = self.locks.lock().unwrap_or_else(PoisonError::into_inner);
        locks.remove(tournament);
    }

    fn outcomes(&self, tournament: &str, setups: &[String]) -> Result<Vec<Outcome>, StoreError> {
        let read = |connection: &Connection| -> rusqlite::Result<BTreeMap<String, String>> {
            let mut statement = connection.prepare(
                "SELECT setup, outcome FROM task WHERE tournament = ?1 AND outcome IS NOT NULL",
            )?;
            let rows = statement.query_map([tournament], |row| Ok((row.get(0)?, row.get(1)?)))?;
            rows.collect()
        };
        let texts = read(&self.lock()).map_err(|reason| self.failed(reason))?;
        let texts = setups.iter().filter_map(|setup| texts.get(setup));
        texts.map(|text| self.value("an outcome", text)).collect()
    }
}

/// Sets the connection up and makes the tables; the version of the database.
fn prepare(connection: &Connection) -> rusqlite::Result<i64> {
    connection.busy_timeout(PATIENCE)?;
    // Answers with the mode that it has now, which is of no interest.
    connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    let version = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if version < VERSION {
        connection.execute_batch(SCHEMA)?;
        connection.pragma_update(None, "user_version", VERSION)?;
    }
    Ok(version)
}

fn enlist(
    transaction: &Transaction<'_>,
    tournament: &str,
    setups: &[String],
) -> rusqlite::Result<()> {
    let mut statement = transaction.prepare(
        "INSERT INTO task (tournament, setup, place) VALUES (?1, ?2, ?3)
         ON CONFLICT (tournament, setup) DO UPDATE SET place = excluded.place",
    )?;
    for (place, setup) in setups.iter().enumerate() {
        statement.execute(params![tournament, setup, place as i64])?;
    }
    Ok(())
}

fn insert_match(connection: &Connection, row: &MatchRow, text: &str) -> rusqlite::Result<()> {
    connection.execute(
        "INSERT OR REPLACE INTO match (id, game, tournament, started, row) VALUES (?1, ?2, ?3, ?4, ?5)",
        params![row.id, row.game, row.tournament, row.started, text],
    )?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Database, WorkList};
    use crate::contest::{Ending, Outcome};
    use crate::store::StoreError;

    fn outcome(setup: &str) -> Outcome {
        Outcome {
            cell: "cell".into(),
            number: 0,
            seed: 1,
            setup: setup.into(),
            ending: Ending::Over,
            steps: 3,
            seats: Vec::new(),
        }
    }

    fn setups(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn each_match_is_claimed_once_and_again_after_a_crash() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/matches.sqlite");
        let list = setups(&["a", "b", "c"]);
        let first = Database::open(&path).unwrap();
        first.begin("t", &list).unwrap();
        assert_eq!(first.claim("t", "w").unwrap(), Some(0));
        assert_eq!(first.claim("t", "w").unwrap(), Some(1));
        first.finish("t", &outcome("b"), None).unwrap();
        // The first match is claimed when the run ends.
        drop(first);
        let second = Database::open(&path).unwrap();
        second.begin("t", &list).unwrap();
        assert_eq!(second.claim("t", "w").unwrap(), Some(0));
        assert_eq!(second.claim("t", "w").unwrap(), Some(2));
        assert_eq!(second.claim("t", "w").unwrap(), None);
        assert_eq!(second.outcomes("t", &list).unwrap(), [outcome("b")]);
    }

    #[test]
    fn a_longer_list_keeps_what_is_done_and_puts_others_aside() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("matches.sqlite");
        let begin = |names: &[&str]| {
            let database = Database::open(&path).unwrap();
            database.begin("t", &setups(names)).unwrap();
            database
        };
        let first = begin(&["a", "b"]);
        first.claim("t", "w").unwrap();
        first.finish("t", &outcome("a"), None).unwrap();
        drop(first);
        let second = begin(&["c", "a"]);
        assert_eq!(second.claim("t", "w").unwrap(), Some(0));
        assert_eq!(second.claim("t", "w").unwrap(), None);
        assert_eq!(second.outcomes("t", &setups(&["c"])).unwrap(), []);
    }

    #[test]
    fn a_tournament_is_played_by_one_run_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("matches.sqlite");
        let first = Database::open(&path).unwrap();
        first.begin("t", &[]).unwrap();
        let second = Database::open(&path).unwrap();
        assert!(matches!(second.begin("t", &[]), Err(StoreError::Busy(_))));
        second.begin("other", &[]).unwrap();
        drop(first);
        second.begin("t", &[]).unwrap();
    }

    #[test]
    fn what_is_no_database_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("matches.sqlite");
        std::fs::write(
            &path,
            "this is no database, and long enough to be looked at",
        )
        .unwrap();
        assert!(matches!(
            Database::open(&path),
            Err(StoreError::Database { .. })
        ));
    }
}
