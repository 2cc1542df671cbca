//! Flattening: terms with functions in them become rows of constants of a fixed length, and back.
//!
//! The compiler chapter of Kowalski's thesis (lemma 7.2.1) gives every relation a fixed number of
//! columns: a nested argument takes one column for its function and those of the function's
//! arguments after it, and what is narrower than the widest term of its place is filled up with
//! `#nil`. So `(OnMap (Gold 2) 1 7)` becomes `OnMap Gold 2 #nil 1 7`.
//!
//! Here a function's arguments have the same widths wherever the function occurs. A term's columns
//! are then the same everywhere but for the `#nil`s at their end, so a variable can be carried from
//! a wide place to a narrow one column by column. `docs/methods/flattening-and-domains.md` tells
//! why that is needed.

mod program;
mod text;
mod widths;

use std::fmt;

use crate::program::{Atom, Literal, Program, RelationId, Rule, Term};
use crate::symbol::Symbol;
pub use program::FlatProgram;
use widths::Widths;

/// How the relations of a program become flat.
#[derive(Clone, Debug)]
pub struct Flattening {
    widths: Widths,
    /// For each relation, how many columns each of its arguments takes.
    relations: Vec<Vec<usize>>,
    fluent: usize,
    mov: usize,
}

/// One column of a flat row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Cell {
    /// `#nil`: no part of the term stands here.
    Nil,
    /// A constant.
    Constant(Symbol),
    /// A function with that many arguments, which follow.
    Function(Symbol, usize),
    /// A column of a rule's variable: the variable and the column, both counted from 0.
    Variable(usize, usize),
}

/// A relation with a cell for each of its columns.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FlatAtom {
    /// The relation.
    pub relation: RelationId,
    /// As many cells as the relation is wide.
    pub cells: Vec<Cell>,
}

/// A condition of a flat rule.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum FlatLiteral {
    /// The atom holds.
    Holds(FlatAtom),
    /// The atom does not hold.
    Fails(FlatAtom),
    /// The cells of at least one of these pairs differ.
    Differ(Vec<(Cell, Cell)>),
    /// The cell is no function.
    Plain(Cell),
}

/// A rule over flat atoms.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FlatRule {
    /// What is derived.
    pub head: FlatAtom,
    /// The conditions.
    pub body: Vec<FlatLiteral>,
}

/// Why a program has no flat form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotFlat {
    /// Terms of any size can stand at an argument of this relation, here by its name for people.
    Open(String),
    /// This function can stand inside itself, so that its arguments cannot have the same widths
    /// everywhere.
    Nested(String),
    /// This relation would have more columns than any engine could use.
    TooWide(String),
}

impl fmt::Display for NotFlat {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotFlat::Open(relation) => {
                write!(
                    formatter,
                    "the terms in `{relation}` can grow without a bound"
                )
            }
            NotFlat::Nested(function) => {
                write!(formatter, "the function `{function}` stands inside itself")
            }
            NotFlat::TooWide(relation) => {
                write!(
                    formatter,
                    "`{relation}` would have more than {} columns",
                    widths::MAX_WIDTH
                )
            }
        }
    }
}

impl std::error::Error for NotFlat {}

impl Flattening {
    /// Finds the columns of all relations of a program.
    ///
    /// # Errors
    /// If there is no bound on the terms of a relation, or a function can stand inside itself.
    pub fn new(program: &Program) -> Result<Self, NotFlat> {
        let widths = Widths::new(program)?;
        let columns = |id: usize| -> Vec<usize> {
            let domains = &program.relations[id].domains;
            domains.iter().map(|domain| widths.domain(domain)).collect()
        };
        let whole = |id: RelationId, beside: usize| {
            let functor = usize::from(program.relation(id).functor.is_some());
            functor + columns(id.index())[beside..].iter().sum::<usize>()
        };
        let fluents = program.fluents.iter().map(|fluent| whole(fluent.holds, 0));
        let moves = program.moves.iter().map(|kind| whole(kind.legal, 1));
        Ok(Self {
            relations: (0..program.relations.len()).map(columns).collect(),
            fluent: fluents.max().unwrap_or(1),
            mov: moves.max().unwrap_or(1),
            widths,
        })
    }

