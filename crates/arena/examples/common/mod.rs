//! What all check programs share: networks and players.

mod ground;

use paidia_arena::{Playable, PlayerSpec};
use paidia_game::RoleId;
use paidia_reason::propnet::Propnet;
use paidia_search::Informed;

/// The network of some rules, if they have one.
pub(crate) fn network(name: &str, rules: &str) -> Option<Playable<Propnet>> {
    ground::ground(name, rules).map(Playable::ground)
}

/// The search of a player by its spec.
///
/// # Panics
/// If the spec names no player; the message on the command line says why.
pub(crate) fn search(
    spec: &PlayerSpec,
    game: &Playable<Propnet>,
    role: RoleId,
    seed: u64,
) -> Box<dyn Informed<Propnet>> {
    game.search(spec, role, seed)
        .unwrap_or_else(|bad| panic!("{bad}"))
}
