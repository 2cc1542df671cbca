//! Small tournaments, started from the page and watched while they are played.
//!
//! Their matches are written down with all others. How far a tournament is is kept beside them, so
//! that one that was being played goes on after a restart.

mod board;
mod progress;

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use paidia_arena::contest::{ContestGames, Outcome};
use paidia_arena::record::{MatchRecord, file_name};
use paidia_arena::store::{Archive, Database, MatchQuery, StoreError, WorkList};
use paidia_arena::tournament::{
    Entrant, Plan, RunOptions, SeatingPlan, Tournament, TournamentError, run, summarise,
};
use serde::{Deserialize, Serialize};

use super::events::{Channel, Listener, event};
use super::refusal::Refusal;
use super::table::seconds;
use super::thinker::Chosen;
use super::{Limits, Site};
use crate::threads::{STACK_BYTES, lock};
use board::Board;
use progress::{Progress, State};

/// The most seconds a move.
const MOST_SECONDS: f64 = 10.0;
/// Joint moves after which a match is cut.
const STEP_LIMIT: usize = 500;

/// A request for a tournament.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Wish {
    #[serde(default)]
    name: String,
    games: Vec<String>,
    players: Vec<String>,
    #[serde(default = "one")]
    rounds: u64,
    #[serde(default = "fifth")]
    seconds: f64,
    #[serde(default)]
    seed: u64,
}

fn one() -> u64 {
    1
}

fn fifth() -> f64 {
    0.2
}

#[derive(Serialize)]
pub(super) struct Opened {
    id: String,
}

/// A tournament.
pub(super) struct Event {
    id: String,
    wish: Wish,
    setting: Tournament,
    boards: Vec<Board>,
    progress: Mutex<Progress>,
    stop: AtomicBool,
    /// Whether it goes on when the arena is opened again.
    pauses: AtomicBool,
    channel: Channel,
}

/// All tournaments.
#[derive(Default)]
pub(super) struct Tournaments {
    /// The latest first.
    all: Mutex<VecDeque<Arc<Event>>>,
}

#[derive(Serialize)]
pub(super) struct TournamentList {
    tournaments: Vec<Progress>,
}

impl Tournaments {
    /// All of them, the latest first.
    pub(super) fn list(&self) -> TournamentList {
        let events = lock(&self.all);
        TournamentList {
            tournaments: events.iter().map(|event| event.view()).collect(),
        }
    }

    /// The tournament with this name.
    pub(super) fn find(&self, id: &str) -> Result<Arc<Event>, Refusal> {
        let events = lock(&self.all);
        let event = events.iter().find(|event| event.id == id).cloned();
        event.ok_or_else(|| Refusal::missing("there is no such tournament; the latest are kept"))
    }

    /// Starts a tournament.
    pub(super) fn open(&self, site: &Arc<Site>, wish: &Wish) -> Result<Opened, Refusal> {
        let limits = &site.options.limits;
        let event = Arc::new(Event::new(site, wish)?);
        let opened = Opened {
            id: event.id.clone(),
        };
        let mut all = lock(&self.all);
        if all.iter().any(|event| event.view().state == State::Playing) {
            return Err(Refusal::busy(
                "a tournament is being played; stop it, or wait for its end",
            ));
        }
        event.keep(site, &event.view());
        all.push_front(Arc::clone(&event));
        all.truncate(limits.tournaments);
        if !event.begin(site) {
            all.pop_front();
            return Err(Refusal::busy("there is no thread for a tournament"));
        }
        Ok(opened)
    }

    /// Goes on with what an arena before this one left behind.
    pub(super) fn go_on(&self, site: &Arc<Site>) {
        let kept = site.keep.tournaments(site.options.limits.tournaments);
        let kept = kept.into_iter();
        let kept = kept.filter_map(|kept| serde_json::from_value::<Kept>(kept).ok());
        let events = kept.filter_map(|kept| Event::restore(site, kept).ok());
        let events: VecDeque<Arc<Event>> = events.map(Arc::new).collect();
        let is_playing = |event: &&Arc<Event>| event.view().state == State::Playing;
        if let Some(event) = events.iter().find(is_playing) {
            event.begin(site);
        }
        *lock(&self.all) = events;
    }

    /// Stops whatever is being played; it goes on when the arena is opened again.
    pub(super) fn close(&self) {
        for event in lock(&self.all).iter() {
            event.pauses.store(true, Ordering::Relaxed);
            event.stop();
        }
    }
}

impl Wish {
    /// The games that are to be played, each once.
    fn boards(&self, site: &Site) -> Result<Vec<Board>, Refusal> {
        let most = site.options.limits.tournament_games;
        if self.games.is_empty() || self.games.len() > most {
            return Err(Refusal::unusable(format!("1 to {most} games are played")));
        }
        let mut boards: Vec<Board> = Vec::new();
        for game in &self.games {
            let board = Board::find(site, game)?;
            board.players()?;
            if boards.iter().any(|known| known.id() == board.id()) {
                let error = format!("`{}` is there twice", board.id());
                return Err(Refusal::unusable(error));
            }
            boards.push(board);
        }
        Ok(boards)
    }

