//! Flat rules mean what the rules mean: evaluated as a program of their own, they give the same
//! facts.

use std::collections::BTreeSet;

use paidia_gdl::Symbol;
use paidia_gdl::analysis::Dynamics;
use paidia_gdl::analysis::flatten::FlatProgram;
use paidia_gdl::datalog::{Limits, TermId};
use paidia_gdl::program::{Atom, Program, RelationId, Term};

use crate::program::evaluate::{Evaluation, LIMITS, evaluate_with};
use crate::program::{program, sheets};

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

/// Evaluates the flat rules, with the same moves as in the other evaluation, and reads their facts
/// back.
fn flat_atoms(flat: &FlatProgram, other: &Evaluation<'_>) -> Vec<BTreeSet<Vec<Term>>> {
    let program = &flat.program;
    let mut evaluation = Evaluation::new(program, LIMITS, &[]);
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
            let row = flat.row(&atom).expect("legal moves are flat");
            evaluation.machine.insert(kind.does, &row);
        }
    }
    evaluation.derive(Dynamics::Move);
    assert_eq!(evaluation.exhausted(), None);
    let all = (0..program.relations.len()).map(|index| RelationId(index as u32));
    let read = |relation: RelationId| {
        let rows = evaluation.rows(relation).into_iter();
        rows.map(|row| {
            assert_in_domains(program, relation, &row);
            let atom = flat.atom(relation, &row);
            atom.expect("every derived row is a flat form").args
        })
        .collect()
    };
    all.map(read).collect()
}

/// Every value of a derived row is in the domain of its column.
fn assert_in_domains(program: &Program, relation: RelationId, row: &[TermId]) {
    let domains = &program.relation(relation).domains;
    assert_eq!(domains.len(), row.len());
    for (domain, &value) in domains.iter().zip(row) {
        let name = program.relation_name(relation);
        let value = Symbol(value);
        assert!(
            domain.constants.contains(&value),
            "{name}: {}",
            program.symbols.name(value)
        );
    }
}

/// Compares a sheet's facts with those of its flat rules; false if it has none, or there is too
/// much to derive.
pub(crate) fn agrees(name: &str, text: &str, limits: Limits) -> bool {
    let program = program(text);
    let Ok(flat) = FlatProgram::new(&program) else {
        return false;
    };
    let evaluation = evaluate_with(&program, limits, &[]);
    if evaluation.exhausted().is_some() {
        return false;
    }
    let expected = atoms(&program, &evaluation);
    let found = flat_atoms(&flat, &evaluation);
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
