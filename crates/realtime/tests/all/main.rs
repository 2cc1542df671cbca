//! The suites of the crate.

mod naive;
mod recorded;
