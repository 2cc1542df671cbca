//! Engines on games, for studies that compare them: ours, and SWI-Prolog from outside.

mod swi;

use paidia_arena::engine::{BadEngine, EngineSpec};
use paidia_arena::study::comparison::{self, Contender};
use paidia_gdl::prolog::StateForm;

use crate::engine::EngineChoice;
use crate::rules::GameText;

/// The engine that is written so, ready on a bundled game; `choice` says how networks are made. `swipl` and `swipl(state=list)` are
/// SWI-Prolog, where it is installed.
///
/// # Errors
/// Tells, in a line, why it cannot be: there is no such engine or game, or the engine cannot run it.
pub(crate) fn contender(
    choice: &EngineChoice,
    game: &str,
    engine: &str,
) -> Result<Box<dyn Contender>, String> {
    let text = GameText::find(game).map_err(|error| format!("{error:#}"))?;
    let outside = match engine {
        "swipl" | "swipl(state=asserted)" => Some(StateForm::Asserted),
        "swipl(state=list)" => Some(StateForm::List),
        _ => None,
    };
    if let Some(form) = outside {
        return Ok(Box::new(swi::Swi::new(&text, form)?));
    }
    let engine: EngineSpec = engine
        .parse()
        .map_err(|error: BadEngine| error.to_string())?;
    let choice = EngineChoice {
        engine,
        ..choice.clone()
    };
    let loaded = choice.load(&text).map_err(|error| format!("{error:#}"))?;
    Ok(comparison::contender(&loaded.machine))
}
