//! The suites of this crate as one program.

mod replay;
