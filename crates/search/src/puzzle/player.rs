//! The player of puzzles.

use std::sync::atomic::AtomicBool;

use paidia_game::{Chance, Game, MoveId, RoleId, Walker};

use super::{Hunt, Method, Solution};
use crate::budget::{Budget, StopReason};
use crate::player::{Decision, Informed, without_choice};
use crate::report::{MoveReport, Report};
use crate::uct::{Settings, Uct};

/// A player for games of one role.
///
/// Before the first move, and in every state in which its solution might still be improved, it
/// searches; where it has a solution it follows it, and where it has none it plays UCT. The search
/// and UCT have half of the memory each.
///
/// One that gives up does as the CADIA-Player thesis has it: what it found before the first move it
/// improves and follows, and if it found nothing by then, it plays UCT for the rest of the game.
pub struct Puzzler<G: Game> {
    game: G,
    role: RoleId,
    walker: G::Walker,
    method: Method,
    memory: usize,
    seed: u64,
    fallback: Uct<G>,
    /// Whether it gives up where it has no solution by the first move.
    gives_up: bool,
    /// The search that was begun, and the state from which it goes out.
    hunt: Option<(Hunt<G>, G::State)>,
    plan: Option<Plan<G::State>>,
}

/// A solution that is being followed.
struct Plan<State> {
    /// The moves still to be made.
    solution: Solution,
    /// The state in which the first of them is made.
    at: State,
    /// Whether nothing better exists.
    perfect: bool,
}

impl<G: Game> Puzzler<G> {
    /// A player that searches for a solution in one way and falls back on UCT with these settings.
    pub fn new(game: &G, role: RoleId, method: Method, settings: Settings, seed: u64) -> Self {
        let memory = settings.memory / 2;
        let settings = Settings { memory, ..settings };
        let fallback = Uct::new(game, role, settings, seed);
        Self::beside(game, role, method, memory, fallback, seed)
    }

    /// A player that searches by memory-enhanced IDA* before the first move, in as much memory as
    /// its UCT has, and hands over to that UCT for good if it has found nothing by then.
    pub fn giving_up(game: &G, role: RoleId, memory: usize, fallback: Uct<G>, seed: u64) -> Self {
        Self {
            gives_up: true,
            ..Self::beside(game, role, Method::Deepening, memory, fallback, seed)
        }
    }

    fn beside(
        game: &G,
        role: RoleId,
        method: Method,
        memory: usize,
        fallback: Uct<G>,
        seed: u64,
    ) -> Self {
        Self {
            walker: game.walker(),
            game: game.clone(),
            gives_up: false,
            hunt: None,
            plan: None,
            fallback,
            memory,
            method,
            role,
            seed,
        }
    }

    /// The goal that the player is on its way to, if it has a solution.
    pub fn goal(&self) -> Option<i32> {
        self.plan.as_ref().map(|plan| plan.solution.goal)
    }

    /// Bytes that the search for a solution and the tree take.
    pub fn memory(&self) -> usize {
        let hunt = self.hunt.as_ref().map_or(0, |(hunt, _)| hunt.memory());
        hunt + self.fallback.memory()
    }

    /// Searches for a better solution than the one there is, going on with the search that was
    /// begun in this state.
    fn improve(&mut self, state: &G::State, budget: Budget, interrupt: &AtomicBool) {
        let begun = self.hunt.take().filter(|(_, from)| from == state);
        let begun = begun.or_else(|| {
            let (game, memory) = (&self.game, self.memory);
            let hunt = Hunt::new(game, self.role, state, self.method, memory, self.seed);
            Some((hunt.ok()?, state.clone()))
        });
        // In games of chance there is nothing to search for, and UCT plays.
        let Some((mut hunt, from)) = begun else {
            return;
        };
        hunt.run_until(budget, interrupt);
        let lowest = *self.game.facts().goal_range.start();
        let known = self.plan.as_ref().map_or(lowest, |plan| plan.solution.goal);
        match (hunt.best(), &mut self.plan) {
            (Some(best), _) if best.goal > known => {
                self.plan = Some(Plan {
                    solution: best.clone(),
                    at: state.clone(),
                    perfect: hunt.is_perfect(),
                });
            }
            (_, Some(plan)) => plan.perfect = hunt.is_perfect(),
            _ => {}
        }
        self.hunt = Some((hunt, from));
    }

    /// Makes the first move of the plan; `None` if there is no plan.
    fn follow(&mut self) -> Option<Decision> {
        let Plan {
            solution,
            mut at,
            perfect,
        } = self.plan.take()?;
        let (&id, rest) = solution.moves.split_first()?;
        let report = plan_report(&solution, perfect);
        self.walker.jump(&at);
        let others = |moves: &[MoveId]| moves.first().copied().unwrap_or(MoveId::CHANCE);
        let legal = self.walker.legal().iter();
        let joint: Vec<MoveId> = legal
            .map(|(role, moves)| if role == self.role { id } else { others(moves) })
            .collect();
        self.walker.advance(&joint, &mut Chance::from_seed(0));
        self.walker.save(&mut at);
        let solution = Solution {
            moves: rest.to_vec(),
            goal: solution.goal,
        };
        self.plan = Some(Plan {
            solution,
            at,
            perfect,
        });
        Some(Decision { id, report })
    }
}

impl<G: Game> Informed<G> for Puzzler<G> {
    fn prepare(&mut self, state: &G::State, budget: Budget) {
        self.improve(state, budget, &AtomicBool::new(false));
    }

    fn choose_until(
        &mut self,
        state: &G::State,
        budget: Budget,
        interrupt: &AtomicBool,
    ) -> Decision {
        self.plan = self.plan.take().filter(|plan| plan.at == *state);
        if self.plan.is_none() {
            self.walker.jump(state);
            if let Some(decision) = without_choice(&mut self.walker, self.role) {
                return decision;
            }
        }
        match &self.plan {
            Some(plan) if plan.perfect => {}
            None if self.gives_up => {
                // What the search remembers is not needed any more.
                self.hunt = None;
                return self.fallback.choose_until(state, budget, interrupt);
            }
            // A tree must be there as well if nothing is found.
            None => self.improve(state, half(budget), interrupt),
            Some(_) => self.improve(state, budget, interrupt),
        }
        self.follow()
            .unwrap_or_else(|| self.fallback.choose_until(state, half(budget), interrupt))
    }
}

/// Half of a budget's time and states.
fn half(budget: Budget) -> Budget {
    Budget {
        time: budget.time.map(|time| time / 2),
        states: budget.states.map(|states| states.div_ceil(2)),
        ..budget
    }
}

fn plan_report(solution: &Solution, perfect: bool) -> Report {
    let id = solution.moves.first().copied().unwrap_or(MoveId::CHANCE);
    let mut report = Report::without_search(id, StopReason::Solved);
    let proven = perfect.then_some(solution.goal);
    report.moves = vec![MoveReport {
        id,
        value: f64::from(solution.goal),
        visits: 0,
        proven,
    }];
    report.line = solution.moves.iter().map(|&id| vec![id]).collect();
    report.proven = perfect.then(|| vec![solution.goal]);
    report
}
