//! What was measured before: for each sheet, the engine that walks its tree fastest, and what
//! players found out about kinds of search.
//!
//! A text file in the user's cache folder has a line for each sheet: the fingerprint of its rules,
//! of the engine asked for and of this version, then the engine and what was measured. Another has
//! what came of trials between players. It is no more than a memory: whatever is wrong with it (no
//! folder, no rights, damage) means that engines are measured again.

use std::fs;
use std::path::{Path, PathBuf};

use paidia_search::learner::Keep;

use super::{Engine, EngineSpec, Rate};
use crate::contest::hash;
use crate::rules::GdlRules;

/// The environment variable with another folder, or `off`.
pub const CACHE_VARIABLE: &str = "PAIDIA_CACHE";

/// The files in the cache folder: of engines, and of players.
const FILE: &str = "engines.txt";
const LESSONS: &str = "lessons.txt";

/// As many sheets are remembered, those that were measured last.
const MOST_LINES: usize = 1_000;

/// A file that is larger is not read: it is not ours.
const MOST_BYTES: u64 = 1 << 18;

/// The file, if anything is to be remembered.
pub(super) struct Memory(Option<PathBuf>);

/// A measurement that is remembered: the engine that was fastest, and the rates.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Measured {
    pub(super) engine: Engine,
    pub(super) rates: Vec<Rate>,
}

impl Memory {
    /// The memory of this user.
    pub(super) fn of_user() -> Self {
        Self::of_file(FILE)
    }

    fn of_file(file: &str) -> Self {
        Self(folder().map(|folder| folder.join(file)))
    }

    /// What is remembered of a sheet.
    pub(super) fn recall(&self, fingerprint: &str) -> Option<Measured> {
        self.find(fingerprint, Measured::of_words)
    }

    /// What the last line of a sheet says that is not damaged.
    fn find<T>(&self, fingerprint: &str, read_line: impl Fn(&str) -> Option<T>) -> Option<T> {
        let text = self.0.as_deref().map(read)?;
        let mut lines = text.lines().rev();
        lines.find_map(|line| read_line(line.strip_prefix(fingerprint)?))
    }

    /// Remembers a measurement. A file that cannot be written is no error: the same is measured
    /// again next time.
    pub(super) fn note(&self, fingerprint: &str, measured: &Measured) {
        self.set(fingerprint, &measured.in_words());
    }

    /// Sets the line of a sheet.
    fn set(&self, fingerprint: &str, words: &str) {
        let Some(file) = self.0.as_deref() else {
            return;
        };
        let text = read(file);
        let others = text.lines().filter(|line| !line.starts_with(fingerprint));
        let mut lines: Vec<&str> = others.collect();
        let line = format!("{fingerprint}{words}");
        lines.push(&line);
        let mut first = lines.len().saturating_sub(MOST_LINES);
        let mut bytes: usize = lines[first..].iter().map(|line| line.len() + 1).sum();
        while bytes as u64 > MOST_BYTES && first + 1 < lines.len() {
            bytes -= lines[first].len() + 1;
            first += 1;
        }
        // Programs that write at the same time write files of their own, and one of them stays.
        let new = file.with_extension(format!("{}.new", std::process::id()));
        let folder = file.parent().map_or(Ok(()), fs::create_dir_all);
        let written = folder.and_then(|()| fs::write(&new, lines[first..].join("\n") + "\n"));
        if written.and_then(|()| fs::rename(&new, file)).is_err() {
            let _ = fs::remove_file(&new);
        }
    }
}

/// What players found out about a sheet, in a file beside that of engines.
pub(super) struct KeptLessons {
    fingerprint: String,
}

impl KeptLessons {
    pub(super) fn of(rules: &GdlRules) -> Self {
        let text = [
            env!("CARGO_PKG_VERSION"),
            "lessons",
            &format!("{:?}", rules.dialect),
            &rules.text().source.text,
        ];
        Self {
            fingerprint: format!("{:016x}", hash(text.join("\n").as_bytes())),
        }
    }
}

impl Keep for KeptLessons {
    fn recall(&self) -> Option<String> {
        let line = |line: &str| Some(line.trim().to_owned());
        Memory::of_file(LESSONS).find(&self.fingerprint, line)
    }

    fn note(&self, line: &str) {
        Memory::of_file(LESSONS).set(&self.fingerprint, &format!(" {line}"));
    }
}

/// The folder for what can be worked out again.
pub(super) fn folder() -> Option<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    match variable(CACHE_VARIABLE) {
        Some(off) if off == "off" => None,
        Some(folder) => Some(folder.into()),
        None => {
            let base = variable("XDG_CACHE_HOME").or_else(|| variable("LOCALAPPDATA"));
            let base = base.map(PathBuf::from);
            let home = || variable("HOME").map(|home| Path::new(&home).join(".cache"));
            base.or_else(home).map(|base| base.join("paidia"))
        }
    }
}

