//! Engines held against what is known: recorded play, followed step by step ([`follow_trace`]), and
//! the reference engine, beside which an engine plays at random ([`Trial`]). Records of matches are
//! checked by [`crate::record::verify`].

mod compare;
mod judge;
mod lanes;
mod trace;
mod walk;

use std::fmt;
use std::path::Path;

use paidia_accel::{Batches, LANES};
use paidia_game::AnyGame;
use serde::Serialize;

use crate::engine::{EngineError, Machine};
pub use compare::{Comparison, Distance, Trial};
pub use judge::Mismatch;
use lanes::LaneChecker;
use trace::{Step, Trace};
use walk::WalkChecker;

/// What came of following traces of one game.
#[derive(Clone, Debug, Default, Serialize)]
pub struct TraceReport {
    /// The game.
    pub game: String,
    /// The engine.
    pub engine: String,
    /// How many traces were followed.
    pub traces: usize,
    /// Their playouts.
    pub playouts: u64,
    /// Their steps.
    pub steps: u64,
    /// Where the engine differs.
    pub mismatches: u64,
    /// The first of these.
    pub first_mismatch: Option<Mismatch>,
}

/// Why a trace cannot be followed, in words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadTrace(String);

impl BadTrace {
    fn new(why: impl fmt::Display) -> Self {
        Self(why.to_string())
    }
}

/// Says where something went wrong.
trait Within<T> {
    fn within(self, place: impl FnOnce() -> String) -> Result<T, BadTrace>;
}

impl<T, E: fmt::Display> Within<T> for Result<T, E> {
    fn within(self, place: impl FnOnce() -> String) -> Result<T, BadTrace> {
        self.map_err(|error| BadTrace(format!("{}: {error}", place())))
    }
}

/// A game that follows traces.
pub enum Subject {
    /// It goes from state to state.
    Walking(AnyGame),
    /// It has a lane for each step.
    Batch(Batches),
}

impl Subject {
    /// The game of an engine.
    ///
    /// # Errors
    /// If the engine can neither go from state to state nor take lanes.
    pub fn new(machine: Machine) -> Result<Self, EngineError> {
        match machine {
            Machine::Batch(game) if game.is_for_gpu() => Err(EngineError::RandomPlayouts),
            Machine::Batch(game) => Ok(Subject::Batch(game)),
            machine => Ok(Subject::Walking(machine.game()?)),
        }
    }

    /// What follows a trace with these roles.
    fn follow(&self, roles: &[String]) -> Result<Follower<'_>, BadTrace> {
        Ok(match self {
            Subject::Walking(game) => Follower::Walker(WalkChecker::new(game, roles)?),
            Subject::Batch(game) => Follower::Lanes(Box::new(LaneChecker::new(game, roles)?)),
        })
    }
}

enum Follower<'a> {
    Walker(WalkChecker<'a>),
    Lanes(Box<LaneChecker<'a>>),
}

impl Follower<'_> {
    /// Checks the next steps of the trace, at most [`LANES`] of them.
    fn check(&mut self, steps: &[Step]) -> Result<Vec<Mismatch>, BadTrace> {
        match self {
            Follower::Walker(checker) => {
                let mut found = Vec::new();
                for step in steps {
                    let checked = checker.check(step);
                    found.extend(checked.within(|| format!("line {}", step.line))?);
                }
                Ok(found)
            }
            Follower::Lanes(checker) => checker.check(steps),
        }
    }
}

/// Follows the first steps of a trace in a file and adds what was found to a report.
///
/// # Errors
/// If the trace cannot be read, is not of this game, or the engine runs into a limit.
pub fn follow_trace(
    subject: &Subject,
    path: &Path,
    max_steps: u64,
    report: &mut TraceReport,
) -> Result<(), BadTrace> {
    let name = path.display().to_string();
    follow(subject, path, max_steps, report, &name).within(|| format!("in {name}"))
}

fn follow(
    subject: &Subject,
    path: &Path,
    max_steps: u64,
    report: &mut TraceReport,
    name: &str,
) -> Result<(), BadTrace> {
    let mut trace = Trace::open(path)?;
    let mut follower = subject.follow(&trace.header.roles)?;
    report.traces += 1;
    let mut left = max_steps;
    loop {
        let most = left.min(LANES as u64) as usize;
        let steps = trace.next_steps(most)?;
        if steps.is_empty() {
            return Ok(());
        }
        let mismatches = follower.check(&steps)?;
        left -= steps.len() as u64;
        report.steps += steps.len() as u64;
        report.playouts += steps.iter().filter(|step| step.step == 0).count() as u64;
        report.mismatches += mismatches.len() as u64;
        if report.first_mismatch.is_none() {
            let first = mismatches.into_iter().next();
            report.first_mismatch = first.map(|mismatch| Mismatch {
                trace: name.to_owned(),
                ..mismatch
            });
        }
    }
}
