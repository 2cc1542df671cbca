//! What is known about the lanes of a block: which playout is in which, since when, and how it
//! ended.

use std::collections::VecDeque;
use std::sync::Arc;

use paidia_game::{Ending, Playout, RoleId};

use super::Submission;
use crate::kernel::Memory;
use crate::program::Program;
use crate::word::{LANES, Word};

/// The lanes of a block.
#[derive(Clone, Debug)]
pub(super) struct Block {
    /// The lanes in which a playout is open.
    pub(super) active: Word,
    tags: Vec<u32>,
    /// For each lane, how many steps had been made when its playout began.
    started: Vec<u64>,
    /// No open playout began before this.
    oldest: u64,
    /// The active lanes that have made as many steps as they may.
    cut: Word,
    /// The states that lanes are to get.
    loads: Vec<(Arc<[u64]>, Word)>,
    /// Lanes with a playout that has ended and was not yet reported.
    pub(super) unreported: Word,
    /// For each of these, its tag and its end.
    pub(super) results: Vec<(u32, Playout)>,
}

impl Block {
    pub(super) fn new() -> Self {
        let nothing = Playout {
            length: 0,
            ending: Ending::Cut,
        };
        Self {
            active: Word::NONE,
            tags: vec![0; LANES],
            started: vec![0; LANES],
            oldest: 0,
            cut: Word::NONE,
            loads: Vec::new(),
            unreported: Word::NONE,
            results: vec![(0, nothing); LANES],
        }
    }

    /// Says which lanes may go on after `now` steps.
    pub(super) fn open(
        &mut self,
        program: &Program,
        memory: &mut Memory,
        number: usize,
        now: u64,
        step_limit: u64,
    ) {
        self.cut = self.cut(now, step_limit);
        *memory.word_mut(program.open, number) = self.active.and_not(self.cut);
    }

    /// The lanes whose playouts end in the state that was evaluated.
    pub(super) fn ended(&self, program: &Program, memory: &Memory, number: usize) -> Word {
        self.active.and_not(memory.signal(program.moving, number))
    }

    /// The active lanes that have made as many steps as they may.
    fn cut(&mut self, now: u64, step_limit: u64) -> Word {
        let mut cut = Word::NONE;
        if now < self.oldest.saturating_add(step_limit) {
            return cut;
        }
        self.oldest = now;
        for lane in self.active.lanes() {
            if now - self.started[lane] >= step_limit {
                cut.set(lane, true);
            } else {
                self.oldest = self.oldest.min(self.started[lane]);
            }
        }
        cut
    }

    /// Notes how the playouts of lanes ended, to be reported.
    pub(super) fn note(
        &mut self,
        program: &Program,
        memory: &Memory,
        number: usize,
        now: u64,
        lanes: Word,
    ) {
        self.unreported |= lanes;
        let terminal = memory.signal(program.terminal, number) & lanes;
        let cut = self.cut.and_not(terminal) & lanes;
        self.note_ending(terminal, now, Ending::Finished);
        self.note_ending(cut, now, Ending::Cut);
        let mut stuck = lanes.and_not(terminal).and_not(cut);
        for role in 0..program.roles.len() {
            if stuck.is_none() {
                break;
            }
            let by_role = stuck.and_not(all_can_move(program, memory, number, role + 1));
            self.note_ending(by_role, now, Ending::Stuck(RoleId(role as u16)));
            stuck = stuck.and_not(by_role);
        }
    }

    fn note_ending(&mut self, lanes: Word, now: u64, ending: Ending) {
        for lane in lanes.lanes() {
            let length = (now - self.started[lane]) as u32;
            self.results[lane] = (self.tags[lane], Playout { length, ending });
        }
    }

    /// Gives up all playouts.
    pub(super) fn cancel(&mut self) {
        self.active = Word::NONE;
        self.unreported = Word::NONE;
        self.loads.clear();
    }

    /// Notes for each of the lanes what it plays next, beginning after `now` steps; lanes for which
    /// nothing is left become idle.
    pub(super) fn refill(&mut self, lanes: Word, queue: &mut VecDeque<Submission>, now: u64) {
        self.active = self.active.and_not(lanes);
        let mut left = lanes;
        while let Some(submission) = queue.front_mut()
            && !left.is_none()
        {
            let mut loaded = left;
            if left.count() > submission.left {
                loaded = Word::NONE;
                let lanes = left.lanes().take(submission.left as usize);
                lanes.for_each(|lane| loaded.set(lane, true));
            }
            for lane in loaded.lanes() {
                self.tags[lane] = submission.tag;
                self.started[lane] = now;
            }
            left = left.and_not(loaded);
            submission.left -= loaded.count();
            self.active |= loaded;
            self.loads.push((Arc::clone(&submission.from), loaded));
            if submission.left == 0 {
                queue.pop_front();
            }
        }
    }

    /// Loads the states that were noted.
    pub(super) fn load(&mut self, memory: &mut Memory, number: usize) {
        for (state, lanes) in self.loads.drain(..) {
            memory.load(number, &state, lanes);
        }
    }
}

/// The lanes in which each of the first roles can move.
fn all_can_move(program: &Program, memory: &Memory, number: usize, roles: usize) -> Word {
    let roles = program.roles.iter().take(roles);
    roles.fold(Word::ALL, |all, role| {
        all & memory.signal(role.can_move, number)
    })
}
