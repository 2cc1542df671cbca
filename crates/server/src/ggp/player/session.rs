//! One match, in a thread of its own: prepares, answers, and thinks on in between.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use paidia_arena::clock::Margin;
use tokio::sync::oneshot;

use super::Log;
use paidia_search::belief;

use super::load::{Loaded, Recipe};
use super::thinker::Lost;
use crate::ggp::message::{News, Reply, Start};
use crate::threads::lock;

/// How long a piece of work may take before commands are looked at.
const SLICE: Duration = Duration::from_millis(500);
/// How often the session looks for the better player.
const GLANCE: Duration = Duration::from_millis(20);

/// What a match is asked for. Where no answer is sent, the closed channel says so.
pub(super) enum Command {
    /// Tell when you are ready.
    Started(oneshot::Sender<Answer>),
    /// Choose a move.
    Play {
        news: News,
        /// When the host's clock started, as far as we know.
        arrived: Instant,
        reply: oneshot::Sender<Answer>,
    },
    /// The match is over.
    Stop {
        news: News,
        reply: oneshot::Sender<Answer>,
    },
    /// The match ends here.
    Abort(oneshot::Sender<Answer>),
    /// The host has been silent for long.
    Leave,
}

/// A reply, and when it should have been ready.
pub(super) struct Answer {
    pub(super) reply: Reply,
    pub(super) planned: Option<Instant>,
}

/// What a match needs to know.
pub(super) struct Session {
    pub(super) start: Arc<Start>,
    /// When the first message came.
    pub(super) arrived: Instant,
    pub(super) commands: Receiver<Command>,
    /// Set when a command has come that should not wait.
    pub(super) interrupt: Arc<AtomicBool>,
    pub(super) margin: Arc<Mutex<Margin>>,
    pub(super) ponder: bool,
    pub(super) log: Log,
}

/// The last question that was answered.
struct Answered {
    news: News,
    chosen: String,
    at: Instant,
}

/// A match that is being played.
struct Playing {
    loaded: Loaded,
    /// Everything that was told and understood, for the better player to catch up.
    told: Vec<News>,
    last: Option<Answered>,
}

impl Session {
    /// Plays the match to its end. Returns the channel on which the host waits for the end.
    pub(super) fn run(&self, recipe: Recipe) -> Option<oneshot::Sender<Answer>> {
        let loaded = match recipe.load() {
            Ok(loaded) => loaded,
            Err(why) => {
                self.tell(format_args!("not played: {why}"));
                return None;
            }
        };
        let mut playing = Playing {
            loaded,
            told: Vec::new(),
            last: None,
        };
        self.prepare(&mut playing);
        loop {
            match self.next(&mut playing)? {
                Command::Started(reply) => answer(reply, Reply::Ready, None),
                Command::Play {
                    news,
                    arrived,
                    reply,
                } => self.play(&mut playing, news, arrived, reply),
                Command::Stop { news, reply } => {
                    self.stop(&mut playing, &news);
                    return Some(reply);
                }
                Command::Abort(reply) => {
                    self.tell(format_args!("aborted"));
                    return Some(reply);
                }
                Command::Leave => {
                    self.tell(format_args!("left, because the host has fallen silent"));
                    return None;
                }
            }
        }
    }

    fn tell(&self, what: std::fmt::Arguments<'_>) {
        // The name is from elsewhere, and must not do anything to a terminal.
        (self.log)(format_args!("{:?}: {what}", self.start.id));
    }

