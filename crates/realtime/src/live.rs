//! A match on the real clock between players that are told messages and send moves, wherever they
//! are.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use paidia_game::{Chance, RoleId, Ticks, TimedGame, TimedWalker};

use crate::agent::Agent;
use crate::clock::{ClockedTable, Pace};
use crate::contest::Outcome;
use crate::messages::{Message, Messenger};
use crate::table::{Entry, RandomDraws, Watch};

/// The longest sleep between two looks at whether the match is to stop.
const GLANCE: Duration = Duration::from_millis(50);

/// The most moves of a role that are dealt with in a second; others are left out.
pub const MOST_MOVES_A_SECOND: u32 = 200;

/// A move that a player sent.
#[derive(Clone, Debug)]
pub struct Sent {
    /// Whose.
    pub role: RoleId,
    /// Which.
    pub text: String,
    /// When it was received.
    pub at: Instant,
}

/// Tells players what they are to be told. It must not wait.
pub trait Tell {
    /// A message to a player.
    fn tell(&mut self, message: Message);
}

impl<F: FnMut(Message)> Tell for F {
    fn tell(&mut self, message: Message) {
        self(message);
    }
}

/// The way to a player on the real clock.
pub trait Line: Send {
    /// Says something. It must not wait.
    fn tell(&mut self, text: &str);
    /// The match is over; comes back when nothing more is heard of the player.
    fn close(self: Box<Self>);
}

/// What can be set about a match.
pub struct LiveSettings<'a> {
    /// The name of the match.
    pub name: &'a str,
    /// How game time goes by.
    pub pace: Pace,
    /// Until what game time, at most.
    pub until: Ticks,
    /// Where the moves of chance come from.
    pub seed: u64,
    /// Stops the match.
    pub stop: &'a AtomicBool,
}

/// How near to their times things happened.
#[derive(Clone, Debug, Default)]
pub struct Punctuality {
    /// For each expiry, how long after its time it was dealt with, in seconds.
    pub late: Vec<f64>,
    /// Moves that were left out of a flood.
    pub flooded: u64,
}

/// Passes on what happens: to the watch of the caller, and as messages.
struct Host<'a, 'b, G: TimedGame> {
    messenger: Messenger<'a, G>,
    tell: &'b mut dyn Tell,
    watch: &'b mut dyn Watch<G::Walker>,
}

impl<G: TimedGame> Watch<G::Walker> for Host<'_, '_, G> {
    fn entry(&mut self, entry: &Entry, walker: &mut G::Walker) {
        for message in self.messenger.about(entry, walker) {
            self.tell.tell(message);
        }
        self.watch.entry(entry, walker);
    }
}

/// Plays a match on the real clock to its end. Players are told through `tell`, and what they send
/// comes through `moves`.
pub fn host<G: TimedGame>(
    game: &G,
    settings: &LiveSettings<'_>,
    moves: &Receiver<Sent>,
    tell: &mut dyn Tell,
    watch: &mut dyn Watch<G::Walker>,
) -> (Outcome, Punctuality) {
    let mut host = Host {
        messenger: Messenger::new(game, settings.name),
        tell,
        watch,
    };
    let mut draws = RandomDraws(Chance::from_seed(settings.seed));
    let mut clocked = ClockedTable::start(game, settings.pace, &mut draws, &mut host);
    let mut punctuality = Punctuality::default();
    let mut flood = Flood::new(game.facts().roles.len());
    while !clocked.table.is_over()
        && clocked.now() < settings.until
        && !settings.stop.load(Ordering::Relaxed)
    {
        let due = clocked.due();
        let wait = due.map_or(GLANCE, |due| due.saturating_duration_since(Instant::now()));
        match moves.recv_timeout(wait.min(GLANCE)) {
            Ok(sent) if !flood.takes(sent.role) => punctuality.flooded += 1,
            Ok(Sent { role, text, at }) => {
                clocked.arrive(role, text, at, &mut draws, &mut host);
            }
            Err(RecvTimeoutError::Timeout) => {
                let before = clocked.table.updates();
                clocked.pass(&mut draws, &mut host);
                if let (Some(due), true) = (due, clocked.table.updates() > before) {
                    let late = Instant::now().saturating_duration_since(due);
                    punctuality.late.push(late.as_secs_f64());
                }
            }
            // No player can move any more, and things happen by themselves.
            Err(RecvTimeoutError::Disconnected) => {
                thread::sleep(wait.min(GLANCE));
                clocked.pass(&mut draws, &mut host);
            }
        }
    }
    let table = &mut clocked.table;
    let goals = game
        .facts()
        .role_ids()
        .map(|role| table.walker().goal(role));
    let outcome = Outcome {
        goals: goals.collect(),
        time: table.now(),
        updates: table.updates(),
        is_over: table.is_over() && table.fault().is_none(),
        fault: table.fault(),
    };
    (outcome, punctuality)
}

