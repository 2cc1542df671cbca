//! Machines that run a [`Program`].
//!
//! [`interpret`] is the program as data, gone through by plain code, which is compiled once for any
//! processor and once for those with AVX2 ([`wide`]). [`native`] is the program as machine code.
//! All do the same to every bit.

mod backend;
mod interpret;
mod memory;
#[cfg(all(target_arch = "x86_64", not(paidia_portable), not(miri)))]
mod native;
#[cfg(not(all(target_arch = "x86_64", not(paidia_portable), not(miri))))]
#[path = "kernel/native_off.rs"]
mod native;
mod wide;

use std::sync::Arc;

use crate::choose::draw::{Digit, draw};
use crate::program::{Part, Program};
use crate::random::Stream;
use crate::word::Word;
use interpret::{RunAll, Runs};
use native::{Native, Vector};
use wide::{Work, wide};

pub use backend::{Backend, BackendError};
pub(crate) use memory::Memory;

impl Backend {
    /// Does some work with the instructions that this backend may use.
    fn run(self, work: impl Work) {
        match self {
            Backend::Portable => work.work(),
            _ => wide(work),
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

/// A program made ready to run.
#[derive(Clone, Debug)]
pub(crate) struct Machine {
    program: Arc<Program>,
    backend: Backend,
    evaluate: Prepared,
    goals: Prepared,
    advance: Prepared,
}

/// A part of a program made ready to run.
#[derive(Clone, Debug)]
enum Prepared {
    Runs(Runs),
    Native(Native),
}

impl Prepared {
    fn new(program: &Program, part: &Part, vector: Option<Vector>) -> Self {
        match vector.and_then(|vector| Native::new(program, part, vector)) {
            Some(native) => Prepared::Native(native),
            None => Prepared::Runs(Runs::new(part)),
        }
    }
}

impl Machine {
    /// For that many blocks at once.
    pub(crate) fn new(program: Arc<Program>, backend: Backend, width: usize) -> Self {
        let prepare = |part| Prepared::new(&program, part, backend.vector(width));
        Self {
            evaluate: prepare(&program.evaluate),
            goals: prepare(&program.goals),
            advance: prepare(&program.advance),
            backend,
            program,
        }
    }

    pub(crate) fn program(&self) -> &Arc<Program> {
        &self.program
    }

    pub(crate) fn backend(&self) -> Backend {
        self.backend
    }

    /// Runs a part on all blocks of the memory, which must have been made for the same program.
    pub(crate) fn run(&self, phase: Phase, memory: &mut Memory) {
        let prepared = match phase {
            Phase::Evaluate => &self.evaluate,
            Phase::Goals => &self.goals,
            Phase::Advance => &self.advance,
        };
        match prepared {
            Prepared::Native(native) => native.run(memory.words_mut()),
            Prepared::Runs(runs) => {
                let width = memory.width;
                let words = memory.words_mut();
                match width {
                    1 => self.backend.run(RunAll::<1>(runs, words)),
                    2 => self.backend.run(RunAll::<2>(runs, words)),
                    _ => self.backend.run(RunAll::<4>(runs, words)),
                }
            }
        }
    }

    /// Chooses the moves of the given lanes of a block: draws the ranks of all choosers.
    pub(crate) fn choose(&self, memory: &mut Memory, block: usize, lanes: Word) {
        let mut digits = std::mem::take(&mut memory.digits);
        for chooser in &self.program.choosers {
            digits.clear();
            digits.extend(
                chooser
                    .last
                    .iter()
                    .zip(&chooser.mask)
                    .map(|(&last, &mask)| Digit {
                        last: memory.signal(last, block),
                        mask: memory.signal(mask, block),
                        rank: Word::NONE,
                    }),
            );
            self.backend.run(Draw {
                stream: &mut memory.streams[block],
                lanes,
                digits: &mut digits,
            });
            for (slot, digit) in (chooser.rank..).zip(&digits) {
                *memory.word_mut(slot, block) = digit.rank;
            }
        }
        memory.digits = digits;
    }
}

/// See [`Machine::choose`].
struct Draw<'a> {
    stream: &'a mut Stream,
    lanes: Word,
    digits: &'a mut [Digit],
}

impl Work for Draw<'_> {
    #[inline(always)]
    fn work(self) {
        draw(self.stream, self.lanes, self.digits);
    }
}
