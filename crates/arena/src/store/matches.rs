//! A recorded match as a row.

use serde::{Deserialize, Serialize};

use crate::record::MatchRecord;
use crate::table::quoted;

/// What the database knows about a recorded match; the record itself is a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchRow {
    /// The name of the match.
    pub id: String,
    /// The game.
    pub game: String,
    /// The tournament, if it was part of one.
    pub tournament: Option<String>,
    /// When it began, in milliseconds since 1970.
    pub started: i64,
    /// The roles.
    pub roles: Vec<String>,
    /// For each role the name of its player.
    pub players: Vec<String>,
    /// What each role got; empty if the match has no result.
    pub goals: Vec<i32>,
    /// Joint moves.
    pub steps: usize,
    /// How many moves the referee had to replace.
    pub errors: usize,
    /// Whether it ended by the rules.
    pub completed: bool,
    /// The file of the record, as seen from the folder of the database.
    pub file: String,
}

/// Which recorded matches are asked for; what is not said does not matter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MatchQuery {
    /// The game.
    pub game: Option<String>,
    /// A player that took part.
    pub player: Option<String>,
    /// The tournament.
    pub tournament: Option<String>,
}

impl MatchRow {
    /// The row of a record that is in this file.
    pub fn new(record: &MatchRecord, file: &str) -> Self {
        let unknown = || "?".to_owned();
        let game = record.game_name.clone();
        let players = record.player_names_from_host.iter();
        Self {
            id: record.match_id.clone(),
            game: game
                .or_else(|| record.game_meta_url.clone())
                .unwrap_or_else(unknown),
            tournament: record.tournament_name_from_host.clone(),
            started: record.start_time,
            roles: record.game_role_names.clone().unwrap_or_default(),
            players: players
                .map(|name| name.clone().unwrap_or_else(unknown))
                .collect(),
            goals: record.goal_values.clone(),
            steps: record.moves.len(),
            errors: record.error_count(),
            completed: record.is_completed,
            file: file.to_owned(),
        }
    }

    /// The head of [`Self::csv`].
    pub const CSV_HEAD: &str =
        "match,game,tournament,started,roles,players,goals,steps,errors,completed,file";

    /// The row as comma-separated values; lists are separated by spaces.
    pub fn csv(&self) -> String {
        let goals: Vec<String> = self.goals.iter().map(ToString::to_string).collect();
        let cells = [
            quoted(&self.id),
            quoted(&self.game),
            quoted(self.tournament.as_deref().unwrap_or_default()),
            self.started.to_string(),
            quoted(&self.roles.join(" ")),
            quoted(&self.players.join(" ")),
            goals.join(" "),
            self.steps.to_string(),
            self.errors.to_string(),
            self.completed.to_string(),
            quoted(&self.file),
        ];
        cells.join(",")
    }
}
