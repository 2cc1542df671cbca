//! The suites of the crate.

mod bundled;
mod naive;
mod recorded;
