//! Players of the catalogue: what they think of a position, and matches between them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use paidia_arena::engine::OnGame;
use paidia_arena::record::{Heading, MatchRecord, Recorder};
use paidia_arena::{
    Local, MatchEnd, PLAYERS, Playable, PlayerSpec, Referee, Seat, Seats, catalogue,
};
use paidia_game::{AnyGame, Game as AnyRules, Legible, MoveId, RoleId, Rules};
use paidia_search::{Budget, Decision};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::errors;
use crate::game::{Game, result};
use crate::state::State;
use crate::work;

/// The players and their options.
#[pyfunction]
pub(crate) fn players(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    let entry = |entry: &paidia_arena::options::Entry<_>| json!({"name": entry.name, "what": entry.what, "options": entry.described()});
    result(py, &PLAYERS.iter().map(entry).collect())
}

/// How long players think, and where their random choices come from.
#[derive(Clone, Copy)]
pub(crate) struct Thinking {
    budget: Budget,
    seed: u64,
}

impl Thinking {
    /// As Python says it; a second if nothing is said.
    pub(crate) fn new(
        seconds: Option<f64>,
        simulations: Option<u64>,
        states: Option<u64>,
        seed: u64,
    ) -> PyResult<Self> {
        let time = seconds.map(std::time::Duration::try_from_secs_f64);
        let time = time.transpose();
        let time = time.map_err(|error| PyValueError::new_err(format!("seconds: {error}")))?;
        let budget = Budget {
            time,
            simulations,
            states,
            ..Budget::default()
        };
        let budget = match budget == Budget::default() {
            true => Budget::time(std::time::Duration::from_secs(1)),
            false => budget,
        };
        Ok(Self { budget, seed })
    }
}

fn spec(text: &str) -> PyResult<PlayerSpec> {
    text.parse()
        .map_err(|error| PyValueError::new_err(format!("{error}")))
}

/// A search of one position.
struct Analysis<'a> {
    spec: PlayerSpec,
    fluents: Vec<String>,
    role: RoleId,
    thinking: Thinking,
    stop: &'a AtomicBool,
}

impl OnGame for Analysis<'_> {
    type Output = Result<Value, String>;

    fn run<G: AnyRules + Legible>(self, playable: &Playable<G>) -> Self::Output {
        let game = &playable.game;
        let fluents: Vec<&str> = self.fluents.iter().map(String::as_str).collect();
        let state = game.state(&fluents).map_err(|error| error.to_string())?;
        let search = playable.search(&self.spec, self.role, self.thinking.seed);
        let mut search = search.map_err(|error| error.to_string())?;
        let decision = search.choose_until(&state, self.thinking.budget, self.stop);
        Ok(told(&decision, &|id| game.moves().name(id).to_string()))
    }
}

/// What a search found out.
fn told(decision: &Decision, name: &dyn Fn(MoveId) -> String) -> Value {
    let found = &decision.report;
    let moves = found.moves.iter().map(|made| {
        json!({
            "move": name(made.id),
            "value": made.value,
            "visits": made.visits,
            "proven": made.proven,
        })
    });
    let line = found.line.iter();
    let line = line.map(|joint| joint.iter().map(|&id| name(id)).collect::<Vec<_>>());
    json!({
        "move": name(decision.id),
        "moves": moves.collect::<Vec<_>>(),
        "line": line.collect::<Vec<_>>(),
        "proven": found.proven,
        "simulations": found.simulations,
        "playouts": found.playouts,
        "states": found.states,
        "nodes": found.nodes,
        "seconds": found.time.as_secs_f64(),
        "stopped": found.stopped.name(),
    })
}

/// A match between players.
struct Played<'a> {
    name: &'a str,
    rules: &'a str,
    specs: Vec<PlayerSpec>,
    thinking: Thinking,
    step_limit: usize,
    stop: &'a Arc<AtomicBool>,
    done: &'a AtomicU64,
}

