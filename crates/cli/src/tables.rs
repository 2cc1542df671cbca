//! Games on which many matches are played.

use paidia_arena::Playable;
use paidia_arena::contest::{Board, Table};
use paidia_arena::engine::{EngineReport, OnGame};
use paidia_arena::rules::Ruleset;
use paidia_game::{Game, Legible};
use paidia_server::ggp::host::elsewhere;

use crate::engine::EngineChoice;

/// Where a game is played, by its bundled name or by the path of its rules.
pub(crate) fn table(engine: &EngineChoice, game: &str) -> anyhow::Result<Box<dyn Table>> {
    let (table, _) = table_of(engine, &Ruleset::find(game)?)?;
    Ok(table)
}

/// Where a game is played, and the engine that was taken.
pub(crate) fn table_of(
    engine: &EngineChoice,
    rules: &Ruleset,
) -> anyhow::Result<(Box<dyn Table>, String)> {
    let loaded = engine.load_walking(rules)?;
    let engine = &loaded.report;
    let table = loaded.run(Boarding { rules, engine })??;
    Ok((table, loaded.report.engine))
}

/// A game on its engine, open to players elsewhere.
struct Boarding<'a> {
    rules: &'a Ruleset,
    engine: &'a EngineReport,
}

impl OnGame for Boarding<'_> {
    type Output = anyhow::Result<Box<dyn Table>>;

    fn run<G: Game + Legible>(self, playable: &Playable<G>) -> Self::Output {
        let elsewhere = elsewhere(&playable.game, &self.rules.gdl()?.sheet);
        let board = Board::new(playable.clone()).with_rules(&self.rules.source().text);
        let board = board.with_engine(self.engine.note());
        Ok(Box::new(board.with_elsewhere(elsewhere)))
    }
}
