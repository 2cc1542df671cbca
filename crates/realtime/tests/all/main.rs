//! The suites of the crate.

mod bundled;
mod hostile;
mod naive;
mod recorded;
