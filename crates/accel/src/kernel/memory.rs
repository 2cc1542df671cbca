//! The contents of all slots, for one block or a few.

use super::Backend;
use super::wide::Work;
use crate::choose::draw::Digit;
use crate::program::{Program, Signal};
use crate::word::Word;

/// The contents of all slots for a few blocks at once: those of a slot for all blocks, then those of the next slot.
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    pub(super) words: Vec<Word>,
    pub(super) width: usize,
    backend: Backend,
    fluents: usize,
    /// Scratch memory for drawing.
    pub(super) digits: Vec<Digit>,
}

impl Memory {
    /// All slots of a program, false, for 1, 2 or 4 blocks.
    pub(crate) fn new(program: &Program, width: usize, backend: Backend) -> Self {
        Self {
            words: vec![Word::NONE; program.slots as usize * width],
            width,
            backend,
            fluents: program.fluents as usize,
            digits: Vec::new(),
        }
    }

    /// What a slot holds for a block.
    #[inline]
    pub(crate) fn word(&self, slot: u32, block: usize) -> Word {
        self.words[slot as usize * self.width + block]
    }

    /// What a slot holds for a block, to change.
    #[inline]
    pub(crate) fn word_mut(&mut self, slot: u32, block: usize) -> &mut Word {
        &mut self.words[slot as usize * self.width + block]
    }

    /// What a signal is for a block.
    #[inline]
    pub(crate) fn signal(&self, signal: Signal, block: usize) -> Word {
        self.word(signal.slot, block)
            .inverted_if(signal.is_inverted)
    }

    /// Sets the fluents of a block's lanes to those of a state, bit by number; words that are missing are zero.
    pub(crate) fn load(&mut self, block: usize, state: &[u64], lanes: Word) {
        self.backend.run(Load {
            words: &mut self.words[..self.fluents * self.width],
            width: self.width,
            block,
            state,
            lanes,
        });
    }

    /// Sets the fluents of a block's lanes to those of the same lanes of the same block of other memory.
    pub(crate) fn copy_state(&mut self, from: &Memory, block: usize, lanes: Word) {
        let fluents = self.fluents * self.width;
        self.backend.run(CopyState {
            words: &mut self.words[..fluents],
            from: &from.words[..fluents],
            width: self.width,
            block,
            lanes,
        });
    }
}

/// See [`Memory::load`].
struct Load<'a> {
    words: &'a mut [Word],
    width: usize,
    block: usize,
    state: &'a [u64],
    lanes: Word,
}

impl Work for Load<'_> {
    #[inline(always)]
    fn work(self) {
        let groups = self.words.chunks_mut(64 * self.width);
        let parts = self.state.iter().copied().chain(std::iter::repeat(0));
        for (group, mut part) in groups.zip(parts) {
            for word in group[self.block..].iter_mut().step_by(self.width) {
                let holds = Word::NONE.inverted_if(part & 1 == 1);
                *word = word.and_not(self.lanes) | (self.lanes & holds);
                part >>= 1;
            }
        }
    }
}

/// See [`Memory::copy_state`].
struct CopyState<'a> {
    words: &'a mut [Word],
    from: &'a [Word],
    width: usize,
    block: usize,
    lanes: Word,
}

impl Work for CopyState<'_> {
    #[inline(always)]
    fn work(self) {
        let slots = self.words.chunks_exact_mut(self.width);
        for (slot, from) in slots.zip(self.from.chunks_exact(self.width)) {
            let kept = slot[self.block].and_not(self.lanes);
            slot[self.block] = kept | (from[self.block] & self.lanes);
        }
    }
}
