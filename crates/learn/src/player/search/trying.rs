//! Trying the moves of a position, in stages.

use paidia_languages::board::BoardMove;

use super::{Limits, Ordered, Search, Stopped, WIN};

/// A position that is being searched.
pub(super) struct Node {
    pub(super) depth: i32,
    pub(super) ply: usize,
    pub(super) alpha: i32,
    pub(super) beta: i32,
    /// The sum of the evaluation, from white's view.
    pub(super) sum: i32,
    /// The best value so far and its move, if there was one.
    pub(super) best: (i32, Option<BoardMove>),
    /// Moves that were tried.
    pub(super) tried: usize,
}

impl Node {
    fn is_cut(&self) -> bool {
        self.alpha >= self.beta
    }
}

impl Search {
    /// Tries the moves of a position until one is good enough: the one that the table knows, those
    /// that take, and the others, which often need not be looked for.
    pub(super) fn try_moves(
        &mut self,
        node: &mut Node,
        known: Option<BoardMove>,
        limits: &Limits<'_>,
    ) -> Result<(), Stopped> {
        let first = self.stack.len();
        let known = known.filter(|&known| self.position.is_legal(known));
        if let Some(chosen) = known {
            let memory = &self.memory;
            let next = memory.ordered(&self.position, &self.evaluation, chosen, node.ply);
            self.attempt(node, next, false, limits)?;
            if node.is_cut() {
                return Ok(());
            }
        }
        self.found.clear();
        if let Some(wins) = self.position.takes(&mut self.found) {
            node.best = (WIN - node.ply as i32 - 1, Some(wins));
            return Ok(());
        }
        self.order(node.ply, known);
        self.attempt_all(node, first, limits)?;
        if node.is_cut() {
            return Ok(());
        }
        self.stack.truncate(first);
        self.found.clear();
        self.position.others(&mut self.found);
        self.order(node.ply, known);
        self.attempt_all(node, first, limits)
    }

    /// Tries the moves on the stack, from a place on, until one is good enough.
    fn attempt_all(
        &mut self,
        node: &mut Node,
        first: usize,
        limits: &Limits<'_>,
    ) -> Result<(), Stopped> {
        for number in 0..self.stack.len() - first {
            let next = self.pick(first, number);
            self.attempt(node, next, true, limits)?;
            if node.is_cut() {
                break;
            }
        }
        Ok(())
    }

    /// Tries a move. Those that do not win at once may have their values seen without being made.
    #[inline]
    fn attempt(
        &mut self,
        node: &mut Node,
        next: Ordered,
        may_glimpse: bool,
        limits: &Limits<'_>,
    ) -> Result<(), Stopped> {
        let value = self.follow(next, node, may_glimpse, limits)?;
        node.tried += 1;
        if value > node.best.0 {
            node.best = (value, Some(next.chosen));
        }
        node.alpha = node.alpha.max(value);
        if node.is_cut() && next.is_quiet {
            self.memory
                .learn(&self.position, next.chosen, node.ply, node.depth);
        }
        Ok(())
    }

    /// The value of a move, by the searches that the style asks for.
    #[inline]
    fn follow(
        &mut self,
        next: Ordered,
        node: &Node,
        may_glimpse: bool,
        limits: &Limits<'_>,
    ) -> Result<i32, Stopped> {
        let &Node {
            depth,
            ply,
            alpha,
            beta,
            ..
        } = node;
        let sum = node.sum + self.evaluation.gain(&self.position, next.chosen);
        let is_modern = self.style.modern;
        let is_first = node.tried == 0 || !is_modern;
        let less = match is_first {
            true => 0,
            false => less_deep(next, node.tried, depth),
        };
        if may_glimpse
            && depth - 1 - less <= 0
            && let Some(value) = self.glimpse(next, sum, alpha)
        {
            self.count(limits)?;
            return Ok(value);
        }
        let undo = self.position.make(next.chosen);
        let mut search = |less: i32, window: (i32, i32)| {
            let value = self.search(depth - 1 - less, ply + 1, window, sum, limits);
            value.map(|value| -value)
        };
        let full = (-beta, -alpha);
        let value = if is_first {
            search(0, full)
        } else {
            let narrow = (-alpha - 1, -alpha);
            let mut value = search(less, narrow);
            if less > 0 && value.as_ref().is_ok_and(|&value| value > alpha) {
                value = search(0, narrow);
            }
            match value {
                Ok(value) if value > alpha && value < beta => search(0, full),
                value => value,
            }
        };
        self.position.unmake(undo);
        value
    }

    /// The value of a last move, if it can be seen without making it: where the sum is all that
    /// counts, and captures after it, which may only make it worse for the mover, do not matter.
    #[inline]
    pub(super) fn glimpse(&self, next: Ordered, sum: i32, alpha: i32) -> Option<i32> {
        let value = match self.position.turn() % 2 {
            0 => sum,
            _ => -sum,
        };
        let is_seen = self.evaluation.is_sum()
            && (next.is_quiet || self.position.is_take(next.chosen))
            && (!self.style.quiescence || value <= alpha)
            && self.turns_left() > 1;
        is_seen.then_some(value)
    }
}

/// By how much a late quiet move is searched less deep.
#[inline]
fn less_deep(next: Ordered, number: usize, depth: i32) -> i32 {
    match (next.is_quiet, depth) {
        (true, 3..) if number >= 12 => 2,
        (true, 3..) if number >= 4 => 1,
        _ => 0,
    }
}
