//! Principal variation search for games of two who move in turn, by an evaluation learnt from
//! playouts.
//!
//! Iterative deepening with a transposition table, killer moves and the history heuristic; late
//! moves are searched less deeply first, and where pieces are being taken the search goes on until
//! they are not ([`Settings::quiescence`]). States are judged by an
//! [`Evaluation`](crate::evaluation::Evaluation), which is learnt in the start clock, or at the
//! first move where there is none. The formulae are in `docs/methods/alpha-beta.md`.

mod search;
mod table;

use std::sync::atomic::AtomicBool;

use paidia_game::{Game, MoveId, RoleId, TurnOrder, Walker, observe_turn_order};

use crate::budget::{Budget, Meter, StopReason};
use crate::costs::Costs;
use crate::evaluation::{Judge, NotForTwo, Pupil, difference, players_of};
use crate::player::{Decision, Informed, without_choice};
use crate::report::{MoveReport, Report};
use crate::scale::Scale;
use search::{Search, is_certain};

/// What can be set about the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Bytes for the transposition table.
    pub memory: usize,
    /// Whether it goes on while pieces are being taken.
    pub quiescence: bool,
    /// Whether late moves are searched less deeply first.
    pub reductions: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            memory: 16 << 20,
            quiescence: true,
            reductions: true,
        }
    }
}

/// Why a game cannot be searched so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotInTurn {
    /// It has no evaluation.
    #[error(transparent)]
    NotForTwo(#[from] NotForTwo),
    /// Moves are made at the same time.
    #[error("it is for games in which one role moves at a time")]
    Simultaneous,
}

/// The part of a start clock in which the evaluation is learnt; the rest is searched.
const LEARNING: f64 = 0.8;

/// A player that searches with alpha-beta.
pub struct AlphaBeta<G: Game> {
    role: RoleId,
    players: (RoleId, RoleId),
    pupil: Pupil<G>,
    walker: G::Walker,
    search: Search<G>,
}

impl<G: Game> AlphaBeta<G> {
    /// A player for a role, with the evaluation that the pupil has or learns.
    ///
    /// # Errors
    /// If it is no game of two in turn.
    pub fn new(
        game: &G,
        role: RoleId,
        settings: Settings,
        pupil: Pupil<G>,
    ) -> Result<Self, NotInTurn> {
        let players = fits(game)?;
        Ok(Self {
            walker: game.walker(),
            search: Search::new(game, players, settings),
            pupil,
            role,
            players,
        })
    }

    fn search(&mut self, state: &G::State, mut budget: Budget, interrupt: &AtomicBool) -> Report {
        let learnt = self.pupil.late(state, &mut budget);
        let judge = learnt.and_then(|learnt| Judge::new(self.pupil.game(), learnt));
        if let Some(judge) = judge {
            self.search.set_judge(judge);
        }
        let mut meter = Meter::until(budget, interrupt);
        let stopped = self.search.deepen(state, self.role, &mut meter);
        self.report(&meter, stopped)
    }

    fn report(&self, meter: &Meter<'_>, stopped: StopReason) -> Report {
        let facts = self.pupil.game().facts();
        let scale = Scale::new(facts).of_differences(true);
        let sign = if self.role == self.players.0 { 1 } else { -1 };
        let told = |score: i32| {
            let score = sign * score;
            match is_certain(score) {
                true => 100.0 * f64::from(score.signum()),
                false => difference(score),
            }
        };
        let moves = self.search.root.iter().map(|found| MoveReport {
            id: found.id,
            value: scale.goal_of(told(found.score)),
            visits: found.nodes,
            proven: None,
        });
        Report {
            moves: moves.collect(),
            line: self.search.line.clone(),
            proven: None,
            simulations: meter.simulations,
            playouts: 0,
            states: meter.states,
            time: meter.elapsed(),
            nodes: self.search.entries(),
            stopped,
            known: 0,
            costs: Costs::default(),
        }
    }
}

/// The players of a game that can be searched so.
///
/// # Errors
/// Why it cannot.
pub fn fits<G: Game>(game: &G) -> Result<(RoleId, RoleId), NotInTurn> {
    const PLAYOUTS: u32 = 4;
    const SEED: u64 = 1;
    let players = players_of(game)?;
    let order = match game.facts().turn_order {
        // What was not proven is seen in play.
        TurnOrder::Unknown => observe_turn_order(game, PLAYOUTS, SEED),
        known => known,
    };
    match order {
        TurnOrder::Simultaneous | TurnOrder::SinglePlayer => Err(NotInTurn::Simultaneous),
        TurnOrder::Alternating | TurnOrder::Unknown => Ok(players),
    }
}

impl<G: Game> Informed<G> for AlphaBeta<G> {
    fn prepare(&mut self, state: &G::State, budget: Budget) {
        self.prepare_until(state, budget, &AtomicBool::new(false));
    }

    fn prepare_until(&mut self, state: &G::State, mut budget: Budget, interrupt: &AtomicBool) {
        self.pupil.prepare(state, &mut budget, LEARNING, interrupt);
        self.choose_until(state, budget, interrupt);
    }

    fn choose_until(
        &mut self,
        state: &G::State,
        budget: Budget,
        interrupt: &AtomicBool,
    ) -> Decision {
        self.walker.jump(state);
        if let Some(decision) = without_choice(&mut self.walker, self.role) {
            return decision;
        }
        let first = self.walker.legal().of(self.role).first().copied();
        let report = self.search(state, budget, interrupt);
        let found = report.moves.first().map(|best| best.id).or(first);
        Decision {
            id: found.unwrap_or(MoveId::CHANCE),
            report,
        }
    }

    fn ponder(&mut self, state: &G::State, interrupt: &AtomicBool) {
        self.walker.jump(state);
        if !self.walker.is_terminal() && self.pupil.known().is_some() {
            self.search(state, Budget::default(), interrupt);
        }
    }
}
