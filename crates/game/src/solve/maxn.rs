//! max^n: every role takes what is best for itself; for any number of roles and any goals, without
//! cycles.
//!
//! Of several successors that are equally good for the mover the first one counts, in the byte
//! order of moves. Other tie-breaks can give the other roles other goals; that is in the nature of
//! max^n. (Luckhardt and Irani, An Algorithmic Solution of N-Person Games, 1986.)

use super::graph::{Graph, NodeKind};
use super::{NotApplicable, UNKNOWN, Values};

/// The outcome of every node when all roles take what is best for themselves.
pub(super) fn maxn(graph: &Graph) -> Result<Values, NotApplicable> {
    let mut values = Values {
        ends: vec![UNKNOWN; graph.len()],
        choices: vec![0; graph.len()],
    };
    for node in successors_first(graph)? {
        let (end, choice) = match graph.kind(node) {
            NodeKind::Terminal { .. } => (node, 0),
            NodeKind::Inner { .. } => best(graph, &values, node),
        };
        values.ends[node as usize] = end;
        values.choices[node as usize] = choice;
    }
    Ok(values)
}

/// The end that the mover chooses, and by which of its edges.
fn best(graph: &Graph, values: &Values, node: u32) -> (u32, u32) {
    let mover = graph.mover(node).map_or(0, crate::ids::RoleId::index);
    let mut best: Option<(i32, u32, u32)> = None;
    for (place, (successor, _)) in (0..).zip(graph.edges(node)) {
        let end = values.ends[successor as usize];
        let goal = graph.goals_of(end)[mover];
        if best.is_none_or(|(so_far, ..)| goal > so_far) {
            best = Some((goal, end, place));
        }
    }
    best.map_or((UNKNOWN, 0), |(_, end, place)| (end, place))
}

/// All nodes, each after its successors.
fn successors_first(graph: &Graph) -> Result<Vec<u32>, NotApplicable> {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        Unseen,
        Open,
        Done,
    }
    let mut marks = vec![Mark::Unseen; graph.len()];
    let mut order = Vec::with_capacity(graph.len());
    let mut stack = vec![(0, graph.edges(0))];
    marks[0] = Mark::Open;
    while let Some((node, edges)) = stack.last_mut() {
        match edges.next() {
            Some((successor, _)) => match marks[successor as usize] {
                Mark::Unseen => {
                    marks[successor as usize] = Mark::Open;
                    stack.push((successor, graph.edges(successor)));
                }
                Mark::Open => {
                    let because =
                        "positions can repeat, and the goals do not add up to a constant".into();
                    return Err(NotApplicable {
                        method: "max^n",
                        because,
                    });
                }
                Mark::Done => {}
            },
            None => {
                marks[*node as usize] = Mark::Done;
                order.push(*node);
                stack.pop();
            }
        }
    }
    Ok(order)
}
