//! Asks a web arena for many things at once, from a process of its own, for a while, and tells what
//! came back.
//!
//! ```text
//! paidia web --listen 127.0.0.1:4747 &
//! cargo run --release -p paidia-server --example web_load -- 127.0.0.1:4747 60
//! ```
//!
//! Several visitors at a time read games, check and paste rules, play matches by the API, listen,
//! ask for analyses, and send what makes no sense. What counts as an error: no answer, a status
//! that should not be, and anything from 500 on but 503. The memory of the arena is read from
//! `/proc` every few seconds where there is such a thing, if its process is given as a third
//! argument.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Visitors at a time.
const VISITORS: u64 = 8;
/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(30);

type Failure = Box<dyn std::error::Error>;

/// What all visitors share.
struct Load {
    address: String,
    until: Instant,
    requests: AtomicU64,
    /// How often each status came.
    statuses: Mutex<BTreeMap<u16, u64>>,
    errors: Mutex<Vec<String>>,
}

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [address, seconds, process @ ..] = &arguments[..] else {
        return Err(
            "give the address of an arena, seconds, and perhaps the number of its process".into(),
        );
    };
    let load = Load {
        address: address.clone(),
        until: Instant::now() + Duration::from_secs(seconds.parse()?),
        requests: AtomicU64::new(0),
        statuses: Mutex::default(),
        errors: Mutex::default(),
    };
    let memory = std::thread::scope(|scope| {
        for number in 0..VISITORS {
            let load = &load;
            scope.spawn(move || load.visit(number));
        }
        load.watch(process.first())
    });
    load.report(&memory);
    let has_errors = !load
        .errors
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .is_empty();
    if has_errors {
        Err("there were errors".into())
    } else {
        Ok(())
    }
}

impl Load {
    /// What one visitor does, again and again.
    fn visit(&self, number: u64) {
        let mut round = number;
        while Instant::now() < self.until {
            let done = match round % 6 {
                0 => self.read(),
                1 => self.write(round),
                2 => self.play(),
                3 => self.watch_players(),
                4 => self.think(),
                _ => self.nonsense(round),
            };
            if let Err(error) = done {
                let mut errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
                errors.push(error.to_string());
            }
            round += 1;
        }
    }

    /// The memory of the arena in megabytes, every few seconds.
    fn watch(&self, process: Option<&String>) -> Vec<u64> {
        let mut seen = Vec::new();
        while Instant::now() < self.until {
            let status =
                process.and_then(|id| std::fs::read_to_string(format!("/proc/{id}/status")).ok());
            let line = status
                .as_deref()
                .and_then(|status| status.lines().find(|line| line.starts_with("VmRSS:")));
            let kilobytes =
                line.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
            seen.extend(kilobytes.map(|kilobytes| kilobytes / 1024));
            std::thread::sleep(Duration::from_secs(3));
        }
        seen
    }

    fn report(&self, memory: &[u64]) {
        let statuses = self.statuses.lock().unwrap_or_else(PoisonError::into_inner);
        let errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        println!(
            "{} requests, by status: {statuses:?}",
            self.requests.load(Ordering::Relaxed)
        );
        println!("errors: {}", errors.len());
        for error in errors.iter().take(10) {
            println!("  {error}");
        }
        println!("memory in MB, every 3 s: {memory:?}");
    }

