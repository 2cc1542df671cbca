//! Writing the match of a table down.
//!
//! A match is written down when it ends, however it ends, and when its table is closed after a move was made; one that did not end by the rules
//! is aborted in its record. What is taken back after that and ends again is another match.

use paidia_arena::MatchEnd;
use paidia_arena::record::{MatchRecord, match_id};
use paidia_game::{Goal, RoleId};
use serde_json::json;

use super::game::{Match, Recording};
use super::seat::Seat;
use crate::web::events::event;

impl Match {
    /// The record, if there is something to be written down.
    pub(super) fn take_record(&mut self) -> Option<MatchRecord> {
        if self.recording != Recording::Open || !self.is_over() || self.ply() == 0 {
            return None;
        }
        self.recording = Recording::Writing;
        let mut record = self.recorder.clone().finish(&self.result());
        let game = record.game_name.clone().unwrap_or_default();
        // Two tables may end at the same time.
        record.match_id = format!("{}-{}", match_id(&game), record.match_id);
        let name = |seat: &Seat| Some(seat.name().unwrap_or_else(|| "random".to_owned()));
        record.player_names_from_host = self.seats.iter().map(name).collect();
        let thinking = |seat: &Seat| match seat {
            Seat::Player(_) => format!("{} s", self.seconds.as_secs_f64()),
            Seat::Human | Seat::Chance => String::new(),
        };
        record.thinking = self.seats.iter().map(thinking).collect();
        let made = self
            .stops
            .iter()
            .filter_map(|stop| stop.frame.made.as_ref());
        let thoughts = made.map(|made| {
            let parts = made.by.iter();
            let part = |decision| serde_json::to_value(decision).unwrap_or_default();
            parts.map(part).collect()
        });
        record.thoughts = thoughts.collect();
        Some(record)
    }

    /// How the match ended, for its record.
    fn result(&self) -> MatchEnd {
        let frame = &self.stops[self.ply()].frame;
        let goal = |goal: &Option<i32>| goal.map_or(Goal::None, Goal::One);
        match (frame.ended.as_deref(), &frame.goals) {
            (Some("over"), Some(goals)) => MatchEnd::Over(goals.iter().map(goal).collect()),
            (Some("stuck"), _) => MatchEnd::Stuck(RoleId(0)),
            _ => MatchEnd::Cut,
        }
    }

    /// Takes in that the match was written down, by this name, or why not.
    pub(super) fn recorded(&mut self, written: Result<String, String>) {
        if self.recording != Recording::Writing {
            // It was taken back meanwhile, and is another match now.
            return;
        }
        let told = match &written {
            Ok(id) => json!({"match": id}),
            Err(error) => json!({"match": null, "error": error}),
        };
        self.news.push(event("recorded", &told));
        self.recording = Recording::Done(written);
    }
}
