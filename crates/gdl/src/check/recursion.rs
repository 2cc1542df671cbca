//! Recursion must not build ever larger terms.
//!
//! GDL's recursion restriction: where a clause of `p` asks for `q(v1, ..., vk)` and `q` depends on
//! `p`, each `vj` is ground, or an argument of the head, or made of variables that a positive
//! condition outside the cycle binds. Then values only wander unchanged through the cycle, and
//! there are finitely many.
//!
//! Sheets that break the restriction without any function in their cycles are finite all the same,
//! such as the transitive closure `path(X, Z) <= path(X, Y) & path(Y, Z)`: those get a warning,
//! because other players may refuse them. It is an error where a term can also grow on its way
//! around a cycle.

use super::binding::{self, Bound, Part};
use super::findings::Findings;
use super::names::quote;
use super::outline::{Outline, RelationId};
use super::terms::{Key, encode};
use crate::graph;
use crate::problem::{Code, Problem};
use crate::source::Span;
use crate::symbol::Symbol;
use crate::syntax::{Atom, Clause, Term, TermKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// How many places of one cycle a message points at.
const MOST_PLACES: usize = 5;

pub(super) fn check(outline: &Outline, findings: &mut Findings) {
    let mut cycles: FxHashMap<usize, Cycle> = FxHashMap::default();
    let mut last = None;
    let recursive = outline
        .uses
        .iter()
        .filter(|used| !used.negative && outline.in_cycle(used));
    for used in recursive {
        if last.replace(used.clause) != Some(used.clause) {
            let cycle = cycles.entry(outline.component(used.head)).or_default();
            cycle.add_clause(outline, used.head, &outline.sheet.clauses[used.clause]);
        }
    }
    let mut cycles: Vec<Cycle> = cycles
        .into_values()
        .filter(|cycle| !cycle.breaches.is_empty())
        .collect();
    cycles.sort_unstable_by_key(|cycle| cycle.breaches[0].argument);
    cycles
        .iter()
        .for_each(|cycle| findings.add(cycle.problem(outline)));
}

/// An argument that the restriction does not allow.
struct Breach {
    argument: Span,
    relation: RelationId,
    /// The relation that the clause defines.
    head: RelationId,
    clause: Span,
}

/// Where values go when they move through the clauses of one component.
///
/// Nodes are argument positions of relations and variables of clauses: a value flows from a
/// position in a body through a variable to a position in the head.
#[derive(Default)]
struct Cycle {
    breaches: Vec<Breach>,
    positions: FxHashMap<(Symbol, usize), usize>,
    edges: Vec<Vec<usize>>,
    /// Edges on which a value is wrapped in a function, with the place of the wrapping argument.
    growing: Vec<(usize, usize, Span)>,
}

impl Cycle {
    fn add_clause(&mut self, outline: &Outline, head: RelationId, clause: &Clause) {
        let component = outline.component(head);
        let inside = |atom: &Atom| {
            outline
                .id(atom.relation)
                .filter(|&id| outline.component(id) == component)
        };
        let outside = |atom: &Atom| inside(atom).is_none();
        let mut head_args: FxHashSet<Key> = FxHashSet::default();
        let mut flow = Flow::default();
        binding::visit_clause(clause, &outside, &mut |part, bound| match part {
            Part::Head(atom) => head_args.extend(atom.args.iter().map(key)),
            Part::Positive(atom) => {
                let Some(relation) = inside(atom) else {
                    return;
                };
                flow.add_source(atom, bound);
                for arg in atom.args.iter().filter(|arg| !is_outside(arg, bound)) {
                    if !head_args.contains(&key(arg)) {
                        self.breaches.push(Breach {
                            argument: arg.span,
                            relation,
                            head,
                            clause: clause.span,
                        });
                    }
                }
            }
            _ => {}
        });
        self.add_flow(&flow, &clause.head);
    }

    fn add_flow(&mut self, flow: &Flow, head: &Atom) {
        let mut nodes: FxHashMap<Symbol, usize> = FxHashMap::default();
        for (&variable, source) in &flow.sources {
            let node = self.add_node();
            nodes.insert(variable, node);
            for &(relation, argument) in &source.positions {
                let position = self.position(relation, argument);
                self.edges[position].push(node);
            }
        }
        for (argument, term) in head.args.iter().enumerate() {
            let position = self.position(head.relation, argument);
            each_depth(term, 0, &mut |variable, depth| {
                let (Some(&node), Some(source)) =
                    (nodes.get(&variable), flow.sources.get(&variable))
                else {
                    return;
                };
                self.edges[node].push(position);
                if depth > source.depth {
                    self.growing.push((node, position, term.span));
                }
            });
        }
    }

    fn position(&mut self, relation: Symbol, argument: usize) -> usize {
        if let Some(&node) = self.positions.get(&(relation, argument)) {
            return node;
        }
        let node = self.add_node();
        self.positions.insert((relation, argument), node);
        node
    }

    fn add_node(&mut self) -> usize {
        self.edges.push(Vec::new());
        self.edges.len() - 1
    }

    /// The head argument by which a value can grow on its way round and round.
    fn growth(&self) -> Option<Span> {
        let mut component = vec![0; self.edges.len()];
        for (index, members) in graph::components(&self.edges).iter().enumerate() {
            members.iter().for_each(|&member| component[member] = index);
        }
        let mut growing = self.growing.iter();
        growing
            .find(|(from, to, _)| component[*from] == component[*to])
            .map(|&(_, _, span)| span)
    }

    fn problem(&self, outline: &Outline) -> Problem {
        let growth = self.growth();
        // The clause that makes terms grow is the one to mend, if it is also one that breaks the
        // restriction.
        let grows =
            |breach: &&Breach| growth.is_some_and(|span| breach.clause.to(span) == breach.clause);
        let main = self
            .breaches
            .iter()
            .find(grows)
            .unwrap_or(&self.breaches[0]);
        let head = quote(outline.name(main.head));
        let problem = match growth {
            Some(span) => {
                let message = format!("the recursion of {head} can build ever larger terms");
                Problem::new(Code::UnboundedRecursion, main.argument, message)
                    .related(span, "the term grows here")
                    .help("bind the argument by a relation outside the recursion, such as a list of all its values")
            }
            None => {
                let message = format!("the recursion of {head} is looser than GDL allows");
                Problem::new(Code::LooseRecursion, main.argument, message)
                    .help("bind the argument by a relation outside the recursion; some players refuse it as it is")
            }
        };
        let relation = quote(outline.name(main.relation));
        let problem = problem.label(format!("only the recursive {relation} gives this value"));
        let others = self
            .breaches
            .iter()
            .filter(|breach| breach.argument != main.argument);
        others.take(MOST_PLACES).fold(problem, |problem, other| {
            problem.related(other.argument, "the same here")
        })
    }
}

/// Where the variables of one clause get their values from inside the cycle.
#[derive(Default)]
struct Flow {
    sources: FxHashMap<Symbol, Source>,
}

struct Source {
    /// The least number of functions around the variable.
    depth: usize,
    positions: Vec<(Symbol, usize)>,
}

impl Flow {
    fn add_source(&mut self, atom: &Atom, bound: &Bound) {
        for (argument, term) in atom.args.iter().enumerate() {
            each_depth(term, 0, &mut |variable, depth| {
                if bound.contains(variable) {
                    return;
                }
                let source = self.sources.entry(variable).or_insert(Source {
                    depth,
                    positions: Vec::new(),
                });
                source.depth = source.depth.min(depth);
                source.positions.push((atom.relation, argument));
            });
        }
    }
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

/// Whether all variables of the term get their values outside the cycle.
fn is_outside(term: &Term, bound: &Bound) -> bool {
    let mut all = true;
    term.variables(&mut |variable, _| all &= bound.contains(variable));
    all
}

fn key(term: &Term) -> Key {
    let mut key = Key::new();
    encode(term, &mut |variable| variable.0, &mut key);
    key
}
