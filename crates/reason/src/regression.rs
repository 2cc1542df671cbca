//! Action heuristics by goal regression.
//!
//! After M. Trutman and S. Schiffel, "Creating Action Heuristics for General Game Playing Agents"
//! (GIGA 2015). The condition of a role's best goal is taken one step back: every fluent in it is
//! replaced by what the rules say about it after a move. For each move of the role, the moves in
//! the result are then replaced by true and false (or unknown, where others choose at the same
//! time), and what is left is a formula over the present state: true exactly if the move reaches
//! the goal at once. Evaluated with fuzzy truth it tells *how near* the move comes to that.
//! `docs/methods/action-heuristics.md` has the formulas and figures.
//!
//! [`Heuristics::new`] makes the formulas of all moves within a [`Budget`]; too complex is an
//! ordinary answer. An [`Evaluator`] is one thread's memory to evaluate them with.

mod evaluate;
mod formula;
mod layout;
mod moves;
mod unroll;

use std::fmt;
use std::sync::Arc;

use paidia_game::{MoveId, RoleId};

use crate::knowledge::Turns;
use crate::propnet::{GroundGame, Network, Wire};
pub use evaluate::{Evaluator, FluentWeights};
use formula::Formulas;
pub use formula::{Formula, Part};
use layout::Layout;

/// How much making formulas may cost.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Different formulas, counting every part.
    pub formulas: usize,
    /// Parts of all formulas together, which is what takes memory.
    pub parts: usize,
    /// Parts looked at, which is what takes time.
    pub steps: u64,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            formulas: 1_000_000,
            parts: 4_000_000,
            steps: 30_000_000,
        }
    }
}

/// Why a game has no action heuristics.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooComplex {
    /// What there was not enough of.
    pub what: &'static str,
    /// Different formulas made by then.
    pub formulas: usize,
    /// Parts of these.
    pub parts: usize,
    /// Parts looked at.
    pub steps: u64,
}

impl fmt::Display for TooComplex {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TooComplex {
            what,
            formulas,
            parts,
            steps,
        } = self;
        write!(
            formatter,
            "goals are too complex, not enough {what}: {formulas} formulas with {parts} parts after {steps} steps"
        )
    }
}

impl std::error::Error for TooComplex {}

/// How large the formulas of a game are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Moves of all roles.
    pub moves: usize,
    /// Different formulas, counting every part.
    pub formulas: usize,
    /// Parts of all formulas together.
    pub parts: usize,
}

/// For each role and move of a game, whether the role reaches its best goal by it at once, as a
/// formula over the state.
#[derive(Clone, Debug)]
pub struct Heuristics {
    rules: Arc<Rules>,
}

#[derive(Debug)]
struct Rules {
    formulas: Formulas,
    /// For each role, for each of its moves, the move's id and its formula.
    roots: Vec<Vec<(u32, Formula)>>,
    layout: Layout,
}

impl Heuristics {
    /// The heuristics of a game whose roles take turns like this.
    ///
    /// # Errors
    /// If that takes more than the budget.
    pub fn new(game: &GroundGame, turns: &Turns, budget: Budget) -> Result<Self, TooComplex> {
        let network = &game.network;
        let mut formulas = Formulas::new(budget);
        let best = best_goals(network);
        let goals: Vec<Wire> = best.iter().map(|&(_, wire)| wire).collect();
        let regressed = unroll::regress(network, &mut formulas, &goals)?;
        let mut roots = Vec::new();
        for (role, (goal, moves)) in (0..).zip(regressed.iter().zip(&network.legal)) {
            let others = OtherMoves { network, turns };
            let found = moves::of_each_move(&mut formulas, *goal, role, moves.len(), &others)?;
            let ids = moves.iter().map(|&(id, _)| id);
            roots.push(ids.zip(found).collect());
        }
        let layout = Layout::new(&formulas, &roots, game.moves.len());
        formulas.forget_known();
        let rules = Rules {
            formulas,
            roots,
            layout,
        };
        Ok(Self {
            rules: Arc::new(rules),
        })
    }

    /// How large the formulas are.
    pub fn size(&self) -> Size {
        let (formulas, parts) = self.rules.layout.size();
        Size {
            moves: self.rules.roots.iter().map(Vec::len).sum(),
            formulas,
            parts,
        }
    }

    /// The formula of a move of a role.
    pub fn formula(&self, role: RoleId, id: MoveId) -> Option<Formula> {
        let moves = self.rules.roots.get(role.index())?;
        let place = moves.binary_search_by_key(&id.0, |&(id, _)| id).ok()?;
        Some(moves[place].1)
    }

    /// What a formula says, or the one that it negates.
    pub fn part(&self, formula: Formula) -> Part<'_> {
        self.rules.formulas.part(formula)
    }

    /// Memory to evaluate the formulas with.
    pub fn evaluator(&self, weights: &FluentWeights<'_>) -> Evaluator {
        Evaluator::new(Arc::clone(&self.rules), weights)
    }
}

/// For each role the highest of its goals and when it gets it.
pub(crate) fn best_goals(network: &Network) -> Vec<(i32, Wire)> {
    let best = |goals: &Vec<(i32, Wire)>| {
        let possible = goals.iter().filter(|(_, wire)| *wire != Wire::FALSE);
        possible.max().copied().unwrap_or((0, Wire::FALSE))
    };
    network.goals.iter().map(best).collect()
}

/// What the other roles do while one makes its move.
struct OtherMoves<'a> {
    network: &'a Network,
    turns: &'a Turns,
}

impl OtherMoves<'_> {
    /// Where roles take turns the others are idle; where they do not, their moves are unknown.
    fn does(&self, role: u16, index: u32) -> Formula {
        let (id, _) = self.network.legal[usize::from(role)][index as usize];
        match self.turns.idle(RoleId(role)) {
            None => Formula::UNKNOWN,
            Some(idle) if idle.0 == id => Formula::TRUE,
            Some(_) => Formula::FALSE,
        }
    }
}
