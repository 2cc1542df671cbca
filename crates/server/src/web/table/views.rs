//! What is sent about a match on which channel: snapshots and events.
//!
//! Where nothing is hidden there is one channel, and all listeners get the same. Where a game hides
//! things each role has a channel, beside the one of the watchers. As long as a person plays, a
//! role's channel tells what this role may know, and watchers are told nothing of the positions;
//! when the match is over, everything is sent on all channels.

use hyper::body::Bytes;
use serde::Serialize;
use serde_json::json;

use super::clock::ClockView;
use super::game::{Recording, TableMatch};
use super::seat::Occupant;
use crate::web::events::event;
use crate::web::frame::Frame;

/// What may be seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum View {
    /// Everything.
    Whole,
    /// What this role may know.
    Role(usize),
    /// The seats, and nothing of the positions but the first.
    Outside,
}

impl TableMatch {
    /// How many channels there are; the last is that of the watchers.
    pub(super) fn channels(&self) -> usize {
        match self.hides() {
            true => self.seats.len() + 1,
            false => 1,
        }
    }

    /// The channel of clients that ask for a role.
    pub(super) fn channel_of(&self, role: Option<usize>) -> usize {
        let watchers = self.channels() - 1;
        role.filter(|&role| role < watchers).unwrap_or(watchers)
    }

    /// What is seen on a channel now.
    fn view(&self, channel: usize) -> View {
        match self.seats.get(channel) {
            _ if !self.is_secret() => View::Whole,
            Some(Occupant::Human) => View::Role(channel),
            _ => View::Outside,
        }
    }

    /// Sends an event on each channel, if there is one for its view.
    fn send(&mut self, make: impl Fn(&Self, View, usize) -> Option<Bytes>) {
        for channel in 0..self.channels() {
            if let Some(event) = make(self, self.view(channel), channel) {
                self.news.push((channel, event));
            }
        }
    }

    /// Tells something that is no secret.
    pub(super) fn tell_all(&mut self, name: &str, data: &impl Serialize) {
        self.send(|_, _, _| Some(event(name, data)));
    }

    /// Sends an event to listeners that may see everything.
    pub(super) fn tell_watchers(&mut self, name: &str, data: &impl Serialize) {
        self.send(|_, view, _| (view == View::Whole).then(|| event(name, data)));
    }

    /// Tells the last position: whatever comes after the one before it is to be dropped.
    pub(super) fn tell_frame(&mut self) {
        #[derive(Serialize)]
        struct Arrival<'a> {
            at: i64,
            #[serde(flatten)]
            frame: &'a Frame,
        }
        if self.hides() && self.has_people() && self.is_over() {
            // All that was hidden is shown now, from the start on.
            return self.tell_snapshot();
        }
        self.send(|game, view, _| {
            let frame = game.frames_of(view).last()?;
            let at = frame.ply as i64 - 1;
            (view != View::Outside).then(|| event("frame", &Arrival { at, frame }))
        });
    }

    /// Tells how things are.
    pub(super) fn tell_snapshot(&mut self) {
        self.send(|game, _, channel| Some(event("snapshot", &game.snapshot(channel))));
    }

    /// Sends which roles have chosen, where others have not; a view of one role has its own choice
    /// alone, whatever the others do.
    pub(super) fn tell_pending(&mut self, role: usize) {
        let is_waiting = self.pending().len() < self.last().turn.len();
        self.send(|game, view, _| {
            let is_told = match view {
                View::Whole => is_waiting,
                View::Role(own) => own == role,
                View::Outside => false,
            };
            let pending = || json!({"pending": game.pending_of(view)});
            is_told.then(|| event("pending", &pending()))
        });
    }

    fn pending_of(&self, view: View) -> Vec<usize> {
        let mut pending = self.pending();
        match view {
            View::Whole => {}
            View::Role(own) => pending.retain(|&role| role == own),
            View::Outside => pending.clear(),
        }
        pending
    }

    fn frames_of(&self, view: View) -> &[Frame] {
        match view {
            View::Whole => &self.frames,
            View::Role(role) => self.own.get(&role).map_or(&[], |own| &own.frames),
            View::Outside => &[],
        }
    }

    /// The seats, as the page writes them.
    pub(super) fn seat_names(&self) -> Vec<Option<String>> {
        self.seats.iter().map(Occupant::name).collect()
    }

    /// How things are, as seen on a channel.
    pub(super) fn snapshot(&self, channel: usize) -> Snapshot<'_> {
        let view = self.view(channel);
        let thinking = self.thinking.filter(|_| view == View::Whole);
        Snapshot {
            seats: self.seat_names(),
            taken: self.taken(),
            seconds: self.seconds.as_secs_f64(),
            pace: self.pace.as_secs_f64(),
            paused: self.paused,
            thinking: thinking.into_iter().collect(),
            pending: self.pending_of(view),
            record: match &self.recording {
                Recording::Done(Ok(id)) => Some(id),
                _ => None,
            },
            secret: self.is_secret(),
            unkept: self.journal.failure(),
            role: match view {
                View::Role(role) => Some(role),
                View::Whole | View::Outside => None,
            },
            clock: self.clock_view(),
            frames: self.frames_of(view),
        }
    }
}

/// How things are at a table.
#[derive(Serialize)]
pub(super) struct Snapshot<'a> {
    seats: Vec<Option<String>>,
    /// The roles that a person has taken.
    taken: Vec<usize>,
    seconds: f64,
    pace: f64,
    paused: bool,
    thinking: Vec<usize>,
    /// The roles that have chosen already.
    pending: Vec<usize>,
    /// The name of the record, once the match is written down.
    #[serde(rename = "match")]
    record: Option<&'a String>,
    /// Whether people play in a game that hides things; then positions are sent to clients that ask
    /// for a person's role.
    secret: bool,
    /// Why the match is lost when the arena closes, if it would be.
    #[serde(skip_serializing_if = "Option::is_none")]
    unkept: Option<&'a str>,
    /// The role whose view this is, where things are secret.
    role: Option<usize>,
    /// The clocks, where there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    clock: Option<ClockView>,
    frames: &'a [Frame],
}
