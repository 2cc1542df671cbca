//! One game between players of the catalogue: how it is set up, how it is played, what came out.
//!
//! Studies and tournaments are lists of [`Setup`]s. A [`ContestGame`] plays one; the [`Outcome`]
//! depends on nothing but the setup, unless players think by the clock.

mod choose;
mod judge;
mod outcome;
mod play;
mod setup;

pub use choose::{BadPlace, Chosen, Place};
pub use outcome::{Ending, Outcome, PlayerResult};
pub use play::{ContestGame, ContestGames, Elsewhere, EngineContest, Invitation};
pub use setup::{Contestant, Opening, Setup, StartClock, Thinking};
pub(crate) use setup::{game_seed, hash, part_seed};
