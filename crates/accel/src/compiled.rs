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
use paidia_reason::compiled::Translation;
use paidia_reason::compiled::code::Code;

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
    engine.translated(translation)
}

/// The machine code of compiled rules, as far as there is any, and why there is not more.
pub(crate) fn translation(code: &Code) -> Translation {
    match translate(code) {
        Ok((native, interpreted)) => Translation {
            runner: Some(Box::new(native)),
            interpreted,
        },
        Err(because) => Translation {
            runner: None,
            interpreted: Some(because),
        },
    }
}

/// The machine code of all segments that are not too long, and why others have none.
///
/// # Errors
/// Why there is no code at all.
fn translate(code: &Code) -> Result<(Native, Option<String>), String> {
    let (words, registers) = (code.bits.len(), code.registers);
    if words > MOST_WORDS || registers > MOST_REGISTERS {
        return Err(format!(
            "the rules have {words} words of bits and {registers} registers, and machine code \
             reaches {MOST_WORDS} and {MOST_REGISTERS}"
        ));
    }
    let isa = this_machine().ok_or("no code is made for this processor")?;
    let data = Arc::new(run::Data::new(code));
    let mut native = Native::new(Arc::clone(&data), code);
    let mut left = MOST_INSTRUCTIONS;
    let segments = code.segments.iter().map(|segment| (segment.entry, STACK));
    let calls = code
        .call_entries
        .iter()
        .map(|&entry| (entry, STACK_OF_CALL));
    let (mut parts, mut long, mut refused) = (0, 0, 0);
    for (entry, stack) in segments.chain(calls) {
        let translator = Translator::new(code, &data, entry);
        let size = translator.size();
        parts += 1;
        if size > left.min(MOST_AT_ONCE) {
            long += 1;
        } else if let Some(bytes) = translator.translate(&*isa, stack) {
            left -= size;
            native.add(entry, &bytes);
        } else {
            refused += 1;
        }
    }
    let interpreted = why_interpreted(parts, long, refused);
    if long + refused == parts {
        return Err(interpreted.unwrap_or_else(|| "the rules have no code to translate".to_owned()));
    }
    Ok((native.finish()?, interpreted))
}

/// Why parts are not translated, of which some are too long and others take too much of the stack.
fn why_interpreted(parts: usize, long: usize, refused: usize) -> Option<String> {
    let long = (long > 0).then(|| {
        format!(
            "{long} of {parts} parts of the rules are too long (a part may have {MOST_AT_ONCE} \
             instructions, all together {MOST_INSTRUCTIONS})"
        )
    });
    let refused = (refused > 0)
        .then(|| format!("{refused} of {parts} parts of the rules take too much of the stack"));
    let both = [long, refused].into_iter().flatten().collect::<Vec<_>>();
    (!both.is_empty()).then(|| both.join("; "))
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
