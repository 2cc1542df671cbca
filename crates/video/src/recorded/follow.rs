//! Follows one file of recorded runs.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::sync::Arc;

use flate2::read::GzDecoder;
use paidia_gdl::Source;
use serde_json::{Map, Value, json};

use super::Totals;
use super::observe::{Grid, observation};
use crate::class::Action;
use crate::description::{Description, read};
use crate::level::Level;
use crate::random::Random;
use crate::state::State;
use crate::tick::{Event, Scratch};
use crate::view::{Seen, SpriteView};

/// A line of a recording that is not what it should be.
const DAMAGED: &str = "the recording is damaged";

/// Reads the description and the levels of a game.
struct Folder<'a> {
    path: &'a Path,
    name: &'a str,
}

impl Folder<'_> {
    fn source(&self, file: String) -> Result<Source, String> {
        let path = self.path.join(self.name).join(&file);
        let bytes = std::fs::read(&path);
        let bytes = bytes.map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        Ok(Source::new(file, String::from_utf8_lossy(&bytes)))
    }

    fn game(&self) -> Result<Arc<Description>, String> {
        let reading = read(&self.source(format!("{}.txt", self.name))?);
        match reading.problems.iter().find(|problem| problem.is_error()) {
            Some(problem) => Err(problem.message.clone()),
            None => Ok(Arc::new(reading.game)),
        }
    }

    fn level(&self, game: &Arc<Description>, number: i64) -> Result<Level, String> {
        let source = self.source(format!("{}_lvl{number}.txt", self.name))?;
        let reading = Level::read(game, &source);
        let problem = reading.problems.first();
        let message = problem.map_or("it cannot be played", |problem| &problem.message);
        reading
            .level
            .ok_or_else(|| format!("level {number}: {message}"))
    }
}

/// Follows runs of a file; with a limit, runs spread over levels and policies.
///
/// # Errors
/// Says what cannot be read. Runs that differ are among the failures of the totals.
pub fn follow_file(
    games: &Path,
    file: &Path,
    runs: usize,
    totals: &mut Totals,
) -> Result<(), String> {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let name = name.trim_end_matches(".gz").trim_end_matches(".jsonl");
    let folder = Folder { path: games, name };
    let game = folder.game()?;
    let unread = |error| format!("cannot read {}: {error}", file.display());
    let lines = BufReader::new(GzDecoder::new(std::fs::File::open(file).map_err(unread)?));
    // A file has some forty runs; with few wanted, every seventh shows other levels and policies.
    let stride = if runs == usize::MAX { 1 } else { 7 };
    let (mut number, mut taken) = (0, 0);
    let mut run: Option<Run> = None;
    let mut place = String::new();
    for line in lines.lines() {
        let line = line.map_err(unread)?;
        if line.starts_with("{\"run\"") {
            totals.runs += usize::from(run.take().is_some());
            let wanted = number % stride == 0 && taken < runs;
            number += 1;
            if !wanted {
                continue;
            }
            taken += 1;
            let header: Value = serde_json::from_str(&line).map_err(|_| DAMAGED)?;
            let header = &header["run"];
            let level = header["level"].as_i64().ok_or(DAMAGED)?;
            place = format!("{name} level {level} seed {}", header["seed"]);
            match Run::new(&game, folder.level(&game, level)?, header) {
                Ok(begun) => run = Some(begun),
                Err(problem) => totals.fail(&place, problem),
            }
        } else if let Some(follower) = &mut run
            && let Err(problem) = follower.line(&line, totals)
        {
            totals.fail(&place, problem);
            run = None;
        }
    }
    totals.runs += usize::from(run.is_some());
    Ok(())
}

/// A run that is being followed.
struct Run {
    game: Arc<Description>,
    level: Level,
    state: State,
    scratch: Scratch,
    /// Sprites as recorded.
    expected: BTreeMap<i64, Value>,
    /// Types that the agent knows, and its grid, in a forward model.
    seen: Option<Seen>,
    grid: Grid,
    history: Vec<Event>,
}

