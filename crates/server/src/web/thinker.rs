//! Players that search, on whichever engine, and the desk that limits how many of them search at a
//! time.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use paidia_arena::catalogue::{MEMORY, alone};
use paidia_arena::engine::OnGame;
use paidia_arena::told::ToldPlayer;
use paidia_arena::{Playable, PlayerSpec};
use paidia_game::{Game, Legible, MoveId, RoleId, Walker};
use paidia_search::belief::{Belief, Effort, Told};
use paidia_search::{
    BELIEF_SHARE, Budget, Informed, MOST_SEARCHES, Report, StopReason, choose_among,
};

use super::Limits;
use super::decision::{DecisionView, Searched};
use super::game_list::{Entry, PreparedGame};
use super::levels;
use super::refusal::Refusal;
use crate::threads::lock;

/// How often a search that waits for a place looks whether it should still wait.
const GLANCE: Duration = Duration::from_millis(50);

/// How often it is told what a search has found so far.
const SLICE: Duration = Duration::from_millis(120);
/// Players whose search of the same state goes on from the tree that they have.
const WITH_TREES: [&str; 4] = ["paidia", "uct", "uct-history", "mc-memory"];

/// What a player knows of the position it thinks about, in words that every engine understands.
#[derive(Clone, Debug)]
pub(super) enum Known {
    /// The fluents that hold.
    State(Vec<String>),
    /// What its role was told of each joint move since the start.
    Own(Vec<Told>),
}

/// Chooses moves for one role.
pub(super) trait Thinker: Send {
    /// What it makes of a position. What it has found so far is told now and then, if that is
    /// wanted and it can go on from there.
    ///
    /// # Errors
    /// If the engine does not know the state.
    fn think(
        &mut self,
        known: &Known,
        budget: Budget,
        interrupt: &AtomicBool,
        tell: Option<&mut dyn FnMut(DecisionView)>,
    ) -> Result<DecisionView, String>;

    /// Whether it thinks on an engine that was there at once, and a faster one is to come.
    fn is_provisional(&self) -> bool;
}

/// A player on an engine.
struct Searching<G: Game + Legible> {
    game: G,
    rules: Arc<PreparedGame>,
    role: RoleId,
    chosen: Chosen,
    search: Box<dyn Informed<G>>,
    belief: Belief<G>,
    is_provisional: bool,
}

/// A player that may be used here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Chosen {
    /// As it was asked for.
    pub(super) name: String,
    /// As it is made.
    spec: PlayerSpec,
    /// The most simulations for a move, where its level sets them.
    simulations: Option<u64>,
}

impl Chosen {
    /// The player as a spec that makes the same one again.
    pub(super) fn written(&self) -> String {
        self.spec.to_string()
    }

    /// Whether it plays at a level, with fewer simulations than it could make.
    pub(super) fn is_held_back(&self) -> bool {
        self.simulations.is_some()
    }

    /// Whether a search of the same state goes on from what it found before.
    fn keeps_its_tree(&self) -> bool {
        WITH_TREES.contains(&self.spec.entry().name)
    }

    /// Reads a player, and refuses one that would take more than it may.
    pub(super) fn read(text: &str, limits: &Limits) -> Result<Self, Refusal> {
        let bad = |error: &dyn std::fmt::Display| {
            Refusal::unusable(format!("in the player `{text}`: {error}"))
        };
        if text.len() > 300 {
            return Err(Refusal::unusable(
                "a player is written in at most 300 characters",
            ));
        }
        let level = levels::find(text.trim());
        let player = level.map_or(text, |level| level.player);
        let spec: PlayerSpec = player.parse().map_err(|error| bad(&error))?;
        let most = limits.search_megabytes;
        let settings = spec.settings();
        if spec.sets(&MEMORY) && settings.search.memory >> 20 > most {
            return Err(bad(&format!("it may have {most} megabytes")));
        }
        if settings.threads() > limits.searches {
            return Err(bad(&format!("it may have {} threads", limits.searches)));
        }
        let spec = match spec.has(&MEMORY) && !spec.sets(&MEMORY) {
            true => spec.with(MEMORY.name, &(most / 4).max(1).to_string()),
            false => Ok(spec),
        };
        Ok(Self {
            name: text.trim().to_owned(),
            spec: spec.map_err(|error| bad(&error))?,
            simulations: level.and_then(|level| level.simulations),
        })
    }
}

