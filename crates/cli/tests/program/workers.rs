//! Workers as processes of their own.

use std::io::{BufRead, BufReader, Lines};
use std::process::ChildStderr;

use paidia_testkit::process::Process;

use super::{listening, paidia};

struct Worker {
    _process: Process,
    address: String,
    /// What it says about its masters.
    said: Lines<BufReader<ChildStderr>>,
}

impl Worker {
    fn start(token: &str) -> Self {
        let to = ["--listen", "127.0.0.1:0", "--threads", "1"];
        let (mut process, address) =
            listening(&[&["worker", "--token-file", token], &to[..]].concat());
        let said = BufReader::new(process.0.stderr.take().unwrap()).lines();
        Self {
            address,
            _process: process,
            said,
        }
    }
}

/// A file with a secret, in a folder that lasts as long as the test.
fn token(folder: &tempfile::TempDir, secret: &str) -> String {
    let path = folder.path().join(secret);
    std::fs::write(&path, secret.repeat(8)).unwrap();
    path.to_str().unwrap().to_owned()
}

fn match_with<'a>(address: &'a str, token: &'a str) -> Vec<&'a str> {
    let game = ["match", "connect-four", "--seconds", "0.05", "--json"];
    let workers = ["--workers", address, "--worker-token-file", token];
    [&game[..], &workers[..]].concat()
}

#[test]
fn a_match_uses_workers() {
    let folder = tempfile::tempdir().unwrap();
    let token = token(&folder, "same");
    let worker = Worker::start(&token);
    let run = paidia(&match_with(&worker.address, &token)).expect(0);
    assert_eq!(run.err, "");
    let report = run.json();
    assert_eq!(report["result"], "over");
    assert_eq!(report["workers"][0]["address"], worker.address);
    assert!(report["workers"][0]["playouts"].as_u64().unwrap() > 0);
}

#[test]
fn an_analysis_says_what_workers_did() {
    let folder = tempfile::tempdir().unwrap();
    let token = token(&folder, "same");
    let worker = Worker::start(&token);
    let mut arguments = match_with(&worker.address, &token);
    (arguments[0], arguments[3]) = ("analyse", "2");
    let report = paidia(&arguments).expect(0).json();
    let elsewhere = report["workers"][0]["playouts"].as_u64().unwrap();
    assert!(elsewhere > 0);
    assert!(report["playouts"].as_u64().unwrap() > elsewhere);
    arguments.retain(|argument| *argument != "--json");
    let shown = paidia(&arguments).expect(0).out;
    assert!(
        shown.contains(&format!("worker {}: ", worker.address)),
        "{shown}"
    );
}

#[test]
fn a_match_outlives_its_workers() {
    let folder = tempfile::tempdir().unwrap();
    let token = token(&folder, "same");
    let mut worker = Worker::start(&token);
    let address = worker.address.clone();
    let playing = std::thread::spawn(move || paidia(&match_with(&address, &token)));
    // Once it is asked whether it is there, and once it is asked for playouts.
    let masters = worker.said.by_ref().map(Result::unwrap);
    let plays = masters.filter(|said| said.contains("plays \"connect-four\""));
    assert_eq!(plays.take(2).count(), 2);
    drop(worker);
    let report = playing.join().unwrap().expect(0).json();
    assert_eq!(report["result"], "over");
    assert_eq!(report["errors"], serde_json::json!([]));
}

#[test]
fn who_does_not_know_the_secret_plays_alone() {
    let folder = tempfile::tempdir().unwrap();
    let worker = Worker::start(&token(&folder, "here"));
    let elsewhere = token(&folder, "there");
    let run = paidia(&match_with(&worker.address, &elsewhere)).expect(0);
    assert!(run.err.contains("the tokens differ"), "{}", run.err);
    assert_eq!(run.json()["workers"][0]["playouts"], 0);
}

#[test]
fn workers_need_a_secret() {
    let folder = tempfile::tempdir().unwrap();
    let short = folder.path().join("short");
    std::fs::write(&short, "1234\n").unwrap();
    let run = paidia(&["worker", "--token-file", short.to_str().unwrap()]).expect(2);
    assert!(run.err.contains("16 to 1024 bytes"), "{}", run.err);
    let run = paidia(&["worker", "--token-file", "/no/such/file"]).expect(2);
    assert!(run.err.contains("cannot be read"), "{}", run.err);
    let run = paidia(&["match", "tic-tac-toe", "--workers", "127.0.0.1:1"]).expect(2);
    assert!(run.err.contains("--worker-token-file"), "{}", run.err);
}
