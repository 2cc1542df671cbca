//! What the program itself writes: records of all kinds of play, traces, and folders of results.
//! Calls find copies of them, some damaged, where the program looks for its earlier work.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use paidia_game::Chance;

use super::files::{PLAYS, SMALL_STUDY, damaged, sources};
use crate::PAIDIA;

/// One call of this number finds copies.
const EVERY: u32 = 3;

/// A folder with what was written.
pub(super) struct Samples {
    folder: tempfile::TempDir,
    /// The files in it, by their paths from there.
    files: Vec<PathBuf>,
}

impl Samples {
    /// Lets the program write.
    pub(super) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let here = folder.path();
        fs::write(here.join("plays.txt"), PLAYS).unwrap();
        fs::write(here.join("small.toml"), SMALL_STUDY).unwrap();
        fs::write(here.join("t.toml"), TOURNAMENT).unwrap();
        for call in CALLS {
            run(here, &call.split(' ').collect::<Vec<_>>());
        }
        for extension in ["sbg", "vgdl"] {
            let rules = sources().iter().find(|path| has(path, extension)).unwrap();
            let rules = rules.to_str().unwrap();
            run(here, &["match", rules, "--player", "random", "--record"]);
        }
        let never = "(A (G (not terminal)))";
        run(here, &["verify", "kuhn-poker", never, "--trace", "t.jsonl"]);
        let mut files = Vec::new();
        list(here, here, &mut files);
        assert!(files.len() > 20, "{files:?}");
        Self { folder, files }
    }

    /// Copies everything for some calls, each file damaged now and then.
    pub(super) fn copy(&self, chance: &mut Chance, to: &Path) {
        if chance.below(EVERY) > 0 {
            return;
        }
        for file in &self.files {
            let mut bytes = fs::read(self.folder.path().join(file)).unwrap();
            if chance.below(6) == 0 {
                bytes = damaged(&bytes, chance);
            }
            let target = to.join(file);
            fs::create_dir_all(target.parent().unwrap()).unwrap();
            fs::write(target, bytes).unwrap();
        }
    }

    /// A copy of one of the files, of which the path contains one of some words.
    pub(super) fn one(&self, of: &[&str], chance: &mut Chance, to: &Path) -> String {
        let fits = |file: &&PathBuf| {
            let path = file.display().to_string();
            of.iter().any(|word| path.contains(word))
        };
        let fitting: Vec<&PathBuf> = self.files.iter().filter(fits).collect();
        let file = fitting[chance.below(fitting.len() as u32) as usize];
        let mut bytes = fs::read(self.folder.path().join(file)).unwrap();
        if chance.below(2) == 0 {
            bytes = damaged(&bytes, chance);
        }
        let target = to.join("given").join(file.file_name().unwrap());
        fs::create_dir_all(target.parent().unwrap()).unwrap();
        fs::write(&target, bytes).unwrap();
        target.display().to_string()
    }
}

fn has(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|own| own == extension)
}

/// Makes a call in a folder; what it answers does not matter, but it must not fail badly.
fn run(folder: &Path, arguments: &[&str]) {
    let mut command = Command::new(PAIDIA);
    command.args(arguments).current_dir(folder);
    command.env("PAIDIA_CACHE", "off").stdin(Stdio::null());
    let ended = command.output().unwrap();
    let said = String::from_utf8_lossy(&ended.stderr);
    let good = matches!(ended.status.code(), Some(0 | 1));
    assert!(good, "{arguments:?}: {said}");
}

/// All files below a folder.
fn list(folder: &Path, root: &Path, files: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    for path in entries {
        match path.is_dir() {
            true => list(&path, root, files),
            false => files.push(path.strip_prefix(root).unwrap().to_owned()),
        }
    }
}

/// What is called, each with as little to do as there can be.
const CALLS: &[&str] = &[
    "match tic-tac-toe --player random --player random --record",
    "match real-time-chicken --player random --player random --record",
    "match kuhn-poker --player random --player random --record",
    "tournament t.toml",
    "study small.toml",
    "evolve --population 2 --generations 1 --plays 2 --depth 1 --board 5x5 --kinds 1 --judge features",
    "sprt uct random --games tic-tac-toe --simulations 5 --pairs 2",
    "tune tic-tac-toe --try exploration=1,40 --simulations 5 --games 2 --rounds 2",
    "simulate tic-tac-toe --playouts 2",
];

const TOURNAMENT: &str = "title = \"t\"\ngames = [\"tic-tac-toe\"]\nsimulations = 5\n\
    step_limit = 20\n[players]\nA = \"uct\"\nB = \"random\"\n";
