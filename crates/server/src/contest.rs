//! Games set up for contests: by their rules, on the engine they were loaded on.

use paidia_arena::Playable;
use paidia_arena::contest::{ContestGame, EngineContest};
use paidia_arena::engine::{EngineError, Loaded, OnGame};
use paidia_arena::realtime::TimedContest;
use paidia_arena::rules::Ruleset;
use paidia_game::{Game, Legible};
use paidia_reason::timed::Timed;

use crate::ggp::host::{elsewhere, elsewhere_in_time};

/// Where contests of a game are played. With `remote`, players at addresses may take part, as far
/// as the rules are in the language of their protocol.
///
/// # Errors
/// If the engine only knows whole playouts.
pub fn contest_table(
    rules: &Ruleset,
    loaded: &Loaded,
    remote: bool,
) -> Result<Box<dyn ContestGame>, EngineError> {
    loaded.run(SetUp {
        rules,
        loaded,
        remote,
    })
}

/// Where contests of a game in real time are played; players at addresses may take part.
///
/// # Errors
/// If the rules are in another language.
pub fn timed_contest_table(
    rules: &Ruleset,
    game: Timed,
) -> Result<Box<dyn ContestGame>, paidia_arena::rules::RulesError> {
    let elsewhere = elsewhere_in_time(rules, &game)?;
    let table = TimedContest::new(game, &rules.source().text);
    Ok(Box::new(table.with_elsewhere(elsewhere)))
}

struct SetUp<'a> {
    rules: &'a Ruleset,
    loaded: &'a Loaded,
    remote: bool,
}

impl OnGame for SetUp<'_> {
    type Output = Box<dyn ContestGame>;

    fn run<G: Game + Legible>(self, playable: &Playable<G>) -> Box<dyn ContestGame> {
        let board = EngineContest::new(playable.clone()).with_rules(&self.rules.source().text);
        let board = board.with_engine(self.loaded.report.note());
        match self.rules {
            Ruleset::Gdl(rules) if self.remote => {
                Box::new(board.with_elsewhere(elsewhere(&playable.game, &rules.sheet)))
            }
            _ => Box::new(board),
        }
    }
}
