//! Collecting the problems of one reading.

use super::{Reading, Sheet};
use crate::problem::{Code, Problem};
use crate::source::{MAX_SOURCE_BYTES, Source, Span};

/// The most problems that one reading lists. More are not read, and a file that is no rule sheet
/// has millions.
const MAX_PROBLEMS: usize = 1000;

/// The problems found so far.
#[derive(Debug, Default)]
pub(super) struct Report {
    problems: Vec<Problem>,
    count: usize,
}

impl Report {
    pub(super) fn add(&mut self, problem: Problem) {
        self.count += 1;
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(problem);
        }
    }

    /// How many problems were found, listed or not.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Whether the source is too large to be read, which is then reported.
    pub(super) fn is_too_large(&mut self, source: &Source) -> bool {
        let size = source.text.len();
        let too_large = size > MAX_SOURCE_BYTES;
        if too_large {
            let message = format!(
                "the sheet has {} MB, and at most {} MB are read",
                size.div_ceil(1 << 20),
                MAX_SOURCE_BYTES >> 20
            );
            self.add(Problem::new(Code::TooLarge, Span::new(0, 0), message));
        }
        too_large
    }

    /// The sheet with all problems in the order of the text.
    pub(super) fn reading(self, sheet: Sheet) -> Reading {
        let mut problems = self.problems;
        problems.sort_by_key(|problem| problem.span);
        Reading { sheet, problems }
    }
}
