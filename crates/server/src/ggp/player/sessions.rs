//! The matches that are being played, by name, and the replies to messages about them.

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Instant;

use paidia_arena::clock::Margin;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use super::Options;
use super::in_time::{TimedEntry, TimedSession, Told, is_real_time};
use super::load::Recipe;
use super::session::{Answer, Command, Session};
use crate::ggp::message::{Message, News, Reply, Start, Status};
use crate::threads::{STACK_BYTES, lock};

/// How long a match is thought about, in its clocks, while its host is silent.
const THINKING_ON: u32 = 3;

/// All matches.
pub(super) struct Sessions {
    options: Options,
    matches: Mutex<HashMap<String, Arc<Entry>>>,
    /// Those in real time.
    in_time: Mutex<HashMap<String, TimedEntry>>,
    /// Matches that may still be started.
    seats: Arc<Semaphore>,
    /// Networks that may still be made. One that is no longer wanted is made to its end.
    makers: Arc<Semaphore>,
}

/// A match, as far as it must be known outside its thread.
struct Entry {
    start: Arc<Start>,
    commands: Sender<Command>,
    interrupt: Arc<AtomicBool>,
    margin: Arc<Mutex<Margin>>,
    /// When its host was last heard of.
    heard: Mutex<Instant>,
}

/// Takes the match off the list, and then frees its place.
struct Leaving {
    sessions: Arc<Sessions>,
    id: String,
    _seat: OwnedSemaphorePermit,
}

impl Drop for Leaving {
    fn drop(&mut self) {
        lock(&self.sessions.matches).remove(&self.id);
    }
}

impl Sessions {
    pub(super) fn new(options: Options) -> Self {
        let seats = options.matches.clamp(1, Semaphore::MAX_PERMITS / 2);
        Self {
            matches: Mutex::default(),
            in_time: Mutex::default(),
            seats: Arc::new(Semaphore::new(seats)),
            makers: Arc::new(Semaphore::new(seats + 1)),
            options,
        }
    }

    fn tell(&self, what: fmt::Arguments<'_>) {
        (self.options.log)(what);
    }

    /// The reply to a message that began to arrive then.
    pub(super) async fn answer(self: &Arc<Self>, message: Message, arrived: Instant) -> Reply {
        match message {
            Message::Info => Reply::Info(self.status()),
            Message::Preview { .. } => Reply::Ready,
            Message::Start(start) => {
                let rules = start.rules.clone();
                let reading = tokio::task::spawn_blocking(move || is_real_time(&rules));
                match reading.await.unwrap_or(false) {
                    true => self.start_in_time(start).await,
                    false => self.start(start, arrived).await,
                }
            }
            Message::Play {
                news: news @ News::Timed { .. },
                id,
            } => self.tell_in_time("PLAY", id, &news).await,
            Message::Stop {
                news: news @ News::Timed { .. },
                id,
            } => self.tell_in_time("STOP", id, &news).await,
            Message::Abort { id } if lock(&self.in_time).contains_key(&id) => {
                let entry = lock(&self.in_time).get(&id).map(|entry| entry.told.clone());
                let (sender, reply) = oneshot::channel();
                if let Some(told) = entry {
                    // Its thread may have ended.
                    let _ = told.send(Told::Leave(Some(sender)));
                }
                reply.await.unwrap_or(Reply::Done)
            }
            Message::Play { id, news } => {
                let play = |reply| Command::Play {
                    news,
                    arrived,
                    reply,
                };
                self.ask(&id, play).await.unwrap_or_else(|| {
                    self.tell(format_args!("{id:?}: refused, there is no such match"));
                    Reply::Busy
                })
            }
            // Ending a match that is not being played succeeds: nothing is left to do.
            Message::Stop { id, news } => {
                let stop = |reply| Command::Stop { news, reply };
                self.ask(&id, stop).await.unwrap_or(Reply::Done)
            }
            Message::Abort { id } => self.ask(&id, Command::Abort).await.unwrap_or(Reply::Done),
        }
    }

