//! Games as networks of gates.
//!
//! [`network`] is what such a network is; `build` makes it from ground rules.

pub mod network;

use paidia_game::{GameFacts, MoveTable, PerceptTable};

pub use network::{Network, Node, Region, Wire};

/// A game whose rules have become a network, with the names of everything in it.
#[derive(Clone, Debug)]
pub struct GroundGame {
    /// What is known about the game.
    pub facts: GameFacts,
    /// All moves, numbered in the byte order of their texts.
    pub moves: MoveTable,
    /// All percepts, likewise.
    pub percepts: PerceptTable,
    /// The texts of all fluents in byte order; fluent numbers are places in this list.
    pub fluents: Vec<String>,
    /// The rules.
    pub network: Network,
}
