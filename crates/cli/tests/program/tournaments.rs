//! Tournaments and records by the command line: listed, shown and checked, and what is refused.

use std::path::Path;

use paidia_testkit::process::{Process, file, wait_until};

use super::{PAIDIA, paidia};

pub(super) const TOURNAMENT: &str = r#"
title = "Three on two"
seed = 3
games = ["tic-tac-toe", "connect-four"]
rounds = 3
simulations = 150

[players]
Thinker = "uct"
Sampler = "mc-flat"
Guesser = "random"
"#;

#[test]
fn two_processes_do_not_play_the_same_tournament() {
    let folder = tempfile::tempdir().unwrap();
    let slow = TOURNAMENT.replace("simulations = 150", "seconds = 0.2");
    let tournament = file(&folder, "three.toml", &slow);
    let out = folder.path().join("out");
    let arguments = ["tournament", &tournament, "--out", out.to_str().unwrap()];
    let first = Process::start(PAIDIA, &arguments);
    wait_until("the tournament begins", || out.join("three").is_dir());
    let second = paidia(&arguments);
    drop(first);
    let second = second.expect(2);
    assert!(
        second.err.contains("is being played by another process"),
        "{}",
        second.err
    );
}

#[test]
fn matches_are_recorded_shown_exported_and_checked() {
    let folder = tempfile::tempdir().unwrap();
    let records = folder.path().join("records");
    let records = records.to_str().unwrap();
    let nothing = paidia(&["matches", "--in", records]).expect(2);
    assert!(
        nothing.err.contains("nothing was recorded there"),
        "{}",
        nothing.err
    );
    let record = format!("--record={records}");
    let base = ["match", "tic-tac-toe", "--simulations", "10", "--json"];
    paidia(&[&base[..], &[&record]].concat()).expect(0);
    let elsewhere = paidia(&[&base[..], &[&record, "--after", "(mark 2 2)"]].concat()).expect(2);
    assert!(elsewhere.err.contains("whole match"), "{}", elsewhere.err);

    let list = paidia(&["matches", "--in", records, "--json"])
        .expect(0)
        .json();
    let rows = list["matches"].as_array().unwrap();
    assert_eq!(rows.len(), 1);
    let id = rows[0]["id"].as_str().unwrap();
    assert!(
        paidia(&["matches", "--in", records])
            .expect(0)
            .out
            .contains(id)
    );
    let csv = paidia(&["matches", "--in", records, "--csv"]).expect(0).out;
    assert!(
        csv.starts_with("match,game,") && csv.lines().count() == 2,
        "{csv}"
    );
    let shown = paidia(&["matches", "--in", records, id]).expect(0).out;
    assert!(
        shown.contains("1. x (mark ") && shown.contains("Over: "),
        "{shown}"
    );
    let exported = paidia(&["matches", "--in", records, id, "--json"])
        .expect(0)
        .json();
    assert_eq!(exported["records"][0]["matchId"], id);
    assert_eq!(
        exported["records"][0]["gameRoleNames"],
        serde_json::json!(["x", "o"])
    );
    paidia(&["matches", "--in", records, "--verify"]).expect(0);

    paidia(&["matches", "--in", records, "nobody"]).expect(2);
}

