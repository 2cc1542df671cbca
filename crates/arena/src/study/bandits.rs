//! Bandits: plain UCT and sufficiency thresholds on arms that take their time to show what they are worth.
//!
//! A [`BanditStudy`] is data (`studies/NAME.toml` with `bandits`): how many arms there are and how many of them win, what is seen of them, how much is
//! tried, and what the paper claims. A [`BanditPlan`] is the list of models, each a bandit drawn from a seed of its own; [`play`] plays those
//! that are missing from the result file, a number of tasks with each way to choose; [`Curves`] are what came out.

mod claims;
mod curves;
mod data;
mod plot;
mod report;
mod run;

pub use claims::CurveClaim;
pub use curves::{Curve, Curves, summarise};
pub use data::{BanditData, BanditStudy, SightData, Tasks};
pub use run::{BanditPlan, Model, Trial, play};
