//! A table in real time.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, OnceLock};
use std::thread;
use std::time::Instant;

use paidia_arena::realtime::{
    ElsewhereInTime, TimedInvitation, TimedMatch, USUAL_END, USUAL_REACTION, match_record, play,
};
use paidia_arena::record::{Heading, MatchRecord};
use paidia_arena::rules::Ruleset;
use paidia_arena::{BadPlayer, Guest};
use paidia_game::{RoleId, Rules, Ticks, TimedGame, TimedWalker};
use paidia_realtime::clock::Pace;
use paidia_realtime::live::{Line, Sent};
use paidia_realtime::{Entry, TimedRecord, TimedRecorder, Watch};
use paidia_reason::timed::{Timed, Walker};
use serde::Serialize;
use tokio::sync::Semaphore;

use super::replay::Replay;
use super::views::{MomentView, SeatView, TableLine, TimedCamera};
use crate::threads::{STACK_BYTES, lock};
use crate::web::events::{Channel, Listener, event};
use crate::web::matches::Records;
use crate::web::refusal::Refusal;

/// The address that stands for the person in a seat.
const SEAT: &str = "seat://";

/// What a seat of a person is called at the table, and in records.
const PERSON: &str = "person";
const HUMAN: &str = "human";

/// Who has a seat.
#[derive(Clone)]
pub(super) enum SeatKind {
    /// No one yet.
    Open,
    /// A person who knows this token.
    Person(String),
    /// A player.
    Player(Guest),
}

/// A table.
pub(super) struct LiveTable {
    id: String,
    rules: Ruleset,
    game: Timed,
    pace: f64,
    /// For each player's role.
    seats: Mutex<Vec<SeatKind>>,
    camera: Mutex<TimedCamera>,
    /// What all listeners are told.
    public: Channel,
    /// What each player's role is told where the game hides things.
    own: Vec<Channel>,
    /// The newest moment, for spectators and for each player's role.
    latest: Mutex<(Option<MomentView>, Vec<Option<MomentView>>)>,
    /// Where moves go, by player's role.
    hosts: Mutex<Vec<Option<Sender<Sent>>>>,
    began: OnceLock<Instant>,
    stop: AtomicBool,
    record: OnceLock<MatchRecord>,
    /// Where it is written down.
    records: Records,
    /// Why it could not be written down, if that is so.
    unkept: OnceLock<String>,
}

/// All that a browser needs to show a table.
#[derive(Serialize)]
pub(super) struct Snapshot {
    id: String,
    game: String,
    title: String,
    rules: String,
    roles: Vec<String>,
    seats: Vec<SeatView>,
    /// The player's role that the asker has.
    seat: Option<usize>,
    pace: f64,
    hidden: bool,
    begun: bool,
    over: bool,
    now: Option<f64>,
    scene: paidia_picture::Scene,
    moment: Option<MomentView>,
}

/// A match that is over.
#[derive(Serialize)]
pub(super) struct Again {
    #[serde(flatten)]
    replay: Replay,
    /// Its name among all matches that were written down.
    #[serde(rename = "match")]
    match_id: Option<String>,
    /// Why it was not written down, if that is so.
    unkept: Option<String>,
}

impl LiveTable {
    pub(super) fn new(
        id: &str,
        rules: Ruleset,
        game: Timed,
        seats: Vec<SeatKind>,
        pace: f64,
        records: Records,
    ) -> Self {
        let count = seats.len();
        Self {
            id: id.to_owned(),
            camera: Mutex::new(TimedCamera::new(&rules, &game)),
            rules,
            game,
            pace,
            seats: Mutex::new(seats),
            public: Channel::new(),
            own: (0..count).map(|_| Channel::new()).collect(),
            latest: Mutex::new((None, vec![None; count])),
            hosts: Mutex::new(vec![None; count]),
            began: OnceLock::new(),
            stop: AtomicBool::new(false),
            record: OnceLock::new(),
            records,
            unkept: OnceLock::new(),
        }
    }

    /// Whether it can make room for another.
    pub(super) fn is_spare(&self) -> bool {
        self.record.get().is_some() || self.began.get().is_none()
    }

