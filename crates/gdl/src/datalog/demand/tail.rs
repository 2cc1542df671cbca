//! Recursion that ends with itself: `p(x, y) <= step(x, z), p(z, y)`, asked for some *x*.
//!
//! What is asked next has the same answers *y* as what was asked first. So if there is one first
//! question only, or it does not matter which of several was answered, answers need not tell to
//! which question they belong: they are the values of the other columns, and no row is handed back
//! through the rounds. (J. Naughton, R. Ramakrishnan, Y. Sagiv, J. Ullman, "Efficient evaluation of
//! right-, left-, and multi-linear rules", SIGMOD 1989.) Sheets count like that: merrills has a
//! relation of six arguments, of which two are left.

use super::known::bind;
use crate::analysis::Dependencies;
use crate::program::{Atom, Literal, Program, RelationId, Rule, Term};

/// Whether all rules of a relation that is asked for by some columns end with itself or do not
/// mention it, and some do.
pub(super) fn is_tail_recursive(
    program: &Program,
    dependencies: &Dependencies,
    relation: RelationId,
    columns: &[usize],
) -> bool {
    let [group] = dependencies.components_of[relation.index()][..] else {
        return false;
    };
    let group = &dependencies.components[group];
    let mut rules = group.rules.iter().map(|&rule| &program.rules[rule]);
    group.recursive
        && group.relations.len() == 1
        && rules.all(|rule| match places(rule)[..] {
            [] => true,
            [place] => ends_with(rule, place, columns),
            _ => false,
        })
}

/// The place of a rule's condition about its own relation, if it has one.
pub(super) fn place(rule: &Rule) -> Option<usize> {
    places(rule).first().copied()
}

fn places(rule: &Rule) -> Vec<usize> {
    let is_own = |literal: &Literal| {
        let atom = literal.atom();
        atom.is_some_and(|atom| atom.relation == rule.head.relation)
    };
    (0..rule.body.len())
        .filter(|&place| is_own(&rule.body[place]))
        .collect()
}

/// Whether the condition at a place can come last, asks by the same columns, and hands all others
/// on as they are.
fn ends_with(rule: &Rule, place: usize, columns: &[usize]) -> bool {
    let Literal::Holds(last) = &rule.body[place] else {
        return false;
    };
    let mut elsewhere = vec![0; rule.variables];
    let mut bound = vec![false; rule.variables];
    let mut count = |variable: usize| elsewhere[variable] += 1;
    each_term(&rule.head, &mut |term| term.variables(&mut count));
    let others = rule.body.iter().enumerate();
    for (_, literal) in others.filter(|&(other, _)| other != place) {
        match literal {
            Literal::Holds(atom) | Literal::Fails(atom) => {
                each_term(atom, &mut |term| term.variables(&mut count));
            }
            Literal::Distinct(left, right) => {
                left.variables(&mut count);
                right.variables(&mut count);
            }
            Literal::Plain(term) => term.variables(&mut count),
        }
        bind(literal, &mut bound);
    }
    for &column in columns {
        rule.head.args[column].variables(&mut |variable| bound[variable] = true);
    }
    let mut pairs = last.args.iter().zip(&rule.head.args).enumerate();
    let mut handed_on = vec![false; rule.variables];
    pairs.all(|(column, (arg, head))| {
        if columns.contains(&column) {
            let mut known = true;
            arg.variables(&mut |variable| known &= bound[variable]);
            return known;
        }
        // The head is the only other place where the variable stands, once.
        match (arg, head) {
            (Term::Variable(variable), Term::Variable(other)) => {
                let first = !std::mem::replace(&mut handed_on[*variable], true);
                variable == other && first && elsewhere[*variable] == 1
            }
            _ => false,
        }
    })
}

fn each_term(atom: &Atom, visit: &mut impl FnMut(&Term)) {
    atom.args.iter().for_each(visit);
}
