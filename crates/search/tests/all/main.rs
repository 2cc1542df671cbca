//! Searches and players on known games, on positions with known answers, and on made-up games.
//!
//! One program for all of them: `cargo test -p paidia-search --test all FILTER`.

mod advice;
mod alphabeta;
mod crew;
mod exact;
mod nested;
mod players;
mod policies;
mod puzzles;
mod thesis;
