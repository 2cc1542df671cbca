//! Studies: published experiments, repeated.
//!
//! An [`Experiment`] is data (`studies/NAME.toml`): which players meet on which game with how much thinking (its cells), how many games
//! a cell has at each scale, what the paper found, and what it claims. A [`Plan`] is the list of games to play, each with a seed of
//! its own; [`run`] plays those that are missing from the [`Ledger`], the file to which every finished game is appended; a
//! [`Summary`] is what came out, beside what the paper has, as text, Markdown, CSV, SVG or JSON.
//!
//! A game's seed depends on the study's seed, its cell and its number, on nothing else. So results depend neither on the order of play
//! nor on how many games are played at a time, a run that was killed goes on where it was, and a larger scale begins with
//! the games of the smaller one.
//!
//! In games of two, somebody may meet the champion of some candidates, which is found first, by successive [`halving`].
//!
//! Studies of other kinds have engines instead of players, [`comparison`], single positions instead of games, [`quiz`], or no games at all, [`bandits`].

pub mod bandits;
mod bundled;
mod claims;
pub mod comparison;
mod error;
mod experiment;
pub mod halving;
mod ledger;
mod measure;
mod plan;
pub mod quiz;
mod report;
mod run;

pub use bundled::{BundledStudy, Study, all, find};
pub use claims::{Claim, Finding, Judgement, Part, Test};
pub use error::StudyError;
pub use experiment::{Cell, Experiment, Paper, Rates, Scale, ScaleData, Selector};
pub use ledger::{Ledger, RecordFile, RunNote};
pub use measure::Measure;
pub use plan::Plan;
pub use report::{CellResult, Heading, RateResult, RatioResult, Summary, summarise};
pub use run::run;

pub use crate::contest::{
    Board, Contestant, Ending, Outcome, Seat, Setup, Table, Tables, Thinking,
};
pub use crate::statistics::{Estimate, Interval, Tally};
