//! Searching for solutions of puzzles.

mod colliding;
mod player;
mod ways;

use paidia_gdl::program::Program;
use paidia_gdl::{Dialect, Source, syntax};
use paidia_reason::Reference;
use paidia_reason::propnet::{Propnet, ground_game};

/// Bytes that searches may take here.
const MEMORY: usize = 1 << 28;

fn program(name: &str) -> Program {
    let bundled = paidia_library::find(name).unwrap();
    let reading = syntax::read(&Source::new(name, bundled.rules));
    Program::new(&reading.sheet, Dialect::detect(&reading.sheet)).unwrap()
}

/// A bundled game with the fast engine.
fn network(name: &str) -> Propnet {
    Propnet::new(ground_game(name, &program(name), Default::default()).unwrap())
}

/// A bundled game with the simple engine.
fn reference(name: &str) -> Reference {
    Reference::new(name, &program(name)).unwrap()
}