    /// How many columns a relation has.
    pub fn width(&self, relation: RelationId) -> usize {
        self.relations[relation.index()].iter().sum()
    }

    /// How many columns a whole fluent takes, whatever its kind, its function being the first of
    /// them.
    pub fn fluent_width(&self) -> usize {
        self.fluent
    }

    /// How many columns a whole move takes, whatever its kind, its function being the first of
    /// them.
    pub fn move_width(&self) -> usize {
        self.mov
    }

    /// The flat form of an atom; `None` if its terms cannot stand in the relation, so that it never
    /// holds.
    pub fn flatten(&self, atom: &Atom) -> Option<FlatAtom> {
        let mut cells = Vec::with_capacity(self.width(atom.relation));
        for (term, &width) in atom.args.iter().zip(&self.relations[atom.relation.index()]) {
            self.push(term, width, &mut cells)?;
        }
        Some(FlatAtom {
            relation: atom.relation,
            cells,
        })
    }

    /// The flat form of a term in that many columns; `None` if it does not fit.
    pub fn flatten_term(&self, term: &Term, width: usize) -> Option<Vec<Cell>> {
        let mut cells = Vec::with_capacity(width);
        self.push(term, width, &mut cells)?;
        Some(cells)
    }

    fn push(&self, term: &Term, width: usize, cells: &mut Vec<Cell>) -> Option<()> {
        let end = cells.len() + width;
        match term {
            Term::Variable(variable) => {
                cells.extend((0..width).map(|column| Cell::Variable(*variable, column)));
            }
            Term::Constant(symbol) => cells.push(Cell::Constant(*symbol)),
            Term::Compound(functor, args) => {
                let widths = self.widths.arguments(*functor, args.len())?;
                if 1 + widths.iter().sum::<usize>() > width {
                    return None;
                }
                cells.push(Cell::Function(*functor, args.len()));
                for (arg, &width) in args.iter().zip(widths) {
                    self.push(arg, width, cells)?;
                }
            }
        }
        cells.resize(end, Cell::Nil);
        Some(())
    }

    /// The ground atom that has this flat form; `None` if none has.
    pub fn deflatten(&self, atom: &FlatAtom) -> Option<Atom> {
        let mut rest = &atom.cells[..];
        let mut args = Vec::new();
        for &width in &self.relations[atom.relation.index()] {
            let (cells, after) = rest.split_at_checked(width)?;
            args.push(self.deflatten_term(cells)?);
            rest = after;
        }
        rest.is_empty().then_some(Atom {
            relation: atom.relation,
            args,
        })
    }

    /// The ground term that has this flat form; `None` if none has.
    pub fn deflatten_term(&self, cells: &[Cell]) -> Option<Term> {
        let (&root, mut rest) = cells.split_first()?;
        let term = match root {
            Cell::Constant(symbol) => Term::Constant(symbol),
            Cell::Function(functor, arity) => {
                let mut args = Vec::with_capacity(arity);
                for &width in self.widths.arguments(functor, arity)? {
                    let (cells, after) = rest.split_at_checked(width)?;
                    args.push(self.deflatten_term(cells)?);
                    rest = after;
                }
                Term::Compound(functor, args)
            }
            Cell::Nil | Cell::Variable(..) => return None,
        };
        rest.iter().all(|&cell| cell == Cell::Nil).then_some(term)
    }

