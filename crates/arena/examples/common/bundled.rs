//! Bundled games by name, for the check programs that are about one game.

use paidia_arena::Playable;
use paidia_reason::propnet::Propnet;

use crate::common::network;

/// A bundled game with the engine that the program takes for it.
///
/// # Panics
/// If there is no such game, or it has no network: the games of the checks have one.
pub(crate) fn load(name: &str) -> Playable<Propnet> {
    let bundled = paidia_library::find(name).expect("the game is bundled");
    network(name, bundled.rules).expect("the game has a network")
}
