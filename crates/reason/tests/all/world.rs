//! The engines against what the world knows: counts and lengths of games.
//!
//! `PAIDIA_FULL=1` runs everything to its full depth, which takes minutes.

mod endless;
mod flat;
mod known;
mod play;
mod scrambled;

use paidia_game::{AnyGame, Perft, Rules, perft};
use paidia_gdl::grounding::Budget;
use paidia_gdl::program::Program;
use paidia_reason::propnet::{Propnet, ground_game};
use paidia_reason::{Compiled, Forward, Reference};

/// An engine as a function from rules to a game.
type Engine = fn(&str, &Program) -> AnyGame;

/// All engines with their names.
const ENGINES: [(&str, Engine); 4] = [
    ("reference", reference),
    ("forward", forward),
    ("compiled", compiled),
    ("propnet", propnet),
];

fn reference(name: &str, program: &Program) -> AnyGame {
    AnyGame::new(Reference::new(name, program).unwrap())
}

fn forward(name: &str, program: &Program) -> AnyGame {
    AnyGame::new(Forward::new(name, program).unwrap())
}

fn compiled(name: &str, program: &Program) -> AnyGame {
    AnyGame::new(Compiled::new(name, program).unwrap())
}

fn propnet(name: &str, program: &Program) -> AnyGame {
    AnyGame::new(Propnet::new(
        ground_game(name, program, Budget::default()).unwrap(),
    ))
}

/// The counts of a game from its start.
fn count(game: &AnyGame, depth: u32, state_limit: usize) -> Perft {
    perft(game, &game.initial(), depth, state_limit)
}
