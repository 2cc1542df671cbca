//! Games of one role: searching for a sequence of moves with the highest goal.
//!
//! Two ways. [`Method::Deepening`] is the thesis' memory-enhanced IDA*: with no heuristic it is iterative deepening with a
//! transposition table, takes little memory and finds shortest solutions. [`Method::Breadth`] keeps every state it has seen, which is
//! several times as fast as long as the states fit. Both improve their solution until it is perfect or the budget is spent.
//!
//! [`Puzzler`] is the player: while it has a solution it follows it, otherwise it searches with UCT.

use paidia_game::{Chance, Game, Goal, MoveId, RoleId, Walker};
use rustc_hash::FxHashMap;

use crate::budget::{Budget, Meter, StopReason};
use crate::player::{Decision, Player, only_move};
use crate::report::{MoveReport, Report};
use crate::uct::{Settings, Uct};

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Iterative deepening with a transposition table.
    Deepening,
    /// Breadth first over all states, within this many.
    Breadth {
        /// The most states that are kept.
        states: usize,
    },
}

/// A way to a terminal state, and the goal there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The moves of the one role.
    pub moves: Vec<MoveId>,
    /// Its goal at the end.
    pub goal: i32,
}

/// What a search for a solution found.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The best solution, if any terminal state was found.
    pub best: Option<Solution>,
    /// Whether nothing better exists: the goal is the highest there is, or everything was searched.
    pub perfect: bool,
    /// States visited.
    pub states: u64,
    /// Why the search stopped.
    pub stopped: StopReason,
}

/// Searches for a solution from a state.
pub fn solve<G: Game>(
    game: &G,
    role: RoleId,
    state: &G::State,
    method: Method,
    budget: Budget,
) -> Outcome {
    let mut search = Search {
        highest: *game.facts().goal_range.end(),
        walker: game.walker(),
        chance: Chance::from_seed(0),
        meter: Meter::new(budget),
        best: None,
        cut: false,
        role,
        game,
    };
    let stopped = match method {
        Method::Deepening => search.deepen(state),
        Method::Breadth { states } => search.breadth(state, states),
    };
    let perfect = stopped == StopReason::Solved;
    Outcome {
        best: search.best,
        perfect,
        states: search.meter.states,
        stopped,
    }
}

struct Search<'a, G: Game> {
    game: &'a G,
    role: RoleId,
    highest: i32,
    walker: G::Walker,
    chance: Chance,
    meter: Meter<'static>,
    best: Option<Solution>,
    /// The depth limit cut something off in this round.
    cut: bool,
}

impl<G: Game> Search<'_, G> {
    /// The role's moves where the walker stands, as joint moves with every other role's only move.
    fn joint_moves(&mut self) -> Vec<Vec<MoveId>> {
        let legal = self.walker.legal();
        let joint = |&id: &MoveId| {
            let others = legal.iter().map(|(role, moves)| match role == self.role {
                true => id,
                false => moves.first().copied().unwrap_or(MoveId::CHANCE),
            });
            others.collect()
        };
        legal.of(self.role).iter().map(joint).collect()
    }

    /// Keeps the way to a terminal state if it is the best so far; whether it is perfect.
    fn note(&mut self, moves: impl FnOnce() -> Vec<MoveId>) -> bool {
        let Goal::One(goal) = self.walker.goal(self.role) else {
            return false;
        };
        if self.best.as_ref().is_none_or(|best| goal > best.goal) {
            self.best = Some(Solution {
                moves: moves(),
                goal,
            });
        }
        goal >= self.highest
    }

    fn deepen(&mut self, start: &G::State) -> StopReason {
        let mut path = Vec::new();
        for limit in 1.. {
            // For each state, the moves that were left when it was searched in this round.
            let mut searched: FxHashMap<u64, u32> = FxHashMap::default();
            self.cut = false;
            if let Some(reason) = self.deepen_from(start, limit, &mut path, &mut searched) {
                return reason;
            }
            if !self.cut {
                break;
            }
        }
        StopReason::Solved
    }

    /// Searches everything that can be reached with the moves that are left; why to stop, if there is a reason.
    fn deepen_from(
        &mut self,
        state: &G::State,
        left: u32,
        path: &mut Vec<MoveId>,
        searched: &mut FxHashMap<u64, u32>,
    ) -> Option<StopReason> {
        self.walker.jump(state);
        if self.walker.is_terminal() {
            return self.note(|| path.clone()).then_some(StopReason::Solved);
        }
        if left == 0 {
            self.cut = true;
            return None;
        }
        let before = searched.entry(self.walker.hash64()).or_insert(0);
        if *before >= left {
            return None;
        }
        *before = left;
        let mut child = state.clone();
        for joint in self.joint_moves() {
            if let Some(reason) = self.meter.reached() {
                return Some(reason);
            }
            self.walker.jump(state);
            self.walker.advance(&joint, &mut self.chance);
            self.walker.save(&mut child);
            self.meter.states += 1;
            path.push(joint[self.role.index()]);
            let stopped = self.deepen_from(&child, left - 1, path, searched);
            path.pop();
            if stopped.is_some() {
                return stopped;
            }
        }
        None
    }

    fn breadth(&mut self, start: &G::State, most: usize) -> StopReason {
        let mut seen = Seen {
            states: vec![start.clone()],
            origins: vec![None],
            index: FxHashMap::default(),
        };
        self.walker.jump(start);
        seen.index.insert(self.walker.hash64(), 0);
        let mut child = self.game.initial();
        let mut next = 0;
        while next < seen.states.len() {
            self.walker.jump(&seen.states[next]);
            if self.walker.is_terminal() {
                if self.note(|| seen.way_to(next)) {
                    return StopReason::Solved;
                }
                next += 1;
                continue;
            }
            for joint in self.joint_moves() {
                if let Some(reason) = self.meter.reached() {
                    return reason;
                }
                self.walker.jump(&seen.states[next]);
                self.walker.advance(&joint, &mut self.chance);
                self.meter.states += 1;
                if let std::collections::hash_map::Entry::Vacant(place) =
                    seen.index.entry(self.walker.hash64())
                {
                    if seen.states.len() >= most {
                        return StopReason::States;
                    }
                    place.insert(seen.states.len());
                    self.walker.save(&mut child);
                    seen.states.push(child.clone());
                    seen.origins.push(Some((next, joint[self.role.index()])));
                }
            }
            next += 1;
        }
        StopReason::Solved
    }
}

