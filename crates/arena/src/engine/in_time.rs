//! Engines for rules in real time.

use paidia_game::Reading;
use paidia_reason::timed::{Core, Timed};

use super::{Engine, EngineError, EngineSpec};
use crate::rules::Ruleset;

/// Makes rules in real time a game: `auto` and `compiled` run them as machine code where that is
/// made, `reference` slowly. The reading is that of the sheet if none is given.
///
/// # Errors
/// If the rules are in turns, the engine plays in turns alone, or it cannot run the rules.
pub fn load_in_time(
    spec: &EngineSpec,
    rules: &Ruleset,
    reading: Option<Reading>,
) -> Result<Timed, EngineError> {
    let gdl = match rules {
        Ruleset::Gdl(gdl) if rules.is_real_time() => gdl,
        _ => return Err(EngineError::NotInTime),
    };
    let core = match spec.engine() {
        Engine::Auto | Engine::Compiled => Core::Compiled,
        Engine::Reference => Core::Reference,
        _ => return Err(EngineError::InTurns(spec.entry().name)),
    };
    let game = Timed::new(gdl.name(), &gdl.program, core, reading)?;
    Ok(match core {
        Core::Compiled if !spec.settings().not_native => paidia_accel::native_in_time(game),
        _ => game,
    })
}
