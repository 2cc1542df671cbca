//! What a rule knows about its variables where something is asked.

use crate::program::{Atom, Literal, Rule, Term};

/// What is known about the variables of a rule at some place in its body.
pub(super) struct Known {
    pub(super) bound: Vec<bool>,
    /// How often each stands in the rule, and in the head that is derived.
    times: Vec<usize>,
    /// Whether each stands in that head.
    in_head: Vec<bool>,
}

impl Known {
    /// Nothing is bound yet.
    pub(super) fn new(rule: &Rule, head: &Atom) -> Self {
        let mut times = vec![0; rule.variables];
        let mut in_head = vec![false; rule.variables];
        let mut count = |term: &Term| term.variables(&mut |variable| times[variable] += 1);
        head.args.iter().for_each(&mut count);
        for literal in &rule.body {
            match literal {
                Literal::Holds(atom) | Literal::Fails(atom) => {
                    atom.args.iter().for_each(&mut count);
                }
                Literal::Distinct(left, right) => [left, right].into_iter().for_each(&mut count),
                Literal::Plain(term) => count(term),
            }
        }
        let mark = |term: &Term| term.variables(&mut |variable| in_head[variable] = true);
        head.args.iter().for_each(mark);
        Self {
            bound: vec![false; rule.variables],
            times,
            in_head,
        }
    }

    /// Whether all variables of a term are bound.
    pub(super) fn is_bound(&self, term: &Term) -> bool {
        let mut bound = true;
        term.variables(&mut |variable| bound &= self.bound[variable]);
        bound
    }

    /// Whether a term is a variable that stands nowhere else.
    pub(super) fn is_ignored(&self, term: &Term) -> bool {
        match term {
            Term::Variable(variable) => !self.bound[*variable] && self.times[*variable] == 1,
            _ => false,
        }
    }

    /// Whether the head tells something that is bound by now.
    pub(super) fn tells_bound(&self) -> bool {
        let mut variables = self.in_head.iter().zip(&self.bound);
        variables.any(|(&in_head, &bound)| in_head && bound)
    }
}

/// Marks the variables that a literal binds.
pub(super) fn bind(literal: &Literal, bound: &mut [bool]) {
    if let Literal::Holds(atom) = literal {
        let args = atom.args.iter();
        args.for_each(|arg| arg.variables(&mut |variable| bound[variable] = true));
    }
}
