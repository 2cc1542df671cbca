//! Monte Carlo tree search for any number of roles (UCT), in the design of CADIA-Player.
//!
//! In every simulation each role chooses by its own statistics, on its own returns, and all roles share the
//! simulations: moves made at the same time, and any number of players, need nothing special ("decoupled" UCT). A simulation
//! walks down the tree, adds the first state that it does not know, plays to the end, and updates what it passed.
//!
//! The parts that papers vary are parts here, too: [`select`] is how a move is chosen in the tree, [`policy`] how playouts
//! choose, [`Returns`] and the discount what is backed up, [`Choice`] which move is made in the end. Beyond the
//! thesis, values that are certain are backed up as proofs.

pub mod policy;
pub mod select;
mod simulate;
mod tree;

use paidia_game::{Chance, Game, MoveId, RoleId, Walker};

use crate::budget::{Budget, Meter, StopReason};
use crate::player::{Decision, Player, only_move};
use crate::report::{MoveReport, Report};
use policy::History;
pub use select::Selection;
use simulate::Scratch;
use tree::{NodeId, Tree};

/// What a role wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Returns {
    /// As high a goal as it can get.
    Own,
    /// In games of two, as much more than the other as it can get; otherwise its own goal.
    Difference,
}

/// How playouts choose moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Playouts {
    /// Every legal move is as likely.
    Uniform,
    /// Moves that did well anywhere are likelier: Gibbs sampling with this temperature over each move's mean return. Untried moves of
    /// the tree are chosen in the same way.
    History {
        /// The temperature; the thesis has 10.
        temperature: f64,
    },
}

/// Which move is made after the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The one with the highest mean return.
    BestValue,
    /// The one tried most often.
    MostVisits,
}

/// Everything that can be set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// How moves are chosen in the tree.
    pub selection: Selection,
    /// What is left of a return one step further from the end.
    pub discount: f64,
    /// What a role wants.
    pub returns: Returns,
    /// How playouts choose.
    pub playouts: Playouts,
    /// Which move is made.
    pub choice: Choice,
    /// Whether certain values are backed up as proofs.
    pub proofs: bool,
    /// Whether the tree is kept from move to move.
    pub keep_tree: bool,
    /// Bytes that the tree may take.
    pub memory: usize,
    /// Joint moves after which a playout is cut; its roles then get the middle of the goal range.
    pub playout_limit: u32,
}

impl Settings {
    /// CADIA-Player as the thesis describes it (CPuct).
    pub fn cadia() -> Self {
        Self {
            selection: Selection::Uct { exploration: 40.0 },
            discount: 0.99,
            returns: Returns::Difference,
            playouts: Playouts::Uniform,
            choice: Choice::BestValue,
            proofs: false,
            keep_tree: true,
            memory: 1 << 30,
            playout_limit: 10_000,
        }
    }

    /// CADIA-Player with the history heuristic (CPimp).
    pub fn cadia_history() -> Self {
        Self {
            playouts: Playouts::History { temperature: 10.0 },
            ..Self::cadia()
        }
    }

    /// Random choice in the tree, with the tree's memory (MCmem).
    pub fn monte_carlo_memory() -> Self {
        Self {
            selection: Selection::Random,
            ..Self::cadia()
        }
    }

    /// What Paidia plays with.
    pub fn paidia() -> Self {
        Self {
            returns: Returns::Own,
            proofs: true,
            choice: Choice::MostVisits,
            ..Self::cadia()
        }
    }
}

/// A player that searches with UCT.
pub struct Uct<G: Game> {
    game: G,
    role: RoleId,
    settings: Settings,
    walker: G::Walker,
    tree: Tree,
    history: History,
    chance: Chance,
    scratch: Scratch,
}

impl<G: Game> Uct<G> {
    /// A player for a role.
    pub fn new(game: &G, role: RoleId, settings: Settings, seed: u64) -> Self {
        let roles = game.facts().roles.len();
        Self {
            walker: game.walker(),
            tree: Tree::new(roles, settings.memory),
            history: History::new(roles),
            chance: Chance::from_seed(seed),
            scratch: Scratch::new(roles),
            game: game.clone(),
            role,
            settings,
        }
    }

    /// How many states the tree holds.
    pub fn nodes(&self) -> usize {
        self.tree.len()
    }

    /// How much memory the tree takes, in bytes.
    pub fn memory(&self) -> usize {
        self.tree.memory()
    }

