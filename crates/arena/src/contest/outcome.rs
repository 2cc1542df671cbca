//! What came out of a game.

use serde::{Deserialize, Serialize};

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ending {
    /// By the rules.
    Over,
    /// It was too long; counts as a draw.
    Cut,
    /// A role had no move: the rules are faulty. Does not count.
    Stuck,
    /// The engine ran into a limit. Does not count.
    Fault,
}

/// A game that was played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// The cell it belongs to.
    pub cell: String,
    /// Its number in the cell.
    pub number: u32,
    /// The seed of the study.
    pub seed: u64,
    /// The fingerprint of its setup: it counts only in a plan that has the same.
    pub setup: String,
    /// How it ended.
    pub ending: Ending,
    /// Its joint moves.
    pub steps: usize,
    /// The players, in the order of the roles.
    pub seats: Vec<PlayerResult>,
    /// The lowest and the highest goal of the game.
    #[serde(default = "usual_goals", skip_serializing_if = "are_usual")]
    pub goal_range: (i32, i32),
    /// Whether no move changed what the game was worth, if that was asked and could be worked out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_perfect: Option<bool>,
}

/// The goals of most games.
fn usual_goals() -> (i32, i32) {
    (0, 100)
}

fn are_usual(goals: &(i32, i32)) -> bool {
    *goals == usual_goals()
}

/// A player's part in a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayerResult {
    /// The player's place in the list of the cell's players.
    pub place: usize,
    /// What the study calls it.
    pub player: String,
    /// What it played.
    pub role: String,
    /// What it got, if the game ended by the rules.
    pub goal: Option<i32>,
    /// States it visited for its moves, those before the first move left out.
    pub states: u64,
    /// Simulations it made for its moves.
    pub simulations: u64,
    /// Seconds it took for its moves.
    pub seconds: f64,
}

impl Outcome {
    /// The points of the player at a place, from 0 to 1: one for each opponent with a lower goal
    /// and half for each with the same, divided by the number of opponents. Alone, it is how
    /// far the goal is from the lowest to the highest. `None` if the game does not count.
    pub fn points(&self, place: usize) -> Option<f64> {
        match self.ending {
            Ending::Cut => return Some(0.5),
            Ending::Stuck | Ending::Fault => return None,
            Ending::Over => {}
        }
        let own = self.seats.iter().find(|seat| seat.place == place)?.goal?;
        let others: Option<Vec<i32>> = self
            .seats
            .iter()
            .filter(|seat| seat.place != place)
            .map(|seat| seat.goal)
            .collect();
        let others = others?;
        if others.is_empty() {
            let (lowest, highest) = (self.goal_range.0, self.goal_range.1);
            let (above, span) = (own.saturating_sub(lowest), highest.saturating_sub(lowest));
            return Some((f64::from(above) / f64::from(span.max(1))).clamp(0.0, 1.0));
        }
        let against = |other: &i32| match own.cmp(other) {
            std::cmp::Ordering::Greater => 1.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Less => 0.0,
        };
        Some(others.iter().map(against).sum::<f64>() / others.len() as f64)
    }
}
