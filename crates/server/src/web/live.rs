//! Tables in real time: matches on the real clock between people in browsers and players.
//!
//! A table waits until all its open seats are taken, and begins then. Its thread is the host; what
//! people send goes to it at once, and every update goes out to all that listen. Where the game
//! hides things, each role is told its percepts and its legal moves, and others see nothing until
//! the end.

mod replay;
mod table;
mod views;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use paidia_arena::Guest;
use paidia_arena::engine::{EngineSpec, load_in_time};
use paidia_arena::rules::Ruleset;
use paidia_game::Rules;
use serde::{Deserialize, Serialize};

use super::Site;
use super::api::{Answer, Entry, Question, Route, get, json, post};
use super::refusal::Refusal;
use crate::threads::lock;
pub(super) use replay::{Recorded, recorded};
use table::{LiveTable, SeatKind};
use views::GameView;

use Route::Work;

/// The most tables; the oldest that is over, or has not begun, makes room for a new one.
const MOST_TABLES: usize = 24;

/// The name of a seat that a person may take.
const OPEN: &str = "open";

/// What can be asked about tables in real time.
pub(super) const ROUTES: &[Entry] = &[
    get("live", Work(|site, _| json(&list(site)))),
    post(
        "live",
        Work(|site, asked| json(&open(site, &asked.read()?)?)),
    ),
    get(
        "live/*",
        Work(|site, asked| {
            let table = find(site, asked.id())?;
            json(&table.snapshot(table.seated(token(asked))))
        }),
    ),
    get(
        "live/*/events",
        Work(|site, asked| {
            let table = find(site, asked.id())?;
            let seat = table.seated(token(asked));
            Ok(Answer::Events(Box::new(
                table.listen(seat, &site.listeners)?,
            )))
        }),
    ),
    post(
        "live/*/join",
        Work(|site, asked| {
            let Join { role } = asked.read()?;
            let token = LiveTable::join(&find(site, asked.id())?, role)?;
            json(&Joined { token, role })
        }),
    ),
    post(
        "live/*/move",
        Work(|site, asked| {
            let Made { token, text } = asked.read()?;
            json(&Received {
                now: find(site, asked.id())?.send(&token, text)?,
            })
        }),
    ),
    post(
        "live/*/ping",
        Work(|site, asked| {
            json(&Received {
                now: find(site, asked.id())?.now(),
            })
        }),
    ),
    post(
        "live/*/stop",
        Work(|site, asked| {
            let Leave { token } = asked.read()?;
            find(site, asked.id())?.stop(&token)?;
            json(&Left {})
        }),
    ),
    get(
        "live/*/record",
        Work(|site, asked| json(find(site, asked.id())?.record()?)),
    ),
    get(
        "live/*/replay",
        Work(|site, asked| json(&find(site, asked.id())?.replay()?)),
    ),
];

/// All tables in real time, by name, the oldest first.
#[derive(Default)]
pub(super) struct Lives {
    tables: Mutex<(u64, BTreeMap<u64, Arc<LiveTable>>)>,
}

impl Lives {
    /// Stops all matches.
    pub(super) fn close(&self) {
        for table in lock(&self.tables).1.values() {
            table.end();
        }
    }
}

#[derive(Deserialize)]
struct Wish {
    game: String,
    /// For each player's role `open`, or a player of real time; `open` for all if not given.
    seats: Option<Vec<String>>,
    /// Seconds that a unit of game time takes.
    pace: Option<f64>,
}

#[derive(Deserialize)]
struct Join {
    role: usize,
}

#[derive(Deserialize)]
struct Made {
    token: String,
    #[serde(rename = "move")]
    text: String,
}

#[derive(Deserialize)]
struct Leave {
    token: String,
}

#[derive(Serialize)]
struct Left {}

#[derive(Serialize)]
struct Opened {
    id: String,
}

#[derive(Serialize)]
struct Joined {
    token: String,
    role: usize,
}

