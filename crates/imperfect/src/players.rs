//! Players for games in which players do not see everything.
//!
//! All of them are told a [`Sight`] and nothing else, and keep a [`Bag`] of hypergames that agree
//! with it. [`HyperPlay`] gives moves their mean over random play from there, [`HyperPlayTwo`] over
//! play in which every role knows no more than it was told, [`InformationSetSearch`] searches trees
//! over information sets, and [`Equilibrist`] plays an equilibrium of a small game. [`LegalPlayer`]
//! needs no hypergames: it makes any move that it knows to be legal.

mod equilibrist;
mod hyperplay;
mod hyperplay_ii;
mod legal;
mod trees;

use std::time::{Duration, Instant};

use paidia_game::{Chance, Game, MoveId, RoleId, Sight};
use paidia_search::{Budget, Costs, Decision, MoveReport, Report, StopReason};

use crate::bag::{Bag, Told};

pub use equilibrist::{Equilibrist, Solutions};
pub use hyperplay::{HyperPlay, HyperPlaySettings};
pub use hyperplay_ii::HyperPlayTwo;
pub use legal::LegalPlayer;
pub use trees::{InformationSetSearch, Observer, TreeSettings};

/// The part of a move's time in which a bag is brought up to date.
const BAG_SHARE: u32 = 4;

/// What a player was told, and what it makes of that.
struct Knowledge<G: Game> {
    game: G,
    role: RoleId,
    bag: Bag<G>,
    untold: Vec<Told>,
    chance: Chance,
    /// Whether the game hides nothing, so that there is one hypergame.
    sees_all: bool,
}

impl<G: Game> Knowledge<G> {
    fn new(game: &G, role: RoleId, size: usize, seed: u64) -> Self {
        Self {
            bag: Bag::new(game, role, size),
            game: game.clone(),
            role,
            untold: Vec::new(),
            chance: Chance::from_seed(seed),
            sees_all: false,
        }
    }

    fn observe(&mut self, sight: &Sight<'_, G::State>) {
        match *sight {
            Sight::Whole { state, .. } => {
                self.sees_all = true;
                self.bag.know(state);
            }
            Sight::Own {
                made: Some(made),
                percepts,
            } => {
                self.untold.push(Told {
                    made,
                    percepts: percepts.into(),
                });
            }
            Sight::Own { made: None, .. } => {}
        }
    }

    /// Brings the bag up to date, and to the moves that are legal now.
    fn catch_up(&mut self, legal: &[MoveId], budget: Budget) {
        let until = budget.time.map(|time| Instant::now() + time / BAG_SHARE);
        for told in std::mem::take(&mut self.untold) {
            // Where nothing agrees, what does not is as good as any.
            let _ = self.bag.see(told, until, &mut self.chance);
        }
        self.bag.asked(legal);
    }
}

/// The means of moves, and what it took to find them.
#[derive(Clone, Debug, Default)]
struct Means {
    sums: Vec<f64>,
    weights: Vec<f64>,
    visits: Vec<u64>,
    /// Joint moves to the end, as often as the sums say.
    lengths: Vec<f64>,
}

impl Means {
    fn new(moves: usize) -> Self {
        Self {
            sums: vec![0.0; moves],
            weights: vec![0.0; moves],
            visits: vec![0; moves],
            lengths: vec![0.0; moves],
        }
    }

    fn add(&mut self, place: usize, end: End, weight: f64) {
        self.sums[place] += weight * end.goal;
        self.weights[place] += weight;
        self.visits[place] += 1;
        self.lengths[place] += weight * f64::from(end.length);
    }

    fn mean(&self, place: usize) -> f64 {
        match self.weights[place] > 0.0 {
            true => self.sums[place] / self.weights[place],
            false => 0.0,
        }
    }

    /// One of the best moves, each with the same chance. Of moves that are equally good that of the
    /// shortest play is best, so that what is as good as won is won, and of moves that are equally
    /// bad, below `middle`, that of the longest.
    fn best(&self, middle: f64, chance: &mut Chance) -> usize {
        let tried = (0..self.sums.len()).filter(|&place| self.weights[place] > 0.0);
        let tried: Vec<usize> = tried.collect();
        let value = |place: usize| self.mean(place);
        let best = highest(&tried, value);
        let length = |place: usize| {
            let length = self.lengths[place] / self.weights[place];
            if value(place) > middle {
                -length
            } else {
                length
            }
        };
        chance.pick(&highest(&best, length)).unwrap_or(0)
    }

    fn decision(&self, legal: &[MoveId], chosen: usize, work: &Work) -> Decision {
        let mut moves: Vec<MoveReport> = (0..legal.len())
            .map(|place| MoveReport {
                id: legal[place],
                value: self.mean(place),
                visits: self.visits[place],
                proven: None,
            })
            .collect();
        moves.sort_by(|one, other| other.value.total_cmp(&one.value));
        if let Some(place) = moves.iter().position(|report| report.id == legal[chosen]) {
            moves[..=place].rotate_right(1);
        }
        Decision {
            id: legal[chosen],
            report: Report {
                moves,
                line: Vec::new(),
                proven: None,
                simulations: work.simulations,
                playouts: work.simulations,
                states: work.states,
                time: work.began.elapsed(),
                nodes: work.nodes,
                stopped: work.stopped,
                known: 0,
                costs: Costs::default(),
            },
        }
    }
}

/// How a simulation ended.
#[derive(Clone, Copy, Debug)]
struct End {
    /// The goal of the role.
    goal: f64,
    /// Joint moves until then.
    length: u32,
}

/// Those of some places with the highest value, but for rounding.
fn highest(places: &[usize], value: impl Fn(usize) -> f64) -> Vec<usize> {
    let values = places.iter().map(|&place| value(place));
    let best = values.fold(f64::NEG_INFINITY, f64::max);
    let is_best = |place: &usize| value(*place) >= best - 1e-9;
    places.iter().copied().filter(is_best).collect()
}

/// The middle of a game's goals.
fn middle<G: Game>(game: &G) -> f64 {
    let range = &game.facts().goal_range;
    f64::midpoint(f64::from(*range.start()), f64::from(*range.end()))
}

/// What was done for a decision.
struct Work {
    began: Instant,
    budget: Budget,
    simulations: u64,
    states: u64,
    nodes: usize,
    stopped: StopReason,
}

impl Work {
    fn new(budget: Budget) -> Self {
        Self {
            began: Instant::now(),
            budget,
            simulations: 0,
            states: 0,
            nodes: 0,
            stopped: StopReason::Done,
        }
    }

    /// Whether the budget is used up; notes why.
    fn is_over(&mut self, interrupt: &std::sync::atomic::AtomicBool) -> bool {
        let time = |limit: Duration| self.began.elapsed() >= limit;
        let reason = if interrupt.load(std::sync::atomic::Ordering::Relaxed) {
            StopReason::Interrupted
        } else if self
            .budget
            .simulations
            .is_some_and(|limit| self.simulations >= limit)
        {
            StopReason::Simulations
        } else if self.budget.states.is_some_and(|limit| self.states >= limit) {
            StopReason::States
        } else if self.budget.time.is_some_and(time) {
            StopReason::Time
        } else {
            return false;
        };
        self.stopped = reason;
        true
    }

    fn is_limited(&self) -> bool {
        self.budget.time.is_some()
            || self.budget.simulations.is_some()
            || self.budget.states.is_some()
    }
}
