//! The ledger of a study: a line of JSON for each trial that was made, and one for each run.
//!
//! A record is written with one call and forced to the disk before the thread begins its next
//! trial. So a run can be killed at any time: at worst the last line is torn, and what is torn is
//! cut off when the file is opened again.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::error::StudyError;

/// What is noted at the beginning of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunNote {
    /// The study.
    pub study: String,
    /// The version of the program.
    pub version: String,
    /// The scale.
    pub scale: String,
    /// The seed of the study.
    pub seed: u64,
    /// Trials that were made at a time.
    pub jobs: usize,
    /// Processors of the machine.
    pub processors: usize,
    /// What the processors are called; older ledgers do not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub processor: Option<String>,
    /// How many threads wanted to run in the minute before, this program not among them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load: Option<f64>,
}

/// What is noted at the end of a run, unless it was killed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EndNote {
    /// How many threads wanted to run in the last minute, those of the run among them.
    pub load: Option<f64>,
    /// Seconds that the run took by the clock.
    pub seconds: f64,
}

/// A line of the file.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Line<R> {
    Run(RunNote),
    End(EndNote),
    // Games were all there was to record when the first files were written.
    #[serde(rename = "record", alias = "game")]
    Record(R),
}

/// What is written down of a trial.
pub trait Record: Clone + Serialize + DeserializeOwned + Send {
    /// The fingerprint of the trial: a record counts only where the same is wanted.
    fn fingerprint(&self) -> &str;

    /// Whether the trial need not be made again.
    fn is_final(&self) -> bool {
        true
    }
}

/// The ledger of a study: the runs that added to it, and what they recorded.
#[derive(Debug)]
pub struct Ledger<R> {
    path: PathBuf,
    file: Option<File>,
    /// The records of the file.
    pub records: Vec<R>,
    /// The runs of the file.
    pub runs: Vec<RunNote>,
    /// How runs ended that were not killed.
    pub ends: Vec<EndNote>,
}

impl<R: Record> Ledger<R> {
    /// Reads a ledger, if there is one; nothing can be added.
    ///
    /// # Errors
    /// If it cannot be read, or a whole line is not a record.
    pub fn read(path: &Path) -> Result<Self, StudyError> {
        let bytes = match fs::read(path) {
            Ok(bytes) => bytes,
            Err(reason) if reason.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(reason) => return Err(file_error(path, reason)),
        };
        let mut ledger = Self {
            path: path.to_owned(),
            file: None,
            records: Vec::new(),
            runs: Vec::new(),
            ends: Vec::new(),
        };
        let whole = &bytes[..whole_lines(&bytes)];
        for (place, line) in whole.split(|&byte| byte == b'\n').enumerate() {
            if line.is_empty() {
                continue;
            }
            let line = serde_json::from_slice(line).map_err(|reason| StudyError::BadRecord {
                path: path.to_owned(),
                line: place + 1,
                reason,
            })?;
            match line {
                Line::Run(run) => ledger.runs.push(run),
                Line::End(end) => ledger.ends.push(end),
                Line::Record(record) => ledger.records.push(record),
            }
        }
        Ok(ledger)
    }

    /// Opens a ledger to add to it, and makes it if there is none. A torn last line is cut off.
    ///
    /// # Errors
    /// If it cannot be read or written, or a whole line is not a record.
    pub fn open(path: &Path) -> Result<Self, StudyError> {
        let mut ledger = Self::read(path)?;
        let opened = || -> io::Result<File> {
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder)?;
            }
            let file = OpenOptions::new().create(true).append(true).open(path)?;
            let whole = whole_lines(&fs::read(path)?) as u64;
            if whole < file.metadata()?.len() {
                file.set_len(whole)?;
            }
            Ok(file)
        };
        ledger.file = Some(opened().map_err(|reason| file_error(path, reason))?);
        Ok(ledger)
    }

    /// Notes that a run begins.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn note(&mut self, run: RunNote) -> Result<(), StudyError> {
        self.write(&Line::Run(run.clone()))?;
        self.runs.push(run);
        Ok(())
    }

    /// Notes that a run ends.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn end(&mut self, end: EndNote) -> Result<(), StudyError> {
        self.write(&Line::End(end.clone()))?;
        self.ends.push(end);
        Ok(())
    }

    /// The machines of the runs, and what else they were doing, in a sentence for each.
    pub(super) fn machines(&self) -> Vec<String> {
        let mut machines: BTreeMap<(&str, usize), Vec<f64>> = BTreeMap::new();
        for run in &self.runs {
            if let Some(processor) = &run.processor {
                let loads = machines.entry((processor, run.processors)).or_default();
                loads.extend(run.load);
            }
        }
        let told = |((processor, count), loads): ((&str, usize), Vec<f64>)| {
            let low = loads.iter().copied().reduce(f64::min);
            let high = loads.iter().copied().reduce(f64::max);
            let load = low.zip(high).map_or_else(String::new, |(low, high)| {
                format!(
                    "; before the runs {low:.1} to {high:.1} threads of other work wanted to run"
                )
            });
            format!("Machine: {count} processors ({processor}){load}.")
        };
        machines.into_iter().map(told).collect()
    }

    /// Adds a record.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add(&mut self, record: R) -> Result<(), StudyError> {
        self.write(&Line::Record(record.clone()))?;
        self.records.push(record);
        Ok(())
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The records by fingerprint; of several, the first that is final counts.
    pub(super) fn by_fingerprint(&self) -> BTreeMap<&str, &R> {
        let mut known: BTreeMap<&str, &R> = BTreeMap::new();
        for record in &self.records {
            let fingerprint = record.fingerprint();
            if known.get(fingerprint).is_none_or(|known| !known.is_final()) {
                known.insert(fingerprint, record);
            }
        }
        known
    }

    fn write(&mut self, line: &Line<R>) -> Result<(), StudyError> {
        let written = append(self.file.as_mut(), line);
        written.map_err(|reason| file_error(&self.path, reason))
    }
}

fn append<R: Serialize>(file: Option<&mut File>, line: &Line<R>) -> io::Result<()> {
    let file = file.ok_or_else(|| io::Error::other("the results were opened for reading only"))?;
    let mut bytes = serde_json::to_vec(line)?;
    bytes.push(b'\n');
    file.write_all(&bytes)?;
    file.sync_data()
}

/// How many bytes there are up to the end of the last whole line.
fn whole_lines(bytes: &[u8]) -> usize {
    bytes
        .iter()
        .rposition(|&byte| byte == b'\n')
        .map_or(0, |end| end + 1)
}

fn file_error(path: &Path, reason: io::Error) -> StudyError {
    StudyError::File {
        path: path.to_owned(),
        reason,
    }
}