    /// Uses the start clock: waits for the network, then lets the player prepare.
    fn prepare(&self, playing: &mut Playing) {
        let clock = self.start.start_clock;
        let until = self.arrived + lock(&self.margin).thinking(clock, Duration::ZERO);
        let wanted = || self.interrupt.load(Ordering::Relaxed);
        let left = || until.saturating_duration_since(Instant::now());
        while !left().is_zero() && !wanted() {
            match playing.loaded.better.recv_timeout(GLANCE) {
                Ok(better) => {
                    playing.loaded.thinker = better;
                    break;
                }
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
        if !left().is_zero() && !wanted() {
            playing.loaded.thinker.prepare(left(), &self.interrupt);
        }
    }

    /// The next command; thinks on until it comes.
    fn next(&self, playing: &mut Playing) -> Option<Command> {
        self.interrupt.store(false, Ordering::Relaxed);
        // Commands are sent before the interrupt is set, so that none is overlooked between these
        // two lines.
        if let Ok(command) = self.commands.try_recv() {
            return Some(command);
        }
        if self.ponder {
            playing.loaded.thinker.ponder(&self.interrupt);
        }
        self.commands.recv().ok()
    }

    /// Answers the question for a move.
    fn play(
        &self,
        playing: &mut Playing,
        news: News,
        arrived: Instant,
        reply: oneshot::Sender<Answer>,
    ) {
        let clock = self.start.play_clock;
        let planned = arrived + lock(&self.margin).thinking(clock, Duration::ZERO);
        if let Some(same) = playing.repeated(&news, arrived) {
            let same = Reply::Move(same.to_owned());
            return answer(reply, same, None);
        }
        playing.improve(planned);
        let lost = playing.follow(&news, planned).err();
        if let (Some(_), Some(last)) = (&lost, &playing.last)
            && last.news == news
        {
            // It was legal before and is no more: it was said twice.
            let same = Reply::Move(last.chosen.clone());
            return answer(reply, same, None);
        }
        if let Some(lost) = lost {
            self.tell(format_args!("{news}: {lost}"));
        }
        self.learn(playing, &news);
        let time = planned.saturating_duration_since(Instant::now());
        let chosen = playing.loaded.thinker.choose(time);
        let left = (arrived + clock).saturating_duration_since(Instant::now());
        let text = match chosen {
            Some(chosen) => {
                let (text, because) = (&chosen.text, &chosen.because);
                self.tell(format_args!("{text}: {because}, {left:.2?} left"));
                chosen.text
            }
            None => {
                self.tell(format_args!("there is no legal move"));
                "nil".to_owned()
            }
        };
        playing.last = Some(Answered {
            news,
            chosen: text.clone(),
            at: Instant::now(),
        });
        answer(reply, Reply::Move(text), Some(planned));
    }

    /// Learns from whether the host took the last move.
    fn learn(&self, playing: &Playing, news: &News) {
        let (Some(last), Some(own)) = (&playing.last, playing.own(news)) else {
            return;
        };
        let mut margin = lock(&self.margin);
        if last.chosen.eq_ignore_ascii_case(own) {
            margin.taken();
        } else {
            margin.missed();
            let chosen = &last.chosen;
            self.tell(format_args!("the host has {own}, and not {chosen}"));
        }
    }

    fn stop(&self, playing: &mut Playing, news: &News) {
        let until = Instant::now() + SLICE;
        if let Err(lost) = playing.follow(news, until) {
            self.tell(format_args!("{news}: {lost}"));
        }
        self.learn(playing, news);
        match playing.loaded.thinker.results() {
            Some(goals) => self.tell(format_args!("over: {goals}")),
            None => self.tell(format_args!("stopped before the end")),
        }
    }
}

impl Playing {
    /// The last move, if this is the last question once more.
    ///
    /// Messages of plain GDL have no number, and the same moves may be made twice. But a host that
    /// repeats a message has not yet been answered, or sends moves from before our last one.
    fn repeated(&self, news: &News, arrived: Instant) -> Option<&str> {
        let last = self.last.as_ref()?;
        let again = match news {
            News::Nothing => true,
            News::Moves(_) => {
                let own = self.own(news).unwrap_or_default();
                last.news == *news && (arrived < last.at || !last.chosen.eq_ignore_ascii_case(own))
            }
            News::Percepts { turn, .. } => {
                matches!(&last.news, News::Percepts { turn: before, .. } if before == turn)
            }
            News::Timed { .. } => false,
        };
        again.then_some(&*last.chosen)
    }

    /// The own part of what was told.
    fn own<'a>(&self, news: &'a News) -> Option<&'a str> {
        match news {
            News::Moves(moves) => moves.get(self.loaded.role.index()).map(String::as_str),
            News::Percepts { own, .. } => own.as_deref(),
            News::Nothing | News::Timed { .. } => None,
        }
    }

    /// Takes in what was told, with a third of the time that is left.
    fn follow(&mut self, news: &News, until: Instant) -> Result<(), Lost> {
        let result = self.loaded.thinker.follow(news, share(until, 3));
        if matches!(
            result,
            Ok(()) | Err(Lost::Belief(belief::Lost::Contradiction))
        ) {
            self.told.push(news.clone());
        }
        result
    }

    /// Switches to the better player, if it is ready.
    fn improve(&mut self, until: Instant) {
        let Ok(mut better) = self.loaded.better.try_recv() else {
            return;
        };
        let until = share(until, 3);
        // A player that cannot follow what the present one followed is no better.
        let mut told = self.told.iter();
        if told.all(|news| better.follow(news, until).is_ok()) {
            self.loaded.thinker = better;
        }
    }
}

/// The end of a part of the time until then.
fn share(until: Instant, part: u32) -> Instant {
    let now = Instant::now();
    now + until.saturating_duration_since(now) / part
}

fn answer(reply: oneshot::Sender<Answer>, text: Reply, planned: Option<Instant>) {
    // The host may have hung up.
    let _ = reply.send(Answer {
        reply: text,
        planned,
    });
}
