//! Where facts are found: tables with indexes that are made when they are first of use, or lists
//! that are searched.

use paidia_gdl::datalog::table::NONE;
use paidia_gdl::datalog::{Machine, NoRoom, Table, TermId, Terms};
use paidia_gdl::program::{Atom, Term};

use super::bindings::{Value, is_ground};
use super::code::Access;

/// All facts that are not derived by rules.
#[derive(Clone, Debug)]
pub(super) struct Facts {
    /// For each relation its facts, or what was asked for and proved.
    pub(super) tables: Vec<Table>,
    /// The terms in them.
    pub(super) terms: Terms,
    /// For each relation and argument, the number of its index, if there is one.
    indexes: Vec<Vec<u32>>,
    /// What holds, and the moves that are made: a relation and its arguments, fact after fact.
    lists: [Vec<u32>; 2],
}

/// A place among facts.
#[derive(Clone, Copy, Debug)]
pub(super) enum Cursor {
    /// A row of a table, reached by an index.
    Chain { index: u32, row: u32 },
    /// A row of a table.
    Row(u32),
    /// A place in a list.
    Listed { list: u8, place: u32 },
}

/// Where to look for a fact.
#[derive(Clone, Copy, Debug)]
pub(super) enum Start {
    /// There is no need to look: it is known whether the fact is there.
    Known(bool),
    /// From this place on.
    At(Cursor),
}

impl Facts {
    /// The facts of a machine.
    pub(super) fn new(machine: &Machine) -> Self {
        let tables = machine.tables.clone();
        Self {
            indexes: tables
                .iter()
                .map(|table| vec![NONE; table.arity()])
                .collect(),
            tables,
            terms: machine.terms.clone(),
            lists: Default::default(),
        }
    }

    /// Adds a fact to its table, or to a list.
    pub(super) fn add(&mut self, relation: u32, access: Access, row: &[TermId]) {
        match list_of(access) {
            Some(list) => {
                self.lists[list].push(relation);
                self.lists[list].extend_from_slice(row);
            }
            None => {
                self.tables[relation as usize].insert(row);
            }
        }
    }

    /// Adds a fact of the rules to its table; one that has variables, which no sheet has that
    /// passed the checks, is left out.
    ///
    /// # Errors
    /// If there are more terms than there is room for.
    pub(super) fn add_ground(&mut self, fact: &Atom) -> Result<(), NoRoom> {
        if !fact.args.iter().all(Term::is_ground) {
            return Ok(());
        }
        let args = fact.args.iter();
        let row: Result<Vec<TermId>, NoRoom> = args.map(|arg| self.term(arg)).collect();
        self.tables[fact.relation.index()].insert(&row?);
        Ok(())
    }

    fn term(&mut self, term: &Term) -> Result<TermId, NoRoom> {
        match term {
            Term::Variable(_) => Ok(0),
            Term::Constant(symbol) => Ok(symbol.0),
            Term::Compound(functor, args) => {
                let mut parts = vec![functor.0];
                for arg in args {
                    parts.push(self.term(arg)?);
                }
                self.terms.intern(&parts)
            }
        }
    }

    /// Empties the lists.
    pub(super) fn clear_lists(&mut self) {
        self.lists.iter_mut().for_each(Vec::clear);
    }

    /// Where to look for the facts that match some arguments.
    #[inline]
    pub(super) fn start(&mut self, relation: u32, access: Access, args: &[Value]) -> Start {
        if let Some(list) = list_of(access) {
            let list = list as u8;
            return Start::At(Cursor::Listed { list, place: 0 });
        }
        if access == Access::Scanned {
            return Start::At(Cursor::Row(0));
        }
        let mut bound = args.iter().map(|&arg| is_ground(arg));
        let Some(column) = bound.position(|is_bound| is_bound) else {
            return match args.is_empty() {
                true => Start::Known(!self.tables[relation as usize].is_empty()),
                false => Start::At(Cursor::Row(0)),
            };
        };
        if column == 0 && bound.all(|is_bound| is_bound) {
            return Start::Known(self.tables[relation as usize].contains(args));
        }
        let index = self.index(relation, column);
        let row = self.tables[relation as usize].first(index as usize, &args[column..=column]);
        match row {
            NONE => Start::Known(false),
            _ => Start::At(Cursor::Chain { index, row }),
        }
    }

    #[inline]
    fn index(&mut self, relation: u32, column: usize) -> u32 {
        let known = &mut self.indexes[relation as usize][column];
        if *known == NONE {
            *known = self.tables[relation as usize].index_on(&[column]) as u32;
        }
        *known
    }

    /// The fact at a place or the next one after it in a list, and the place after that.
    #[inline]
    pub(super) fn at(&self, relation: u32, cursor: Cursor) -> Option<(&[TermId], Option<Cursor>)> {
        let table = &self.tables[relation as usize];
        match cursor {
            Cursor::Chain { index, row } => {
                let next = table.next(index as usize, row);
                let next = (next != NONE).then_some(Cursor::Chain { index, row: next });
                Some((table.row(row), next))
            }
            Cursor::Row(row) => {
                let next = (row + 1 < table.len()).then_some(Cursor::Row(row + 1));
                (row < table.len()).then(|| (table.row(row), next))
            }
            Cursor::Listed { list, place } => self.listed(relation, list, place as usize),
        }
    }

    fn listed(
        &self,
        relation: u32,
        list: u8,
        mut place: usize,
    ) -> Option<(&[TermId], Option<Cursor>)> {
        let facts = &self.lists[list as usize];
        while let Some(&other) = facts.get(place) {
            let start = place + 1;
            place = start + self.tables[other as usize].arity();
            if other == relation {
                let next = Cursor::Listed {
                    list,
                    place: place as u32,
                };
                let next = (place < facts.len()).then_some(next);
                return Some((&facts[start..place], next));
            }
        }
        None
    }
}

fn list_of(access: Access) -> Option<usize> {
    match access {
        Access::State => Some(0),
        Access::Moves => Some(1),
        Access::Indexed | Access::Scanned => None,
    }
}
