//! Networks of rules, for all check programs.

use paidia_gdl::grounding::Budget;
use paidia_gdl::program::Program;
use paidia_gdl::{Dialect, Source, syntax};
use paidia_reason::propnet::{GroundGame, ground_game};

/// The rules as a network, if they have one.
pub(crate) fn ground(name: &str, rules: &str) -> Option<GroundGame> {
    let reading = syntax::read(&Source::new(name, rules));
    let program = Program::new(&reading.sheet, Dialect::detect(&reading.sheet)).ok()?;
    ground_game(name, &program, Budget::default()).ok()
}