#[test]
fn record_files_are_checked_and_replaced_moves_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let records = folder.path().join("records");
    let records = records.to_str().unwrap();
    let record = format!("--record={records}");
    let base = ["match", "tic-tac-toe", "--simulations", "10", &record];
    for seed in ["1", "2"] {
        paidia(&[&base[..], &["--seed", seed]].concat()).expect(0);
    }
    let all = paidia(&["replay", records]).expect(0).out;
    assert!(all.starts_with("2 records of "), "{all}");
    assert!(all.contains("all as the engine sees them"), "{all}");

    let list = paidia(&["matches", "--in", records, "--json"]);
    let list = list.expect(0).json();
    let path = Path::new(records).join(list["matches"][0]["file"].as_str().unwrap());
    let good: serde_json::Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    for engine in ["reference", "propnet"] {
        let call = [
            "replay",
            path.to_str().unwrap(),
            "--engine",
            engine,
            "--json",
        ];
        let report = paidia(&call).expect(0).json();
        let steps = good["moves"].as_array().unwrap().len();
        assert_eq!(
            (&report["checked"], &report["steps"]),
            (&1.into(), &steps.into())
        );
        assert_eq!(report["replaced"], serde_json::json!([]));
    }

    let mut changed = good.clone();
    changed["goalValues"] = serde_json::json!([1, 2]);
    let changed = file(&folder, "changed.json", &changed.to_string());
    let differs = paidia(&["replay", path.to_str().unwrap(), &changed]);
    let differs = differs.expect(1).out;
    assert!(differs.contains("goal of x"), "{differs}");
    assert!(differs.contains("of which 1 differ"), "{differs}");

    let mut replaced = good;
    replaced["errors"][1] = serde_json::json!(["IL (mark 9 9)", "TO"]);
    replaced["gameRulesheet"] = serde_json::Value::Null;
    let replaced = file(&folder, "replaced.json", &replaced.to_string());
    let told = paidia(&["replay", &replaced]).expect(0).out;
    assert!(
        told.contains("move 1, x (paidia): IL (mark 9 9), (mark "),
        "{told}"
    );
    assert!(
        told.contains("move 1, o (paidia): TO, noop was made instead"),
        "{told}"
    );
    let told = paidia(&["replay", &replaced, "--json"]).expect(0).json();
    assert_eq!(told["replaced"][0]["error"], "IL (mark 9 9)");
    let other = paidia(&["replay", &replaced, "--game", "connect-four"]).expect(1);
    assert!(other.out.contains("roles"), "{}", other.out);
}

#[test]
fn what_cannot_be_checked_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let torn = file(&folder, "torn.json", "{\"matchId\": ");
    for call in [["matches", &torn], ["replay", &torn]] {
        let refused = paidia(&call).expect(2);
        let told = [refused.out, refused.err].concat();
        assert!(told.contains("not a record of a match"), "{told}");
    }
    let empty = tempfile::tempdir().unwrap();
    for (call, reason) in [
        (
            vec!["replay", empty.path().to_str().unwrap()],
            "no records in",
        ),
        (vec!["replay", "nowhere.json"], "cannot read the record"),
        (
            vec!["replay", "tic-tac-toe"],
            "traces of `tic-tac-toe` are missing",
        ),
        (
            vec!["replay", &torn, "--max-steps", "1"],
            "goes with traces",
        ),
        (vec!["replay"], "WHAT"),
    ] {
        let refused = paidia(&call).expect(2);
        let told = [refused.out, refused.err].concat();
        assert!(told.contains(reason), "{told}");
        assert!(!told.contains("as the engine sees them"), "{told}");
    }
}

#[test]
fn the_example_can_be_read_and_mistakes_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let out = out.to_str().unwrap();
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tournaments/small.toml");
    let example = example.to_str().unwrap();
    let none = ["tournament", example, "--out", out, "--at-most", "0"];
    let shown = paidia(&none).expect(0).out;
    assert!(shown.contains("0 of 72 matches"), "{shown}");
    let missing = paidia(&["tournament", "nowhere.toml"]).expect(2);
    assert!(
        missing.err.contains("cannot read nowhere.toml"),
        "{}",
        missing.err
    );
    let wrong = file(
        &folder,
        "wrong.toml",
        &TOURNAMENT.replace("\"uct\"", "\"utc\""),
    );
    let wrong = paidia(&["tournament", &wrong, "--out", out]).expect(2);
    assert!(wrong.err.contains("did you mean `uct`?"), "{}", wrong.err);
    let nothing = folder.path().join("nothing");
    let base = ["tournament", example, "--report-only", "--out"];
    paidia(&[&base[..], &[nothing.to_str().unwrap()]].concat()).expect(2);
    let nobody = paidia(&["tournament", example, "--out", out, "--jobs", "0"]).expect(2);
    assert!(nobody.err.contains("--database"), "{}", nobody.err);
}
