//! Rules in real time by the command line: played, watched, recorded, converted, compared.

use paidia_testkit::process::file;
use serde_json::Value;

use super::{paidia, paidia_with_input};

/// A match between scripts, on the virtual clock.
fn scripted(more: &[&str]) -> Value {
    let call = [
        "match",
        "real-time-chicken",
        "--player",
        "script(0.5 swerve)",
        "--player",
        "script(2.5 swerve; 2.75 swerve)",
        "--reaction",
        "0",
        "--json",
    ];
    paidia(&[&call[..], more].concat()).expect(0).json()
}

#[test]
fn scripts_move_when_they_say_and_goals_are_those_of_the_paper() {
    let report = scripted(&[]);
    assert_eq!(report["goals"], serde_json::json!([90, 90]));
    assert_eq!(
        (&report["time"], &report["update_count"]),
        (&"3".into(), &3.into())
    );
    let events = report["events"].as_array().unwrap().iter();
    let events = events.map(|event| format!("{} {}", event["time"], event["result"]));
    let events: Vec<String> = events.collect();
    // A driver swerves once.
    let expected = [r#""0.5" "made""#, r#""2.5" "made""#, r#""2.75" "illegal""#];
    assert_eq!(events, expected);
    let straight = paidia(&["match", "real-time-chicken", "--player", "none", "--json"]);
    assert_eq!(
        straight.expect(0).json()["goals"],
        serde_json::json!([0, 0])
    );
}

#[test]
fn both_readings_can_be_asked_for() {
    let tic = |more: &[&str]| {
        let call = ["match", "tic-tac-toe-clock", "--player", "none", "--json"];
        paidia(&[&call[..], more].concat()).expect(0).json()
    };
    let usual = tic(&[]);
    assert_eq!(usual["goals"], serde_json::json!([0, 100]));
    assert_eq!(usual["reading"], "event-first");
    let post = tic(&["--reading", "post-update"]);
    assert_eq!(post["reading"], "post-update");
    let refused = paidia(&["match", "tic-tac-toe", "--reading", "post-update"]).expect(2);
    assert!(refused.err.contains("real time"), "{}", refused.err);
    let refused = paidia(&["simulate", "tic-tac-toe-clock", "--engine", "propnet"]).expect(2);
    assert!(refused.err.contains("plays in turns"), "{}", refused.err);
}

#[test]
fn a_person_plays_on_the_real_clock_by_lines() {
    // The cat is gone for 3 after it was caught, and is there for 1 then.
    let script = "0.5 grab\n4 1\n7.5 grab\n11 (grab)\n";
    let call = ["play", "cheshire-cat", "--pace", "0.6"];
    let run = paidia_with_input(&call, script).expect(0);
    assert!(run.out.contains("You are alice"), "{}", run.out);
    assert!(run.out.contains("alice 100"), "{}", run.out);
}

#[test]
fn facts_and_random_play_are_told() {
    let info = paidia(&["info", "gold-rush", "--json"]).expect(0).json();
    assert_eq!(
        (&info["real_time"], &info["hidden"]),
        (&true.into(), &false.into())
    );
    assert_eq!(info["legal"][0], serde_json::json!(["(train worker)"]));
    let text = paidia(&["info", "reaction-duel"]).expect(0).out;
    assert!(text.contains("rtGDL-II"), "{text}");
    let call = ["simulate", "gold-rush", "--playouts", "3", "--json"];
    let report = paidia(&call).expect(0).json();
    assert_eq!(
        (&report["playouts"], &report["cut"]),
        (&3.into(), &0.into())
    );
    assert_eq!(report["mean_goals"].as_array().unwrap().len(), 2);
    assert_eq!(
        paidia(&call).expect(0).json()["mean_time"],
        report["mean_time"]
    );
    let shown = paidia(&["simulate", "ships", "--show"]).expect(0).out;
    assert!(shown.contains("The game is over at"), "{shown}");
    let players = paidia(&["players"]).expect(0).out;
    assert!(players.contains("search(playouts=N"), "{players}");
}

#[test]
fn records_are_written_and_checked() {
    let folder = tempfile::tempdir().unwrap();
    let records = folder.path().join("records");
    let record = format!("--record={}", records.to_str().unwrap());
    let call = [
        "match",
        "reaction-duel",
        "--player",
        "random",
        "--seed",
        "4",
        "--json",
    ];
    paidia(&[&call[..], &[&record]].concat()).expect(0);
    let checked = paidia(&["replay", records.to_str().unwrap()]).expect(0).out;
    assert!(checked.contains("1 record"), "{checked}");
    let path = std::fs::read_dir(&records)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| {
            path.extension()
                .is_some_and(|extension| extension == "json")
        })
        .unwrap();
    let mut damaged: Value =
        serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    damaged["realTime"]["updates"][1]["time"] = "0.000007".into();
    std::fs::write(&path, damaged.to_string()).unwrap();
    let differing = paidia(&["replay", path.to_str().unwrap()]).expect(1).out;
    assert!(differing.contains("update 1"), "{differing}");
}

#[test]
fn games_in_turns_become_games_in_real_time_and_go_back() {
    let folder = tempfile::tempdir().unwrap();
    let timed = paidia(&["export", "tic-tac-toe", "--to", "rtgdl"])
        .expect(0)
        .out;
    let timed = file(&folder, "timed.kif", &timed);
    paidia(&["check", &timed]).expect(0);
    let report = paidia(&["simulate", &timed, "--playouts", "2", "--json"]);
    assert_eq!(report.expect(0).json()["real_time"], true);
    let back = paidia(&["export", &timed, "--to", "gdl"]).expect(0).out;
    let back = file(&folder, "back.kif", &back);
    let counts = |game: &str| {
        let counted = paidia(&["perft", game, "--depth", "3", "--json"]);
        counted.expect(0).json()["depths"].clone()
    };
    assert_eq!(counts(&back), counts("tic-tac-toe"));
}

#[test]
fn tournaments_in_real_time_are_played_and_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let text = r#"
title = "In real time"
games = ["real-time-chicken", "tic-tac-toe-clock"]
simulations = 60

[players]
Search = "paidia"
Random = "random"
Fast = "random(rate=5)"
"#;
    let tournament = file(&folder, "timed.toml", text);
    let out = folder.path().join("out");
    let call = ["tournament", &tournament, "--out", out.to_str().unwrap()];
    let run = paidia(&call).expect(0);
    assert!(run.out.contains("Search"), "{}", run.out);
    let checked = paidia(&["replay", out.to_str().unwrap()]).expect(0).out;
    assert!(checked.contains("12 records"), "{checked}");
    let turns = text.replace("\"random(rate=5)\"", "\"uct\"");
    let turns = file(&folder, "turns.toml", &turns);
    let refused = paidia(&["tournament", &turns, "--out", out.to_str().unwrap()]).expect(2);
    assert!(refused.err.contains("plays in turns"), "{}", refused.err);
}

#[test]
fn play_computed_elsewhere_is_followed() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/realtime");
    if !folder.is_dir() {
        return eprintln!("skipped: there is no recorded play in real time");
    }
    let call = ["replay", "--corpus", folder.to_str().unwrap(), "--json"];
    let rows = paidia(&call).expect(0).json();
    let rows = rows.as_array().unwrap();
    assert!(rows.len() >= 15);
    assert!(rows.iter().all(|row| row["differences"] == 0), "{rows:?}");
}
