//! Drawing games and files: sound ones, odd ones, hostile ones and damaged ones.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use paidia_game::Chance;
use paidia_testkit::odd::{self, Oddities};

use super::hostile::{self, hostile};
use super::samples::Samples;
use crate::ONE_MOVE;

/// The rule files of the project in all languages.
pub(super) fn sources() -> &'static [PathBuf] {
    static SOURCES: OnceLock<Vec<PathBuf>> = OnceLock::new();
    SOURCES.get_or_init(|| {
        let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut files = Vec::new();
        for folder in ["games", "boards", "crates/video/games"] {
            collect(&project.join(folder), &mut files);
        }
        files.sort();
        assert!(files.len() > 100, "{}", files.len());
        files
    })
}

/// The rule files below a folder.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        let extension = path.extension().and_then(|own| own.to_str());
        if path.is_dir() {
            collect(&path, files);
        } else if extension.is_some_and(|own| EXTENSIONS.contains(&own)) {
            files.push(path);
        }
    }
}

/// The extensions of rule files.
const EXTENSIONS: &[&str] = &["kif", "sbg", "vgdl", "cgdl"];

/// One of the rule files, every kind as often.
fn source(chance: &mut Chance) -> (&'static Path, &'static str) {
    let extension = EXTENSIONS[below(chance, EXTENSIONS.len())];
    let of_kind: Vec<&PathBuf> = sources()
        .iter()
        .filter(|path| path.extension().is_some_and(|own| own == extension))
        .collect();
    match of_kind.len() {
        0 => source(chance),
        count => (of_kind[below(chance, count)], extension),
    }
}

fn below(chance: &mut Chance, count: usize) -> usize {
    chance.below(count as u32) as usize
}

/// A game as it is named on the command line.
pub(super) fn game(chance: &mut Chance, folder: &Path) -> String {
    match chance.below(20) {
        0..=7 => bundled(chance).to_owned(),
        8..=10 => {
            let (path, extension) = source(chance);
            let level = match extension {
                "vgdl" => ["", "@0", "@1", "@4", "@5", "@x"][below(chance, 6)],
                _ => "",
            };
            // A copy: some commands write to what they read.
            let text = std::fs::read(path).unwrap();
            write(folder, &format!("rules.{extension}"), &text) + level
        }
        11 => [
            "hex@3",
            "breakthrough@4",
            "hex@99",
            "amazons@0",
            "chess@8",
            "@",
        ][below(chance, 6)]
        .to_owned(),
        12 => [
            "-",
            "/dev/null",
            "/dev/stdin",
            ".",
            "..",
            "nowhere.kif",
            "corpus:none",
            "chess-960",
            "",
        ][below(chance, 9)]
        .to_owned(),
        _ => {
            let (text, extension) = sheet(chance);
            let extension = match chance.below(12) {
                0 => ["kif", "sbg", "vgdl", "cgdl", "gdl", "txt", "exe"][below(chance, 7)],
                _ => extension,
            };
            write(
                folder,
                &format!("game{}.{extension}", chance.below(100)),
                &text,
            )
        }
    }
}

/// The name of a bundled game, now and then of one in real time.
fn bundled(chance: &mut Chance) -> &'static str {
    let all = match chance.below(4) {
        0 => paidia_library::real_time(),
        _ => paidia_library::all(),
    };
    all[below(chance, all.len())].name
}

/// Rules, with the extension of their language.
pub(super) fn sheet(chance: &mut Chance) -> (Vec<u8>, &'static str) {
    match chance.below(12) {
        0..=2 => {
            let seed = u64::from(chance.below(1_000_000));
            (odd::sheet(Oddities::drawn(seed), seed).into_bytes(), "kif")
        }
        3..=6 => {
            let (path, extension) = source(chance);
            (damaged(&std::fs::read(path).unwrap(), chance), extension)
        }
        7 | 8 => (hostile(chance).into_bytes(), "kif"),
        9 => match chance.below(2) {
            0 => (hostile::board(chance).into_bytes(), "sbg"),
            _ => (hostile::video(chance).into_bytes(), "vgdl"),
        },
        10 => (damaged(ONE_MOVE.as_bytes(), chance), "kif"),
        _ => {
            let bytes = (0..chance.below(2_000)).map(|_| chance.below(256) as u8);
            (bytes.collect(), EXTENSIONS[below(chance, EXTENSIONS.len())])
        }
    }
}

