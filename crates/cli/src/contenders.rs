//! Engines on games, for studies that compare them.

use paidia_arena::engine::{BadEngine, EngineSpec};
use paidia_arena::study::comparison::{self, Contender};

use crate::engine::EngineChoice;
use crate::rules::GameText;

/// The engine that is written so, ready on a bundled game; `choice` says how networks are made.
///
/// # Errors
/// Tells, in a line, why it cannot be: there is no such engine or game, or the engine cannot run it.
pub(crate) fn contender(
    choice: &EngineChoice,
    game: &str,
    engine: &str,
) -> Result<Box<dyn Contender>, String> {
    let engine: EngineSpec = engine
        .parse()
        .map_err(|error: BadEngine| error.to_string())?;
    let choice = EngineChoice {
        engine,
        ..choice.clone()
    };
    let text = GameText::find(game).map_err(|error| format!("{error:#}"))?;
    let loaded = choice.load(&text).map_err(|error| format!("{error:#}"))?;
    Ok(comparison::contender(&loaded.machine))
}
