//! Games on which many matches are played.

use anyhow::bail;
use paidia_arena::Playable;
use paidia_arena::contest::{Board, Table};
use paidia_game::Legible;
use paidia_server::ggp::host::elsewhere;

use crate::engine::{EngineChoice, Machine};
use crate::rules::GameText;

/// Where a game is played, by its bundled name or by the path of its rules.
pub(crate) fn table(engine: &EngineChoice, game: &str) -> anyhow::Result<Box<dyn Table>> {
    let (table, _) = table_of(engine, &GameText::find(game)?)?;
    Ok(table)
}

/// Where a game is played, and the name of the engine that was taken.
pub(crate) fn table_of(
    engine: &EngineChoice,
    text: &GameText,
) -> anyhow::Result<(Box<dyn Table>, &'static str)> {
    let loaded = engine.load(text)?;
    let table = match loaded.machine {
        Machine::Reference(game) => board(Playable::new(game), text)?,
        Machine::Compiled(game) => board(Playable::new(game), text)?,
        Machine::Propnet(playable) => board(playable, text)?,
        Machine::Batch(_) => {
            bail!("the batch engine plays whole playouts only; use --engine propnet")
        }
    };
    Ok((table, loaded.report.engine))
}

/// A game on its engine, open to players elsewhere.
fn board<G: Legible>(playable: Playable<G>, text: &GameText) -> anyhow::Result<Box<dyn Table>> {
    let elsewhere = elsewhere(&playable.game, &text.check()?.sheet);
    let board = Board::new(playable).with_rules(&text.source.text);
    Ok(Box::new(board.with_elsewhere(elsewhere)))
}
