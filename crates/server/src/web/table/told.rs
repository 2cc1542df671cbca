//! What is told about a match: how things are, and what happens.

use hyper::body::Bytes;
use serde::Serialize;

use super::game::{Match, Recording};
use super::seat::Seat;
use crate::web::events::event;
use crate::web::frame::Frame;

impl Match {
    /// The last position, as an event: whatever comes after the one before it is to be dropped.
    pub(super) fn frame_event(&self) -> Bytes {
        #[derive(Serialize)]
        struct View<'a> {
            at: i64,
            #[serde(flatten)]
            frame: &'a Frame,
        }
        event(
            "frame",
            &View {
                at: self.ply() as i64 - 1,
                frame: self.last(),
            },
        )
    }

    /// Who sits where, as the page writes it.
    pub(super) fn seat_names(&self) -> Vec<Option<String>> {
        self.seats.iter().map(Seat::name).collect()
    }

    /// How things are.
    pub(super) fn snapshot(&self) -> Snapshot<'_> {
        Snapshot {
            seats: self.seat_names(),
            seconds: self.seconds.as_secs_f64(),
            pace: self.pace.as_secs_f64(),
            paused: self.paused,
            thinking: self.thinking.into_iter().collect(),
            pending: self.pending(),
            record: match &self.recording {
                Recording::Done(Ok(id)) => Some(id),
                _ => None,
            },
            frames: self.stops.iter().map(|stop| &stop.frame).collect(),
        }
    }
}

/// How things are at a table.
#[derive(Serialize)]
pub(super) struct Snapshot<'a> {
    seats: Vec<Option<String>>,
    seconds: f64,
    pace: f64,
    paused: bool,
    thinking: Vec<usize>,
    /// The roles that have chosen already.
    pending: Vec<usize>,
    /// The name of the record, once the match is written down.
    #[serde(rename = "match")]
    record: Option<&'a String>,
    frames: Vec<&'a Frame>,
}
