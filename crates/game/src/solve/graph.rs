//! The state graph of a game in which at most one role has a choice at a time.

use std::hash::BuildHasherDefault;

use indexmap::IndexSet;
use rustc_hash::FxHasher;

use super::{NotApplicable, SolveBudget, SolveError};
use crate::chance::Chance;
use crate::contract::{Game, Walker};
use crate::ids::{Goal, MoveId, RoleId};
use crate::joint::JointMoves;
use crate::legal::LegalMoves;

/// What a node of the graph is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NodeKind {
    /// The game is over; the goals are at this place of the list of goals.
    Terminal { goals: u32 },
    /// At most one role has a choice.
    Inner { mover: Option<RoleId> },
}

/// States as numbers in the order of their distance from the start, which is 0.
pub(super) struct Graph {
    kinds: Vec<NodeKind>,
    /// Where each node's edges end; they start where those of the node before it end.
    edge_ends: Vec<u32>,
    /// The successor and the mover's move.
    edges: Vec<(u32, MoveId)>,
    /// Goals of all roles for each terminal node.
    goals: Vec<i32>,
    roles: usize,
}

impl Graph {
    /// Expands everything that can be reached from `start`.
    ///
    /// For a single player it stops at the first state with the highest goal there can be.
    pub(super) fn build<G: Game>(
        game: &G,
        start: &G::State,
        budget: SolveBudget,
        watch: &mut dyn FnMut(usize),
    ) -> Result<Graph, SolveError> {
        let mut builder = Builder::new(game, start, budget);
        let single = game.facts().roles.len() == 1;
        let best = single.then_some(*game.facts().goal_range.end());
        while builder.graph.kinds.len() < builder.states.len() {
            let found_best = builder.expand_next(best)?;
            watch(builder.graph.len());
            if found_best {
                break;
            }
        }
        Ok(builder.graph)
    }

    /// How many states were expanded.
    pub(super) fn len(&self) -> usize {
        self.kinds.len()
    }

    pub(super) fn edge_count(&self) -> usize {
        self.edges.len()
    }

    pub(super) fn kind(&self, node: u32) -> NodeKind {
        self.kinds[node as usize]
    }

    /// The role that has a choice at the node, if any.
    pub(super) fn mover(&self, node: u32) -> Option<RoleId> {
        match self.kind(node) {
            NodeKind::Inner { mover } => mover,
            NodeKind::Terminal { .. } => None,
        }
    }

    /// The goals at a terminal node; none at others.
    pub(super) fn goals_of(&self, node: u32) -> &[i32] {
        match self.kinds.get(node as usize) {
            Some(&NodeKind::Terminal { goals }) => {
                let from = goals as usize * self.roles;
                &self.goals[from..from + self.roles]
            }
            _ => &[],
        }
    }

    /// The node's edges: successor and move. Successors that were never expanded are left out.
    pub(super) fn edges(&self, node: u32) -> impl Iterator<Item = (u32, MoveId)> {
        let expanded = self.kinds.len() as u32;
        self.edges[self.edge_range(node)]
            .iter()
            .copied()
            .filter(move |edge| edge.0 < expanded)
    }

    /// The node's edge at that place among those that [`Self::edges`] gives.
    pub(super) fn edge(&self, node: u32, place: u32) -> (u32, MoveId) {
        let mut edges = self.edges(node);
        edges.nth(place as usize).unwrap_or((node, MoveId::CHANCE))
    }

    fn edge_range(&self, node: u32) -> std::ops::Range<usize> {
        let start = match node {
            0 => 0,
            _ => self.edge_ends[node as usize - 1] as usize,
        };
        start..self.edge_ends[node as usize] as usize
    }

    /// All terminal nodes.
    pub(super) fn terminals(&self) -> impl Iterator<Item = u32> {
        let nodes = 0..self.len() as u32;
        nodes.filter(|&node| matches!(self.kind(node), NodeKind::Terminal { .. }))
    }

    /// Whether the goals of all roles add up to the same number in every terminal state.
    pub(super) fn is_constant_sum(&self) -> bool {
        let mut sums = self
            .goals
            .chunks(self.roles)
            .map(|goals| goals.iter().sum::<i32>());
        sums.next().is_none_or(|first| sums.all(|sum| sum == first))
    }
}

struct Builder<'a, G: Game> {
    game: &'a G,
    walker: G::Walker,
    joints: JointMoves,
    chance: Chance,
    scratch: G::State,
    states: IndexSet<G::State, BuildHasherDefault<FxHasher>>,
    budget: SolveBudget,
    graph: Graph,
}

