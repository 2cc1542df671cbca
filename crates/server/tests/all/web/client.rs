//! An arena in a thread, and a browser's end of connections to it.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use paidia_server::web::{Options, WebServer};
use paidia_testkit::http::{Response, connect, request};
use paidia_testkit::process::wait_for;
use serde_json::{Value, json};

/// An arena that is closed when the test ends.
pub(crate) struct Arena {
    pub(crate) address: SocketAddr,
    pub(crate) link: String,
    pub(crate) folder: tempfile::TempDir,
    /// Where it keeps what is played.
    pub(crate) records: std::path::PathBuf,
    stop: Arc<AtomicBool>,
    serving: Option<JoinHandle<()>>,
}

impl Arena {
    pub(crate) fn new() -> Self {
        Self::with("127.0.0.1:0", |_| {})
    }

    /// An arena at an address, with other options.
    pub(crate) fn with(address: &str, change: impl FnOnce(&mut Options)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut options = Options {
            records: folder.path().join("records"),
            ..Options::default()
        };
        change(&mut options);
        let records = options.records.clone();
        let server = WebServer::bind(address, options).unwrap();
        let (address, link) = (server.address().unwrap(), server.link());
        let stop: Arc<AtomicBool> = Arc::default();
        let stopped = Arc::clone(&stop);
        let serving = std::thread::spawn(move || server.serve(&stopped).unwrap());
        Self {
            address,
            link,
            folder,
            records,
            stop,
            serving: Some(serving),
        }
    }

    /// Closes it, and waits until everything is written down.
    pub(crate) fn close(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(serving) = self.serving.take() {
            let ended = serving.join();
            if !std::thread::panicking() {
                ended.unwrap();
            }
        }
    }

    /// The response to a request, whatever it is.
    pub(crate) fn ask(&self, method: &str, path: &str, body: &str) -> Response {
        let line = format!("{method} {path} HTTP/1.1");
        let host = format!("Host: 127.0.0.1:{}", self.address.port());
        let head = [
            &*line,
            &host,
            "Connection: close",
            "Content-Type: application/json",
        ];
        request(self.address, &head, body)
    }

    /// The answer to a question, which must be answered.
    #[track_caller]
    pub(crate) fn get(&self, path: &str) -> Value {
        good(&self.ask("GET", path, ""), path)
    }

    #[track_caller]
    pub(crate) fn post(&self, path: &str, body: &Value) -> Value {
        good(&self.ask("POST", path, &body.to_string()), path)
    }

    /// The answer to a question that must be refused with this status; its error.
    #[track_caller]
    pub(crate) fn refused(&self, status: u16, path: &str, body: &Value) -> Value {
        let response = match body {
            Value::Null => self.ask("GET", path, ""),
            body => self.ask("POST", path, &body.to_string()),
        };
        bad(&response, status, path)
    }

    /// Sets a table: its path.
    #[track_caller]
    pub(crate) fn table(&self, order: &Value) -> String {
        let opened = self.post("/api/tables", order);
        format!("/api/tables/{}", opened["id"].as_str().unwrap())
    }

    /// Makes a move at a table.
    #[track_caller]
    pub(crate) fn make(&self, table: &str, ply: usize, role: usize, text: &str) {
        let order = json!({"ply": ply, "role": role, "move": text});
        self.post(&format!("{table}/move"), &order);
    }

    /// Listens to what happens.
    pub(crate) fn listen(&self, path: &str) -> Events {
        self.listen_as(path, None)
    }

    /// Takes a role, and gives the path of what the role is told.
    #[track_caller]
    pub(crate) fn sit(&self, table: &str, role: usize) -> String {
        let sit = format!("{table}/sit?{}", key(role));
        self.post(&sit, &json!({"role": role}));
        format!("{table}?role={role}&{}", key(role))
    }

    /// Listens to what a role is told, as the person who has it.
    pub(crate) fn listen_as(&self, path: &str, role: Option<usize>) -> Events {
        let query = role.map_or(String::new(), |role| format!("?role={role}&{}", key(role)));
        let mut stream = connect(self.address);
        let port = self.address.port();
        let request =
            format!("GET {path}/events{query} HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let mut events = Events {
            lines: BufReader::new(stream),
            heard: String::new(),
        };
        let head = events.head();
        assert!(
            head.starts_with("HTTP/1.1 200") && head.contains("text/event-stream"),
            "{head}"
        );
        events
    }

    /// Asks again and again until the answer is as wanted.
    #[track_caller]
    pub(crate) fn until(&self, path: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        wait_for(path, || {
            Some(self.get(path)).filter(|answer| wanted(answer))
        })
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        self.close();
    }
}

/// The key of the person who plays a role, as a query.
pub(crate) fn key(role: usize) -> String {
    format!("person=person-of-role-{role}")
}

/// A stream of events.
pub(crate) struct Events {
    lines: BufReader<TcpStream>,
    /// All that was read.
    pub(crate) heard: String,
}

impl Events {
    fn line(&mut self) -> String {
        let mut line = String::new();
        self.lines.read_line(&mut line).unwrap();
        self.heard.push_str(&line);
        line
    }

    fn head(&mut self) -> String {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            let line = self.line();
            assert!(!line.is_empty(), "{head}");
            head += &line;
        }
        head
    }

    /// The next event: its name and data. `None` at the end.
    pub(crate) fn next(&mut self) -> Option<(String, Value)> {
        let mut name = None;
        loop {
            let line = self.line();
            if line.is_empty() {
                return None;
            }
            if let Some(event) = line.strip_prefix("event: ") {
                name = Some(event.trim().to_owned());
            } else if let Some(data) = line.strip_prefix("data: ") {
                return Some((name?, serde_json::from_str(data).unwrap()));
            }
        }
    }

    /// The data of the next event with this name; others are passed over.
    #[track_caller]
    pub(crate) fn until(&mut self, wanted: &str) -> Value {
        loop {
            let (name, data) = self.next().unwrap_or_else(|| panic!("no {wanted}"));
            if name == wanted {
                return data;
            }
        }
    }
}

/// The answer of a request that must succeed.
#[track_caller]
fn good(response: &Response, path: &str) -> Value {
    assert_eq!(response.status, 200, "{path}: {}", response.text());
    response.json()
}

/// What a refused request is told.
#[track_caller]
pub(crate) fn bad(response: &Response, status: u16, path: &str) -> Value {
    let body = response.text();
    assert_eq!(response.status, status, "{path}: {body}");
    let answer = response.json();
    let error = answer["error"].as_str();
    assert!(error.is_some_and(|error| error.len() > 5), "{body}");
    answer
}

/// The moves that a role may make in a frame.
pub(crate) fn legal(frame: &Value, role: usize) -> Vec<String> {
    let moves = frame["legal"][role].as_array().unwrap();
    let text = |legal: &Value| legal["move"].as_str().unwrap().to_owned();
    moves.iter().map(text).collect()
}

/// The last frame of a snapshot.
pub(crate) fn last(snapshot: &Value) -> &Value {
    snapshot["frames"].as_array().unwrap().last().unwrap()
}
