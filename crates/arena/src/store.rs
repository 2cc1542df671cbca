//! The database: a row for each recorded match, and the work lists of tournaments.
//!
//! [`WorkList`] is what a tournament needs of a database: a list of matches of which each is claimed by one worker, finished once, and
//! claimed again if its worker died. [`Database`] is that in SQLite, embedded, for one machine; a database server for several machines
//! would be another implementation. In SQLite one process at a time has a tournament, with as many threads as it likes: it holds a
//! lock that the operating system takes back when the process ends, however it ends. So whatever is claimed when a run
//! begins was claimed by a run that is no more.

mod matches;
mod sqlite;

use std::path::PathBuf;

pub use matches::MatchRow;
pub use sqlite::Database;

use crate::contest::Outcome;

/// What went wrong with the database.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database says no.
    #[error("{path}: {reason}")]
    Database {
        /// The file.
        path: PathBuf,
        /// What it says.
        reason: rusqlite::Error,
    },
    /// The file or its folder cannot be made.
    #[error("{path}: {reason}")]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: std::io::Error,
    },
    /// Another process has the tournament.
    #[error("the tournament `{0}` is being played by another process")]
    Busy(String),
    /// Something in the database is not what this program writes.
    #[error("{path}: {what} is not as this program writes it: {reason}")]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What it is.
        what: String,
        /// What is wrong with it.
        reason: String,
    },
}

/// The matches of tournaments: what is to be played, who plays it, what came out.
pub trait WorkList: Sync {
    /// Takes a tournament for this run. Its list becomes `setups` (fingerprints, in the order of play): new ones are added, what is
    /// finished stays finished, what a dead run had claimed is free again, and others are put aside, to be found if they come back.
    ///
    /// # Errors
    /// If somebody else has the tournament, or the database fails.
    fn begin(&self, tournament: &str, setups: &[String]) -> Result<(), StoreError>;

    /// Claims the first match that is free: its place in the list. `None` if there is none.
    ///
    /// # Errors
    /// If the database fails.
    fn claim(&self, tournament: &str, worker: &str) -> Result<Option<usize>, StoreError>;

    /// Notes what came out of a claimed match, and its row among the matches, both or neither.
    ///
    /// # Errors
    /// If the database fails.
    fn finish(
        &self,
        tournament: &str,
        outcome: &Outcome,
        row: Option<&MatchRow>,
    ) -> Result<(), StoreError>;

    /// Gives the tournament back: another run may take it.
    fn end(&self, tournament: &str);

    /// What came out so far of these matches, in their order; those that are not finished are left out.
    ///
    /// # Errors
    /// If the database fails.
    fn outcomes(&self, tournament: &str, setups: &[String]) -> Result<Vec<Outcome>, StoreError>;
}
