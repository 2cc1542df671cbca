//! The search: negamax with alpha and beta, deeper and deeper, with captures followed to their end.

mod quiet;
mod trying;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use paidia_game::Chance;
use paidia_languages::board::{BoardMove, BoardState, EMPTY, Position, Tables};

use super::evaluation::{Counts, Evaluation};
use super::order::{MAX_PLY, Memory, Ordered};
use super::table::{Bound, Entry, Table};
use trying::Node;

/// The value of a won game, less the moves that it takes.
pub const WIN: i32 = 100_000_000;

/// Values above this are those of won games.
const SURE: i32 = WIN - 10_000;

/// Larger than any value.
const ABOVE: i32 = WIN + 1;

/// How a search goes about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Whether captures are followed beyond the depth.
    pub quiescence: bool,
    /// Whether moves after the first are first tried with a window of nothing (principal variation
    /// search), late quiet moves less deep, and passing as a test; else as in the thesis.
    pub modern: bool,
}

impl Default for Style {
    fn default() -> Self {
        Self {
            quiescence: true,
            modern: true,
        }
    }
}

/// When a search ends.
#[derive(Clone, Copy, Debug)]
pub struct Limits<'a> {
    /// No deeper than this.
    pub depth: i32,
    /// After this many positions.
    pub nodes: u64,
    /// At this time.
    pub until: Option<Instant>,
    /// When this is set.
    pub interrupt: Option<&'a AtomicBool>,
}

impl Default for Limits<'_> {
    fn default() -> Self {
        Self {
            depth: MAX_PLY as i32,
            nodes: u64::MAX,
            until: None,
            interrupt: None,
        }
    }
}

/// What a search found out.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// The legal moves with their values for the mover, the best first. Only the first value is
    /// exact; others are bounds from above.
    pub moves: Vec<(BoardMove, i32)>,
    /// The moves that are expected.
    pub line: Vec<BoardMove>,
    /// The last depth that was finished.
    pub depth: i32,
    /// Positions that were visited.
    pub nodes: u64,
    /// Whether the value is that of a game that is won, lost, or at its end.
    pub is_sure: bool,
    /// Whether a limit ended the search before it was done.
    pub was_stopped: bool,
}

/// A search in the positions of a game, for one thread.
#[derive(Clone)]
pub struct Search {
    position: Position,
    evaluation: Arc<Evaluation>,
    style: Style,
    table: Option<Arc<Table>>,
    memory: Memory,
    counts: Counts,
    found: Vec<BoardMove>,
    stack: Vec<Ordered>,
    nodes: u64,
    is_stopped: bool,
}

/// Positions between two looks at the clock.
const GLANCE: u64 = 1024;

/// The search ends here.
struct Stopped;

impl Search {
    /// A search in a game; without a table nothing is remembered from depth to depth.
    pub fn new(
        tables: &Arc<Tables>,
        evaluation: Arc<Evaluation>,
        style: Style,
        table: Option<Arc<Table>>,
    ) -> Self {
        Self {
            memory: Memory::new(tables.contents(), tables.squares()),
            position: Position::new(Arc::clone(tables)),
            evaluation,
            style,
            table,
            counts: Counts::default(),
            found: Vec::new(),
            stack: Vec::new(),
            nodes: 0,
            is_stopped: false,
        }
    }

    /// Judges by something else from now on.
    pub fn set_evaluation(&mut self, evaluation: Arc<Evaluation>) {
        self.evaluation = evaluation;
    }

    /// The position that the search stands in.
    pub fn position(&mut self) -> &mut Position {
        &mut self.position
    }

    /// Searches a state that is not the end of the game deeper and deeper. `order` is asked about
    /// the legal moves first, and may change their order, which decides between equals.
    pub fn run(
        &mut self,
        state: &BoardState,
        limits: &Limits<'_>,
        order: impl FnOnce(&mut [BoardMove]),
    ) -> Found {
        self.position.set(state);
        self.memory.age();
        (self.nodes, self.is_stopped) = (0, false);
        let mut moves = Vec::new();
        self.position.moves(&mut moves);
        order(&mut moves);
        let mut found = Found {
            moves: moves.into_iter().map(|chosen| (chosen, 0)).collect(),
            ..Found::default()
        };
        if found.moves.is_empty() {
            return found;
        }
        for depth in 1..=limits.depth.min(MAX_PLY as i32 - 1) {
            let is_whole = self.deepen(depth, limits, &mut found.moves).is_ok();
            if is_whole {
                found.depth = depth;
                let left = self.turns_left();
                found.is_sure = found.moves[0].1.abs() > SURE || depth as u32 >= left;
            }
            if !is_whole || found.is_sure || found.moves.len() == 1 && depth > 1 {
                break;
            }
        }
        found.nodes = self.nodes;
        found.was_stopped = self.is_stopped;
        found.line = self.line(found.moves[0].0);
        found
    }

