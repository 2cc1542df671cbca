//! The database in SQLite.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, Transaction, params};

use super::local::LocalList;
use super::{Archive, MatchQuery, MatchRow, StoreError, from_text, outcomes_in_order, to_text};
use crate::contest::Outcome;
use crate::record::MatchRecord;

/// What this program writes; a database of a later version is refused.
const VERSION: i64 = 2;

/// How long to wait for another process that is writing.
const PATIENCE: Duration = Duration::from_secs(30);

/// Version 1 had another index.
const SCHEMA: &str = "
CREATE TABLE IF NOT EXISTS task (
    tournament TEXT NOT NULL,
    setup TEXT NOT NULL,
    place INTEGER,
    worker TEXT,
    outcome TEXT,
    PRIMARY KEY (tournament, setup)
);
CREATE INDEX IF NOT EXISTS task_open ON task (tournament, place) WHERE outcome IS NULL;
DROP INDEX IF EXISTS task_free;
CREATE TABLE IF NOT EXISTS match (
    id TEXT PRIMARY KEY,
    game TEXT NOT NULL,
    tournament TEXT,
    started INTEGER NOT NULL,
    row TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS match_started ON match (started);
";

/// The matches of a game, a player and a tournament, as far as these are given.
const FITTING: &str = "
WHERE (?1 IS NULL OR game = ?1)
  AND (?2 IS NULL OR EXISTS (SELECT 1 FROM json_each(match.row, '$.players') WHERE value = ?2))
  AND (?3 IS NULL OR tournament = ?3)";

/// A database file.
pub struct Database {
    path: PathBuf,
    connection: Mutex<Connection>,
}

impl Database {
    /// Opens a database, and makes it if there is none.
    ///
    /// # Errors
    /// If it cannot be made or opened, is of a later version, or is no database.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let place = path.display().to_string();
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|reason| StoreError::File {
                place: place.clone(),
                reason,
            })?;
        }
        let failed = |reason: rusqlite::Error| StoreError::Database {
            place: place.clone(),
            reason: reason.into(),
        };
        let connection = Connection::open(path).map_err(failed)?;
        let version = prepare(&connection).map_err(failed)?;
        if version > VERSION {
            return Err(StoreError::Foreign {
                place,
                what: format!("version {version}"),
                reason: format!("version {VERSION} is the last one known"),
            });
        }
        Ok(Self {
            path: path.to_owned(),
            connection: Mutex::new(connection),
        })
    }

    /// Adds a recorded match; one of the same name is replaced.
    ///
    /// # Errors
    /// If the database fails.
    pub fn add_match(&self, row: &MatchRow) -> Result<(), StoreError> {
        let text = to_text(&self.place(), "a match", row)?;
        self.with(|connection| insert_match(connection, row, &text))
    }

    /// How many recorded matches fit, and some of them, the latest first: at most `most` after the
    /// first `skipped`.
    ///
    /// # Errors
    /// If the database fails.
    pub fn find_matches(
        &self,
        query: &MatchQuery,
        skipped: usize,
        most: usize,
    ) -> Result<(usize, Vec<MatchRow>), StoreError> {
        let wanted = params![query.game, query.player, query.tournament];
        let some = params![
            query.game,
            query.player,
            query.tournament,
            i64::try_from(most).unwrap_or(i64::MAX),
            i64::try_from(skipped).unwrap_or(i64::MAX)
        ];
        let (total, texts): (i64, Vec<String>) = self.with(|connection| {
            let count = format!("SELECT COUNT(*) FROM match {FITTING}");
            let total = connection.query_row(&count, wanted, |row| row.get(0))?;
            let page = format!(
                "SELECT row FROM match {FITTING} ORDER BY started DESC, id LIMIT ?4 OFFSET ?5"
            );
            let mut statement = connection.prepare(&page)?;
            let rows = statement.query_map(some, |row| row.get(0))?;
            Ok((total, rows.collect::<rusqlite::Result<_>>()?))
        })?;
        let place = self.place();
        let rows = texts.iter().map(|text| from_text(&place, "a match", text));
        let rows = rows.collect::<Result<_, _>>()?;
        Ok((usize::try_from(total).unwrap_or(0), rows))
    }

    /// Takes a tournament for this process until the list is dropped. The list becomes `setups`
    /// (fingerprints, in the order of play): new ones are added, what is finished stays finished,
    /// what a dead run had claimed is free again, and others are put aside, to be found if they
    /// come back.
    ///
    /// # Errors
    /// If another process has the tournament, or the database fails.
    pub fn begin(&self, tournament: &str, setups: &[String]) -> Result<LocalList<'_>, StoreError> {
        let list = LocalList::lock(self, tournament)?;
        self.with(|connection| {
            let transaction = connection.transaction()?;
            transaction.execute(
                "UPDATE task SET place = NULL, worker = NULL WHERE tournament = ?1",
                [tournament],
            )?;
            enlist(&transaction, tournament, setups)?;
            transaction.commit()
        })?;
        Ok(list)
    }

    /// The file of the database.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The file of the database, for messages.
    pub(super) fn place(&self) -> String {
        self.path.display().to_string()
    }

    /// A file beside the database.
    pub(super) fn beside(&self, file: &str) -> PathBuf {
        self.path.with_file_name(file)
    }

    /// Works with the connection while no other thread does.
    pub(super) fn with<T>(
        &self,
        work: impl FnOnce(&mut Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        work(&mut self.lock()).map_err(|reason| self.failed(reason))
    }

    pub(super) fn failed(&self, reason: rusqlite::Error) -> StoreError {
        StoreError::Database {
            place: self.place(),
            reason: reason.into(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Connection> {
        // A transaction whose thread panicked was rolled back.
        self.connection
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Archive for Database {
    fn matches(&self, id: Option<&str>) -> Result<Vec<MatchRow>, StoreError> {
        let texts: Vec<String> = self.with(|connection| {
            let mut statement = connection.prepare(
                "SELECT row FROM match WHERE ?1 IS NULL OR id = ?1 ORDER BY started DESC, id",
            )?;
            let rows = statement.query_map([id], |row| row.get(0))?;
            rows.collect()
        })?;
        let place = self.place();
        let rows = texts.iter().map(|text| from_text(&place, "a match", text));
        rows.collect()
    }

    fn record(&self, row: &MatchRow) -> Result<MatchRecord, StoreError> {
        MatchRecord::read(&self.beside(&row.file)).map_err(|reason| StoreError::Record {
            id: row.id.clone(),
            reason,
        })
    }

    fn outcomes(&self, tournament: &str, setups: &[String]) -> Result<Vec<Outcome>, StoreError> {
        let texts: BTreeMap<String, String> = self.with(|connection| {
            let mut statement = connection.prepare(
                "SELECT setup, outcome FROM task WHERE tournament = ?1 AND outcome IS NOT NULL",
            )?;
            let rows = statement.query_map([tournament], |row| Ok((row.get(0)?, row.get(1)?)))?;
            rows.collect()
        })?;
        outcomes_in_order(&self.place(), &texts, setups)
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

/// Adds the row of a match to the database.
pub(super) fn insert_match(
    connection: &Connection,
    row: &MatchRow,
    text: &str,
) -> rusqlite::Result<()> {
    connection.execute(
        "INSERT OR REPLACE INTO match (id, game, tournament, started, row) VALUES (?1, ?2, ?3, ?4, ?5)",
        params![row.id, row.game, row.tournament, row.started, text],
    )?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::Database;
    use crate::store::{MatchQuery, MatchRow, StoreError};

    fn row(number: usize) -> MatchRow {
        MatchRow {
            id: format!("match {number}"),
            game: ["chess", "hex"][number % 2].to_owned(),
            tournament: (number < 4).then(|| "spring".to_owned()),
            started: number as i64,
            roles: Vec::new(),
            players: vec!["uct".to_owned(), format!("player {}", number % 3)],
            goals: vec![100, 0],
            steps: 9,
            errors: 0,
            completed: true,
            file: String::new(),
        }
    }

    #[test]
    fn matches_are_found_page_by_page() {
        let folder = tempfile::tempdir().unwrap();
        let database = Database::open(&folder.path().join("matches.sqlite")).unwrap();
        (0..12).for_each(|number| database.add_match(&row(number)).unwrap());
        let found = |query: &MatchQuery, skipped, most| {
            let (total, rows) = database.find_matches(query, skipped, most).unwrap();
            let numbers: Vec<i64> = rows.iter().map(|row| row.started).collect();
            (total, numbers)
        };
        let everything = MatchQuery::default();
        assert_eq!(found(&everything, 0, 3), (12, vec![11, 10, 9]));
        assert_eq!(found(&everything, 10, 5), (12, vec![1, 0]));
        assert_eq!(found(&everything, usize::MAX, 5), (12, vec![]));
        let query =
            |game: Option<&str>, player: Option<&str>, tournament: Option<&str>| MatchQuery {
                game: game.map(str::to_owned),
                player: player.map(str::to_owned),
                tournament: tournament.map(str::to_owned),
            };
        let hex = query(Some("hex"), Some("player 1"), None);
        assert_eq!(found(&hex, 0, 50), (2, vec![7, 1]));
        let spring = query(None, None, Some("spring"));
        assert_eq!(found(&spring, 0, 50), (4, vec![3, 2, 1, 0]));
        assert_eq!(
            found(&query(None, Some("player"), None), 0, 50),
            (0, vec![])
        );
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