/// The lines, or nothing where there is no file of ours.
fn read(file: &Path) -> String {
    let is_ours = fs::metadata(file).is_ok_and(|data| data.is_file() && data.len() <= MOST_BYTES);
    let text = is_ours.then(|| fs::read_to_string(file).ok());
    text.flatten().unwrap_or_default()
}

/// What a measurement depends on.
pub(super) fn fingerprint(spec: &EngineSpec, rules: &GdlRules) -> String {
    let text = [
        env!("CARGO_PKG_VERSION"),
        std::env::consts::ARCH,
        &spec.to_string(),
        &format!("{:?}", rules.dialect),
        &rules.text().source.text,
    ];
    format!("{:016x}", hash(text.join("\n").as_bytes()))
}

impl Measured {
    /// As a line has it, after the fingerprint.
    fn in_words(&self) -> String {
        let rates = self.rates.iter();
        let rates = rates.map(|rate| format!(" {} {:.0}", rate.engine, rate.states_per_cpu_s));
        format!(" {}{}", self.engine.name(), rates.collect::<String>())
    }

    fn of_words(line: &str) -> Option<Self> {
        let mut words = line.split_ascii_whitespace();
        let engine = match words.next()? {
            "propnet" => Engine::Propnet,
            "compiled" => Engine::Compiled,
            _ => return None,
        };
        let mut rates = Vec::new();
        while let Some(name) = words.next() {
            let states_per_cpu_s = words
                .next()?
                .parse()
                .ok()
                .filter(|rate| (0.0..1e18).contains(rate))?;
            let engine = name.to_owned();
            rates.push(Rate {
                engine,
                states_per_cpu_s,
            });
        }
        Some(Self { engine, rates })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(engine: Engine) -> Measured {
        let rate = |engine: &str, states_per_cpu_s| Rate {
            engine: engine.to_owned(),
            states_per_cpu_s,
        };
        Measured {
            engine,
            rates: vec![rate("compiled", 150_000.0), rate("propnet", 67_000.0)],
        }
    }

    fn in_folder(folder: &tempfile::TempDir) -> (Memory, PathBuf) {
        let file = folder.path().join("new").join(FILE);
        (Memory(Some(file.clone())), file)
    }

    #[test]
    fn the_last_measurement_of_a_sheet_is_remembered() {
        let folder = tempfile::tempdir().unwrap();
        let (memory, file) = in_folder(&folder);
        assert_eq!(memory.recall("0001"), None);
        memory.note("0001", &measured(Engine::Compiled));
        memory.note("0002", &measured(Engine::Compiled));
        memory.note("0001", &measured(Engine::Propnet));
        assert_eq!(memory.recall("0001"), Some(measured(Engine::Propnet)));
        assert_eq!(memory.recall("0002"), Some(measured(Engine::Compiled)));
        assert_eq!(fs::read_to_string(&file).unwrap().lines().count(), 2);
        let files = fs::read_dir(file.parent().unwrap()).unwrap();
        assert_eq!(files.count(), 1);
    }

    #[test]
    fn old_measurements_make_room_for_new_ones() {
        let folder = tempfile::tempdir().unwrap();
        let (memory, file) = in_folder(&folder);
        for sheet in 0..MOST_LINES + 5 {
            memory.note(&format!("{sheet:016x}"), &measured(Engine::Propnet));
        }
        let text = fs::read_to_string(&file).unwrap();
        assert_eq!(text.lines().count(), MOST_LINES);
        assert!(text.len() as u64 <= MOST_BYTES);
        assert_eq!(memory.recall(&format!("{:016x}", 4)), None);
        assert!(memory.recall(&format!("{:016x}", 5)).is_some());
    }

    #[test]
    fn damage_means_measuring_again() {
        let folder = tempfile::tempdir().unwrap();
        let (memory, file) = in_folder(&folder);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        let damaged: [&[u8]; 7] = [
            b"\xff\xfe\x00",
            b"0001",
            b"0001 prover prover 3\n",
            b"0001 compiled compiled\n",
            b"0001 compiled compiled -3\n",
            b"0001 compiled compiled NaN\n",
            &[b'0'; MOST_BYTES as usize + 1],
        ];
        for text in damaged {
            fs::write(&file, text).unwrap();
            assert_eq!(memory.recall("0001"), None);
            memory.note("0001", &measured(Engine::Compiled));
            assert_eq!(memory.recall("0001"), Some(measured(Engine::Compiled)));
        }
        // A folder in the place of the file, and a file in the place of the folder.
        fs::remove_file(&file).unwrap();
        fs::create_dir(&file).unwrap();
        memory.note("0001", &measured(Engine::Compiled));
        assert_eq!(memory.recall("0001"), None);
        fs::remove_dir(&file).unwrap();
        let within = Memory(Some(folder.path().join("file").join(FILE)));
        fs::write(folder.path().join("file"), "").unwrap();
        within.note("0001", &measured(Engine::Compiled));
        assert_eq!(within.recall("0001"), None);
        Memory(None).note("0001", &measured(Engine::Compiled));
        assert_eq!(Memory(None).recall("0001"), None);
    }
}
