//! The worker: waits for masters, and makes playouts for those that know the secret.
//!
//! Every connection has a thread of its own. Before a master has proved that it knows the secret,
//! one short line of it is read, within a few seconds, and only few connections may be in that
//! state at a time; strangers can at most keep others from coming in.

use std::collections::VecDeque;
use std::fmt;
use std::io;
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::rules::{Prepared, RemoteRules, dialect};
use super::session;
use super::token::{Nonces, Side, Token, nonce};
use super::wire::{
    self, FromMaster, FromWorker, GREETING_BYTES, GREETING_PATIENCE, LINE_PATIENCE, Lines,
    START_BYTES, Start, Trouble, VERSION, from_hex, to_hex,
};
use crate::threads::STACK_BYTES;

/// The connections that have not yet proved anything, at most.
const STRANGERS: usize = 16;
/// The masters at a time, at most.
const MASTERS: usize = 32;
/// The games that are kept for later masters.
const KEPT_GAMES: usize = 2;
/// How long is waited when no connection can be taken, perhaps because there are too many files.
const BREATH: Duration = Duration::from_millis(100);

/// Makes playouts for masters elsewhere.
pub struct Worker {
    listener: TcpListener,
    shared: Arc<Shared>,
}

/// What all connections share.
struct Shared {
    token: Token,
    /// Threads a master.
    threads: usize,
    strangers: AtomicUsize,
    masters: AtomicUsize,
    /// The latest games, the last one first. Rules are made ready one after the other, because that
    /// is what takes memory.
    games: Mutex<VecDeque<(RemoteRules, Arc<Prepared>)>>,
}

impl Worker {
    /// A worker that listens at an address, for masters that know the token, with this many threads
    /// for each.
    ///
    /// # Errors
    /// If the address cannot be listened at.
    pub fn bind(address: impl ToSocketAddrs, token: Token, threads: usize) -> io::Result<Self> {
        Ok(Self {
            listener: TcpListener::bind(address)?,
            shared: Arc::new(Shared {
                token,
                threads: threads.max(1),
                strangers: AtomicUsize::new(0),
                masters: AtomicUsize::new(0),
                games: Mutex::default(),
            }),
        })
    }

