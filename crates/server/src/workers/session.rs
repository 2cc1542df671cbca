//! What a worker does for one master: takes leaves in, makes playouts, and tells of leaves that are
//! finished.
//!
//! One thread reads what the master says and puts leaves into a queue. The others have an engine
//! each, take leaves as long as the engine has room, and write what comes out. If the master does
//! not read, they wait, the queue becomes full, and the conversation ends.

use std::collections::VecDeque;
use std::io::Write;
use std::net::{Shutdown, TcpStream};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use paidia_search::leaves::{Decisive, LeafOptions, LeafPlayouts, LeafValue};

use super::rules::Prepared;
use super::wire::{
    self, FromMaster, FromWorker, LEAF_PLAYOUTS, LINE_BYTES, LINE_PATIENCE, Lines, OPEN_LEAVES,
    Start, Trouble, state_from_hex,
};

/// How many times as many playouts a master should have sent as engines have room for, so that none
/// waits for the network.
const AHEAD: u32 = 2;
/// The joint moves after which playouts may be cut.
const STEP_LIMITS: std::ops::RangeInclusive<u32> = 1..=1_000_000;

/// Plays for a master until the conversation ends, which is always some trouble.
pub(super) fn play(
    stream: &mut TcpStream,
    lines: &mut Lines,
    game: &Prepared,
    start: &Start,
    threads: usize,
) -> Result<(), Trouble> {
    if !(0.0..=1.0).contains(&start.discount) {
        return Err(Trouble::Nonsense("a discount is between 0 and 1"));
    }
    if !STEP_LIMITS.contains(&start.step_limit) {
        return Err(Trouble::Nonsense("a step limit is between 1 and 1000000"));
    }
    let options = |stream: usize| LeafOptions {
        seed: start.seed,
        stream: stream as u64,
        discount: start.discount,
        step_limit: start.step_limit,
        decisive: Decisive::No,
        is_weighted: false,
    };
    let engines: Vec<_> = (0..threads)
        .map(|number| paidia_arena::leaf_playouts(&game.batches, options(number)))
        .collect();
    let room: u32 = engines.iter().map(|engine| engine.room()).sum();
    let ready = FromWorker::Ready {
        fingerprint: game.fingerprint.clone(),
        room: room * AHEAD,
    };
    wire::send(stream, &ready)?;
    let session = Session {
        queue: Mutex::default(),
        changed: Condvar::new(),
        writer: Mutex::new(stream.try_clone()?),
    };
    std::thread::scope(|scope| {
        for engine in engines {
            let work = || session.work(engine);
            if let Err(error) = std::thread::Builder::new().spawn_scoped(scope, work) {
                session.close();
                return Err(error.into());
            }
        }
        let trouble = session.listen(lines, game.fluents);
        session.close();
        trouble
    })
}

/// What the threads of a conversation share.
struct Session {
    queue: Mutex<Queue>,
    changed: Condvar,
    writer: Mutex<TcpStream>,
}

/// The leaves that no engine has yet.
#[derive(Default)]
struct Queue {
    leaves: VecDeque<Leaf>,
    /// Leaves that were sent and not yet answered.
    open: usize,
    /// How often everything was forgotten.
    round: u64,
    closed: bool,
}

struct Leaf {
    id: u64,
    playouts: u32,
    state: Vec<u64>,
}

