//! What the arena keeps on disk beside the records, so that a crash or a restart loses nothing:
//! the matches that are being played, games that were given to the arena, and tournaments.
//!
//! A table has a journal, to which each move is appended before it is told; a last line
//! that was not written to its end is left out. Everything else is small and written as a whole,
//! under another name first.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::decision::DecisionView;
use super::line::Joint;
use super::person::Person;
use super::table::Order;

/// The folder below that of the records.
const FOLDER: &str = "arena";
/// The longest journal of a table, and the largest other file, that is written or read.
const MOST_BYTES: u64 = 32 << 20;
/// Games of visitors that are kept; the oldest is forgotten first.
const MOST_GAMES: usize = 256;
/// The letters of the secret, each half a byte.
const SECRET_LETTERS: usize = 32;
/// The journal of a table ends so.
const JOURNAL: &str = "table";

/// The folder.
#[derive(Clone, Debug)]
pub(super) struct Keep {
    folder: PathBuf,
}

/// The first line of a journal: the table as it was set.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Opening {
    pub(super) order: Order,
    pub(super) title: String,
    /// The rules, where they are not those of a bundled game.
    pub(super) text: Option<String>,
}

/// A line of a journal.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Line {
    /// The table as it was set.
    Open(Box<Opening>),
    /// A joint move was made.
    Made(MadeLine),
    /// What came after this many joint moves was dropped.
    Back(usize),
    /// Others sit there.
    Seats {
        seats: Vec<Option<String>>,
        seconds: f64,
    },
    /// A person has a role from now on.
    Sat { role: usize, person: Person },
    /// How fast players play.
    Pace { pace: f64, paused: bool },
    /// The match ended for a reason that is none of the rules.
    Ended(String),
    /// The match was written down, by this name.
    Recorded(String),
}

/// A joint move, with what is known about how it came about.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct MadeLine {
    pub(super) joint: Joint,
    #[serde(default)]
    pub(super) by: Vec<Option<DecisionView>>,
    #[serde(default)]
    pub(super) failures: Vec<Option<String>>,
    /// How the match ended with it, if it did.
    #[serde(default)]
    pub(super) ended: Option<String>,
    /// What each role had left on its clock, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) clock: Option<Vec<u64>>,
}

/// What a match left behind that was going on when the arena ended.
pub(super) struct Left {
    pub(super) opening: Opening,
    pub(super) lines: Vec<Line>,
    /// When something was last done.
    pub(super) touched: SystemTime,
}

/// Where a table writes what happens.
#[derive(Debug, Default)]
pub(super) struct Journal {
    file: Option<File>,
    bytes: u64,
    pending: Vec<u8>,
    /// Why nothing more is written.
    failure: Option<String>,
}

impl Journal {
    /// Notes what happened; it is written at the next [`Self::write`].
    pub(super) fn note(&mut self, line: &Line) {
        if self.file.is_none() {
            return;
        }
        match serde_json::to_vec(line) {
            Ok(bytes) => {
                self.pending.extend(bytes);
                self.pending.push(b'\n');
            }
            Err(error) => self.failure = Some(error.to_string()),
        }
    }

    /// Writes what was noted. Why nothing is kept any more, the first time that this is so.
    pub(super) fn write(&mut self) -> Option<String> {
        let file = self.file.as_mut()?;
        self.bytes += self.pending.len() as u64;
        let written = match &self.failure {
            Some(failure) => Err(failure.clone()),
            None if self.bytes > MOST_BYTES => Err(format!(
                "it has grown beyond {} MB of moves and searches",
                MOST_BYTES >> 20
            )),
            None => file
                .write_all(&self.pending)
                .map_err(|error| error.to_string()),
        };
        self.pending.clear();
        let failure = written.err()?;
        self.file = None;
        self.failure = Some(failure.clone());
        Some(failure)
    }

    /// A journal to which nothing can be written, for this reason.
    pub(super) fn failed(error: &io::Error) -> Self {
        Self {
            failure: Some(error.to_string()),
            ..Self::default()
        }
    }

    /// Why nothing is kept, if that is so.
    pub(super) fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }

    /// Writes nothing more: the file belongs to another table from now on.
    pub(super) fn leave(&mut self) {
        self.file = None;
    }
}

