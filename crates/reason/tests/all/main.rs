//! Engines and what they prove, on known games, on made-up ones, and beside each other.
//!
//! One program for all of them: `cargo test -p paidia-reason --test all FILTER`.

mod allocation;
mod explain;
mod forward;
mod incremental;
mod knowledge;
mod propnet;
mod prover;
mod regression;
mod small_boards;
mod world;