    /// The flat form of a rule; `None` if its body can never hold.
    ///
    /// A variable in a head may have more columns there than in the body. The rule is safe to
    /// evaluate after [`FlatRule::fix_unbound`].
    pub fn flatten_rule(&self, rule: &Rule) -> Option<FlatRule> {
        let bound = self.bound_widths(rule);
        let mut body = Vec::with_capacity(rule.body.len());
        for literal in &rule.body {
            match literal {
                Literal::Holds(atom) => body.push(FlatLiteral::Holds(self.flatten(atom)?)),
                // What never holds always fails.
                Literal::Fails(atom) => body.extend(self.flatten(atom).map(FlatLiteral::Fails)),
                Literal::Distinct(left, right) => {
                    let mut pairs = Vec::new();
                    if self.may_be_equal(left, right, &bound, &mut pairs) {
                        body.push(FlatLiteral::Differ(pairs));
                    }
                }
                Literal::Plain(Term::Variable(variable)) => {
                    body.push(FlatLiteral::Plain(Cell::Variable(*variable, 0)));
                }
                Literal::Plain(Term::Constant(_)) => {}
                Literal::Plain(Term::Compound(..)) => return None,
            }
        }
        Some(FlatRule {
            head: self.flatten(&rule.head)?,
            body,
        })
    }

    /// For each variable of a rule, how many of its columns the positive literals of the body bind.
    fn bound_widths(&self, rule: &Rule) -> Vec<usize> {
        let mut bound = vec![0; rule.variables];
        for literal in &rule.body {
            let Literal::Holds(atom) = literal else {
                continue;
            };
            for cell in self.flatten(atom).into_iter().flat_map(|flat| flat.cells) {
                if let Cell::Variable(variable, column) = cell {
                    bound[variable] = bound[variable].max(column + 1);
                }
            }
        }
        bound
    }

    /// Collects the pairs of cells that are all equal if, and only if, the terms are; false if the
    /// terms always differ.
    fn may_be_equal(
        &self,
        left: &Term,
        right: &Term,
        bound: &[usize],
        pairs: &mut Vec<(Cell, Cell)>,
    ) -> bool {
        if let (Term::Compound(f, left), Term::Compound(g, right)) = (left, right) {
            return f == g
                && left.len() == right.len()
                && left
                    .iter()
                    .zip(right)
                    .all(|(left, right)| self.may_be_equal(left, right, bound, pairs));
        }
        if left.is_ground() && right.is_ground() && left != right {
            return false;
        }
        let width = |term: &Term| match term {
            Term::Variable(variable) => bound[*variable],
            Term::Constant(_) => 1,
            Term::Compound(functor, args) => self.widths.function(*functor, args.len()),
        };
        let width = width(left).max(width(right));
        // A function that no fact contains is the value of no variable.
        let (Some(left), Some(right)) = (
            self.flatten_term(left, width),
            self.flatten_term(right, width),
        ) else {
            return false;
        };
        pairs.extend(left.into_iter().zip(right));
        true
    }
}

impl FlatRule {
    /// Puts `#nil` for the columns of variables that no positive condition binds: the value of such
    /// a variable comes from a place without that column, so its term has no part there.
    pub fn fix_unbound(&mut self) {
        let positive = self.body.iter().filter_map(|literal| match literal {
            FlatLiteral::Holds(atom) => Some(&atom.cells),
            _ => None,
        });
        let bound: std::collections::BTreeSet<Cell> = positive.flatten().copied().collect();
        let fix = |cell: &mut Cell| {
            if matches!(cell, Cell::Variable(..)) && !bound.contains(cell) {
                *cell = Cell::Nil;
            }
        };
        self.head.cells.iter_mut().for_each(fix);
        for literal in &mut self.body {
            match literal {
                FlatLiteral::Holds(_) | FlatLiteral::Plain(_) => {}
                FlatLiteral::Fails(atom) => atom.cells.iter_mut().for_each(fix),
                FlatLiteral::Differ(pairs) => {
                    for (left, right) in pairs {
                        fix(left);
                        fix(right);
                    }
                }
            }
        }
    }
}