impl Keep {
    /// A keep beside the records in a folder, which is made when something is kept.
    pub(super) fn new(records: &Path) -> Self {
        Self {
            folder: records.join(FOLDER),
        }
    }

    fn place(&self, kind: &str, id: &str, ending: &str) -> Option<PathBuf> {
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
        let is_name = !id.is_empty() && id.len() < 120 && id.chars().all(is_plain);
        is_name.then(|| self.folder.join(kind).join(format!("{id}.{ending}")))
    }

    /// The secret of an arena that other machines can reach: the same after a restart, so that the
    /// addresses that were given to people stay good.
    pub(super) fn secret(&self) -> io::Result<String> {
        let path = self.folder.join("secret");
        let is_secret = |text: &String| {
            text.len() == SECRET_LETTERS && text.bytes().all(|byte| byte.is_ascii_hexdigit())
        };
        let known = fs::read_to_string(&path).ok();
        if let Some(known) = known.filter(is_secret) {
            return Ok(known);
        }
        let mut bytes = [0; SECRET_LETTERS / 2];
        getrandom::fill(&mut bytes).map_err(io::Error::other)?;
        let secret: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        // Where it cannot be kept, the next arena has another.
        let _ = self.keep_secret(&path, &secret);
        Ok(secret)
    }

    fn keep_secret(&self, path: &Path, secret: &str) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(path)?.write_all(secret.as_bytes())
    }

    fn journal(&self, id: &str) -> io::Result<PathBuf> {
        self.place("tables", id, JOURNAL)
            .ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))
    }

    /// Begins the journal of a table.
    pub(super) fn begin(&self, id: &str, opening: Opening) -> io::Result<Journal> {
        let path = self.journal(id)?;
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let file = OpenOptions::new()
            .append(true)
            .create_new(true)
            .open(path)?;
        let mut journal = Journal {
            file: Some(file),
            ..Journal::default()
        };
        journal.note(&Line::Open(Box::new(opening)));
        match journal.write() {
            Some(failure) => Err(io::Error::other(failure)),
            None => Ok(journal),
        }
    }

    /// Goes on with a journal after what can be read of it.
    pub(super) fn go_on(&self, id: &str) -> io::Result<Journal> {
        let path = self.journal(id)?;
        let whole = whole_lines(&read(&path)?);
        let file = OpenOptions::new().append(true).open(path)?;
        file.set_len(whole as u64)?;
        Ok(Journal {
            file: Some(file),
            bytes: whole as u64,
            ..Journal::default()
        })
    }

    /// What the journal of a table tells.
    pub(super) fn left(&self, id: &str) -> io::Result<Left> {
        let path = self.journal(id)?;
        let bytes = read(&path)?;
        let whole = &bytes[..whole_lines(&bytes)];
        let mut lines = whole
            .split(|&byte| byte == b'\n')
            .filter(|line| !line.is_empty());
        let damaged = || io::Error::new(io::ErrorKind::InvalidData, "the journal is damaged");
        let first = lines.next().ok_or_else(damaged)?;
        let Ok(Line::Open(opening)) = serde_json::from_slice(first) else {
            return Err(damaged());
        };
        // What follows a line that cannot be read would not fit.
        let rest = lines.map_while(|line| serde_json::from_slice(line).ok());
        Ok(Left {
            opening: *opening,
            lines: rest.collect(),
            touched: fs::metadata(&path)
                .and_then(|facts| facts.modified())
                .unwrap_or(SystemTime::UNIX_EPOCH),
        })
    }

    /// The tables that have journals.
    pub(super) fn tables(&self) -> Vec<String> {
        let names = self.files("tables").into_iter();
        names
            .filter_map(|(path, _)| Some(path.file_stem()?.to_str()?.to_owned()))
            .collect()
    }

    /// Forgets a table.
    pub(super) fn forget(&self, id: &str) {
        if let Ok(path) = self.journal(id) {
            // It may never have been kept.
            let _ = fs::remove_file(path);
        }
    }

    /// The files of a kind, the latest first.
    fn files(&self, kind: &str) -> Vec<(PathBuf, SystemTime)> {
        let entries = fs::read_dir(self.folder.join(kind));
        let entries = entries.into_iter().flatten().flatten();
        let mut files: Vec<(PathBuf, SystemTime)> = entries
            .filter_map(|entry| {
                let changed = entry.metadata().ok()?.modified().ok()?;
                let path = entry.path();
                let is_whole = path.extension().is_some_and(|ending| ending != "new");
                is_whole.then_some((path, changed))
            })
            .collect();
        files.sort_by_key(|(_, changed)| std::cmp::Reverse(*changed));
        files
    }

    /// Writes something small as a whole, or leaves what was there.
    fn put(&self, kind: &str, id: &str, value: &impl Serialize) -> io::Result<()> {
        let path = self.place(kind, id, "json");
        let path = path.ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let new = path.with_extension("new");
        fs::write(&new, serde_json::to_vec(value)?)?;
        fs::rename(new, path)
    }

    fn get<T: DeserializeOwned>(path: &Path) -> Option<T> {
        serde_json::from_slice(&read(path).ok()?).ok()
    }

    /// Keeps a game that was given to the arena.
    pub(super) fn keep_game(&self, id: &str, name: &str, text: &str) -> io::Result<()> {
        self.put("games", id, &[name, text])?;
        for (path, _) in self.files("games").into_iter().skip(MOST_GAMES) {
            fs::remove_file(path)?;
        }
        Ok(())
    }

    /// Name and rules of a game that was given to the arena.
    pub(super) fn game(&self, id: &str) -> Option<(String, String)> {
        Self::get(&self.place("games", id, "json")?)
    }

    /// Keeps how far a tournament is.
    pub(super) fn keep_tournament(&self, id: &str, value: &impl Serialize) -> io::Result<()> {
        self.put("tournaments", id, value)
    }

    /// The tournaments, the latest first.
    pub(super) fn tournaments(&self, most: usize) -> Vec<Value> {
        let files = self.files("tournaments").into_iter().take(most);
        files.filter_map(|(path, _)| Self::get(&path)).collect()
    }
}

