//! Work that takes long: without the interpreter's lock, with progress, and ended by Ctrl-C.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use pyo3::prelude::*;

/// How often Python looks whether Ctrl-C was pressed, and is told of progress.
const INTERVAL: Duration = Duration::from_millis(50);

/// What work looks at and reports to while it runs.
#[derive(Default)]
pub(crate) struct Watched {
    /// Set when the work should come to its end.
    pub(crate) stop: std::sync::Arc<AtomicBool>,
    /// How far it is, in whatever it counts.
    pub(crate) done: AtomicU64,
}

/// Runs work on a thread of its own and calls `progress`, if there is one, with how far it is.
///
/// # Errors
/// `KeyboardInterrupt` and whatever `progress` raises, once the work has ended.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Watched) -> T + Send,
) -> PyResult<T> {
    let progress = progress.map(|call| call.clone().unbind());
    let watched = Watched::default();
    let (sender, receiver) = mpsc::channel();
    let (watched, progress) = (&watched, &progress);
    py.detach(move || {
        std::thread::scope(|scope| {
            scope.spawn(move || {
                // Nothing waits for the result any more only if this thread is being joined.
                let _ = sender.send(work(watched));
            });
            let mut raised = None;
            let result = loop {
                match receiver.recv_timeout(INTERVAL) {
                    Ok(result) => break Some(result),
                    Err(mpsc::RecvTimeoutError::Disconnected) => break None,
                    Err(mpsc::RecvTimeoutError::Timeout) if raised.is_none() => {
                        raised = Python::attach(|py| look(py, progress.as_ref(), watched)).err();
                        watched.stop.store(raised.is_some(), Ordering::Relaxed);
                    }
                    Err(mpsc::RecvTimeoutError::Timeout) => {}
                }
            };
            match (raised, result) {
                (Some(error), _) => Err(error),
                (None, Some(result)) => Ok(result),
                (None, None) => Err(crate::errors::of("the work ended without a result")),
            }
        })
    })
}

fn look(py: Python<'_>, progress: Option<&Py<PyAny>>, watched: &Watched) -> PyResult<()> {
    py.check_signals()?;
    if let Some(progress) = progress {
        progress.call1(py, (watched.done.load(Ordering::Relaxed),))?;
    }
    Ok(())
}
