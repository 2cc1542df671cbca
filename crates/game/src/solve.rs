//! Exact values of games whose states fit a budget.
//!
//! The whole reachable state graph is built first (`graph`); then the method follows from what was
//! found there:
//!
//! * **one player**: the best goal of any terminal state, by the shortest way there;
//! * **two players, constant sum**: retrograde minimax (`minimax`), which is right even where
//!   positions repeat;
//! * **otherwise**: max^n (`maxn`), for graphs without cycles: the role on the move takes the
//!   successor with the largest goal for itself, and of several the one whose move comes first in
//!   the byte order of texts.
//!
//! What positions of larger games of two are worth, one at a time, is told by an [`Oracle`].
//!
//! Hidden information, moves drawn by chance and states in which two roles have a choice are
//! refused.

mod graph;
mod maxn;
mod minimax;
mod oracle;

use graph::{Graph, NodeKind};
pub use oracle::Oracle;

use crate::chance::Chance;
use crate::contract::{Fault, Game, Walker};
use crate::facts::{Information, Randomness};
use crate::ids::{MoveId, RoleId};

/// A method that a game, by what it is, does not allow.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{method} does not apply: {because}")]
pub struct NotApplicable {
    /// The method.
    pub method: &'static str,
    /// What stands against it.
    pub because: String,
}

/// Why there is no solution.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    /// The game is not of the kind that is solved here.
    #[error(transparent)]
    NotApplicable(#[from] NotApplicable),
    /// The state graph is larger than the budget.
    #[error("there are more than {states} states; {seen} were looked at before the search stopped")]
    OutOfBudget {
        /// How many states were allowed.
        states: usize,
        /// How many had been expanded.
        seen: usize,
    },
    /// The state graph has more edges than the budget.
    #[error("there are more than {edges} moves between states")]
    TooManyEdges {
        /// How many edges were allowed.
        edges: usize,
    },
    /// Play can go on for ever, so that there is no value.
    #[error("play need not end: {0}")]
    Endless(String),
    /// The rules leave a role without a legal move, or without exactly one goal.
    #[error("the rules are faulty: {0}")]
    FaultyRules(String),
    /// The engine ran into a limit.
    #[error(transparent)]
    Fault(#[from] Fault),
}

/// How large a state graph may become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolveBudget {
    /// States.
    pub states: usize,
    /// Moves between states; each takes eight bytes.
    pub edges: usize,
}

impl SolveBudget {
    /// A budget of this many states, and of sixteen moves a state.
    pub fn states(states: usize) -> Self {
        Self {
            states,
            edges: states.saturating_mul(16),
        }
    }
}

/// How a game was solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The best terminal state of a single player.
    BestReachable,
    /// Retrograde minimax of two players.
    Minimax,
    /// max^n with ties broken by the order of moves.
    MaxN,
}

impl Method {
    /// The word for people and for JSON.
    pub fn name(self) -> &'static str {
        match self {
            Method::BestReachable => "best-reachable",
            Method::Minimax => "minimax",
            Method::MaxN => "max-n",
        }
    }
}

/// The value of a game and how to get it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// How it was found.
    pub method: Method,
    /// The goal of each role when all play best.
    pub goals: Vec<i32>,
    /// Joint moves of one best play from the start to the end of the game.
    pub line: Vec<Vec<MoveId>>,
    /// The moves of the role on the move at the start that lead to the same goals.
    pub best_moves: Vec<MoveId>,
    /// The role on the move at the start, if any has a choice there.
    pub mover: Option<RoleId>,
    /// States in the graph.
    pub states: usize,
    /// Moves between them.
    pub edges: usize,
}

/// The exact value of the game from a state, and a line of best play.
///
/// # Errors
/// If the game is not of a kind that can be solved so, is larger than the budget, or its rules are
/// faulty.
pub fn solve<G: Game>(
    game: &G,
    start: &G::State,
    budget: SolveBudget,
) -> Result<Solution, SolveError> {
    solve_watched(game, start, budget, &mut |_| {})
}

/// As [`solve()`], and tells `watch` now and then how many states were looked at.
///
/// # Errors
/// As [`solve()`].
pub fn solve_watched<G: Game>(
    game: &G,
    start: &G::State,
    budget: SolveBudget,
    watch: &mut dyn FnMut(usize),
) -> Result<Solution, SolveError> {
    refuse_by_facts(game)?;
    let graph = Graph::build(game, start, budget, watch)?;
    let (method, values) = evaluate(game, &graph)?;
    let goals = graph.goals_of(values.ends[0]).to_vec();
    Ok(Solution {
        method,
        line: line(game, start, &graph, &values.choices),
        best_moves: best_moves(&graph, &values, &goals),
        mover: graph.mover(0),
        states: graph.len(),
        edges: graph.edge_count(),
        goals,
    })
}

/// What an evaluation says about each node of the graph.
struct Values {
    /// The terminal node in which best play from here ends, or [`UNKNOWN`].
    ends: Vec<u32>,
    /// Which of its edges the mover takes.
    choices: Vec<u32>,
}

/// The end of play is not known, because play need not end.
const UNKNOWN: u32 = u32::MAX;

fn refuse_by_facts<G: Game>(game: &G) -> Result<(), NotApplicable> {
    let facts = game.facts();
    let because = if facts.random().is_some() {
        "chance draws some of the moves"
    } else if facts.randomness == Randomness::Inside {
        "the rules draw by chance while a move is made"
    } else if facts.information == Information::Hidden {
        "the roles do not see everything"
    } else if facts.roles.is_empty() {
        "the game has no roles"
    } else {
        return Ok(());
    };
    Err(NotApplicable {
        method: "exact solving",
        because: because.into(),
    })
}

fn evaluate<G: Game>(game: &G, graph: &Graph) -> Result<(Method, Values), SolveError> {
    match game.facts().roles.len() {
        1 => Ok((Method::BestReachable, minimax::best_reachable(graph)?)),
        2 if graph.is_constant_sum() => {
            Ok((Method::Minimax, minimax::minimax(game.facts(), graph)?))
        }
        _ => Ok((Method::MaxN, maxn::maxn(graph)?)),
    }
}

/// Follows the choices from the start to the end.
fn line<G: Game>(game: &G, start: &G::State, graph: &Graph, choices: &[u32]) -> Vec<Vec<MoveId>> {
    let mut walker = game.walker();
    walker.jump(start);
    let mut chance = Chance::from_seed(0);
    let mut line = Vec::new();
    let mut node = 0;
    while let NodeKind::Inner { mover } = graph.kind(node) {
        let (successor, id) = graph.edge(node, choices[node as usize]);
        let legal = walker.legal();
        let joint: Vec<MoveId> = legal
            .iter()
            .map(|(role, moves)| if Some(role) == mover { id } else { moves[0] })
            .collect();
        walker.advance(&joint, &mut chance);
        line.push(joint);
        node = successor;
    }
    line
}

fn best_moves(graph: &Graph, values: &Values, goals: &[i32]) -> Vec<MoveId> {
    graph
        .edges(0)
        .filter(|&(successor, _)| {
            let end = values.ends[successor as usize];
            end != UNKNOWN && graph.goals_of(end) == goals
        })
        .map(|(_, id)| id)
        .collect()
}
