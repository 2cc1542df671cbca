//! One random match in real time, shown.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use paidia_arena::Guest;
use paidia_arena::realtime::{TimedMatch, USUAL_REACTION, play};
use paidia_arena::rules::Ruleset;
use paidia_game::{Rules, Ticks};
use paidia_reason::timed::Timed;

use super::stage::{Showing, TimedStage};
use crate::{Verdict, terminal};

/// Shows a match between random players.
pub(crate) fn show(
    out: &mut dyn Write,
    rules: &Ruleset,
    game: &Timed,
    until: Ticks,
    seed: u64,
) -> anyhow::Result<Verdict> {
    let stage = TimedStage::new(rules, game, terminal::colour_on_stdout());
    stage.write_title(out, rules)?;
    let guests: Vec<_> = game
        .facts()
        .players()
        .map(|_| (Guest::InTime("random".to_owned()), None))
        .collect();
    let stop = Arc::new(AtomicBool::new(false));
    let settings = TimedMatch {
        id: "shown",
        pace: None,
        until,
        reaction: Ticks::from_units(USUAL_REACTION),
        seed,
        stop: &stop,
        elsewhere: None,
    };
    let mut showing = Showing {
        stage: &stage,
        out,
        last: Default::default(),
        failed: None,
    };
    let (outcome, _) = play(game, &guests, &settings, &mut showing)?;
    if let Some(failed) = showing.failed {
        return Err(failed);
    }
    writeln!(out, "{}", stage.ending(&outcome))?;
    Ok(outcome.is_over.into())
}
