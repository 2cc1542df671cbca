//! The suites of the crate.

mod recorded;
