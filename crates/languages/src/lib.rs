//! Languages for games outside the GDL family, a folder each, from text to a game with diagnostics.
//!
//! [`board`] is Simplified Boardgames: chess-like games whose pieces move by regular expressions.
//! [`cards`] is CGDL: card games with hands, tables and bets.
//! [`metagame`] is the language of symmetric chess-like games, [`toss`] that of rewriting
//! structures; both are played by their translations to GDL.
//!
//! Nothing here knows about files, search or how states are drawn.

pub mod board;
pub mod cards;
mod clauses;
pub mod metagame;
pub mod toss;
