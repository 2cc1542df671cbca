//! Writing down a match while it is played.

use std::time::{SystemTime, UNIX_EPOCH};

use paidia_game::{Chance, Game, Legible};

use super::format::{MatchRecord, file_name};
use crate::contest::hash;
use crate::engine::EngineNote;
use crate::playing::{MatchEnd, Move};
use crate::seat::Failure;

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
    /// For each role the name of its player; `None` for the role `random`.
    pub players: Vec<Option<String>>,
    /// For each role how much thinking a move has.
    pub thinking: Vec<String>,
    /// Which engine plays, if that is to be in the record.
    pub engine: Option<EngineNote>,
    /// Seconds before the first move and for each move, if there is a clock.
    pub clocks: Option<(f64, f64)>,
    /// Seconds for a look at the rules before the start, if players got such.
    pub preview: Option<u64>,
    /// Whether players elsewhere see other names than the rules have.
    pub scrambled: bool,
}

/// Writes down a match.
#[derive(Clone)]
pub struct Recorder<G: Game + Legible> {
    game: G,
    record: MatchRecord,
}

impl<G: Game + Legible> Recorder<G> {
    /// Begins a record; the match starts in `state`.
    pub fn new(game: &G, heading: Heading, state: &G::State) -> Self {
        let start_time = now();
        let id = if heading.id.is_empty() {
            match_id(&heading.game)
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
            engine: heading.engine,
            preview_clock: heading.preview.map_or(-1, |seconds| seconds as i64),
            scrambled: heading.scrambled,
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

    /// Notes what went wrong at the start, for each role.
    pub fn open(&mut self, failures: &[Option<Failure>]) {
        let mut errors = errors(failures.iter().map(Option::as_ref));
        errors.resize(self.game.facts().roles.len(), String::new());
        self.record.errors[0] = errors;
    }

    /// Adds a joint move and the state it led to.
    pub fn step(&mut self, moves: &[Move], state: &G::State) {
        let name = |id| self.game.moves().name(id).to_string();
        let parts = moves.iter().map(|made| name(made.id)).collect();
        self.record.moves.push(parts);
        let failures = moves.iter().map(|made| made.failure.as_ref());
        self.record.errors.push(errors(failures));
        self.record.states.push(self.game.fluents(state));
        self.record.state_times.push(now());
    }

    /// Forgets everything after the first `to` joint moves.
    pub fn take_back(&mut self, to: usize) {
        let record = &mut self.record;
        record.moves.truncate(to);
        record.errors.truncate(to + 1);
        record.states.truncate(to + 1);
        record.state_times.truncate(to + 1);
    }

    /// The record of the match, which ended like this.
    pub fn finish(mut self, result: &MatchEnd) -> MatchRecord {
        match result {
            MatchEnd::Over(goals) => {
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

/// A name for a match of a game that starts now, made of the game, the time and the process.
pub fn match_id(game: &str) -> String {
    format!(
        "paidia.{}.{}-{}",
        file_name(game),
        now(),
        std::process::id()
    )
}

/// What went wrong, as the format has it.
fn errors<'a>(failures: impl Iterator<Item = Option<&'a Failure>>) -> Vec<String> {
    failures
        .map(|failure| failure.map_or_else(String::new, Failure::code))
        .collect()
}

/// Milliseconds since 1970.
pub(crate) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis() as i64)
}

/// 32 letters and digits, as ggp-base has them.
pub(crate) fn token(name: &str) -> String {
    const LETTERS: &[u8; 62] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    let mut chance = Chance::from_seed(hash(name.as_bytes()));
    (0..32)
        .filter_map(|_| chance.pick(LETTERS).map(char::from))
        .collect()
}
