//! An arena in a thread, and a browser's end of connections to it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use paidia_server::web::{Options, WebServer};
use serde_json::{Value, json};

/// Longer than anything here takes, on any machine.
pub(crate) const LONG: Duration = Duration::from_secs(120);

/// An arena that is closed when the test ends.
pub(crate) struct Arena {
    pub(crate) address: SocketAddr,
    pub(crate) link: String,
    pub(crate) folder: tempfile::TempDir,
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
        let server = WebServer::bind(address, options).unwrap();
        let (address, link) = (server.address().unwrap(), server.link());
        let stop: Arc<AtomicBool> = Arc::default();
        let stopped = Arc::clone(&stop);
        let serving = std::thread::spawn(move || server.serve(&stopped).unwrap());
        Self {
            address,
            link,
            folder,
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

    fn ask(&self, method: &str, path: &str, body: &str) -> Response {
        let port = self.address.port();
        let length = body.len();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\n\r\n{body}"
        );
        exchange(self.address, request.as_bytes())
    }

    /// The answer to a question, which must be answered.
    #[track_caller]
    pub(crate) fn get(&self, path: &str) -> Value {
        self.ask("GET", path, "").good(path)
    }

    #[track_caller]
    pub(crate) fn post(&self, path: &str, body: &Value) -> Value {
        self.ask("POST", path, &body.to_string()).good(path)
    }

    /// The answer to a question that must be refused with this status; its error.
    #[track_caller]
    pub(crate) fn refused(&self, status: u16, path: &str, body: &Value) -> Value {
        let response = match body {
            Value::Null => self.ask("GET", path, ""),
            body => self.ask("POST", path, &body.to_string()),
        };
        response.bad(status, path)
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
        let mut stream = connect(self.address);
        let port = self.address.port();
        let request = format!("GET {path}/events HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let mut events = Events {
            lines: BufReader::new(stream),
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
        let begun = Instant::now();
        loop {
            let answer = self.get(path);
            if wanted(&answer) {
                return answer;
            }
            assert!(begun.elapsed() < LONG, "{path}: {answer}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        self.close();
    }
}

/// A stream of events.
pub(crate) struct Events {
    lines: BufReader<TcpStream>,
}

impl Events {
    fn line(&mut self) -> String {
        let mut line = String::new();
        self.lines.read_line(&mut line).unwrap();
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

/// What came back over a connection.
#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Response {
    #[track_caller]
    fn good(&self, path: &str) -> Value {
        let body = String::from_utf8_lossy(&self.body);
        assert_eq!(self.status, 200, "{path}: {body}");
        serde_json::from_slice(&self.body).unwrap()
    }

    /// What is told to somebody who is refused.
    #[track_caller]
    pub(crate) fn bad(&self, status: u16, path: &str) -> Value {
        let body = String::from_utf8_lossy(&self.body);
        assert_eq!(self.status, status, "{path}: {body}");
        let answer: Value = serde_json::from_slice(&self.body).unwrap();
        assert!(
            answer["error"]
                .as_str()
                .is_some_and(|error| error.len() > 5),
            "{body}"
        );
        answer
    }
}

/// Sends bytes and reads all that comes back.
#[track_caller]
pub(crate) fn exchange(address: SocketAddr, request: &[u8]) -> Response {
    let mut stream = connect(address);
    // Who refuses something long need not read all of it.
    let _ = stream.write_all(request);
    let mut response = Vec::new();
    let _ = stream.read_to_end(&mut response);
    let end = response.windows(4).position(|window| window == b"\r\n\r\n");
    let end = end.unwrap_or_else(|| panic!("{}", String::from_utf8_lossy(&response)));
    let head = String::from_utf8_lossy(&response[..end]).into_owned();
    Response {
        status: head.split(' ').nth(1).unwrap().parse().unwrap(),
        body: response[end + 4..].to_vec(),
        head,
    }
}

/// A connection that does not wait for ever.
pub(crate) fn connect(address: SocketAddr) -> TcpStream {
    let address = SocketAddr::from(([127, 0, 0, 1], address.port()));
    let stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(LONG)).unwrap();
    stream.set_write_timeout(Some(LONG)).unwrap();
    stream
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
