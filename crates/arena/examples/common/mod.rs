//! What all check programs share: networks and players.

use paidia_arena::{Playable, PlayerSpec, make};
use paidia_game::RoleId;
use paidia_gdl::grounding::Budget;
use paidia_gdl::program::Program;
use paidia_gdl::{Dialect, Source, syntax};
use paidia_reason::propnet::{Propnet, ground_game};
use paidia_search::Player;

/// The network of some rules, if they have one.
pub(crate) fn network(name: &str, rules: &str) -> Option<Playable<Propnet>> {
    let reading = syntax::read(&Source::new(name, rules));
    let program = Program::new(&reading.sheet, Dialect::detect(&reading.sheet)).ok()?;
    let game = ground_game(name, &program, Budget::default()).ok()?;
    Some(Playable::ground(game))
}

/// A player by its spec.
///
/// # Panics
/// If the spec names no player; whoever asked on the command line reads why.
pub(crate) fn player(
    spec: &PlayerSpec,
    game: &Playable<Propnet>,
    role: RoleId,
    seed: u64,
) -> Box<dyn Player<Propnet>> {
    make(spec, game, role, seed).unwrap_or_else(|bad| panic!("{bad}"))
}
