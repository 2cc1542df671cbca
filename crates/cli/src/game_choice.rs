//! The game of a command, and which level of it where a game has levels.

use clap::Args;
use paidia_arena::rules::{RulesError, Ruleset};

/// A game, and perhaps a level.
#[derive(Args)]
pub(crate) struct GameChoice {
    /// A bundled game or a rule file
    game: String,

    /// With a video game: the level, by its number from 0, or a file with its rows
    #[arg(long, value_name = "LEVEL")]
    level: Option<String>,
}

impl GameChoice {
    /// The game as the front door takes it.
    pub(crate) fn name(&self) -> String {
        match &self.level {
            Some(level) => format!("{}@{level}", self.game),
            None => self.game.clone(),
        }
    }

    /// Finds and checks the game.
    pub(crate) fn find(&self) -> Result<Ruleset, RulesError> {
        Ruleset::find(&self.name())
    }
}
