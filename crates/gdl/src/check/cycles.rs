//! No relation may depend on its own negation.
//!
//! Relations by name are only a first sieve: `(<= (goal ?r 0) (not (goal ?r 100)))` is sound, and
//! public sheets say it. So a suspicious component is looked at again clause by clause: a clause
//! depends on those whose heads its conditions can match. Without a cycle through `not` among
//! clauses there is none among ground atoms either.

use super::findings::Findings;
use super::names::{cut, quote};
use super::outline::{Outline, RelationId, Use};
use super::terms::may_unify;
use crate::graph;
use crate::problem::{Code, Problem};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// How many bytes of conditions are compared with heads in one component before relations by name
/// must do.
const MOST_COMPARED: usize = 1 << 26;
/// The longest cycle that a message spells out.
const LONGEST_CYCLE: usize = 8;

pub(super) fn check(outline: &Outline, findings: &mut Findings) {
    for uses in suspicious_components(outline) {
        let edges = clause_edges(outline, &uses).unwrap_or_else(|| relation_edges(&uses));
        report_cycles(outline, &edges, findings);
    }
}

/// The conditions inside each component that has a negative one, in the order of the text.
fn suspicious_components<'o, 'a>(outline: &'o Outline<'a>) -> Vec<Vec<&'o Use<'a>>> {
    let mut place = vec![None; outline.relations.len()];
    let mut count = 0;
    for used in outline
        .uses
        .iter()
        .filter(|used| used.negative && outline.in_cycle(used))
    {
        place[outline.component(used.head)].get_or_insert_with(|| {
            count += 1;
            count - 1
        });
    }
    let mut found = vec![Vec::new(); count];
    for used in outline.uses.iter().filter(|used| outline.in_cycle(used)) {
        if let Some(place) = place[outline.component(used.head)] {
            found[place].push(used);
        }
    }
    found
}

/// One dependency between two nodes, which are clauses or relations.
struct Edge<'o, 'a> {
    from: usize,
    to: usize,
    used: &'o Use<'a>,
}

/// Dependencies between clauses, unless there are too many to look at.
fn clause_edges<'o, 'a>(outline: &Outline, uses: &[&'o Use<'a>]) -> Option<Vec<Edge<'o, 'a>>> {
    let cost = |used: &&Use| {
        let candidates = outline.relations[used.relation].clauses.len();
        candidates.saturating_mul(used.atom.span.range().len())
    };
    if uses.iter().map(cost).fold(0, usize::saturating_add) > MOST_COMPARED {
        return None;
    }
    let mut numbers = Numbers::default();
    let mut edges = Vec::new();
    for used in uses {
        for &clause in &outline.relations[used.relation].clauses {
            if may_unify(used.atom, &outline.sheet.clauses[clause].head) {
                let (from, to) = (numbers.of(used.clause), numbers.of(clause));
                edges.push(Edge { from, to, used });
            }
        }
    }
    Some(edges)
}

fn relation_edges<'o, 'a>(uses: &[&'o Use<'a>]) -> Vec<Edge<'o, 'a>> {
    let mut numbers = Numbers::default();
    let edge = |used: &&'o Use<'a>| Edge {
        from: numbers.of(used.head),
        to: numbers.of(used.relation),
        used,
    };
    uses.iter().map(edge).collect()
}

/// Small numbers for those of many things that matter.
#[derive(Default)]
struct Numbers {
    known: FxHashMap<usize, usize>,
}

impl Numbers {
    fn of(&mut self, thing: usize) -> usize {
        let next = self.known.len();
        *self.known.entry(thing).or_insert(next)
    }
}

/// Reports one cycle for every component of the graph that has a negative edge inside.
fn report_cycles(outline: &Outline, edges: &[Edge], findings: &mut Findings) {
    let size = edges
        .iter()
        .map(|edge| edge.from.max(edge.to) + 1)
        .max()
        .unwrap_or(0);
    let mut targets = vec![Vec::new(); size];
    let mut outgoing = vec![Vec::new(); size];
    for (index, edge) in edges.iter().enumerate() {
        targets[edge.from].push(edge.to);
        outgoing[edge.from].push(index);
    }
    let mut component = vec![0; size];
    for (index, members) in graph::components(&targets).iter().enumerate() {
        members.iter().for_each(|&member| component[member] = index);
    }
    let mut reported = vec![false; size];
    for edge in edges.iter().filter(|edge| edge.used.negative) {
        let inside = component[edge.from];
        if component[edge.to] == inside && !std::mem::replace(&mut reported[inside], true) {
            let back = shortest_path(edges, &outgoing, edge.to, edge.from);
            findings.add(problem(outline, edge.used, &back));
        }
    }
}

/// The edges of a shortest path, which must exist.
fn shortest_path<'o, 'a>(
    edges: &[Edge<'o, 'a>],
    outgoing: &[Vec<usize>],
    from: usize,
    to: usize,
) -> Vec<&'o Use<'a>> {
    let mut reached_by: Vec<Option<usize>> = vec![None; outgoing.len()];
    let mut queue = VecDeque::from([from]);
    while let Some(node) = queue.pop_front().filter(|&node| node != to) {
        for &index in &outgoing[node] {
            let target = edges[index].to;
            if target != from && reached_by[target].is_none() {
                reached_by[target] = Some(index);
                queue.push_back(target);
            }
        }
    }
    let mut path = Vec::new();
    let mut node = to;
    while let Some(index) = reached_by[node].filter(|_| node != from) {
        path.push(edges[index].used);
        node = edges[index].from;
    }
    path.reverse();
    path
}

fn problem(outline: &Outline, negative: &Use, back: &[&Use]) -> Problem {
    let name = |relation: RelationId| quote(outline.name(relation));
    let needs = |used: &Use| {
        let asked = match used.negative {
            true => format!("`not {}`", cut(outline.name(used.relation))),
            false => name(used.relation),
        };
        format!("{} needs {asked} here", name(used.head))
    };
    let message = format!("{} depends on its own negation", name(negative.head));
    let mut problem = Problem::new(Code::NegativeCycle, negative.atom.span, message)
        .label(needs(negative))
        .help("break the cycle: define one of these without asking for the other");
    for used in back.iter().take(LONGEST_CYCLE) {
        problem = problem.related(used.atom.span, needs(used));
    }
    problem
}
