//! A player in a thread, and a host's end of connections to it.

use std::fmt::Display;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use paidia_server::ggp::player::{Options, PlayerServer};
use paidia_testkit::http::ggp;
use paidia_testkit::process::wait_until;

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
        let response = ggp(self.address, &message.to_string());
        assert_eq!(response.status, 200, "{message}: {}", response.text());
        response.text()
    }

    /// What it told so far.
    pub(crate) fn told(&self) -> String {
        self.log.lock().unwrap().join("\n")
    }

    /// Waits until it says that it is available.
    #[track_caller]
    pub(crate) fn wait_until_available(&self) {
        wait_until("the player is available", || {
            self.say("(INFO)").contains("(status available)")
        });
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
