//! The master's side: a source of leaf playouts that shares the work between the engine at hand and
//! workers.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::TryRecvError;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use paidia_game::Rules;
use paidia_reason::propnet::Propnet;
use paidia_reason::propnet::engine::State;
use paidia_search::leaves::{LeafOptions, LeafPlayouts, LeafSource, LeafValue};

use super::link::{Connection, Link, connect};
use super::rules::{RemoteRules, fingerprint_of};
use super::token::Token;
use super::wire::{
    self, FromMaster, FromWorker, LEAF_PLAYOUTS, OPEN_LEAVES, Start, Trouble, state_to_hex,
};

/// Workers elsewhere that make playouts of a game.
#[derive(Clone)]
pub struct Workers {
    call: Arc<Call>,
}

/// Everything that is needed to call workers.
pub(super) struct Call {
    pub(super) token: Token,
    rules: RemoteRules,
    pub(super) fingerprint: String,
    roles: usize,
    pub(super) patience: Patience,
    /// One for each worker.
    pub(super) tallies: Vec<Tally>,
}

/// How long a master waits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patience {
    /// For a result, while leaves are open.
    pub(super) result: Duration,
    /// Before it looks again for a worker that was not there.
    pub(super) retry: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            result: Duration::from_secs(5),
            retry: Duration::from_secs(3),
        }
    }
}

/// What is known about a worker.
pub(super) struct Tally {
    pub(super) address: String,
    playouts: AtomicU64,
    problem: Mutex<Option<String>>,
}

/// What a worker did so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerReport {
    /// Where it is.
    pub address: String,
    /// Playouts that came from it.
    pub playouts: u64,
    /// Why it is not there, if it is not.
    pub problem: Option<String>,
}

impl Tally {
    fn new(address: &str) -> Self {
        Self {
            address: address.to_owned(),
            playouts: AtomicU64::new(0),
            problem: Mutex::new(Some("not there yet".to_owned())),
        }
    }

    /// The worker is not there, because of this.
    pub(super) fn note(&self, trouble: &Trouble) {
        let mut problem = self.problem();
        // That a connection is closed is what follows from whatever was noted before.
        if problem.is_none() || !matches!(trouble, Trouble::Closed) {
            *problem = Some(trouble.to_string());
        }
    }

    /// The worker is there.
    pub(super) fn clear(&self) {
        *self.problem() = None;
    }

    fn problem(&self) -> MutexGuard<'_, Option<String>> {
        self.problem.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn report(&self) -> WorkerReport {
        WorkerReport {
            address: self.address.clone(),
            playouts: self.playouts.load(Ordering::Relaxed),
            problem: self.problem().clone(),
        }
    }
}

impl Workers {
    /// Workers for a game at these addresses, each a name or number with a port. The rules must be
    /// those of the game.
    pub fn new(game: &Propnet, rules: RemoteRules, addresses: &[String], token: Token) -> Self {
        Self::with_patience(game, rules, addresses, token, Patience::default())
    }

    pub(super) fn with_patience(
        game: &Propnet,
        rules: RemoteRules,
        addresses: &[String],
        token: Token,
        patience: Patience,
    ) -> Self {
        let call = Call {
            token,
            rules,
            fingerprint: fingerprint_of(game),
            roles: game.facts().roles.len(),
            patience,
            tallies: addresses
                .iter()
                .map(|address| Tally::new(address))
                .collect(),
        };
        Self {
            call: Arc::new(call),
        }
    }

    /// Calls every worker once, which also makes it get the rules ready, and tells what it found.
    pub fn check(&self) -> Vec<WorkerReport> {
        let start = self.call.start(0.0, 1, 0);
        std::thread::scope(|scope| {
            for tally in &self.call.tallies {
                let (call, start) = (&self.call, &start);
                scope.spawn(move || match connect(&tally.address, call, start) {
                    Ok(_) => tally.clear(),
                    Err(trouble) => tally.note(&trouble),
                });
            }
        });
        self.report()
    }

