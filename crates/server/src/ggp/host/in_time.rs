//! Players elsewhere in matches in real time.
//!
//! Every message to a player is a request of its own, and the reply to `PLAY` is a move, whenever
//! the player makes it. So one request is always open: when a newer message has come the player
//! answers the older one with `NIL`, and where its move changes nothing that it is told, the last
//! message is sent again. A message that does not get through is sent again, too; messages that
//! come late or in another order say themselves when what they tell happened.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use paidia_arena::realtime::{ElsewhereInTime, TimedInvitation};
use paidia_arena::rules::{RulesError, Ruleset};
use paidia_arena::{BadPlayer, Failure};
use paidia_game::{Reading, RoleId, Rules, TimedGame};
use paidia_gdl::syntax::{Notation, Sheet, print};
use paidia_realtime::live::{Line as Way, Sent};
use paidia_reason::timed::Timed;

use super::ask;
use super::line::{Address, BadAddress, Line};
use crate::ggp::message::{Message, News, Reply, Start};
use crate::threads::lock;

/// How long a player may prepare.
const START_CLOCK: Duration = Duration::from_secs(10);

/// How long the reply to a message may take; then the message is sent again.
const LONGEST_WAIT: Duration = Duration::from_secs(60);

/// How often a message that does not get through is sent again, and how long to wait at first.
const ATTEMPTS: u32 = 10;
const FIRST_PAUSE: Duration = Duration::from_millis(10);

/// Requests to one player that are open at a time; more messages wait.
const MOST_OPEN: usize = 32;

/// After this time without an open request the last message is sent again.
const REPEAT_AFTER: Duration = Duration::from_millis(20);

/// How long the end of a match may take to reach a player.
const LAST_WORDS: Duration = Duration::from_secs(3);

/// Lets players elsewhere take part in matches of rules in real time.
///
/// # Errors
/// If the rules are in another language.
pub fn elsewhere_in_time(rules: &Ruleset, game: &Timed) -> Result<ElsewhereInTime, RulesError> {
    let text = with_reading(&rules.gdl()?.sheet, game.reading());
    let game = game.clone();
    Ok(Arc::new(move |invitation: &TimedInvitation<'_>| {
        let line = RemoteLine::open(&game, &text, invitation)?;
        Ok(Box::new(line))
    }))
}

/// The rules with how their end is read, which players must know.
fn with_reading(sheet: &Sheet, reading: Reading) -> String {
    let mut sheet = sheet.clone();
    let symbols = sheet.symbols.clone();
    sheet.clauses.retain(|clause| {
        let is_reading = symbols.name(clause.head.relation) == "reading";
        !(is_reading && clause.head.args.len() == 1 && clause.body.is_empty())
    });
    format!(
        "{}\n(reading {})\n",
        print(&sheet, Notation::Kif),
        reading.name()
    )
}

/// The way to a player elsewhere.
struct RemoteLine {
    messages: Sender<String>,
    thread: thread::JoinHandle<()>,
}

impl RemoteLine {
    fn open(
        game: &Timed,
        rules: &str,
        invitation: &TimedInvitation<'_>,
    ) -> Result<Self, BadPlayer> {
        let address = invitation.address.parse::<Address>();
        let address = address.map_err(|bad: BadAddress| BadPlayer::Elsewhere(bad.to_string()))?;
        let line = Line::new(&address);
        let pace = Duration::try_from_secs_f64(invitation.pace.seconds).unwrap_or_default();
        let start = Message::Start(Start {
            id: invitation.id.to_owned(),
            role: game.facts().role_name(invitation.role).to_owned(),
            rules: rules.to_owned(),
            start_clock: START_CLOCK,
            play_clock: pace,
        });
        let why = match ask(&line, &start, START_CLOCK) {
            Ok(Reply::Ready) => None,
            Ok(other) => Some(format!("says {other} instead of ready")),
            Err(failure) => Some(failure.to_string()),
        };
        if let Some(why) = why {
            let why = format!("the player at {address} {why}");
            return Err(BadPlayer::Elsewhere(why));
        }
        let (messages, said) = channel();
        let post = Arc::new(Post {
            line,
            id: invitation.id.to_owned(),
            role: invitation.role,
            host: invitation.host.clone(),
            open: AtomicUsize::new(0),
            last: Mutex::default(),
            is_over: AtomicBool::new(false),
        });
        let thread = thread::spawn(move || dispatch(&post, &said));
        Ok(Self { messages, thread })
    }
}

