//! The crate from outside: small games written in Rust, and everything that is promised about any
//! game.

mod any;
mod checking;
mod games;
mod lines;
mod perft;
mod play;
mod simulate;
mod solve;
