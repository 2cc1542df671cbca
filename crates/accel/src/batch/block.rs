//! What is known about the lanes of a block: which playout is in which, since when, and how it
//! ended.

use std::collections::VecDeque;
use std::sync::Arc;

use paidia_game::{Ending, Playout, RoleId};

use super::Submission;
use super::numbers::Numbers;
use crate::kernel::Memory;
use crate::program::Program;
use crate::word::{LANES, Word};

/// The lanes of a block.
#[derive(Clone, Debug)]
pub(super) struct Block {
    /// The lanes in which a playout is open.
    pub(super) active: Word,
    /// For each lane the tag of its playout, and how many steps had been made when that began.
    tags: Numbers<u32>,
    started: Numbers<u64>,
    /// No open playout began before this.
    oldest: u64,
    /// The active lanes that have made as many steps as they may.
    cut: Word,
    /// The states that lanes are to get.
    loads: Vec<(Arc<[u64]>, Word)>,
    /// Lanes with a playout that has ended and was not yet reported.
    pub(super) unreported: Word,
    /// Those of them in which the game was over, and those that were cut.
    pub(super) finished: Word,
    was_cut: Word,
    /// For each of them, its tag and its length, and in others the role without a move.
    ended_tags: Numbers<u32>,
    pub(super) lengths: Numbers<u32>,
    stuck: Vec<RoleId>,
}

impl Block {
    pub(super) fn new() -> Self {
        Self {
            active: Word::NONE,
            tags: Numbers::new(),
            started: Numbers::new(),
            oldest: 0,
            cut: Word::NONE,
            loads: Vec::new(),
            unreported: Word::NONE,
            finished: Word::NONE,
            was_cut: Word::NONE,
            ended_tags: Numbers::new(),
            lengths: Numbers::new(),
            stuck: vec![RoleId(0); LANES],
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
        let mut oldest = now;
        self.started.parts(self.active, |started, lanes| {
            if now - started >= step_limit {
                cut |= lanes;
            } else {
                oldest = oldest.min(started);
            }
        });
        self.oldest = oldest;
        cut
    }

    /// Notes how the playouts of lanes ended, to be reported.
    #[inline(always)]
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
        self.finished = self.finished.and_not(lanes) | terminal;
        self.was_cut = self.was_cut.and_not(lanes) | cut;
        self.ended_tags.copy(&self.tags, lanes, |tag| tag);
        let length = |started| (now - started) as u32;
        self.lengths.copy(&self.started, lanes, length);
        let mut stuck = lanes.and_not(terminal).and_not(cut);
        for role in 0..program.roles.len() {
            if stuck.is_none() {
                break;
            }
            let by_role = stuck.and_not(all_can_move(program, memory, number, role + 1));
            for lane in by_role.lanes() {
                self.stuck[lane] = RoleId(role as u16);
            }
            stuck = stuck.and_not(by_role);
        }
    }

    /// The tag and the end of a playout that was not yet reported.
    pub(super) fn result(&self, lane: usize) -> (u32, Playout) {
        let ending = if self.finished.get(lane) {
            Ending::Finished
        } else if self.was_cut.get(lane) {
            Ending::Cut
        } else {
            Ending::Stuck(self.stuck[lane])
        };
        let length = self.lengths.get(lane);
        (self.ended_tags.get(lane), Playout { length, ending })
    }

    /// Gives up all playouts.
    pub(super) fn cancel(&mut self) {
        self.active = Word::NONE;
        self.unreported = Word::NONE;
        self.loads.clear();
    }

    /// Notes for each of the lanes what it plays next, beginning after `now` steps; lanes for which
    /// nothing is left become idle.
    #[inline(always)]
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
            self.tags.set(loaded, submission.tag);
            self.started.set(loaded, now);
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