    /// What the workers did so far.
    pub fn report(&self) -> Vec<WorkerReport> {
        self.call.tallies.iter().map(Tally::report).collect()
    }

    /// A source of playouts that shares the work between these workers and the source at hand.
    /// Every thread of a search talks to the workers for itself.
    pub fn source(&self, local: LeafSource<State>) -> LeafSource<State> {
        let call = Arc::clone(&self.call);
        Arc::new(move |options| {
            let links = (0..call.tallies.len()).map(|number| Remote::new(&call, options, number));
            Box::new(Shared {
                local: local(options),
                links: links.collect(),
            })
        })
    }
}

impl Call {
    fn start(&self, discount: f64, step_limit: u32, seed: u64) -> Start {
        Start {
            name: self.rules.name.clone(),
            rules: self.rules.text.clone(),
            dialect: self.rules.dialect.name().to_owned(),
            discount,
            step_limit,
            seed,
        }
    }
}

/// The engine at hand and the workers, as one source of playouts.
struct Shared {
    local: Box<dyn LeafPlayouts<State>>,
    links: Vec<Remote>,
}

impl LeafPlayouts<State> for Shared {
    fn submit(&mut self, from: &State, tag: u32, playouts: u32) {
        if self.local.room() == 0
            && LEAF_PLAYOUTS.contains(&playouts)
            && let Some(link) = self.links.iter_mut().max_by_key(|link| link.room())
            && link.room() > 0
        {
            link.submit(from, tag, playouts);
        } else {
            self.local.submit(from, tag, playouts);
        }
    }

    fn run(&mut self, done: &mut dyn FnMut(LeafValue<'_>)) {
        self.links.iter_mut().for_each(Remote::send);
        self.local.run(done);
        for link in &mut self.links {
            if let Err(trouble) = link.collect(done) {
                link.call.tallies[link.number].note(&trouble);
                link.give_up(|leaf| self.local.submit(&leaf.state, leaf.tag, leaf.playouts));
            }
        }
    }

    fn room(&self) -> u32 {
        let rooms = self.links.iter().map(Remote::room);
        rooms.fold(self.local.room(), u32::saturating_add)
    }

    fn cancel(&mut self) {
        self.local.cancel();
        self.links.iter_mut().for_each(Remote::cancel);
    }
}

/// A worker as one thread of a search knows it.
struct Remote {
    call: Arc<Call>,
    number: usize,
    link: Link,
    live: Option<Live>,
}

/// A conversation, and the leaves that the worker has not answered.
struct Live {
    connection: Connection,
    open: HashMap<u64, Leaf>,
    open_playouts: u32,
    /// The number of the next leaf.
    next: u64,
    /// The search no longer waits for leaves with smaller numbers.
    forgotten: u64,
    /// When the worker last had nothing to answer, or answered.
    heard: Instant,
    /// Lines that are to be sent.
    out: Vec<u8>,
}

struct Leaf {
    tag: u32,
    playouts: u32,
    state: State,
}

impl Remote {
    fn new(call: &Arc<Call>, options: LeafOptions, number: usize) -> Self {
        let seed = seed_for(options, number);
        let start = call.start(options.discount, options.step_limit, seed);
        Self {
            link: Link::open(Arc::clone(call), start, number),
            call: Arc::clone(call),
            number,
            live: None,
        }
    }

    /// How many playouts the worker should get now.
    fn room(&self) -> u32 {
        let live = self.live.as_ref();
        let live = live.filter(|live| live.open.len() < OPEN_LEAVES);
        live.map_or(0, |live| {
            live.connection.room.saturating_sub(live.open_playouts)
        })
    }

