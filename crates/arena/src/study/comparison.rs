//! Comparisons: how fast engines work out the same games, and whether they find the same.
//!
//! A [`Comparison`] is data, as an [`Experiment`](super::Experiment) is (`studies/NAME.toml` with `engines` instead of players): which
//! engines are measured on which games, what is measured in each of its tables, what the paper has there, and what it claims. An [`Agenda`]
//! is the list of samples to take; [`measure`] takes those that are missing from the result file, each with a [`Contender`], an engine that
//! stands ready on a game; a [`Comparing`] is what came out, beside what the paper has.
//!
//! All samples of a game are taken in one go, on one thread and in rounds: in each round every engine takes its turn, in an order that
//! changes from round to round, so that whatever else the machine does disturbs all of them alike. Figures are medians over
//! the rounds, claims compare engines round by round, and time is the CPU time of the process, or the clock's in tables that say so.

mod agenda;
mod batched;
mod claims;
mod contender;
mod crewed;
mod data;
mod figures;
mod minimax;
mod report;
mod run;
mod stopwatch;
mod walking;

pub use agenda::{Agenda, Task};
pub use batched::{Batched, contender};
pub use claims::{RateClaim, Source, Which};
pub use contender::{Contender, Count, Job, Position, Work};
pub use crewed::crewed;
pub use data::{Comparison, Effort, EngineEntry, Measure, Place, TableData, Unit};
pub use figures::{Comparing, FigureTable, Row, Slot};
pub use report::summarise;
pub use run::{Loader, Sample, measure};
pub use walking::Walking;
