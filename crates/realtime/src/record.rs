//! Matches in real time, written down: what arrived when, what chance drew, and what came of it.

use std::collections::BTreeMap;

use paidia_game::{Lasting, MoveId, MoveTable, Reading, RoleId, Ticks, TimedGame, TimedWalker};
use serde::{Deserialize, Serialize};

use crate::contest::Outcome;
use crate::table::{Arrival, Draws, Entry, Table, Watch};

/// The most entries of one kind in a record that is followed.
pub const MOST_ENTRIES: usize = 1_000_000;

/// A match in real time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TimedRecord {
    /// The roles in their order.
    pub roles: Vec<String>,
    /// How the end and the goals are read.
    pub reading: String,
    /// Seconds that a unit of time took; 0 on a virtual clock.
    #[serde(default)]
    pub play_clock: f64,
    /// What arrived, in order.
    pub events: Vec<RecordedEvent>,
    /// What chance drew, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub draws: Vec<RecordedDraw>,
    /// The start, as an update without a cause, and all updates.
    pub updates: Vec<RecordedUpdate>,
    /// Whether the rules ended it.
    pub is_completed: bool,
    /// The game time at which it ended.
    pub end: String,
    /// The goals, by role; `null` where there is not exactly one.
    pub goal_values: Vec<Option<i32>>,
}

/// A move that arrived.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedEvent {
    /// The game time.
    pub time: String,
    /// Whose.
    pub role: String,
    /// Which.
    #[serde(rename = "move")]
    pub text: String,
    /// What became of it: `made`, `illegal` or `ignored`.
    pub result: String,
}

/// A move that chance drew.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedDraw {
    /// Which.
    #[serde(rename = "move")]
    pub text: String,
    /// After what time it was due, if not at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delay: Option<String>,
}

/// A state and what led to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedUpdate {
    /// The game time.
    pub time: String,
    /// The moves by role.
    #[serde(default)]
    pub moves: BTreeMap<String, String>,
    /// What expired.
    #[serde(default)]
    pub expired: Vec<String>,
    /// The facts with their lifetimes.
    pub state: Vec<(String, String)>,
}

/// The most text of states in a record, in bytes; later states are left out.
const MOST_STATE_BYTES: usize = 32 << 20;

/// Writes a match down as it goes.
pub struct TimedRecorder<G: TimedGame> {
    game: G,
    record: TimedRecord,
    /// The text of all states so far.
    bytes: usize,
}

/// Facts with their lifetimes as texts.
pub fn written(facts: &[Lasting]) -> Vec<(String, String)> {
    let pairs = facts.iter().map(|(lifetime, fact)| {
        let lifetime = lifetime.map_or("infinity".to_owned(), |ticks| ticks.to_string());
        (lifetime, fact.clone())
    });
    pairs.collect()
}

impl<G: TimedGame> TimedRecorder<G> {
    /// A record with what is known before the start.
    pub fn new(game: &G, heading: TimedRecord) -> Self {
        let facts = game.facts();
        Self {
            record: TimedRecord {
                roles: facts.roles.clone(),
                reading: game.reading().name().to_owned(),
                ..heading
            },
            game: game.clone(),
            bytes: 0,
        }
    }

    /// The record as it is so far.
    pub fn so_far(&self) -> &TimedRecord {
        &self.record
    }

    /// The record of a match that ended.
    pub fn finish(mut self, outcome: &Outcome) -> TimedRecord {
        self.record.is_completed = outcome.is_over;
        self.record.end = outcome.time.to_string();
        self.record.goal_values = outcome.goals.iter().map(|goal| goal.value()).collect();
        self.record
    }

    fn event(&mut self, time: Ticks, role: RoleId, text: &str, result: &str) {
        self.record.events.push(RecordedEvent {
            time: time.to_string(),
            role: self.game.facts().role_name(role).to_owned(),
            text: text.to_owned(),
            result: result.to_owned(),
        });
    }

    fn update(&mut self, time: Ticks, moves: &[(RoleId, MoveId)], walker: &mut G::Walker) {
        let mut state = self.game.initial();
        walker.save(&mut state);
        let facts = self.game.facts();
        let moves = moves.iter().map(|&(role, id)| {
            let text = self.game.moves().name(id).to_string();
            (facts.role_name(role).to_owned(), text)
        });
        let state = match self.bytes < MOST_STATE_BYTES {
            true => written(&self.game.lasting(&state)),
            false => Vec::new(),
        };
        let texts = state.iter().map(|(time, fact)| time.len() + fact.len());
        self.bytes += texts.sum::<usize>();
        let update = RecordedUpdate {
            time: time.to_string(),
            moves: moves.collect(),
            expired: walker.expired(),
            state,
        };
        self.record.updates.push(update);
    }
}

