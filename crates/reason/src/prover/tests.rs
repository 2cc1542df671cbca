//! Parts of the prover that cannot be seen from outside.

use paidia_gdl::Source;
use paidia_gdl::check::check_source;
use paidia_gdl::datalog::{Exhausted, Limits, Terms};
use paidia_gdl::program::{Program, RelationId};

use super::bindings::Bindings;
use super::code::Pattern;
use super::{Options, PROOF_LIMITS, Rules, StateStore};
use crate::rows::{Basis, Deduction, Question, RowEngine};

const SYMBOLS: [&str; 4] = ["f", "g", "a", "b"];
const F: u32 = 0;
const G: u32 = 1;
const A: u32 = 2;
const B: u32 = 3;

fn terms() -> Terms {
    let mut symbols = paidia_gdl::Symbols::default();
    SYMBOLS.iter().for_each(|name| {
        symbols.intern(name);
    });
    Terms::new(&symbols, 100)
}

fn function(functor: u32, args: &[Pattern]) -> Pattern {
    Pattern::Compound(functor, args.into())
}

#[test]
fn structures_are_unified_part_by_part() {
    let mut terms = terms();
    let mut bindings = Bindings::default();
    bindings.push_frame([0, 0], 3);
    // f(X, g(Y)) = f(g(a), Z), then Y = b.
    let left = function(F, &[Pattern::First(0), function(G, &[Pattern::First(1)])]);
    let right = function(
        F,
        &[
            Pattern::Ground(terms.intern(&[G, A]).unwrap()),
            Pattern::First(2),
        ],
    );
    let left = bindings.put(&left, 0, &mut terms);
    let right = bindings.put(&right, 0, &mut terms);
    assert!(bindings.unify(left, right, &terms, 0));
    assert_eq!(bindings.ground(left, &mut terms, 0), None);
    let y = bindings.put(&Pattern::Variable(1), 0, &mut terms);
    assert!(bindings.unify_ground(y, B, &terms));
    let ga = terms.intern(&[G, A]).unwrap();
    let gb = terms.intern(&[G, B]).unwrap();
    let whole = terms.intern(&[F, ga, gb]).unwrap();
    assert_eq!(bindings.ground(left, &mut terms, 0), Some(whole));
    assert_eq!(bindings.ground(right, &mut terms, 0), Some(whole));
    assert!(bindings.unify_ground(left, whole, &terms));
    assert!(!bindings.unify_ground(left, ga, &terms));
}

#[test]
fn going_back_unbinds() {
    let mut terms = terms();
    let mut bindings = Bindings::default();
    bindings.push_frame([0, 0], 2);
    let (x, y) = (
        bindings.put(&Pattern::First(0), 0, &mut terms),
        bindings.put(&Pattern::First(1), 0, &mut terms),
    );
    let stack = bindings.stack.len();
    assert!(bindings.unify(x, y, &terms, 0));
    let trail = bindings.trail.len();
    assert!(bindings.unify_ground(y, A, &terms));
    assert_eq!(bindings.value(x), A);
    bindings.undo(trail, stack);
    assert_eq!(bindings.value(x), bindings.value(y));
    bindings.undo(0, stack);
    assert_ne!(bindings.value(x), bindings.value(y));
}

#[test]
fn a_variable_is_not_bound_to_what_it_occurs_in() {
    let mut terms = terms();
    let mut bindings = Bindings::default();
    bindings.push_frame([0, 0], 1);
    let x = bindings.put(&Pattern::First(0), 0, &mut terms);
    let fx = bindings.put(&function(F, &[Pattern::Variable(0)]), 0, &mut terms);
    assert!(!bindings.unify(x, fx, &terms, 0));
}

/// The exhaustion, if any, of asking whether the game is over.
fn ask(rules: &str, limits: Limits) -> Result<bool, Exhausted> {
    let (reading, report) = check_source(&Source::new("test", rules), None);
    assert!(!report.has_errors(), "{:?}", report.problems);
    let program = Program::new(&reading.sheet, report.dialect).unwrap();
    let (basis, planning) = Basis::new("test", &program).unwrap();
    let options = Options {
        state: StateStore::Asserted,
        ..Options::default()
    };
    let mut rules = Rules::new(&basis, &planning, options).unwrap();
    rules.memory.limits = limits;
    let terminal: Vec<RelationId> = rules.roots[Question::Terminal as usize].clone();
    let mut proof = std::sync::Arc::new(rules).deduction();
    proof.enter(&basis.initial);
    proof.prove(terminal[0])?;
    Ok(proof.rows(terminal[0]).count > 0)
}

/// A chain of `links` links that is walked from its end to its start.
fn chain(links: usize) -> String {
    let mut rules = String::from(
        "(role r) (init (at n0)) (legal r wait) (goal r 0)
        (<= (next (at ?x)) (true (at ?x)))
        (<= (reached ?x) (true (at ?x)))
        (<= (reached ?y) (link ?x ?y) (reached ?x))
        (<= terminal (last ?x) (reached ?x))",
    );
    for link in 0..links {
        rules += &format!("(link n{link} n{})\n", link + 1);
    }
    rules + &format!("(last n{links})")
}

#[test]
fn deep_recursion_ends_in_a_limit_not_in_an_overflow() {
    let rules = chain(5_000);
    assert_eq!(ask(&rules, PROOF_LIMITS), Ok(true));
    let shallow = Limits {
        depth: 4_000,
        ..PROOF_LIMITS
    };
    assert_eq!(ask(&rules, shallow), Err(Exhausted::Depth));
    let short = Limits {
        steps: 4_000,
        ..PROOF_LIMITS
    };
    assert_eq!(ask(&rules, short), Err(Exhausted::Steps));
    let small = Limits {
        rows: 1_000,
        ..PROOF_LIMITS
    };
    assert_eq!(ask(&rules, small), Err(Exhausted::Rows));
}
