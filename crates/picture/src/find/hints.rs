//! What authors call their variables: `?column` and `?y` say which argument is which.

use std::collections::BTreeMap;

use paidia_gdl::syntax::{Atom, Formula, Sheet, Term, TermKind};

use crate::links::Place;

/// Votes of variables for arguments of fluents.
#[derive(Clone, Debug, Default)]
pub(super) struct Hints {
    votes: BTreeMap<Place, Votes>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Votes {
    x: u32,
    y: u32,
    column: u32,
    row: u32,
}

/// Which way two arguments are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// Column and row, rows from the bottom up.
    Upright,
    /// Row and column, rows from the bottom up.
    Swapped,
    /// Row and column as in a table, with the first row on top.
    Table,
}

impl Hints {
    /// Reads all variables of a sheet.
    pub(super) fn new(sheet: &Sheet) -> Self {
        let mut this = Self::default();
        for clause in &sheet.clauses {
            this.read_atom(sheet, &clause.head);
            for formula in &clause.body {
                this.read_formula(sheet, formula);
            }
        }
        this
    }

    fn read_formula(&mut self, sheet: &Sheet, formula: &Formula) {
        match formula {
            Formula::Atom(atom) => self.read_atom(sheet, atom),
            Formula::Not(inner, _) => self.read_formula(sheet, inner),
            Formula::And(all, _) | Formula::Or(all, _) => {
                all.iter().for_each(|inner| self.read_formula(sheet, inner));
            }
            Formula::Distinct(..) => {}
        }
    }

    /// Looks at the fluent in an atom, if there is one.
    fn read_atom(&mut self, sheet: &Sheet, atom: &Atom) {
        let about_fluents = matches!(sheet.symbols.name(atom.relation), "init" | "true" | "next");
        let Some(Term {
            kind: TermKind::Compound(functor, arguments),
            ..
        }) = atom.args.last().filter(|_| about_fluents)
        else {
            return;
        };
        for (index, argument) in arguments.iter().enumerate() {
            if let TermKind::Variable(variable) = argument.kind {
                let key = (sheet.symbols.name(*functor).to_owned(), arguments.len());
                let votes = self.votes.entry((key, index)).or_default();
                votes.add(sheet.symbols.name(variable));
            }
        }
    }

    /// Which way two arguments are meant, by the names of variables and by letters before numbers.
    pub(super) fn turn(&self, first: &Place, second: &Place, values: [&[String]; 2]) -> Turn {
        let [one, other] =
            [first, second].map(|place| self.votes.get(place).copied().unwrap_or_default());
        let [mut before, mut after] = [one, other];
        for (votes, values) in [(&mut before, values[0]), (&mut after, values[1])] {
            let word = values.first().map_or("", |value| {
                value.trim_end_matches(|c: char| c.is_ascii_digit())
            });
            votes.add(match word {
                "c" => "col",
                "r" => "row",
                word => word,
            });
        }
        if before.row > before.column && after.column > after.row {
            Turn::Table
        } else if before.y > before.x && after.x > after.y {
            Turn::Swapped
        } else {
            Turn::Upright
        }
    }
}

impl Votes {
    fn add(&mut self, variable: &str) {
        let name = variable.to_lowercase();
        if name.contains("col") || name.contains("file") {
            self.column += 1;
        } else if name.contains("row") || name.contains("rank") {
            self.row += 1;
        } else if name.starts_with('x') || name.ends_with('x') {
            self.x += 1;
        } else if name.starts_with('y') || name.ends_with('y') {
            self.y += 1;
        }
    }
}