    /// Searches from a state until the budget is spent or the state is solved.
    pub fn search(&mut self, state: &G::State, budget: Budget) -> Report {
        let mut meter = Meter::new(budget);
        let root = self.root(state);
        let stopped = loop {
            if let Some(reason) = meter.reached() {
                break reason;
            }
            if self.settings.proofs && self.tree.proof(root).is_some() {
                break StopReason::Solved;
            }
            self.walker.jump(state);
            if self.simulate(root, &mut meter).is_err() {
                break StopReason::Fault;
            }
            meter.simulations += 1;
        };
        self.report(state, root, &meter, stopped)
    }

    /// The node of a state, where the walker is put; the rest of the tree is thinned out if it is large.
    fn root(&mut self, state: &G::State) -> NodeId {
        if !self.settings.keep_tree {
            self.tree.clear();
        }
        self.walker.jump(state);
        let depth = self.tree.depth_of(self.walker.hash64());
        if self.tree.is_crowded() {
            // What lies before this state can never be reached again.
            self.tree.forget_before(depth);
        }
        self.node(depth).unwrap_or_else(|| {
            self.tree.clear();
            // An empty tree has room for one node, whatever its limit.
            self.node(0).unwrap_or(NodeId::FIRST)
        })
    }

    fn report(
        &mut self,
        state: &G::State,
        root: NodeId,
        meter: &Meter,
        stopped: StopReason,
    ) -> Report {
        let role = self.role;
        let mut moves: Vec<MoveReport> = self
            .tree
            .arms(root, role)
            .iter()
            .enumerate()
            .map(|(index, arm)| MoveReport {
                id: arm.id,
                value: arm.mean(),
                visits: u64::from(arm.visits),
                proven: self.tree.arm_proof(root, role, index),
            })
            .collect();
        let choice = self.settings.choice;
        moves.sort_by(|left, right| {
            rank(right, choice)
                .partial_cmp(&rank(left, choice))
                .unwrap_or(std::cmp::Ordering::Equal)
        });
        let proven = self.tree.proof(root).map(<[i32]>::to_vec);
        Report {
            line: self.expected_line(state, root),
            moves,
            proven,
            simulations: meter.simulations,
            states: meter.states,
            time: meter.elapsed(),
            nodes: self.tree.len(),
            stopped,
        }
    }

    /// The joint moves that all roles prefer, as far as the tree knows.
    fn expected_line(&mut self, state: &G::State, root: NodeId) -> Vec<Vec<MoveId>> {
        const LONGEST: usize = 40;
        let (mut line, mut node) = (Vec::new(), root);
        self.walker.jump(state);
        while line.len() < LONGEST && !self.tree.is_terminal(node) {
            let best = |role: RoleId| {
                let arms = self.tree.arms(node, role);
                arms.iter()
                    .max_by_key(|arm| arm.visits)
                    .filter(|arm| arm.visits > 0)
                    .map(|arm| arm.id)
            };
            let joint: Option<Vec<MoveId>> = self.game.facts().role_ids().map(best).collect();
            let Some(joint) = joint else { break };
            self.walker.advance(&joint, &mut self.chance.clone());
            line.push(joint);
            let Some(next) = self
                .tree
                .find(self.walker.hash64(), self.tree.depth(node) + 1)
            else {
                break;
            };
            node = next;
        }
        line
    }
}

/// Sorts moves: proven wins first, proven losses last, between them by what the choice goes by.
fn rank(report: &MoveReport, choice: Choice) -> (f64, f64, f64) {
    let certain = match report.proven {
        Some(value) => f64::from(value),
        // Not known: better than a proven loss, worse than a proven win.
        None => 0.5,
    };
    let visits = report.visits as f64;
    match choice {
        Choice::BestValue if report.visits == 0 => (certain, f64::NEG_INFINITY, 0.0),
        Choice::BestValue => (certain, report.value, visits),
        Choice::MostVisits => (certain, visits, report.value),
    }
}

impl<G: Game> Player<G> for Uct<G> {
    fn prepare(&mut self, state: &G::State, budget: Budget) {
        self.search(state, budget);
    }

    fn choose(&mut self, state: &G::State, budget: Budget) -> Decision {
        self.walker.jump(state);
        if let Some(id) = only_move(self.walker.legal(), self.role) {
            return Decision::without_search(id, StopReason::OnlyMove);
        }
        let report = self.search(state, budget);
        let id = report.moves.first().map_or(MoveId::CHANCE, |best| best.id);
        Decision { id, report }
    }
}
