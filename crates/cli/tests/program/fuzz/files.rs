//! Drawing games and files: sound ones, odd ones, hostile ones and damaged ones.

use std::fmt::Write as _;
use std::path::Path;

use paidia_game::Chance;
use paidia_testkit::odd::{self, Oddities};

use crate::ONE_MOVE;

fn below(chance: &mut Chance, count: usize) -> usize {
    chance.below(count as u32) as usize
}

/// A game as it is named on the command line.
pub(super) fn game(chance: &mut Chance, folder: &Path) -> String {
    let all = paidia_library::all();
    match chance.below(20) {
        0..=5 => all[below(chance, all.len())].name.to_owned(),
        6 => [
            "hex@3",
            "breakthrough@4",
            "hex@99",
            "amazons@0",
            "chess@8",
            "@",
        ][below(chance, 6)]
        .to_owned(),
        7 => [
            "-",
            "/dev/null",
            "/dev/stdin",
            ".",
            "..",
            "nowhere.kif",
            "corpus:none",
            "",
        ][below(chance, 8)]
        .to_owned(),
        8 => "chess-960".to_owned(),
        _ => write(
            folder,
            &format!("game{}.kif", chance.below(100)),
            &sheet(chance),
        ),
    }
}

/// A rule sheet.
pub(super) fn sheet(chance: &mut Chance) -> Vec<u8> {
    match chance.below(10) {
        0..=2 => {
            let seed = u64::from(chance.below(1_000_000));
            odd::sheet(Oddities::drawn(seed), seed).into_bytes()
        }
        3..=5 => {
            let all = paidia_library::all();
            damaged(all[below(chance, all.len())].rules.as_bytes(), chance)
        }
        6 | 7 => hostile(chance).into_bytes(),
        8 => damaged(ONE_MOVE.as_bytes(), chance),
        _ => (0..chance.below(2_000))
            .map(|_| chance.below(256) as u8)
            .collect(),
    }
}

/// The same with some bytes changed, left out or written twice.
fn damaged(text: &[u8], chance: &mut Chance) -> Vec<u8> {
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

/// A sheet that asks for more than there is, in one way or another.
fn hostile(chance: &mut Chance) -> String {
    let size = [3, 50, 500, 5_000, 70_000][below(chance, 5)];
    let mut text = String::from("(role a) (init s) (<= terminal (true t)) (goal a 100) ");
    let numbers = |count: usize| -> String { (0..count).map(|n| format!("(d {n}) ")).collect() };
    let wide = |arity: usize| -> (String, String) {
        let names: Vec<String> = (0..arity).map(|n| format!("?x{n}")).collect();
        let domains = names.iter().map(|name| format!("(d {name}) "));
        (names.join(" "), domains.collect())
    };
    let arity = 1 + below(chance, 12);
    let (names, domains) = wide(arity);
    let _ = match chance.below(9) {
        0 => write!(
            text,
            "(legal a go) {}",
            (0..size).fold(String::new(), |text, n| text + &format!("(role r{n}) "))
        ),
        1 => write!(
            text,
            "{} (<= (legal a (m {names})) {domains})",
            numbers(size.min(100))
        ),
        2 => write!(
            text,
            "(legal a go) {} (<= (next (at {names})) {domains})",
            numbers(size.min(100))
        ),
        3 => write!(
            text,
            "(legal a go) (p 1) (<= (next t) {})",
            "(p 1) ".repeat(size)
        ),
        4 => write!(text, "(legal a go) (p z) (<= (p (s ?x)) (p ?x))"),
        5 => write!(
            text,
            "(legal a go) (init (n z)) (<= (next (n (s ?x))) (true (n ?x)))"
        ),
        6 => write!(
            text,
            "(legal a go) {}x{}",
            "(f ".repeat(size),
            ")".repeat(size)
        ),
        7 => write!(
            text,
            "(legal a go) {} (<= (q {names}) {domains}) (<= (next t) (not (q {})))",
            numbers(size.min(60)),
            "0 ".repeat(arity)
        ),
        _ => write!(
            text,
            "(legal a {}) (<= (next t) (true s))",
            "x".repeat(size)
        ),
    };
    text
}

/// A study: a bundled one, a small one, or a damaged one.
pub(super) fn study(chance: &mut Chance, folder: &Path) -> String {
    match chance.below(4) {
        0 => [
            "nested",
            "cadia-connect4",
            "strength",
            "sufficiency-bandit",
            "x",
        ][below(chance, 5)]
        .to_owned(),
        1 => write(folder, "study.toml", SMALL_STUDY.as_bytes()),
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
    match chance.below(3) {
        0 => write(folder, "t.toml", text.as_bytes()),
        _ => write(folder, "t.toml", &damaged(text.as_bytes(), chance)),
    }
}

/// A record of a match, or what is none.
pub(super) fn record(chance: &mut Chance, folder: &Path) -> String {
    let text = r#"{"matchId":"m","gameMetaURL":"x","roles":["x","o"],"states":[[]],"moves":[]}"#;
    match chance.below(6) {
        0 => folder.display().to_string(),
        1 => game(chance, folder),
        2 => "nowhere.json".to_owned(),
        3 => write(folder, "record.json", text.as_bytes()),
        _ => write(folder, "record.json", &damaged(text.as_bytes(), chance)),
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

const SMALL_STUDY: &str = r#"
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