    pub(super) fn line(&self) -> TableLine {
        TableLine {
            id: self.id.clone(),
            game: self.rules.name().to_owned(),
            title: self.rules.title().to_owned(),
            seats: self.seat_views(),
            begun: self.began.get().is_some(),
            over: self.record.get().is_some(),
        }
    }

    fn roles(&self) -> Vec<RoleId> {
        self.game.facts().players().collect()
    }

    fn seat_views(&self) -> Vec<SeatView> {
        let seats = lock(&self.seats);
        let views = self
            .roles()
            .into_iter()
            .zip(&*seats)
            .map(|(role, seat)| SeatView {
                role: self.game.facts().role_name(role).to_owned(),
                who: match seat {
                    SeatKind::Open => "open".to_owned(),
                    SeatKind::Person(_) => PERSON.to_owned(),
                    SeatKind::Player(guest) => guest.to_string(),
                },
            });
        views.collect()
    }

    /// The seat of the person with a token.
    pub(super) fn seated(&self, token: &str) -> Option<usize> {
        let is_own = |seat: &SeatKind| matches!(seat, SeatKind::Person(own) if own == token);
        lock(&self.seats).iter().position(is_own)
    }

    /// The game time now; none before the match.
    pub(super) fn now(&self) -> Option<f64> {
        let began = self.began.get()?;
        Some(began.elapsed().as_secs_f64() / self.pace)
    }

    pub(super) fn snapshot(&self, seat: Option<usize>) -> Snapshot {
        let hidden = self.game.is_hidden();
        let latest = lock(&self.latest);
        let moment = match (hidden, seat) {
            (true, Some(seat)) => latest.1.get(seat).cloned().flatten(),
            _ => latest.0.clone(),
        };
        drop(latest);
        let metadata = self.rules.metadata();
        Snapshot {
            id: self.id.clone(),
            game: self.rules.name().to_owned(),
            title: self.rules.title().to_owned(),
            rules: metadata.map_or(String::new(), |facts| facts.rules.clone()),
            roles: self.game.facts().roles.clone(),
            seats: self.seat_views(),
            seat,
            pace: self.pace,
            hidden,
            begun: self.began.get().is_some(),
            over: self.record.get().is_some(),
            now: self.now(),
            scene: lock(&self.camera).scene.clone(),
            moment,
        }
    }

    /// What happens from now on, for a seat or for spectators.
    pub(super) fn listen(
        &self,
        seat: Option<usize>,
        places: &Arc<Semaphore>,
    ) -> Result<Listener, Refusal> {
        // The channel first, so that nothing happens between the snapshot and what follows it.
        let channel = match (self.game.is_hidden(), seat) {
            (true, Some(seat)) => &self.own[seat],
            _ => &self.public,
        };
        let first = event("table", &self.snapshot(seat));
        channel.listen(first, places)
    }

    /// Lets a person take an open seat; the token with which moves are made.
    pub(super) fn join(table: &Arc<Self>, seat: usize) -> Result<String, Refusal> {
        let mut bytes = [0_u8; 16];
        getrandom::fill(&mut bytes)
            .map_err(|_| Refusal::unusable("the system has no random numbers"))?;
        let token: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        {
            let mut seats = lock(&table.seats);
            match seats.get_mut(seat) {
                None => return Err(Refusal::bad("there is no such seat")),
                Some(open @ SeatKind::Open) => *open = SeatKind::Person(token.clone()),
                Some(_) => return Err(Refusal::conflict("this seat is taken")),
            }
        }
        table.tell_seats();
        Self::begin_if_full(table);
        Ok(token)
    }

    fn tell_seats(&self) {
        let seats = event("seats", &self.seat_views());
        self.public.tell(seats.clone());
        self.own
            .iter()
            .for_each(|channel| channel.tell(seats.clone()));
    }

    /// Begins the match if no seat is open.
    pub(super) fn begin_if_full(table: &Arc<Self>) {
        let is_open = |seat: &SeatKind| matches!(seat, SeatKind::Open);
        if lock(&table.seats).iter().any(is_open) || table.began.set(Instant::now()).is_err() {
            return;
        }
        let host = Arc::clone(table);
        let builder = thread::Builder::new().stack_size(STACK_BYTES);
        let spawned = builder.name("live".to_owned()).spawn(move || host.play());
        if spawned.is_err() {
            table.end();
        }
    }

