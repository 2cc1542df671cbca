//! The engine that plays a network, one state at a time.
//!
//! `layout` gives every gate a bit in a word, `signals` passes on what changes, `recursion` looks
//! after parts that depend on themselves, `tape` evaluates what is needed seldom.
//! `docs/methods/propnet.md` tells how they work together and what was measured. `layered` is
//! another engine for the same networks, of several threads.

mod circuit;
mod layered;
mod layout;
mod order;
mod packing;
mod planes;
mod profile;
mod recursion;
mod signals;
mod tape;
mod tiers;
mod walker;
mod wiring;

use std::sync::Arc;

use paidia_game::{GameFacts, MoveTable, PerceptTable};

use super::network::Network;
use super::{GroundGame, passes};
pub use crate::bits::State;
use crate::ground::Role;
use circuit::Circuit;
pub use layered::{Layered, LayeredWalker, NoLayers};
use profile::Profile;
pub use walker::PropnetWalker;

/// A game played by its network.
#[derive(Clone)]
pub struct Propnet {
    rules: Arc<Rules>,
}

/// What all walkers of a game share.
struct Rules {
    facts: GameFacts,
    moves: MoveTable,
    percepts: PerceptTable,
    /// The texts of all fluents, in order.
    fluents: Vec<String>,
    circuit: Circuit,
    roles: Vec<Role>,
    initial: State,
}

impl Propnet {
    /// The engine for a game whose rules have become a network.
    pub fn new(game: GroundGame) -> Self {
        let GroundGame {
            facts,
            moves,
            percepts,
            fluents,
            network,
        } = game;
        let network = passes::with_fewer_changes(&network);
        let mut initial = State::empty(fluents.len());
        for (fluent, _) in network
            .initial
            .iter()
            .enumerate()
            .filter(|(_, holds)| **holds)
        {
            initial.insert(fluent);
        }
        let roles = (0..facts.roles.len()).map(|role| role_of(&network, role, moves.len()));
        let (circuit, sources) = layout::lay_out(&network, &Profile::default());
        let mut rules = Arc::new(Rules {
            roles: roles.collect(),
            circuit,
            initial,
            facts,
            moves,
            percepts,
            fluents,
        });
        // Played a little, the network is connected anew in the way that suits what changes often.
        let profile = Profile::watch(&rules, &sources);
        let (circuit, _) = layout::lay_out(&network, &profile);
        if let Some(rules) = Arc::get_mut(&mut rules) {
            rules.circuit = circuit;
        }
        Self { rules }
    }

    /// The texts of all fluents in byte order; fluent numbers are places in this list.
    pub fn fluent_names(&self) -> &[String] {
        &self.rules.fluents
    }
}

crate::handle::ground_game!(Propnet, PropnetWalker);

fn role_of(network: &Network, role: usize, all_moves: usize) -> Role {
    let moves = network.legal[role].iter().map(|&(id, _)| id).collect();
    let percepts = network.percepts.get(role).into_iter().flatten();
    Role::new(moves, percepts.map(|&(id, _)| id), all_moves)
}
