//! A flat program: flat rules in the form of a [`Program`], so that whatever runs programs runs
//! them.
//!
//! `#nil` and functions become constants of their own: the function `f` of two arguments is the
//! constant `f#2`, which no author's constant is equal to.

use std::collections::BTreeMap;

use super::{Cell, FlatAtom, FlatLiteral, FlatRule, Flattening, NotFlat};
use crate::program::domains::Domain;
use crate::program::{Atom, Literal, Program, RelationId, Rule, Term};
use crate::symbol::{Symbol, Symbols};

/// A program in which every argument is a constant or a variable, and the way back to terms.
#[derive(Clone, Debug)]
pub struct FlatProgram {
    /// The flat rules over the same relations, which are as wide as the flattening says.
    pub program: Program,
    flattening: Flattening,
    cells: Cells,
}

/// Cells as constants.
#[derive(Clone, Debug, Default)]
struct Cells {
    symbols: Symbols,
    of_cell: BTreeMap<Cell, Symbol>,
    of_symbol: BTreeMap<Symbol, Cell>,
}

impl FlatProgram {
    /// The flat form of a program.
    ///
    /// # Errors
    /// As [`Flattening::new`].
    pub fn new(program: &Program) -> Result<Self, NotFlat> {
        let flattening = Flattening::new(program)?;
        let mut cells = Cells::new(program);
        let mut flat = program.clone();
        for (index, relation) in flat.relations.iter_mut().enumerate() {
            let domains = std::mem::take(&mut relation.domains);
            relation.arity = flattening.width(RelationId(index as u32));
            relation.domains = domains
                .iter()
                .zip(&flattening.relations[index])
                .flat_map(|(domain, &width)| flattening.columns(domain, width, &cells))
                .collect();
        }
        let rules = program.rules.iter().filter_map(|rule| {
            let mut flat = flattening.flatten_rule(rule)?;
            flat.fix_unbound();
            Some(cells.rule(&flat, rule.clause))
        });
        flat.rules = rules.collect();
        flat.symbols = cells.symbols.clone();
        Ok(Self {
            program: flat,
            flattening,
            cells,
        })
    }

    /// The flat row of a ground atom of the program that was flattened; `None` if no such atom ever
    /// holds.
    pub fn row(&self, atom: &Atom) -> Option<Vec<u32>> {
        let flat = self.flattening.flatten(atom)?;
        let symbols = flat.cells.iter().map(|cell| self.cells.known(*cell));
        symbols
            .map(|symbol| symbol.map(|symbol| symbol.0))
            .collect()
    }

    /// The ground atom that a flat row stands for.
    pub fn atom(&self, relation: RelationId, row: &[u32]) -> Option<Atom> {
        let cells = row.iter().map(|&id| self.cells.cell(Symbol(id))).collect();
        self.flattening.deflatten(&FlatAtom { relation, cells })
    }
}

impl Flattening {
    /// What can stand in each of the columns of a place.
    fn columns(&self, domain: &Domain, width: usize, cells: &Cells) -> Vec<Domain> {
        let mut columns = vec![Domain::default(); width];
        columns[0].constants.extend(&domain.constants);
        let nil = cells.known(Cell::Nil);
        let mut shortest = if domain.constants.is_empty() {
            width
        } else {
            1
        };
        for (&(functor, arity), args) in &domain.compounds {
            columns[0]
                .constants
                .extend(cells.known(Cell::Function(functor, arity)));
            let mut column = 1;
            let widths = self.widths.arguments(functor, arity).unwrap_or(&[]);
            for (arg, &width) in args.iter().zip(widths) {
                for inner in self.columns(arg, width, cells) {
                    columns[column].constants.extend(inner.constants);
                    column += 1;
                }
            }
            shortest = shortest.min(column);
        }
        for column in &mut columns[shortest..] {
            column.constants.extend(nil);
        }
        columns
    }
}

impl Cells {
    fn new(program: &Program) -> Self {
        let mut this = Self {
            symbols: program.symbols.clone(),
            ..Self::default()
        };
        this.add(Cell::Nil, "#nil".to_owned());
        let relations = program.relations.iter();
        for domain in relations.flat_map(|relation| &relation.domains) {
            this.add_functions(domain);
        }
        this
    }

