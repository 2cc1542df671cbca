//! A language server for rules of games: editors start it, send it what is typed, and show what it
//! answers.
//!
//! It speaks the Language Server Protocol on standard input and output. [`serve`] holds the open
//! documents and answers one message after the other. What a text's names are, and where they
//! stand, is found by `names`; problems, explanations and the normal form come from the front
//! door for rules, so that an editor says what `paidia check` says.
//!
//! GDL in both notations has everything. Other languages have problems and formatting, and
//! definitions and renaming by words.

mod completion;
mod documents;
mod hover;
mod names;
mod places;
mod problems;
mod renaming;
mod server;

pub use server::{ServeError, serve, serve_stdio};
