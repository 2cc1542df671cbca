//! Pictures of bundled games, of the public collection, and of rules made to be hard to draw.
//!
//! One program for all of them: `cargo test -p paidia-picture --test all FILTER`.

mod bundled;
mod common;
mod corpus;
mod hostile;
