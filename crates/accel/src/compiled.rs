//! Compiled rules as machine code: the list of instructions that [`paidia_reason::compiled`] makes,
//! translated by Cranelift when a game is loaded.
//!
//! Parts of the code that are too long stay with the engine's own interpreter. `translate` makes
//! the code of a segment, `places` what values count in it, and `run` calls it.

mod places;
mod run;
mod translate;

use std::sync::Arc;

use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_codegen::settings::{self, Configurable};
use paidia_reason::Compiled;
use paidia_reason::compiled::code::Code;
use paidia_reason::compiled::machine::Runner;

use run::Native;
use translate::Translator;

/// The most instructions that are translated for one game: some seconds of work.
const MOST_INSTRUCTIONS: usize = 40_000;

/// The most instructions of one function: registers are given out in more than linear time.
const MOST_AT_ONCE: usize = 12_000;

/// The most words of bits, and registers of rules: their distance in bytes is a number of 32 bits
/// with a sign.
const MOST_WORDS: usize = i32::MAX as usize / 8;
const MOST_REGISTERS: usize = i32::MAX as usize / 4;

/// The most bytes of the stack that a segment may take.
const STACK: u32 = 64 << 10;

/// The same for the rules of a call, of which hundreds can be within each other.
const STACK_OF_CALL: u32 = 512;

/// The engine with its rules as machine code.
pub(crate) fn native(engine: Compiled) -> Compiled {
    engine.translated(|code| Some(Box::new(translate(code)?) as Box<dyn Runner>))
}

/// The machine code of all segments that are not too long; `None` if there is none.
fn translate(code: &Code) -> Option<Native> {
    if code.bits.len() > MOST_WORDS || code.registers > MOST_REGISTERS {
        return None;
    }
    let isa = this_machine()?;
    let data = Arc::new(run::Data::new(code));
    let mut native = Native::new(Arc::clone(&data), code);
    let mut left = MOST_INSTRUCTIONS;
    let segments = code.segments.iter().map(|segment| (segment.entry, STACK));
    let calls = code
        .call_entries
        .iter()
        .map(|&entry| (entry, STACK_OF_CALL));
    for (entry, stack) in segments.chain(calls) {
        let translator = Translator::new(code, &data, entry);
        let size = translator.size();
        if size <= left.min(MOST_AT_ONCE)
            && let Some(bytes) = translator.translate(&*isa, stack)
        {
            left -= size;
            native.add(entry, &bytes);
        }
    }
    native.finish()
}

/// Cranelift's knowledge of this machine; `None` if it makes no code for it.
fn this_machine() -> Option<OwnedTargetIsa> {
    let mut flags = settings::builder();
    for (name, value) in [
        ("opt_level", "speed"),
        ("enable_verifier", "true"),
        // Segments may take more of the stack than the page that guards its end.
        ("enable_probestack", "true"),
        ("probestack_strategy", "inline"),
        ("unwind_info", "false"),
    ] {
        flags.set(name, value).ok()?;
    }
    let builder = cranelift_native::builder().ok()?;
    builder.finish(settings::Flags::new(flags)).ok()
}