/// A player that thinks for a role of a game, on the fastest engine that is ready soon.
pub(super) fn thinker(
    entry: &Arc<Entry>,
    rules: &Arc<PreparedGame>,
    chosen: &Chosen,
    role: RoleId,
    seed: u64,
    is_alone: bool,
) -> Result<Box<dyn Thinker>, Refusal> {
    let mut chosen = chosen.clone();
    if !is_alone {
        chosen.spec = alone(&chosen.spec);
    }
    let loaded = entry.engine_soon(rules);
    let seating = Seating {
        rules,
        chosen,
        role,
        seed,
        is_provisional: loaded.is_none(),
    };
    match loaded {
        Some(loaded) => {
            let seated = loaded.run(seating);
            seated.map_err(|error| Refusal::unusable(error.to_string()))?
        }
        None => seating.run(&Playable::any(rules.game.clone()).with_board(rules.rules.board())),
    }
}

/// A player to be made for a role of a game.
struct Seating<'a> {
    rules: &'a Arc<PreparedGame>,
    chosen: Chosen,
    role: RoleId,
    seed: u64,
    is_provisional: bool,
}

impl OnGame for Seating<'_> {
    type Output = Result<Box<dyn Thinker>, Refusal>;

    fn run<G: Game + Legible>(self, playable: &Playable<G>) -> Self::Output {
        let bad = |error: paidia_arena::BadPlayer| Refusal::unusable(error.to_string());
        let told = match self.chosen.is_held_back() {
            // Fewer simulations would not make an equilibrium any weaker.
            true => None,
            false => {
                ToldPlayer::new(&self.chosen.spec, playable, self.role, self.seed).map_err(bad)?
            }
        };
        if let Some(player) = told {
            return Ok(Box::new(Remembering {
                game: playable.game.clone(),
                rules: Arc::clone(self.rules),
                role: self.role,
                chosen: self.chosen,
                player,
                belief: Belief::new(&playable.game, self.role, self.seed),
                is_provisional: self.is_provisional,
            }));
        }
        let search = playable.search(&self.chosen.spec, self.role, self.seed);
        let search = search.map_err(|error| Refusal::unusable(error.to_string()))?;
        Ok(Box::new(Searching {
            game: playable.game.clone(),
            rules: Arc::clone(self.rules),
            role: self.role,
            chosen: self.chosen,
            search,
            belief: Belief::new(&playable.game, self.role, self.seed),
            is_provisional: self.is_provisional,
        }))
    }
}

impl<G: Game + Legible> Thinker for Searching<G> {
    fn think(
        &mut self,
        known: &Known,
        budget: Budget,
        interrupt: &AtomicBool,
        tell: Option<&mut dyn FnMut(DecisionView)>,
    ) -> Result<DecisionView, String> {
        let began = Instant::now();
        let states = self.states(known, budget)?;
        let mut left = budget;
        left.simulations = budget.simulations.or(self.chosen.simulations);
        let until = budget.time.map(|time| began + time);
        let mut tell = tell.filter(|_| states.len() == 1 && self.chosen.keeps_its_tree());
        let mut before = Report::without_search(MoveId::CHANCE, StopReason::NoSearch);
        loop {
            let time = until.map(|until| until.saturating_duration_since(Instant::now()));
            // The first part is short, and the last is not so short that it would find nothing.
            let slice = time.filter(|&time| tell.is_some() && time > SLICE + SLICE / 2);
            let part = if before.simulations == 0 {
                SLICE / 2
            } else {
                SLICE
            };
            left.time = slice.map_or(time, |_| Some(part));
            let decision = choose_among(&mut *self.search, &states, left, interrupt);
            let mut decision = decision.ok_or("no state is possible")?;
            let spent = decision.report.simulations;
            left.simulations = left.simulations.map(|most| most.saturating_sub(spent));
            add(&mut decision.report, &before);
            let searched = Searched {
                game: &self.game,
                state: &states[0],
                scene: &self.rules.scene,
                role: self.role,
                spec: &self.chosen.spec,
                name: &self.chosen.name,
            };
            let view = searched.view(&decision);
            let goes_on = slice.is_some() && decision.report.stopped == StopReason::Time;
            if !goes_on || interrupt.load(Ordering::Relaxed) {
                return Ok(view);
            }
            if let Some(tell) = &mut tell {
                tell(view);
            }
            before = decision.report;
        }
    }

