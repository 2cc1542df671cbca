//! What the rules of a game imply: which roles are idle when, which fluents stay as they are, which
//! goals are kept or lost for good, which parts of the game have nothing to do with each other, and
//! which moves are as good as one.
//!
//! All of it is read off the network of a game's rules. What follows from the rules is
//! [`Certainty::Proven`] for all states that play can reach; what was only seen in some random play
//! is [`Certainty::Guessed`]. Whatever is not found need not be absent: every search here is sound
//! and none is complete. `docs/methods/knowledge.md` tells how each works.

mod assume;
mod factors;
mod goals;
mod persistence;
mod turns;
mod twins;

use crate::propnet::GroundGame;

pub use factors::{Factor, Factors};
pub use goals::{GoalFacts, RoleGoals};
pub use persistence::Persistence;
pub use turns::Turns;
pub use twins::Twins;

/// How sure something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Certainty {
    /// It follows from the rules.
    Proven,
    /// Random play never showed the contrary.
    Guessed,
}

impl Certainty {
    /// The word for people and for JSON.
    pub fn name(self) -> &'static str {
        match self {
            Certainty::Proven => "proven",
            Certainty::Guessed => "guessed",
        }
    }
}

/// How much finding things out may cost.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Wires looked at.
    pub steps: u64,
}

impl Default for Budget {
    fn default() -> Self {
        Self { steps: 50_000_000 }
    }
}

/// What the rules of a game prove.
#[derive(Clone, Debug)]
pub struct Knowledge {
    /// Which roles are idle when, if the rules prove that roles take turns.
    pub turns: Option<Turns>,
    /// Fluents that stay as they are.
    pub persistence: Persistence,
    /// For each role, what becomes of its goals.
    pub goals: Vec<RoleGoals>,
    /// Parts that have nothing to do with each other.
    pub factors: Factors,
    /// Moves that do the same.
    pub twins: Twins,
}

impl Knowledge {
    /// What the rules prove within a budget. The network should be one to which all passes were
    /// applied: they bring out what moves have in common.
    pub fn new(game: &GroundGame, budget: Budget) -> Self {
        let network = &game.network;
        let persistence = Persistence::new(network, budget);
        Self {
            turns: Turns::prove(network),
            goals: goals::of_roles(network, &persistence),
            factors: Factors::new(network),
            twins: Twins::new(network),
            persistence,
        }
    }
}
