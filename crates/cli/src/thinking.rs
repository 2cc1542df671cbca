//! How long players think: the options that say so.

use std::time::Duration;

use paidia_arena::rules::{Language, Ruleset};
use paidia_search::Budget;

use crate::engine::seconds;

/// How long a player may think about a move.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Thinking {
    /// Seconds a move; one if nothing else is said, and 0.04 in video games
    #[arg(long, value_name = "S", value_parser = seconds)]
    seconds: Option<f64>,

    /// Simulations a move; with a seed, such a match can be repeated exactly
    #[arg(long, value_name = "N", conflicts_with = "seconds")]
    simulations: Option<u64>,

    /// States a move, in the tree and in playouts
    #[arg(long, value_name = "N", conflicts_with_all = ["seconds", "simulations"])]
    states: Option<u64>,
}

impl Thinking {
    /// Whether anything was said.
    pub(crate) fn is_given(&self) -> bool {
        self.seconds.is_some() || self.simulations.is_some() || self.states.is_some()
    }

    /// The budget of one move.
    pub(crate) fn budget(&self) -> Budget {
        let limited = self.simulations.is_some() || self.states.is_some();
        let seconds = self.seconds.or((!limited).then_some(1.0));
        Budget {
            time: seconds.map(Duration::from_secs_f64),
            simulations: self.simulations,
            states: self.states,
            ..Budget::default()
        }
    }
    /// The budget of one move of a game with these rules.
    pub(crate) fn budget_in(&self, rules: &Ruleset) -> Budget {
        match (self.is_given(), rules.text().language) {
            (false, Language::Video) => Budget::time(TICK),
            _ => self.budget(),
        }
    }
}

/// What a decision in a video game has if nothing is said: a tick at 25 a second.
const TICK: Duration = Duration::from_millis(40);
/// How many decisions' budgets players of video games have before the first one: the second that
/// their competitions give.
const BEFORE: u32 = 25;

/// The budget before the first move.
pub(crate) fn before_first(rules: &Ruleset, budget: Budget) -> Budget {
    match rules.text().language {
        Language::Video => Budget {
            time: budget.time.map(|time| time * BEFORE),
            simulations: budget
                .simulations
                .map(|number| number.saturating_mul(BEFORE.into())),
            states: budget
                .states
                .map(|number| number.saturating_mul(BEFORE.into())),
            ..budget
        },
        _ => budget,
    }
}
