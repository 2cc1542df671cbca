//! Writing down a match while it is played.

use std::time::{SystemTime, UNIX_EPOCH};

use paidia_game::{Chance, Legible};

use super::format::MatchRecord;
use crate::contest::hash;
use crate::referee::{Move, Result as MatchResult};

/// What is known before the first move.
#[derive(Clone, Debug, Default)]
pub struct Heading {
    /// The name of the match; made of the game, the time and the process if it is empty.
    pub id: String,
    /// What the game is called.
    pub game: String,
    /// The rules, if they are to be in the record.
    pub rules: Option<String>,
    /// The tournament.
    pub tournament: Option<String>,
    /// For each role who plays it; `None` for the role `random`.
    pub players: Vec<Option<String>>,
    /// For each role how much thinking a move has.
    pub thinking: Vec<String>,
    /// Seconds before the first move and for each move, if there is a clock.
    pub clocks: Option<(f64, f64)>,
}

/// Writes down a match.
pub struct Recorder<G: Legible> {
    game: G,
    record: MatchRecord,
}

impl<G: Legible> Recorder<G> {
    /// Begins a record; the match starts in `state`.
    pub fn new(game: &G, heading: Heading, state: &G::State) -> Self {
        let start_time = now();
        let id = if heading.id.is_empty() {
            let process = std::process::id();
            format!("paidia.{}.{start_time}-{process}", heading.game)
        } else {
            heading.id
        };
        let (start_clock, play_clock) = heading.clocks.unwrap_or_default();
        let roles = &game.facts().roles;
        let record = MatchRecord {
            random_token: token(&format!("{id} {start_time}")),
            match_id: id,
            start_time,
            game_name: Some(heading.game),
            game_role_names: Some(roles.clone()),
            game_rulesheet: heading.rules,
            tournament_name_from_host: heading.tournament,
            player_names_from_host: heading
                .players
                .into_iter()
                .map(|name| Some(name.unwrap_or_else(|| "random".to_owned())))
                .collect(),
            thinking: heading.thinking,
            preview_clock: -1,
            // The format has whole seconds.
            start_clock: start_clock.ceil() as i64,
            play_clock: play_clock.ceil() as i64,
            states: vec![game.fluents(state)],
            state_times: vec![start_time],
            errors: vec![vec![String::new(); roles.len()]],
            ..MatchRecord::default()
        };
        Self {
            game: game.clone(),
            record,
        }
    }

    /// Adds a joint move and the state it led to.
    pub fn step(&mut self, moves: &[Move], state: &G::State) {
        let name = |id| self.game.moves().name(id).to_string();
        let parts = moves.iter().map(|made| name(made.id)).collect();
        let error = |made: &Move| {
            let refused = made.refused.map(|id| format!("IL {}", name(id)));
            refused.unwrap_or_default()
        };
        let errors = moves.iter().map(error).collect();
        self.record.moves.push(parts);
        self.record.errors.push(errors);
        self.record.states.push(self.game.fluents(state));
        self.record.state_times.push(now());
    }

    /// The record of the match, which ended like this.
    pub fn finish(mut self, result: &MatchResult) -> MatchRecord {
        match result {
            MatchResult::Over(goals) => {
                self.record.is_completed = true;
                let goals: Option<Vec<i32>> = goals.iter().map(|goal| goal.value()).collect();
                // The format has a number for each role or none at all.
                self.record.goal_values = goals.unwrap_or_default();
            }
            _ => self.record.is_aborted = true,
        }
        self.record
    }
}

/// Milliseconds since 1970.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis() as i64)
}

/// 32 letters and digits, as ggp-base has them.
fn token(name: &str) -> String {
    const LETTERS: &[u8; 62] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    let mut chance = Chance::from_seed(hash(name.as_bytes()));
    (0..32)
        .filter_map(|_| chance.pick(LETTERS).map(char::from))
        .collect()
}