    /// Starts a match in real time, and waits until it is ready.
    async fn start_in_time(self: &Arc<Self>, start: Start) -> Reply {
        let known = lock(&self.in_time)
            .get(&start.id)
            .map(|entry| Arc::clone(&entry.start));
        if let Some(known) = known {
            return match *known == start {
                true => Reply::Ready,
                false => Reply::Busy,
            };
        }
        let Ok(seat) = Arc::clone(&self.seats).try_acquire_owned() else {
            self.tell(format_args!("{:?}: refused, all seats are taken", start.id));
            return Reply::Busy;
        };
        let id = start.id.clone();
        self.tell(format_args!(
            "{id:?}: starts in real time with the role {:?}",
            start.role
        ));
        let (told, receiver) = channel();
        let session = TimedSession {
            player: self.options.in_time.clone(),
            engine: self.options.engine.clone(),
            seed: seed(self.options.seed, &id),
            idle: self.options.idle,
            log: Arc::clone(&self.options.log),
            start: Arc::new(start),
        };
        let entry = TimedEntry {
            start: Arc::clone(&session.start),
            told,
        };
        lock(&self.in_time).insert(id.clone(), entry);
        let (ready, reply) = oneshot::channel();
        let sessions = Arc::clone(self);
        let play = move || {
            let refused = session.run(&receiver, ready, seat);
            lock(&sessions.in_time).remove(&session.start.id);
            // The name is free again before the host hears of it.
            if let Some(refused) = refused {
                let _ = refused.send(Reply::Busy);
            }
        };
        let builder = thread::Builder::new().stack_size(STACK_BYTES);
        if builder.name("match".to_owned()).spawn(play).is_err() {
            lock(&self.in_time).remove(&id);
        }
        reply.await.unwrap_or(Reply::Busy)
    }

    /// Tells a match in real time something; the reply to `PLAY` comes when the player moves, or
    /// when it has heard something newer.
    async fn tell_in_time(&self, verb: &str, id: String, news: &News) -> Reply {
        let told = lock(&self.in_time).get(&id).map(|entry| entry.told.clone());
        let is_stop = verb == "STOP";
        let unknown = || match is_stop {
            // Ending a match that is not being played succeeds: nothing is left to do.
            true => Reply::Done,
            false => Reply::Busy,
        };
        let Some(told) = told else {
            self.tell(format_args!(
                "{id:?}: refused, no match in real time is called so"
            ));
            return unknown();
        };
        let (sender, reply) = oneshot::channel();
        let message = Told::Message {
            text: format!("({verb} {id} {news})"),
            is_stop,
            reply: sender,
        };
        match told.send(message) {
            Ok(()) => reply.await.unwrap_or_else(|_| unknown()),
            Err(_) => unknown(),
        }
    }

    fn status(&self) -> Status {
        let is_free = self.seats.available_permits() > 0;
        Status {
            name: Some(self.options.name.clone()),
            status: if is_free { "available" } else { "busy" }.to_owned(),
            species: Some("alien".to_owned()),
        }
    }

    /// Asks a match, and waits for its reply.
    async fn ask(
        &self,
        id: &str,
        command: impl FnOnce(oneshot::Sender<Answer>) -> Command,
    ) -> Option<Reply> {
        let entry = lock(&self.matches).get(id).cloned()?;
        let answer = entry.ask(command).await?;
        if let Some(planned) = answer.planned {
            let late = Instant::now().saturating_duration_since(planned);
            lock(&entry.margin).overshot(late);
        }
        Some(answer.reply)
    }

    /// Starts a match, or finds that it is started already, and waits until it is ready or its
    /// clock says that it must be.
    async fn start(self: &Arc<Self>, start: Start, arrived: Instant) -> Reply {
        let clock = start.start_clock;
        let Some(entry) = self.admit(start, arrived) else {
            return Reply::Busy;
        };
        let until = arrived + clock.saturating_sub(lock(&entry.margin).of(clock) / 2);
        let ready = entry.ask(Command::Started);
        match tokio::time::timeout_at(until.into(), ready).await {
            Ok(Some(answer)) => answer.reply,
            Ok(None) => Reply::Busy,
            // The rules take long, but the match begins anyway.
            Err(_) => Reply::Ready,
        }
    }

