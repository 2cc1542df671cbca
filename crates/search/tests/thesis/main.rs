//! What the CADIA-Player thesis (Hilmar Finnsson, 2007) says about rules, keys of states, the tree and the choice of moves, as tests.

mod counting;
mod keys;
mod memory;
mod rules;
mod selection;
mod tree;

use paidia_gdl::program::Program;
use paidia_gdl::{Dialect, Source, syntax};
use paidia_reason::Reference;
use paidia_reason::propnet::{Propnet, ground_game};

fn program(name: &str, rules: &str) -> Program {
    let reading = syntax::read(&Source::new(name, rules));
    Program::new(&reading.sheet, Dialect::detect(&reading.sheet)).unwrap()
}

/// Rules with the fast engine.
fn network_of(name: &str, rules: &str) -> Propnet {
    Propnet::new(ground_game(name, &program(name, rules), Default::default()).unwrap())
}

/// A bundled game with the fast engine.
fn network(name: &str) -> Propnet {
    network_of(name, paidia_library::find(name).unwrap().rules)
}

/// A bundled game with the simple engine.
fn reference(name: &str) -> Reference {
    let bundled = paidia_library::find(name).unwrap();
    Reference::new(name, &program(name, bundled.rules)).unwrap()
}
