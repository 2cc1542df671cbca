//! The suites of the crate.

mod bundled;
mod chance;
mod conversion;
mod examples;
mod hostile;
mod naive;
mod protocol;
mod recorded;
mod stage;
