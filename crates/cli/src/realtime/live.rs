//! Matches in real time in the terminal: watched, or played by a person or by a script.

use std::io::{BufRead, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use paidia_arena::Guest;
use paidia_arena::realtime::{ElsewhereInTime, TimedInvitation, TimedMatch, play};
use paidia_arena::rules::Ruleset;
use paidia_game::{RoleId, Rules, Ticks, TimedWalker};
use paidia_realtime::clock::Pace;
use paidia_realtime::live::{Line, Punctuality, Sent};
use paidia_realtime::{Entry, Outcome, TimedRecord, TimedRecorder, Watch};
use paidia_reason::timed::{Timed, Walker};

use super::stage::{Showing, TimedStage};
use crate::terminal;

/// Who sits where.
pub(crate) enum Seat {
    /// A player.
    Guest(Guest),
    /// The person at the terminal.
    Person,
}

/// The address that stands for the person at the terminal.
const TERMINAL: &str = "terminal://";

/// How a match is set up.
pub(crate) struct LiveMatch<'a> {
    pub(crate) rules: &'a Ruleset,
    pub(crate) game: &'a Timed,
    pub(crate) id: &'a str,
    pub(crate) seats: Vec<Seat>,
    pub(crate) pace: Option<Pace>,
    pub(crate) until: Ticks,
    pub(crate) reaction: Ticks,
    pub(crate) seed: u64,
    pub(crate) stop: Arc<AtomicBool>,
    pub(crate) elsewhere: ElsewhereInTime,
}

/// Plays a match, shows it as it goes if there is where to show it, and records it.
pub(crate) fn play_match(
    setting: &LiveMatch<'_>,
    out: Option<&mut dyn Write>,
) -> anyhow::Result<(Outcome, Option<Punctuality>, TimedRecord)> {
    let game = setting.game;
    let person = Arc::new(Person {
        game: game.clone(),
        legal: Mutex::default(),
        began: OnceLock::new(),
        stop: Arc::clone(&setting.stop),
        pace: setting.pace,
    });
    let (invite, sits) = (Arc::clone(&setting.elsewhere), Arc::clone(&person));
    let elsewhere: ElsewhereInTime =
        Arc::new(
            move |invitation: &TimedInvitation<'_>| match invitation.address == TERMINAL {
                true => Ok(sits.sit(invitation.role, &invitation.host)),
                false => invite(invitation),
            },
        );
    let guests = setting.seats.iter().map(|seat| match seat {
        Seat::Guest(guest) => (guest.clone(), None),
        Seat::Person => (Guest::Elsewhere(TERMINAL.to_owned()), None),
    });
    let guests: Vec<_> = guests.collect();
    let own = setting
        .seats
        .iter()
        .position(|seat| matches!(seat, Seat::Person));
    let settings = TimedMatch {
        id: setting.id,
        pace: setting.pace,
        until: setting.until,
        reaction: setting.reaction,
        seed: setting.seed,
        stop: &setting.stop,
        elsewhere: Some(&elsewhere),
    };
    let blank = TimedRecord {
        play_clock: setting.pace.map_or(0.0, |pace| pace.seconds),
        ..TimedRecord::default()
    };
    let stage = TimedStage::new(setting.rules, game, terminal::colour_on_stdout());
    let mut silence = std::io::sink();
    // A person in a game that hides things sees what its role is told, and not the match.
    let is_secret = own.is_some() && game.is_hidden();
    let shows = out.is_some() && !is_secret;
    let mut watch = Watching {
        recorder: TimedRecorder::new(game, blank),
        showing: shows.then(|| Showing {
            stage: &stage,
            out: out.unwrap_or(&mut silence),
            last: Default::default(),
            failed: None,
        }),
        person: own.and_then(|place| Some((game.facts().players().nth(place)?, &*person))),
    };
    let (outcome, punctuality) = play(game, &guests, &settings, &mut watch)?;
    if let Some(failed) = watch.showing.and_then(|showing| showing.failed) {
        return Err(failed);
    }
    let record = watch.recorder.finish(&outcome);
    Ok((outcome, punctuality, record))
}

/// All that watches a match.
struct Watching<'a> {
    recorder: TimedRecorder<Timed>,
    showing: Option<Showing<'a>>,
    person: Option<(RoleId, &'a Person)>,
}

