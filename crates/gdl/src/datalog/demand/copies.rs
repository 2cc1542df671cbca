//! The ways in which relations are asked for, and what stands for them in new rules.

use crate::program::{Atom, RelationId, Term};

/// A way of asking for a relation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Way {
    pub(super) of: RelationId,
    /// The columns whose values are known where it is asked for.
    pub(super) columns: Vec<usize>,
    /// The columns whose values are not read.
    pub(super) ignored: Vec<usize>,
    /// The phase of the asking rule: what is asked in different phases is kept apart.
    pub(super) phase: u32,
    /// The questions of a tail recursion.
    pub(super) tail: Option<Questions>,
}

/// From where a tail recursion starts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Questions {
    /// From one question.
    One(Vec<Term>),
    /// From all questions of a body that does not read which one is answered: the place of its rule
    /// among the new ones.
    Of(usize),
}

/// A relation in the way in which it is asked for.
pub(super) struct RelationCopy {
    pub(super) way: Way,
    /// The rows that were asked for, without the columns that are not read.
    pub(super) answers: RelationId,
    /// What was asked: the values of the columns that are known.
    pub(super) asked: RelationId,
}

impl Way {
    /// Whether the answers have a column.
    pub(super) fn has(&self, column: usize) -> bool {
        let is_known = self.tail.is_some() && self.columns.contains(&column);
        !is_known && !self.ignored.contains(&column)
    }
}

impl RelationCopy {
    /// What of a row the answers have.
    pub(super) fn answer(&self, args: &[Term]) -> Atom {
        let kept = (0..args.len()).filter(|&column| self.way.has(column));
        Atom {
            relation: self.answers,
            args: kept.map(|column| args[column].clone()).collect(),
        }
    }

    /// What of a row is asked for.
    pub(super) fn question(&self, args: &[Term]) -> Atom {
        let columns = self.way.columns.iter();
        Atom {
            relation: self.asked,
            args: columns.map(|&column| args[column].clone()).collect(),
        }
    }
}
