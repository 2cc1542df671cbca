//! Iterative deepening with a transposition table: the thesis' memory-enhanced IDA* without a
//! heuristic.
//!
//! Every round looks one move further than the last and starts at the beginning, so that what must
//! be kept is one path and as much of the table as the memory allows. A round that cuts nothing off
//! has seen everything.

use paidia_game::{Game, MoveId, Walker};

use super::ground::{Ground, Progress, fingerprint};
use crate::budget::{Meter, StopReason};

/// Bytes of the largest table: more does not help what must be started anew every round.
const LARGEST: usize = 1 << 26;

/// A search that deepens round by round.
pub(super) struct Deepening {
    /// For each place, the last state that was searched there.
    table: Vec<Searched>,
    most: usize,
    /// The moves that this round looks ahead.
    round: u32,
    /// Counts the rounds and the new beginnings of rounds.
    epoch: u32,
    /// Whether the round has cut something off.
    cut: bool,
    path: Vec<MoveId>,
}

/// A state that was searched: when, and how many moves were left.
#[derive(Clone, Copy, Default)]
struct Searched {
    print: (u64, u64),
    epoch: u32,
    left: u32,
}

impl Deepening {
    pub(super) fn new(memory: usize) -> Self {
        let most = memory.min(LARGEST) / size_of::<Searched>();
        Self {
            table: Vec::new(),
            // The largest power of two that fits.
            most: (most / 2 + 1).next_power_of_two(),
            round: 1,
            epoch: 0,
            cut: false,
            path: Vec::new(),
        }
    }

    pub(super) fn memory(&self) -> usize {
        self.table.capacity() * size_of::<Searched>()
    }

    pub(super) fn go_on<G: Game>(&mut self, ground: &mut Ground<G>, meter: &mut Meter) -> Progress {
        if self.table.is_empty() {
            self.table = vec![Searched::default(); self.most];
        }
        loop {
            // A round that was stopped is begun anew; what is left of it in the table would hide
            // what it did not finish.
            self.epoch += 1;
            self.cut = false;
            self.path.clear();
            let start = ground.start.clone();
            if let Some(progress) = self.search(ground, meter, &start, self.round) {
                return progress;
            }
            if !self.cut {
                return Progress::Perfect;
            }
            self.round += 1;
        }
    }

    /// Searches everything that can be reached with the moves that are left; why to stop, if there
    /// is a reason.
    fn search<G: Game>(
        &mut self,
        ground: &mut Ground<G>,
        meter: &mut Meter,
        state: &G::State,
        left: u32,
    ) -> Option<Progress> {
        ground.walker.jump(state);
        if ground.walker.is_terminal() {
            return ground
                .note(|| self.path.clone())
                .then_some(Progress::Perfect);
        }
        if left == 0 {
            self.cut = true;
            return None;
        }
        if self.was_searched(fingerprint(ground.walker.hash64(), state), left) {
            return None;
        }
        let (mut child, mut moves) = (state.clone(), Vec::new());
        ground.moves(&mut moves);
        for id in moves {
            if let Some(progress) = ground.over(meter) {
                return Some(progress);
            }
            ground.walker.jump(state);
            if !ground.advance(id, meter) {
                return Some(Progress::Stopped(StopReason::Fault));
            }
            ground.walker.save(&mut child);
            self.path.push(id);
            let stopped = self.search(ground, meter, &child, left - 1);
            self.path.pop();
            if stopped.is_some() {
                return stopped;
            }
        }
        None
    }

    /// Whether the state was searched with as many moves left since the round began; from now on it
    /// was.
    fn was_searched(&mut self, print: (u64, u64), left: u32) -> bool {
        let place = print.0 as usize & (self.table.len() - 1);
        let entry = &mut self.table[place];
        let epoch = self.epoch;
        if entry.print == print && entry.epoch == epoch && entry.left >= left {
            return true;
        }
        *entry = Searched { print, epoch, left };
        false
    }
}
