//! Follows one file of recorded runs.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::sync::Arc;

use flate2::read::GzDecoder;
use paidia_gdl::Source;
use paidia_video::{Action, Description, Event, Level, Random, Scratch, Seen, State, read};
use serde_json::{Map, Value, json};

use super::observe::{Grid, observation};

/// What was followed.
#[derive(Debug, Default)]
pub(crate) struct Totals {
    pub(crate) runs: usize,
    pub(crate) ticks: usize,
    pub(crate) observations: usize,
    pub(crate) failures: Vec<String>,
}

/// Follows runs of a file, those of the first levels and policies spread evenly.
pub(crate) fn follow_file(games: &Path, file: &Path, runs: usize, totals: &mut Totals) {
    let name = file
        .file_name()
        .expect("a file")
        .to_string_lossy()
        .replace(".jsonl.gz", "");
    let folder = games.join(&name);
    let text = |file: String| {
        let path = folder.join(&file);
        let bytes = std::fs::read(&path).unwrap_or_else(|_| panic!("{} is there", path.display()));
        Source::new(file, String::from_utf8_lossy(&bytes))
    };
    let reading = read(&text(format!("{name}.txt")));
    if !reading.is_playable() {
        totals
            .failures
            .push(format!("{name}: {:?}", reading.problems));
        return;
    }
    let game = Arc::new(reading.game);
    let lines = BufReader::new(GzDecoder::new(std::fs::File::open(file).expect("a file")));
    let mut lines = lines.lines().map(|line| line.expect("text")).peekable();
    // A file has some forty runs; with few wanted, every seventh shows other levels and policies.
    let stride = if runs == usize::MAX { 1 } else { 7 };
    let mut number = 0;
    let mut taken = 0;
    while let Some(line) = lines.next() {
        let header: Value = serde_json::from_str(&line).expect("JSON");
        let header = header["run"].clone();
        let wanted = number % stride == 0 && taken < runs;
        number += 1;
        let mut run = None;
        if wanted {
            taken += 1;
            let number = header["level"].as_i64().expect("a number");
            let source = text(format!("{name}_lvl{number}.txt"));
            match Level::read(&game, &source).level {
                Some(level) => run = Some(Run::new(&game, level, &header)),
                None => totals.failures.push(format!("{name} {number}: no level")),
            }
        }
        while let Some(line) = lines.next_if(|line| !line.starts_with("{\"run\"")) {
            if let Some(follower) = &mut run
                && let Err(problem) = follower.line(&line, totals)
            {
                let place = format!("{name} level {} seed {}", header["level"], header["seed"]);
                totals.failures.push(format!("{place}: {problem}"));
                run = None;
            }
        }
        totals.runs += usize::from(run.is_some());
    }
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
    fn new(game: &Arc<Description>, level: Level, header: &Value) -> Self {
        let state = level.start(header["seed"].as_i64().expect("a seed"));
        let mut scratch = Scratch::default();
        scratch.note_events(true);
        let names: Vec<&str> = game.types.iter().map(|kind| kind.name.as_str()).collect();
        assert_eq!(header["types"], json!(names), "numbers of types");
        assert_eq!(header["order"], json!(game.order), "order of types");
        assert_eq!(header["block"], json!(level.block()), "size of blocks");
        let acts: Vec<&str> = level
            .actions(&state)
            .iter()
            .map(|action| action.name())
            .collect();
        assert_eq!(header["acts"], json!(acts), "actions");
        Self {
            game: Arc::clone(game),
            grid: Grid::default(),
            level,
            state,
            scratch,
            expected: BTreeMap::new(),
            seen: None,
            history: Vec::new(),
        }
    }

    fn line(&mut self, line: &str, totals: &mut Totals) -> Result<(), String> {
        let line: Value = serde_json::from_str(line).expect("JSON");
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
            let own = observation(&self.level, &self.state, &fresh, &grid, &self.history, seen);
            same("observation", &own, seen)?;
            totals.observations += 1;
        }
        if line["t"].as_i64() != Some(-1) {
            let name = line["a"].as_str().expect("an action");
            let action = Action::by_name(name).expect("an action");
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
            let seed = line["fmseed"].as_i64().expect("a seed");
            self.state.set_random(Random::from_seed(seed));
            self.seen = Some(Seen::of(&self.level, &self.state));
            self.grid = Grid::of(&self.level, &self.state);
            self.expected.clear();
        } else {
            let name = line["a"].as_str().expect("an action");
            let before = self.state.clone();
            self.advance(Action::by_name(name).expect("an action"));
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
            );
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
            self.expected = full
                .iter()
                .map(|entry| (id(entry), entry.clone()))
                .collect();
        }
        for entry in line
            .get("ch")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            self.expected.insert(id(entry), entry.clone());
        }
        for gone in line
            .get("rm")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            self.expected.remove(&gone.as_i64().expect("a number"));
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
        let avatar = self.state.avatar_view(&self.level).expect("an avatar");
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

fn id(entry: &Value) -> i64 {
    entry[0].as_i64().expect("a number")
}

pub(crate) fn same(what: &str, own: &Value, recorded: &Value) -> Result<(), String> {
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

fn stocks(
    game: &Description,
    state: &State,
    sprite: &paidia_video::SpriteView,
) -> Map<String, Value> {
    let all = state.resources(sprite);
    all.map(|(kind, amount)| (game.types[usize::from(kind)].name.clone(), json!(amount)))
        .collect()
}

/// A sprite in the form of the recordings. (Y-3)
fn entry(
    game: &Description,
    level: &Level,
    state: &State,
    sprite: &paidia_video::SpriteView,
) -> Value {
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