#[derive(Serialize)]
struct Received {
    /// The game time; none before the match.
    now: Option<f64>,
}

#[derive(Serialize)]
struct List {
    games: Vec<GameView>,
    tables: Vec<views::TableLine>,
    players: Vec<PlayerView>,
}

#[derive(Serialize)]
struct PlayerView {
    form: &'static str,
    about: &'static str,
}

fn token(asked: &Question) -> &str {
    let parts = asked.query.split('&');
    let found = parts.filter_map(|part| part.strip_prefix("token=")).next();
    found.unwrap_or("")
}

fn list(site: &Site) -> List {
    let games = paidia_library::real_time().iter();
    let players = paidia_realtime::players::PLAYERS.iter();
    List {
        games: games.filter_map(GameView::new).collect(),
        tables: lock(&site.lives.tables)
            .1
            .values()
            .rev()
            .map(|table| table.line())
            .collect(),
        players: players
            .map(|&(form, about)| PlayerView { form, about })
            .collect(),
    }
}

fn find(site: &Site, id: &str) -> Result<Arc<LiveTable>, Refusal> {
    let number = id.strip_prefix("live-").and_then(|id| id.parse().ok());
    let tables = lock(&site.lives.tables);
    let found = number.and_then(|number: u64| tables.1.get(&number).cloned());
    found.ok_or_else(|| Refusal::missing("there is no such table in real time any more"))
}

fn open(site: &Site, wish: &Wish) -> Result<Opened, Refusal> {
    let unknown = |error: String| Refusal::missing(error);
    let bundled = paidia_library::find(&wish.game).map_err(|error| unknown(error.to_string()))?;
    let rules = Ruleset::find(bundled.name).map_err(|error| unknown(error.sentence()))?;
    let unusable = |error: String| Refusal::unusable(error);
    let game = load_in_time(&EngineSpec::default(), &rules, None)
        .map_err(|error| unusable(error.to_string()))?;
    let pace = wish.pace.unwrap_or_else(|| views::usual_pace(&rules));
    if !(0.02..=60.0).contains(&pace) {
        return Err(Refusal::bad("a unit of time takes from 0.02 to 60 seconds"));
    }
    let roles: Vec<_> = game.facts().players().collect();
    let seats = wish
        .seats
        .clone()
        .unwrap_or_else(|| vec![OPEN.to_owned(); roles.len()]);
    if seats.len() != roles.len() {
        let wanted = roles.len();
        return Err(Refusal::bad(format!(
            "`seats` has {} of {wanted}",
            seats.len()
        )));
    }
    let kinds = roles.iter().zip(&seats).map(|(&role, seat)| {
        if seat == OPEN {
            return Ok(SeatKind::Open);
        }
        let guest: Guest = seat
            .parse()
            .map_err(|bad: paidia_arena::BadPlayer| Refusal::bad(bad.to_string()))?;
        paidia_arena::realtime::make(&guest, None, &game, role, 0)
            .map_err(|bad| Refusal::bad(bad.to_string()))?;
        Ok(SeatKind::Player(guest))
    });
    let kinds = kinds.collect::<Result<Vec<_>, Refusal>>()?;
    let mut tables = lock(&site.lives.tables);
    while tables.1.len() >= MOST_TABLES {
        let spare = tables.1.iter().find(|(_, table)| table.is_spare());
        let Some(number) = spare.map(|(&number, _)| number) else {
            return Err(Refusal::busy(
                "there are too many tables in real time; end one",
            ));
        };
        tables.1.remove(&number);
    }
    tables.0 += 1;
    let number = tables.0;
    let id = format!("live-{number}");
    let table = Arc::new(LiveTable::new(
        &id,
        rules,
        game,
        kinds,
        pace,
        site.records.clone(),
    ));
    tables.1.insert(number, Arc::clone(&table));
    drop(tables);
    LiveTable::begin_if_full(&table);
    Ok(Opened { id })
}
