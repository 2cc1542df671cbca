//! The language as other crates use it: reading, checking, explaining, programs.
//!
//! One program for all of them: `cargo test -p paidia-gdl --test all FILTER`.

mod explanations;
mod flaws;
mod fuzz;
mod listings;
mod messages;
mod program;
mod scale;
mod soup;
mod syntax;