    /// Sends a request; its status and body.
    fn ask(&self, method: &str, path: &str, body: &str) -> Result<(u16, String), Failure> {
        let mut stream = self.connect()?;
        let length = body.len();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}",
            self.address
        )?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer)?;
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let status = answer
            .split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok());
        let status: u16 = status.ok_or_else(|| format!("{method} {path}: no answer"))?;
        self.requests.fetch_add(1, Ordering::Relaxed);
        *self
            .statuses
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .entry(status)
            .or_default() += 1;
        if status >= 500 && status != 503 {
            return Err(format!("{method} {path}: {answer}").into());
        }
        let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
        Ok((status, body.to_owned()))
    }

    fn connect(&self) -> Result<TcpStream, Failure> {
        let stream = TcpStream::connect(&self.address)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        Ok(stream)
    }

    /// A request that should be answered; nothing if the arena is full.
    fn good(&self, method: &str, path: &str, body: &Value) -> Result<Option<Value>, Failure> {
        let text = if body.is_null() {
            String::new()
        } else {
            body.to_string()
        };
        match self.ask(method, path, &text)? {
            (200, answer) => Ok(Some(serde_json::from_str(&answer)?)),
            (429 | 503, _) => Ok(None),
            (status, answer) => Err(format!("{method} {path} {body}: {status} {answer}").into()),
        }
    }

    fn read(&self) -> Result<(), Failure> {
        self.ask("GET", "/", "")?;
        for path in [
            "games",
            "players",
            "status",
            "tables",
            "matches",
            "games/chess",
            "games/hex-9x9/picture",
        ] {
            self.good("GET", &format!("/api/{path}"), &Value::Null)?;
        }
        Ok(())
    }

    fn write(&self, round: u64) -> Result<(), Failure> {
        let text = "(role a) (init (n 0)) (<= (legal a go) (true (n ?x))) (s 0 1) (s 1 2) (<= (next (n ?y)) (true (n ?x)) (s ?x ?y)) \
                    (<= terminal (true (n 2))) (<= (goal a 100) (true (n 2))) (<= (goal a 0) (not (true (n 2))))";
        self.good("POST", "/api/check", &json!({"text": text}))?;
        let name = format!("game {}", round % 100);
        let game = self.good("POST", "/api/games", &json!({"name": name, "text": text}))?;
        if let Some(game) = game {
            let question = json!({"game": game["id"], "moves": [["go"], ["go"]]});
            // It may be forgotten by now, since others paste games, too.
            self.ask("POST", "/api/line", &question.to_string())?;
        }
        Ok(())
    }

    fn play(&self) -> Result<(), Failure> {
        let order = json!({"game": "tic-tac-toe", "seats": ["human", "random"], "seconds": 0.05});
        let Some(opened) = self.good("POST", "/api/tables", &order)? else {
            return Ok(());
        };
        let table = format!("/api/tables/{}", opened["id"].as_str().unwrap_or(""));
        while let Some(snapshot) = self.good("GET", &table, &Value::Null)? {
            let frame = &snapshot["frames"]
                .as_array()
                .and_then(|frames| frames.last())
                .cloned()
                .unwrap_or_default();
            if !frame["ended"].is_null() {
                break;
            }
            if frame["turn"][0] == 0 {
                let order =
                    json!({"ply": frame["ply"], "role": 0, "move": frame["legal"][0][0]["move"]});
                self.good("POST", &format!("{table}/move"), &order)?;
            }
        }
        self.good("POST", &format!("{table}/close"), &json!({}))?;
        Ok(())
    }

    fn watch_players(&self) -> Result<(), Failure> {
        let order = json!({"game": "connect-four", "seats": ["uct", "random"], "seconds": 0.02});
        let Some(opened) = self.good("POST", "/api/tables", &order)? else {
            return Ok(());
        };
        let table = format!("/api/tables/{}", opened["id"].as_str().unwrap_or(""));
        let mut stream = self.connect()?;
        write!(
            stream,
            "GET {table}/events HTTP/1.1\r\nHost: {}\r\n\r\n",
            self.address
        )?;
        let mut lines = BufReader::new(stream).lines();
        let is_last =
            |line: &str| line.starts_with("event: recorded") || line.starts_with("HTTP/1.1 503");
        while let Some(line) = lines.next().transpose()? {
            if is_last(&line) || Instant::now() >= self.until {
                break;
            }
        }
        self.good("POST", &format!("{table}/close"), &json!({}))?;
        Ok(())
    }

    fn think(&self) -> Result<(), Failure> {
        let question =
            json!({"game": "tic-tac-toe", "players": ["paidia", "mc-flat"], "seconds": 0.05});
        self.good("POST", "/api/analyse", &question)?;
        self.good(
            "POST",
            "/api/games/tic-tac-toe/statistics",
            &json!({"seconds": 0.05}),
        )?;
        Ok(())
    }

    /// What must be refused.
    fn nonsense(&self, round: u64) -> Result<(), Failure> {
        let bodies = [
            "",
            "{",
            "[1,2",
            "null",
            "{\"game\": 7}",
            "{\"text\": []}",
            "\u{0}",
        ];
        let paths = [
            "tables",
            "analyse",
            "check",
            "tables/x/move",
            "games/x/statistics",
            "nothing",
            "tournaments",
        ];
        let (body, path) = (
            bodies[(round / 6) as usize % 7],
            paths[(round / 42) as usize % 7],
        );
        let (status, answer) = self.ask("POST", &format!("/api/{path}"), body)?;
        match status {
            400..=499 => Ok(()),
            _ => Err(format!("{path} {body}: {status} {answer}").into()),
        }
    }
}
