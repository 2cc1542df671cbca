//! Names that differ only in upper and lower case.

use super::findings::Findings;
use super::names::{notation_at, quote, quote_variable};
use super::outline::Outline;
use super::terms::{each_term, each_term_of};
use crate::problem::{Code, Problem};
use crate::source::Span;
use crate::symbol::{Symbol, Symbols};
use crate::syntax::TermKind;
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

/// Reports two spellings of one relation, of one constant or function, or of one variable in a
/// clause.
pub(super) fn check(outline: &Outline, findings: &mut Findings) {
    let symbols = outline.symbols();
    let mut relations = Spellings::default();
    for relation in outline
        .relations
        .iter()
        .filter(|relation| relation.keyword.is_none())
    {
        let head = relation
            .clauses
            .first()
            .map(|&clause| &outline.sheet.clauses[clause].head);
        let used = relation.uses.first().map(|&used| outline.uses[used].atom);
        if let Some(atom) = head.or(used) {
            relations.add(
                atom.relation,
                atom.relation_span,
                relation.clauses.len() + relation.uses.len(),
            );
        }
    }
    relations.report(symbols, |name, _| quote(symbols.name(name)), findings);

    let mut others = Spellings::default();
    each_term(outline.sheet, &mut |term| {
        if let TermKind::Constant(name) | TermKind::Compound(name, _) = term.kind {
            others.add(name, term.span, 1);
        }
    });
    others.report(symbols, |name, _| quote(symbols.name(name)), findings);

    for clause in &outline.sheet.clauses {
        let mut variables = Spellings::default();
        each_term_of(clause, &mut |term| {
            if let TermKind::Variable(name) = term.kind {
                variables.add(name, term.span, 1);
            }
        });
        let show = |name, span| quote_variable(symbols, name, notation_at(symbols, name, span));
        variables.report(symbols, show, findings);
    }
}

/// Names with their first places and how often they occur.
#[derive(Default)]
struct Spellings {
    seen: IndexMap<Symbol, (Span, usize), FxBuildHasher>,
}

impl Spellings {
    fn add(&mut self, name: Symbol, span: Span, count: usize) {
        self.seen.entry(name).or_insert((span, 0)).1 += count;
    }

    /// Reports the rarer spelling of two.
    fn report(
        &self,
        symbols: &Symbols,
        show: impl Fn(Symbol, Span) -> String,
        findings: &mut Findings,
    ) {
        let mut usual: FxHashMap<String, (Symbol, Span, usize)> = FxHashMap::default();
        for (&name, &(span, count)) in &self.seen {
            let best = usual
                .entry(symbols.name(name).to_lowercase())
                .or_insert((name, span, count));
            if count > best.2 {
                *best = (name, span, count);
            }
        }
        if usual.len() == self.seen.len() {
            return;
        }
        for (&name, &(span, _)) in &self.seen {
            let (other, first, _) = usual[&symbols.name(name).to_lowercase()];
            if other != name {
                let message = format!(
                    "{} and {} differ only in case",
                    show(name, span),
                    show(other, first)
                );
                findings.add(
                    Problem::new(Code::CaseVariants, span, message)
                        .label("a name of its own")
                        .related(first, "the other spelling")
                        .help("case matters: write them alike if they mean the same"),
                );
            }
        }
    }
}
