//! Domains and flattening, by the examples of the compiler chapter and on the bundled games.

use paidia_gdl::analysis::flatten::{Cell, Flattening, NotFlat};
use paidia_gdl::program::domains::Domain;
use paidia_gdl::program::{Atom, Program, RelationId, Term};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::program::{atom, program, relation, sheets, term};

/// Listing 7.1 of the thesis, with the facts that it leaves out and, from its appendix D, moves up
/// and down and the second kind of move.
const GOLDRUSH: &str = "
(role Green) (role Red)
(init (OnMap Green 1 1)) (init (OnMap Red 7 7))
(init (OnMap Obstacle 1 6)) (init (OnMap Obstacle 2 4))
(init (OnMap (Gold 2) 1 7)) (init (OnMap (Gold 1) 3 6))
(init (OnMap (Item Blaster 3) 7 4))
(init (OnMap (Item Stoneplacer 3) 1 4))
(<= (legal ?r (Move ?nx ?y))
    (role ?r) (true (OnMap ?r ?x ?y)) (InBoard ?nx)
    (or (+ ?x 1 ?nx) (- ?x 1 ?nx)))
(<= (legal ?r (Move ?x ?ny))
    (role ?r) (true (OnMap ?r ?x ?y)) (InBoard ?ny)
    (or (+ ?y 1 ?ny) (- ?y 1 ?ny)))
(<= (legal ?r (Use Blaster ?x ?y))
    (role ?r) (true (OnMap ?r ?x ?y)))
(<= (next (OnMap ?r ?x ?y))
    (role ?r) (does ?r (Move ?x ?y)))
(+ 0 0 0) (+ 1 0 1) (+ 2 0 2) (+ 3 0 3) (+ 4 0 4) (+ 5 0 5) (+ 6 0 6) (+ 7 0 7)
(+ 0 1 1) (+ 1 1 2) (+ 2 1 3) (+ 3 1 4) (+ 4 1 5) (+ 5 1 6) (+ 6 1 7) (+ 7 1 8)
(<= (- ?x ?y ?z) (+ ?y ?z ?x))
(InBoard 1) (InBoard 2) (InBoard 3) (InBoard 4) (InBoard 5) (InBoard 6) (InBoard 7)
";

