//! Games on which many matches are played.

use anyhow::bail;
use paidia_arena::Playable;
use paidia_arena::contest::{Board, Table};

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
    let rules = &text.source.text;
    let loaded = engine.load(text)?;
    let table: Box<dyn Table> = match loaded.machine {
        Machine::Reference(game) => Box::new(Board::new(Playable::new(game)).with_rules(rules)),
        Machine::Propnet(playable) => Box::new(Board::new(playable).with_rules(rules)),
        Machine::Batch(_) => {
            bail!("the batch engine plays whole playouts only; use --engine propnet")
        }
    };
    Ok((table, loaded.report.engine))
}