    /// The whole match.
    fn play(self: &Arc<Self>) {
        let roles = self.roles();
        let seated = Arc::clone(self);
        let elsewhere: ElsewhereInTime = Arc::new(move |invitation: &TimedInvitation<'_>| {
            let place = seated
                .roles()
                .iter()
                .position(|&role| role == invitation.role);
            let place = place.ok_or_else(|| BadPlayer::Elsewhere("no such seat".to_owned()))?;
            lock(&seated.hosts)[place] = Some(invitation.host.clone());
            Ok(Box::new(Browser))
        });
        let seats = lock(&self.seats).clone();
        let guests = seats.iter().map(|seat| match seat {
            SeatKind::Player(guest) => (guest.clone(), None),
            _ => (Guest::Elsewhere(SEAT.to_owned()), None),
        });
        let guests = guests.collect::<Vec<_>>();
        let blank = TimedRecord {
            play_clock: self.pace,
            ..TimedRecord::default()
        };
        let mut watch = Spectator {
            table: self,
            recorder: TimedRecorder::new(&self.game, blank),
            roles,
            number: 0,
            legal: Vec::new(),
        };
        let settings = TimedMatch {
            id: &self.id,
            pace: Some(Pace { seconds: self.pace }),
            until: Ticks::from_units(USUAL_END),
            reaction: Ticks::from_units(USUAL_REACTION),
            seed: self
                .began
                .get()
                .map_or(1, |began| began.elapsed().as_nanos() as u64)
                ^ u64::from(std::process::id()),
            stop: &self.stop,
            elsewhere: Some(&elsewhere),
        };
        let outcome = play(&self.game, &guests, &settings, &mut watch);
        let Ok((outcome, _)) = outcome else {
            return self.end();
        };
        let record = watch.recorder.finish(&outcome);
        // The end of a hidden match is told to all.
        let last = MomentView {
            number: record.updates.len(),
            legal: vec![Vec::new(); guests.len()],
            ..Replay::last(&self.rules, &self.game, &record)
        };
        self.write_down(record);
        lock(&self.hosts).fill(None);
        let told = event("moment", &last);
        let mut latest = lock(&self.latest);
        latest.0 = Some(last.clone());
        latest.1.fill(Some(last));
        drop(latest);
        self.public.tell(told.clone());
        self.own
            .iter()
            .for_each(|channel| channel.tell(told.clone()));
    }

    /// Keeps the record of the match, and writes it down with all others.
    fn write_down(&self, timed: TimedRecord) {
        let record = match_record(self.heading(), timed);
        if let Err(why) = self.records.write(&record) {
            let _ = self.unkept.set(why);
        }
        let _ = self.record.set(record);
    }

    /// A move of a person; the game time at which it was received.
    pub(super) fn send(&self, token: &str, text: String) -> Result<Option<f64>, Refusal> {
        let at = Instant::now();
        let seat = self.seated(token);
        let seat = seat.ok_or_else(|| Refusal::bad("this seat is not yours"))?;
        if text.len() > 1_000 {
            return Err(Refusal::bad("a move has at most 1000 characters"));
        }
        let role = self.roles()[seat];
        let host = lock(&self.hosts)[seat].clone();
        let host = host.ok_or_else(|| Refusal::conflict("the match is not being played"))?;
        host.send(Sent { role, text, at })
            .map_err(|_| Refusal::conflict("the match is over"))?;
        Ok(self.now())
    }

    /// Ends the match, if a person who sits at the table wants that.
    pub(super) fn stop(&self, token: &str) -> Result<(), Refusal> {
        if self.seated(token).is_none() {
            return Err(Refusal::bad("only players of the match can end it"));
        }
        self.end();
        Ok(())
    }

    pub(super) fn end(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    fn heading(&self) -> Heading {
        let facts = self.game.facts();
        let mut players = vec![None; facts.roles.len()];
        for (role, seat) in self.roles().into_iter().zip(self.seat_views()) {
            players[role.index()] = Some(match seat.who.as_str() {
                PERSON => HUMAN.to_owned(),
                _ => seat.who,
            });
        }
        Heading {
            game: self.rules.name().to_owned(),
            rules: Some(self.rules.source().text.clone()),
            players,
            ..Heading::default()
        }
    }

    /// The record of the match, after its end.
    pub(super) fn record(&self) -> Result<&MatchRecord, Refusal> {
        let record = self.record.get();
        record.ok_or_else(|| Refusal::conflict("the match is not over"))
    }

    /// The match seen again, after its end.
    pub(super) fn replay(&self) -> Result<Again, Refusal> {
        let record = self.record()?;
        let timed = record.real_time.as_deref();
        let timed = timed.ok_or_else(|| Refusal::unusable("the match was not in real time"))?;
        let unkept = self.unkept.get().cloned();
        Ok(Again {
            replay: Replay::new(&self.rules, &self.game, timed)?,
            match_id: unkept.is_none().then(|| record.match_id.clone()),
            unkept,
        })
    }
}

