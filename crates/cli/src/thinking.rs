//! How long players think: the options that say so.

use std::time::Duration;

use paidia_search::Budget;

use crate::engine::seconds;

/// How long a player may think about a move.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Thinking {
    /// Seconds a move; one if nothing else is said
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
        }
    }
}
