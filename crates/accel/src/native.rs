//! Whether machine code can be made here, and compiled rules with it.
//!
//! Machine code is made on x86-64, where the system lets a process execute what it has written.
//! Elsewhere, under Miri, and in a build with `--cfg paidia_portable`, every engine runs without it
//! and gives the same results. Other processors must be told of new code in their instruction
//! caches, and Apple's wants memory that is mapped for this purpose; neither is done here, so
//! machine code is off on them.

use paidia_reason::Compiled;
use paidia_reason::timed::Timed;

use crate::kernel::Backend;

/// Whether rules and batches run as machine code, and if not, why: `on`, or `off, because ...`.
pub fn native_in_words() -> String {
    let batches = match Backend::chosen() {
        Ok(backend) if backend.is_native() => None,
        Ok(backend) if backend == Backend::fastest() => Backend::Native.why_off(),
        Ok(backend) => Some(format!("PAIDIA_BACKEND is `{}`", backend.name())),
        Err(error) => Some(error.to_string()),
    };
    match (why_off(), batches) {
        (Some(because), _) => format!("off, because {because}"),
        (None, Some(because)) => format!("off for batches, because {because}"),
        (None, None) => "on".to_owned(),
    }
}

/// Why no machine code is made here; `None` where it is made.
pub fn why_off() -> Option<String> {
    use std::env::consts::ARCH;
    if cfg!(miri) {
        Some("Miri does not run machine code".to_owned())
    } else if cfg!(paidia_portable) {
        Some("this is a portable build (--cfg paidia_portable)".to_owned())
    } else if !cfg!(target_arch = "x86_64") {
        Some(format!("it is made for x86-64, and this is {ARCH}"))
    } else {
        refusal()
    }
}

/// The engine with its rules as machine code where some can be made; else the engine as it was.
#[must_use]
pub fn native(engine: Compiled) -> Compiled {
    #[cfg(all(target_arch = "x86_64", not(paidia_portable), not(miri)))]
    return crate::compiled::native(engine);
    #[cfg(not(all(target_arch = "x86_64", not(paidia_portable), not(miri))))]
    return engine.translated(|_| paidia_reason::compiled::Translation {
        runner: None,
        interpreted: why_off(),
    });
}

/// The engine for real time with its rules as machine code, as [`native`] does it.
#[must_use]
pub fn native_in_time(engine: Timed) -> Timed {
    #[cfg(all(target_arch = "x86_64", not(paidia_portable), not(miri)))]
    return engine.translated(crate::compiled::translation);
    #[cfg(not(all(target_arch = "x86_64", not(paidia_portable), not(miri))))]
    return engine;
}

/// Whether compiled rules run as machine code, and if not, why: `on`, `off, because ...`, or `on,
/// but ...` where some of them do not.
pub fn rules_in_words(engine: &Compiled) -> String {
    match (engine.is_translated(), engine.why_interpreted()) {
        (true, None) => "on".to_owned(),
        (true, Some(but)) => format!("on, but {but}"),
        (false, Some(because)) => format!("off, because {because}"),
        (false, None) => "off, because it was not asked for".to_owned(),
    }
}

/// How the system refuses to execute what was written, if it does.
#[cfg(all(target_arch = "x86_64", not(paidia_portable), not(miri)))]
fn refusal() -> Option<String> {
    let page = memmap2::MmapMut::map_anon(1).and_then(memmap2::MmapMut::make_exec);
    let error = page.err()?;
    Some(format!("the system refuses executable memory: {error}"))
}

#[cfg(not(all(target_arch = "x86_64", not(paidia_portable), not(miri))))]
fn refusal() -> Option<String> {
    None
}