impl Run {
    fn new(game: &Arc<Description>, level: Level, header: &Value) -> Result<Self, String> {
        let state = level.start(header["seed"].as_i64().ok_or(DAMAGED)?);
        let mut scratch = Scratch::default();
        scratch.note_events(true);
        let names: Vec<&str> = game.types.iter().map(|kind| kind.name.as_str()).collect();
        same("numbers of types", &json!(names), &header["types"])?;
        same("order of types", &json!(game.order), &header["order"])?;
        same("size of blocks", &json!(level.block()), &header["block"])?;
        let acts = level.actions(&state).iter().map(|action| action.name());
        same("actions", &json!(acts.collect::<Vec<_>>()), &header["acts"])?;
        Ok(Self {
            game: Arc::clone(game),
            grid: Grid::default(),
            level,
            state,
            scratch,
            expected: BTreeMap::new(),
            seen: None,
            history: Vec::new(),
        })
    }

    fn line(&mut self, line: &str, totals: &mut Totals) -> Result<(), String> {
        let line: Value = serde_json::from_str(line).map_err(|_| DAMAGED)?;
        if let Some(end) = line.get("final") {
            return self.end(end);
        }
        let place = if line.get("fm").is_some() {
            &line["fm"]
        } else {
            &line["t"]
        };
        let label = format!("tick {place}");
        if line.get("fm").is_some() {
            self.forward(&line, totals)
                .map_err(|problem| format!("forward {label}: {problem}"))
        } else {
            self.tick(&line, totals)
                .map_err(|problem| format!("{label}: {problem}"))
        }
    }

    fn tick(&mut self, line: &Value, totals: &mut Totals) -> Result<(), String> {
        if let Some(seen) = line.get("obs") {
            let fresh = Seen::of(&self.level, &self.state);
            let grid = Grid::of(&self.level, &self.state);
            let own = observation(&self.level, &self.state, &fresh, &grid, &self.history, seen)?;
            same("observation", &own, seen)?;
            totals.observations += 1;
        }
        if line["t"].as_i64() != Some(-1) {
            let action = action(line)?;
            let made = self.level.checked(&self.state, action);
            self.advance(made);
            totals.ticks += 1;
        }
        self.compare(line)
    }

    fn advance(&mut self, action: Action) {
        self.level
            .advance(&mut self.state, action, &mut self.scratch);
        self.history.extend_from_slice(self.scratch.events());
    }

    fn forward(&mut self, line: &Value, totals: &mut Totals) -> Result<(), String> {
        if line["fm"].as_i64() == Some(0) {
            self.scratch.forward_from(&mut self.state);
            let seed = line["fmseed"].as_i64().ok_or(DAMAGED)?;
            self.state.set_random(Random::from_seed(seed));
            self.seen = Some(Seen::of(&self.level, &self.state));
            self.grid = Grid::of(&self.level, &self.state);
            self.expected.clear();
        } else {
            let before = self.state.clone();
            self.advance(action(line)?);
            self.grid.follow(&self.level, &before, &self.state);
            totals.ticks += 1;
        }
        self.compare(line)?;
        if let Some(expected) = line.get("obs") {
            let mut seen = self.seen.take().unwrap_or_default();
            seen.look(&self.level, &self.state);
            let history = &self.history;
            let own = observation(
                &self.level,
                &self.state,
                &seen,
                &self.grid,
                history,
                expected,
            )?;
            self.seen = Some(seen);
            same("observation", &own, expected)?;
            totals.observations += 1;
        }
        Ok(())
    }

    fn end(&self, end: &Value) -> Result<(), String> {
        same("ended", &json!(self.state.is_over()), &end["ended"])?;
        let win = self.state.win();
        let score = self.state.score();
        let score = if win == 1 && score <= 0 { 1 } else { score };
        same("final score", &json!(score), &end["score"])?;
        same("final winner", &json!(win), &end["win"])
    }

