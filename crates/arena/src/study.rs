//! Studies: published experiments, repeated.
//!
//! A study is data (`studies/NAME.toml`): cells, each with a number of trials at each scale, what
//! the paper found, and what it claims. The [`kernel`] makes the trials that are missing from the
//! [`Ledger`], the file to which every finished trial is appended, and turns what came out into a
//! [`Report`], beside what the paper has. A trial's seed depends on the study's seed, its cell and
//! its number, on nothing else. So results depend neither on the order of trials nor on how many
//! are made at a time, a run that was killed goes on where it was, and a larger scale begins with
//! the trials of the smaller one.
//!
//! What a trial is differs from kind to kind, and each kind is an [`Experiment`]: [`mod@matches`]
//! between players, choices in [`positions`], [`measurements`] of engines, [`bandits`], and
//! [`controllers`] of video games.

pub mod bandits;
mod bundled;
mod claims;
pub mod controllers;
mod error;
mod front;
pub mod kernel;
mod ledger;
mod machine;
pub mod matches;
pub mod measurements;
pub mod positions;
mod report;
mod trials;

pub use bundled::{BundledStudy, all, find, read};
pub use claims::{Claim, Finding, Judgement, Part};
pub use error::StudyError;
pub use front::{Front, Run, Scale};
pub use kernel::{
    Contents, Equipment, Experiment, Session, Study, Summary, carry_out, parse, summarise,
};
pub use ledger::{EndNote, Ledger, Record, RunNote};
pub use report::{Heading, Report};

pub use crate::contest::{
    ContestGame, ContestGames, Contestant, Ending, EngineContest, Outcome, PlayerResult, Setup,
    Thinking,
};
pub use crate::statistics::{Estimate, Interval, Tally};
