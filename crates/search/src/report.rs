//! What a search found out: its explanation of itself.

use std::time::Duration;

use paidia_game::MoveId;

use crate::budget::StopReason;
use crate::costs::Costs;

/// What a search found out about a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The legal moves, the best first.
    pub moves: Vec<MoveReport>,
    /// The joint moves that the search expects from here on.
    pub line: Vec<Vec<MoveId>>,
    /// For each role its proven result, if the position is solved.
    pub proven: Option<Vec<i32>>,
    /// Simulations made for this decision.
    pub simulations: u64,
    /// Simulations of earlier searches that the tree had of the position, those while others
    /// thought among them.
    pub known: u64,
    /// Random playouts made for this decision: as many as simulations, or many times as many.
    pub playouts: u64,
    /// States visited for this decision.
    pub states: u64,
    /// Time spent.
    pub time: Duration,
    /// Nodes in the tree.
    pub nodes: usize,
    /// Why the search stopped.
    pub stopped: StopReason,
    /// What the time was spent on, as far as that was sampled.
    pub costs: Costs,
}

/// What a search found out about a move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoveReport {
    /// The move.
    pub id: MoveId,
    /// The mean return, on the scale of the game's goals.
    pub value: f64,
    /// How often it was tried.
    pub visits: u64,
    /// The searching role's proven result after the move, if that is known.
    pub proven: Option<i32>,
}

impl MoveReport {
    /// A move of which nothing is known.
    pub fn untried(id: MoveId) -> Self {
        Self {
            id,
            value: 0.0,
            visits: 0,
            proven: None,
        }
    }
}

impl Report {
    /// A report about a decision that needed no search. Where no move can be made, which
    /// [`MoveId::CHANCE`] stands for, there is none to report.
    pub fn without_search(id: MoveId, stopped: StopReason) -> Self {
        let is_a_move = id != MoveId::CHANCE;
        Self {
            moves: is_a_move
                .then(|| MoveReport::untried(id))
                .into_iter()
                .collect(),
            line: Vec::new(),
            proven: None,
            simulations: 0,
            known: 0,
            playouts: 0,
            states: 0,
            time: Duration::ZERO,
            nodes: 0,
            stopped,
            costs: Costs::default(),
        }
    }

    /// Simulations a second, if any time was spent.
    pub fn simulations_per_second(&self) -> f64 {
        let seconds = self.time.as_secs_f64();
        if seconds > 0.0 {
            self.simulations as f64 / seconds
        } else {
            0.0
        }
    }
}
