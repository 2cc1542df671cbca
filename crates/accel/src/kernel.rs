//! Devices that run a [`Program`].
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

use crate::program::Program;
use interpret::{RunAll, Runs};
use native::Native;
pub(crate) use wide::Work;
use wide::wide;

pub use backend::{Backend, BackendError};
pub(crate) use memory::Memory;

impl Backend {
    /// Does some work with the instructions that this backend may use.
    pub(crate) fn run(self, work: impl Work) {
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
    Draw,
    Advance,
}

/// A program made ready to run.
#[derive(Clone, Debug)]
pub(crate) struct Device {
    program: Arc<Program>,
    backend: Backend,
    evaluate: Prepared,
    goals: Prepared,
    draw: Prepared,
    advance: Prepared,
    refusal: Option<String>,
}

/// A part of a program made ready to run.
#[derive(Clone, Debug)]
enum Prepared {
    Runs(Runs),
    Native(Native),
}

impl Device {
    /// For that many blocks at once.
    pub(crate) fn new(program: Arc<Program>, backend: Backend, width: usize) -> Self {
        let vector = backend.vector(width);
        let mut refusal = None;
        let mut prepare = |part| match vector.map(|vector| Native::new(&program, part, vector)) {
            Some(Ok(native)) => Prepared::Native(native),
            Some(Err(because)) => {
                refusal = Some(because);
                Prepared::Runs(Runs::new(part))
            }
            None => Prepared::Runs(Runs::new(part)),
        };
        Self {
            evaluate: prepare(&program.evaluate),
            goals: prepare(&program.goals),
            draw: prepare(&program.draw),
            advance: prepare(&program.advance),
            refusal,
            backend,
            program,
        }
    }

    /// Why the program, or a part of it, is interpreted although the backend makes machine code;
    /// `None` if all of it is machine code, or the backend makes none.
    pub(crate) fn refusal(&self) -> Option<&str> {
        self.refusal.as_deref()
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
            Phase::Draw => &self.draw,
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
}