impl Session {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads what the master says, until there is trouble.
    fn listen(&self, lines: &mut Lines, fluents: usize) -> Result<(), Trouble> {
        loop {
            match lines.next(LINE_BYTES, LINE_PATIENCE)? {
                FromMaster::Leaf {
                    id,
                    playouts,
                    state,
                } => {
                    if !LEAF_PLAYOUTS.contains(&playouts) {
                        return Err(Trouble::Nonsense("too few or too many playouts"));
                    }
                    let state = state_from_hex(&state, fluents)
                        .ok_or(Trouble::Nonsense("not a state of this game"))?;
                    let mut queue = self.queue();
                    if queue.open >= OPEN_LEAVES {
                        return Err(Trouble::Nonsense("too many leaves are open"));
                    }
                    queue.open += 1;
                    queue.leaves.push_back(Leaf {
                        id,
                        playouts,
                        state,
                    });
                    self.changed.notify_one();
                }
                FromMaster::Cancel => {
                    let mut queue = self.queue();
                    queue.leaves.clear();
                    queue.open = 0;
                    queue.round += 1;
                }
                FromMaster::Ping => {
                    let mut line = Vec::new();
                    wire::write(&FromWorker::Pong, &mut line);
                    self.send(&line)?;
                }
                FromMaster::Answer { .. } | FromMaster::Start(_) => {
                    return Err(Trouble::Nonsense("not at this time"));
                }
            }
        }
    }

    fn send(&self, lines: &[u8]) -> std::io::Result<()> {
        let writer = self.writer.lock();
        writer
            .unwrap_or_else(PoisonError::into_inner)
            .write_all(lines)
    }

    /// Ends all threads of the session.
    fn close(&self) {
        self.queue().closed = true;
        self.changed.notify_all();
    }

    /// Makes playouts until the conversation ends.
    fn work(&self, engine: Box<dyn LeafPlayouts<[u64]>>) {
        let mut desk = Desk {
            engine,
            ids: Vec::new(),
            free: Vec::new(),
            round: 0,
        };
        let mut out = Vec::new();
        while self.fetch(&mut desk) {
            let finished = desk.run(&mut out);
            if finished == 0 {
                continue;
            }
            let mut queue = self.queue();
            if queue.round == desk.round {
                queue.open = queue.open.saturating_sub(finished);
            }
            drop(queue);
            if self.send(&out).is_err() {
                self.hang_up();
                return;
            }
            out.clear();
        }
    }

    /// Takes leaves as long as there is room, and waits if there is nothing to do at all; false if
    /// the conversation is over.
    fn fetch(&self, desk: &mut Desk) -> bool {
        let mut queue = self.queue();
        loop {
            if queue.closed {
                return false;
            }
            if queue.round != desk.round {
                desk.forget(queue.round);
            }
            while desk.engine.room() > 0
                && let Some(leaf) = queue.leaves.pop_front()
            {
                desk.submit(&leaf);
            }
            if !desk.is_idle() {
                return true;
            }
            let waited = self.changed.wait(queue);
            queue = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Makes the receiving thread notice that the answering one has ended.
    fn hang_up(&self) {
        let writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = writer.shutdown(Shutdown::Both);
    }
}

/// One thread's engine, and what it works on.
struct Desk {
    engine: Box<dyn LeafPlayouts<[u64]>>,
    /// The master's numbers of leaves, by the engine's small ones.
    ids: Vec<u64>,
    free: Vec<u32>,
    round: u64,
}

impl Desk {
    fn is_idle(&self) -> bool {
        self.free.len() == self.ids.len()
    }

    fn submit(&mut self, leaf: &Leaf) {
        let tag = self.free.pop().unwrap_or_else(|| {
            self.ids.push(0);
            (self.ids.len() - 1) as u32
        });
        self.ids[tag as usize] = leaf.id;
        self.engine.submit(&leaf.state, tag, leaf.playouts);
    }

    fn forget(&mut self, round: u64) {
        self.engine.cancel();
        self.ids.clear();
        self.free.clear();
        self.round = round;
    }

    /// Works for a while, and writes the messages about finished leaves to `out`; returns their
    /// number.
    fn run(&mut self, out: &mut Vec<u8>) -> usize {
        let Self {
            engine, ids, free, ..
        } = self;
        let mut finished = 0;
        engine.run(&mut |value: LeafValue<'_>| {
            finished += 1;
            free.push(value.tag);
            let done = FromWorker::Done {
                id: ids[value.tag as usize],
                playouts: value.playouts,
                states: value.states,
                shortest: value.shortest,
                means: value.means.to_vec(),
            };
            wire::write(&done, out);
        });
        finished
    }
}
