//! The program as machine code, made when it is loaded.
//!
//! What is unsafe here is to call it: the code must be right, and the memory that it is given large
//! enough. [`translate()`] only makes instructions that read and write words of slots, and the
//! slots of a program are all below their number.
#![allow(unsafe_code)]

mod draw;
mod encode;
mod translate;

pub(super) use encode::Vector;

use std::sync::Arc;

use memmap2::{Mmap, MmapMut};

use crate::program::{Draw, Part, Program, STREAM_SLOTS, Section};
use crate::word::Word;
use translate::translate;

/// A part as machine code.
#[derive(Clone, Debug)]
pub(super) struct Native {
    code: Arc<Mmap>,
    /// How many words the code reads and writes, from the first.
    words: usize,
}

impl Native {
    /// The code of a part.
    ///
    /// # Errors
    /// Why there is none: this machine cannot run it or does not let us make it, or the program is
    /// none that code is made for.
    pub(super) fn new(program: &Program, part: &Part, vector: Vector) -> Result<Self, String> {
        if !vector.is_available() {
            return Err("the processor does not have its instructions".to_owned());
        }
        if !uses_own_slots(program, part) {
            return Err("the program names slots that it does not have".to_owned());
        }
        let bytes = translate(part, program.slots, vector)?;
        let refused = |error| format!("the system refuses executable memory: {error}");
        let mut code = MmapMut::map_anon(bytes.len()).map_err(refused)?;
        code.copy_from_slice(&bytes);
        Ok(Self {
            code: Arc::new(code.make_exec().map_err(refused)?),
            words: program.slots as usize * vector.words(),
        })
    }

    /// Runs the part on the slots of as many blocks as a register holds words.
    pub(super) fn run(&self, memory: &mut [Word]) {
        assert!(memory.len() >= self.words, "memory for all slots");
        // SAFETY: the bytes are a function with this signature: they were made by `translate` for a
        // processor that was found to be right, and end with a return. They write no registers but
        // vectors, masks, flags and such general ones as belong to the function that is called, and
        // no memory but slots of the program, which are the first `words` of `memory`, whose
        // address is aligned as `Word` is.
        unsafe {
            let function: extern "sysv64" fn(*mut Word) = std::mem::transmute(self.code.as_ptr());
            function(memory.as_mut_ptr());
        }
    }
}

impl Vector {
    /// Whether the processor has these instructions.
    pub(super) fn is_available(self) -> bool {
        match self {
            Vector::Avx2 => std::arch::is_x86_feature_detected!("avx2"),
            Vector::Half | Vector::Full => {
                std::arch::is_x86_feature_detected!("avx512f")
                    && std::arch::is_x86_feature_detected!("avx512vl")
            }
        }
    }
}

/// Whether all slots of a part are slots of its program, as they are in every program that was
/// compiled.
fn uses_own_slots(program: &Program, part: &Part) -> bool {
    let operations = part.sections.iter().flat_map(Section::operations);
    let cleared = part.sections.iter().flat_map(Section::cleared);
    let draws = part.sections.iter().filter_map(|section| match section {
        Section::Draw(draw) => Some(draw),
        Section::Straight(_) | Section::Loop { .. } => None,
    });
    operations
        .flat_map(|operation| [[operation.target; 3], operation.operands].concat())
        .chain(cleared.copied())
        .chain(draws.flat_map(slots_of))
        .all(|slot| slot < program.slots)
}

/// All slots that a section reads or writes which draws.
fn slots_of(draw: &Draw) -> impl Iterator<Item = u32> {
    let digits = draw.digits.iter();
    let digits = digits.flat_map(|digit| [digit.last.slot, digit.mask.slot, digit.rank]);
    let stream = (0..STREAM_SLOTS).map(|number| draw.stream.saturating_add(number));
    digits.chain(stream).chain([draw.lanes.slot])
}