    /// The players, each once.
    fn players(&self, limits: &Limits) -> Result<BTreeMap<String, Entrant>, Refusal> {
        let most = limits.tournament_players;
        if self.players.len() < 2 || self.players.len() > most {
            return Err(Refusal::unusable(format!("2 to {most} players take part")));
        }
        let mut players = BTreeMap::new();
        for player in &self.players {
            let chosen = Chosen::read(player, limits)?;
            if chosen.is_held_back() {
                return Err(Refusal::unusable(format!(
                    "`{player}` is a level for play with people; take players of the catalogue"
                )));
            }
            let entrant = Entrant::Plain(chosen.written());
            if players.insert(chosen.name.clone(), entrant).is_some() {
                let error = format!("`{}` takes part twice", chosen.name);
                return Err(Refusal::unusable(error));
            }
        }
        Ok(players)
    }
}

/// A tournament on disk.
#[derive(Serialize, Deserialize)]
struct Kept {
    wish: Wish,
    progress: Progress,
}

/// A tournament as it is played.
fn setting(
    id: &str,
    title: &str,
    boards: &[Board],
    wish: &Wish,
    limits: &Limits,
) -> Result<Tournament, Refusal> {
    Ok(Tournament {
        name: id.to_owned(),
        title: title.to_owned(),
        games: boards.iter().map(|board| board.id().to_owned()).collect(),
        players: wish.players(limits)?,
        seed: wish.seed,
        rounds: wish.rounds,
        seats: SeatingPlan::default(),
        states: None,
        simulations: None,
        seconds: Some(wish.seconds),
        cpu: false,
        start: None,
        opening: 0,
        step_limit: STEP_LIMIT,
    })
}

impl Event {
    fn new(site: &Site, wish: &Wish) -> Result<Self, Refusal> {
        let limits = &site.options.limits;
        seconds(wish.seconds, MOST_SECONDS)?;
        let boards = wish.boards(site)?;
        let random = getrandom::u32().map_err(|error| Refusal::busy(error.to_string()))?;
        let title: String = wish
            .name
            .chars()
            .filter(|c| !c.is_control())
            .take(80)
            .collect();
        let title = match title.trim() {
            "" => "A small tournament".to_owned(),
            title => title.to_owned(),
        };
        let plain = title.replace(|letter: char| !letter.is_ascii_alphanumeric(), "-");
        let name: String = file_name(&plain).to_lowercase().chars().take(60).collect();
        let id = format!("{name}-{random:08x}");
        let setting = setting(&id, &title, &boards, wish, limits)?;
        for (board, player) in boards
            .iter()
            .flat_map(|board| setting.players.values().map(move |player| (board, player)))
        {
            if let Entrant::Plain(player) = player {
                board.admit(player)?;
            }
        }
        let total = matches(&setting, &boards, limits.tournament_matches)?;
        Ok(Self {
            progress: Mutex::new(Progress::new(&setting, total)),
            id,
            wish: wish.clone(),
            setting,
            boards,
            stop: AtomicBool::new(false),
            pauses: AtomicBool::new(false),
            channel: Channel::new(),
        })
    }

    /// A tournament as it was kept.
    fn restore(site: &Site, kept: Kept) -> Result<Self, Refusal> {
        let (id, title) = (kept.progress.id(), kept.progress.title());
        let games = kept.wish.games.iter();
        let boards = games.map(|game| Board::find(site, game));
        let boards = boards.collect::<Result<Vec<_>, _>>()?;
        let setting = setting(&id, &title, &boards, &kept.wish, &site.options.limits)?;
        Ok(Self {
            id,
            wish: kept.wish,
            setting,
            boards,
            progress: Mutex::new(kept.progress),
            stop: AtomicBool::new(false),
            pauses: AtomicBool::new(false),
            channel: Channel::new(),
        })
    }

    /// Plays in a thread of its own; whether there is one.
    fn begin(self: &Arc<Self>, site: &Arc<Site>) -> bool {
        let (site, event) = (Arc::clone(site), Arc::clone(self));
        let work = move || event.play(&site);
        let builder = thread::Builder::new().name("tournament".to_owned());
        builder.stack_size(STACK_BYTES).spawn(work).is_ok()
    }

    /// Keeps how far it is. Where nothing can be written it is lost when the arena closes.
    fn keep(&self, site: &Site, progress: &Progress) {
        let kept = Kept {
            wish: self.wish.clone(),
            progress: progress.clone(),
        };
        let _ = site.keep.keep_tournament(&self.id, &kept);
    }

