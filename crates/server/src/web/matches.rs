//! Matches that were written down: the list, and each of them move by move.

use std::path::PathBuf;
use std::sync::Arc;

use paidia_arena::record::MatchRecord;
use paidia_arena::store::{
    Archive, DATABASE, Database, MatchQuery, MatchRow, StoreError, keep_match,
};
use serde::Serialize;

use super::Site;
use super::decision::DecisionView;
use super::frame::{Camera, Frame, Made};
use super::game_list::Entry;
use super::games;
use super::line;
use super::live::{Recorded, recorded};
use super::refusal::Refusal;
use crate::http::decoded;

/// Matches on one page of the list.
const PAGE: usize = 50;

/// Where matches are written down.
#[derive(Clone)]
pub(super) struct Records {
    folder: PathBuf,
}

#[derive(Serialize)]
pub(super) struct MatchList {
    matches: Vec<Listed>,
    /// How many there are on all pages.
    total: usize,
    /// How many there are on one page.
    #[serde(rename = "pageSize")]
    page_size: usize,
}

/// A match in the list.
#[derive(Serialize)]
struct Listed {
    id: String,
    game: String,
    title: String,
    roles: Vec<String>,
    players: Vec<String>,
    goals: Vec<i32>,
    /// When it began, in milliseconds since 1970.
    date: i64,
    moves: usize,
    /// How many moves the referee had to replace.
    errors: usize,
    completed: bool,
    tournament: Option<String>,
}

impl Records {
    pub(super) fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// The database of the records.
    pub(super) fn open(&self) -> Result<Database, StoreError> {
        Database::open(&self.folder.join(DATABASE))
    }

    /// Writes a match down; its name, or why that is not possible.
    pub(super) fn write(&self, record: &MatchRecord) -> Result<String, String> {
        let kept = keep_match(&self.folder, record);
        kept.map_err(|error| error.to_string())?;
        Ok(record.match_id.clone())
    }

    /// The database, if anything was written down yet.
    fn existing(&self) -> Result<Option<Database>, Refusal> {
        if !self.folder.join(DATABASE).is_file() {
            return Ok(None);
        }
        self.open().map(Some).map_err(|error| failed(&error))
    }
}

/// A database that fails is no error of the client.
fn failed(error: &StoreError) -> Refusal {
    Refusal::new(hyper::StatusCode::INTERNAL_SERVER_ERROR, error.to_string())
}

/// What the list is asked for.
#[derive(Default)]
pub(super) struct Filter {
    query: MatchQuery,
    /// From 1 on; 0 is the first, too.
    page: usize,
}

impl Filter {
    /// Reads `game=chess&page=2`.
    pub(super) fn read(query: &str) -> Result<Self, Refusal> {
        let mut filter = Self::default();
        for part in query.split('&').filter(|part| !part.is_empty()) {
            let (key, value) = part.split_once('=').unwrap_or((part, ""));
            let value = decoded(value);
            let text = || (!value.is_empty()).then(|| value.clone());
            match key {
                "game" => filter.query.game = text(),
                "player" => filter.query.player = text(),
                "tournament" => filter.query.tournament = text(),
                "page" if value.is_empty() => {}
                "page" => {
                    let page = value.parse();
                    filter.page = page.map_err(|_| Refusal::bad("`page` is a number from 1 on"))?;
                }
                _ => {
                    return Err(Refusal::bad(
                        "matches are asked for by `game`, `player`, `tournament` and `page`",
                    ));
                }
            }
        }
        Ok(filter)
    }
}

/// One page of the list.
pub(super) fn list(site: &Site, filter: &Filter) -> Result<MatchList, Refusal> {
    let first = filter.page.saturating_sub(1).saturating_mul(PAGE);
    let database = site.records.existing()?;
    let found = database.map(|database| database.find_matches(&filter.query, first, PAGE));
    let found = found.transpose().map_err(|error| failed(&error))?;
    let (total, rows) = found.unwrap_or_default();
    let matches = rows.into_iter().map(|row| listed(site, row));
    Ok(MatchList {
        matches: matches.collect(),
        total,
        page_size: PAGE,
    })
}

fn listed(site: &Site, row: MatchRow) -> Listed {
    let bundled = site
        .games
        .bundled()
        .iter()
        .find(|entry| entry.id == row.game);
    let title = bundled.map(|entry| entry.title.clone());
    Listed {
        title: title
            .or_else(|| title_in_time(&row.game))
            .unwrap_or_else(|| row.game.clone()),
        id: row.id,
        game: row.game,
        roles: row.roles,
        players: row.players,
        goals: row.goals,
        date: row.started,
        moves: row.steps,
        errors: row.errors,
        completed: row.completed,
        tournament: row.tournament,
    }
}

