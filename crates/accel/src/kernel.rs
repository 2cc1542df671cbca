//! Machines that run a [`Program`].
//!
//! [`interpret`] is the program as data, gone through by plain code; compiled once for any processor and once with AVX2, which
//! [`avx2`] calls where the processor has it. Both do the same to every bit.

mod avx2;
mod interpret;

use std::sync::Arc;

use crate::choose::draw::draw;
use crate::program::{Program, Signal};
use crate::random::Stream;
use crate::word::Word;
use interpret::Runs;

/// What runs programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Backend {
    /// Plain code, on any processor.
    Portable,
    /// Plain code compiled for processors with AVX2.
    Avx2,
}

impl Backend {
    /// All there are, slowest first.
    pub const ALL: [Backend; 2] = [Backend::Portable, Backend::Avx2];

    /// The fastest on this machine, unless the environment variable `PAIDIA_BACKEND` names another that this machine has.
    pub fn detect() -> Self {
        let wanted = std::env::var("PAIDIA_BACKEND").ok();
        let available = || {
            Self::ALL
                .into_iter()
                .filter(|backend| backend.is_available())
        };
        available()
            .find(|backend| Some(backend.name()) == wanted.as_deref())
            .or_else(|| available().next_back())
            .unwrap_or(Backend::Portable)
    }

    /// Whether this machine has it.
    pub fn is_available(self) -> bool {
        match self {
            Backend::Portable => true,
            Backend::Avx2 => avx2::is_available(),
        }
    }

    /// The word for people and for `PAIDIA_BACKEND`.
    pub fn name(self) -> &'static str {
        match self {
            Backend::Portable => "portable",
            Backend::Avx2 => "avx2",
        }
    }
}

/// A part of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    Evaluate,
    Goals,
    Advance,
}

/// How many bits a rank may have: moves have 32-bit numbers.
const RANK_BITS: usize = 32;

/// The contents of all slots for a few blocks at once.
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    words: Vec<Word>,
    width: usize,
}

impl Memory {
    /// All slots of a program, false, for 1, 2 or 4 blocks.
    pub(crate) fn new(program: &Program, width: usize) -> Self {
        Self {
            words: vec![Word::NONE; program.slots as usize * width],
            width,
        }
    }

    /// What a slot holds for a block.
    #[inline]
    pub(crate) fn word(&self, slot: u32, block: usize) -> Word {
        self.words[slot as usize * self.width + block]
    }

    /// What a signal is for a block.
    #[inline]
    pub(crate) fn signal(&self, signal: Signal, block: usize) -> Word {
        self.word(signal.slot, block)
            .inverted_if(signal.is_inverted)
    }

    /// Sets the fluents of a block's lanes to those of a state, bit by number; words that are missing are zero.
    pub(crate) fn load(&mut self, block: usize, fluents: u32, state: &[u64], lanes: Word) {
        let words = self.words.iter_mut().skip(block).step_by(self.width);
        for (fluent, word) in words.take(fluents as usize).enumerate() {
            let part = state.get(fluent / 64).copied().unwrap_or(0);
            let kept = word.and_not(lanes);
            let holds = part >> (fluent % 64) & 1 == 1;
            *word = if holds { kept | lanes } else { kept };
        }
    }

    /// What a slot holds for a block, to change.
    #[inline]
    pub(crate) fn word_mut(&mut self, slot: u32, block: usize) -> &mut Word {
        &mut self.words[slot as usize * self.width + block]
    }
}

/// A program made ready to run.
#[derive(Clone, Debug)]
pub(crate) struct Machine {
    program: Arc<Program>,
    backend: Backend,
    evaluate: Runs,
    goals: Runs,
    advance: Runs,
}

impl Machine {
    pub(crate) fn new(program: Arc<Program>, backend: Backend) -> Self {
        Self {
            backend,
            evaluate: Runs::new(&program.evaluate),
            goals: Runs::new(&program.goals),
            advance: Runs::new(&program.advance),
            program,
        }
    }

    pub(crate) fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// Runs a part on all blocks of the memory, which must have been made for the same program.
    pub(crate) fn run(&self, phase: Phase, memory: &mut Memory) {
        let runs = match phase {
            Phase::Evaluate => &self.evaluate,
            Phase::Goals => &self.goals,
            Phase::Advance => &self.advance,
        };
        match memory.width {
            1 => self.run_wide::<1>(runs, &mut memory.words),
            2 => self.run_wide::<2>(runs, &mut memory.words),
            _ => self.run_wide::<4>(runs, &mut memory.words),
        }
    }

    fn run_wide<const WIDTH: usize>(&self, runs: &Runs, words: &mut [Word]) {
        let (slots, _) = words.as_chunks_mut::<WIDTH>();
        match self.backend {
            Backend::Portable => runs.run(slots),
            Backend::Avx2 => avx2::run(runs, slots),
        }
    }

    /// Draws the ranks of all choosers in the given lanes of a block.
    pub(crate) fn draw(&self, memory: &mut Memory, block: usize, lanes: Word, stream: &mut Stream) {
        let mut numbers = [[Word::NONE; RANK_BITS]; 3];
        for chooser in &self.program.choosers {
            let bits = chooser.last.len().min(RANK_BITS);
            let [last, mask, rank] = numbers.each_mut().map(|number| &mut number[..bits]);
            for bit in 0..bits {
                last[bit] = memory.signal(chooser.last[bit], block);
                mask[bit] = memory.signal(chooser.mask[bit], block);
            }
            match self.backend {
                Backend::Portable => draw(stream, lanes, last, mask, rank),
                Backend::Avx2 => avx2::draw(stream, lanes, last, mask, rank),
            }
            for (slot, &word) in (chooser.rank..).zip(&*rank) {
                *memory.word_mut(slot, block) = word;
            }
        }
    }
}
