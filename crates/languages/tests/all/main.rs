//! Everything that is tested through the public interface of this crate.

mod automata;
mod cards;
mod conformance;
mod data;
mod perft;
mod plays;
mod reader;
mod translated;
mod translation;
