//! What the checks have found so far, kept to a length that people read.

use crate::problem::{Code, Problem};
use rustc_hash::FxHashMap;

/// How many problems of one kind are reported; the others are only counted.
///
/// Ten of a kind show an author how to correct the rest, and a broken sheet must not cost more
/// memory than a sound one.
const SHOWN_PER_CODE: usize = 10;

/// Problems by kind, the first few of each.
#[derive(Default)]
pub(super) struct Findings {
    problems: Vec<Problem>,
    counts: FxHashMap<Code, usize>,
    /// The first problem of each kind that is not shown.
    omitted: Vec<Problem>,
}

impl Findings {
    /// Notes one problem.
    pub(super) fn add(&mut self, problem: Problem) {
        let count = self.counts.entry(problem.code).or_default();
        *count += 1;
        if *count <= SHOWN_PER_CODE {
            self.problems.push(problem);
        } else if *count == SHOWN_PER_CODE + 1 {
            self.omitted.push(problem);
        }
    }

    /// Whether further problems of this kind are only counted, so that no advice for them is
    /// needed.
    pub(super) fn is_full(&self, code: Code) -> bool {
        self.counts
            .get(&code)
            .is_some_and(|&count| count >= SHOWN_PER_CODE)
    }

    /// Everything in the order of the text, with one line for all omitted problems of a kind.
    pub(super) fn into_sorted(mut self) -> Vec<Problem> {
        for first in self.omitted {
            let rest = self.counts[&first.code] - SHOWN_PER_CODE;
            // A single one needs no summary: it takes the same room.
            self.problems.push(match rest {
                1 => first,
                _ => {
                    let message =
                        format!("{rest} more problems of this kind, the first of them here");
                    Problem::new(first.code, first.span, message)
                }
            });
        }
        self.problems
            .sort_by_key(|problem| (problem.span, problem.code));
        self.problems
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Span;

    fn found(count: usize) -> Vec<Problem> {
        let mut findings = Findings::default();
        for start in 0..count {
            let span = Span::new(start, start + 1);
            findings.add(Problem::new(Code::UnusedRelation, span, "unused"));
        }
        findings.into_sorted()
    }

    #[test]
    fn many_problems_of_a_kind_become_one_line() {
        assert_eq!(found(10).len(), 10);
        assert_eq!(found(11).len(), 11);
        assert_eq!(found(11)[10].message, "unused");
        let many = found(1000);
        assert_eq!(many.len(), 11);
        assert!(many[10].message.starts_with("990 more"), "{many:?}");
    }
}
