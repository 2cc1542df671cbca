//! Matches in real time in the format of all records.

use paidia_realtime::TimedRecord;
use paidia_realtime::record::{RecordedUpdate, follow};
use paidia_reason::timed::Timed;

use crate::record::{Heading, MAX_STEPS, MatchRecord, match_id, now, token};

/// What stands for the move of a role that made none.
const NO_MOVE: &str = "nil";

/// The record of a match in real time. The updates stand as states and moves, too, for programs
/// that know of turns alone: what a role did not do is `nil`.
pub fn match_record(heading: Heading, timed: TimedRecord) -> MatchRecord {
    let ended = now();
    let id = match heading.id.is_empty() {
        true => match_id(&heading.game),
        false => heading.id,
    };
    let facts = |update: &RecordedUpdate| {
        let facts = update.state.iter().map(|(_, fact)| fact.clone());
        facts.collect::<Vec<String>>()
    };
    let parts = |update: &RecordedUpdate| {
        let made = timed.roles.iter().map(|role| update.moves.get(role));
        let parts = made.map(|part| part.map_or(NO_MOVE.to_owned(), Clone::clone));
        parts.collect::<Vec<String>>()
    };
    let updates = &timed.updates[..timed.updates.len().min(MAX_STEPS)];
    let moves: Vec<Vec<String>> = updates.iter().skip(1).map(parts).collect();
    let goals: Option<Vec<i32>> = timed.goal_values.iter().copied().collect();
    let elapsed = timed.play_clock * timed.end.parse::<f64>().unwrap_or(0.0) * 1_000.0;
    let start_time = ended - elapsed as i64;
    let players = heading.players.into_iter();
    MatchRecord {
        random_token: token(&format!("{id} {start_time}")),
        match_id: id,
        start_time,
        game_name: Some(heading.game),
        game_role_names: Some(timed.roles.clone()),
        game_rulesheet: heading.rules,
        tournament_name_from_host: heading.tournament,
        player_names_from_host: players
            .map(|name| Some(name.unwrap_or_else(|| "random".to_owned())))
            .collect(),
        thinking: heading.thinking,
        preview_clock: -1,
        play_clock: timed.play_clock.ceil() as i64,
        is_completed: timed.is_completed,
        is_aborted: !timed.is_completed,
        states: updates.iter().map(facts).collect(),
        errors: vec![vec![String::new(); timed.roles.len()]; moves.len() + 1],
        state_times: vec![start_time; moves.len() + 1],
        goal_values: goals.filter(|_| timed.is_completed).unwrap_or_default(),
        moves,
        real_time: Some(Box::new(timed)),
        ..MatchRecord::default()
    }
}

/// Plays the record of a match in real time again; how many updates it has.
///
/// # Errors
/// Says where the match differs from the record, or why the record cannot be followed.
pub fn verify_in_time(game: &Timed, record: &TimedRecord) -> Result<u64, String> {
    follow(game, record)
}