    /// Where it listens.
    ///
    /// # Errors
    /// If the system does not tell.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves masters for ever, and tells what happens, a line at a time.
    pub fn serve(&self, tell: impl Fn(fmt::Arguments<'_>) + Clone + Send + 'static) -> ! {
        loop {
            let Ok((stream, address)) = self.listener.accept() else {
                std::thread::sleep(BREATH);
                continue;
            };
            let (shared, tell) = (Arc::clone(&self.shared), tell.clone());
            let attend = move || {
                let tell = |what: fmt::Arguments<'_>| tell(format_args!("{address}: {what}"));
                // What is wrong with a connection is told to the other side.
                let _ = shared.attend(stream, &tell);
            };
            // Without a thread the connection is closed, and the master comes back later.
            let builder = std::thread::Builder::new().stack_size(STACK_BYTES);
            let _ = builder.name(format!("master {address}")).spawn(attend);
        }
    }
}

impl Shared {
    /// Deals with one connection until it ends.
    fn attend(&self, mut stream: TcpStream, tell: &dyn Fn(fmt::Arguments<'_>)) -> io::Result<()> {
        wire::prepare(&stream)?;
        let mut lines = Lines::new(stream.try_clone()?);
        let result = self.converse(&mut stream, &mut lines, tell);
        if let Err(trouble) = result {
            let because = trouble.to_string();
            // A courtesy; the other side may be gone.
            let _ = wire::send(&mut stream, &FromWorker::Refused { because });
        }
        stream.shutdown(Shutdown::Both)
    }

    fn converse(
        &self,
        stream: &mut TcpStream,
        lines: &mut Lines,
        tell: &dyn Fn(fmt::Arguments<'_>),
    ) -> Result<(), Trouble> {
        let full = || Trouble::Refused("too many connections; try later".to_owned());
        let stranger = Permit::take(&self.strangers, STRANGERS).ok_or_else(full)?;
        // Strangers are not reported, since they could fill a disk with reports.
        self.greet(stream, lines)?;
        let _master = Permit::take(&self.masters, MASTERS).ok_or_else(full)?;
        drop(stranger);
        let played = self.play(stream, lines, tell);
        match &played {
            Err(Trouble::Closed) => tell(format_args!("goes")),
            Err(trouble) => tell(format_args!("goes: {trouble}")),
            Ok(()) => {}
        }
        played
    }

    /// Plays what a master wants to have played.
    fn play(
        &self,
        stream: &mut TcpStream,
        lines: &mut Lines,
        tell: &dyn Fn(fmt::Arguments<'_>),
    ) -> Result<(), Trouble> {
        let FromMaster::Start(start) = lines.next(START_BYTES, LINE_PATIENCE)? else {
            return Err(Trouble::Nonsense("the rules come first"));
        };
        // The name is from elsewhere, and must not do anything to a terminal.
        tell(format_args!("plays {:?}", start.name));
        let game = self.game(&start)?;
        session::play(stream, lines, &game, &start, self.threads)
    }

    /// Finds out whether this is a master that knows the secret.
    fn greet(&self, stream: &mut TcpStream, lines: &mut Lines) -> Result<(), Trouble> {
        let own = nonce()?;
        let hello = FromWorker::Hello {
            version: VERSION,
            nonce: to_hex(&own),
        };
        wire::send(stream, &hello)?;
        let answer = lines.next(GREETING_BYTES, GREETING_PATIENCE)?;
        let FromMaster::Answer { nonce, proof } = answer else {
            return Err(Trouble::Nonsense("the proof comes first"));
        };
        let master = from_hex(&nonce).and_then(|nonce| nonce.try_into().ok());
        let nonces = Nonces {
            worker: own,
            master: master.ok_or(Trouble::Nonsense("a nonce has 32 bytes"))?,
        };
        let proof = from_hex(&proof).ok_or(Trouble::Nonsense("not hexadecimal"))?;
        if !self.token.verifies(Side::Master, &nonces, &proof) {
            return Err(Trouble::Token);
        }
        let proof = to_hex(&self.token.proof(Side::Worker, &nonces));
        Ok(wire::send(stream, &FromWorker::Welcome { proof })?)
    }

    /// The game that a master wants, made ready or found ready.
    fn game(&self, start: &Start) -> Result<Arc<Prepared>, Trouble> {
        let dialect = dialect(&start.dialect).ok_or(Trouble::Nonsense("an unknown dialect"))?;
        let mut games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        let is_it =
            |(rules, _): &(RemoteRules, _)| rules.text == start.rules && rules.dialect == dialect;
        let known = games.iter().position(is_it);
        let found = match known.and_then(|place| games.remove(place)) {
            Some(found) => found,
            None => {
                let rules = RemoteRules {
                    name: start.name.clone(),
                    text: start.rules.clone(),
                    dialect,
                };
                let game = rules.prepare().map_err(Trouble::Refused)?;
                (rules, Arc::new(game))
            }
        };
        let game = Arc::clone(&found.1);
        games.push_front(found);
        games.truncate(KEPT_GAMES);
        Ok(game)
    }
}

/// A place among a limited number of them, free again when it is dropped.
struct Permit<'a> {
    taken: &'a AtomicUsize,
}

impl<'a> Permit<'a> {
    fn take(taken: &'a AtomicUsize, all: usize) -> Option<Self> {
        let permit = Self { taken };
        // Dropped again if it was one too many.
        (taken.fetch_add(1, Ordering::Relaxed) < all).then_some(permit)
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        self.taken.fetch_sub(1, Ordering::Relaxed);
    }
}
