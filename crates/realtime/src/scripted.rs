//! Play that another program wrote down, held against a table.
//!
//! A file has scripts, which tell what arrives when, and for each the history and the messages that
//! must come of it. The form is that of the folder of recorded play in real time (`docs/checks.md`).

use std::collections::BTreeMap;

use paidia_game::{Lasting, MoveId, MoveTable, Reading, RoleId, Ticks, TimedGame, TimedWalker};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::messages::{Message, Messenger};
use crate::table::{Arrival, Draws, Entry, Table, Update, Watch};

/// Play of one game.
#[derive(Debug, Deserialize)]
pub struct Recorded {
    /// The game.
    pub game: String,
    /// Its roles in their order.
    pub roles: Vec<String>,
    /// Whether percepts are told instead of moves.
    #[serde(default)]
    pub hidden: bool,
    /// The scripts.
    pub scripts: Vec<RecordedScript>,
}

/// A script and what came of it.
#[derive(Debug, Deserialize)]
pub struct RecordedScript {
    /// What is given.
    pub script: Script,
    /// What happened, entry by entry.
    pub history: Vec<Value>,
    /// What players were told.
    pub messages: Vec<Value>,
}

/// What arrives when.
#[derive(Clone, Debug, Deserialize)]
pub struct Script {
    /// Its number.
    pub id: u64,
    /// The name of the match.
    #[serde(rename = "match")]
    pub name: String,
    /// Seconds before the start.
    pub startclock: u64,
    /// Seconds that a unit of time takes.
    pub playclock: Value,
    /// Nothing is looked at after this time.
    pub until: String,
    /// The moves in the order in which they arrive.
    pub events: Vec<Event>,
    /// What chance draws.
    #[serde(default)]
    pub draws: Vec<Draw>,
    /// For a converted game, the match in turns that is shown in step.
    #[serde(default)]
    pub in_step: Option<Value>,
}

/// A move that arrives.
#[derive(Clone, Debug, Deserialize)]
pub struct Event {
    /// When.
    pub time: String,
    /// Whose.
    pub role: String,
    /// Which.
    #[serde(rename = "move")]
    pub text: String,
}

/// What chance draws.
#[derive(Clone, Debug, Deserialize)]
pub struct Draw {
    /// The move.
    #[serde(rename = "move")]
    pub text: String,
    /// After what time it is made.
    #[serde(default)]
    pub delay: Option<String>,
}

/// A place where a table differs from what was recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The number of the script.
    pub script: u64,
    /// Where in it.
    pub place: String,
    /// What was recorded.
    pub recorded: String,
    /// What the table says.
    pub table: String,
}

/// What was compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// Scripts that were followed.
    pub scripts: usize,
    /// Entries of histories.
    pub entries: usize,
    /// Messages.
    pub messages: usize,
    /// Other readings of the end and the goals that were compared.
    pub readings: usize,
    /// Where the table differs.
    pub differences: Vec<Difference>,
}

/// Draws that a script gives.
struct ScriptedDraws {
    draws: std::vec::IntoIter<Draw>,
    delay: Option<Ticks>,
    /// Whether a draw was asked for that the script does not have.
    missing: bool,
}

impl Draws for ScriptedDraws {
    fn pick(&mut self, options: &[MoveId], moves: &MoveTable) -> MoveId {
        let Some(draw) = self.draws.next() else {
            self.missing = true;
            return options[0];
        };
        self.delay = draw.delay.as_deref().and_then(Ticks::parse);
        let found = moves.find(&normal(&draw.text));
        let found = found.filter(|id| options.contains(id));
        self.missing |= found.is_none();
        found.unwrap_or(options[0])
    }

    fn delay(&mut self, most: Ticks) -> Ticks {
        self.missing |= self.delay.is_none();
        self.delay.take().unwrap_or(most)
    }
}

