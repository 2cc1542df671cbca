//! Fluents must not grow with every move, and names are made of characters that can be seen.
//!
//! A fluent whose argument becomes larger on its way through `next` and back (`(n (s ?x))` from
//! `(n ?x)`) has no bound that the rules tell: engines with tables cannot number it, and a match
//! may take ever more memory. Whether something else ends the growth, this does not look for, so it
//! is a warning.

use super::findings::Findings;
use super::outline::Outline;
use super::terms::each_term;
use crate::graph;
use crate::keyword::Keyword;
use crate::problem::{Code, Problem};
use crate::source::Span;
use crate::symbol::Symbol;
use crate::syntax::{Atom, Clause, Formula, Term, TermKind};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

pub(super) fn check(outline: &Outline, findings: &mut Findings) {
    let mut ways = Ways::default();
    for clause in outline.clauses(Keyword::Next) {
        ways.add(outline, clause);
    }
    if let Some(span) = ways.growth() {
        findings.add(
            Problem::new(
                Code::GrowingFluent,
                span,
                "a fluent can grow with every move, without an end that the rules tell",
            )
            .label("larger than where the value comes from")
            .help("count with a list of all values, such as `(successor 1 2)`"),
        );
    }
}

/// Reports names with characters that cannot be seen, each at its first place.
pub(super) fn check_names(outline: &Outline, findings: &mut Findings) {
    let symbols = outline.symbols();
    let mut seen: FxHashSet<Symbol> = FxHashSet::default();
    let mut look = |name: Symbol, span: Span| {
        let hidden = symbols.name(name).chars().find(|c| c.is_control());
        if let Some(hidden) = hidden.filter(|_| seen.insert(name)) {
            let message = format!(
                "a name has the control character U+{:04X} in it",
                u32::from(hidden)
            );
            findings.add(
                Problem::new(Code::ControlCharacter, span, message)
                    .help("write the name again, in letters, digits and signs"),
            );
        }
    };
    for relation in &outline.relations {
        let head = relation.clauses.first();
        let head = head.map(|&clause| &outline.sheet.clauses[clause].head);
        let used = relation.uses.first().map(|&used| outline.uses[used].atom);
        if let Some(atom) = head.or(used) {
            look(atom.relation, atom.relation_span);
        }
    }
    each_term(outline.sheet, &mut |term| match &term.kind {
        TermKind::Variable(name) | TermKind::Constant(name) | TermKind::Compound(name, _) => {
            look(*name, term.span);
        }
    });
}

/// An argument of a fluent: its name and the argument's place.
type Place = (Symbol, usize);

/// How values go from the arguments of fluents to those of the next state's.
#[derive(Default)]
struct Ways {
    places: IndexMap<Place, (), FxBuildHasher>,
    edges: Vec<Vec<usize>>,
    /// Ways on which a value becomes larger, with the argument that shows it.
    growing: Vec<(usize, usize, Span)>,
}

/// Where a variable of a clause gets its value from.
#[derive(Default)]
struct Sources {
    /// Arguments of fluents that hold, with the number of functions around the variable there.
    fluents: Vec<(Place, usize)>,
    /// Whether something else binds it as well, so that it cannot grow.
    is_bound: bool,
}

impl Ways {
    fn add(&mut self, outline: &Outline, clause: &Clause) {
        let Some((name, arguments)) = fluent(&clause.head) else {
            return;
        };
        let mut sources: FxHashMap<Symbol, Sources> = FxHashMap::default();
        for formula in &clause.body {
            collect(outline, formula, &mut sources);
        }
        for (place, argument) in arguments.iter().enumerate() {
            each_depth(argument, 0, &mut |variable, depth| {
                let Some(source) = sources.get(&variable).filter(|source| !source.is_bound) else {
                    return;
                };
                let to = self.place((name, place));
                for &(from, before) in &source.fluents {
                    let from = self.place(from);
                    self.edges[from].push(to);
                    if depth > before {
                        self.growing.push((from, to, argument.span));
                    }
                }
            });
        }
    }

    fn place(&mut self, place: Place) -> usize {
        let (index, _) = self.places.insert_full(place, ());
        if index == self.edges.len() {
            self.edges.push(Vec::new());
        }
        index
    }

    /// Where a value grows on a way that comes back to its beginning.
    fn growth(&self) -> Option<Span> {
        let mut component = vec![0; self.edges.len()];
        for (index, members) in graph::components(&self.edges).iter().enumerate() {
            members.iter().for_each(|&member| component[member] = index);
        }
        let comes_back = |&&(from, to, _): &&(usize, usize, Span)| component[from] == component[to];
        self.growing
            .iter()
            .find(comes_back)
            .map(|&(_, _, span)| span)
    }
}

/// The fluent of a `next` or `true` atom, by its name and arguments; none where it is a variable.
fn fluent(atom: &Atom) -> Option<(Symbol, &[Term])> {
    match &atom.args.last()?.kind {
        TermKind::Compound(name, arguments) => Some((*name, arguments)),
        TermKind::Constant(_) | TermKind::Variable(_) => None,
    }
}

/// Notes where the variables of a positive condition get their values.
fn collect(outline: &Outline, formula: &Formula, sources: &mut FxHashMap<Symbol, Sources>) {
    match formula {
        Formula::Atom(atom) => match (keyword(outline, atom), fluent(atom)) {
            (Some(Keyword::True), Some((name, arguments))) => {
                for (place, argument) in arguments.iter().enumerate() {
                    each_depth(argument, 0, &mut |variable, depth| {
                        let source = sources.entry(variable).or_default();
                        source.fluents.push(((name, place), depth));
                    });
                }
            }
            _ => atom.args.iter().for_each(|term| {
                each_depth(term, 0, &mut |variable, _| {
                    sources.entry(variable).or_default().is_bound = true;
                });
            }),
        },
        Formula::And(parts, _) | Formula::Or(parts, _) => {
            parts
                .iter()
                .for_each(|part| collect(outline, part, sources));
        }
        Formula::Not(..) | Formula::Distinct(..) => {}
    }
}

fn keyword(outline: &Outline, atom: &Atom) -> Option<Keyword> {
    outline.keyword(outline.id(atom.relation)?)
}

/// Calls `visit` for every variable in the term with the number of functions around it.
fn each_depth(term: &Term, depth: usize, visit: &mut impl FnMut(Symbol, usize)) {
    match &term.kind {
        TermKind::Variable(variable) => visit(*variable, depth),
        TermKind::Constant(_) => {}
        TermKind::Compound(_, args) => args
            .iter()
            .for_each(|arg| each_depth(arg, depth + 1, visit)),
    }
}
