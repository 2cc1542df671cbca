//! Flat rules mean what the rules mean: evaluated as a program of their own, they give the same facts.

use std::collections::BTreeSet;

use paidia_gdl::analysis::Dynamics;
use paidia_gdl::analysis::flatten::{Cell, FlatAtom, FlatLiteral, FlatRule, Flattening};
use paidia_gdl::datalog::{Limits, TermId};
use paidia_gdl::program::domains::Domain;
use paidia_gdl::program::{Atom, Literal, Program, RelationId, Rule, Term};
use paidia_gdl::{Symbol, Symbols};

use crate::evaluate::{Evaluation, LIMITS, evaluate_with};
use crate::{program, sheets};

/// Cells as constants of a program.
struct Cells {
    symbols: Symbols,
    /// All functions that can stand somewhere.
    functions: Vec<Cell>,
}

impl Cells {
    fn new(program: &Program) -> Self {
        let mut functions = BTreeSet::new();
        let domains = program
            .relations
            .iter()
            .flat_map(|relation| &relation.domains);
        domains.for_each(|domain| functions_of(domain, &mut functions));
        Self {
            symbols: program.symbols.clone(),
            functions: functions.into_iter().collect(),
        }
    }

    const NIL: &'static str = "#nil";

    fn symbol(&mut self, cell: Cell) -> Symbol {
        match cell {
            Cell::Nil => self.symbols.intern(Self::NIL),
            Cell::Constant(symbol) => symbol,
            Cell::Function(symbol, arity) => {
                let name = format!("{}#{arity}", self.symbols.name(symbol));
                self.symbols.intern(&name)
            }
            Cell::Variable(..) => unreachable!("a variable is no constant"),
        }
    }

    fn cell(&self, symbol: Symbol) -> Cell {
        let name = self.symbols.name(symbol);
        match name.split_once('#') {
            None => Cell::Constant(symbol),
            Some(("", _)) => Cell::Nil,
            Some((name, arity)) => {
                let functor = self
                    .symbols
                    .get(name)
                    .expect("the function's name is known");
                Cell::Function(functor, arity.parse().expect("a number of arguments"))
            }
        }
    }
}

fn functions_of(domain: &Domain, into: &mut BTreeSet<Cell>) {
    for (&(functor, arity), args) in &domain.compounds {
        into.insert(Cell::Function(functor, arity));
        args.iter().for_each(|arg| functions_of(arg, into));
    }
}

/// The flat rules of a program as a program over the same relations, which are wider there.
fn flat_program(program: &Program, flattening: &Flattening) -> (Program, Cells) {
    let mut cells = Cells::new(program);
    let mut flat = program.clone();
    for (index, relation) in flat.relations.iter_mut().enumerate() {
        relation.arity = flattening.width(RelationId(index as u32));
        relation.domains = vec![Domain::anything(); relation.arity];
    }
    let rules = program.rules.iter().filter_map(|rule| {
        let mut flat = flattening.flatten_rule(rule)?;
        flat.fix_unbound();
        Some(as_rule(&flat, rule.clause, &mut cells))
    });
    flat.rules = rules.collect();
    flat.symbols = cells.symbols.clone();
    (flat, cells)
}

fn as_rule(flat: &FlatRule, clause: usize, cells: &mut Cells) -> Rule {
    let functions = cells.functions.clone();
    let mut variables: Vec<Cell> = Vec::new();
    let mut term = |cell: Cell| match cell {
        Cell::Variable(..) => {
            let known = variables.iter().position(|&other| other == cell);
            Term::Variable(known.unwrap_or_else(|| {
                variables.push(cell);
                variables.len() - 1
            }))
        }
        _ => Term::Constant(cells.symbol(cell)),
    };
    let mut atom = |atom: &FlatAtom| Atom {
        relation: atom.relation,
        args: atom.cells.iter().map(|&cell| term(cell)).collect(),
    };
    let head = atom(&flat.head);
    let mut body = Vec::new();
    for literal in &flat.body {
        match literal {
            FlatLiteral::Holds(holds) => body.push(Literal::Holds(atom(holds))),
            FlatLiteral::Fails(fails) => body.push(Literal::Fails(atom(fails))),
            FlatLiteral::Differ(pairs) => {
                let row = |cells: Vec<Cell>| FlatAtom {
                    relation: flat.head.relation,
                    cells,
                };
                let (left, right) = pairs.iter().copied().unzip();
                let (left, right) = (atom(&row(left)).args, atom(&row(right)).args);
                // Two rows differ if one of their cells does, and so do terms.
                let row = |args| Term::Compound(Symbol(0), args);
                body.push(Literal::Distinct(row(left), row(right)));
            }
            FlatLiteral::Plain(cell) => {
                for &function in &functions {
                    let pair = FlatAtom {
                        relation: flat.head.relation,
                        cells: vec![*cell, function],
                    };
                    let [cell, function] = atom(&pair).args.try_into().expect("two terms");
                    body.push(Literal::Distinct(cell, function));
                }
            }
        }
    }
    let variables = variables.len();
    Rule {
        head,
        body,
        variables,
        clause,
    }
}

