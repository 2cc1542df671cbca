//! Which variables have a value where: the flow of bindings through a body.
//!
//! A positive atom binds its variables, a conjunction binds what any of its parts binds, a
//! disjunction what all of its branches bind; `not` and `distinct` bind nothing. The order of
//! conditions does not matter.

use crate::source::Span;
use crate::symbol::Symbol;
use crate::syntax::{Atom, Clause, Formula, Term};
use rustc_hash::FxHashMap;

/// A part of a clause that is visited with the variables bound where it stands.
#[derive(Clone, Copy)]
pub(super) enum Part<'a> {
    /// The head; the whole body has been bound.
    Head(&'a Atom),
    /// An atom that holds.
    Positive(&'a Atom),
    /// An atom under `not`.
    Negative(&'a Atom),
    /// The two sides of a `distinct`.
    Distinct(&'a Term, &'a Term),
}

impl Part<'_> {
    /// Calls `visit` for every variable in the part.
    pub(super) fn variables(&self, visit: &mut impl FnMut(Symbol, Span)) {
        match self {
            Part::Head(atom) | Part::Positive(atom) | Part::Negative(atom) => {
                atom.args.iter().for_each(|arg| arg.variables(visit));
            }
            Part::Distinct(left, right) => {
                left.variables(visit);
                right.variables(visit);
            }
        }
    }
}

/// The variables that have a value at some place.
#[derive(Default)]
pub(super) struct Bound {
    /// How many enclosing scopes bind each variable.
    scopes: FxHashMap<Symbol, usize>,
}

impl Bound {
    pub(super) fn contains(&self, variable: Symbol) -> bool {
        self.scopes.contains_key(&variable)
    }

    /// The bound variables, in no particular order.
    pub(super) fn iter(&self) -> impl Iterator<Item = Symbol> + '_ {
        self.scopes.keys().copied()
    }

    fn enter(&mut self, variables: &[Symbol]) {
        for &variable in variables {
            *self.scopes.entry(variable).or_default() += 1;
        }
    }

    fn leave(&mut self, variables: &[Symbol]) {
        for variable in variables {
            if let Some(count) = self.scopes.get_mut(variable) {
                *count -= 1;
                if *count == 0 {
                    self.scopes.remove(variable);
                }
            }
        }
    }
}

/// Visits the head and every condition of a clause with the variables bound there by the atoms that
/// `binds` accepts.
pub(super) fn visit_clause<'a>(
    clause: &'a Clause,
    binds: &impl Fn(&Atom) -> bool,
    visit: &mut impl FnMut(Part<'a>, &Bound),
) {
    let mut walk = Walk {
        binds,
        visit,
        bound: Bound::default(),
    };
    let variables = bound_by_all(&clause.body, binds);
    walk.bound.enter(&variables);
    (walk.visit)(Part::Head(&clause.head), &walk.bound);
    clause
        .body
        .iter()
        .for_each(|formula| walk.formula(formula, false));
}

struct Walk<'w, Binds, Visit> {
    binds: &'w Binds,
    visit: &'w mut Visit,
    bound: Bound,
}

impl<Binds: Fn(&Atom) -> bool, Visit> Walk<'_, Binds, Visit> {
    fn formula<'a>(&mut self, formula: &'a Formula, negative: bool)
    where
        Visit: FnMut(Part<'a>, &Bound),
    {
        match formula {
            Formula::Atom(atom) if negative => (self.visit)(Part::Negative(atom), &self.bound),
            Formula::Atom(atom) => (self.visit)(Part::Positive(atom), &self.bound),
            Formula::Distinct(left, right, _) => {
                (self.visit)(Part::Distinct(left, right), &self.bound);
            }
            Formula::Not(inner, _) => self.formula(inner, true),
            // What is found under a `not` is not known outside, nor are its parts searched in turn:
            // nothing is bound.
            Formula::And(parts, _) | Formula::Or(parts, _) if negative => {
                parts.iter().for_each(|part| self.formula(part, true));
            }
            Formula::And(parts, _) => self.scope(parts),
            Formula::Or(branches, _) => {
                branches
                    .iter()
                    .for_each(|branch| self.scope(std::slice::from_ref(branch)));
            }
        }
    }

    fn scope<'a>(&mut self, parts: &'a [Formula])
    where
        Visit: FnMut(Part<'a>, &Bound),
    {
        let variables = bound_by_all(parts, self.binds);
        self.bound.enter(&variables);
        parts.iter().for_each(|part| self.formula(part, false));
        self.bound.leave(&variables);
    }
}

/// The variables that a formula binds, sorted.
pub(super) fn bound_by(formula: &Formula, binds: &impl Fn(&Atom) -> bool) -> Vec<Symbol> {
    match formula {
        Formula::Atom(atom) if binds(atom) => {
            let mut variables = Vec::new();
            for arg in &atom.args {
                arg.variables(&mut |variable, _| variables.push(variable));
            }
            sorted(variables)
        }
        Formula::Atom(_) | Formula::Distinct(..) | Formula::Not(..) => Vec::new(),
        Formula::And(parts, _) => bound_by_all(parts, binds),
        Formula::Or(branches, _) => {
            let mut branches = branches.iter().map(|branch| bound_by(branch, binds));
            let mut common = branches.next().unwrap_or_default();
            for branch in branches {
                common.retain(|variable| branch.binary_search(variable).is_ok());
            }
            common
        }
    }
}

fn bound_by_all(parts: &[Formula], binds: &impl Fn(&Atom) -> bool) -> Vec<Symbol> {
    sorted(
        parts
            .iter()
            .flat_map(|part| bound_by(part, binds))
            .collect(),
    )
}

fn sorted(mut variables: Vec<Symbol>) -> Vec<Symbol> {
    variables.sort_unstable();
    variables.dedup();
    variables
}
