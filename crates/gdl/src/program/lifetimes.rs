//! Which facts can end by themselves.
//!
//! The domain of a lifetime that time may have shortened is open. But most kinds of fluents only
//! ever have the lifetime `infinity`, which does not age; engines keep these as facts without time.

use std::collections::BTreeSet;

use super::domains::Domain;
use super::{Atom, Literal, Program, Rule, Term};
use crate::symbol::Symbol;

/// The lifetimes that a kind of fluent can be given.
#[derive(Clone, Debug, Default, PartialEq)]
struct Given {
    /// Whether there can be any number.
    any: bool,
    constants: BTreeSet<Symbol>,
}

/// Narrows the domains of the lifetimes of a program in rtGDL.
pub(super) fn narrow(program: &mut Program) {
    let infinity = program.symbols.get("infinity");
    let mut given = vec![Given::default(); program.fluents.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for rule in &program.rules {
            let Some(kind) = kind_of_head(program, rule) else {
                continue;
            };
            let Some(news) = derived(program, rule, &given) else {
                continue;
            };
            let before = given[kind].clone();
            given[kind].any |= news.any;
            given[kind].constants.extend(news.constants);
            changed |= before != given[kind];
        }
    }
    for (kind, given) in given.iter().enumerate() {
        let is_endless = !given.any && given.constants.iter().all(|&one| Some(one) == infinity);
        let domain = match is_endless {
            true => Domain {
                constants: given.constants.clone(),
                ..Domain::default()
            },
            false => Domain::anything(),
        };
        let fluent = program.fluents[kind];
        for relation in [fluent.init, fluent.holds, fluent.next] {
            let domains = &mut program.relations[relation.index()].domains;
            domains[0].clone_from(&domain);
        }
    }
}

/// The kind of fluent that a rule derives.
fn kind_of_head(program: &Program, rule: &Rule) -> Option<usize> {
    let head = rule.head.relation;
    let mut fluents = program.fluents.iter();
    fluents.position(|fluent| fluent.init == head || fluent.next == head)
}

/// The lifetimes that a rule can give; nothing if its body can never hold so far.
fn derived(program: &Program, rule: &Rule, given: &[Given]) -> Option<Given> {
    let mut lifetime = Given {
        any: true,
        ..Given::default()
    };
    let wanted = rule.head.args.first()?;
    if let Term::Constant(symbol) = wanted {
        lifetime = Given {
            any: false,
            constants: BTreeSet::from([*symbol]),
        };
    }
    for literal in &rule.body {
        let Literal::Holds(atom) = literal else {
            continue;
        };
        let mut fluents = program.fluents.iter();
        let kind = fluents.position(|fluent| fluent.holds == atom.relation);
        if kind.is_some_and(|kind| given[kind] == Given::default()) {
            return None;
        }
        for place in places(atom, wanted) {
            lifetime = lifetime.both(&allowed(program, atom, place, kind, given));
        }
    }
    Some(lifetime)
}

/// The places of an atom where a variable stands.
fn places<'a>(atom: &'a Atom, wanted: &'a Term) -> impl Iterator<Item = usize> + 'a {
    let is_variable = matches!(wanted, Term::Variable(_));
    let args = atom.args.iter().enumerate();
    args.filter(move |(_, arg)| is_variable && *arg == wanted)
        .map(|(place, _)| place)
}

/// What can stand at a place of an atom.
fn allowed(
    program: &Program,
    atom: &Atom,
    place: usize,
    kind: Option<usize>,
    given: &[Given],
) -> Given {
    if let (Some(kind), 0) = (kind, place) {
        let infinity = program.symbols.get("infinity");
        let ages = |&one: &Symbol| Some(one) != infinity;
        return Given {
            any: given[kind].any || given[kind].constants.iter().any(ages),
            constants: given[kind].constants.clone(),
        };
    }
    let domain = &program.relation(atom.relation).domains[place];
    Given {
        any: domain.open,
        constants: domain.constants.clone(),
    }
}

impl Given {
    /// What both allow.
    fn both(&self, other: &Given) -> Given {
        match (self.any, other.any) {
            (true, _) => other.clone(),
            (_, true) => self.clone(),
            _ => Given {
                any: false,
                constants: self
                    .constants
                    .intersection(&other.constants)
                    .copied()
                    .collect(),
            },
        }
    }
}