/// A term whose numbers are in their shortest spelling.
fn normal(text: &str) -> String {
    let mut normal = String::with_capacity(text.len());
    for part in text.split_inclusive([' ', '(', ')']) {
        let end = part.trim_end_matches([' ', '(', ')']).len();
        let (name, rest) = part.split_at(end);
        normal.push_str(&paidia_gdl::syntax::plain_numeral(name));
        normal.push_str(rest);
    }
    normal
}

/// Writes a history as it is recorded.
struct Historian<'a, G: TimedGame> {
    game: &'a G,
    messenger: Messenger<'a, G>,
    /// Seconds that a unit takes.
    play_clock: Ticks,
    history: Vec<Value>,
    messages: Vec<Message>,
    /// The states after the entries that have one, with the moves and the time that led there.
    steps: Vec<(G::State, Option<Update>)>,
}

impl<'a, G: TimedGame> Historian<'a, G> {
    fn new(game: &'a G, name: &'a str, play_clock: Ticks) -> Self {
        Self {
            messenger: Messenger::new(game, name),
            game,
            play_clock,
            history: Vec::new(),
            messages: Vec::new(),
            steps: Vec::new(),
        }
    }

    /// A game time in seconds.
    fn seconds(&self, time: Ticks) -> String {
        seconds(time, self.play_clock)
    }

    fn moves(&self, ids: &[MoveId]) -> Value {
        let texts = ids.iter().map(|&id| self.game.moves().name(id).to_string());
        json!(sorted(texts.collect()))
    }

    /// The state, the legal moves, the end and the goals.
    fn position(&self, walker: &mut G::Walker, state: &G::State, into: &mut Map<String, Value>) {
        let facts = self.game.facts();
        into.insert("state".into(), lasting(&self.game.lasting(state)));
        let legal = walker.legal();
        let legal = facts.role_ids().map(|role| {
            let name = facts.role_name(role).to_owned();
            (name, self.moves(legal.of(role)))
        });
        let legal: Map<String, Value> = legal.collect();
        into.insert("legal".into(), legal.into());
        into.insert("terminal".into(), walker.is_terminal().into());
        into.insert("goals".into(), goals(self.game, walker));
    }

    fn update(&self, update: &Update, walker: &mut G::Walker) -> Map<String, Value> {
        let facts = self.game.facts();
        let mut entry = Map::new();
        let name = |role: RoleId| facts.role_name(role).to_owned();
        entry.insert("n".into(), update.number.into());
        entry.insert("time".into(), update.time.to_string().into());
        entry.insert("dt".into(), update.elapsed.to_string().into());
        entry.insert("seconds".into(), self.seconds(update.time).into());
        let cause = match (update.moves.is_empty(), update.expiry) {
            (false, false) => "moves",
            (false, true) => "moves+expiry",
            (true, _) => "expiry",
        };
        entry.insert("cause".into(), cause.into());
        let moves = update.moves.iter();
        let moves = moves.map(|&(role, id)| {
            let text = self.game.moves().name(id).to_string();
            (name(role), text.into())
        });
        entry.insert("moves".into(), Value::Object(moves.collect()));
        entry.insert("expired".into(), json!(walker.expired()));
        let dropped = walker.dropped();
        if !dropped.is_empty() {
            entry.insert("dropped".into(), json!(dropped));
        }
        if facts.information == paidia_game::Information::Hidden {
            let percepts = facts.players().map(|role| {
                let text = |ids: &[paidia_game::PerceptId]| {
                    let table = self.game.percepts();
                    let texts = ids.iter().map(|&id| table.name(id).to_string());
                    json!(texts.collect::<Vec<_>>())
                };
                let (after, without) = (walker.percepts(role), walker.percepts_without(role));
                let told = json!({
                    "after": text(after),
                    "without": text(without),
                    "sent": after != without,
                });
                (name(role), told)
            });
            let percepts: Map<String, Value> = percepts.collect();
            entry.insert("percepts".into(), percepts.into());
        }
        entry
    }
}