    /// The match of a message, new if there is none; `None` if there is no room for it.
    fn admit(self: &Arc<Self>, start: Start, arrived: Instant) -> Option<Arc<Entry>> {
        let (entry, commands, seat) = {
            let mut matches = lock(&self.matches);
            if let Some(entry) = matches.get(&start.id) {
                return (*entry.start == start).then(|| Arc::clone(entry));
            }
            let Ok(seat) = Arc::clone(&self.seats).try_acquire_owned() else {
                let id = &start.id;
                self.tell(format_args!("{id:?}: refused, all seats are taken"));
                return None;
            };
            let (sender, commands) = channel();
            let entry = Arc::new(Entry::new(start, sender, arrived));
            matches.insert(entry.start.id.clone(), Arc::clone(&entry));
            (entry, commands, seat)
        };
        let Start {
            id,
            role,
            rules,
            start_clock,
            play_clock,
        } = &*entry.start;
        self.tell(format_args!(
            "{id:?}: starts with the role {role:?}, {} bytes of rules, {start_clock:?} to prepare and {play_clock:?} a move",
            rules.len()
        ));
        self.open(&entry, commands, arrived, seat);
        Some(entry)
    }

    /// Lets a match begin in a thread of its own. Without one it ends here, and its host is told
    /// so.
    fn open(
        self: &Arc<Self>,
        entry: &Entry,
        commands: Receiver<Command>,
        arrived: Instant,
        seat: OwnedSemaphorePermit,
    ) {
        let options = &self.options;
        let session = Session {
            start: Arc::clone(&entry.start),
            arrived,
            commands,
            interrupt: Arc::clone(&entry.interrupt),
            margin: Arc::clone(&entry.margin),
            ponder: options.ponder,
            log: Arc::clone(&options.log),
        };
        let recipe = Recipe {
            start: Arc::clone(&entry.start),
            spec: options.player.clone(),
            engine: options.engine.clone(),
            seed: seed(options.seed, &entry.start.id),
            log: Arc::clone(&options.log),
            makers: Arc::clone(&self.makers),
        };
        let leaving = Leaving {
            sessions: Arc::clone(self),
            id: entry.start.id.clone(),
            _seat: seat,
        };
        let play = move || {
            let waiting = session.run(recipe);
            // A host may start the next match as soon as it hears that this one is over.
            drop((session, leaving));
            if let Some(waiting) = waiting {
                let _ = waiting.send(Answer {
                    reply: Reply::Done,
                    planned: None,
                });
            }
        };
        let builder = thread::Builder::new().stack_size(STACK_BYTES);
        let _ = builder.name("match".to_owned()).spawn(play);
    }

    /// Looks after matches whose hosts are silent.
    pub(super) fn look_around(&self) {
        for entry in lock(&self.matches).values() {
            let silent = lock(&entry.heard).elapsed();
            let clocks = entry.start.start_clock + entry.start.play_clock;
            if silent > clocks + self.options.idle {
                entry.leave();
            } else if silent > clocks * THINKING_ON {
                entry.interrupt.store(true, Ordering::Relaxed);
            }
        }
    }

    /// Ends all matches.
    pub(super) fn close(&self) {
        lock(&self.matches).values().for_each(|entry| entry.leave());
        for entry in lock(&self.in_time).values() {
            // Its thread may have ended.
            let _ = entry.told.send(Told::Leave(None));
        }
    }
}

/// The seed of one match (FNV-1a).
fn seed(seed: u64, id: &str) -> u64 {
    let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    id.bytes().fold(seed ^ 0xcbf2_9ce4_8422_2325, mix)
}

impl Entry {
    fn new(start: Start, commands: Sender<Command>, heard: Instant) -> Self {
        Self {
            start: Arc::new(start),
            commands,
            interrupt: Arc::default(),
            margin: Arc::default(),
            heard: Mutex::new(heard),
        }
    }

    async fn ask(
        &self,
        command: impl FnOnce(oneshot::Sender<Answer>) -> Command,
    ) -> Option<Answer> {
        *lock(&self.heard) = Instant::now();
        let (sender, reply) = oneshot::channel();
        let command = command(sender);
        let is_urgent = !matches!(command, Command::Started(_));
        self.commands.send(command).ok()?;
        if is_urgent {
            self.interrupt.store(true, Ordering::Relaxed);
        }
        reply.await.ok()
    }

    fn leave(&self) {
        // Its thread may have ended.
        let _ = self.commands.send(Command::Leave);
        self.interrupt.store(true, Ordering::Relaxed);
    }
}