impl OnGame for Played<'_> {
    type Output = Result<(MatchRecord, MatchEnd), String>;

    fn run<G: AnyRules + Legible>(self, playable: &Playable<G>) -> Self::Output {
        let game = &playable.game;
        let facts = game.facts();
        let mut seats: Seats<G> = Vec::new();
        let mut names = Vec::new();
        let mut specs = self.specs.iter().cycle();
        for role in facts.role_ids() {
            if Some(role) == facts.random() {
                seats.push(None);
                names.push(None);
                continue;
            }
            let spec = specs.next().ok_or("there is no player")?;
            let seed = self
                .thinking
                .seed
                .wrapping_mul(0x9E37_79B9)
                .wrapping_add(role.0.into());
            let player = catalogue::make(spec, playable, role, seed);
            let player = player.map_err(|error| error.to_string())?;
            let seat = Local::new(player, self.thinking.budget).until(self.stop);
            seats.push(Some(Box::new(seat) as Box<dyn Seat<G>>));
            names.push(Some(spec.to_string()));
        }
        let start = game.initial();
        let heading = Heading {
            game: self.name.to_owned(),
            rules: Some(self.rules.to_owned()),
            players: names,
            ..Heading::default()
        };
        let mut recorder = Recorder::new(game, heading, &start);
        let referee = Referee::new(game, self.step_limit).until(Arc::clone(self.stop));
        let mut played = referee.start(&start, self.thinking.seed);
        let watched = referee.watch(&mut played, &mut seats, |played| {
            match played.moves.last() {
                Some(moves) => recorder.step(moves, played.state()),
                None => recorder.open(&played.opening),
            }
            self.done
                .store(played.moves.len() as u64, Ordering::Relaxed);
            Ok::<(), std::convert::Infallible>(())
        });
        let Ok(end) = watched;
        Ok((recorder.finish(&end), end))
    }
}

/// What a player thinks of a state.
pub(crate) fn analyse(
    py: Python<'_>,
    game: &Game,
    state: &State,
    player: &str,
    role: Option<&Bound<'_, PyAny>>,
    thinking: Thinking,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Value> {
    let fluents = game.own(state)?;
    let role = match role {
        Some(role) => game.role_id(role)?,
        None => state.the_mover()?,
    };
    if state.is_over()? {
        return Err(errors::NotApplicable::new_err(
            "the game is over in this state",
        ));
    }
    let spec = spec(player)?;
    let found = work::run(py, progress, |watched| {
        let analysis = Analysis {
            spec,
            fluents,
            role,
            thinking,
            stop: &watched.stop,
        };
        let found = game.loaded.run(analysis);
        found.map_err(|error| error.to_string())?
    })?;
    found.map_err(errors::NotApplicable::new_err)
}

/// Plays a match between players: its record, and how it ended.
pub(crate) fn play(
    py: Python<'_>,
    game: &Game,
    players: &[String],
    thinking: Thinking,
    step_limit: usize,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Value> {
    let takers = game.any.facts().players().count();
    if players.len() > 1 && players.len() != takers {
        return Err(PyValueError::new_err(format!(
            "{} players were named; name one for all roles, or {takers}",
            players.len()
        )));
    }
    let named = players.iter().map(String::as_str);
    let named = named.chain(players.is_empty().then_some("paidia"));
    let specs = named.map(spec).collect::<PyResult<Vec<_>>>()?;
    let played = work::run(py, progress, |watched| {
        let played = Played {
            name: game.name(),
            rules: &game.rules.source().text,
            specs,
            thinking,
            step_limit: step_limit.max(1),
            stop: &watched.stop,
            done: &watched.done,
        };
        game.loaded.run(played).map_err(|error| error.to_string())?
    })?;
    let (record, end) = played.map_err(errors::NotApplicable::new_err)?;
    let end = match end {
        MatchEnd::Over(_) => "over".to_owned(),
        MatchEnd::Cut => "cut".to_owned(),
        MatchEnd::Stuck(role) => {
            format!("{} has no legal move", game.any.facts().role_name(role))
        }
        MatchEnd::Fault(fault) => fault.to_string(),
    };
    Ok(json!({"record": record, "end": end}))
}

/// Follows the record of a match, given as JSON, and lists what differs from the rules.
pub(crate) fn verify(py: Python<'_>, game: &Game, record: &str) -> PyResult<Value> {
    let record = MatchRecord::parse(record.as_bytes()).map_err(errors::of)?;
    let any: &AnyGame = &game.any;
    let found = py.detach(|| paidia_arena::record::verify(any, &record));
    serde_json::to_value(found).map_err(errors::of)
}
