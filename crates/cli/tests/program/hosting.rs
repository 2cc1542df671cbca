//! Matches with players elsewhere, as `paidia match` hosts them.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};

use paidia_testkit::process::wait_until;

use super::{PAIDIA, paidia};

/// A player that says `ready` to everything but `PLAY`, and to that always the same.
struct StandIn {
    url: String,
    heard: Arc<Mutex<Vec<String>>>,
}

impl StandIn {
    fn new(chosen: &'static str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let heard: Arc<Mutex<Vec<String>>> = Arc::default();
        let noted = Arc::clone(&heard);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let message = read(&mut stream);
                let said = match message.starts_with("(PLAY") {
                    true => chosen,
                    false => "ready",
                };
                noted.lock().unwrap().push(message);
                let head = format!("HTTP/1.0 200 OK\r\nContent-Length: {}\r\n\r\n", said.len());
                stream.write_all((head + said).as_bytes()).unwrap();
            }
        });
        Self { url, heard }
    }

    fn messages(&self) -> Vec<String> {
        self.heard.lock().unwrap().clone()
    }
}

fn read(stream: &mut TcpStream) -> String {
    let mut reader = BufReader::new(stream);
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        let line = line.trim().to_ascii_lowercase();
        if let Some(number) = line.strip_prefix("content-length:") {
            length = number.trim().parse().unwrap();
        }
        if line.is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    String::from_utf8(body).unwrap()
}

/// The only record in a folder.
fn record(folder: &Path) -> serde_json::Value {
    let files = std::fs::read_dir(folder).unwrap();
    let mut paths = files.map(|file| file.unwrap().path());
    let path = paths.find(|path| path.extension().is_some_and(|ending| ending == "json"));
    serde_json::from_slice(&std::fs::read(path.unwrap()).unwrap()).unwrap()
}

#[test]
fn a_match_with_a_player_elsewhere_is_told_and_written_down() {
    let folder = tempfile::tempdir().unwrap();
    let player = StandIn::new("NOOP");
    let recorded = format!("--record={}", folder.path().display());
    let report = paidia(&[
        "match",
        "tic-tac-toe",
        "--player",
        "random",
        "--player",
        &player.url,
        "--start-clock",
        "3",
        "--play-clock",
        "2",
        "--json",
        &recorded,
    ])
    .expect(0)
    .json();
    assert_eq!(report["result"], "over");
    assert_eq!(report["players"], serde_json::json!(["random", player.url]));
    assert_eq!(
        (&report["start_clock"], &report["play_clock"]),
        (&3.into(), &2.into())
    );
    // It always passes: that is right while the other one moves, and illegal when it should move
    // itself.
    let errors = report["errors"].as_array().unwrap();
    let moves = report["moves"].as_array().unwrap();
    assert_eq!(errors.len(), moves.len() / 2);
    for (error, step) in errors.iter().zip((2..).step_by(2)) {
        assert_eq!(
            (&error["step"], &error["kind"]),
            (&step.into(), &"illegal".into())
        );
        assert_eq!(error["code"], "IL NOOP");
    }
    let record = record(folder.path());
    assert_eq!(record["matchId"], report["match_id"]);
    assert_eq!(record["errors"][2], serde_json::json!(["", "IL NOOP"]));
    assert_eq!(
        (&record["startClock"], &record["playClock"]),
        (&3.into(), &2.into())
    );
    assert_eq!(player.messages().len(), moves.len() + 2);
}

#[test]
fn scrambling_previews_and_names_are_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let player = StandIn::new("hm");
    let recorded = format!("--record={}", folder.path().display());
    let options = [
        "--preview-clock",
        "1",
        "--scramble",
        "--ask-names",
        "--step-limit",
        "1",
    ];
    let arguments = [
        "match",
        "rock-paper-scissors",
        "--player",
        &player.url,
        &recorded,
    ];
    let shown = paidia(&[&arguments[..], &options[..]].concat())
        .expect(1)
        .out;
    assert!(shown.contains("chose `hm`, which is illegal"), "{shown}");
    assert!(shown.contains("The match was cut after 1 move"), "{shown}");
    let record = record(folder.path());
    assert_eq!(
        (&record["scrambled"], &record["previewClock"]),
        (&true.into(), &1.into())
    );
    assert_eq!(record["isAborted"], true);
    let messages = player.messages();
    let said = |start: &str| {
        messages
            .iter()
            .filter(|text| text.starts_with(start))
            .count()
    };
    let counts = ["(INFO)", "(PREVIEW (", "(START ", "(PLAY ", "(ABORT "].map(said);
    assert_eq!(counts, [2; 5], "{messages:?}");
    assert!(!messages.concat().contains("paper"), "{messages:?}");
}

