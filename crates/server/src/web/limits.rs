//! How much visitors may ask for.

use std::thread::available_parallelism;

use serde::Serialize;

/// How much visitors may ask for, all of them together. Requests for more are refused with the
/// reason.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Limits {
    /// Connections at a time.
    pub connections: usize,
    /// Those of them that listen to what happens.
    pub listeners: usize,
    /// Bytes of a question.
    pub body_bytes: usize,
    /// Short questions that are worked on at a time; others wait for them.
    pub workers: usize,
    /// Long questions, such as analyses, that are worked on or wait for their turn.
    pub questions: usize,
    /// Games that were pasted and are kept; the oldest is forgotten first.
    pub pasted_games: usize,
    /// Tables at a time; one that has no visitors is put away for another.
    pub tables: usize,
    /// Matches that were begun and are kept; the oldest is broken off when there are more.
    pub unfinished: usize,
    /// Seconds after which a table without visitors is put away.
    pub idle_seconds: u64,
    /// Joint moves of a line, and of a match before it is cut.
    pub line_length: usize,
    /// Searches at a time; others wait for them.
    pub searches: usize,
    /// Seconds of a search.
    pub search_seconds: f64,
    /// Megabytes that a player may ask for; the default is a quarter of it.
    pub search_megabytes: usize,
    /// Seconds of random playouts.
    pub statistics_seconds: f64,
    /// Tournaments that are remembered; one at a time is played.
    pub tournaments: usize,
    /// Games of a tournament.
    pub tournament_games: usize,
    /// Players of a tournament.
    pub tournament_players: usize,
    /// Matches of a tournament.
    pub tournament_matches: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 512,
            listeners: 256,
            body_bytes: 1 << 20,
            workers: 4,
            questions: 16,
            pasted_games: 64,
            tables: 32,
            unfinished: 200,
            idle_seconds: 900,
            line_length: 1_000,
            searches: available_parallelism().map_or(1, usize::from),
            search_seconds: 60.0,
            search_megabytes: 256,
            statistics_seconds: 10.0,
            tournaments: 32,
            tournament_games: 16,
            tournament_players: 8,
            tournament_matches: 400,
        }
    }
}