/// The names of the constants and functions at a position of an argument.
fn names_at(program: &Program, relation: RelationId, position: &[usize]) -> Vec<String> {
    let domain = &program.relation(relation).domains[position[0]];
    let symbols = domain.at(&position[1..]);
    let mut names: Vec<String> = symbols
        .into_iter()
        .map(|symbol| program.symbols.name(symbol).to_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn the_domains_of_the_map_are_those_of_the_chapter() {
    let program = program(GOLDRUSH);
    let columns = ["1", "2", "3", "4", "5", "6", "7"];
    let expected: [(&[usize], &[&str]); 6] = [
        (&[0], &["Green", "Obstacle", "Red"]),
        (&[0, 0], &["Gold", "Item"]),
        (&[0, 1], &["1", "2", "Blaster", "Stoneplacer"]),
        (&[0, 2], &["3"]),
        (&[1], &columns),
        (&[2], &columns),
    ];
    for name in ["init OnMap/3", "true OnMap/3", "next OnMap/3"] {
        let map = relation(&program, name);
        for (position, names) in expected {
            assert_eq!(
                names_at(&program, map, position),
                names,
                "{name} {position:?}"
            );
        }
    }
}

/// The flat form of an atom as text.
fn flat_text(program: &Program, name: &str, args: &[&str]) -> String {
    let flattening = Flattening::new(program).unwrap();
    let flat = flattening.flatten(&atom(program, name, args)).unwrap();
    flattening.atom_text(program, &flat, &|_| {
        unreachable!("ground atoms have no variables")
    })
}

#[test]
fn atoms_become_flat_as_in_the_chapter() {
    let program = program(GOLDRUSH);
    let flat = |args: [&str; 3]| flat_text(&program, "init OnMap/3", &args);
    assert_eq!(
        flat(["Green", "1", "1"]),
        "(init (OnMap Green #nil #nil 1 1))"
    );
    assert_eq!(
        flat(["Obstacle", "1", "6"]),
        "(init (OnMap Obstacle #nil #nil 1 6))"
    );
    assert_eq!(
        flat(["(Gold 2)", "1", "7"]),
        "(init (OnMap Gold 2 #nil 1 7))"
    );
    assert_eq!(
        flat(["(Item Blaster 3)", "7", "4"]),
        "(init (OnMap Item Blaster 3 7 4))"
    );
    assert_eq!(
        flat(["(Item Stoneplacer 3)", "1", "4"]),
        "(init (OnMap Item Stoneplacer 3 1 4))"
    );
}

const NAMES: [&str; 3] = ["r", "x", "y"];

fn name(variable: usize) -> String {
    NAMES[variable].to_owned()
}

#[test]
fn a_rule_becomes_flat_and_its_unbound_columns_nil() {
    let program = program(GOLDRUSH);
    let flattening = Flattening::new(&program).unwrap();
    let next = relation(&program, "next OnMap/3");
    let rule = program
        .rules
        .iter()
        .find(|rule| rule.head.relation == next)
        .unwrap();
    let mut flat = flattening.flatten_rule(rule).unwrap();
    assert_eq!(
        flattening.rule_text(&program, &flat, &name),
        "(<= (next (OnMap ?r0 ?r1 ?r2 ?x0 ?y0)) (role ?r0) (does ?r0 (Move ?x0 ?y0)))"
    );
    flat.fix_unbound();
    assert_eq!(
        flattening.rule_text(&program, &flat, &name),
        "(<= (next (OnMap ?r0 #nil #nil ?x0 ?y0)) (role ?r0) (does ?r0 (Move ?x0 ?y0)))"
    );
}

/// The chapter keeps all moves in one relation, where those with fewer arguments are filled up.
#[test]
fn whole_moves_have_one_width() {
    let program = program(GOLDRUSH);
    let flattening = Flattening::new(&program).unwrap();
    let flat = |text: &str| {
        let term = term(text, &program.symbols, &NAMES);
        let cells = flattening
            .flatten_term(&term, flattening.move_width())
            .unwrap();
        let texts = cells.iter().map(|cell| cell.text(&program, &name));
        texts.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(flattening.move_width(), 4);
    assert_eq!(flat("(Move ?x ?y)"), "Move ?x0 ?y0 #nil");
    assert_eq!(flat("(Use Blaster 1 1)"), "Use Blaster 1 1");
    assert_eq!(flattening.fluent_width(), 6);
}

#[test]
fn what_cannot_stand_somewhere_has_no_flat_form_there() {
    let program = program(GOLDRUSH);
    let flattening = Flattening::new(&program).unwrap();
    let mut impossible = atom(&program, "role/1", &["(Gold 2)"]);
    assert_eq!(flattening.flatten(&impossible), None);
    impossible.args = vec![term("(OnMap Red 1 1)", &program.symbols, &[])];
    assert_eq!(flattening.flatten(&impossible), None);
}

#[test]
fn cells_that_are_no_flat_form_are_not_read() {
    let program = program(GOLDRUSH);
    let flattening = Flattening::new(&program).unwrap();
    let cell = |name: &str| Cell::Constant(program.symbols.get(name).unwrap());
    let gold = Cell::Function(program.symbols.get("Gold").unwrap(), 1);
    let read = |cells: &[Cell]| flattening.deflatten_term(cells).is_some();
    assert!(read(&[gold, cell("2"), Cell::Nil]));
    assert!(
        !read(&[gold, Cell::Nil, Cell::Nil]),
        "a function without its argument"
    );
    assert!(
        !read(&[gold, cell("2"), cell("2")]),
        "one argument too many"
    );
    assert!(!read(&[gold]), "too short");
    assert!(!read(&[Cell::Nil]), "nothing");
    assert!(!read(&[Cell::Variable(0, 0)]), "a variable");
    assert!(!read(&[]), "no cells");
}

#[test]
fn terms_without_a_bound_are_refused() {
    let error = |text: &str| Flattening::new(&program(text)).unwrap_err();
    let grows = "(init (count zero)) (<= (next (count (s ?x))) (true (count ?x)))";
    assert!(matches!(error(grows), NotFlat::Open(relation) if relation.ends_with("count/1")));
    let nested = "(init (count (s (s zero)))) (<= (p ?x) (true (count ?x)))";
    assert_eq!(error(nested), NotFlat::Nested("s".to_owned()));
    assert_eq!(
        error(nested).to_string(),
        "the function `s` stands inside itself"
    );
}

/// A random term of a domain.
fn draw(domain: &Domain, random: &mut Xoshiro256PlusPlus) -> Option<Term> {
    let choices = domain.constants.len() + domain.compounds.len();
    let choice = random.next_u64() as usize % choices.max(1);
    if let Some(&symbol) = domain.constants.iter().nth(choice) {
        return Some(Term::Constant(symbol));
    }
    let (&(functor, _), args) = domain
        .compounds
        .iter()
        .nth(choice - domain.constants.len())?;
    let args = args.iter().map(|arg| draw(arg, random));
    Some(Term::Compound(functor, args.collect::<Option<_>>()?))
}

#[test]
fn atoms_of_all_games_survive_being_flat() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
    let mut nested = 0;
    for (name, text) in sheets() {
        let program = program(&text);
        let flattening = match Flattening::new(&program) {
            Ok(flattening) => flattening,
            Err(reason) => {
                println!("{name} stays as it is: {reason}");
                continue;
            }
        };
        for (index, relation) in program.relations.iter().enumerate() {
            let id = RelationId(index as u32);
            nested += usize::from(flattening.width(id) > relation.arity);
            for _ in 0..20 {
                let args = relation
                    .domains
                    .iter()
                    .map(|domain| draw(domain, &mut random));
                let Some(args) = args.collect() else { continue };
                let atom = Atom { relation: id, args };
                let flat = flattening.flatten(&atom).expect("the domain allows it");
                assert_eq!(flat.cells.len(), flattening.width(id), "{name}");
                assert_eq!(flattening.deflatten(&flat), Some(atom), "{name}");
            }
        }
    }
    assert!(nested > 0, "no relation has nested arguments");
}