impl<G: TimedGame> Watch<G::Walker> for TimedRecorder<G> {
    fn entry(&mut self, entry: &Entry, walker: &mut G::Walker) {
        match entry {
            Entry::Start => self.update(Ticks::ZERO, &[], walker),
            Entry::Update(update) => {
                let random = self.game.facts().random();
                for &(role, id) in update
                    .moves
                    .iter()
                    .filter(|(role, _)| Some(*role) != random)
                {
                    let text = self.game.moves().name(id).to_string();
                    self.event(update.time, role, &text, "made");
                }
                self.update(update.time, &update.moves, walker);
            }
            Entry::Illegal { time, arrival } => {
                self.event(*time, arrival.role, &arrival.text, "illegal");
            }
            Entry::Ignored { time, arrival } => {
                self.event(*time, arrival.role, &arrival.text, "ignored");
            }
            Entry::Draw { drawn, delay, .. } => self.record.draws.push(RecordedDraw {
                text: self.game.moves().name(*drawn).to_string(),
                delay: delay.map(|delay| delay.to_string()),
            }),
            Entry::Wasted { .. } => {}
        }
    }
}

/// Draws as they are written down.
struct RecordedDraws<'a> {
    draws: std::slice::Iter<'a, RecordedDraw>,
    latest: Option<&'a RecordedDraw>,
    /// Whether they do not fit.
    wrong: bool,
}

impl Draws for RecordedDraws<'_> {
    fn pick(&mut self, options: &[MoveId], moves: &MoveTable) -> MoveId {
        self.latest = self.draws.next();
        let found = self.latest.and_then(|draw| moves.find(&draw.text));
        let found = found.filter(|id| options.contains(id));
        self.wrong |= found.is_none();
        found.unwrap_or(options[0])
    }

    fn delay(&mut self, most: Ticks) -> Ticks {
        let text = self.latest.and_then(|draw| draw.delay.as_deref());
        let delay = text.and_then(Ticks::parse);
        self.wrong |= delay.is_none();
        delay.unwrap_or(most)
    }
}

/// Plays what a record says arrived and was drawn again; the record of that.
///
/// # Errors
/// Says why the record cannot be followed.
pub fn replay<G: TimedGame>(game: &G, record: &TimedRecord) -> Result<TimedRecord, String> {
    let facts = game.facts();
    if record.roles != facts.roles {
        return Err("the roles are not those of the game".to_owned());
    }
    if Reading::by_name(&record.reading) != Some(game.reading()) {
        let reading = game.reading().name();
        return Err(format!("it was read {}, not {reading}", record.reading));
    }
    if record.events.len().max(record.updates.len()) > MOST_ENTRIES {
        return Err(format!("it has more than {MOST_ENTRIES} entries"));
    }
    let time = |text: &str| Ticks::parse(text).ok_or_else(|| format!("`{text}` is no time"));
    let mut table = Table::new(game).limited();
    let mut recorder = TimedRecorder::new(game, TimedRecord::default());
    let mut draws = RecordedDraws {
        draws: record.draws.iter(),
        latest: None,
        wrong: false,
    };
    table.start(&mut draws, &mut recorder);
    let mut events = record.events.iter().peekable();
    while let Some(first) = events.next() {
        let at = time(&first.time)?;
        let mut arrivals = vec![arrival(game, first)?];
        while let Some(other) = events.next_if(|other| other.time == first.time) {
            arrivals.push(arrival(game, other)?);
        }
        table.run_before(at, &mut draws, &mut recorder);
        table.instant(at, arrivals, &mut draws, &mut recorder);
    }
    table.run_before(time(&record.end)? + Ticks(1), &mut draws, &mut recorder);
    if draws.wrong {
        return Err("what chance drew does not fit".to_owned());
    }
    let goals = facts.role_ids().map(|role| table.walker().goal(role));
    let goals = goals.collect();
    Ok(recorder.finish(&Outcome {
        goals,
        time: table.now(),
        updates: table.updates(),
        is_over: table.is_over() && table.fault().is_none(),
        fault: table.fault(),
    }))
}

/// Plays a record again, and compares everything; how many updates there were.
///
/// # Errors
/// Says where the match differs from the record, or why the record cannot be followed.
pub fn follow<G: TimedGame>(game: &G, record: &TimedRecord) -> Result<u64, String> {
    let played = replay(game, record)?;
    for (number, (one, other)) in record.updates.iter().zip(&played.updates).enumerate() {
        if one != other {
            return Err(format!(
                "update {number} at {}: {other:?} instead of {one:?}",
                one.time
            ));
        }
    }
    let (made, recorded) = (played.updates.len(), record.updates.len());
    if made != recorded {
        return Err(format!("there are {made} updates instead of {recorded}"));
    }
    if record.events != played.events {
        return Err("other moves are made, refused or ignored".to_owned());
    }
    if record.is_completed != played.is_completed {
        return Err("it does not end where the record does".to_owned());
    }
    if record.goal_values != played.goal_values {
        return Err("the goals differ".to_owned());
    }
    Ok(made.saturating_sub(1) as u64)
}

fn arrival<G: TimedGame>(game: &G, event: &RecordedEvent) -> Result<Arrival, String> {
    let role = game.facts().role(&event.role);
    let role = role.ok_or_else(|| format!("there is no role `{}`", event.role))?;
    let text = event.text.clone();
    Ok(Arrival { role, text })
}
