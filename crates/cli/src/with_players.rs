//! Commands in which players play: the rules are loaded on an engine, and the command is run with
//! the code that is compiled for it.

use std::io::Write;

use paidia_arena::Playable;
use paidia_arena::engine::{EngineReport, Machine, OnGame};
use paidia_arena::rules::Ruleset;
use paidia_game::{Game, Legible};

use crate::Verdict;
use crate::engine::EngineChoice;
use crate::remote::{Helpers, RemoteOptions};

/// A game with everything that players make use of.
pub(crate) struct LoadedGame<'a, G: Game> {
    /// The rules, and what is known about them.
    pub(crate) rules: &'a Ruleset,
    pub(crate) playable: &'a Playable<G>,
    /// The workers elsewhere.
    pub(crate) helpers: &'a Helpers,
    /// Which engine it is.
    pub(crate) engine: &'a EngineReport,
}

/// A command in which players play; it is compiled for every engine they can play on.
pub(crate) trait WithPlayers {
    /// Does the work.
    fn run_on<G: Game + Legible>(
        &self,
        out: &mut dyn Write,
        loaded: &LoadedGame<'_, G>,
    ) -> anyhow::Result<Verdict>;
}

/// Loads a game with its workers and runs a command on it.
pub(crate) fn run_with_players(
    command: &impl WithPlayers,
    out: &mut dyn Write,
    rules: &Ruleset,
    engine: &EngineChoice,
    remote: &RemoteOptions,
) -> anyhow::Result<Verdict> {
    let loaded = engine.load_walking(rules)?;
    if let Machine::Propnet(playable) = &loaded.machine {
        let joined = remote.join(rules, playable)?;
        let game = LoadedGame {
            rules,
            playable: &joined.playable,
            helpers: &joined.helpers,
            engine: &loaded.report,
        };
        return command.run_on(out, &game);
    }
    remote.do_without();
    loaded.run(Alone {
        command,
        out,
        rules,
        engine: &loaded.report,
    })?
}

/// A command on a game without playouts in batches.
struct Alone<'a, C> {
    command: &'a C,
    out: &'a mut dyn Write,
    rules: &'a Ruleset,
    engine: &'a EngineReport,
}

impl<C: WithPlayers> OnGame for Alone<'_, C> {
    type Output = anyhow::Result<Verdict>;

    fn run<G: Game + Legible>(self, playable: &Playable<G>) -> anyhow::Result<Verdict> {
        let game = LoadedGame {
            rules: self.rules,
            playable,
            helpers: &Helpers::default(),
            engine: self.engine,
        };
        self.command.run_on(self.out, &game)
    }
}