    fn add_functions(&mut self, domain: &Domain) {
        for (&(functor, arity), args) in &domain.compounds {
            let name = format!("{}#{arity}", self.symbols.name(functor));
            self.add(Cell::Function(functor, arity), name);
            args.iter().for_each(|arg| self.add_functions(arg));
        }
    }

    /// Gives a cell a name that no other has.
    fn add(&mut self, cell: Cell, mut name: String) {
        if self.of_cell.contains_key(&cell) {
            return;
        }
        while self.symbols.get(&name).is_some() {
            name.push('#');
        }
        let symbol = self.symbols.intern(&name);
        self.of_cell.insert(cell, symbol);
        self.of_symbol.insert(symbol, cell);
    }

    fn known(&self, cell: Cell) -> Option<Symbol> {
        match cell {
            Cell::Constant(symbol) => Some(symbol),
            other => self.of_cell.get(&other).copied(),
        }
    }

    fn cell(&self, symbol: Symbol) -> Cell {
        let special = self.of_symbol.get(&symbol).copied();
        special.unwrap_or(Cell::Constant(symbol))
    }

    fn rule(&mut self, flat: &FlatRule, clause: usize) -> Rule {
        let mut variables = Vec::new();
        let head = self.atom(&flat.head, &mut variables);
        let mut body = Vec::new();
        for literal in &flat.body {
            match literal {
                FlatLiteral::Holds(atom) => {
                    body.push(Literal::Holds(self.atom(atom, &mut variables)));
                }
                FlatLiteral::Fails(atom) => {
                    body.push(Literal::Fails(self.atom(atom, &mut variables)));
                }
                FlatLiteral::Differ(pairs) => body.push(self.differ(pairs, &mut variables)),
                FlatLiteral::Plain(cell) => {
                    let cell = self.term(*cell, &mut variables);
                    let special = self.of_symbol.iter();
                    let functions = special.filter(|(_, cell)| matches!(cell, Cell::Function(..)));
                    body.extend(functions.map(|(&symbol, _)| {
                        Literal::Distinct(cell.clone(), Term::Constant(symbol))
                    }));
                }
            }
        }
        Rule {
            head,
            body,
            variables: variables.len(),
            clause,
        }
    }

    /// Two rows differ if one of their cells does, and so do terms: more than one pair becomes two
    /// terms.
    fn differ(&mut self, pairs: &[(Cell, Cell)], variables: &mut Vec<Cell>) -> Literal {
        let (mut left, mut right): (Vec<Term>, Vec<Term>) = (Vec::new(), Vec::new());
        for &(one, other) in pairs.iter().filter(|(one, other)| one != other) {
            left.push(self.term(one, variables));
            right.push(self.term(other, variables));
        }
        match (&left[..], &right[..]) {
            ([one], [other]) => Literal::Distinct(one.clone(), other.clone()),
            _ => Literal::Distinct(
                Term::Compound(Symbol(0), left),
                Term::Compound(Symbol(0), right),
            ),
        }
    }

    fn atom(&mut self, atom: &FlatAtom, variables: &mut Vec<Cell>) -> Atom {
        let cells = atom.cells.iter();
        Atom {
            relation: atom.relation,
            args: cells.map(|&cell| self.term(cell, variables)).collect(),
        }
    }

    fn term(&mut self, cell: Cell, variables: &mut Vec<Cell>) -> Term {
        if let Cell::Variable(..) = cell {
            let known = variables.iter().position(|&other| other == cell);
            return Term::Variable(known.unwrap_or_else(|| {
                variables.push(cell);
                variables.len() - 1
            }));
        }
        if let Cell::Function(functor, arity) = cell {
            // A function that stands in no domain is the value of no variable, but a rule may name
            // it.
            let name = format!("{}#{arity}", self.symbols.name(functor));
            self.add(cell, name);
        }
        Term::Constant(self.known(cell).unwrap_or(Symbol(0)))
    }
}
