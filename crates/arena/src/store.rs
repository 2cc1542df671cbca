//! The database: recorded matches, and the work lists of tournaments.
//!
//! A [`WorkList`] is what playing a tournament needs of a database: a list of matches of which each
//! is claimed by one worker, finished once, and claimed again if its worker died. An [`Archive`] is
//! what is asked afterwards: which matches there are, and what came out. [`Database`] is both in
//! SQLite, embedded, for one machine; crate `server` has both for several machines.
//!
//! In SQLite one process at a time has a tournament, with any number of threads: its [`LocalList`]
//! holds a lock that the operating system releases when the process ends, however it ends. So any
//! match that is claimed when a list is begun was claimed by a run that has ended. Where several
//! machines share a list, none can see whether another still runs, so claims there are leases that
//! must be renewed.

mod local;
mod matches;
mod sqlite;

use std::path::{Path, PathBuf};
use std::time::Duration;

pub use local::LocalList;
pub use matches::{MatchQuery, MatchRow};
pub use sqlite::Database;

use crate::contest::Outcome;
use crate::record::{BadRecord, MatchRecord, file_name};

/// The database in a folder of records.
pub const DATABASE: &str = "matches.sqlite";

/// Where records go if nothing else is said.
pub const FOLDER: &str = "match-records";

/// Checks that matches can be written down in a folder, which is made if it is not there.
///
/// # Errors
/// If it cannot be made or written to, or has a database that cannot be opened.
pub fn check_writable(folder: &Path) -> Result<(), StoreError> {
    let unwritable = |reason| StoreError::File {
        place: folder.display().to_string(),
        reason,
    };
    std::fs::create_dir_all(folder).map_err(unwritable)?;
    let probe = folder.join(format!(".writable-{}", std::process::id()));
    std::fs::write(&probe, "").map_err(unwritable)?;
    std::fs::remove_file(&probe).map_err(unwritable)?;
    Database::open(&folder.join(DATABASE)).map(drop)
}

/// Writes a match down, as a JSON file in a folder and as a row in its database; the path of the
/// file.
///
/// # Errors
/// If one of them cannot be written.
pub fn keep_match(folder: &Path, record: &MatchRecord) -> Result<PathBuf, StoreError> {
    let file = format!("{}.json", file_name(&record.match_id));
    let path = folder.join(&file);
    record.write(&path).map_err(|reason| StoreError::File {
        place: path.display().to_string(),
        reason,
    })?;
    let database = Database::open(&folder.join(DATABASE))?;
    database.add_match(&MatchRow::new(record, &file))?;
    Ok(path)
}

/// What went wrong with the database.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database says no.
    #[error("{place}: {reason}")]
    Database {
        /// The file, or the server.
        place: String,
        /// What it says.
        reason: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A file or its folder cannot be made.
    #[error("{place}: {reason}")]
    File {
        /// The file.
        place: String,
        /// What the system says.
        reason: std::io::Error,
    },
    /// Another process has the tournament.
    #[error("the tournament `{0}` is being played by another process")]
    Busy(String),
    /// Another process began the tournament anew with other content.
    #[error("the tournament `{0}` was begun anew, with other games, players or settings")]
    Changed(String),
    /// Something in the database is not what this program writes.
    #[error("{place}: {what} is not as this program writes it: {reason}")]
    Foreign {
        /// The file, or the server.
        place: String,
        /// What it is.
        what: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A record cannot be read.
    #[error("the record of `{id}`: {reason}")]
    Record {
        /// The match.
        id: String,
        /// What is wrong with it.
        reason: BadRecord,
    },
}

/// The matches of a tournament that are to be played: which are claimed, which are finished. It is
/// shared by threads.
pub trait WorkList: Sync {
    /// Claims the first match that is free: the fingerprint of its setup. `None` if there is none.
    ///
    /// # Errors
    /// If the database fails.
    fn claim(&self) -> Result<Option<String>, StoreError>;

    /// How often claims must be renewed; `None` if they last as long as this list.
    fn renewal(&self) -> Option<Duration>;

    /// Renews the claims of these matches, which are still being played.
    ///
    /// # Errors
    /// If the database fails.
    fn renew(&self, setups: &[String]) -> Result<(), StoreError>;

    /// Notes what came out of a match and the record of it, all or nothing. Nothing changes if the
    /// match is finished already: a claim had expired, and another process was faster.
    ///
    /// # Errors
    /// If the database fails.
    fn finish(&self, outcome: &Outcome, record: Option<&MatchRecord>) -> Result<(), StoreError>;

    /// How many matches are not finished.
    ///
    /// # Errors
    /// If the database fails, or the tournament is another one by now.
    fn left(&self) -> Result<usize, StoreError>;
}

/// What was played.
pub trait Archive {
    /// The recorded matches, the latest first; only one of this name, if one is given.
    ///
    /// # Errors
    /// If the database fails.
    fn matches(&self, id: Option<&str>) -> Result<Vec<MatchRow>, StoreError>;

    /// The record of a match.
    ///
    /// # Errors
    /// If there is none, it is none, or the database fails.
    fn record(&self, row: &MatchRow) -> Result<MatchRecord, StoreError>;

    /// What came out so far of these matches of a tournament, in their order; those that are not
    /// finished are left out.
    ///
    /// # Errors
    /// If the database fails.
    fn outcomes(&self, tournament: &str, setups: &[String]) -> Result<Vec<Outcome>, StoreError>;
}

/// A value as the databases keep it: as JSON.
///
/// # Errors
/// If it cannot be written so; `place` is the database, for the message.
pub fn to_text(
    place: &str,
    what: &str,
    value: &impl serde::Serialize,
) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|reason| foreign(place, what, &reason))
}

/// A value that [`to_text`] wrote.
///
/// # Errors
/// If it is none of this kind.
pub fn from_text<T: serde::de::DeserializeOwned>(
    place: &str,
    what: &str,
    text: &str,
) -> Result<T, StoreError> {
    serde_json::from_str(text).map_err(|reason| foreign(place, what, &reason))
}

fn foreign(place: &str, what: &str, reason: &serde_json::Error) -> StoreError {
    StoreError::Foreign {
        place: place.to_owned(),
        what: what.to_owned(),
        reason: reason.to_string(),
    }
}

/// The outcomes of some matches in their order, of texts by fingerprint.
///
/// # Errors
/// If one of them is none.
pub fn outcomes_in_order(
    place: &str,
    texts: &std::collections::BTreeMap<String, String>,
    setups: &[String],
) -> Result<Vec<Outcome>, StoreError> {
    let texts = setups.iter().filter_map(|setup| texts.get(setup));
    texts
        .map(|text| from_text(place, "an outcome", text))
        .collect()
}
