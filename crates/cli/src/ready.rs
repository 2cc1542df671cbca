//! A game that is ready for players, on whichever engine: the one place where commands that play come to their engine.

use std::io::Write;

use anyhow::bail;
use paidia_arena::Playable;
use paidia_game::{Game, Legible};

use crate::Verdict;
use crate::engine::{EngineChoice, EngineReport, Machine};
use crate::remote::{Helpers, RemoteOptions};
use crate::rules::GameText;

/// A game with everything that players make use of.
pub(crate) struct Ready<'a, G: Game> {
    /// The rules, and what is known about them.
    pub(crate) text: &'a GameText,
    pub(crate) playable: &'a Playable<G>,
    /// The workers elsewhere.
    pub(crate) helpers: &'a Helpers,
    /// Which engine it is.
    pub(crate) engine: &'a EngineReport,
}

/// A command in which players play; it is compiled for every engine they can play on.
pub(crate) trait WithPlayers {
    /// Does the work.
    fn run_on<G: Legible>(
        &self,
        out: &mut dyn Write,
        ready: &Ready<'_, G>,
    ) -> anyhow::Result<Verdict>;
}

/// Loads a game with its workers and runs a command on it.
pub(crate) fn run_with_players(
    command: &impl WithPlayers,
    out: &mut dyn Write,
    text: &GameText,
    engine: &EngineChoice,
    remote: &RemoteOptions,
) -> anyhow::Result<Verdict> {
    let loaded = engine.load(text)?;
    let engine = &loaded.report;
    match &loaded.machine {
        Machine::Reference(game) => {
            remote.do_without();
            run_alone(command, out, text, game, engine)
        }
        Machine::Compiled(game) => {
            remote.do_without();
            run_alone(command, out, text, game, engine)
        }
        Machine::Propnet(playable) => {
            let joined = remote.join(text, playable)?;
            let ready = Ready {
                text,
                playable: &joined.playable,
                helpers: &joined.helpers,
                engine,
            };
            command.run_on(out, &ready)
        }
        Machine::Batch(_) => {
            bail!("the batch engine plays whole playouts only; use --engine propnet")
        }
    }
}

/// Runs a command on a game for which nobody makes playouts in batches.
fn run_alone<G: Legible>(
    command: &impl WithPlayers,
    out: &mut dyn Write,
    text: &GameText,
    game: &G,
    engine: &EngineReport,
) -> anyhow::Result<Verdict> {
    let ready = Ready {
        text,
        playable: &Playable::new(game.clone()),
        helpers: &Helpers::default(),
        engine,
    };
    command.run_on(out, &ready)
}