impl Way for RemoteLine {
    fn tell(&mut self, text: &str) {
        // The thread ends before the match if the player is lost.
        let _ = self.messages.send(text.to_owned());
    }

    fn close(self: Box<Self>) {
        drop(self.messages);
        let _ = self.thread.join();
    }
}

/// What the requests to one player have in common.
struct Post {
    line: Line,
    id: String,
    role: RoleId,
    host: Sender<Sent>,
    open: AtomicUsize,
    /// The last message, and when a request was last open.
    last: Mutex<Option<(String, Instant)>>,
    is_over: AtomicBool,
}

/// Sends messages on, each in a request of its own, and keeps one request open.
fn dispatch(post: &Arc<Post>, said: &Receiver<String>) {
    loop {
        match said.recv_timeout(REPEAT_AFTER) {
            Ok(text) => {
                while post.open.load(Ordering::Relaxed) >= MOST_OPEN {
                    thread::sleep(FIRST_PAUSE);
                }
                *lock(&post.last) = Some((text.clone(), Instant::now()));
                if text.starts_with("(STOP") {
                    post.is_over.store(true, Ordering::Relaxed);
                }
                send(post, text);
            }
            Err(RecvTimeoutError::Timeout) => repeat(post),
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    // A match that was stopped ends for its players, too.
    if !post.is_over.swap(true, Ordering::Relaxed) {
        let abort = Message::Abort {
            id: post.id.clone(),
        };
        send(post, abort.to_string());
    }
    let until = Instant::now() + LAST_WORDS;
    while post.open.load(Ordering::Relaxed) > 0 && Instant::now() < until {
        thread::sleep(FIRST_PAUSE);
    }
}

/// Sends the last message again if the player has had nothing to reply to for a while.
fn repeat(post: &Arc<Post>) {
    if post.open.load(Ordering::Relaxed) > 0 || post.is_over.load(Ordering::Relaxed) {
        return;
    }
    let last = lock(&post.last).clone();
    if let Some((text, at)) = last
        && at.elapsed() >= REPEAT_AFTER
    {
        send(post, text);
    }
}

fn send(post: &Arc<Post>, text: String) {
    post.open.fetch_add(1, Ordering::Relaxed);
    let sender = Arc::clone(post);
    let work = move || {
        sender.deliver(&text);
        if let Some((_, at)) = &mut *lock(&sender.last) {
            *at = Instant::now();
        }
        sender.open.fetch_sub(1, Ordering::Relaxed);
    };
    if thread::Builder::new().spawn(work).is_err() {
        post.open.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Post {
    /// Brings a message to the player, and its move to the host.
    fn deliver(&self, text: &str) {
        let is_last = !text.starts_with("(PLAY");
        let (mut pause, mut attempts) = (FIRST_PAUSE, 0);
        while attempts < ATTEMPTS {
            match self.line.ask(text, LONGEST_WAIT) {
                Ok(_) if is_last => return,
                Ok(reply) => return self.hear(&reply),
                Err(_) if !is_last && self.is_over.load(Ordering::Relaxed) => return,
                // The player thinks; it may be gone, which the next request finds out.
                Err(Failure::Late) => {}
                Err(_) => {
                    attempts += 1;
                    thread::sleep(pause);
                    pause *= 2;
                }
            }
        }
    }

    fn hear(&self, reply: &str) {
        let at = Instant::now();
        let question = Message::Play {
            id: self.id.clone(),
            news: News::Nothing,
        };
        let Ok(Reply::Move(text)) = question.read_reply(reply) else {
            return;
        };
        let is_none = ["nil", "busy", "done"].contains(&text.to_ascii_lowercase().as_str());
        if !is_none {
            let role = self.role;
            // The match may be over.
            let _ = self.host.send(Sent { role, text, at });
        }
    }
}