    /// One of the best moves by a search of the depth of the limits, all of which are as likely,
    /// and how many positions that took. There must be a legal move.
    pub fn any_best(
        &mut self,
        state: &BoardState,
        limits: &Limits<'_>,
        chance: &mut Chance,
    ) -> (BoardMove, u64) {
        self.position.set(state);
        self.memory.age();
        (self.nodes, self.is_stopped) = (0, false);
        let first = self.stack.len();
        self.found.clear();
        self.position.moves(&mut self.found);
        self.order(0, None);
        for next in &mut self.stack[first..] {
            if self.position.wins(next.chosen) {
                next.promise = i32::MAX;
            }
        }
        let sum = self.evaluation.sum(&self.position);
        let mut best = (-ABOVE, self.stack[first].chosen);
        let mut equals = 0;
        for number in 0..self.stack.len() - first {
            let chosen = self.pick(first, number).chosen;
            let gain = self.evaluation.gain(&self.position, chosen);
            let undo = self.position.make(chosen);
            // The window lets equals of the best be told from worse moves.
            let window = (-ABOVE, 1 - best.0.max(1 - ABOVE));
            let value = self.search(limits.depth - 1, 1, window, sum + gain, limits);
            self.position.unmake(undo);
            let Ok(value) = value else { break };
            let value = -value;
            if value > best.0 {
                (best, equals) = ((value, chosen), 1);
            } else if value == best.0 {
                equals += 1;
                if chance.below(equals) == 0 {
                    best.1 = chosen;
                }
            }
        }
        self.stack.truncate(first);
        (best.1, self.nodes)
    }

    /// Searches all moves to a depth, and brings the best to the front. What was found before the
    /// search was stopped counts.
    fn deepen(
        &mut self,
        depth: i32,
        limits: &Limits<'_>,
        moves: &mut [(BoardMove, i32)],
    ) -> Result<(), Stopped> {
        let sum = self.evaluation.sum(&self.position);
        let mut best = -ABOVE;
        for place in 0..moves.len() {
            let chosen = moves[place].0;
            let gain = self.evaluation.gain(&self.position, chosen);
            let undo = self.position.make(chosen);
            let next = sum + gain;
            let mut value = Ok(0);
            if place > 0 && self.style.modern && best > -SURE {
                value = self.search(depth - 1, 1, (-best - 1, -best), next, limits);
                value = value.map(|value| -value);
            }
            if place == 0
                || !self.style.modern
                || best <= -SURE
                || value.as_ref().is_ok_and(|&value| value > best)
            {
                value = self.search(depth - 1, 1, (-ABOVE, -best), next, limits);
                value = value.map(|value| -value);
            }
            self.position.unmake(undo);
            let value = value?;
            moves[place].1 = value;
            if value > best {
                best = value;
                moves[..=place].rotate_right(1);
            }
        }
        let key = self.key();
        self.remember(key, depth, 0, best, Bound::Exact, moves[0].0);
        Ok(())
    }

    /// The value of the position for the mover, exact within the window.
    fn search(
        &mut self,
        depth: i32,
        ply: usize,
        (alpha, beta): (i32, i32),
        sum: i32,
        limits: &Limits<'_>,
    ) -> Result<i32, Stopped> {
        self.count(limits)?;
        if let Some(value) = self.end(ply) {
            return Ok(value);
        }
        if depth <= 0 || ply >= MAX_PLY {
            return match self.style.quiescence && ply < MAX_PLY {
                true => self.quiet((alpha, beta), ply, sum, limits),
                false => Ok(self.judged(sum)),
            };
        }
        let key = self.key();
        let known = self.table.as_ref().and_then(|table| table.get(key));
        if let Some(value) = known.and_then(|entry| usable(&entry, depth, ply, alpha, beta)) {
            return Ok(value);
        }
        if self.passes(depth, (alpha, beta), sum) {
            self.position.pass();
            let value = self.search(depth - 3, ply + 1, (-beta, 1 - beta), sum, limits);
            self.position.unpass();
            if -value? >= beta {
                return Ok(beta);
            }
        }
        let mut node = Node {
            depth,
            ply,
            alpha,
            beta,
            sum,
            best: (-ABOVE, None),
            tried: 0,
        };
        let first = self.stack.len();
        let tried = self.try_moves(&mut node, known.map(|entry| entry.best), limits);
        self.stack.truncate(first);
        tried?;
        let (value, Some(best)) = node.best else {
            return Ok(ply as i32 - WIN);
        };
        let bound = match value {
            value if value >= beta => Bound::Lower,
            value if value > alpha => Bound::Exact,
            _ => Bound::Upper,
        };
        self.remember(key, depth, ply, value, bound, best);
        Ok(value)
    }

