//! What other programs and browsers are told, and what happens to what they send.
//!
//! One program for all of them: `cargo test -p paidia-server --test all FILTER`.

mod database;
mod host;
mod messages;
mod player;
mod realtime;
mod web;
