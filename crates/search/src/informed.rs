//! A search that needs the whole state as a player that may not know it.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use paidia_game::{Game, MoveId, RoleId, Sight, Walker};

use crate::belief::{Belief, Effort, Told};
use crate::budget::{Budget, StopReason, Stopwatch};
use crate::costs::Costs;
use crate::player::{Decision, Informed, Player};
use crate::report::{MoveReport, Report};

/// The most states that are searched for one move, where the state is not known.
pub const MOST_SEARCHES: usize = 8;
/// The part of a move's time in which a belief may look for states.
pub const BELIEF_SHARE: u32 = 3;
/// Joint moves that a belief may make for each move where there is no clock.
const BELIEF_STEPS: u64 = 20_000;

/// Asks a search about the state where a game tells it, and otherwise about states that agree with
/// the role's own moves and percepts.
pub struct InformedPlayer<G: Game> {
    game: G,
    role: RoleId,
    seed: u64,
    search: Box<dyn Informed<G>>,
    known: Known<G>,
}

/// What the player knows of the state.
enum Known<G: Game> {
    /// Nothing was told yet: the match is at its beginning.
    Start,
    State(G::State),
    Belief(Box<Belief<G>>, Vec<Told>),
}

impl<G: Game> InformedPlayer<G> {
    /// A player for a role that asks this search.
    pub fn new(game: &G, role: RoleId, search: Box<dyn Informed<G>>, seed: u64) -> Self {
        Self {
            game: game.clone(),
            role,
            seed,
            search,
            known: Known::Start,
        }
    }

    /// Takes in what was told since the last move.
    fn catch_up(&mut self, budget: Budget) {
        let Known::Belief(belief, untold) = &mut self.known else {
            return;
        };
        let effort = match budget.time {
            Some(time) => Effort::until(Instant::now() + time / BELIEF_SHARE),
            None => Effort::steps(BELIEF_STEPS),
        };
        for told in untold.drain(..) {
            // Where no state agrees, one that does not is as good as any.
            let _ = belief.see(told, effort);
        }
    }
}

impl<G: Game> Player<G> for InformedPlayer<G> {
    fn observe(&mut self, sight: &Sight<'_, G::State>) {
        match *sight {
            Sight::Whole { state, .. } => match &mut self.known {
                Known::State(known) => known.clone_from(state),
                known => *known = Known::State(state.clone()),
            },
            Sight::Own { made, percepts } => {
                if !matches!(self.known, Known::Belief(..)) {
                    let belief = Belief::new(&self.game, self.role, self.seed);
                    self.known = Known::Belief(Box::new(belief), Vec::new());
                }
                if let (Known::Belief(_, untold), Some(made)) = (&mut self.known, made) {
                    let percepts = percepts.iter();
                    let percepts = percepts.map(|&id| self.game.percepts().name(id).to_string());
                    let made = self.game.moves().name(made).to_string();
                    untold.push(Told::new(made, percepts.collect()));
                }
            }
        }
    }

    fn prepare(&mut self, budget: Budget) {
        match &self.known {
            Known::State(state) => self.search.prepare(state, budget),
            Known::Start => self.search.prepare(&self.game.initial(), budget),
            Known::Belief(belief, _) => self.search.prepare(&belief.states()[0], budget),
        }
    }

    fn choose(&mut self, legal: &[MoveId], budget: Budget, interrupt: &AtomicBool) -> Decision {
        let began = Instant::now();
        self.catch_up(budget);
        let states = match &mut self.known {
            Known::Start => vec![self.game.initial()],
            Known::State(state) => {
                return self.search.choose_until(state, budget, interrupt);
            }
            Known::Belief(belief, _) => belief.sample(MOST_SEARCHES),
        };
        let mut left = budget;
        left.time = budget.time.map(|time| time.saturating_sub(began.elapsed()));
        let mut walker = self.game.walker();
        let is_possible = |state: &G::State| {
            walker.jump(state);
            !walker.is_terminal() && walker.legal().of(self.role) == legal
        };
        let states: Vec<G::State> = states.into_iter().filter(is_possible).collect();
        let decision = choose_among(&mut *self.search, &states, left, interrupt);
        let first = legal.first().copied().unwrap_or(MoveId::CHANCE);
        decision.unwrap_or_else(|| Decision::without_search(first, StopReason::NoSearch))
    }

    fn ponder(&mut self, interrupt: &AtomicBool) {
        match &self.known {
            Known::State(state) => self.search.ponder(state, interrupt),
            // What comes next depends on percepts that are still to come.
            Known::Start | Known::Belief(..) => {}
        }
    }
}

/// The move that is best on average over some states, among which the budget is shared; `None`
/// without any state.
pub fn choose_among<G: Game>(
    search: &mut dyn Informed<G>,
    states: &[G::State],
    budget: Budget,
    interrupt: &AtomicBool,
) -> Option<Decision> {
    if let [state] = states {
        return Some(search.choose_until(state, budget, interrupt));
    }
    let clock = Stopwatch::start(budget.clock);
    let mut sums = Sums::default();
    for (place, state) in states.iter().enumerate() {
        let share = |count: u64| (count / states.len() as u64).max(1);
        let budget = Budget {
            time: budget.time.map(|time| {
                let left = time.saturating_sub(clock.elapsed());
                left / (states.len() - place) as u32
            }),
            simulations: budget.simulations.map(share),
            states: budget.states.map(share),
            ..budget
        };
        sums.add(search.choose_until(state, budget, interrupt));
    }
    sums.decision()
}

/// What several searches found together.
#[derive(Default)]
struct Sums {
    moves: BTreeMap<MoveId, Mean>,
    simulations: u64,
    known: u64,
    playouts: u64,
    states: u64,
    time: Duration,
    nodes: usize,
    last: Option<(MoveId, StopReason)>,
}

/// A move in several searches.
#[derive(Clone, Copy, Default)]
struct Mean {
    sum: f64,
    count: u32,
    visits: u64,
}

impl Sums {
    fn add(&mut self, decision: Decision) {
        let report = decision.report;
        for own in &report.moves {
            let mean = self.moves.entry(own.id).or_default();
            mean.sum += own.value;
            mean.count += 1;
            mean.visits += own.visits;
        }
        self.simulations += report.simulations;
        self.known += report.known;
        self.playouts += report.playouts;
        self.states += report.states;
        self.time += report.time;
        self.nodes = self.nodes.max(report.nodes);
        self.last = Some((decision.id, report.stopped));
    }

    /// The best move on average. Nothing is proven by a look at some states, and no line is
    /// expected in all of them.
    fn decision(self) -> Option<Decision> {
        let (last, stopped) = self.last?;
        let moves = self.moves.into_iter().map(|(id, mean)| MoveReport {
            id,
            value: mean.sum / f64::from(mean.count),
            visits: mean.visits,
            proven: None,
        });
        let mut moves: Vec<MoveReport> = moves.collect();
        moves.sort_by(|one, other| other.value.total_cmp(&one.value));
        Some(Decision {
            id: moves.first().map_or(last, |best| best.id),
            report: Report {
                moves,
                line: Vec::new(),
                proven: None,
                simulations: self.simulations,
                known: self.known,
                playouts: self.playouts,
                states: self.states,
                time: self.time,
                nodes: self.nodes,
                stopped,
                costs: Costs::default(),
            },
        })
    }
}