    fn submit(&mut self, from: &State, tag: u32, playouts: u32) {
        let Some(live) = &mut self.live else { return };
        if live.open.is_empty() {
            live.heard = Instant::now();
        }
        let leaf = FromMaster::Leaf {
            id: live.next,
            playouts,
            state: state_to_hex(from.words()),
        };
        wire::write(&leaf, &mut live.out);
        let leaf = Leaf {
            tag,
            playouts,
            state: from.clone(),
        };
        live.open.insert(live.next, leaf);
        live.next += 1;
        live.open_playouts += playouts;
    }

    /// Hands over what was written down, and looks whether the worker has come.
    fn send(&mut self) {
        match &mut self.live {
            // If that fails, the next collection finds the connection closed.
            Some(live) if !live.out.is_empty() => {
                let _ = live.connection.lines.send(std::mem::take(&mut live.out));
            }
            Some(_) => {}
            None => self.live = self.link.arrivals.try_recv().ok().map(Live::new),
        }
    }

    /// Tells of the leaves that came back.
    ///
    /// # Errors
    /// If the worker must be given up.
    fn collect(&mut self, done: &mut dyn FnMut(LeafValue<'_>)) -> Result<(), Trouble> {
        let Some(live) = &mut self.live else {
            return Ok(());
        };
        loop {
            match live.connection.said.try_recv() {
                Ok(message) => {
                    let playouts = live.take(&message, self.call.roles, done)?;
                    let tally = &self.call.tallies[self.number].playouts;
                    tally.fetch_add(playouts, Ordering::Relaxed);
                }
                Err(TryRecvError::Disconnected) => return Err(Trouble::Closed),
                Err(TryRecvError::Empty) => break,
            }
        }
        if !live.open.is_empty() && live.heard.elapsed() > self.call.patience.result {
            return Err(Trouble::Late);
        }
        Ok(())
    }

    /// Ends the connection; `see_to` gets the open leaves, which must be played elsewhere.
    fn give_up(&mut self, mut see_to: impl FnMut(&Leaf)) {
        if let Some(live) = self.live.take() {
            live.open.values().for_each(&mut see_to);
        }
    }

    fn cancel(&mut self) {
        if let Some(live) = &mut self.live
            && !live.open.is_empty()
        {
            live.open.clear();
            live.open_playouts = 0;
            live.forgotten = live.next;
            wire::write(&FromMaster::Cancel, &mut live.out);
        }
        self.send();
    }
}

impl Live {
    fn new(connection: Connection) -> Self {
        Self {
            connection,
            open: HashMap::new(),
            open_playouts: 0,
            next: 0,
            forgotten: 0,
            heard: Instant::now(),
            out: Vec::new(),
        }
    }

    /// Takes an answer, if it is one, and tells how many playouts it is worth.
    fn take(
        &mut self,
        message: &FromWorker,
        roles: usize,
        done: &mut dyn FnMut(LeafValue<'_>),
    ) -> Result<u64, Trouble> {
        let &FromWorker::Done {
            id,
            playouts,
            states,
            shortest,
            ref means,
        } = message
        else {
            return Err(Trouble::Nonsense("not an answer"));
        };
        if id < self.forgotten {
            return Ok(0);
        }
        let leaf = self.open.get(&id);
        let fits = |leaf: &&Leaf| leaf.playouts == playouts && means.len() == roles;
        let Some(leaf) = leaf.filter(fits) else {
            return Err(Trouble::Nonsense("not an answer to a leaf"));
        };
        done(LeafValue {
            tag: leaf.tag,
            playouts,
            states,
            shortest,
            means,
        });
        self.heard = Instant::now();
        self.open_playouts -= playouts;
        self.open.remove(&id);
        Ok(u64::from(playouts))
    }
}

/// A seed for a worker: another one for each worker and each thread of the search.
pub(super) fn seed_for(options: LeafOptions, number: usize) -> u64 {
    let place = (options.stream << 32) + number as u64 + 1;
    options
        .seed
        .wrapping_add(place.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}
