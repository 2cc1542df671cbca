//! Monte Carlo without a tree or memory: the thesis' baseline MCorg.
//!
//! All roles move uniformly at random from the start of each simulation to its end; the move made
//! is the one with the highest mean of its discounted returns.

use std::sync::atomic::AtomicBool;

use paidia_game::{Chance, Game, Goal, MoveId, RoleId, Walker};

use crate::budget::{Budget, Meter, StopReason};
use crate::costs::Costs;
use crate::player::{Decision, Informed, without_choice};
use crate::report::{MoveReport, Report};
use crate::scale::Scale;

/// A player by flat Monte Carlo.
pub struct Flat<G: Game> {
    role: RoleId,
    /// The other player, where there are two: what counts is the difference of goals.
    rival: Option<RoleId>,
    walker: G::Walker,
    chance: Chance,
    discount: f64,
    scale: Scale,
    joint: Vec<MoveId>,
}

/// Joint moves after which a playout is cut; it then counts for nothing.
const PLAYOUT_LIMIT: u32 = 10_000;

impl<G: Game> Flat<G> {
    /// A player for a role; the thesis' discount is 0.99.
    pub fn new(game: &G, role: RoleId, discount: f64, seed: u64) -> Self {
        let chance = Chance::from_seed(seed);
        let mut others = game.facts().players().filter(|&other| other != role);
        let rival = others.next().filter(|_| others.next().is_none());
        Self {
            role,
            rival,
            walker: game.walker(),
            chance,
            discount,
            scale: Scale::new(game.facts()).of_differences(rival.is_some()),
            joint: Vec::new(),
        }
    }

    /// One playout from a state: the first move of the role, and its discounted return.
    fn simulate(&mut self, state: &G::State, meter: &mut Meter<'_>) -> Option<(MoveId, f64)> {
        self.walker.jump(state);
        let (mut first, mut factor) = (None, 1.0);
        for _ in 0..PLAYOUT_LIMIT {
            if self.walker.is_terminal() {
                break;
            }
            self.walker.draw(&mut self.chance, &mut self.joint).ok()?;
            first = first.or(Some(self.joint[self.role.index()]));
            self.walker.advance(&self.joint, &mut self.chance);
            factor *= self.discount;
            meter.states += 1;
        }
        let own = self.goal(self.role)?;
        let value = match self.rival {
            Some(rival) => own - self.goal(rival)?,
            None => own,
        };
        Some((first?, factor * value))
    }

    fn goal(&mut self, role: RoleId) -> Option<f64> {
        match self.walker.goal(role) {
            Goal::One(value) => Some(self.scale.return_of(value)),
            Goal::None | Goal::Several => None,
        }
    }
}

impl<G: Game> Informed<G> for Flat<G> {
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
        let mut moves: Vec<MoveReport> = self
            .walker
            .legal()
            .of(self.role)
            .iter()
            .map(|&id| MoveReport::untried(id))
            .collect();
        let mut meter = Meter::until(budget, interrupt);
        let stopped = loop {
            if let Some(reason) = meter.reached() {
                break reason;
            }
            meter.simulations += 1;
            let Some((first, value)) = self.simulate(state, &mut meter) else {
                if self.walker.fault().is_some() {
                    break StopReason::Fault;
                }
                continue;
            };
            if let Some(report) = moves.iter_mut().find(|report| report.id == first) {
                report.visits += 1;
                report.value += (value - report.value) / report.visits as f64;
            }
        };
        let tried = |report: &MoveReport| {
            if report.visits == 0 {
                f64::NEG_INFINITY
            } else {
                report.value
            }
        };
        moves.sort_by(|left, right| tried(right).total_cmp(&tried(left)));
        for made in &mut moves {
            made.value = self.scale.goal_of(made.value);
        }
        let report = Report {
            line: Vec::new(),
            proven: None,
            simulations: meter.simulations,
            playouts: meter.simulations,
            states: meter.states,
            time: meter.elapsed(),
            nodes: 0,
            stopped,
            known: 0,
            costs: Costs::default(),
            moves,
        };
        let id = report.moves.first().map_or(MoveId::CHANCE, |best| best.id);
        Decision { id, report }
    }
}
