//! Everything that is tested through the public interface of this crate.

mod automata;
mod conformance;
mod data;
mod perft;
mod plays;
mod reader;
mod translation;