impl<G: TimedGame> Watch<G::Walker> for Historian<'_, G> {
    fn entry(&mut self, entry: &Entry, walker: &mut G::Walker) {
        self.messages.extend(self.messenger.about(entry, walker));
        let facts = self.game.facts();
        let name = |id: MoveId| self.game.moves().name(id).to_string();
        let mut value = Map::new();
        let kind = match entry {
            Entry::Start => {
                value.insert("time".into(), "0".into());
                "start"
            }
            Entry::Update(update) => {
                value = self.update(update, walker);
                "update"
            }
            Entry::Illegal { time, arrival } | Entry::Ignored { time, arrival } => {
                value.insert("time".into(), time.to_string().into());
                value.insert("role".into(), facts.role_name(arrival.role).into());
                value.insert("move".into(), normal(&arrival.text).into());
                match entry {
                    Entry::Illegal { .. } => "illegal",
                    _ => "ignored",
                }
            }
            Entry::Draw {
                time,
                options,
                drawn,
                delay,
            } => {
                value.insert("time".into(), time.to_string().into());
                value.insert("options".into(), self.moves(options));
                value.insert("drawn".into(), name(*drawn).into());
                if let Some(delay) = delay {
                    value.insert("delay".into(), delay.to_string().into());
                    value.insert("fires".into(), (*time + *delay).to_string().into());
                }
                "draw"
            }
            Entry::Wasted { time, drawn } => {
                value.insert("time".into(), time.to_string().into());
                value.insert("move".into(), name(*drawn).into());
                "wasted"
            }
        };
        value.insert("kind".into(), kind.into());
        if let Entry::Start | Entry::Update(_) = entry {
            let mut state = self.game.initial();
            walker.save(&mut state);
            self.position(walker, &state, &mut value);
            let update = match entry {
                Entry::Update(update) => Some(update.clone()),
                _ => None,
            };
            self.steps.push((state, update));
        }
        self.history.push(value.into());
    }
}

/// A product of a time and a clock, exactly.
fn seconds(time: Ticks, play_clock: Ticks) -> String {
    let product = u128::from(time.0) * u128::from(play_clock.0);
    let unit = u128::from(Ticks::PER_UNIT);
    let (whole, rest) = (product / (unit * unit), product % (unit * unit));
    if rest == 0 {
        return whole.to_string();
    }
    format!("{whole}.{}", format!("{rest:012}").trim_end_matches('0'))
}

fn sorted(mut texts: Vec<String>) -> Vec<String> {
    texts.sort();
    texts
}

fn lasting(facts: &[Lasting]) -> Value {
    let pairs = facts.iter().map(|(lifetime, fact)| {
        let lifetime = lifetime.map_or("infinity".to_owned(), |ticks| ticks.to_string());
        (lifetime, fact)
    });
    json!(pairs.collect::<Vec<_>>())
}

fn goals<G: TimedGame>(game: &G, walker: &mut G::Walker) -> Value {
    let facts = game.facts();
    let goals = facts.players().map(|role| {
        let name = facts.role_name(role).to_owned();
        (name, json!(walker.goals(role)))
    });
    Value::Object(goals.collect())
}

/// The same value with every list whose order has no meaning in the order of its texts.
fn canonical(value: &Value) -> Value {
    match value {
        Value::Array(items) => {
            let mut items: Vec<Value> = items.iter().map(canonical).collect();
            // A pair of a lifetime and a fact is no set.
            let is_pair = items.len() == 2 && items.iter().all(Value::is_string);
            if !is_pair {
                items.sort_by_key(Value::to_string);
            }
            Value::Array(items)
        }
        Value::Object(fields) => {
            let fields = fields.iter();
            let fields = fields.map(|(name, value)| (name.clone(), canonical(value)));
            Value::Object(fields.collect())
        }
        Value::String(text) => normal(text).into(),
        other => other.clone(),
    }
}

