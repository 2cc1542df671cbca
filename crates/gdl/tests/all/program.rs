//! From sheets to facts: lowering, analysis, flattening and the Datalog machine, seen from outside.

mod demand;
mod dependencies;
mod evaluate;
mod flat_rules;
mod flattening;
mod limits;
mod lowering;
mod made_up;
mod naive;
mod random;

use paidia_gdl::program::{Atom, Program, RelationId, Term};
use paidia_gdl::syntax::{self, Sheet, TermKind};
use paidia_gdl::{Dialect, Source, Symbols};
use paidia_testkit::{RuleSheet, corpus};

/// The rule sheets of the bundled games and, where it is present, of the public collection, with
/// their names.
fn sheets() -> Vec<(String, String)> {
    let public = corpus().map_or_else(Vec::new, |corpus| corpus.all());
    let sheets = RuleSheet::all_bundled().chain(public);
    sheets.map(|rules| (rules.name, rules.text)).collect()
}

/// The clauses of a text, which must be well formed.
fn sheet(text: &str) -> Sheet {
    let reading = syntax::read(&Source::new("test", text));
    assert_eq!(reading.problems, [], "{text}");
    reading.sheet
}

/// The program of a text.
fn program(text: &str) -> Program {
    let sheet = sheet(text);
    Program::new(&sheet, Dialect::detect(&sheet)).expect("the program is small")
}

/// The relation with that name for people, such as `true cell/3`.
fn relation(program: &Program, name: &str) -> RelationId {
    let mut ids = (0..program.relations.len()).map(|index| RelationId(index as u32));
    let found = ids.find(|&id| program.relation_name(id) == name);
    found.unwrap_or_else(|| panic!("no relation {name}"))
}

/// Reads a term in the names of a program; its variables are numbered by `variables`.
fn term(text: &str, symbols: &Symbols, variables: &[&str]) -> Term {
    let sheet = sheet(&format!("(role {text})"));
    number(&sheet.clauses[0].head.args[0], &sheet, symbols, variables)
}

fn number(term: &syntax::Term, sheet: &Sheet, symbols: &Symbols, variables: &[&str]) -> Term {
    let symbol = |symbol| {
        let name = sheet.symbols.name(symbol);
        symbols
            .get(name)
            .unwrap_or_else(|| panic!("no symbol {name}"))
    };
    match &term.kind {
        TermKind::Variable(name) => {
            let name = sheet.symbols.name(*name);
            let place = variables.iter().position(|&variable| variable == name);
            Term::Variable(place.expect("the variable is known"))
        }
        TermKind::Constant(name) => Term::Constant(symbol(*name)),
        TermKind::Compound(functor, args) => {
            let args = args
                .iter()
                .map(|arg| number(arg, sheet, symbols, variables));
            Term::Compound(symbol(*functor), args.collect())
        }
    }
}

/// An atom of a relation, given by its name for people and its arguments.
fn atom(program: &Program, name: &str, args: &[&str]) -> Atom {
    let args = args.iter().map(|arg| term(arg, &program.symbols, &[]));
    Atom {
        relation: relation(program, name),
        args: args.collect(),
    }
}
