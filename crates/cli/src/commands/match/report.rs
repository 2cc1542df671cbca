//! A match as one JSON object.

use paidia_arena::engine::EngineReport;
use paidia_arena::record::MatchRecord;
use paidia_arena::rules::Ruleset;
use paidia_arena::{Failure, Match, MatchEnd, Move};
use paidia_game::{Game, Legible};
use paidia_realtime::live::Punctuality;
use paidia_realtime::{Outcome, TimedRecord};
use serde::Serialize;

use crate::remote::HelperReport;
use crate::with_players::LoadedGame;

/// The JSON object.
#[derive(Serialize)]
pub(super) struct Report {
    match_id: String,
    game: String,
    #[serde(flatten)]
    engine: EngineReport,
    seed: u64,
    roles: Vec<String>,
    /// For each role its player; none for `random`.
    players: Vec<Option<String>>,
    /// Seconds before the first move and for each; 0 without a clock.
    start_clock: i64,
    play_clock: i64,
    /// Whether players elsewhere saw made-up words.
    scrambled: bool,
    /// For each joint move, each role's move.
    moves: Vec<Vec<String>>,
    /// For each joint move, how long each player thought.
    seconds: Vec<Vec<Option<f64>>>,
    /// What went wrong.
    errors: Vec<Mistake>,
    result: &'static str,
    goals: Vec<Option<i32>>,
    /// What workers elsewhere did.
    workers: Vec<HelperReport>,
}

/// The JSON object of a match in real time.
#[derive(Serialize)]
pub(super) struct TimedReport<'a> {
    game: String,
    result: &'static str,
    time: String,
    update_count: u64,
    goals: Vec<Option<i32>>,
    /// Moves of a flood that were left out.
    flooded: u64,
    /// For expiries on the real clock, how late they were in milliseconds: in the middle, at most.
    late_ms: Option<(f64, f64)>,
    #[serde(flatten)]
    record: &'a TimedRecord,
}

impl<'a> TimedReport<'a> {
    pub(super) fn new(
        rules: &Ruleset,
        outcome: &Outcome,
        punctuality: Option<&Punctuality>,
        record: &'a TimedRecord,
    ) -> Self {
        let late = punctuality.map(|punctuality| {
            let mut late = punctuality.late.clone();
            late.sort_by(f64::total_cmp);
            let middle = late.get(late.len() / 2).copied().unwrap_or(0.0);
            (middle * 1e3, late.last().copied().unwrap_or(0.0) * 1e3)
        });
        Self {
            game: rules.name().to_owned(),
            result: match (outcome.is_over, outcome.fault) {
                (true, _) => "over",
                (false, Some(_)) => "fault",
                (false, None) => "cut",
            },
            time: outcome.time.to_string(),
            update_count: outcome.updates,
            goals: outcome.goals.iter().map(|goal| goal.value()).collect(),
            flooded: punctuality.map_or(0, |punctuality| punctuality.flooded),
            late_ms: late,
            record,
        }
    }
}

/// A move that was drawn because a player did not choose a legal one, or something that went wrong
/// at the start.
#[derive(Serialize)]
struct Mistake {
    /// The number of the joint move; 0 for the start.
    step: usize,
    role: String,
    /// `late`, `connection`, `unreadable` or `illegal`.
    kind: &'static str,
    /// As records have it.
    code: String,
    /// For people.
    what: String,
}

impl Mistake {
    fn new(step: usize, role: &str, failure: &Failure) -> Self {
        Self {
            step,
            role: role.to_owned(),
            kind: failure.kind(),
            code: failure.code(),
            what: failure.to_string(),
        }
    }
}

impl Report {
    /// The object for a match with its seed and its record.
    pub(super) fn new<G: Game + Legible>(
        loaded: &LoadedGame<'_, G>,
        (played, seed): (&Match<G>, u64),
        result: &MatchEnd,
        record: MatchRecord,
    ) -> Self {
        let facts = loaded.playable.game.facts();
        let seconds = |made: &Move| {
            let decision = made.decision.as_ref();
            decision.map(|decision| decision.report.time.as_secs_f64())
        };
        let seconds = |joint: &Vec<Move>| joint.iter().map(seconds).collect();
        let player = |role| Some(role) != facts.random();
        let names = facts.role_ids().zip(record.player_names_from_host);
        Self {
            match_id: record.match_id,
            game: loaded.rules.name().to_owned(),
            engine: loaded.engine.clone(),
            seed,
            roles: facts.roles.clone(),
            players: names
                .map(|(role, name)| name.filter(|_| player(role)))
                .collect(),
            start_clock: record.start_clock,
            play_clock: record.play_clock,
            scrambled: record.scrambled,
            moves: record.moves,
            seconds: played.moves.iter().map(seconds).collect(),
            errors: mistakes(&facts.roles, &played.opening, &played.moves),
            result: match result {
                MatchEnd::Over(_) => "over",
                MatchEnd::Cut => "cut",
                MatchEnd::Stuck(_) => "stuck",
                MatchEnd::Fault(_) => "fault",
            },
            goals: match result {
                MatchEnd::Over(goals) => goals.iter().map(|goal| goal.value()).collect(),
                _ => vec![None; facts.roles.len()],
            },
            workers: loaded.helpers.report(),
        }
    }
}

/// What went wrong, from the start on.
fn mistakes(roles: &[String], opening: &[Option<Failure>], moves: &[Vec<Move>]) -> Vec<Mistake> {
    let mut found = Vec::new();
    let mut note = |step: usize, role: &str, failure: &Option<Failure>| {
        let failure = failure.iter();
        found.extend(failure.map(|failure| Mistake::new(step, role, failure)));
    };
    for (role, failure) in roles.iter().zip(opening) {
        note(0, role, failure);
    }
    for (step, joint) in moves.iter().enumerate() {
        for (role, made) in roles.iter().zip(joint) {
            note(step + 1, role, &made.failure);
        }
    }
    found
}
