//! Writing the match of a table down.
//!
//! A match is written down when it ends, however it ends, and when its table is closed after a move
//! was made; one that did not end by the rules is aborted in its record. What is taken back after
//! that and ends again is another match.

use paidia_arena::MatchEnd;
use paidia_arena::record::{MatchRecord, match_id};
use serde_json::json;

use super::game::{Recording, TableMatch};
use super::seat::Occupant;
use crate::web::keep::Line;

impl TableMatch {
    /// The record, if there is something to be written down.
    pub(super) fn take_record(&mut self) -> Option<MatchRecord> {
        if self.recording != Recording::Open || !self.is_over() || self.ply() == 0 {
            return None;
        }
        self.recording = Recording::Writing;
        let mut record = self
            .recorder
            .clone()
            .finish(self.played.end().unwrap_or(&MatchEnd::Cut));
        let game = record.game_name.clone().unwrap_or_default();
        // Two tables may end at the same time.
        record.match_id = format!("{}-{}", match_id(&game), record.match_id);
        let name = |seat: &Occupant| Some(seat.name().unwrap_or_else(|| "random".to_owned()));
        record.player_names_from_host = self.seats.iter().map(name).collect();
        let thinking = |seat: &Occupant| match seat {
            Occupant::Player(_) => format!("{} s", self.seconds.as_secs_f64()),
            Occupant::Human | Occupant::Chance => String::new(),
        };
        record.thinking = self.seats.iter().map(thinking).collect();
        let made = self.frames.iter().filter_map(|frame| frame.made.as_ref());
        let thoughts = made.map(|made| {
            let parts = made.by.iter();
            let part = |decision| serde_json::to_value(decision).unwrap_or_default();
            parts.map(part).collect()
        });
        record.thoughts = thoughts.collect();
        Some(record)
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
        self.tell_all("recorded", &told);
        if let Ok(id) = &written {
            self.journal.note(&Line::Recorded(id.clone()));
        }
        self.recording = Recording::Done(written);
    }
}
