//! The engine that plays a network, one state at a time.
//!
//! `layout` gives every gate a bit in a word, `signals` passes on what changes, `recursion` looks after parts that depend on
//! themselves, `tape` evaluates what is needed seldom. `docs/methods/propnet.md` tells how they work together and what was
//! measured.

mod circuit;
mod layout;
mod lists;
mod order;
mod packing;
mod planes;
mod profile;
mod recursion;
mod signals;
mod state;
mod tape;
mod tiers;
mod walker;
mod wiring;

use std::sync::Arc;

use paidia_game::{
    Game, GameFacts, Legible, MoveTable, NameId, PerceptId, PerceptTable, UnknownFluent,
};

use super::network::Network;
use super::{GroundGame, passes};
use circuit::Circuit;
use profile::Profile;
pub use state::State;
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

/// The moves and percepts of a role.
struct Role {
    /// The ids of the moves that the role can ever make, in order.
    moves: Vec<u32>,
    /// For each id of a move, its place among these.
    places: Vec<u32>,
    /// What the role can be told, in order.
    percepts: Vec<PerceptId>,
}

/// Not a place among a role's moves.
const NO_MOVE: u32 = u32::MAX;

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
        let roles = (0..facts.roles.len()).map(|role| Role::new(&network, role, moves.len()));
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

impl Role {
    fn new(network: &Network, role: usize, all_moves: usize) -> Self {
        let moves: Vec<u32> = network.legal[role].iter().map(|&(id, _)| id).collect();
        let mut places = vec![NO_MOVE; all_moves];
        for (&id, place) in moves.iter().zip(0..) {
            places[id as usize] = place;
        }
        let percepts = network.percepts.get(role).into_iter().flatten();
        Self {
            moves,
            places,
            percepts: percepts.map(|&(id, _)| PerceptId::from_index(id)).collect(),
        }
    }
}

impl Game for Propnet {
    type State = State;
    type Walker = PropnetWalker;

    fn facts(&self) -> &GameFacts {
        &self.rules.facts
    }

    fn moves(&self) -> &MoveTable {
        &self.rules.moves
    }

    fn percepts(&self) -> &PerceptTable {
        &self.rules.percepts
    }

    fn initial(&self) -> State {
        self.rules.initial.clone()
    }

    fn walker(&self) -> PropnetWalker {
        PropnetWalker::new(Arc::clone(&self.rules))
    }
}

impl Legible for Propnet {
    fn fluents(&self, state: &State) -> Vec<String> {
        state
            .iter()
            .map(|fluent| self.rules.fluents[fluent].clone())
            .collect()
    }

    fn state(&self, fluents: &[&str]) -> Result<State, UnknownFluent> {
        let mut state = State::empty(self.rules.fluents.len());
        for &text in fluents {
            let known = &self.rules.fluents;
            let found = known.binary_search_by_key(&text, String::as_str);
            let fluent = found.map_err(|_| UnknownFluent {
                text: text.to_owned(),
                because: "no play of these rules makes it true".to_owned(),
            })?;
            state.insert(fluent);
        }
        Ok(state)
    }
}