/// The states that a breadth-first search has met.
struct Seen<State> {
    states: Vec<State>,
    /// Where each state was reached from, and by which move.
    origins: Vec<Option<(usize, MoveId)>>,
    /// States by hash; two different states with the same 64 bits would count as one.
    index: FxHashMap<u64, usize>,
}

impl<State> Seen<State> {
    fn way_to(&self, state: usize) -> Vec<MoveId> {
        let mut moves = Vec::new();
        let mut place = state;
        while let Some((before, id)) = self.origins[place] {
            moves.push(id);
            place = before;
        }
        moves.reverse();
        moves
    }
}

/// A player for games of one role.
pub struct Puzzler<G: Game> {
    game: G,
    role: RoleId,
    walker: G::Walker,
    method: Method,
    fallback: Uct<G>,
    /// The best solution known, as the moves still to be made, and the state in which the first of them is made.
    plan: Option<(Solution, G::State)>,
    perfect: bool,
}

impl<G: Game> Puzzler<G> {
    /// A player that searches for a solution in one way and falls back on UCT with these settings.
    pub fn new(game: &G, role: RoleId, method: Method, settings: Settings, seed: u64) -> Self {
        Self {
            walker: game.walker(),
            fallback: Uct::new(game, role, settings, seed),
            game: game.clone(),
            plan: None,
            perfect: false,
            method,
            role,
        }
    }

    /// The goal that the player is on its way to, if it has a solution.
    pub fn goal(&self) -> Option<i32> {
        self.plan.as_ref().map(|(solution, _)| solution.goal)
    }

    /// Searches for a better solution than the one there is.
    fn improve(&mut self, state: &G::State, budget: Budget) -> Outcome {
        let outcome = solve(&self.game, self.role, state, self.method, budget);
        let lowest = *self.game.facts().goal_range.start();
        if let Some(best) = &outcome.best {
            let stale = self
                .plan
                .as_ref()
                .is_none_or(|(known, at)| at != state || known.goal < best.goal);
            if stale && best.goal > lowest {
                self.plan = Some((best.clone(), state.clone()));
            }
        }
        self.perfect = outcome.perfect;
        outcome
    }
}

impl<G: Game> Player<G> for Puzzler<G> {
    fn prepare(&mut self, state: &G::State, budget: Budget) {
        self.improve(state, budget);
    }

    fn choose(&mut self, state: &G::State, budget: Budget) -> Decision {
        let planned = self.plan.as_ref().is_some_and(|(_, at)| at == state);
        if !planned || !self.perfect {
            self.walker.jump(state);
            if let Some(id) = only_move(self.walker.legal(), self.role).filter(|_| !planned) {
                return Decision::without_search(id, StopReason::OnlyMove);
            }
            self.improve(state, budget);
        }
        let Some((solution, at)) = self.plan.take().filter(|(_, at)| at == state) else {
            return self.fallback.choose(state, budget);
        };
        let (Some(&id), rest) = (
            solution.moves.first(),
            solution.moves.get(1..).unwrap_or(&[]),
        ) else {
            return self.fallback.choose(state, budget);
        };
        let decision = Decision {
            id,
            report: plan_report(&solution, self.perfect),
        };
        self.walker.jump(&at);
        let joint: Vec<MoveId> = self
            .walker
            .legal()
            .iter()
            .map(|(role, moves)| {
                if role == self.role {
                    id
                } else {
                    moves.first().copied().unwrap_or(MoveId::CHANCE)
                }
            })
            .collect();
        self.walker.advance(&joint, &mut Chance::from_seed(0));
        let mut next = at;
        self.walker.save(&mut next);
        self.plan = Some((
            Solution {
                moves: rest.to_vec(),
                goal: solution.goal,
            },
            next,
        ));
        decision
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