impl Watch<Walker> for Watching<'_> {
    fn entry(&mut self, entry: &Entry, walker: &mut Walker) {
        self.recorder.entry(entry, walker);
        if let Some(showing) = &mut self.showing {
            showing.entry(entry, walker);
            if let (Some(_), Some((_, person))) = (&showing.failed, self.person) {
                person.stop.store(true, Ordering::Relaxed);
            }
        }
        if let (Some((role, person)), Entry::Start | Entry::Update(_)) = (self.person, entry) {
            person.began.get_or_init(Instant::now);
            let legal = walker.legal().of(role).iter();
            let names = legal.map(|&id| person.game.moves().name(id).to_string());
            let names: Vec<String> = names.collect();
            let mut legal = person.legal.lock().unwrap_or_else(PoisonError::into_inner);
            if *legal != names && !names.is_empty() {
                let numbered = names.iter().enumerate();
                let numbered = numbered.map(|(number, name)| format!("{}: {name}", number + 1));
                let choices = numbered.collect::<Vec<_>>().join("  ");
                let (out, faint) = (self.showing.as_mut(), terminal::FAINT);
                match out {
                    Some(showing) => drop(writeln!(showing.out, "{faint}{choices}{faint:#}")),
                    None => println!("{choices}"),
                }
            }
            *legal = names;
        }
    }
}

/// The person at the terminal, or a script that stands for one.
struct Person {
    game: Timed,
    legal: Mutex<Vec<String>>,
    /// When the match began.
    began: OnceLock<Instant>,
    stop: Arc<AtomicBool>,
    pace: Option<Pace>,
}

/// What a line of input means.
enum Said {
    Quit,
    Moves,
    /// A move, at a game time if one is given.
    Move(Option<Ticks>, String),
}

impl Person {
    /// Lets the person move: a thread reads lines.
    fn sit(self: &Arc<Self>, role: RoleId, host: &Sender<Sent>) -> Box<dyn Line> {
        let (person, host) = (Arc::clone(self), host.clone());
        std::thread::spawn(move || person.listen(role, &host));
        Box::new(Screen {
            hidden: self.game.is_hidden(),
        })
    }

    fn listen(&self, role: RoleId, host: &Sender<Sent>) {
        let mut input = std::io::stdin().lock();
        loop {
            let mut line = String::new();
            match std::io::Read::take(&mut input, 10_000).read_line(&mut line) {
                Ok(0) | Err(_) => return,
                Ok(_) => {}
            }
            match self.understand(line.trim()) {
                Said::Quit => return self.stop.store(true, Ordering::Relaxed),
                Said::Moves => println!("{}", self.legal().join("  ")),
                Said::Move(at, text) => {
                    self.wait_until(at);
                    let text = self.chosen(&text);
                    let at = Instant::now();
                    if host.send(Sent { role, text, at }).is_err() {
                        return;
                    }
                }
            }
        }
    }

    fn legal(&self) -> Vec<String> {
        let legal = self.legal.lock().unwrap_or_else(PoisonError::into_inner);
        legal.clone()
    }

    fn understand(&self, line: &str) -> Said {
        match line {
            "quit" | "exit" | "q" => return Said::Quit,
            "" | "moves" => return Said::Moves,
            _ => {}
        }
        if let Some((first, rest)) = line.split_once(' ')
            && let Some(at) = Ticks::parse(first)
        {
            return Said::Move(Some(at), rest.trim().to_owned());
        }
        Said::Move(None, line.to_owned())
    }

    /// The move of a number, of words without parentheses, or as it is written.
    fn chosen(&self, text: &str) -> String {
        let legal = self.legal();
        if let Ok(number) = text.parse::<usize>()
            && let Some(name) = number.checked_sub(1).and_then(|place| legal.get(place))
        {
            return name.clone();
        }
        let bare = |text: &str| text.replace(['(', ')'], " ");
        let words = |text: &str| bare(text).split_whitespace().collect::<Vec<_>>().join(" ");
        let found = legal.iter().find(|name| words(name) == words(text));
        found.map_or_else(|| text.to_owned(), Clone::clone)
    }

    /// Waits for a game time.
    fn wait_until(&self, at: Option<Ticks>) {
        let (Some(at), Some(pace)) = (at, self.pace) else {
            return;
        };
        while !self.stop.load(Ordering::Relaxed) {
            let due = self.began.get().map(|began| *began + pace.duration(at));
            let left = due.map(|due| due.saturating_duration_since(Instant::now()));
            match left {
                Some(left) if left.is_zero() => return,
                left => std::thread::sleep(
                    left.unwrap_or_default()
                        .clamp(Duration::from_millis(1), Duration::from_millis(50)),
                ),
            }
        }
    }
}

/// What the person's role is told, where the match itself is not to be seen.
struct Screen {
    hidden: bool,
}

impl Line for Screen {
    fn tell(&mut self, text: &str) {
        if self.hidden {
            println!("{text}");
        }
    }

    fn close(self: Box<Self>) {}
}