/// Plays a match on the real clock between players behind lines, which are closed at its end. Their
/// moves come through `moves`.
pub fn play<G: TimedGame>(
    game: &G,
    settings: &LiveSettings<'_>,
    mut lines: Vec<(RoleId, Box<dyn Line>)>,
    moves: &Receiver<Sent>,
    watch: &mut dyn Watch<G::Walker>,
) -> (Outcome, Punctuality) {
    let mut tell = |message: Message| {
        let to = lines.iter_mut().find(|(role, _)| *role == message.to);
        if let Some((_, line)) = to {
            line.tell(&message.text);
        }
    };
    let played = host(game, settings, moves, &mut tell, watch);
    for (_, line) in lines {
        line.close();
    }
    played
}

/// Counts the moves of the present second.
struct Flood {
    since: Instant,
    counts: Vec<u32>,
}

impl Flood {
    fn new(roles: usize) -> Self {
        Self {
            since: Instant::now(),
            counts: vec![0; roles],
        }
    }

    fn takes(&mut self, role: RoleId) -> bool {
        if self.since.elapsed() >= Duration::from_secs(1) {
            (self.since, self.counts) = (Instant::now(), vec![0; self.counts.len()]);
        }
        let Some(count) = self.counts.get_mut(role.index()) else {
            return false;
        };
        *count += 1;
        *count <= MOST_MOVES_A_SECOND
    }
}

/// A player of this program in a thread of its own.
pub struct LocalPlayer {
    /// Where it is told messages.
    pub messages: Sender<String>,
    thread: thread::JoinHandle<()>,
}

impl LocalPlayer {
    /// Starts it; what it sends goes to the host.
    pub fn start<G: TimedGame>(mut agent: Agent<G>, role: RoleId, host: Sender<Sent>) -> Self
    where
        G::Walker: Send,
    {
        let (messages, heard) = mpsc::channel();
        let thread = thread::spawn(move || {
            run(&mut agent, &heard, |text| {
                let at = Instant::now();
                host.send(Sent { role, text, at }).is_ok()
            });
        });
        Self { messages, thread }
    }

    /// Waits for its end, which comes when the match is over or nothing is told any more.
    pub fn join(self) {
        drop(self.messages);
        // A player that failed has nothing more to say.
        let _ = self.thread.join();
    }
}

impl Line for LocalPlayer {
    fn tell(&mut self, text: &str) {
        // A player that ended hears nothing.
        let _ = self.messages.send(text.to_owned());
    }

    fn close(self: Box<Self>) {
        self.join();
    }
}

/// Lets an agent hear and act until the match is over, nothing is told any more, or nothing can be
/// sent.
pub fn run<G: TimedGame>(
    agent: &mut Agent<G>,
    heard: &Receiver<String>,
    mut send: impl FnMut(String) -> bool,
) {
    while !agent.is_over() {
        let now = Instant::now();
        let wait = agent.wake_at().map(|at| at.saturating_duration_since(now));
        if wait.is_some_and(|wait| wait.is_zero()) {
            // All that was told comes first.
            while let Ok(text) = heard.try_recv() {
                let _ = agent.hear(&text, Instant::now());
            }
            if let Some(text) = agent.look(Instant::now())
                && !send(text)
            {
                return;
            }
            continue;
        }
        match heard.recv_timeout(wait.unwrap_or(Duration::from_secs(3600))) {
            // What cannot be understood changes nothing.
            Ok(text) => drop(agent.hear(&text, Instant::now())),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}