#[test]
fn what_players_elsewhere_cannot_do_is_refused() {
    let url = "http://127.0.0.1:1";
    for (player, option, hint) in [
        (url, "--simulations=10", "--play-clock"),
        (url, "--after=(mark 1 1)", "--after"),
        ("https://127.0.0.1:1", "--json", "http://127.0.0.1:9147"),
        ("paidia", "--play-clock=0", "from 1 to 1000000"),
        ("paidia", "--play-clock=0.1", "whole seconds"),
    ] {
        let run = paidia(&["match", "tic-tac-toe", "--player", player, option]).expect(2);
        assert!(run.err.contains(hint), "{}", run.err);
    }
}

#[test]
fn built_in_players_keep_clocks_too() {
    let clocks = ["--start-clock", "1", "--play-clock", "1", "--json"];
    let arguments = ["match", "tic-tac-toe", "--player", "random"];
    let report = paidia(&[&arguments[..], &clocks[..]].concat())
        .expect(0)
        .json();
    assert_eq!(
        (&report["play_clock"], &report["errors"]),
        (&1.into(), &serde_json::json!([]))
    );
}

#[test]
fn players_elsewhere_take_part_in_tournaments() {
    let folder = tempfile::tempdir().unwrap();
    let player = StandIn::new("noop");
    let tournament = |seconds: &str| {
        let url = &player.url;
        let text = format!(
            "title = 'Guests'\ngames = ['tic-tac-toe']\n{seconds}\n[players]\nHere = 'random'\nThere = '{url}'\n"
        );
        paidia_testkit::process::file(&folder, "guests.toml", &text)
    };
    let out = folder.path().join("results");
    let out = out.to_str().unwrap();
    let run = |file: &str| paidia(&["tournament", file, "--out", out, "--json"]);
    let refused = run(&tournament("simulations = 10")).expect(2).err;
    assert!(refused.contains("whole `seconds`"), "{refused}");
    run(&tournament("seconds = 2")).expect(0);
    let heard = player.messages();
    let started = heard.iter().filter(|text| text.starts_with("(START "));
    assert_eq!(started.count(), 2, "{heard:?}");
    assert!(heard.last().unwrap().starts_with("(STOP "), "{heard:?}");
}

#[cfg(unix)]
#[test]
fn an_interrupted_match_is_aborted_and_written_down() {
    let folder = tempfile::tempdir().unwrap();
    let player = StandIn::new("noop");
    let mut process = Command::new(PAIDIA)
        .args(["match", "connect-four", "--player", "paidia", "--player"])
        .args([&player.url, "--start-clock", "1", "--play-clock", "2"])
        .arg(format!("--record={}", folder.path().display()))
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let is_asked = || {
        player
            .messages()
            .iter()
            .any(|text| text.starts_with("(PLAY"))
    };
    wait_until("the player is asked for a move", is_asked);
    let id = process.id().to_string();
    let sent = Command::new("kill").args(["-INT", &id]).status().unwrap();
    assert!(sent.success());
    let mut errors = String::new();
    let stderr = process.stderr.take().unwrap();
    BufReader::new(stderr).read_to_string(&mut errors).unwrap();
    assert_eq!(process.wait().unwrap().code(), Some(130), "{errors}");
    assert!(
        errors.contains("the match stops after this move"),
        "{errors}"
    );
    assert!(player.messages().last().unwrap().starts_with("(ABORT "));
    assert_eq!(record(folder.path())["isAborted"], true);
}
