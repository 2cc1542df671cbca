//! Directed graphs over small integers: strongly connected components in dependency order.

/// The strongly connected components of a graph given by adjacency lists, each component before
/// those that point to it.
///
/// If `edges[a]` contains `b`, the component of `b` comes before that of `a` (or is the same).
/// Iterative, so that long chains cannot overflow the stack.
pub fn components(edges: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let edge = |node: usize, place: usize| edges[node].get(place).copied();
    components_from(edges.len(), 0..edges.len(), edge)
}

/// The components of what can be reached from `roots` in a graph of `size` nodes, where
/// `edge(node, n)` is the target of the node's edge number *n*, or `None` after the last; in the
/// same order as [`components`].
pub fn components_from(
    size: usize,
    roots: impl IntoIterator<Item = usize>,
    edge: impl Fn(usize, usize) -> Option<usize>,
) -> Vec<Vec<usize>> {
    let mut tarjan = Tarjan::new(size, edge);
    for root in roots {
        if tarjan.index[root] == UNSEEN {
            tarjan.visit(root);
        }
    }
    tarjan.found
}

const UNSEEN: usize = usize::MAX;

struct Tarjan<Edge> {
    edge: Edge,
    index: Vec<usize>,
    low: Vec<usize>,
    on_stack: Vec<bool>,
    stack: Vec<usize>,
    counter: usize,
    found: Vec<Vec<usize>>,
}

impl<Edge: Fn(usize, usize) -> Option<usize>> Tarjan<Edge> {
    fn new(size: usize, edge: Edge) -> Self {
        Self {
            edge,
            index: vec![UNSEEN; size],
            low: vec![0; size],
            on_stack: vec![false; size],
            stack: Vec::new(),
            counter: 0,
            found: Vec::new(),
        }
    }

    fn enter(&mut self, node: usize) {
        self.index[node] = self.counter;
        self.low[node] = self.counter;
        self.counter += 1;
        self.stack.push(node);
        self.on_stack[node] = true;
    }

    fn visit(&mut self, start: usize) {
        // Each frame is a node and the number of its edges already followed.
        let mut frames = vec![(start, 0)];
        self.enter(start);
        while let Some(frame) = frames.last_mut() {
            let node = frame.0;
            if let Some(target) = (self.edge)(node, frame.1) {
                frame.1 += 1;
                if self.index[target] == UNSEEN {
                    self.enter(target);
                    frames.push((target, 0));
                } else if self.on_stack[target] {
                    self.low[node] = self.low[node].min(self.index[target]);
                }
                continue;
            }
            frames.pop();
            if let Some(&(parent, _)) = frames.last() {
                self.low[parent] = self.low[parent].min(self.low[node]);
            }
            if self.low[node] == self.index[node] {
                self.close(node);
            }
        }
    }

    fn close(&mut self, root: usize) {
        let from = self
            .stack
            .iter()
            .rposition(|&node| node == root)
            .unwrap_or(0);
        let mut component = self.stack.split_off(from);
        component
            .iter()
            .for_each(|&node| self.on_stack[node] = false);
        component.sort_unstable();
        self.found.push(component);
    }
}

#[cfg(test)]
mod tests {
    use super::components;

    #[test]
    fn dependencies_come_first() {
        // 0 -> 1 <-> 2 -> 3, 4 alone
        let edges = vec![vec![1], vec![2], vec![1, 3], vec![], vec![]];
        assert_eq!(components(&edges), [vec![3], vec![1, 2], vec![0], vec![4]]);
    }

    #[test]
    fn a_long_chain_does_not_overflow() {
        let edges: Vec<Vec<usize>> = (0..200_000)
            .map(|node| if node == 0 { vec![] } else { vec![node - 1] })
            .collect();
        let found = components(&edges);
        assert_eq!(found.len(), 200_000);
        assert_eq!(found[0], [0]);
    }
}
