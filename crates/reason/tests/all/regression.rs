//! Action heuristics: the published formula and values, and that they are one step of lookahead,
//! over the bundled games.
//!
//! `PAIDIA_STATES=N` looks at N states of each bundled game, and at games with larger rules than
//! otherwise.

mod games;
mod published;

use paidia_gdl::grounding::Budget;
use paidia_reason::propnet::{GroundGame, LoadNetworkError, ground_game_with};
use paidia_testkit::RuleSheet;

/// The network of rules as they are written: no pass has changed its form.
fn as_written(name: &str, rules: &str, budget: Budget) -> Result<GroundGame, LoadNetworkError> {
    let program = RuleSheet::new(name, rules).program();
    ground_game_with(name, &program, budget, |_| false).map(|(game, _)| game)
}
