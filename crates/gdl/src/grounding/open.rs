//! Arguments that are always terms of one function become that function's arguments.
//!
//! Authors write `(can_move ?role (move ?piece ?from ?to))`. With columns of its own for what is in
//! the term, such a relation is looked up by any of them, and rules can be cut between them.

use crate::program::domains::Domain;
use crate::program::{Atom, Literal, Program, RelationId, RelationKind, Rule, Term};

/// No relation gets more arguments than this.
const MOST_ARGUMENTS: usize = 32;

/// No program has more arguments opened than this: recursion can build terms without an end.
const MOST_OPENED: usize = 200;

/// The program with such arguments opened.
#[must_use]
pub(super) fn open(mut program: Program) -> Program {
    for _ in 0..MOST_OPENED {
        let Some(place) = find(&program) else {
            break;
        };
        for rule in &mut program.rules {
            place.open_rule(rule);
        }
        let relation = &mut program.relations[place.relation.index()];
        relation.arity += place.domains.len() - 1;
        let column = place.column..place.column + 1;
        relation.domains.splice(column, place.domains);
    }
    program
}

/// An argument that is always a term of one function.
struct Place {
    relation: RelationId,
    column: usize,
    functor: crate::Symbol,
    /// What the arguments of the function can be.
    domains: Vec<Domain>,
}

/// An argument that can be opened.
fn find(program: &Program) -> Option<Place> {
    let relations = program.relations.iter().enumerate();
    let own = relations.filter(|(_, relation)| {
        matches!(relation.kind, RelationKind::Plain | RelationKind::Helper)
    });
    let places = own.flat_map(|(index, relation)| {
        let columns = relation.domains.iter().enumerate();
        columns.filter_map(move |(column, domain)| {
            let ((functor, arity), domains) = only_function(domain)?;
            (arity > 0 && relation.arity + arity <= MOST_ARGUMENTS).then(|| Place {
                relation: RelationId(index as u32),
                column,
                functor,
                domains: domains.to_vec(),
            })
        })
    });
    let mut places = places.filter(|place| program.rules.iter().all(|rule| place.fits(rule)));
    places.next()
}

/// The only function whose terms can stand somewhere, with what its arguments can be.
fn only_function(domain: &Domain) -> Option<((crate::Symbol, usize), &[Domain])> {
    let mut compounds = domain.compounds.iter();
    match (compounds.next(), compounds.next()) {
        (Some((&function, args)), None) if domain.constants.is_empty() && !domain.open => {
            Some((function, args))
        }
        _ => None,
    }
}

impl Place {
    /// Whether everything that stands at this place in a rule is a term of the function, or a
    /// variable that has to be one.
    fn fits(&self, rule: &Rule) -> bool {
        let is_open = |atom: &Atom, may_be_variable: bool| {
            atom.relation != self.relation
                || match &atom.args[self.column] {
                    Term::Compound(functor, args) => {
                        *functor == self.functor && args.len() == self.domains.len()
                    }
                    Term::Variable(_) => may_be_variable,
                    Term::Constant(_) => false,
                }
        };
        is_open(&rule.head, true)
            && rule.body.iter().all(|literal| match literal {
                Literal::Holds(atom) => is_open(atom, true),
                Literal::Fails(atom) => is_open(atom, false),
                Literal::Distinct(..) | Literal::Plain(_) => true,
            })
    }

    fn open_rule(&self, rule: &mut Rule) {
        while let Some(variable) = self.variable(rule) {
            let first = rule.variables;
            rule.variables += self.domains.len();
            let args = (first..rule.variables).map(Term::Variable).collect();
            let term = Term::Compound(self.functor, args);
            each_atom(rule, |args| {
                for arg in args {
                    *arg = arg.substitute(&|other| match other == variable {
                        true => term.clone(),
                        false => Term::Variable(other),
                    });
                }
            });
        }
        self.open_atom(&mut rule.head);
        for literal in &mut rule.body {
            if let Literal::Holds(atom) | Literal::Fails(atom) = literal {
                self.open_atom(atom);
            }
        }
    }

    /// A variable that stands at this place.
    fn variable(&self, rule: &Rule) -> Option<usize> {
        let atoms = rule.body.iter().filter_map(Literal::atom);
        let mut atoms = atoms.chain([&rule.head]);
        atoms.find_map(|atom| match atom.args.get(self.column) {
            Some(Term::Variable(variable)) if atom.relation == self.relation => Some(*variable),
            _ => None,
        })
    }

    fn open_atom(&self, atom: &mut Atom) {
        if atom.relation == self.relation
            && let Term::Compound(_, args) = &atom.args[self.column]
        {
            let args = args.clone();
            atom.args.splice(self.column..self.column + 1, args);
        }
    }
}

/// Changes all terms of a rule.
fn each_atom(rule: &mut Rule, mut change: impl FnMut(&mut [Term])) {
    change(&mut rule.head.args);
    for literal in &mut rule.body {
        match literal {
            Literal::Holds(atom) | Literal::Fails(atom) => change(&mut atom.args),
            Literal::Distinct(left, right) => {
                change(std::slice::from_mut(left));
                change(std::slice::from_mut(right));
            }
            Literal::Plain(term) => change(std::slice::from_mut(term)),
        }
    }
}
