//! Following captures to their end.

use super::{Limits, MAX_PLY, Ordered, Search, Stopped, WIN};

impl Search {
    /// The value for the mover if only captures are made, or none.
    pub(super) fn quiet(
        &mut self,
        (mut alpha, beta): (i32, i32),
        ply: usize,
        sum: i32,
        limits: &Limits<'_>,
    ) -> Result<i32, Stopped> {
        let mut best = self.judged(sum);
        if best >= beta || ply >= MAX_PLY {
            return Ok(best);
        }
        alpha = alpha.max(best);
        let first = self.stack.len();
        self.found.clear();
        if self.position.takes(&mut self.found).is_some() {
            return Ok(WIN - ply as i32 - 1);
        }
        self.order(ply, None);
        for number in 0..self.stack.len() - first {
            let next = self.pick(first, number);
            let value = match self.quiet_after(next, (alpha, beta), ply, sum, limits) {
                Ok(value) => value,
                Err(stopped) => {
                    self.stack.truncate(first);
                    return Err(stopped);
                }
            };
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        self.stack.truncate(first);
        Ok(best)
    }

    /// The value of a capture if only captures follow.
    #[inline]
    fn quiet_after(
        &mut self,
        next: Ordered,
        (alpha, beta): (i32, i32),
        ply: usize,
        sum: i32,
        limits: &Limits<'_>,
    ) -> Result<i32, Stopped> {
        self.count(limits)?;
        let sum = sum + self.evaluation.gain(&self.position, next.chosen);
        if let Some(value) = self.glimpse(next, sum, alpha) {
            return Ok(value);
        }
        let undo = self.position.make(next.chosen);
        let value = match self.end(ply + 1) {
            Some(value) => Ok(value),
            None => self.quiet((-beta, -alpha), ply + 1, sum, limits),
        };
        self.position.unmake(undo);
        value.map(|value| -value)
    }
}
