//! Rules, engines, matches, tournaments, records and studies as the program uses them.
//!
//! One program for all of them: `cargo test -p paidia-arena --test all FILTER`.

mod advice;
mod contract;
mod engines;
mod matches;
mod records;
mod rules;
mod secrets;
mod stuck;
mod studies;
mod tournaments;
mod video;