    fn compare(&mut self, line: &Value) -> Result<(), String> {
        if let Some(full) = line.get("full").and_then(Value::as_array) {
            let entries = full.iter().map(|entry| Ok((id(entry)?, entry.clone())));
            self.expected = entries.collect::<Result<_, String>>()?;
        }
        for entry in line
            .get("ch")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            self.expected.insert(id(entry)?, entry.clone());
        }
        for gone in line
            .get("rm")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            self.expected.remove(&gone.as_i64().ok_or(DAMAGED)?);
        }
        let mut sprites = self.state.sprites(&self.level).collect::<Vec<_>>();
        sprites.sort_by_key(|sprite| sprite.id);
        let mut expected = self.expected.values();
        for sprite in &sprites {
            let own = entry(&self.game, &self.level, &self.state, sprite);
            match expected.next() {
                Some(other) if *other == own => {}
                Some(other) => return Err(format!("sprite {own}, recorded {other}")),
                None => return Err(format!("sprite {own}, none recorded")),
            }
        }
        if let Some(other) = expected.next() {
            return Err(format!("no sprite, recorded {other}"));
        }
        same("score", &json!(self.state.score()), &line["sc"])?;
        same("winner", &json!(self.state.win()), &line["win"])?;
        same(
            "generator",
            &json!(self.state.random().state()),
            &line["rng"],
        )?;
        if let Some(end) = line.get("end") {
            let over = end
                .as_i64()
                .map_or(end.as_bool().unwrap_or(false), |end| end == 1);
            same("end", &json!(self.state.is_over()), &json!(over))?;
        }
        if let Some(tick) = line.get("tick") {
            same("counter", &json!(self.state.tick()), tick)?;
        }
        self.compare_avatar(line)
    }

    fn compare_avatar(&self, line: &Value) -> Result<(), String> {
        let avatar = self.state.avatar_view(&self.level);
        let avatar = avatar.ok_or("the avatar is gone")?;
        let own = json!([
            avatar.id,
            avatar.kind,
            avatar.place.0,
            avatar.place.1,
            number(avatar.orientation.0),
            number(avatar.orientation.1),
            avatar.health.0,
            i32::from(avatar.disabled)
        ]);
        same("avatar", &own, &line["av"])?;
        let own = stocks(&self.game, &self.state, &avatar);
        let recorded = line
            .get("res")
            .and_then(Value::as_object)
            .cloned()
            .unwrap_or_default();
        same("resources", &Value::Object(own), &Value::Object(recorded))
    }
}

fn id(entry: &Value) -> Result<i64, String> {
    Ok(entry[0].as_i64().ok_or(DAMAGED)?)
}

fn action(line: &Value) -> Result<Action, String> {
    let action = line["a"].as_str().and_then(Action::by_name);
    Ok(action.ok_or(DAMAGED)?)
}

fn same(what: &str, own: &Value, recorded: &Value) -> Result<(), String> {
    if own == recorded
        || own
            .as_f64()
            .is_some_and(|own| Some(own) == recorded.as_f64())
    {
        return Ok(());
    }
    if let (Value::Object(own), Value::Object(recorded)) = (own, recorded) {
        for (key, value) in recorded {
            same(
                &format!("{what} {key}"),
                own.get(key).unwrap_or(&Value::Null),
                value,
            )?;
        }
        if own.len() == recorded.len() {
            return Ok(());
        }
    }
    Err(format!("{what} {own}, recorded {recorded}"))
}

/// A whole number as one, as the recordings write it.
fn number(value: f64) -> Value {
    if value.fract() == 0.0 {
        json!(value as i64)
    } else {
        json!(value)
    }
}

fn stocks(game: &Description, state: &State, sprite: &SpriteView) -> Map<String, Value> {
    let all = state.resources(sprite);
    all.map(|(kind, amount)| (game.types[usize::from(kind)].name.clone(), json!(amount)))
        .collect()
}

/// A sprite in the form of the recordings. (Y-3)
fn entry(game: &Description, level: &Level, state: &State, sprite: &SpriteView) -> Value {
    let mut own = vec![
        json!(sprite.id),
        json!(sprite.kind),
        json!(sprite.place.0),
        json!(sprite.place.1),
    ];
    if sprite.oriented || sprite.orientation != (0.0, 0.0) {
        own.push(number(sprite.orientation.0));
        own.push(number(sprite.orientation.1));
    }
    let mut more = Map::new();
    let mut add = |key: &str, holds: bool, value: Value| {
        if holds {
            more.insert(key.to_owned(), value);
        }
    };
    add("dis", sprite.disabled, json!(1));
    add("fa", sprite.from_avatar, json!(1));
    add("hp", sprite.health.0 != 0, json!(sprite.health.0));
    add("mh", sprite.health.1 != 0, json!(sprite.health.1));
    add("w", sprite.size.0 != level.block(), json!(sprite.size.0));
    add("h", sprite.size.1 != level.block(), json!(sprite.size.1));
    add(
        "sp",
        sprite.own_speed.is_some(),
        sprite.own_speed.map_or(Value::Null, number),
    );
    let stocks = stocks(game, state, sprite);
    add("r", !stocks.is_empty(), Value::Object(stocks));
    if !more.is_empty() {
        own.push(Value::Object(more));
    }
    Value::Array(own)
}
