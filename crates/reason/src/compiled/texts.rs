//! Between texts and rows: fluents, moves and percepts as people and other programs write them.

use paidia_gdl::analysis::flatten::FlatProgram;
use paidia_gdl::datalog::{TermId, Terms};
use paidia_gdl::program::{Atom, Program, RelationId, Term};
use paidia_gdl::{Symbol, Symbols};

use crate::shapes::read_ground;

/// The way from rows to texts and back.
pub(crate) struct Texts {
    /// The program as its author wrote it.
    program: Program,
    /// Its flat form, whose rows are meant, if there is one.
    flat: Option<FlatProgram>,
    /// Some role, to stand where a move's role does.
    role: u32,
}

/// Why a text is nothing that can be read.
type Refusal = String;

impl Texts {
    pub(crate) fn new(program: Program, flat: Option<FlatProgram>, role: u32) -> Self {
        Self {
            program,
            flat,
            role,
        }
    }

    /// Writes the fluent that a row of a relation is about.
    pub(crate) fn write(
        &self,
        relation: RelationId,
        row: &[u32],
        terms: &Terms,
        into: &mut String,
    ) {
        self.write_after(relation, row, 0, terms, into);
    }

    /// Writes the move or percept that a row of a relation, without its role, is about.
    pub(crate) fn write_after_role(
        &self,
        relation: RelationId,
        rest: &[u32],
        terms: &Terms,
        into: &mut String,
    ) {
        let row: Vec<u32> = std::iter::once(self.role)
            .chain(rest.iter().copied())
            .collect();
        self.write_after(relation, &row, 1, terms, into);
    }

    fn write_after(
        &self,
        relation: RelationId,
        row: &[u32],
        skip: usize,
        terms: &Terms,
        into: &mut String,
    ) {
        let symbols = &self.program.symbols;
        let functor = self.program.relation(relation).functor;
        let Some(flat) = &self.flat else {
            return terms.write_row(functor, &row[skip..], symbols, into);
        };
        // Every row that is derived is the flat form of an atom.
        let Some(atom) = flat.atom(relation, row) else {
            return;
        };
        let mut args = atom.args;
        args.drain(..skip);
        match (functor, args.pop()) {
            (Some(functor), Some(last)) => {
                args.push(last);
                write_term(&Term::Compound(functor, args), symbols, into);
            }
            (_, Some(only)) => write_term(&only, symbols, into),
            (_, None) => {}
        }
    }

    /// The kind and row of a fluent.
    pub(crate) fn read_fluent(
        &self,
        text: &str,
        terms: &mut Terms,
    ) -> Result<(usize, Vec<u32>), Refusal> {
        let kinds = self.program.fluents.iter();
        let kinds = kinds.map(|fluent| (fluent.functor, fluent.holds));
        self.read(text, kinds, &[], terms)
    }

    /// The kind and row, without the role, of a move.
    pub(crate) fn read_move(
        &self,
        text: &str,
        terms: &mut Terms,
    ) -> Result<(usize, Vec<u32>), Refusal> {
        let kinds = self.program.moves.iter();
        let kinds = kinds.map(|kind| (kind.functor, kind.legal));
        let (kind, mut row) = self.read(text, kinds, &[self.role], terms)?;
        row.remove(0);
        Ok((kind, row))
    }

    fn read(
        &self,
        text: &str,
        mut kinds: impl Iterator<Item = (Option<Symbol>, RelationId)>,
        before: &[u32],
        terms: &mut Terms,
    ) -> Result<(usize, Vec<u32>), Refusal> {
        let (functor, rest) = read_ground(text, &self.program.symbols, terms)?.into_row();
        let args = [before, &rest].concat();
        let mut number = 0;
        let found = kinds.find(|&(other, relation)| {
            number += 1;
            other == functor && self.program.relation(relation).arity == args.len()
        });
        let unknown = || "no rule makes such a fact true".to_owned();
        let (_, relation) = found.ok_or_else(unknown)?;
        let row = match &self.flat {
            None => Some(args),
            Some(flat) => {
                let args = args.iter().map(|&id| term(id, terms)).collect();
                flat.row(&Atom { relation, args })
            }
        };
        Ok((number - 1, row.ok_or_else(unknown)?))
    }
}

fn term(id: TermId, terms: &Terms) -> Term {
    match terms.parts(id) {
        None => Term::Constant(Symbol(id)),
        Some(parts) => {
            let args = parts[1..].iter().map(|&part| term(part, terms));
            Term::Compound(Symbol(parts[0]), args.collect())
        }
    }
}

fn write_term(term: &Term, symbols: &Symbols, into: &mut String) {
    match term {
        Term::Variable(_) => {}
        Term::Constant(symbol) => into.push_str(symbols.name(*symbol)),
        Term::Compound(functor, args) => {
            into.push('(');
            into.push_str(symbols.name(*functor));
            for arg in args {
                into.push(' ');
                write_term(arg, symbols, into);
            }
            into.push(')');
        }
    }
}
