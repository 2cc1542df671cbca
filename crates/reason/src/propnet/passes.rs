//! Making networks smaller. Every pass keeps the meaning of all outputs; each can be left out and looked at by itself.

mod factor;
mod one_of;
mod rebuild;

use super::network::Network;

/// A rewriting of networks.
pub struct Pass {
    /// The name by which people refer to it.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub what: &'static str,
    /// Rewrites a network.
    pub run: fn(&Network) -> Network,
}

/// All passes in the order in which they run.
pub const PASSES: &[Pass] = &[
    Pass {
        name: "flatten",
        what: "merges gates into the only gate that uses them",
        run: rebuild::flatten,
    },
    Pass {
        name: "one-of",
        what: "uses that every role makes exactly one move",
        run: one_of::one_of,
    },
    Pass {
        name: "factor",
        what: "takes common inputs out of alternatives",
        run: factor::factor,
    },
    Pass {
        name: "one-of-again",
        what: "the same once more, where factoring made wide gates",
        run: one_of::one_of,
    },
    Pass {
        name: "flatten-again",
        what: "merges what the other passes left apart",
        run: rebuild::flatten,
    },
    Pass {
        name: "drop-dead",
        what: "drops gates that nobody reads",
        run: rebuild::drop_dead,
    },
];
