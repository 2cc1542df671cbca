//! Clauses that say the same as an earlier one, letter by letter or but for the names of their
//! variables.

use super::findings::Findings;
use super::outline::Outline;
use super::terms::{Key, encode};
use crate::problem::{Code, Problem};
use crate::source::Span;
use crate::symbol::Symbol;
use crate::syntax::{Atom, Clause, Formula, Term};
use rustc_hash::FxHashMap;

pub(super) fn check(outline: &Outline, findings: &mut Findings) {
    let mut known: FxHashMap<Key, Span> = FxHashMap::default();
    for clause in &outline.sheet.clauses {
        let first = *known.entry(clause_key(clause)).or_insert(clause.span);
        if first != clause.span {
            let what = if clause.body.is_empty() {
                "fact"
            } else {
                "rule"
            };
            let message = format!("this {what} is there twice");
            findings.add(
                Problem::new(Code::DuplicateClause, clause.span, message)
                    .label("changes nothing")
                    .related(first, "the first one")
                    .help("remove it, or change what should be different"),
            );
        }
    }
}

fn clause_key(clause: &Clause) -> Key {
    let mut encoder = Encoder::default();
    encoder.atom(&clause.head);
    clause
        .body
        .iter()
        .for_each(|formula| encoder.formula(formula));
    encoder.key
}

/// Writes a clause as numbers, its variables counted in their order.
#[derive(Default)]
struct Encoder {
    key: Key,
    variables: FxHashMap<Symbol, u32>,
}

impl Encoder {
    fn atom(&mut self, atom: &Atom) {
        self.key
            .extend([3, atom.relation.0, atom.args.len() as u32]);
        atom.args.iter().for_each(|arg| self.term(arg));
    }

    fn term(&mut self, term: &Term) {
        let variables = &mut self.variables;
        let mut number = |name| {
            let next = variables.len() as u32;
            *variables.entry(name).or_insert(next)
        };
        encode(term, &mut number, &mut self.key);
    }

    fn formula(&mut self, formula: &Formula) {
        match formula {
            Formula::Atom(atom) => self.atom(atom),
            Formula::Distinct(left, right, _) => {
                self.key.push(4);
                self.term(left);
                self.term(right);
            }
            Formula::Not(inner, _) => {
                self.key.push(5);
                self.formula(inner);
            }
            Formula::And(parts, _) => self.parts(6, parts),
            Formula::Or(parts, _) => self.parts(7, parts),
        }
    }

    fn parts(&mut self, sign: u32, parts: &[Formula]) {
        self.key.extend([sign, parts.len() as u32]);
        parts.iter().for_each(|part| self.formula(part));
    }
}