    fn is_provisional(&self) -> bool {
        self.is_provisional
    }
}

/// A player on an engine that goes by what its role was told.
struct Remembering<G: Game + Legible> {
    game: G,
    rules: Arc<PreparedGame>,
    role: RoleId,
    chosen: Chosen,
    player: ToldPlayer<G>,
    belief: Belief<G>,
    is_provisional: bool,
}

impl<G: Game + Legible> Thinker for Remembering<G> {
    fn think(
        &mut self,
        known: &Known,
        budget: Budget,
        interrupt: &AtomicBool,
        _: Option<&mut dyn FnMut(DecisionView)>,
    ) -> Result<DecisionView, String> {
        let began = Instant::now();
        let Known::Own(told) = known else {
            return Err("this player is told what its role sees, and no state".to_owned());
        };
        // The belief knows the texts of what was told, and which moves are legal now.
        let states = believed(&self.game, &mut self.belief, told, budget);
        let state = states.first().ok_or("no state is possible")?;
        self.player.tell(told).map_err(|error| error.to_string())?;
        let mut walker = self.game.walker();
        walker.jump(state);
        let legal = walker.legal().of(self.role).to_vec();
        if legal.is_empty() {
            return Err("there is no legal move".to_owned());
        }
        let time = budget.time.map(|time| time.saturating_sub(began.elapsed()));
        let decision = self
            .player
            .choose(&legal, Budget { time, ..budget }, interrupt);
        let searched = Searched {
            game: &self.game,
            state,
            scene: &self.rules.scene,
            role: self.role,
            spec: &self.chosen.spec,
            name: &self.chosen.name,
        };
        Ok(searched.view(&decision))
    }

    fn is_provisional(&self) -> bool {
        self.is_provisional
    }
}

/// States that agree with what was told and in which play goes on.
fn believed<G: Game + Legible>(
    game: &G,
    belief: &mut Belief<G>,
    told: &[Told],
    budget: Budget,
) -> Vec<G::State> {
    let time = budget.time.unwrap_or_default() / BELIEF_SHARE;
    let effort = Effort::until(Instant::now() + time);
    // Where no state agrees, one that does not is as good as any.
    let _ = belief.see_all(told, effort);
    let mut walker = game.walker();
    let goes_on = |state: &G::State| {
        walker.jump(state);
        !walker.is_terminal()
    };
    let states = belief.sample(MOST_SEARCHES).into_iter();
    states.filter(goes_on).collect()
}

/// Adds what the parts of a search before this one took.
fn add(report: &mut Report, before: &Report) {
    report.simulations += before.simulations;
    report.playouts += before.playouts;
    report.states += before.states;
    report.time += before.time;
}

impl<G: Game + Legible> Searching<G> {
    /// The states that are searched: the one that is known, or some that agree with what was told.
    fn states(&mut self, known: &Known, budget: Budget) -> Result<Vec<G::State>, String> {
        match known {
            Known::State(fluents) => {
                let fluents: Vec<&str> = fluents.iter().map(String::as_str).collect();
                let state = self.game.state(&fluents);
                Ok(vec![state.map_err(|error| error.to_string())?])
            }
            Known::Own(told) => Ok(believed(&self.game, &mut self.belief, told, budget)),
        }
    }
}

/// Where searches take place, a limited number at a time.
pub(super) struct Desk {
    free: Mutex<usize>,
    freed: Condvar,
    places: usize,
}

/// A place at the desk, until it is dropped.
pub(super) struct Place<'a> {
    desk: &'a Desk,
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        *lock(&self.desk.free) += 1;
        self.desk.freed.notify_one();
    }
}

impl Desk {
    pub(super) fn new(places: usize) -> Self {
        Self {
            free: Mutex::new(places),
            freed: Condvar::new(),
            places,
        }
    }

    /// How many search now.
    pub(super) fn busy(&self) -> usize {
        self.places - *lock(&self.free)
    }

    /// Waits for a place until it is interrupted.
    pub(super) fn sit(&self, interrupt: &AtomicBool) -> Option<Place<'_>> {
        let mut free = lock(&self.free);
        while *free == 0 {
            if interrupt.load(Ordering::Relaxed) {
                return None;
            }
            let waited = self.freed.wait_timeout(free, GLANCE);
            free = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        *free -= 1;
        Some(Place { desk: self })
    }
}
