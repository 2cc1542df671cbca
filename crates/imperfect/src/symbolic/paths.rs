//! Formulas over runs: sets of states with a bit for each temporal operator, which says whether it
//! holds now.
//!
//! Given a state, the next one and the bits there, the bits here follow. What is sought are the
//! states and bits from which a run goes on for ever so that every promise is kept.

use super::TooHard;
use super::space::{Diagram, Space};

/// The most temporal operators without an A or E between them.
pub(super) const MOST_PARTS: usize = 8;

/// A formula over runs.
#[derive(Clone)]
pub(super) enum Path {
    /// Something about states, by its place.
    State(usize),
    Not(Box<Path>),
    And(Vec<Path>),
    Or(Vec<Path>),
    Iff(Box<Path>, Box<Path>),
    /// A temporal operator, by its place.
    Part(usize),
}

/// A temporal operator.
#[derive(Clone)]
pub(super) enum Part {
    Next(Path),
    Finally(Path),
    Globally(Path),
    Until(Path, Path),
}

/// A formula over runs with its operators, inner ones first.
pub(super) struct Paths {
    pub(super) parts: Vec<Part>,
    pub(super) whole: Path,
}

/// Where the parts of a formula are evaluated.
pub(super) struct Here<'a> {
    /// For each state formula where it holds.
    pub(super) states: &'a [Diagram],
    /// Whether that is about the state after a step.
    pub(super) after: bool,
}

impl Paths {
    /// Where a formula holds, given the bits.
    pub(super) fn holds(
        &self,
        space: &Space<'_>,
        path: &Path,
        here: &Here<'_>,
    ) -> Result<Diagram, TooHard> {
        Ok(match path {
            Path::State(place) => here.states[*place].clone(),
            Path::Not(inner) => self.holds(space, inner, here)?.not()?,
            Path::And(all) => {
                let mut found = space.yes();
                for path in all {
                    found = found.and(&self.holds(space, path, here)?)?;
                }
                found
            }
            Path::Or(all) => {
                let mut found = space.no();
                for path in all {
                    found = found.or(&self.holds(space, path, here)?)?;
                }
                found
            }
            Path::Iff(one, other) => self
                .holds(space, one, here)?
                .equals(&self.holds(space, other, here)?)?,
            Path::Part(place) => space.part(*place, here.after),
        })
    }

    /// Where the bits are as they must be before what comes after.
    pub(super) fn before(
        &self,
        space: &Space<'_>,
        now: &[Diagram],
        next: &[Diagram],
    ) -> Result<Diagram, TooHard> {
        let here = Here {
            states: now,
            after: false,
        };
        let there = Here {
            states: next,
            after: true,
        };
        let mut all = space.yes();
        for (place, part) in self.parts.iter().enumerate() {
            let later = space.part(place, true);
            let holds = match part {
                Part::Next(inner) => self.holds(space, inner, &there)?,
                Part::Finally(inner) => later.or(&self.holds(space, inner, &here)?)?,
                Part::Globally(inner) => later.and(&self.holds(space, inner, &here)?)?,
                Part::Until(first, second) => {
                    let go_on = later.and(&self.holds(space, first, &here)?)?;
                    self.holds(space, second, &here)?.or(&go_on)?
                }
            };
            all = all.and(&space.part(place, false).equals(&holds)?)?;
        }
        Ok(all)
    }

    /// Where the bits are as they must be in a state that stays.
    pub(super) fn staying(
        &self,
        space: &Space<'_>,
        states: &[Diagram],
    ) -> Result<Diagram, TooHard> {
        let here = Here {
            states,
            after: false,
        };
        let mut all = space.yes();
        for (place, part) in self.parts.iter().enumerate() {
            let (Part::Next(inner)
            | Part::Finally(inner)
            | Part::Globally(inner)
            | Part::Until(_, inner)) = part;
            let holds = self.holds(space, inner, &here)?;
            all = all.and(&space.part(place, false).equals(&holds)?)?;
        }
        Ok(all)
    }

    /// For each operator that promises something, where it is kept or not asked for.
    pub(super) fn kept(
        &self,
        space: &Space<'_>,
        states: &[Diagram],
    ) -> Result<Vec<Diagram>, TooHard> {
        let here = Here {
            states,
            after: false,
        };
        let mut kept = Vec::new();
        for (place, part) in self.parts.iter().enumerate() {
            let bit = space.part(place, false);
            kept.push(match part {
                Part::Next(_) => continue,
                Part::Finally(inner) | Part::Until(_, inner) => {
                    bit.not()?.or(&self.holds(space, inner, &here)?)?
                }
                Part::Globally(inner) => bit.or(&self.holds(space, inner, &here)?.not()?)?,
            });
        }
        Ok(kept)
    }
}