    /// How far it is.
    pub(super) fn view(&self) -> Progress {
        lock(&self.progress).clone()
    }

    /// A listener that gets the progress so far, and every change.
    pub(super) fn listen(&self, places: &Arc<tokio::sync::Semaphore>) -> Result<Listener, Refusal> {
        let progress = lock(&self.progress);
        self.channel.listen(event("progress", &*progress), places)
    }

    /// Begins no more matches; those that are being played come to their end.
    pub(super) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Plays it to its end.
    fn play(&self, site: &Site) {
        let played = self.try_play(site);
        if played.is_ok() && self.pauses.load(Ordering::Relaxed) {
            return;
        }
        let mut progress = lock(&self.progress);
        progress.state = match (&played, progress.done < progress.total) {
            (Err(_), _) => State::Failed,
            (Ok(()), true) => State::Stopped,
            (Ok(()), false) => State::Finished,
        };
        progress.error = played.err().map(|error| error.to_string());
        self.keep(site, &progress);
        self.channel.tell(event("progress", &*progress));
    }

    fn try_play(&self, site: &Site) -> Result<(), TournamentError> {
        let mut tables = ContestGames::new();
        for board in &self.boards {
            if self.stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            if let Some(table) = board.table() {
                tables.insert(board.id().to_owned(), table);
            }
        }
        let plan = Plan::new(&self.setting, &tables)?;
        let database = site.records.open()?;
        let setups = plan.setups();
        let list = Stoppable {
            list: &database.begin(&self.id, &setups)?,
            stop: &self.stop,
        };
        let Some(_place) = site.desk.sit(&self.stop) else {
            return Ok(());
        };
        let options = RunOptions {
            jobs: 1,
            at_most: None,
            records: true,
            wait: false,
            // The list has no free match once it is stopped.
            interrupt: Arc::default(),
        };
        let told = |done: usize, _: usize| {
            // What cannot be told now is told with the next match.
            let _ = self.sum_up(site, &plan, &database, &setups, done);
        };
        run(&self.setting, &plan, &tables, &list, &options, &told)?;
        let done = database.outcomes(&self.id, &setups)?.len();
        self.sum_up(site, &plan, &database, &setups, done)
    }

    /// Sums up what was played so far, and sends it to the listeners.
    fn sum_up(
        &self,
        site: &Site,
        plan: &Plan,
        database: &Database,
        setups: &[String],
        done: usize,
    ) -> Result<(), TournamentError> {
        let outcomes = database.outcomes(&self.id, setups)?;
        let summary = summarise(&self.setting, plan, &outcomes)?;
        let own = MatchQuery {
            tournament: Some(self.id.clone()),
            ..MatchQuery::default()
        };
        let (_, rows) = database.find_matches(&own, 0, usize::MAX)?;
        let mut progress = lock(&self.progress);
        progress.done = done;
        progress.matches = rows.into_iter().map(|row| row.id).collect();
        progress.take(&summary, &self.boards);
        self.keep(site, &progress);
        self.channel.tell(event("progress", &*progress));
        Ok(())
    }
}

/// How many matches there are, if they are not too many.
fn matches(setting: &Tournament, boards: &[Board], most: usize) -> Result<usize, Refusal> {
    let too_many = || {
        Refusal::unusable(format!(
            "there would be more than {most} matches; take fewer games, players or rounds"
        ))
    };
    if setting.rounds == 0 || setting.rounds > most as u64 {
        return Err(too_many());
    }
    let mut count = 0;
    for board in boards {
        let roles = board.players()?;
        let seatings = setting.seats.seatings(setting.players.len(), roles, most);
        count += seatings.ok_or_else(too_many)?.len() * setting.rounds as usize;
    }
    match count {
        0 => Err(Refusal::unusable(
            "no match could be played: the games want more players than take part",
        )),
        count if count > most => Err(too_many()),
        count => Ok(count),
    }
}

/// A list of matches from which nothing is taken once it is stopped.
struct Stoppable<'a> {
    list: &'a dyn WorkList,
    stop: &'a AtomicBool,
}

impl WorkList for Stoppable<'_> {
    fn claim(&self) -> Result<Option<String>, StoreError> {
        match self.stop.load(Ordering::Relaxed) {
            true => Ok(None),
            false => self.list.claim(),
        }
    }

    fn renewal(&self) -> Option<Duration> {
        self.list.renewal()
    }

    fn renew(&self, setups: &[String]) -> Result<(), StoreError> {
        self.list.renew(setups)
    }

    fn finish(&self, outcome: &Outcome, record: Option<&MatchRecord>) -> Result<(), StoreError> {
        self.list.finish(outcome, record)
    }

    fn left(&self) -> Result<usize, StoreError> {
        self.list.left()
    }
}