/// The bytes of a file, if it is not larger than any that is written here.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let file = File::open(path)?;
    file.take(2 * MOST_BYTES).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// How many bytes are lines that were written to their end.
fn whole_lines(bytes: &[u8]) -> usize {
    let end = bytes.iter().rposition(|&byte| byte == b'\n');
    end.map_or(0, |end| end + 1)
}

#[cfg(test)]
mod tests {
    use std::fs::OpenOptions;
    use std::io::Write;

    use super::{Keep, Line, Opening};

    #[test]
    fn a_line_that_was_cut_off_is_left_out_and_written_over() {
        let folder = std::env::temp_dir().join(format!("paidia-keep-{}", std::process::id()));
        let keep = Keep::new(&folder);
        let order = r#"{"game": "tic-tac-toe", "seats": ["human", "human"]}"#;
        let opening = Opening {
            order: serde_json::from_str(order).unwrap(),
            title: "Tic-Tac-Toe".to_owned(),
            text: None,
        };
        let mut journal = keep.begin("abc", opening).unwrap();
        journal.note(&Line::Back(0));
        assert_eq!(journal.write(), None);
        let path = keep.journal("abc").unwrap();
        let mut file = OpenOptions::new().append(true).open(path).unwrap();
        file.write_all(b"{\"ended\":\"resig").unwrap();
        assert!(matches!(
            keep.left("abc").unwrap().lines[..],
            [Line::Back(0)]
        ));
        let mut journal = keep.go_on("abc").unwrap();
        journal.note(&Line::Ended("resigned x".to_owned()));
        assert_eq!(journal.write(), None);
        let lines = keep.left("abc").unwrap().lines;
        assert!(matches!(&lines[..], [Line::Back(0), Line::Ended(why)] if why == "resigned x"));
        let secret = keep.secret().unwrap();
        assert_eq!((secret.len(), &secret), (32, &keep.secret().unwrap()));
        assert!(keep.left("../abc").is_err() && keep.left("").is_err());
        std::fs::remove_dir_all(folder).unwrap();
    }
}
