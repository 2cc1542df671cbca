//! A master's way to one worker: a thread that connects, listens, and connects again when the
//! connection broke.
//!
//! The search never waits for the network. What it says goes through a channel to a thread that
//! writes, and what the worker says comes through a channel from the thread that reads.

use std::io::Write;
use std::net::{Shutdown, TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::sync::mpsc::{
    Receiver, RecvTimeoutError, Sender, SyncSender, TryRecvError, channel, sync_channel,
};
use std::time::Duration;

use super::master::{Call, Tally};
use super::token::{Nonces, Side, Token, nonce};
use super::wire::{
    self, FromMaster, FromWorker, GREETING_BYTES, GREETING_PATIENCE, LINE_BYTES, LINE_PATIENCE,
    Lines, OPEN_LEAVES, PING_EVERY, Start, Trouble, VERSION, from_hex, to_hex,
};

/// How long a connection may take to come about.
const CONNECT_PATIENCE: Duration = Duration::from_secs(5);

/// A worker that is ready. Dropping it ends the conversation.
pub(super) struct Connection {
    stream: TcpStream,
    /// Lines for the worker.
    pub(super) lines: Sender<Vec<u8>>,
    /// What the worker says; over when the connection is.
    pub(super) said: Receiver<FromWorker>,
    /// How many playouts should be open there.
    pub(super) room: u32,
}

impl Drop for Connection {
    fn drop(&mut self) {
        // The thread that reads notices.
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}

/// The master's end of a link. When it is dropped, the threads end.
pub(super) struct Link {
    /// Connections that have come about.
    pub(super) arrivals: Receiver<Connection>,
    _alive: Sender<()>,
}

impl Link {
    /// Begins to connect, and keeps at it.
    pub(super) fn open(call: Arc<Call>, start: Start, number: usize) -> Self {
        let (arrived, arrivals) = channel();
        let (alive, is_alive) = channel();
        let keep = move || keep(&call, start, number, &arrived, &is_alive);
        // Without a thread there are no arrivals, and the master does without the worker.
        let _ = std::thread::Builder::new().spawn(keep);
        Self {
            arrivals,
            _alive: alive,
        }
    }
}

/// Connects, listens until the connection breaks, and connects again after a while, as long as the
/// master lives.
fn keep(
    call: &Call,
    mut start: Start,
    number: usize,
    arrived: &Sender<Connection>,
    is_alive: &Receiver<()>,
) {
    let tally = &call.tallies[number];
    loop {
        let trouble = match listen(call, &start, number, arrived) {
            Ok(()) => return,
            Err(trouble) => trouble,
        };
        if is_alive.try_recv() == Err(TryRecvError::Disconnected) {
            return;
        }
        tally.note(&trouble);
        // Another conversation, other playouts.
        start.seed = start.seed.wrapping_add(1);
        if is_alive.recv_timeout(call.patience.retry) == Err(RecvTimeoutError::Disconnected) {
            return;
        }
    }
}

/// One conversation, which ends in trouble unless the master is gone.
fn listen(
    call: &Call,
    start: &Start,
    number: usize,
    arrived: &Sender<Connection>,
) -> Result<(), Trouble> {
    let tally: &Tally = &call.tallies[number];
    let (stream, mut lines, room) = connect(&tally.address, call, start)?;
    let (told, said) = sync_channel(OPEN_LEAVES);
    let connection = Connection {
        lines: writer(stream.try_clone()?)?,
        stream,
        said,
        room,
    };
    tally.clear();
    if arrived.send(connection).is_err() {
        return Ok(());
    }
    pass_on(&mut lines, &told)
}

/// Passes on a worker's messages until the connection breaks or the receiver is gone.
fn pass_on(lines: &mut Lines, told: &SyncSender<FromWorker>) -> Result<(), Trouble> {
    loop {
        match lines.next(LINE_BYTES, LINE_PATIENCE)? {
            FromWorker::Pong => {}
            FromWorker::Refused { because } => return Err(Trouble::Refused(because)),
            message => {
                if told.send(message).is_err() {
                    return Err(Trouble::Closed);
                }
            }
        }
    }
}

/// A thread that sends lines, and something else when there are none for a while.
fn writer(mut stream: TcpStream) -> std::io::Result<Sender<Vec<u8>>> {
    let (sender, lines) = channel::<Vec<u8>>();
    let mut ping = Vec::new();
    wire::write(&FromMaster::Ping, &mut ping);
    let send = move || {
        loop {
            let sent = match lines.recv_timeout(PING_EVERY) {
                Ok(lines) => stream.write_all(&lines),
                Err(RecvTimeoutError::Timeout) => stream.write_all(&ping),
                Err(RecvTimeoutError::Disconnected) => return,
            };
            if sent.is_err() {
                // The thread that reads notices.
                let _ = stream.shutdown(Shutdown::Both);
                return;
            }
        }
    };
    std::thread::Builder::new().spawn(send)?;
    Ok(sender)
}

/// Connects, has the worker prove that it knows the secret, and gives it the rules. Tells how many
/// playouts the worker wants to have.
pub(super) fn connect(
    address: &str,
    call: &Call,
    start: &Start,
) -> Result<(TcpStream, Lines, u32), Trouble> {
    let mut stream = reach(address)?;
    wire::prepare(&stream)?;
    let mut lines = Lines::new(stream.try_clone()?);
    greet(&mut stream, &mut lines, &call.token)?;
    wire::send(&mut stream, &FromMaster::Start(start.clone()))?;
    match lines.next(LINE_BYTES, LINE_PATIENCE)? {
        FromWorker::Ready { fingerprint, room } if fingerprint == call.fingerprint => {
            Ok((stream, lines, room))
        }
        FromWorker::Ready { .. } => Err(Trouble::Fingerprint),
        FromWorker::Refused { because } => Err(Trouble::Refused(because)),
        _ => Err(Trouble::Nonsense("not an answer to rules")),
    }
}

/// A connection to the first of a name's addresses that answers.
fn reach(address: &str) -> Result<TcpStream, Trouble> {
    let mut trouble = Trouble::Nonsense("the name has no address");
    for address in address.to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, CONNECT_PATIENCE) {
            Ok(stream) => return Ok(stream),
            Err(error) => trouble = error.into(),
        }
    }
    Err(trouble)
}

