//! Tournaments and records by the command line: played, killed, resumed, listed, shown and checked.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::{file, paidia};

const TOURNAMENT: &str = r#"
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

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

/// Starts the tournament, and kills it as soon as `matches` more matches are recorded; false if it was faster.
fn kill_after(file: &str, out: &Path, matches: usize) -> bool {
    let recorded = || std::fs::read_dir(out.join("three")).map_or(0, Iterator::count);
    let goal = recorded() + matches;
    let mut child = Command::new(env!("CARGO_BIN_EXE_paidia"))
        .args([
            "tournament",
            file,
            "--jobs",
            "2",
            "--out",
            out.to_str().unwrap(),
        ])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let begun = Instant::now();
    while recorded() < goal && begun.elapsed() < Duration::from_secs(120) {
        if child.try_wait().unwrap().is_some() {
            return false;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    // SIGKILL: the child has no chance to tidy up.
    child.kill().unwrap();
    child.wait().unwrap();
    true
}

/// Plays a tournament of so many matches straight, and once more with a kill after each of these numbers of matches.
fn kill_and_compare(text_of_it: &str, matches: usize, kills: &[usize]) {
    let folder = tempfile::tempdir().unwrap();
    let tournament = file(&folder, "three.toml", text_of_it);
    let (straight, killed) = (folder.path().join("straight"), folder.path().join("killed"));
    let run = |out: &Path, more: &[&str]| {
        let base = ["tournament", &tournament, "--out", out.to_str().unwrap()];
        paidia(&[&base, more].concat())
    };
    let all = run(&straight, &["--json", "--jobs", "1"]).expect(0).json();
    assert_eq!(
        (&all["played"], &all["wanted"]),
        (&matches.into(), &matches.into())
    );

    let killed_in_time = kills.iter();
    let killed_in_time = killed_in_time.filter(|&&after| kill_after(&tournament, &killed, after));
    assert_eq!(
        killed_in_time.count(),
        kills.len(),
        "the tournament is too fast to be killed"
    );
    let part = run(&killed, &["--report-only", "--json"]).expect(0).json();
    let played = part["played"].as_u64().unwrap();
    assert!(played > 0 && played < matches as u64, "{played}");
    let limited = run(&killed, &["--at-most", "2", "--json"]).expect(0).json();
    assert_eq!(limited["played"], played + 2);
    assert_eq!(
        run(&killed, &["--json", "--jobs", "2"]).expect(0).json(),
        all
    );
    for ending in ["csv", "md", "html"] {
        let name = format!("three.{ending}");
        assert_eq!(
            text(&straight.join(&name)),
            text(&killed.join(&name)),
            "{name}"
        );
    }
    assert_eq!(rows(&straight).len(), matches);
    assert_eq!(rows(&straight), rows(&killed));
    let verified = paidia(&["matches", "--in", killed.to_str().unwrap(), "--verify"]).expect(0);
    let fine = format!("{matches} records, all as the engine sees them");
    assert!(verified.out.contains(&fine), "{}", verified.out);
}

/// The recorded matches with what came out, in the order of their names.
fn rows(out: &Path) -> Vec<String> {
    let list = paidia(&["matches", "--in", out.to_str().unwrap(), "--json"]);
    let list = list.expect(0).json();
    let rows = list["matches"].as_array().unwrap().iter();
    let mut rows: Vec<String> = rows
        .map(|row| format!("{} {} {}", row["id"], row["goals"], row["steps"]))
        .collect();
    rows.sort();
    rows
}

#[test]
fn a_tournament_that_is_killed_ends_as_one_that_is_not() {
    kill_and_compare(TOURNAMENT, 36, &[1, 5, 3]);
}

#[test]
#[ignore = "takes its time: the command is in docs/tournaments.md"]
fn a_large_tournament_that_is_killed_ends_as_one_that_is_not() {
    let large = TOURNAMENT
        .replace(
            "\"connect-four\"]",
            "\"connect-four\", \"breakthrough-6x6\", \"number-scrabble\", \"tic-tac-toe-5x5\"]",
        )
        .replace("rounds = 3", "rounds = 4")
        .replace("[players]", "[players]\nDefault = \"paidia\"");
    kill_and_compare(&large, 240, &[10, 30, 1, 50, 20]);
}

#[test]
fn two_processes_do_not_play_the_same_tournament() {
    let folder = tempfile::tempdir().unwrap();
    let slow = TOURNAMENT.replace("simulations = 150", "seconds = 0.2");
    let tournament = file(&folder, "three.toml", &slow);
    let out = folder.path().join("out");
    let arguments = ["tournament", &tournament, "--out", out.to_str().unwrap()];
    let mut child = Command::new(env!("CARGO_BIN_EXE_paidia"))
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let begun = Instant::now();
    while !out.join("three").is_dir() && begun.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(5));
    }
    let second = paidia(&arguments);
    child.kill().unwrap();
    child.wait().unwrap();
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

    let mut changed = exported["records"][0].clone();
    changed["goalValues"] = serde_json::json!([1, 2]);
    let changed = file(&folder, "changed.json", &changed.to_string());
    let differs = paidia(&["matches", &changed, "--verify"]).expect(1).out;
    assert!(differs.contains("goal of x"), "{differs}");
    let torn = file(&folder, "torn.json", "{\"matchId\": ");
    assert!(
        paidia(&["matches", &torn])
            .expect(2)
            .err
            .contains("not a record of a match")
    );
    paidia(&["matches", "--in", records, "nobody"]).expect(2);
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
}