/// Follows all scripts of a game under the reading of the record, and compares the other reading
/// where the record tells of it. `event_first` is the same game under that reading.
///
/// # Errors
/// If the record is not of this game.
pub fn compare<G: TimedGame>(
    game: &G,
    event_first: &G,
    recorded: &Recorded,
) -> Result<Compared, String> {
    if game.facts().roles != recorded.roles {
        return Err(format!(
            "the record is of a game with the roles {}, not {}",
            recorded.roles.join(", "),
            game.facts().roles.join(", ")
        ));
    }
    if game.reading() != Reading::PostUpdate {
        return Err("records are followed under the reading post-update".to_owned());
    }
    let mut compared = Compared::default();
    for script in &recorded.scripts {
        follow(game, event_first, script, &mut compared)?;
    }
    Ok(compared)
}

/// Plays a script to its end.
fn play<'a, G: TimedGame>(game: &'a G, script: &'a Script) -> Result<Historian<'a, G>, String> {
    let time = |text: &str| {
        Ticks::parse(text).ok_or_else(|| format!("script {}: `{text}` is no time", script.id))
    };
    let play_clock = match &script.playclock {
        Value::String(text) => time(text)?,
        other => time(&other.to_string())?,
    };
    let until = time(&script.until)?;
    let mut historian = Historian::new(game, &script.name, play_clock);
    let mut draws = ScriptedDraws {
        draws: script.draws.clone().into_iter(),
        delay: None,
        missing: false,
    };
    let mut arrivals: BTreeMap<Ticks, Vec<Arrival>> = BTreeMap::new();
    for event in &script.events {
        let role = game.facts().role(&event.role);
        let role = role.ok_or_else(|| format!("there is no role `{}`", event.role))?;
        let arrival = Arrival {
            role,
            text: event.text.clone(),
        };
        arrivals
            .entry(time(&event.time)?)
            .or_default()
            .push(arrival);
    }
    let mut table = Table::new(game);
    table.start(&mut draws, &mut historian);
    for (at, arrivals) in arrivals {
        if at > until {
            table.run_before(until + Ticks(1), &mut draws, &mut historian);
            for arrival in arrivals {
                let ignored = Entry::Ignored { time: at, arrival };
                historian.entry(&ignored, table.walker());
            }
            continue;
        }
        table.run_before(at, &mut draws, &mut historian);
        table.instant(at, arrivals, &mut draws, &mut historian);
    }
    table.run_before(until + Ticks(1), &mut draws, &mut historian);
    if draws.missing {
        return Err(format!("script {}: its draws do not fit", script.id));
    }
    if let Some(fault) = table.fault() {
        return Err(format!("script {}: {fault}", script.id));
    }
    if !table.is_over() {
        let mut state = game.initial();
        table.walker().save(&mut state);
        let elapsed = until - table.now();
        let aged = game.lasting(&state).into_iter();
        let aged = aged.map(|(lifetime, fact)| (lifetime.map(|left| left - elapsed), fact));
        historian.history.push(json!({
            "kind": "open",
            "time": until.to_string(),
            "aged_state": lasting(&aged.collect::<Vec<_>>()),
        }));
    }
    Ok(historian)
}

