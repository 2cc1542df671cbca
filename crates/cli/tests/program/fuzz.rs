//! Calls that a stranger might make: every command, with games, files and options drawn at random.
//!
//! The options of a command are read from its own `--help`, so that a new one is drawn from the day
//! it is there. Whatever the call, the program must not panic or be killed by a signal, must keep
//! to its memory, must end soon after Ctrl-C, must explain a wrong call (exit code 2) in words of
//! its users, and must write JSON where it was asked for.
//!
//! Files are drawn from the rules of the project in all languages, sound or damaged, from made-up
//! ones, from those that ask for too much, and from what the program itself writes: records,
//! traces, results and databases, some of them damaged.
//!
//! An ordinary test run makes a few calls. For a longer one, say how many or how long, how many at
//! a time, and another seed if you like:
//!
//! ```text
//! PAIDIA_FUZZ_CALLS=1000000 PAIDIA_FUZZ_SECONDS=3600 PAIDIA_FUZZ_JOBS=2 PAIDIA_FUZZ_SEED=7 \
//!     cargo test --release -p paidia-cli --test program fuzz -- --nocapture
//! ```
//!
//! A call that fails is printed, with its seed, and the run goes on; the files of the call are
//! those of its seed, and stay in the folder that is named.

mod calls;
mod files;
mod hostile;
mod samples;

