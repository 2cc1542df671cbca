//! Relations and functions keep their number of arguments.
//!
//! The rarer number is taken for the mistake, and each such number is reported once a name.

use super::findings::Findings;
use super::names::{arguments, places, quote};
use super::outline::Outline;
use super::terms::each_term;
use crate::problem::{Code, Problem};
use crate::source::Span;
use crate::symbol::Symbol;
use crate::syntax::{Sheet, TermKind};
use rustc_hash::FxHashMap;

pub(super) fn check(outline: &Outline, findings: &mut Findings) {
    let sheet = outline.sheet;
    for relation in &outline.relations {
        if relation.keyword.is_some() {
            continue;
        }
        let heads = relation
            .clauses
            .iter()
            .map(|&clause| &sheet.clauses[clause].head);
        let uses = relation.uses.iter().map(|&used| outline.uses[used].atom);
        let mut arities = Arities::default();
        heads
            .chain(uses)
            .for_each(|atom| arities.add(atom.args.len(), atom.span));
        arities.report(
            Code::RelationArity,
            sheet.symbols.name(relation.symbol),
            findings,
        );
    }
    for (name, arities) in function_arities(sheet) {
        arities.report(Code::FunctionArity, sheet.symbols.name(name), findings);
    }
}

/// One number of arguments that a name is used with.
struct Seen {
    arity: usize,
    count: usize,
    first: Span,
}

#[derive(Default)]
struct Arities {
    seen: Vec<Seen>,
}

impl Arities {
    fn add(&mut self, arity: usize, span: Span) {
        match self.seen.iter_mut().find(|seen| seen.arity == arity) {
            Some(seen) => {
                seen.count += 1;
                seen.first = seen.first.min(span);
            }
            None => self.seen.push(Seen {
                arity,
                count: 1,
                first: span,
            }),
        }
    }

    fn report(&self, code: Code, name: &str, findings: &mut Findings) {
        // Of equally frequent numbers the one seen first is right.
        let usual = self
            .seen
            .iter()
            .max_by_key(|seen| (seen.count, std::cmp::Reverse(seen.first)));
        let Some(usual) = usual.filter(|_| self.seen.len() > 1) else {
            return;
        };
        for odd in self.seen.iter().filter(|seen| seen.arity != usual.arity) {
            let message = format!(
                "{} has {} here and {} elsewhere",
                quote(name),
                arguments(odd.arity),
                usual.arity
            );
            findings.add(
                Problem::new(code, odd.first, message)
                    .label(format!("{}{}", arguments(odd.arity), places(odd.count)))
                    .related(usual.first, format!("{} here", arguments(usual.arity)))
                    .help("use different names for different things"),
            );
        }
    }
}

/// The numbers of arguments of every function, in the order of the names. Constants do not count: a
/// name may well be a constant in one place and a function in another.
fn function_arities(sheet: &Sheet) -> Vec<(Symbol, Arities)> {
    let mut functions: FxHashMap<Symbol, Arities> = FxHashMap::default();
    each_term(sheet, &mut |term| {
        if let TermKind::Compound(name, args) = &term.kind {
            functions
                .entry(*name)
                .or_default()
                .add(args.len(), term.span);
        }
    });
    let mut functions: Vec<_> = functions.into_iter().collect();
    functions.sort_unstable_by_key(|(name, _)| *name);
    functions
}
