//! A proxy between master and worker that misbehaves when told to: the worker's death, silence and
//! nonsense.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What the proxy does with what the worker says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Mode {
    /// Passes it on.
    Pass,
    /// Closes connections.
    Die,
    /// Says nothing.
    Silent,
    /// Says this instead.
    Say(&'static str),
}

/// Stands between masters and a worker.
#[derive(Clone)]
pub(super) struct Proxy {
    pub(super) address: SocketAddr,
    mode: Arc<Mutex<Mode>>,
}

impl Proxy {
    /// A proxy before a worker, which passes on everything at first.
    pub(super) fn new(worker: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let proxy = Self {
            address: listener.local_addr().unwrap(),
            mode: Arc::new(Mutex::new(Mode::Pass)),
        };
        let own = proxy.clone();
        std::thread::spawn(move || {
            for master in listener.incoming() {
                let (master, worker) = (master.unwrap(), TcpStream::connect(worker).unwrap());
                let (from, to) = (master.try_clone().unwrap(), worker.try_clone().unwrap());
                std::thread::spawn(move || pass(from, to, &|| Mode::Pass));
                let own = own.clone();
                std::thread::spawn(move || pass(worker, master, &|| own.mode()));
            }
        });
        proxy
    }

    /// What it does from now on.
    pub(super) fn set(&self, mode: Mode) {
        *self.mode.lock().unwrap() = mode;
    }

    fn mode(&self) -> Mode {
        *self.mode.lock().unwrap()
    }
}

fn pass(mut from: TcpStream, mut to: TcpStream, mode: &dyn Fn() -> Mode) {
    let mut bytes = [0; 4096];
    from.set_read_timeout(Some(Duration::from_millis(5)))
        .unwrap();
    loop {
        let read = match from.read(&mut bytes) {
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => None,
            Err(_) | Ok(0) => break,
            Ok(length) => Some(length),
        };
        let sent = match (mode(), read) {
            (Mode::Die, _) => break,
            (Mode::Silent, _) | (_, None) => Ok(()),
            (Mode::Say(words), Some(_)) => to.write_all(words.as_bytes()),
            (Mode::Pass, Some(length)) => to.write_all(&bytes[..length]),
        };
        if sent.is_err() {
            break;
        }
    }
    let _ = from.shutdown(Shutdown::Both);
    let _ = to.shutdown(Shutdown::Both);
}
