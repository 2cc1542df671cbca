//! Every fluent and move that comes up in play survives being flattened.

use paidia_game::{Chance, Game, Legible, Rules, Walker};
use paidia_gdl::Source;
use paidia_gdl::analysis::flatten::Flattening;
use paidia_gdl::program::{Atom, Program, RelationId, Term};
use paidia_gdl::syntax::{self, Sheet, TermKind};

use paidia_testkit::bundled;

use crate::world::reference;

/// Reads a ground term in the names of a program.
fn term(text: &str, program: &Program) -> Term {
    let sheet = syntax::read(&Source::new("term", format!("(role {text})"))).sheet;
    translate(&sheet.clauses[0].head.args[0], &sheet, program)
}

fn translate(term: &syntax::Term, sheet: &Sheet, program: &Program) -> Term {
    let symbol = |symbol| program.symbols.get(sheet.symbols.name(symbol)).unwrap();
    match &term.kind {
        TermKind::Variable(_) => panic!("a state has no variables"),
        TermKind::Constant(name) => Term::Constant(symbol(*name)),
        TermKind::Compound(functor, args) => {
            let args = args.iter().map(|arg| translate(arg, sheet, program));
            Term::Compound(symbol(*functor), args.collect())
        }
    }
}

/// The atom of a relation that is about a term, if it is.
fn atom(program: &Program, relation: RelationId, beside: &[Term], subject: &Term) -> Option<Atom> {
    let functor = program.relation(relation).functor;
    let args = match subject {
        Term::Compound(name, args) if functor == Some(*name) => args.clone(),
        Term::Constant(_) if functor.is_none() => vec![subject.clone()],
        _ => return None,
    };
    let args: Vec<Term> = beside.iter().cloned().chain(args).collect();
    (args.len() == program.relation(relation).arity).then_some(Atom { relation, args })
}

fn assert_survives(flattening: &Flattening, atom: &Atom, subject: &Term, width: usize) {
    let flat = flattening.flatten(atom).expect("what comes up has a place");
    assert_eq!(flattening.deflatten(&flat).as_ref(), Some(atom));
    let whole = flattening.flatten_term(subject, width).expect("it fits");
    assert_eq!(flattening.deflatten_term(&whole).as_ref(), Some(subject));
}

#[test]
fn states_and_moves_survive_being_flat() {
    for name in [
        "tic-tac-toe",
        "chess",
        "kuhn-poker",
        "farmers",
        "nine-mens-morris",
        "hanoi",
    ] {
        let program = bundled(name).program();
        let flattening = Flattening::new(&program).unwrap();
        let game = reference(name, &program);
        let (mut walker, mut chance) = (game.walker(), Chance::from_seed(3));
        let (mut state, mut joint) = (game.initial(), Vec::new());
        while !walker.is_terminal() && walker.legal().draw(&mut chance, &mut joint).is_ok() {
            walker.save(&mut state);
            for text in game.fluents(&state) {
                let fluent = term(&text, &program);
                let kinds = program.fluents.iter();
                let mut atoms = kinds.filter_map(|kind| atom(&program, kind.holds, &[], &fluent));
                let atom = atoms.next().expect("every fluent is of some kind");
                assert_survives(&flattening, &atom, &fluent, flattening.fluent_width());
            }
            for (role, moves) in walker.legal().iter() {
                let role = [term(game.facts().role_name(role), &program)];
                for &id in moves {
                    let action = term(&game.moves().name(id), &program);
                    let kinds = program.moves.iter();
                    let mut atoms =
                        kinds.filter_map(|kind| atom(&program, kind.legal, &role, &action));
                    let atom = atoms.next().expect("every move is of some kind");
                    assert_survives(&flattening, &atom, &action, flattening.move_width());
                }
            }
            walker.advance(&joint, &mut chance);
        }
    }
}
