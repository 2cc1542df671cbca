//! The contents of all slots, for one block or a few.

use super::Backend;
use super::wide::Work;
use crate::program::{Program, Signal};
use crate::random::Stream;
use crate::word::Word;

/// The contents of all slots for a few blocks at once: those of a slot for all blocks, then those
/// of the next slot.
#[derive(Debug)]
pub(crate) struct Memory {
    /// Perhaps an unused word, then the slots, so that those of two blocks are within a line of the
    /// cache.
    words: Vec<Word>,
    start: usize,
    pub(super) width: usize,
    backend: Backend,
    fluents: usize,
}

impl Memory {
    /// All slots of a program, false, for 1, 2 or 4 blocks.
    pub(crate) fn new(program: &Program, width: usize, backend: Backend) -> Self {
        let words = program.slots as usize * width;
        Self::of(words, width, backend, program.fluents as usize)
    }

    fn of(words: usize, width: usize, backend: Backend, fluents: usize) -> Self {
        let words = vec![Word::NONE; words + 1];
        Self {
            start: usize::from(!words.as_ptr().addr().is_multiple_of(LINE)),
            words,
            width,
            backend,
            fluents,
        }
    }

    /// Sets the generator of a block.
    pub(crate) fn seed(&mut self, program: &Program, block: usize, stream: &Stream) {
        for (slot, &state) in (program.stream..).zip(&stream.state) {
            *self.word_mut(slot, block) = state;
        }
    }

    /// How many blocks there are.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// All slots.
    pub(super) fn words_mut(&mut self) -> &mut [Word] {
        &mut self.words[self.start..]
    }

    /// What a slot holds for a block.
    #[inline]
    pub(crate) fn word(&self, slot: u32, block: usize) -> Word {
        self.words[self.start + slot as usize * self.width + block]
    }

    /// What a slot holds for a block, to change.
    #[inline]
    pub(crate) fn word_mut(&mut self, slot: u32, block: usize) -> &mut Word {
        &mut self.words[self.start + slot as usize * self.width + block]
    }

    /// What a signal is for a block.
    #[inline]
    pub(crate) fn signal(&self, signal: Signal, block: usize) -> Word {
        self.word(signal.slot, block)
            .inverted_if(signal.is_inverted)
    }

    /// Sets the fluents of a block's lanes to those of a state, bit by number; words that are
    /// missing are zero.
    pub(crate) fn load(&mut self, block: usize, state: &[u64], lanes: Word) {
        self.backend.run(Load {
            words: &mut self.words[self.start..][..self.fluents * self.width],
            width: self.width,
            block,
            state,
            lanes,
        });
    }

    /// Sets the fluents of a block's lanes to those of the same lanes of the same block of other
    /// memory.
    pub(crate) fn copy_state(&mut self, from: &Memory, block: usize, lanes: Word) {
        let fluents = self.fluents * self.width;
        self.backend.run(CopyState {
            words: &mut self.words[self.start..][..fluents],
            from: &from.words[from.start..][..fluents],
            width: self.width,
            block,
            lanes,
        });
    }
}

/// Bytes of a line of the cache.
const LINE: usize = 64;

impl Clone for Memory {
    fn clone(&self) -> Self {
        let words = &self.words[self.start..];
        let mut copy = Self::of(self.words.len() - 1, self.width, self.backend, self.fluents);
        // What is left out is the word that is behind the last here.
        let length = words.len().min(self.words.len() - 1);
        copy.words_mut()[..length].copy_from_slice(&words[..length]);
        copy
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
