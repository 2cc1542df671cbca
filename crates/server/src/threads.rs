//! What threads of this crate have in common.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// As much as the main thread has, so that rules that can be read there can be read here.
pub(crate) const STACK_BYTES: usize = 8 << 20;

/// Locks. A poisoned lock is used all the same: no holder leaves the contents inconsistent when it
/// panics.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
