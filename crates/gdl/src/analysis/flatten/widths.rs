//! How many columns a term takes.

use std::collections::{BTreeMap, BTreeSet};

use super::NotFlat;
use crate::graph;
use crate::program::domains::Domain;
use crate::program::{Program, RelationId};
use crate::symbol::Symbol;

/// The most columns that a relation may have.
pub(super) const MAX_WIDTH: usize = 10_000;

/// A function by its name and number of arguments.
type Function = (Symbol, usize);

/// How many columns the arguments of each function take.
#[derive(Clone, Debug, Default)]
pub(super) struct Widths {
    of: BTreeMap<Function, Vec<usize>>,
}

/// For each function, which functions can stand at each of its arguments, anywhere in a program.
#[derive(Default)]
struct Nesting {
    of: BTreeMap<Function, Vec<BTreeSet<Function>>>,
}

impl Widths {
    pub(super) fn new(program: &Program) -> Result<Self, NotFlat> {
        let nesting = Nesting::new(program)?;
        let functions: Vec<Function> = nesting.of.keys().copied().collect();
        let place = |function: &Function| functions.binary_search(function).ok();
        let edges: Vec<Vec<usize>> = nesting
            .of
            .values()
            .map(|args| args.iter().flatten().filter_map(place).collect())
            .collect();
        let mut widths = Self::default();
        // Functions come after those that stand in their arguments.
        for component in graph::components(&edges) {
            let function = component[0];
            if component.len() > 1 || edges[function].contains(&function) {
                let name = program.symbols.name(functions[function].0);
                return Err(NotFlat::Nested(name.to_owned()));
            }
            let function = functions[function];
            let args = nesting.of[&function].iter();
            let args = args.map(|inside| widths.widest(inside.iter())).collect();
            widths.of.insert(function, args);
        }
        widths.check(program)?;
        Ok(widths)
    }

    fn check(&self, program: &Program) -> Result<(), NotFlat> {
        for (index, relation) in program.relations.iter().enumerate() {
            let columns = relation.domains.iter().map(|domain| self.domain(domain));
            if columns.fold(0, usize::saturating_add) > MAX_WIDTH {
                let id = RelationId(index as u32);
                return Err(NotFlat::TooWide(program.relation_name(id)));
            }
        }
        Ok(())
    }

    /// How many columns each argument of a function takes; `None` if no fact contains the function.
    pub(super) fn arguments(&self, functor: Symbol, arity: usize) -> Option<&[usize]> {
        self.of.get(&(functor, arity)).map(Vec::as_slice)
    }

    /// How many columns a function takes with its arguments.
    pub(super) fn function(&self, functor: Symbol, arity: usize) -> usize {
        let args = self.arguments(functor, arity).unwrap_or(&[]);
        args.iter().copied().fold(1, usize::saturating_add)
    }

    /// How many columns the terms of a domain take.
    pub(super) fn domain(&self, domain: &Domain) -> usize {
        self.widest(domain.compounds.keys())
    }

    /// How many columns a place needs where these functions, and constants, can stand.
    fn widest<'a>(&self, functions: impl Iterator<Item = &'a Function>) -> usize {
        functions
            .map(|&(functor, arity)| self.function(functor, arity))
            .fold(1, usize::max)
    }
}

impl Nesting {
    fn new(program: &Program) -> Result<Self, NotFlat> {
        let mut this = Self::default();
        for (index, relation) in program.relations.iter().enumerate() {
            for domain in &relation.domains {
                let open = || NotFlat::Open(program.relation_name(RelationId(index as u32)));
                this.add_domain(domain).ok_or_else(open)?;
            }
        }
        // Whole fluents and moves are terms, too: their functions are those that the relations were
        // split by.
        let fluents = program.fluents.iter().map(|fluent| (fluent.holds, 0));
        let moves = program.moves.iter().map(|kind| (kind.legal, 1));
        for (id, beside) in fluents.chain(moves) {
            let relation = program.relation(id);
            if let Some(functor) = relation.functor {
                this.add_arguments(functor, &relation.domains[beside..]);
            }
        }
        Ok(this)
    }

    /// Learns the functions of a domain; `None` if it is open.
    fn add_domain(&mut self, domain: &Domain) -> Option<()> {
        if domain.open {
            return None;
        }
        for (&(functor, _), args) in &domain.compounds {
            for arg in args {
                self.add_domain(arg)?;
            }
            self.add_arguments(functor, args);
        }
        Some(())
    }

    fn add_arguments(&mut self, functor: Symbol, args: &[Domain]) {
        let known = self
            .of
            .entry((functor, args.len()))
            .or_insert_with(|| vec![BTreeSet::new(); args.len()]);
        for (known, arg) in known.iter_mut().zip(args) {
            known.extend(arg.compounds.keys());
        }
    }
}
