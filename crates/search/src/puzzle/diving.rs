//! Depth first in random order, started anew again and again with more patience.
//!
//! Puzzles that are filled in, such as sudoku, have no short way to anything: all solutions are
//! equally far. Depth first gets there at once and learns from dead ends. A bad first choice would
//! cost it everything, so it gives up after a while and starts in another order.

use paidia_game::{Game, MoveId, Walker};
use rustc_hash::FxHashSet;

use super::ground::{Ground, Progress, fingerprint};
use crate::budget::{Meter, StopReason};

/// States of the first dive; each later one has half as many more.
const FIRST_PATIENCE: u64 = 2_000;

/// Moves after which a dive turns back: a longer solution is of no use.
const DEEPEST: usize = 2_000;

/// Bytes that a state takes in the table of those that were met.
const MET_BYTES: usize = (size_of::<(u64, u64)>() + 1) * 2;

/// A search that dives.
pub(super) struct Diving<State> {
    frames: Vec<Frame<State>>,
    met: FxHashSet<(u64, u64)>,
    memory: usize,
    patience: u64,
    /// States of this dive.
    visited: u64,
    /// Whether this dive has passed something over that it cannot vouch for.
    cut: bool,
}

/// A state on the way down, and the moves that were not yet tried there.
struct Frame<State> {
    state: State,
    moves: Vec<MoveId>,
    /// The move that is being tried.
    current: MoveId,
}

impl<State: Clone + std::hash::Hash> Diving<State> {
    pub(super) fn new(memory: usize) -> Self {
        Self {
            frames: Vec::new(),
            met: FxHashSet::default(),
            patience: FIRST_PATIENCE,
            visited: 0,
            cut: false,
            memory,
        }
    }

    pub(super) fn memory(&self) -> usize {
        self.met.capacity() * MET_BYTES
    }

    pub(super) fn go_on<G: Game<State = State>>(
        &mut self,
        ground: &mut Ground<G>,
        meter: &mut Meter,
    ) -> Progress {
        if self.frames.is_empty() {
            self.start(ground);
        }
        let mut child = ground.start.clone();
        loop {
            if let Some(progress) = ground.over(meter) {
                return progress;
            }
            if self.visited >= self.patience {
                self.start(ground);
            }
            let Some(frame) = self.frames.last_mut() else {
                // Everything was seen, if nothing was passed over.
                if !self.cut {
                    return Progress::Perfect;
                }
                self.start(ground);
                continue;
            };
            let Some(id) = frame.moves.pop() else {
                self.frames.pop();
                continue;
            };
            frame.current = id;
            ground.walker.jump(&frame.state);
            self.visited += 1;
            if !ground.advance(id, meter) {
                return Progress::Stopped(StopReason::Fault);
            }
            if self.meet(ground, &mut child) {
                return Progress::Perfect;
            }
        }
    }

    /// Begins a new dive with more patience.
    fn start<G: Game<State = State>>(&mut self, ground: &mut Ground<G>) {
        self.patience += self.patience / 2;
        self.visited = 0;
        self.cut = false;
        self.met.clear();
        self.frames.clear();
        let start = ground.start.clone();
        ground.walker.jump(&start);
        self.go_down(ground, &start);
    }

    /// Looks at the state where the walker stands; whether it is a solution that cannot be
    /// improved.
    fn meet<G: Game<State = State>>(&mut self, ground: &mut Ground<G>, child: &mut State) -> bool {
        if ground.walker.is_terminal() {
            return ground.note(|| self.frames.iter().map(|frame| frame.current).collect());
        }
        if self.frames.len() >= DEEPEST {
            self.cut = true;
            return false;
        }
        ground.walker.save(child);
        let print = fingerprint(ground.walker.hash64(), child);
        let full = self.met.len() == self.met.capacity() && self.memory() * 3 > self.memory;
        let is_new = if full {
            !self.met.contains(&print)
        } else {
            self.met.insert(print)
        };
        if is_new {
            self.go_down(ground, child);
        }
        false
    }

    /// Goes on from the state where the walker stands.
    fn go_down<G: Game<State = State>>(&mut self, ground: &mut Ground<G>, state: &State) {
        let mut moves = Vec::new();
        ground.moves(&mut moves);
        ground.chance.shuffle(&mut moves);
        self.frames.push(Frame {
            state: state.clone(),
            current: MoveId::CHANCE,
            moves,
        });
    }
}