impl<'a, G: Game> Builder<'a, G> {
    fn new(game: &'a G, start: &G::State, budget: SolveBudget) -> Self {
        let mut states = IndexSet::default();
        states.insert(start.clone());
        Self {
            game,
            walker: game.walker(),
            joints: JointMoves::new(),
            // No move is left to chance here.
            chance: Chance::from_seed(0),
            scratch: start.clone(),
            states,
            budget: SolveBudget {
                states: budget.states.min(u32::MAX as usize - 1),
                edges: budget.edges.min(u32::MAX as usize - 1),
            },
            graph: Graph {
                kinds: Vec::new(),
                edge_ends: Vec::new(),
                edges: Vec::new(),
                goals: Vec::new(),
                roles: game.facts().roles.len(),
            },
        }
    }

    /// Expands the first state that is not expanded yet; true if it is terminal with the goal
    /// `best` for the first role.
    fn expand_next(&mut self, best: Option<i32>) -> Result<bool, SolveError> {
        let node = self.graph.kinds.len();
        self.walker.jump(&self.states[node]);
        let terminal = self.walker.is_terminal();
        self.check_fault()?;
        let mut found_best = false;
        if terminal {
            let first = self.add_goals()?;
            found_best = best.is_some_and(|best| first >= best);
        } else {
            let mover = self.mover()?;
            self.graph.kinds.push(NodeKind::Inner { mover });
            self.add_edges(node, mover)?;
        }
        self.graph.edge_ends.push(self.graph.edges.len() as u32);
        Ok(found_best)
    }

    fn check_fault(&self) -> Result<(), SolveError> {
        self.walker
            .fault()
            .map_or(Ok(()), |fault| Err(SolveError::Fault(*fault)))
    }

    /// Adds a terminal node; gives the goal of the first role.
    fn add_goals(&mut self) -> Result<i32, SolveError> {
        let from = self.graph.goals.len();
        for role in self.game.facts().role_ids() {
            let goal = self.walker.goal(role);
            let Goal::One(value) = goal else {
                let name = self.game.facts().role_name(role);
                let what = if goal == Goal::None {
                    "no goal"
                } else {
                    "several goals"
                };
                let message = format!("{name} has {what} in a terminal state");
                return Err(SolveError::FaultyRules(message));
            };
            self.graph.goals.push(value);
        }
        let goals = (from / self.graph.roles) as u32;
        self.graph.kinds.push(NodeKind::Terminal { goals });
        Ok(self.graph.goals[from])
    }

    /// The only role with a choice in the current state.
    fn mover(&mut self) -> Result<Option<RoleId>, SolveError> {
        let legal = self.walker.legal();
        if let Some(role) = legal.stuck_role() {
            let name = self.game.facts().role_name(role);
            self.check_fault()?;
            let message = format!("{name} has no legal move in a state that is not terminal");
            return Err(SolveError::FaultyRules(message));
        }
        only_mover(legal).map_err(|(one, other)| {
            let facts = self.game.facts();
            let (one, other) = (facts.role_name(one), facts.role_name(other));
            let because = format!("{one} and {other} choose at the same time");
            NotApplicable {
                method: "exact solving",
                because,
            }
            .into()
        })
    }

    fn add_edges(&mut self, node: usize, mover: Option<RoleId>) -> Result<(), SolveError> {
        let mover = mover.map_or(0, RoleId::index);
        self.joints.refill(self.walker.legal());
        let mut first = true;
        while let Some(joint) = self.joints.next() {
            if !first {
                self.walker.jump(&self.states[node]);
            }
            first = false;
            let id = joint[mover];
            self.walker.advance(joint, &mut self.chance);
            self.check_fault()?;
            self.walker.save(&mut self.scratch);
            let successor = self.number(node)?;
            if self.graph.edges.len() >= self.budget.edges {
                return Err(SolveError::TooManyEdges {
                    edges: self.budget.edges,
                });
            }
            self.graph.edges.push((successor, id));
        }
        Ok(())
    }

    /// The node of the saved state, new if it was not seen before.
    fn number(&mut self, expanded: usize) -> Result<u32, SolveError> {
        if let Some(known) = self.states.get_index_of(&self.scratch) {
            return Ok(known as u32);
        }
        if self.states.len() >= self.budget.states {
            return Err(SolveError::OutOfBudget {
                states: self.budget.states,
                seen: expanded,
            });
        }
        let (place, _) = self.states.insert_full(self.scratch.clone());
        Ok(place as u32)
    }
}

/// The only role with more than one legal move, if any; an error names the first two if there are
/// several.
fn only_mover(legal: &LegalMoves) -> Result<Option<RoleId>, (RoleId, RoleId)> {
    let mut movers = legal
        .iter()
        .filter(|(_, moves)| moves.len() > 1)
        .map(|(role, _)| role);
    match (movers.next(), movers.next()) {
        (Some(one), Some(other)) => Err((one, other)),
        (mover, _) => Ok(mover),
    }
}
