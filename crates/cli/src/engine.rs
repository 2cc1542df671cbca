//! The engines by name: the one place where rules become a game.

use std::time::{Duration, Instant};

use clap::ValueEnum;
use paidia_game::AnyGame;
use paidia_reason::Reference;

use crate::rules::GameText;

/// An engine that can be asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Engine {
    /// Derives from the rules what holds, in every state anew. The simplest one; all others are compared with it.
    #[default]
    Reference,
}

impl Engine {
    /// The name on the command line and in reports.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Engine::Reference => "reference",
        }
    }

    /// Checks the rules and loads them.
    pub(crate) fn load(self, text: &GameText) -> anyhow::Result<Loaded> {
        let started = Instant::now();
        let rules = text.check()?;
        let game = match self {
            Engine::Reference => AnyGame::new(Reference::new(&text.name, rules.program)?),
        };
        Ok(Loaded {
            game,
            load_time: started.elapsed(),
        })
    }
}

/// A game that is ready to play.
pub(crate) struct Loaded {
    /// The game.
    pub(crate) game: AnyGame,
    /// How long reading, checking and loading took.
    pub(crate) load_time: Duration,
}

/// The options that every command with an engine has.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct EngineChoice {
    /// The engine that works out what the rules say
    #[arg(long, value_enum, default_value_t, value_name = "ENGINE")]
    pub(crate) engine: Engine,
}
