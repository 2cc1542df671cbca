//! Where play starts: the options `--after` and `--from`.

use anyhow::Context;
use paidia_arena::engine::at_once;
use paidia_arena::rules::Ruleset;
use paidia_game::{Chance, Game, Legible, Walker, follow, read_state};

/// The options that choose the state to start in.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct Start {
    /// Start after these moves: `(mark 2 2) (mark 1 1)`, or joint moves such as `((mark 2 2) noop)`
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    after: Option<String>,

    /// Start where exactly these facts hold: `(cell 1 1 x) (control o)`; `@FILE` reads them from a
    /// file
    #[arg(long, value_name = "STATE", allow_hyphen_values = true)]
    from: Option<String>,
}

impl Start {
    /// Whether play starts elsewhere than at the beginning.
    pub(crate) fn is_given(&self) -> bool {
        self.after.is_some() || self.from.is_some()
    }

    /// Refuses a start that makes no sense, by the engine that is there at once: choosing and
    /// making another can take long.
    pub(crate) fn check(&self, rules: &Ruleset) -> anyhow::Result<()> {
        if self.is_given() {
            self.state(&at_once(rules)?)?;
        }
        Ok(())
    }

    /// The state to start in: `--from` first, and the moves of `--after` made from there.
    pub(crate) fn state<G: Game + Legible>(&self, game: &G) -> anyhow::Result<G::State> {
        let mut state = self.base(game)?;
        if let Some(moves) = &self.after {
            let mut walker = game.walker();
            walker.jump(&state);
            // The moves of `random` are given like all others, so nothing is left to chance.
            follow(game, &mut walker, moves, &mut Chance::from_seed(0)).context("in --after")?;
            walker.save(&mut state);
        }
        Ok(state)
    }

    /// The state before the last joint move of `--after`, and that move, if there is one.
    pub(crate) fn last<G: Game + Legible>(
        &self,
        game: &G,
    ) -> anyhow::Result<Option<(G::State, Vec<String>)>> {
        let mut state = self.base(game)?;
        let Some(moves) = &self.after else {
            return Ok(None);
        };
        let (mut walker, mut chance) = (game.walker(), Chance::from_seed(0));
        walker.jump(&state);
        let made = follow(game, &mut walker, moves, &mut chance).context("in --after")?;
        let Some((last, before)) = made.split_last() else {
            return Ok(None);
        };
        walker.jump(&state);
        before
            .iter()
            .for_each(|joint| walker.advance(joint, &mut chance));
        walker.save(&mut state);
        let names = last.iter().map(|&id| game.moves().name(id).to_string());
        Ok(Some((state, names.collect())))
    }

    /// The state that `--from` describes, or the first one.
    fn base<G: Game + Legible>(&self, game: &G) -> anyhow::Result<G::State> {
        let Some(text) = &self.from else {
            return Ok(game.initial());
        };
        let text = match text.strip_prefix('@') {
            Some(path) => {
                std::fs::read_to_string(path).with_context(|| format!("cannot read {path}"))?
            }
            None => text.clone(),
        };
        read_state(game, &text).context("in --from")
    }
}
