//! The program as a user runs it: the real binary, its output and its exit codes.

mod browser;
mod bundled;
mod engines;
mod hosting;
mod matches;
mod measuring;
mod player;
mod playing;
#[path = "../../../server/tests/database/server.rs"]
mod postgres_server;
mod replaying;
mod resuming;
mod rules;
mod studies;
mod tournaments;
mod web;
mod workers;

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// Starts the program where it listens for others: its process, and the address that it says.
fn listening(arguments: &[&str]) -> (Child, String) {
    let mut process = Command::new(env!("CARGO_BIN_EXE_paidia"))
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = String::new();
    let mut out = BufReader::new(process.stdout.take().unwrap());
    out.read_line(&mut first).unwrap();
    let (_, address) = first.trim().split_once(" at ").unwrap();
    (process, address.to_owned())
}

/// What a run of the program gave.
struct Run {
    code: i32,
    out: String,
    err: String,
}

impl Run {
    /// The output as JSON, of which there must be one object on one line.
    #[track_caller]
    fn json(&self) -> serde_json::Value {
        assert_eq!(self.out.lines().count(), 1, "{}{}", self.out, self.err);
        serde_json::from_str(&self.out).unwrap()
    }

    /// The run, which must have ended with this exit code.
    #[track_caller]
    fn expect(self, code: i32) -> Self {
        assert_eq!(
            self.code, code,
            "output:\n{}\nerrors:\n{}",
            self.out, self.err
        );
        self
    }
}

/// Runs the program.
fn paidia(arguments: &[&str]) -> Run {
    paidia_with_input(arguments, "")
}

/// Runs the program with something on its standard input.
fn paidia_with_input(arguments: &[&str], input: &str) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_paidia"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The program may end without reading, which is its right.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    Run {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// A file with this text in a folder that lives as long as the test.
fn file(folder: &tempfile::TempDir, name: &str, text: &str) -> String {
    let path = folder.path().join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

/// The folder of the public collection, if it is there.
fn corpus() -> Option<PathBuf> {
    let given = std::env::var_os("PAIDIA_CORPUS").map(PathBuf::from);
    let folder = given
        .unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/games"));
    folder.join("gdl").is_dir().then_some(folder)
}

/// A game of one move: `a` gets 100 for `win`, and 30 for `give_up`.
const ONE_MOVE: &str = "(role a) (init start)
(<= (legal a win) (true start)) (<= (legal a give_up) (true start))
(<= (next won) (does a win)) (<= (next lost) (does a give_up))
(<= terminal (true won)) (<= terminal (true lost))
(<= (goal a 100) (true won)) (<= (goal a 30) (true lost)) (<= (goal a 0) (true start))";
