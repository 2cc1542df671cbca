//! The order in which moves are searched: what is likely to be best goes first.

use paidia_languages::board::{BoardMove, EMPTY, Position};

use super::evaluation::Evaluation;

/// A move with what it promises.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ordered {
    pub(super) chosen: BoardMove,
    pub(super) promise: i32,
    pub(super) is_quiet: bool,
}

/// Moves that were good elsewhere in the tree.
#[derive(Clone, Debug)]
pub(super) struct Memory {
    /// Two quiet moves for each distance from the root.
    killers: Vec<[Option<BoardMove>; 2]>,
    /// By content and last square.
    history: Vec<i32>,
    squares: usize,
}

/// Promises: captures, then killers, and the rest by history.
const CAPTURE: i32 = 1 << 28;
const KILLER: i32 = 1 << 27;
const MOST_HISTORY: i32 = 1 << 26;

/// Searches do not go deeper than this.
pub(super) const MAX_PLY: usize = 128;

impl Memory {
    pub(super) fn new(contents: usize, squares: usize) -> Self {
        Self {
            killers: vec![[None; 2]; MAX_PLY + 1],
            history: vec![0; contents * squares],
            squares,
        }
    }

    /// What a move promises.
    #[inline]
    pub(super) fn ordered(
        &self,
        position: &Position,
        evaluation: &Evaluation,
        chosen: BoardMove,
        ply: usize,
    ) -> Ordered {
        let board = position.board();
        let man = board[usize::from(chosen.from)];
        let taken = board[usize::from(chosen.to)];
        let promise = if taken == EMPTY || chosen.from == chosen.to {
            match self.killers[ply].contains(&Some(chosen)) {
                true => KILLER,
                false => self.history[usize::from(man) * self.squares + usize::from(chosen.to)],
            }
        } else if taken & 1 == man & 1 {
            -evaluation.worth(taken)
        } else {
            CAPTURE + evaluation.worth(taken) * 8 - evaluation.worth(man).min(1 << 20)
        };
        Ordered {
            chosen,
            promise,
            is_quiet: taken == EMPTY || chosen.from == chosen.to,
        }
    }

    /// Remembers a quiet move that was good enough to look no further.
    pub(super) fn learn(&mut self, position: &Position, chosen: BoardMove, ply: usize, depth: i32) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(chosen) {
            *killers = [Some(chosen), killers[0]];
        }
        let man = position.board()[usize::from(chosen.from)];
        let place = usize::from(man) * self.squares + usize::from(chosen.to);
        self.history[place] += depth * depth;
        if self.history[place] > MOST_HISTORY {
            self.history.iter_mut().for_each(|value| *value /= 2);
        }
    }

    /// Forgets killers, and half of the history.
    pub(super) fn age(&mut self) {
        self.killers.fill([None; 2]);
        self.history.iter_mut().for_each(|value| *value /= 2);
    }
}
