//! How playouts choose moves, and what is remembered about moves wherever they are made.
//!
//! A [`Policy`] is one thread's memory. It learns from every simulation what came of each move (or
//! of each sequence of moves), and draws moves by that: in playouts, and among the untried moves of
//! the tree. What it remembers is kept from search to search, and counts less after every move that
//! was really made, if the settings say so.

mod draw;
mod moves;
mod rows;
mod sequences;
mod weights;

use paidia_game::{Chance, LegalMoves, MoveId, RoleId};

pub use draw::Draw;
use moves::Moves;
use sequences::Sequences;
use weights::Weights;

use super::settings::Playouts;

/// What an unknown move is worth: the highest goal, so that it gets its chance.
const UNKNOWN: f64 = 100.0;

/// A mean of returns. Visits are a fraction where older ones count less.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Mean {
    visits: f64,
    value: f64,
}

impl Mean {
    fn add(&mut self, value: f64) {
        self.visits += 1.0;
        self.value += (value - self.value) / self.visits;
    }

    /// Lets what was learned so far count less.
    fn fade(&mut self, factor: f64) {
        self.visits *= factor;
    }
}

/// The moves of a simulation so far, one role after the other, step by step from the root on.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    /// How many roles there are.
    pub roles: usize,
    /// The moves.
    pub made: &'a [MoveId],
}

impl Line<'_> {
    /// The move of a role in a step, if there was such a step.
    fn at(self, step: Option<usize>, role: usize) -> Option<MoveId> {
        self.made.get(step? * self.roles + role).copied()
    }

    /// The moves of all roles in a step; none if there was no such step.
    fn joint(&self, step: usize) -> &[MoveId] {
        let first = step * self.roles;
        self.made.get(first..first + self.roles).unwrap_or_default()
    }

    /// How many steps there are.
    fn steps(self) -> usize {
        self.made.len() / self.roles.max(1)
    }
}

/// What one thread remembers of moves.
#[derive(Clone, Debug)]
pub struct Policy {
    memory: Memory,
    scores: Vec<f64>,
}

#[derive(Clone, Debug)]
enum Memory {
    Nothing,
    Weights(Weights),
    Moves(Moves),
    Sequences(Sequences),
}

impl Policy {
    /// Nothing remembered yet.
    pub fn new(roles: usize, playouts: &Playouts) -> Self {
        let memory = match playouts {
            Playouts::Uniform | Playouts::Nested(_) => Memory::Nothing,
            Playouts::Moves { draw, .. } => match *draw {
                Draw::Gibbs { temperature } => Memory::Weights(Weights::new(roles, temperature)),
                Draw::Greedy { .. } => Memory::Moves(Moves::new(roles)),
            },
            Playouts::Sequences { least_visits, .. } => {
                Memory::Sequences(Sequences::new(roles, *least_visits))
            }
        };
        Self {
            memory,
            scores: Vec::new(),
        }
    }

    /// Remembers the returns of all roles for the moves of a step of a simulation.
    pub fn learn(&mut self, line: Line<'_>, step: usize, returns: &[f64]) {
        let made = (0..).map(RoleId).zip(line.joint(step)).zip(returns);
        match &mut self.memory {
            Memory::Nothing => (),
            Memory::Weights(weights) => {
                made.for_each(|((role, &id), &value)| weights.learn(role, id, value));
            }
            Memory::Moves(moves) => {
                made.for_each(|((role, &id), &value)| moves.learn(role, id, value));
            }
            Memory::Sequences(sequences) => {
                made.for_each(|((role, _), &value)| sequences.learn(line, step, role, value));
            }
        }
    }

    /// A move was really made: what was learned before counts less, by this factor.
    pub fn fade(&mut self, factor: f64) {
        if factor == 1.0 {
            return;
        }
        match &mut self.memory {
            Memory::Nothing => (),
            Memory::Weights(weights) => weights.fade(factor),
            Memory::Moves(moves) => moves.fade(factor),
            Memory::Sequences(sequences) => sequences.fade(factor),
        }
    }

    /// Draws one of a role's moves after a line of moves.
    #[inline]
    pub fn draw(
        &mut self,
        line: Line<'_>,
        role: RoleId,
        moves: &[MoveId],
        draw: Draw,
        chance: &mut Chance,
    ) -> Option<usize> {
        if moves.len() < 2 {
            return moves.len().checked_sub(1);
        }
        if let Some(place) = draw.without_scores(moves.len(), chance) {
            return Some(place);
        }
        self.scores.clear();
        match &mut self.memory {
            Memory::Weights(weights) => return Some(weights.draw(role, moves, chance)),
            Memory::Nothing => self.scores.resize(moves.len(), UNKNOWN),
            Memory::Moves(means) => {
                let scores = moves.iter().map(|&id| means.score(role, id));
                self.scores.extend(scores);
            }
            Memory::Sequences(means) => means.score_all(line, role, moves, &mut self.scores),
        }
        Some(draw.by_scores(&mut self.scores, chance))
    }

    /// Draws a legal move for each role into `joint`; false if a role has none.
    pub fn draw_joint(
        &mut self,
        line: Line<'_>,
        legal: &LegalMoves,
        draw: Draw,
        chance: &mut Chance,
        joint: &mut Vec<MoveId>,
    ) -> bool {
        joint.clear();
        for (role, moves) in legal.iter() {
            let Some(place) = self.draw(line, role, moves, draw, chance) else {
                return false;
            };
            joint.push(moves[place]);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::Mean;

    #[test]
    fn older_returns_count_less() {
        let mut mean = Mean {
            visits: 10.0,
            value: 60.0,
        };
        mean.fade(0.6);
        assert_eq!(mean.visits, 6.0);
        mean.add(100.0);
        assert!((mean.value - (60.0 + 40.0 / 7.0)).abs() < 1e-12, "{mean:?}");
    }
}
