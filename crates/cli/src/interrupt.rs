//! Ctrl-C where something must be brought to an end first.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;

/// A flag that the first Ctrl-C sets; the second ends the program at once. Can be asked for once.
pub(crate) fn on_interrupt(note: &'static str) -> anyhow::Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&flag);
    let handler = move || {
        if set.swap(true, Ordering::Relaxed) {
            // As shells have it for a program that a signal ended.
            std::process::exit(130);
        }
        eprintln!("note: {note}; Ctrl-C again stops at once");
    };
    ctrlc::set_handler(handler).context("cannot look out for Ctrl-C")?;
    Ok(flag)
}