fn follow<G: TimedGame>(
    game: &G,
    event_first: &G,
    recorded: &RecordedScript,
    compared: &mut Compared,
) -> Result<(), String> {
    let script = &recorded.script;
    let historian = play(game, script)?;
    compared.scripts += 1;
    let differ = |place: String, recorded: String, table: String| Difference {
        script: script.id,
        place,
        recorded,
        table,
    };
    let count = historian.history.len().max(recorded.history.len());
    for number in 0..count {
        let nothing = Value::Null;
        let expected = recorded.history.get(number).unwrap_or(&nothing);
        let found = historian.history.get(number).unwrap_or(&nothing);
        compared.entries += 1;
        let (expected, found) = (without_readings(expected), canonical(found));
        if expected != found {
            let place = format!("history {number}");
            let (recorded, table) = (expected.to_string(), found.to_string());
            compared.differences.push(differ(place, recorded, table));
        }
    }
    compare_readings(game, event_first, &historian, recorded, compared);
    let start = historian
        .messenger
        .announce("RULES", script.startclock, &plain(&script.playclock));
    let messages: Vec<Value> = start
        .iter()
        .chain(&historian.messages)
        .map(|message| told(game, message, script, historian.play_clock))
        .collect();
    let expected: Vec<Value> = recorded.messages.iter().map(in_normal_form).collect();
    compared.messages += expected.len();
    if messages != expected {
        let text = |messages: &[Value]| Value::from(messages.to_vec()).to_string();
        let (recorded, table) = (text(&expected), text(&messages));
        let place = "messages".to_owned();
        compared.differences.push(differ(place, recorded, table));
    }
    Ok(())
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// An entry without what it tells of readings that are not followed.
fn without_readings(entry: &Value) -> Value {
    let mut entry = canonical(entry);
    if let Some(fields) = entry.as_object_mut() {
        for name in ["choice_b", "event_first", "definition"] {
            fields.remove(name);
        }
        let percepts = fields.get_mut("percepts").and_then(Value::as_object_mut);
        for told in percepts.into_iter().flat_map(Map::values_mut) {
            if let Some(told) = told.as_object_mut() {
                told.remove("event_reading");
            }
        }
    }
    entry
}

/// A message in the form of a record.
fn told<G: TimedGame>(game: &G, message: &Message, script: &Script, clock: Ticks) -> Value {
    let (time, seconds) = match message.time {
        Some(time) => (json!(time.to_string()), seconds(time, clock)),
        None => (Value::Null, format!("-{}", script.startclock)),
    };
    let to = game.facts().role_name(message.to);
    in_normal_form(&json!({
        "time": time, "seconds": seconds, "to": to, "text": message.text,
    }))
}

/// A message whose moves are in normal form; the time at its end keeps its point.
fn in_normal_form(message: &Value) -> Value {
    let mut message = message.clone();
    if let Some(Value::String(text)) = message.get("text") {
        let (start, time) = text.rsplit_once(' ').unwrap_or((text, ""));
        message["text"] = format!("{} {time}", normal(start)).into();
    }
    message
}

/// Compares the end and the goals under the other reading, from the same states.
fn compare_readings<G: TimedGame>(
    game: &G,
    event_first: &G,
    historian: &Historian<'_, G>,
    recorded: &RecordedScript,
    compared: &mut Compared,
) {
    let updates = recorded.history.iter();
    let updates =
        updates.filter(|entry| matches!(entry["kind"].as_str(), Some("start" | "update")));
    for (pair, entry) in historian.steps.windows(2).zip(updates.skip(1)) {
        let [(before, _), (_, Some(update))] = pair else {
            continue;
        };
        let mut walker = event_first.walker();
        let Some(state) = carried(game, event_first, before) else {
            continue;
        };
        walker.jump(&state);
        walker.legal();
        let moves = update.moves.iter().filter_map(|&(role, id)| {
            let id = event_first.find_move(&game.moves().name(id))?;
            Some((role, id))
        });
        let moves: Vec<_> = moves.collect();
        walker.update(&moves, update.elapsed);
        let found = json!({
            "terminal": walker.is_terminal(),
            "goals": goals(event_first, &mut walker),
        });
        let same = json!({"terminal": entry["terminal"], "goals": entry["goals"]});
        let expected = entry.get("event_first").unwrap_or(&same);
        compared.readings += 1;
        if canonical(expected) != canonical(&found) {
            compared.differences.push(Difference {
                script: recorded.script.id,
                place: format!("update {}, read event first", update.number),
                recorded: expected.to_string(),
                table: found.to_string(),
            });
        }
    }
}

/// The state of one game in another of the same rules, without what expired.
fn carried<G: TimedGame>(from: &G, to: &G, state: &G::State) -> Option<G::State> {
    let mut bytes = Vec::new();
    let texts = from.lasting(state).into_iter();
    let mut texts: Vec<String> = texts
        .map(|(lifetime, fact)| match lifetime {
            Some(ticks) => format!("true {ticks} {fact}"),
            None => format!("true infinity {fact}"),
        })
        .collect();
    texts.sort();
    paidia_game::snapshot::write_texts(texts, &mut bytes);
    to.restore(&bytes).ok()
}
