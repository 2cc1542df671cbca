//! A table: one match, at which people and players sit, as it is played, taken back and played on.
//!
//! Everything about the match is in a [`TableMatch`] behind a lock that is held only for moments: a
//! move of a person is checked, made and sent to all listeners before the request is answered. A
//! thread of its own lets players think, without the lock; what they found counts only if the match
//! is still where it was when they began.

mod clock;
mod game;
mod orders;
mod people;
mod record;
mod restore;
mod seat;
mod views;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use paidia_arena::Match;
use paidia_arena::record::{Heading, Recorder};
use paidia_game::{RoleId, Rules as _};
use paidia_search::Budget;
use serde::{Deserialize, Serialize};
use tokio::sync::Semaphore;

use game::{TableMatch, Task};
pub(super) use seat::{Occupant, read_seats};
use views::Snapshot;

use super::decision::DecisionView;
use super::events::{Channel, Listener, event, event_of};
use super::game_list::{Entry, PreparedGame};
use super::keep::{Journal, Left, Opening};
use super::line::Joint;
use super::person::Person;
use super::refusal::Refusal;
use super::tables::MoveOrder;
use super::thinker::{Chosen, Thinker, thinker};
use super::{Site, games};
use crate::threads::lock;

/// A request for a table.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Order {
    pub(super) game: String,
    /// For each role `human` or a player; nothing for `random`.
    pub(super) seats: Vec<Option<String>>,
    /// How long players think about a move.
    #[serde(default = "one")]
    pub(super) seconds: f64,
    /// The least time between two moves where no person is asked.
    #[serde(default)]
    pub(super) pace: f64,
    #[serde(default)]
    pub(super) seed: Option<u64>,
    /// Moves that were made before.
    #[serde(default)]
    pub(super) from: Vec<Joint>,
    #[serde(default)]
    pub(super) paused: bool,
    /// How much time each role has for all its moves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) clock: Option<clock::ClockOrder>,
}

fn one() -> f64 {
    1.0
}

/// A table.
pub(super) struct Table {
    pub(super) id: String,
    pub(super) entry: Arc<Entry>,
    pub(super) rules: Arc<PreparedGame>,
    /// The game, as listeners get it first.
    view: serde_json::Value,
    seed: u64,
    game: Mutex<TableMatch>,
    /// Something has changed, and the thread should look.
    changed: Condvar,
    /// Set when what is being searched is of no use any more.
    interrupt: AtomicBool,
    /// One for watchers, and before it, where the game hides things, one for each role.
    channels: Vec<Channel>,
}

/// What the list of tables tells.
#[derive(Clone, Serialize)]
pub(super) struct Listed {
    pub(super) id: String,
    pub(super) game: String,
    pub(super) title: String,
    pub(super) seats: Vec<Option<String>>,
    pub(super) ply: usize,
    pub(super) ended: Option<String>,
    pub(super) paused: bool,
    pub(super) viewers: usize,
    /// When something was last done, in milliseconds since 1970.
    pub(super) touched: u64,
}

impl Table {
    /// Sets a table; play begins with [`Self::run`].
    pub(super) fn new(site: &Site, id: String, order: &Order) -> Result<Self, Refusal> {
        Self::set(site, id, order, None)
    }

    /// The table that left a journal behind, where it was then.
    pub(super) fn restore(site: &Site, id: String, left: &Left) -> Result<Self, Refusal> {
        let mut order = left.opening.order.clone();
        if let Some(text) = &left.opening.text {
            order
                .game
                .clone_from(&site.games.paste(&left.opening.title, text)?.id);
        }
        Self::set(site, id, &order, Some(left))
    }

