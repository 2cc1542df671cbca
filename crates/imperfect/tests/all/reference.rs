//! Agreement with truth computed elsewhere: every game of the collection of hidden games beside the
//! workspace, or in `PAIDIA_HIDDEN`.

use std::io::Read;
use std::path::{Path, PathBuf};

use paidia_gdl::Dialect;
use paidia_imperfect::agreement::{Finding, Subject, formulas};
use paidia_imperfect::epistemic::Checker;
use paidia_imperfect::epistemic::probe::Probe;
use paidia_imperfect::{Explorer, Limits};
use paidia_testkit::rules::RuleSheet;
use serde_json::Value;

pub(crate) fn folder() -> Option<PathBuf> {
    let usual = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/gdl2");
    let folder = std::env::var_os("PAIDIA_HIDDEN").map_or(usual, PathBuf::from);
    let found = match folder.join("index.json").is_file() {
        true => Ok(folder.clone()),
        false => Err(format!("there are no hidden games in {}", folder.display())),
    };
    paidia_testkit::need::need("hidden", found)
}

pub(crate) fn json(path: &Path) -> Option<Value> {
    let plain = std::fs::read(path).ok();
    let packed = || {
        let mut name = path.as_os_str().to_owned();
        name.push(".gz");
        let bytes = std::fs::read(name).ok()?;
        let mut text = Vec::new();
        flate2::read::GzDecoder::new(&bytes[..])
            .read_to_end(&mut text)
            .ok()?;
        Some(text)
    };
    let text = plain.or_else(packed)?;
    Some(serde_json::from_slice(&text).unwrap())
}

fn follow(folder: &Path, name: &str) -> Vec<Finding> {
    let text = std::fs::read_to_string(folder.join(format!("games/{name}.kif"))).unwrap();
    let game = RuleSheet::new(name, &text).propnet();
    let mut subject = Subject::new(&game, Limits::default()).unwrap();
    let data = |what: &str| json(&folder.join(format!("data/{name}.{what}.json")));
    let mut findings = subject.numbers(&data("numbers").unwrap()).unwrap();
    findings.extend(subject.plays(&data("plays").unwrap()).unwrap());
    findings.extend(subject.beliefs(&data("beliefs").unwrap()).unwrap());
    if let Some(truth) = data("infosets") {
        findings.extend(subject.all_sets(&truth).unwrap());
    }
    let sheet = RuleSheet::new(name, &text).read().0;
    let mut checker = Checker::new(Explorer::new(&game, Limits::default()).unwrap());
    let mut derive = Probe {
        game: &game,
        sheet: &sheet,
        dialect: Dialect::GdlII,
    };
    let numbers = data("numbers").unwrap();
    findings.push(formulas::properties(&mut checker, &mut derive, &numbers).unwrap());
    for kind in ["", ".random"] {
        if let Some(truth) = json(&folder.join(format!("modelcheck/{name}{kind}.json"))) {
            findings.push(formulas::formulas(&mut checker, &mut derive, &truth).unwrap());
        }
    }
    findings
}

#[track_caller]
fn agrees(names: &[&str]) {
    let Some(folder) = folder() else { return };
    let index = json(&folder.join("index.json")).unwrap();
    let all: Vec<&str> = index
        .as_array()
        .unwrap()
        .iter()
        .map(|game| game["game"].as_str().unwrap())
        .collect();
    let mut failures = Vec::new();
    for name in names.iter().filter(|name| all.contains(name)) {
        let findings = follow(&folder, name);
        assert!(
            findings
                .iter()
                .all(|finding| finding.compared > 0 || finding.note.is_some()),
            "{findings:?}"
        );
        let wrong = findings
            .into_iter()
            .filter(|finding| finding.differences > 0);
        failures.extend(wrong.map(|finding| (*name, finding)));
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn small_games_agree() {
    agrees(&[
        "banker_thief",
        "exploding_bomb",
        "hidden_walls",
        "kuhn_poker",
        "liars_dice",
        "montyhall",
        "montyhall_noreveal",
        "muddy_children",
        "nim_seen",
        "odd_one_out",
        "pennies_secret",
        "random_walk",
    ]);
}

#[test]
fn leduc_poker_agrees() {
    agrees(&["leduc_poker"]);
}

#[test]
fn battleships_agree() {
    agrees(&["battleships_fog"]);
}

#[test]
fn krieg_tic_tac_toe_agrees() {
    agrees(&["krieg_ttt"]);
}

#[test]
fn number_guessing_agrees() {
    agrees(&["number_guessing"]);
}