/// A person's browser, which listens to events and needs no messages.
struct Browser;

impl Line for Browser {
    fn tell(&mut self, _: &str) {}

    fn close(self: Box<Self>) {}
}

/// Tells browsers what happens.
struct Spectator<'a> {
    table: &'a LiveTable,
    recorder: TimedRecorder<Timed>,
    roles: Vec<RoleId>,
    number: usize,
    /// What each player's role may do, as it was told last.
    legal: Vec<Vec<super::views::MoveView>>,
}

impl Watch<Walker> for Spectator<'_> {
    fn entry(&mut self, entry: &Entry, walker: &mut Walker) {
        self.recorder.entry(entry, walker);
        let table = self.table;
        let (time, moves, is_start) = match entry {
            Entry::Start => (Ticks::ZERO, Vec::new(), true),
            Entry::Update(update) => (update.time, update.moves.clone(), false),
            Entry::Illegal { arrival, .. } => {
                let place = self.roles.iter().position(|&role| role == arrival.role);
                let told = event("refused", &arrival.text);
                return match place.filter(|_| table.game.is_hidden()) {
                    Some(place) => table.own[place].tell(told),
                    None => table.public.tell(told),
                };
            }
            _ => return,
        };
        self.number += 1;
        let legal = lock(&table.camera).legal(walker);
        if table.game.is_hidden() {
            self.tell_each(time, &legal, is_start, walker);
        } else {
            let mut state = table.game.initial();
            walker.save(&mut state);
            let lasting = table.game.lasting(&state);
            let (picture, countdowns) = lock(&table.camera).facts(&lasting, time);
            let facts = table.game.facts();
            let moves = moves.iter().map(|&(role, id)| {
                let text = table.game.moves().name(id).to_string();
                (facts.role_name(role).to_owned(), text)
            });
            let moment = MomentView {
                number: self.number,
                time: time.units(),
                picture: Some(picture),
                countdowns,
                moves: moves.collect(),
                expired: walker.expired(),
                legal: legal.clone(),
                ..MomentView::default()
            };
            table.public.tell(event("moment", &moment));
            lock(&table.latest).0 = Some(moment);
        }
        self.legal = legal;
    }
}

impl Spectator<'_> {
    /// Tells each role what it perceives, if that changed, and what it may do.
    fn tell_each(
        &self,
        time: Ticks,
        legal: &[Vec<super::views::MoveView>],
        is_start: bool,
        walker: &mut Walker,
    ) {
        let table = self.table;
        for (place, &role) in self.roles.iter().enumerate() {
            let after = walker.percepts(role);
            let is_told = after != walker.percepts_without(role);
            let is_free = self.legal.get(place) != legal.get(place);
            if !(is_told || is_free || is_start) {
                continue;
            }
            let name = |&id: &paidia_game::PerceptId| table.game.percepts().name(id).to_string();
            let mut own = vec![Vec::new(); legal.len()];
            own[place].clone_from(&legal[place]);
            let moment = MomentView {
                // No number of updates: it would tell that others moved.
                number: 0,
                time: time.units(),
                legal: own,
                percepts: is_told.then(|| after.iter().map(name).collect()),
                ..MomentView::default()
            };
            table.own[place].tell(event("moment", &moment));
            lock(&table.latest).1[place] = Some(moment);
        }
    }
}
