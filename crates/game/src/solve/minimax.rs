//! Retrograde minimax: values go backwards from the terminal states, so positions may repeat.
//!
//! For one role at a time we find what it can force in finite time. Terminal states are taken in
//! the order of that role's goal, best first. A node of the role itself has the value of its first
//! valued successor, a node of the opponent that of its last, since all others were better. Each
//! edge is looked at once. A node is valued after the successor it gets its value from, so
//! following the choices always comes to an end, even in a graph with cycles.

use std::collections::VecDeque;

use super::graph::Graph;
use super::{SolveError, UNKNOWN, Values};
use crate::facts::GameFacts;
use crate::ids::RoleId;

/// The best terminal state that a single player can reach, by the fewest moves.
pub(super) fn best_reachable(graph: &Graph) -> Result<Values, SolveError> {
    let values = forced(graph, &Predecessors::of(graph), RoleId(0));
    if values.ends[0] == UNKNOWN {
        return Err(SolveError::Endless(
            "no terminal state can be reached".into(),
        ));
    }
    Ok(values)
}

/// The value of a two-player game with a constant sum.
pub(super) fn minimax(facts: &GameFacts, graph: &Graph) -> Result<Values, SolveError> {
    let predecessors = Predecessors::of(graph);
    let first = forced(graph, &predecessors, RoleId(0));
    let second = forced(graph, &predecessors, RoleId(1));
    let (at_least, at_most) = (first.ends[0], second.ends[0]);
    if at_least == UNKNOWN
        || at_most == UNKNOWN
        || graph.goals_of(at_least) != graph.goals_of(at_most)
    {
        let what = [RoleId(0), RoleId(1)].map(|role| {
            let end = [at_least, at_most][role.index()];
            let name = facts.role_name(role);
            graph.goals_of(end).get(role.index()).map_or_else(
                || format!("{name} cannot force the end"),
                |goal| format!("{name} can force a goal of {goal}"),
            )
        });
        return Err(SolveError::Endless(what.join(", ")));
    }
    // Both end in the same goals; the mover's own values tell its best moves from those that only
    // put off the end.
    Ok(if graph.mover(0) == Some(RoleId(1)) {
        second
    } else {
        first
    })
}

/// For each node the terminal node that `role` can force, as good as possible for it.
fn forced(graph: &Graph, predecessors: &Predecessors, role: RoleId) -> Values {
    let mut pass = Pass::new(graph, role);
    let mut terminals: Vec<u32> = graph.terminals().collect();
    terminals.sort_by_key(|&node| std::cmp::Reverse(graph.goals_of(node)[role.index()]));
    // All ends of one value start together, so that the nearest of them is found first.
    for ends in terminals.chunk_by(|&one, &other| {
        graph.goals_of(one)[role.index()] == graph.goals_of(other)[role.index()]
    }) {
        for &end in ends {
            pass.values.ends[end as usize] = end;
            pass.queue.push_back(end);
        }
        while let Some(node) = pass.queue.pop_front() {
            for &(predecessor, place) in predecessors.of_node(node) {
                pass.visit(predecessor, place, node);
            }
        }
    }
    pass.values
}

struct Pass {
    values: Values,
    /// For each node how many successors must have a value before it has one: 1 where the role
    /// chooses, all elsewhere.
    missing: Vec<u32>,
    queue: VecDeque<u32>,
}

impl Pass {
    fn new(graph: &Graph, role: RoleId) -> Self {
        let nodes = 0..graph.len() as u32;
        let missing = nodes.map(|node| {
            let chooses = graph.mover(node).is_none_or(|mover| mover == role);
            if chooses {
                1
            } else {
                graph.edges(node).count() as u32
            }
        });
        Self {
            missing: missing.collect(),
            values: Values {
                ends: vec![UNKNOWN; graph.len()],
                choices: vec![0; graph.len()],
            },
            queue: VecDeque::new(),
        }
    }

    /// `node` has an edge, at `place`, to a successor that has just got its value.
    fn visit(&mut self, node: u32, place: u32, successor: u32) {
        let index = node as usize;
        if self.values.ends[index] != UNKNOWN {
            return;
        }
        self.missing[index] -= 1;
        if self.missing[index] == 0 {
            self.values.ends[index] = self.values.ends[successor as usize];
            self.values.choices[index] = place;
            self.queue.push_back(node);
        }
    }
}

/// The edges of a graph turned round.
struct Predecessors {
    /// Where the list of each node starts, and the end of the last.
    starts: Vec<u32>,
    /// The predecessor and the place of the edge among its edges.
    list: Vec<(u32, u32)>,
}

impl Predecessors {
    fn of(graph: &Graph) -> Self {
        let nodes = 0..graph.len() as u32;
        let mut starts = vec![0u32; graph.len() + 1];
        for node in nodes.clone() {
            graph
                .edges(node)
                .for_each(|(successor, _)| starts[successor as usize + 1] += 1);
        }
        for index in 1..starts.len() {
            starts[index] += starts[index - 1];
        }
        let mut next = starts.clone();
        let mut list = vec![(0, 0); starts[graph.len()] as usize];
        for node in nodes {
            for (place, (successor, _)) in (0..).zip(graph.edges(node)) {
                let slot = &mut next[successor as usize];
                list[*slot as usize] = (node, place);
                *slot += 1;
            }
        }
        Self { starts, list }
    }

    fn of_node(&self, node: u32) -> &[(u32, u32)] {
        let (start, end) = (self.starts[node as usize], self.starts[node as usize + 1]);
        &self.list[start as usize..end as usize]
    }
}