/// The same with some bytes changed, left out or written twice.
pub(super) fn damaged(text: &[u8], chance: &mut Chance) -> Vec<u8> {
    let mut text = text.to_vec();
    for _ in 0..1 + chance.below(4) {
        if text.is_empty() {
            break;
        }
        let from = below(chance, text.len());
        let to = (from + 1 + below(chance, 40)).min(text.len());
        match chance.below(5) {
            0 => drop(text.drain(from..to)),
            1 => {
                let part = text[from..to].to_vec();
                text.splice(from..from, part);
            }
            2 => text[from] = b"()?; \0x9"[below(chance, 8)],
            3 => text.truncate(from),
            _ => text[from] = chance.below(256) as u8,
        }
    }
    text
}

/// A study: a bundled one, a small one, or a damaged one.
pub(super) fn study(chance: &mut Chance, folder: &Path) -> String {
    let studies = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../studies");
    let mut all: Vec<PathBuf> = std::fs::read_dir(studies)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|own| own == "toml"))
        .collect();
    all.sort();
    let one = &all[below(chance, all.len())];
    match chance.below(6) {
        0 => one.file_stem().unwrap().to_string_lossy().into_owned(),
        1 => "small.toml".to_owned(),
        2 => write(folder, "study.toml", SMALL_STUDY.as_bytes()),
        3 => {
            let text = std::fs::read(one).unwrap();
            write(folder, "study.toml", &damaged(&text, chance))
        }
        4 => "x".to_owned(),
        _ => write(
            folder,
            "study.toml",
            &damaged(SMALL_STUDY.as_bytes(), chance),
        ),
    }
}

/// A tournament: a small one, or a damaged one.
pub(super) fn tournament(chance: &mut Chance, folder: &Path) -> String {
    let game = game(chance, folder).replace(['\\', '"'], "");
    let text = format!(
        "title = \"t\"\ngames = [\"tic-tac-toe\", \"{game}\"]\nsimulations = 5\nstep_limit = 20\n\
         [players]\nA = \"uct\"\nB = \"random\"\n"
    );
    match chance.below(4) {
        0 => write(folder, "t.toml", text.as_bytes()),
        1 => "t.toml".to_owned(),
        _ => write(folder, "t.toml", &damaged(text.as_bytes(), chance)),
    }
}

/// A record of a match or other play, or what is none; `of` are words in the paths of those that
/// the program wrote itself.
pub(super) fn record(of: &[&str], samples: &Samples, chance: &mut Chance, folder: &Path) -> String {
    let text = r#"{"matchId":"m","gameMetaURL":"x","roles":["x","o"],"states":[[]],"moves":[]}"#;
    match chance.below(12) {
        0 => folder.display().to_string(),
        1 => game(chance, folder),
        2 => "nowhere.json".to_owned(),
        3 => write(folder, "record.json", &damaged(text.as_bytes(), chance)),
        4 => folder.join("match-records").display().to_string(),
        _ => samples.one(of, chance, folder),
    }
}

/// Where something can be written, or cannot.
pub(super) fn target(chance: &mut Chance, folder: &Path) -> String {
    let inside = folder.join(format!("out{}", chance.below(10)));
    match chance.below(5) {
        0 => folder.display().to_string(),
        1 => "/proc/none/file".to_owned(),
        2 => "/dev/null".to_owned(),
        _ => inside.display().to_string(),
    }
}

fn write(folder: &Path, name: &str, bytes: &[u8]) -> String {
    let path = folder.join(name);
    std::fs::write(&path, bytes).unwrap();
    path.display().to_string()
}

pub(super) const SMALL_STUDY: &str = r#"
title = "t"
source = "s"
about = "a"
[games]
tic-tac-toe = "ours"
[players]
A = "uct"
B = "random"
[scales]
quick = { games = 2 }
[[cells]]
name = "one"
group = "all"
game = "tic-tac-toe"
players = ["A", "B"]
simulations = [5, 1]
paper = { points = 90.0 }
[[claims]]
id = "C1"
text = "x"
test = { kind = "each", cells = {} }
at_most = 50
"#;

/// Plays of a board game, as `learn` reads them.
pub(super) const PLAYS: &str = "ply 0 white
.p
..
P.
1
P 0 0 (0,1,e)
ply 1 black
.p
P.
..
2
p 1 2 (0,1,e)
p 1 2 (-1,1,p)
played 1
";