    /// Counts a position, and sees whether it was the last.
    #[inline]
    fn count(&mut self, limits: &Limits<'_>) -> Result<(), Stopped> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(GLANCE) || self.nodes > limits.nodes {
            let interrupted = limits.interrupt;
            self.is_stopped |= self.nodes > limits.nodes
                || interrupted.is_some_and(|flag| flag.load(Ordering::Relaxed))
                || limits.until.is_some_and(|until| Instant::now() >= until);
        }
        match self.is_stopped {
            true => Err(Stopped),
            false => Ok(()),
        }
    }

    /// The value of a position in which the game is over for another reason than that the mover
    /// has no move.
    #[inline]
    fn end(&mut self, ply: usize) -> Option<i32> {
        if let Some(winner) = self.position.winner() {
            let value = WIN - ply as i32;
            return Some(match winner == self.position.mover() {
                true => value,
                false => -value,
            });
        }
        if !self.position.is_out_of_turns() {
            return None;
        }
        self.found.clear();
        let can_move = self.position.can_move(&mut self.found);
        Some(if can_move { 0 } else { ply as i32 - WIN })
    }

    /// The value for the mover as the position stands.
    #[inline]
    fn judged(&mut self, sum: i32) -> i32 {
        let rest = self.evaluation.rest(&mut self.position, &mut self.counts);
        match self.position.turn() % 2 {
            0 => sum + rest,
            _ => -(sum + rest),
        }
    }

    /// Puts the moves that were found on the stack, but for one that is known.
    #[inline]
    fn order(&mut self, ply: usize, known: Option<BoardMove>) {
        for &chosen in &self.found {
            if Some(chosen) != known {
                let memory = &self.memory;
                let next = memory.ordered(&self.position, &self.evaluation, chosen, ply);
                self.stack.push(next);
            }
        }
    }

    /// Brings the most promising of the moves that are left to its place.
    #[inline]
    fn pick(&mut self, first: usize, number: usize) -> Ordered {
        let left = &mut self.stack[first + number..];
        let mut best = 0;
        for place in 1..left.len() {
            if left[place].promise > left[best].promise {
                best = place;
            }
        }
        left.swap(0, best);
        left[0]
    }

    /// Whether passing is tried: who stands well after doing nothing needs no search. That is not
    /// so where having to move is what loses, so the mover must have several men, and the game
    /// must not be near its end.
    fn passes(&self, depth: i32, (alpha, beta): (i32, i32), sum: i32) -> bool {
        let mover = self.position.mover() as usize;
        let judged = if mover == 0 { sum } else { -sum };
        let men = || {
            let board = self.position.board().iter();
            board
                .filter(|&&man| man != EMPTY && usize::from(man & 1) == mover)
                .count()
        };
        self.style.modern
            && depth >= 3
            && beta == alpha + 1
            && beta.abs() < SURE
            && judged >= beta
            && self.turns_left() > MAX_PLY as u32 / 4
            && men() > 4
    }

    fn turns_left(&self) -> u32 {
        let turns = self.position.tables().rules().turns;
        turns.saturating_sub(self.position.turn())
    }

    /// The key of the position; near the last turn also by how many are left.
    fn key(&self) -> u64 {
        let left = self.turns_left();
        match left < MAX_PLY as u32 / 2 {
            true => self.position.key() ^ u64::from(left + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15),
            false => self.position.key(),
        }
    }

    #[inline]
    fn remember(
        &self,
        key: u64,
        depth: i32,
        ply: usize,
        value: i32,
        bound: Bound,
        best: BoardMove,
    ) {
        let Some(table) = &self.table else { return };
        // Won games count from this position.
        let value = match value {
            value if value > SURE => value + ply as i32,
            value if value < -SURE => value - ply as i32,
            value => value,
        };
        let entry = Entry {
            value,
            depth,
            bound,
            best,
        };
        table.put(key, entry);
    }

    /// What is expected after a first move, as far as the table knows.
    fn line(&mut self, first: BoardMove) -> Vec<BoardMove> {
        let (mut line, mut undo) = (vec![first], vec![self.position.make(first)]);
        while line.len() < MAX_PLY && self.end(0).is_none() {
            let key = self.key();
            let known = self.table.as_ref().and_then(|table| table.get(key));
            let Some(next) = known.map(|entry| entry.best) else {
                break;
            };
            self.found.clear();
            self.position.moves(&mut self.found);
            if !self.found.contains(&next) {
                break;
            }
            line.push(next);
            undo.push(self.position.make(next));
        }
        while let Some(last) = undo.pop() {
            self.position.unmake(last);
        }
        line
    }
}

/// What a table's entry says about the value within a window, if it is deep enough.
#[inline]
fn usable(entry: &Entry, depth: i32, ply: usize, alpha: i32, beta: i32) -> Option<i32> {
    if entry.depth < depth {
        return None;
    }
    let value = match entry.value {
        value if value > SURE => value - ply as i32,
        value if value < -SURE => value + ply as i32,
        value => value,
    };
    match entry.bound {
        Bound::Exact => Some(value),
        Bound::Lower => (value >= beta).then_some(value),
        Bound::Upper => (value <= alpha).then_some(value),
    }
}
