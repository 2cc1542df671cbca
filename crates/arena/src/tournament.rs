//! Tournaments: round robins on every game, in every role.
//!
//! A [`Tournament`] is data, read from TOML. Its [`Plan`] is the list of matches, each with a seed
//! of its own that depends on nothing but the tournament's seed, the game, the seating, and the
//! round. [`run`] plays what a [`WorkList`](crate::store::WorkList) says is still to be played; it
//! may be killed at any time, and the next run goes on; others may play from the same list.
//! [`summarise`] makes a [`Summary`] of what came out: points, pairings with their significance,
//! and [`ratings`] over all games, as text, CSV, Markdown or an HTML page.

mod plan;
pub mod ratings;
mod report;
mod run;
mod seats;
mod setting;
pub mod sprt;
mod summary;

pub use plan::Plan;
pub use run::{RunOptions, run};
pub use seats::SeatingPlan;
pub use setting::{Amount, Entrant, OwnThinking, Tournament, TournamentError};
pub use summary::{GameResult, Pairing, Standing, Summary, summarise};
