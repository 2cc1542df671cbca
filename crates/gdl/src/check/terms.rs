//! Walking through terms, and comparing them without regard to their places.

use crate::symbol::Symbol;
use crate::syntax::{Atom, Clause, Formula, Sheet, Term, TermKind};

/// Calls `visit` for every term of the sheet and every term inside it.
pub(super) fn each_term<'a>(sheet: &'a Sheet, visit: &mut impl FnMut(&'a Term)) {
    sheet
        .clauses
        .iter()
        .for_each(|clause| each_term_of(clause, visit));
}

/// Calls `visit` for every term of the clause and every term inside it.
pub(super) fn each_term_of<'a>(clause: &'a Clause, visit: &mut impl FnMut(&'a Term)) {
    in_atom(&clause.head, visit);
    clause
        .body
        .iter()
        .for_each(|formula| in_formula(formula, visit));
}

fn in_formula<'a>(formula: &'a Formula, visit: &mut impl FnMut(&'a Term)) {
    match formula {
        Formula::Atom(atom) => in_atom(atom, visit),
        Formula::Distinct(left, right, _) => {
            in_term(left, visit);
            in_term(right, visit);
        }
        Formula::Not(inner, _) => in_formula(inner, visit),
        Formula::And(parts, _) | Formula::Or(parts, _) => {
            parts.iter().for_each(|part| in_formula(part, visit));
        }
    }
}

fn in_atom<'a>(atom: &'a Atom, visit: &mut impl FnMut(&'a Term)) {
    atom.args.iter().for_each(|arg| in_term(arg, visit));
}

fn in_term<'a>(term: &'a Term, visit: &mut impl FnMut(&'a Term)) {
    visit(term);
    if let TermKind::Compound(_, args) = &term.kind {
        args.iter().for_each(|arg| in_term(arg, visit));
    }
}

/// A term or a clause as numbers: equal keys, equal things, wherever they stand.
pub(super) type Key = Vec<u32>;

/// Adds a term to a key; `variable` gives the number of a variable.
pub(super) fn encode(term: &Term, variable: &mut impl FnMut(Symbol) -> u32, key: &mut Key) {
    match &term.kind {
        TermKind::Variable(name) => key.extend([0, variable(*name)]),
        TermKind::Constant(name) => key.extend([1, name.0]),
        TermKind::Compound(name, args) => {
            key.extend([2, name.0, args.len() as u32]);
            args.iter().for_each(|arg| encode(arg, variable, key));
        }
    }
}

/// Whether some values of the variables may make the two atoms equal.
///
/// Every variable is taken to be another one, so "yes" may be wrong and "no" never is.
pub(super) fn may_unify(left: &Atom, right: &Atom) -> bool {
    left.relation == right.relation && all_may_unify(&left.args, &right.args)
}

fn all_may_unify(left: &[Term], right: &[Term]) -> bool {
    let mut pairs = left.iter().zip(right);
    left.len() == right.len() && pairs.all(|(left, right)| terms_may_unify(left, right))
}

fn terms_may_unify(left: &Term, right: &Term) -> bool {
    match (&left.kind, &right.kind) {
        (TermKind::Variable(_), _) | (_, TermKind::Variable(_)) => true,
        (TermKind::Constant(left), TermKind::Constant(right)) => left == right,
        (TermKind::Compound(left, left_args), TermKind::Compound(right, right_args)) => {
            left == right && all_may_unify(left_args, right_args)
        }
        _ => false,
    }
}
