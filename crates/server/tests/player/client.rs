//! A player in a thread, and a host's end of connections to it.

use std::fmt::Display;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use paidia_server::ggp::player::{Options, PlayerServer};

/// Longer than anything here takes, on any machine.
pub(crate) const LONG: Duration = Duration::from_secs(60);

/// A player that is stopped when the test ends.
pub(crate) struct Player {
    pub(crate) address: SocketAddr,
    stop: Arc<AtomicBool>,
    serving: Option<JoinHandle<()>>,
    log: Arc<Mutex<Vec<String>>>,
}

impl Player {
    /// A player by its name in the catalogue.
    pub(crate) fn new(spec: &str) -> Self {
        Self::with(spec, |_| {})
    }

    /// The same with other options.
    pub(crate) fn with(spec: &str, change: impl FnOnce(&mut Options)) -> Self {
        let mut options = Options::new(spec.parse().unwrap());
        let log: Arc<Mutex<Vec<String>>> = Arc::default();
        let lines = Arc::clone(&log);
        options.log = Arc::new(move |line| lines.lock().unwrap().push(line.to_string()));
        change(&mut options);
        let server = PlayerServer::bind("127.0.0.1:0", options).unwrap();
        let address = server.address().unwrap();
        let stop: Arc<AtomicBool> = Arc::default();
        let stopped = Arc::clone(&stop);
        let serving = std::thread::spawn(move || server.serve(&stopped).unwrap());
        Self {
            address,
            stop,
            serving: Some(serving),
            log,
        }
    }

    /// Says something as a host would, and gives the reply.
    #[track_caller]
    pub(crate) fn say(&self, message: impl Display) -> String {
        let response = post(self.address, &message.to_string());
        assert_eq!(response.status, 200, "{message}: {}", response.body);
        response.body
    }

    /// What it told so far.
    pub(crate) fn told(&self) -> String {
        self.log.lock().unwrap().join("\n")
    }

    /// Waits until it says that it is available.
    #[track_caller]
    pub(crate) fn wait_until_available(&self) {
        let begun = Instant::now();
        while !self.say("(INFO)").contains("(status available)") {
            assert!(begun.elapsed() < LONG, "{}", self.told());
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        let ended = self.serving.take().unwrap().join();
        if !std::thread::panicking() {
            ended.unwrap();
        }
    }
}

/// What came back over a connection.
#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

/// Sends a message as Java hosts do.
#[track_caller]
pub(crate) fn post(address: SocketAddr, message: &str) -> Response {
    let length = message.len();
    let request = format!(
        "POST / HTTP/1.0\r\nAccept: text/delim\r\nSender: GAMESERVER\r\nReceiver: me\r\nContent-Type: text/acl\r\n\
         Content-Length: {length}\r\n\r\n{message}"
    );
    exchange(address, request.as_bytes())
}

/// Sends bytes and reads all that comes back.
#[track_caller]
pub(crate) fn exchange(address: SocketAddr, request: &[u8]) -> Response {
    let mut stream = connect(address);
    stream.write_all(request).unwrap();
    let mut response = Vec::new();
    stream.read_to_end(&mut response).unwrap();
    let response = String::from_utf8(response).unwrap();
    let (head, body) = response.split_once("\r\n\r\n").unwrap();
    Response {
        status: head.split(' ').nth(1).unwrap().parse().unwrap(),
        head: head.to_owned(),
        body: body.to_owned(),
    }
}

/// A connection that does not wait for ever.
pub(crate) fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(LONG)).unwrap();
    stream.set_write_timeout(Some(LONG)).unwrap();
    stream
}