/// Proves to the worker that this side knows the secret, and has it prove the same.
fn greet(stream: &mut TcpStream, lines: &mut Lines, token: &Token) -> Result<(), Trouble> {
    let (version, worker) = match lines.next(GREETING_BYTES, GREETING_PATIENCE)? {
        FromWorker::Hello { version, nonce } => (version, nonce),
        FromWorker::Refused { because } => return Err(Trouble::Refused(because)),
        _ => return Err(Trouble::Nonsense("not a greeting")),
    };
    if version != VERSION {
        return Err(Trouble::Version(version));
    }
    let worker = from_hex(&worker).and_then(|nonce| nonce.try_into().ok());
    let nonces = Nonces {
        worker: worker.ok_or(Trouble::Nonsense("a nonce has 32 bytes"))?,
        master: nonce()?,
    };
    let answer = FromMaster::Answer {
        nonce: to_hex(&nonces.master),
        proof: to_hex(&token.proof(Side::Master, &nonces)),
    };
    wire::send(stream, &answer)?;
    let proof = match lines.next(GREETING_BYTES, GREETING_PATIENCE)? {
        FromWorker::Welcome { proof } => from_hex(&proof),
        FromWorker::Refused { because } => return Err(Trouble::Refused(because)),
        _ => return Err(Trouble::Nonsense("not a welcome")),
    };
    let proof = proof.ok_or(Trouble::Nonsense("not hexadecimal"))?;
    if token.verifies(Side::Worker, &nonces, &proof) {
        Ok(())
    } else {
        Err(Trouble::Token)
    }
}
