//! The Game Description Language and its relatives: reading, printing, checking and analysing rule
//! sheets.
//!
//! The way through this crate is the way of a rule sheet: [`source`] text is read by [`syntax`]
//! into clauses, [`check`] finds what is wrong with them, [`program`] turns them into rules over
//! typed relations, and [`analysis`] finds out what every engine wants to know about those.
//! Problems of all stages are [`problem::Problem`]s, which [`render`] shows to people.
//!
//! Nothing here knows about files, moves being made or search.

pub mod analysis;
pub mod check;
pub mod datalog;
pub mod dialect;
pub mod graph;
pub mod grounding;
pub mod keyword;
pub mod problem;
pub mod program;
pub mod prolog;
pub mod render;
pub mod source;
pub mod symbol;
pub mod syntax;

pub use dialect::Dialect;
pub use problem::{Code, OtherCode, Problem, Severity};
pub use source::{Source, Span};
pub use symbol::{Symbol, Symbols};