    fn set(site: &Site, id: String, order: &Order, kept: Option<&Left>) -> Result<Self, Refusal> {
        let limits = &site.options.limits;
        let entry = site.games.find(&order.game)?;
        let rules = entry.rules()?;
        let game = entry.walking(&rules);
        let seats = read_seats(&game, &order.seats, limits)?;
        let seed = match order.seed {
            Some(seed) => seed,
            None => getrandom::u64().unwrap_or(1),
        };
        let recorder = Recorder::new(&game, heading(&id, &entry), &game.initial());
        let longest = limits.line_length;
        let started = Match::new(&game, &game.initial(), longest, seed);
        let mut played = TableMatch::new(started, Arc::clone(&rules), recorder, seats);
        played.seconds = seconds(order.seconds, limits.search_seconds)?;
        played.pace = pace(order.pace)?;
        played.paused = order.paused;
        played.set_clocks(order.clock)?;
        played.follow(&order.from, longest)?;
        let order = Order {
            seed: Some(seed),
            ..order.clone()
        };
        played.journal = match kept {
            Some(left) => {
                played.restore(left, limits, longest)?;
                site.keep.go_on(&id)
            }
            None => site.keep.begin(
                &id,
                Opening {
                    order,
                    title: entry.title.clone(),
                    text: entry.metadata.is_none().then(|| entry.text.to_string()),
                },
            ),
        }
        .unwrap_or_else(|error| Journal::failed(&error));
        let channels = played.channels();
        Ok(Self {
            id,
            view: games::view(&entry, false)?,
            entry,
            rules,
            seed,
            game: Mutex::new(played),
            changed: Condvar::new(),
            interrupt: AtomicBool::new(false),
            channels: (0..channels).map(|_| Channel::new()).collect(),
        })
    }

    /// Lets players play until the table is closed.
    pub(super) fn run(&self, site: &Site) {
        let mut thinkers = Thinkers::default();
        while let Some(task) = self.next(&mut thinkers) {
            match task {
                Task::Think(asked) => self.think(site, &mut thinkers, &asked),
                Task::Record(record) => {
                    let written = site.records.write(&record);
                    self.change(|game| game.recorded(written));
                }
            }
        }
        if !self.is_closed() {
            // It was put away, and goes on when it is asked for again.
            return;
        }
        site.keep.forget(&self.id);
        let closed = event("closed", &serde_json::json!({}));
        self.channels
            .iter()
            .for_each(|channel| channel.tell(closed.clone()));
    }

