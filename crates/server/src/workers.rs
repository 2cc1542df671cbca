//! Playouts from the leaves of a search, made by other machines.
//!
//! A [`Worker`] waits for masters. A master is a search whose [`Workers`] were put between it and its own source of playouts: leaves go
//! wherever there is room, and what comes out of them comes back later, in any order. Nothing is lost with a worker: one that dies, falls
//! silent or talks nonsense is given up, what it had not answered is played by the master itself, and now and then somebody
//! looks whether it is back.
//!
//! `wire` is how messages are written, `token` how both sides prove that they know the same secret, `rules` what they must agree on,
//! `session` what a worker does for one master, `link` a master's way to one worker. `docs/methods/remote-workers.md` tells the protocol.

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
