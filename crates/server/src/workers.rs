//! Playouts from the leaves of a search, made by other machines.
//!
//! A [`Worker`] waits for masters. A master is a search with [`Workers`] between it and its own
//! source of playouts: leaves go wherever there is room, and their values come back later, in any
//! order. No leaf is lost with a worker: the master gives up a worker that dies, falls silent or
//! sends nonsense, plays its open leaves itself, and tries now and then to reconnect.
//!
//! `wire` has the format of messages, `token` the proof that both sides know the same secret,
//! `rules` what both sides must agree on, `session` a worker's part of a connection, `link` a
//! master's. `docs/methods/remote-workers.md` describes the protocol.

mod link;
mod master;
mod rules;
mod session;
mod token;
mod wire;
mod worker;

#[cfg(test)]
mod tests;

pub use master::{WorkerReport, Workers};
pub use rules::RemoteRules;
pub use token::{BadToken, Token};
pub use wire::Trouble;
pub use worker::Worker;
