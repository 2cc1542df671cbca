//! What is in a program, counted and named for people.

use super::Dependencies;
use crate::program::{Program, RelationKind};
use crate::symbol::Symbol;

/// What is in a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// Rules with a body.
    pub rules: usize,
    /// Relations that the rules define for themselves.
    pub relations: usize,
    /// How many negations deep the rules are, counting the ground floor.
    pub strata: usize,
    /// Kinds of fluents by function and number of arguments, such as `cell/3`.
    pub fluents: Vec<String>,
    /// Kinds of moves, likewise.
    pub moves: Vec<String>,
    /// Kinds of percepts, likewise.
    pub percepts: Vec<String>,
}

impl Contents {
    /// Looks through a program.
    pub fn new(program: &Program) -> Self {
        // The role is the first argument of relations about moves and percepts.
        let name = |functor: Option<Symbol>, arity: usize| match functor {
            Some(functor) => format!("{}/{arity}", program.symbols.name(functor)),
            None => "constants".to_owned(),
        };
        let arity = |relation| program.relation(relation).arity;
        let fluents = program.fluents.iter();
        let moves = program.moves.iter();
        let percepts = program.percepts.iter();
        let rules = program.rules.iter().filter(|rule| !rule.body.is_empty());
        let own = program.relations.iter();
        let own = own.filter(|relation| relation.kind == RelationKind::Plain);
        let components = Dependencies::new(program).components;
        let strata = components.iter().map(|component| component.stratum + 1);
        Self {
            rules: rules.count(),
            relations: own.count(),
            strata: strata.max().unwrap_or(0),
            fluents: fluents
                .map(|kind| name(kind.functor, arity(kind.holds)))
                .collect(),
            moves: moves
                .map(|kind| name(kind.functor, arity(kind.legal) - 1))
                .collect(),
            percepts: percepts
                .map(|kind| name(kind.functor, arity(kind.sees) - 1))
                .collect(),
        }
    }
}
