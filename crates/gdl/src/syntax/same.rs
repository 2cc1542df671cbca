//! Comparing what sheets say, wherever and however it is written.

use super::{Atom, Formula, Sheet, Term, TermKind};
use crate::symbol::{Symbol, Symbols};

/// Whether two sheets have the same clauses in the same order. Places, comments and the numbers of
/// symbols do not count; the names of variables do.
pub fn same_rules(left: &Sheet, right: &Sheet) -> bool {
    let compare = Compare {
        left: &left.symbols,
        right: &right.symbols,
    };
    compare.all(&left.clauses, &right.clauses, |left, right| {
        compare.atoms(&left.head, &right.head) && compare.formulas(&left.body, &right.body)
    })
}

struct Compare<'a> {
    left: &'a Symbols,
    right: &'a Symbols,
}

impl Compare<'_> {
    fn all<T>(&self, left: &[T], right: &[T], same: impl Fn(&T, &T) -> bool) -> bool {
        left.len() == right.len()
            && left
                .iter()
                .zip(right)
                .all(|(left, right)| same(left, right))
    }

    fn names(&self, left: Symbol, right: Symbol) -> bool {
        self.left.name(left) == self.right.name(right)
    }

    fn atoms(&self, left: &Atom, right: &Atom) -> bool {
        self.names(left.relation, right.relation) && self.terms(&left.args, &right.args)
    }

    fn formulas(&self, left: &[Formula], right: &[Formula]) -> bool {
        self.all(left, right, |left, right| self.formula(left, right))
    }

    fn formula(&self, left: &Formula, right: &Formula) -> bool {
        match (left, right) {
            (Formula::Atom(left), Formula::Atom(right)) => self.atoms(left, right),
            (Formula::Distinct(a, b, _), Formula::Distinct(c, d, _)) => {
                self.term(a, c) && self.term(b, d)
            }
            (Formula::Not(left, _), Formula::Not(right, _)) => self.formula(left, right),
            (Formula::And(left, _), Formula::And(right, _))
            | (Formula::Or(left, _), Formula::Or(right, _)) => self.formulas(left, right),
            _ => false,
        }
    }

    fn terms(&self, left: &[Term], right: &[Term]) -> bool {
        self.all(left, right, |left, right| self.term(left, right))
    }

    fn term(&self, left: &Term, right: &Term) -> bool {
        match (&left.kind, &right.kind) {
            (TermKind::Variable(left), TermKind::Variable(right))
            | (TermKind::Constant(left), TermKind::Constant(right)) => self.names(*left, *right),
            (TermKind::Compound(left, left_args), TermKind::Compound(right, right_args)) => {
                self.names(*left, *right) && self.terms(left_args, right_args)
            }
            _ => false,
        }
    }
}