use std::collections::BTreeMap;
use std::io::{Read, Seek, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use paidia_game::Chance;
use paidia_testkit::settings::number;

use calls::{Call, Commands};

/// After this time a call gets Ctrl-C: nothing says that it must be done.
const ENOUGH: Duration = Duration::from_secs(3);

/// How long a call may take to end after Ctrl-C, on a machine with other work.
const TO_END: Duration = Duration::from_secs(60);

/// Kilobytes of addresses that a call may use: the budgets of grounding and of trees are two
/// gigabytes each at most, and threads reserve what they do not use.
const MOST_KILOBYTES: u64 = 10_000_000;

/// What must never be read by a user: words of the language the program is written in.
const INSIDE: &[&str] = &[
    "panicked at",
    "RUST_BACKTRACE",
    "called `Option",
    "called `Result",
    "invalid digit found",
    "invalid float literal",
    "expected struct",
    "with 23 elements",
    "overflowed its stack",
    "memory allocation of",
];

#[test]
fn no_call_fails_badly() {
    let calls: u64 = number("PAIDIA_FUZZ_CALLS", 12);
    let limit = Duration::from_secs(number("PAIDIA_FUZZ_SECONDS", 1_000_000));
    let first: u64 = number("PAIDIA_FUZZ_SEED", 1);
    let commands = Commands::read();
    assert!(commands.count() >= 25, "{}", commands.count());
    let begun = Instant::now();
    let next = AtomicU64::new(first);
    let report = Mutex::new(Report::default());
    std::thread::scope(|scope| {
        for _ in 0..number("PAIDIA_FUZZ_JOBS", 1) {
            scope.spawn(|| {
                while begun.elapsed() < limit {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= first + calls {
                        break;
                    }
                    try_one(&commands, seed, &report);
                }
            });
        }
    });
    let report = report.into_inner().unwrap();
    report.print(begun.elapsed());
    let Report { made, codes, .. } = &report;
    assert!(report.failed.is_empty(), "{}", report.failed.join("\n"));
    // A run in which no call did anything would prove nothing.
    assert!(*made < 40 || codes[0] > 0 && codes[2] > 0, "{codes:?}");
}

/// What became of calls.
#[derive(Default)]
struct Report {
    made: u64,
    /// How many said yes, said no, were wrong, and were stopped.
    codes: [u64; 4],
    /// The same for each command.
    by_command: BTreeMap<String, [u64; 4]>,
    failed: Vec<String>,
}

impl Report {
    fn print(&self, time: Duration) {
        let [yes, no, wrong, stopped] = self.codes;
        for (command, [yes, no, wrong, stopped]) in &self.by_command {
            println!("  {command}: {yes} yes, {no} no, {wrong} wrong, {stopped} stopped");
        }
        println!(
            "{} calls in {:.0} s: {yes} said yes, {no} no, {wrong} were wrong, {stopped} were \
             stopped; {} failed",
            self.made,
            time.as_secs_f64(),
            self.failed.len()
        );
    }
}

/// Makes the call of a seed.
fn try_one(commands: &Commands, seed: u64, report: &Mutex<Report>) {
    let folder = tempfile::tempdir().unwrap();
    let mut chance = Chance::from_seed(seed);
    let call = commands.draw(&mut chance, folder.path());
    let ended = make(&call, folder.path());
    let fault = fault(&call, &ended);
    let mut report = report.lock().unwrap();
    report.made += 1;
    report.codes[ended.place()] += 1;
    let command = call.arguments[0].clone();
    report.by_command.entry(command).or_default()[ended.place()] += 1;
    if let Some(fault) = fault {
        let kept = folder.keep();
        let files = kept.display();
        let line = format!("seed {seed}: {fault}\n  {call}\n  files: {files}");
        println!("{line}\n  stderr: {}", ended.err);
        report.failed.push(line);
    }
}

/// How a call ended.
struct Ended {
    status: ExitStatus,
    out: String,
    err: String,
    /// Whether it was stopped by Ctrl-C, and how long it then took.
    stopped: Option<Duration>,
    /// Whether it had to be killed.
    hung: bool,
}

impl Ended {
    fn place(&self) -> usize {
        match (self.stopped, self.status.code()) {
            (None, Some(code @ 0..=2)) => code as usize,
            _ => 3,
        }
    }
}

/// Makes a call; what it writes goes to files, so that no pipe can be full.
fn make(call: &Call, folder: &Path) -> Ended {
    let mut out = tempfile::tempfile().unwrap();
    let mut err = tempfile::tempfile().unwrap();
    let limited = format!("ulimit -v {MOST_KILOBYTES}; ulimit -c 0; exec \"$0\" \"$@\"");
    let mut command = Command::new("sh");
    command
        .args(["-c", &limited, super::PAIDIA])
        .args(&call.arguments);
    command.current_dir(folder).env("PAIDIA_CACHE", "off");
    command.env("HOME", folder).env_remove("RUST_BACKTRACE");
    command.stdin(Stdio::piped());
    command.stdout(out.try_clone().unwrap());
    command.stderr(err.try_clone().unwrap());
    let mut child = command.spawn().unwrap();
    // What does not read its input would otherwise keep the writer waiting.
    let (mut stdin, input) = (child.stdin.take().unwrap(), call.input.clone());
    std::thread::spawn(move || stdin.write_all(&input));
    let is_server = calls::SERVERS.contains(&call.arguments[0].as_str());
    let enough = if is_server { ENOUGH / 4 } else { ENOUGH };
    let (status, stopped, hung) = wait(&mut child, enough);
    let text = |file: &mut std::fs::File| {
        let mut bytes = Vec::new();
        file.rewind().unwrap();
        file.take(1 << 22).read_to_end(&mut bytes).unwrap();
        String::from_utf8_lossy(&bytes).into_owned()
    };
    Ended {
        status,
        out: text(&mut out),
        err: text(&mut err),
        stopped,
        hung,
    }
}

/// Waits for the end, which comes by Ctrl-C after a while.
fn wait(child: &mut Child, enough: Duration) -> (ExitStatus, Option<Duration>, bool) {
    let ends_within = |child: &mut Child, time: Duration| {
        let begun = Instant::now();
        loop {
            if let Some(status) = child.try_wait().unwrap() {
                return Some(status);
            }
            if begun.elapsed() > time {
                return None;
            }
            std::thread::sleep(Duration::from_millis(3));
        }
    };
    if let Some(status) = ends_within(child, enough) {
        return (status, None, false);
    }
    let begun = Instant::now();
    let id = child.id().to_string();
    let _ = Command::new("kill").args(["-INT", &id]).status();
    // A shell that runs tests in the background lets them ignore Ctrl-C; then it is asked to end.
    if let Some(status) = ends_within(child, TO_END / 4) {
        return (status, Some(begun.elapsed()), false);
    }
    let _ = Command::new("kill").arg(&id).status();
    match ends_within(child, TO_END) {
        Some(status) => (status, Some(begun.elapsed()), false),
        None => {
            let _ = child.kill();
            (child.wait().unwrap(), Some(TO_END), true)
        }
    }
}

/// What is wrong with how a call ended.
fn fault(call: &Call, ended: &Ended) -> Option<String> {
    let Ended { out, err, .. } = ended;
    if ended.hung {
        return Some(format!("it went on for {TO_END:?} after Ctrl-C"));
    }
    let inside = INSIDE
        .iter()
        .find(|words| out.contains(**words) || err.contains(**words));
    if let Some(words) = inside {
        return Some(format!("it says `{words}`"));
    }
    let Some(code) = ended.status.code() else {
        // What has nothing to keep is ended by Ctrl-C itself.
        let by_us = ended.stopped.is_some();
        return (!by_us).then(|| format!("it was ended by a signal: {}", ended.status));
    };
    match code {
        0 | 1 if call.wants_json && ended.stopped.is_none() => {
            let lines = out.lines().filter(|line| !line.is_empty());
            let bad = lines
                .map(serde_json::from_str::<serde_json::Value>)
                .find(Result::is_err);
            bad.map(|_| "what it writes is no JSON".to_owned())
        }
        0 | 1 | 130 => None,
        2 if err.trim().is_empty() && out.trim().is_empty() => {
            Some("exit code 2 without a word".to_owned())
        }
        // Files that are named twice are told of twice.
        2 if call.repeats() => None,
        2 => repeated(err).map(|line| format!("it says twice `{line}`")),
        other => Some(format!("exit code {other}")),
    }
}

/// A line of errors that stands there twice in a row.
fn repeated(err: &str) -> Option<&str> {
    let lines: Vec<&str> = err.lines().filter(|line| line.len() > 20).collect();
    let pair = lines.windows(2).find(|pair| pair[0] == pair[1]);
    pair.map(|pair| pair[0])
}