/// The title of a bundled game in real time.
fn title_in_time(name: &str) -> Option<String> {
    let mut games = paidia_library::real_time().iter();
    let game = games.find(|game| game.name == name)?;
    game.facts().ok().map(|facts| facts.title)
}

#[derive(Serialize)]
pub(super) struct MatchView {
    #[serde(rename = "match")]
    heading: Listed,
    game: serde_json::Value,
    frames: Vec<Frame>,
    /// Why the rules and the record do not agree from the last frame on, if they do not.
    differs: Option<String>,
}

/// A match in real time, moment by moment.
#[derive(Serialize)]
pub(super) struct TimedView {
    #[serde(rename = "match")]
    heading: Listed,
    live: Recorded,
}

/// A match, whichever way time passes in it.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Whole {
    InTurns(Box<MatchView>),
    InTime(Box<TimedView>),
}

/// A match, move by move.
pub(super) fn whole(site: &Arc<Site>, id: &str) -> Result<Whole, Refusal> {
    let missing = || Refusal::missing("there is no such match");
    let database = site.records.existing()?.ok_or_else(missing)?;
    let rows = database.matches(Some(id)).map_err(|error| failed(&error))?;
    let row = rows.into_iter().next().ok_or_else(missing)?;
    let record = database.record(&row).map_err(|error| failed(&error))?;
    if let Some(timed) = record.real_time.as_deref() {
        let live = recorded(&record, timed)?;
        let heading = listed(site, row);
        return Ok(Whole::InTime(Box::new(TimedView { heading, live })));
    }
    let longest = site.options.limits.line_length;
    if record.moves.len() > longest {
        return Err(Refusal::unusable(format!(
            "the match has more than {longest} moves, which is too long for the page"
        )));
    }
    let entry = game_of(site, &record)?;
    let (frames, differs) = replay(&entry, &record)?;
    Ok(Whole::InTurns(Box::new(MatchView {
        heading: listed(site, row),
        game: games::view(&entry, false)?,
        frames,
        differs,
    })))
}

/// The game of a record: the bundled one with the same rules, or the rules in the record.
fn game_of(site: &Site, record: &MatchRecord) -> Result<Arc<Entry>, Refusal> {
    let name = record.game_name.as_deref().unwrap_or("");
    let bundled = site.games.bundled().iter().find(|entry| entry.id == name);
    match (&record.game_rulesheet, bundled) {
        (Some(rules), Some(entry)) if *rules == entry.text => Ok(Arc::clone(entry)),
        (Some(rules), _) => site.games.paste(name, rules),
        (None, Some(entry)) => Ok(Arc::clone(entry)),
        (None, None) => Err(Refusal::unusable(
            "the record has no rules and names no bundled game",
        )),
    }
}

/// The positions of a record, and why there are no more than these, if there should be.
fn replay(entry: &Entry, record: &MatchRecord) -> Result<(Vec<Frame>, Option<String>), Refusal> {
    let rules = entry.rules()?;
    let game = entry.walking(&rules);
    let camera = Camera::new(&game, &rules.scene);
    let mut played = line::start(&game);
    let mut frames = vec![camera.frame(&played)];
    for (ply, joint) in record.moves.iter().enumerate() {
        if let Err(refusal) = line::make(&mut played, joint) {
            return Ok((frames, Some(refusal.to_string())));
        }
        let mut frame = camera.after(&played, &frames[ply]);
        if let Some(made) = &mut frame.made {
            explain(made, record, ply);
        }
        frames.push(frame);
    }
    if let Some(last) = frames
        .last_mut()
        .filter(|last| record.is_aborted && last.ended.is_none())
    {
        last.end("cut");
    }
    Ok((frames, None))
}

/// Adds what the record tells about how a move came about.
fn explain(made: &mut Made, record: &MatchRecord, ply: usize) {
    let thoughts = record.thoughts.get(ply);
    let thought = |role: usize| -> Option<DecisionView> {
        let value = thoughts?.get(role)?;
        serde_json::from_value(value.clone()).ok()
    };
    let errors = record.errors.get(ply + 1);
    let error = |role: usize| errors?.get(role).filter(|error| !error.is_empty()).cloned();
    let roles = 0..made.joint.len();
    made.by = roles.clone().map(thought).collect();
    made.failures = roles.map(error).collect();
}