    /// The next thing to do outside the lock; nothing once the table is closed and written down.
    fn next(&self, thinkers: &mut Thinkers) -> Option<Task> {
        let mut game = lock(&self.game);
        loop {
            let next = game.next(Instant::now());
            self.tell(&mut game);
            if game.is_over() {
                // Trees are large, and no longer needed.
                thinkers.all.clear();
            }
            let pause = match next {
                game::Next::Do(task) => {
                    self.interrupt.store(false, Ordering::Relaxed);
                    return Some(task);
                }
                game::Next::Closed => return None,
                game::Next::Again => continue,
                game::Next::WaitUntil(then) => then.saturating_duration_since(Instant::now()),
                game::Next::Wait => Duration::from_secs(3600),
            };
            let waited = self.changed.wait_timeout(game, pause);
            game = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Lets a player think, and tells the match what it found.
    fn think(&self, site: &Site, thinkers: &mut Thinkers, asked: &game::Asked) {
        let found = site.desk.sit(&self.interrupt).map(|_place| {
            let thinker = thinkers.get(self, asked, site.desk.busy() == 1)?;
            let budget = Budget::time(asked.time);
            let mut tell = |found: DecisionView| {
                let mut game = lock(&self.game);
                game.tell_thought(asked, &found);
                self.tell(&mut game);
            };
            let tell = (self.listeners() > 0).then_some(&mut tell as &mut dyn FnMut(_));
            thinker.think(&asked.known, budget, &self.interrupt, tell)
        });
        self.change(|game| match found {
            Some(Ok(decision)) => game.decide(asked, decision),
            Some(Err(why)) => game.fail(asked, why),
            None => {}
        });
    }

    /// Changes the match, tells what happened, and wakes the thread.
    fn change<T>(&self, change: impl FnOnce(&mut TableMatch) -> T) -> T {
        let mut game = lock(&self.game);
        let version = game.version();
        let done = change(&mut game);
        if game.version() != version {
            self.interrupt.store(true, Ordering::Relaxed);
        }
        self.tell(&mut game);
        drop(game);
        self.changed.notify_all();
        done
    }

    fn tell(&self, game: &mut TableMatch) {
        // What is told is kept.
        if let Some(failure) = game.journal.write() {
            game.tell_all("unkept", &serde_json::json!({"error": failure}));
        }
        for (channel, news) in game.news.drain(..) {
            self.channels[channel].tell(news);
        }
    }

    /// A move of a person.
    pub(super) fn make_move(
        &self,
        order: &MoveOrder,
        person: Option<&Person>,
    ) -> Result<(), Refusal> {
        self.change(|game| game.make_move(order, person))
    }

    /// A person takes a role.
    pub(super) fn sit(&self, role: usize, person: Option<&Person>) -> Result<(), Refusal> {
        self.change(|game| game.sit(role, person))
    }

    /// Lets a person have the one role of a person, in a game that hides things.
    pub(super) fn sit_alone(&self, person: Option<&Person>) -> Result<(), Refusal> {
        self.change(|game| {
            let people = game.seats.iter().enumerate();
            let mut people = people.filter(|(_, seat)| **seat == Occupant::Human);
            match (people.next(), people.next()) {
                (Some((role, _)), None) if game.hides() && person.is_some() => {
                    game.sit(role, person)
                }
                _ => Ok(()),
            }
        })
    }

    /// Drops what came after the first `to` joint moves.
    pub(super) fn take_back(&self, to: usize) -> Result<(), Refusal> {
        self.change(|game| game.take_back(to))
    }

    /// Lets others sit at the table, or changes how long they think.
    pub(super) fn set_seats(
        &self,
        seats: Vec<Occupant>,
        seconds: Option<Duration>,
        person: Option<&Person>,
    ) -> Result<(), Refusal> {
        self.change(|game| game.set_seats(seats, seconds, person))
    }

    /// Stops players, or lets them go on.
    pub(super) fn set_paused(&self, paused: bool) -> Result<(), Refusal> {
        self.change(|game| game.set_paused(paused))
    }

    /// Sets the least time between two moves where no person is asked.
    pub(super) fn set_pace(&self, pace: Duration) -> Result<(), Refusal> {
        self.change(|game| game.set_pace(pace))
    }

    /// Lets players make one move while they are stopped.
    pub(super) fn step(&self) -> Result<(), Refusal> {
        self.change(TableMatch::step)
    }

    /// Lets the player that thinks make the best move that it has found.
    pub(super) fn move_now(&self) -> Result<(), Refusal> {
        let mut game = lock(&self.game);
        game.touched = Instant::now();
        if game.thinking.is_none() {
            return Err(Refusal::conflict("no player is thinking"));
        }
        // The search ends, and what it found counts, for the match is where it was.
        self.interrupt.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// A person gives up.
    pub(super) fn resign(&self, role: usize, person: Option<&Person>) -> Result<(), Refusal> {
        self.change(|game| game.resign(role, person))
    }

    /// Stops, so that another table can go on where this one is.
    pub(super) fn put_away(&self) {
        self.change(TableMatch::put_away);
    }

    /// Whether its match is of no use to its visitors any more.
    pub(super) fn is_closed(&self) -> bool {
        lock(&self.game).closed
    }

    /// Whether what happens here is on disk.
    pub(super) fn is_kept(&self) -> bool {
        lock(&self.game).journal.failure().is_none()
    }

    /// Whether nothing is left to be written down.
    pub(super) fn is_written(&self) -> bool {
        lock(&self.game).is_settled()
    }

    /// When something was last done, if it can be put away without a loss: it is not being looked
    /// at, everything is on disk, and nothing is being written down. Ended matches come first.
    pub(super) fn can_be_put_away(&self) -> Option<(bool, Instant)> {
        let game = self.game.try_lock().ok()?;
        let can = self.listeners() == 0 && game.journal.failure().is_none() && game.is_settled();
        can.then(|| (game.ended().is_none(), game.touched))
    }

    /// Ends everything at this table.
    pub(super) fn close(&self) {
        self.change(TableMatch::close);
    }

    /// A snapshot as JSON, for clients that ask for a role, or for none.
    pub(super) fn snapshot(
        &self,
        role: Option<usize>,
        person: Option<&Person>,
    ) -> Result<String, Refusal> {
        let game = lock(&self.game);
        game.check_view(role, person)?;
        Ok(self.snapshot_of(&game, game.channel_of(role)))
    }

    fn snapshot_of(&self, game: &TableMatch, channel: usize) -> String {
        #[derive(Serialize)]
        struct View<'a> {
            id: &'a str,
            game: &'a serde_json::Value,
            #[serde(flatten)]
            snapshot: Snapshot<'a>,
        }
        let view = View {
            id: &self.id,
            game: &self.view,
            snapshot: game.snapshot(channel),
        };
        serde_json::to_string(&view).unwrap_or_default()
    }

    /// A listener, for a role or for none, that hears how things are, and then what happens.
    pub(super) fn listen(
        &self,
        role: Option<usize>,
        person: Option<&Person>,
        places: &Arc<Semaphore>,
    ) -> Result<Listener, Refusal> {
        // Nothing is told between the two, because of the lock.
        let game = lock(&self.game);
        game.check_view(role, person)?;
        let channel = game.channel_of(role);
        let first = event_of("snapshot", &self.snapshot_of(&game, channel));
        self.channels[channel].listen(first, places)
    }

    /// A line in the list of tables.
    pub(super) fn listed(&self) -> Listed {
        let game = lock(&self.game);
        Listed {
            id: self.id.clone(),
            game: self.entry.id.clone(),
            title: self.entry.title.clone(),
            seats: game.seat_names(),
            ply: game.ply(),
            ended: game.ended(),
            paused: game.paused,
            viewers: self.listeners(),
            touched: milliseconds(SystemTime::now() - game.touched.elapsed()),
        }
    }

    /// How many listen.
    fn listeners(&self) -> usize {
        self.channels.iter().map(Channel::listeners).sum()
    }

    /// Whether there were no listeners and no requests for this time. A table with a request in
    /// progress is not forgotten.
    pub(super) fn is_forgotten(&self, after: Duration) -> bool {
        let Ok(mut game) = self.game.try_lock() else {
            return false;
        };
        if self.listeners() > 0 {
            game.touched = Instant::now();
        }
        game.touched.elapsed() > after
    }
}

/// A moment in milliseconds since 1970.
pub(super) fn milliseconds(moment: SystemTime) -> u64 {
    let since = moment.duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis() as u64)
}

/// What is known about the record of a match before it is played.
fn heading(table: &str, entry: &Entry) -> Heading {
    let is_bundled = entry.metadata.is_some();
    let game = if is_bundled { &entry.id } else { &entry.title };
    Heading {
        id: table.to_owned(),
        game: game.clone(),
        rules: Some(entry.text.clone().into_owned()),
        ..Heading::default()
    }
}

/// The players of a table.
#[derive(Default)]
struct Thinkers {
    all: Vec<SeatedPlayer>,
}

/// A player with the role it thinks for.
struct SeatedPlayer {
    role: RoleId,
    chosen: Chosen,
    thinker: Box<dyn Thinker>,
}

impl Thinkers {
    /// The player that thinks about a question; a new one if another was there before, or if a
    /// faster engine is ready.
    fn get(
        &mut self,
        table: &Table,
        asked: &game::Asked,
        is_alone: bool,
    ) -> Result<&mut Box<dyn Thinker>, String> {
        let is_there = table.entry.has_engine();
        let known = |seated: &SeatedPlayer| {
            let is_best = !(is_there && seated.thinker.is_provisional());
            seated.role == asked.role && seated.chosen == asked.player && is_best
        };
        let place = match self.all.iter().position(known) {
            Some(place) => place,
            None => {
                self.all.retain(|seated| seated.role != asked.role);
                let seed = table.seed.wrapping_add(u64::from(asked.role.0) + 1);
                let made = thinker(
                    &table.entry,
                    &table.rules,
                    &asked.player,
                    asked.role,
                    seed,
                    is_alone,
                );
                self.all.push(SeatedPlayer {
                    role: asked.role,
                    chosen: asked.player.clone(),
                    thinker: made.map_err(|refusal| refusal.to_string())?,
                });
                self.all.len() - 1
            }
        };
        Ok(&mut self.all[place].thinker)
    }
}

/// The time for a move, if it is within the limits.
pub(super) fn seconds(seconds: f64, most: f64) -> Result<Duration, Refusal> {
    if !(0.01..=most).contains(&seconds) {
        return Err(Refusal::unusable(format!(
            "a move may have 0.01 to {most} seconds"
        )));
    }
    Ok(Duration::from_secs_f64(seconds))
}

/// The time between two moves, if it is within the limits.
pub(super) fn pace(pace: f64) -> Result<Duration, Refusal> {
    if !(0.0..=60.0).contains(&pace) {
        return Err(Refusal::unusable("the pace is 0 to 60 seconds"));
    }
    Ok(Duration::from_secs_f64(pace))
}