/// The facts of all relations of an evaluated program as atoms.
fn atoms(program: &Program, evaluation: &Evaluation<'_>) -> Vec<BTreeSet<Vec<Term>>> {
    let all = (0..program.relations.len()).map(|index| RelationId(index as u32));
    let rows = all.map(|id| evaluation.rows(id));
    let read = |row: Vec<TermId>| row.iter().map(|&id| ground(evaluation, id)).collect();
    rows.map(|rows| rows.into_iter().map(read).collect())
        .collect()
}

fn ground(evaluation: &Evaluation<'_>, id: TermId) -> Term {
    match evaluation.machine.terms.parts(id) {
        None => Term::Constant(Symbol(id)),
        Some(parts) => {
            let args = parts[1..].iter().map(|&part| ground(evaluation, part));
            Term::Compound(Symbol(parts[0]), args.collect())
        }
    }
}

/// Evaluates the flat rules, with the same moves as in the other evaluation, and reads their facts back.
fn flat_atoms(
    program: &Program,
    flattening: &Flattening,
    other: &Evaluation<'_>,
) -> Vec<BTreeSet<Vec<Term>>> {
    let (flat, mut cells) = flat_program(program, flattening);
    let mut evaluation = Evaluation::new(&flat, LIMITS, &[]);
    evaluation.derive(Dynamics::Static);
    evaluation.start();
    evaluation.derive(Dynamics::State);
    for kind in &program.moves {
        for row in other.rows(kind.does) {
            let args = row.iter().map(|&id| ground(other, id)).collect();
            let atom = Atom {
                relation: kind.does,
                args,
            };
            let row = flattening
                .flatten(&atom)
                .expect("legal moves are flat")
                .cells;
            let row: Vec<TermId> = row.into_iter().map(|cell| cells.symbol(cell).0).collect();
            evaluation.machine.insert(kind.does, &row);
        }
    }
    evaluation.derive(Dynamics::Move);
    assert_eq!(evaluation.exhausted(), None);
    let all = (0..program.relations.len()).map(|index| RelationId(index as u32));
    let read = |relation: RelationId| {
        let rows = evaluation.rows(relation).into_iter();
        rows.map(|row| {
            let cells = row.iter().map(|&id| cells.cell(Symbol(id))).collect();
            let atom = flattening.deflatten(&FlatAtom { relation, cells });
            atom.expect("every derived row is a flat form").args
        })
        .collect()
    };
    all.map(read).collect()
}

/// Compares a sheet's facts with those of its flat rules; false if it has none, or there is too much to derive.
pub(crate) fn agrees(name: &str, text: &str, limits: Limits) -> bool {
    let program = program(text);
    let Ok(flattening) = Flattening::new(&program) else {
        return false;
    };
    let evaluation = evaluate_with(&program, limits, &[]);
    if evaluation.exhausted().is_some() {
        return false;
    }
    let expected = atoms(&program, &evaluation);
    let found = flat_atoms(&program, &flattening, &evaluation);
    for (index, (expected, found)) in expected.iter().zip(&found).enumerate() {
        let relation = program.relation_name(RelationId(index as u32));
        assert_eq!(expected, found, "{name}: {relation}");
    }
    true
}

#[test]
fn flat_rules_of_all_games_give_the_same_facts() {
    let limits = Limits {
        steps: 200_000,
        ..LIMITS
    };
    let sheets = sheets();
    let agreeing = sheets
        .iter()
        .filter(|(name, text)| agrees(name, text, limits))
        .count();
    println!("{agreeing} of {} sheets are small enough", sheets.len());
    assert!(agreeing * 2 > sheets.len());
}

#[test]
fn variables_go_from_wide_places_to_narrow_ones_and_back() {
    let sheet = "
        (role a) (wide a) (wide (f b)) (wide (g (f b) c)) (narrow a) (narrow b) (narrow f)
        (half a) (half (f b)) (half (f c)) (pairs (g a c) a) (pairs (g (f b) c) (f b))
        (<= (both ?x) (wide ?x) (narrow ?x))
        (<= (wide_again ?x) (narrow ?x)) (<= (wide_again ?x) (wide ?x))
        (<= (only_wide ?x) (wide ?x) (not (narrow ?x)))
        (<= (only_half ?x) (half ?x) (not (wide ?x)))
        (<= (inside ?x) (wide (g ?x ?y)))
        (<= (wrapped (g ?x c)) (half ?x))
        (<= (others ?x ?y) (wide ?x) (half ?y) (distinct ?x ?y))
        (<= (no_f ?x) (half ?x) (distinct ?x (f b)))
        (<= (parts ?y) (half ?x) (pairs (g ?x ?z) ?y) (distinct (f ?y) (f ?x)))
        (<= (same ?x) (pairs (g ?x ?z) ?y) (not (distinct ?x ?y)))
        (<= (odd ?x) (narrow ?x) (not (wide (h ?x))) (distinct ?x (h a)))";
    assert!(agrees("wide and narrow", sheet, LIMITS));
}
