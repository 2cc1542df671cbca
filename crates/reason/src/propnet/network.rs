//! A game as a network of gates: what holds next, what is legal, whether it is over, and the goals,
//! as Boolean functions of what holds now and of the moves being made.
//!
//! There is one kind of gate, the conjunction, and every wire may be inverted on its way; a
//! disjunction is the inverted conjunction of inverted wires. Nodes stand in an order in which
//! inputs come before the gates that use them. The exception is recursion: a [`Region`] is a run of
//! nodes that depend on each other, broken up by [`Node::Feedback`].

use std::ops::{Not, Range};

/// The output of a node, inverted or not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Wire(u32);

impl Wire {
    /// Always true: node 0 is the constant.
    pub const TRUE: Wire = Wire(0);
    /// Never true.
    pub const FALSE: Wire = Wire(1);

    /// The plain output of a node.
    pub fn of(node: usize) -> Self {
        Wire((node as u32) << 1)
    }

    /// The node whose output this is.
    #[inline]
    pub fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Whether the output is inverted.
    #[inline]
    pub fn is_inverted(self) -> bool {
        self.0 & 1 == 1
    }

    /// The wire, inverted once more if `invert`.
    #[must_use]
    pub fn inverted_if(self, invert: bool) -> Self {
        Wire(self.0 ^ u32::from(invert))
    }

    /// Whether the wire is constant.
    pub fn is_constant(self) -> bool {
        self.node() == 0
    }
}

impl Default for Wire {
    fn default() -> Self {
        Wire::FALSE
    }
}

impl Not for Wire {
    type Output = Wire;

    fn not(self) -> Wire {
        Wire(self.0 ^ 1)
    }
}

impl std::fmt::Debug for Wire {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            formatter,
            "{}{}",
            if self.is_inverted() { "!" } else { "" },
            self.node()
        )
    }
}

/// A source of a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// The constant; only node 0.
    True,
    /// Whether a fluent holds now, by its number.
    Fluent(u32),
    /// Whether a role makes a move now: the role, and the place of the move in [`Network::legal`]
    /// of that role.
    Does {
        /// The role's number.
        role: u16,
        /// The move's place among the role's moves.
        index: u32,
    },
    /// Whether all inputs are true; the inputs are a range of [`Network::inputs`].
    And {
        /// Where the inputs start.
        start: u32,
        /// Where they end.
        end: u32,
    },
    /// The value of a recursive atom, defined by a wire that may come later: see [`Region`].
    Feedback,
}

/// Nodes that depend on each other through feedback.
///
/// Their value is the least fixpoint: with all feedback nodes false to begin with, evaluate the
/// nodes of the region, set every feedback node to its definition, and repeat until nothing
/// changes. Recursion in rules is never through negation, so values only ever go from false to
/// true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// The nodes of the region: feedback nodes first, then gates.
    pub nodes: Range<usize>,
    /// The definition of each feedback node, in the order of the nodes; definitions are wires of
    /// the region or constants or earlier nodes.
    pub definitions: Vec<Wire>,
}

/// A game as a network of gates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Network {
    /// All nodes; node 0 is [`Node::True`].
    pub nodes: Vec<Node>,
    /// The inputs of all gates.
    pub inputs: Vec<Wire>,
    /// Recursive parts, in order, not overlapping.
    pub regions: Vec<Region>,
    /// For each fluent, whether it holds after the move.
    pub next: Vec<Wire>,
    /// For each fluent, whether it holds at the start.
    pub initial: Vec<bool>,
    /// For each role, for each move that the role can ever make, in the order of move ids: the
    /// move's id and whether it is legal.
    pub legal: Vec<Vec<(u32, Wire)>>,
    /// Whether the game is over.
    pub terminal: Wire,
    /// For each role, its possible results and when it gets them.
    pub goals: Vec<Vec<(i32, Wire)>>,
    /// For each role, what it can be told after a move (percept ids in order) and when; may depend
    /// on moves.
    pub percepts: Vec<Vec<(u32, Wire)>>,
}

impl Network {
    /// The inputs of a gate; none for other nodes.
    pub fn inputs_of(&self, node: usize) -> &[Wire] {
        match self.nodes[node] {
            Node::And { start, end } => &self.inputs[start as usize..end as usize],
            _ => &[],
        }
    }

    /// Everything that is read from outside: the next state, legal moves, the end, goals and
    /// percepts.
    pub fn outputs(&self) -> impl Iterator<Item = Wire> {
        let lists = |lists: &'_ [Vec<(u32, Wire)>]| {
            lists
                .iter()
                .flatten()
                .map(|&(_, wire)| wire)
                .collect::<Vec<_>>()
        };
        let goals: Vec<Wire> = self.goals.iter().flatten().map(|&(_, wire)| wire).collect();
        let next: Vec<Wire> = self.next.clone();
        std::iter::once(self.terminal)
            .chain(next)
            .chain(lists(&self.legal))
            .chain(goals)
            .chain(lists(&self.percepts))
    }

    /// How many two-input operations the gates are worth: a gate of n inputs counts n - 1.
    pub fn operations(&self) -> usize {
        let gates = self.nodes.iter().map(|node| match node {
            Node::And { start, end } => (end - start).saturating_sub(1) as usize,
            _ => 0,
        });
        gates.sum()
    }

    /// How many gates there are.
    pub fn gates(&self) -> usize {
        self.nodes
            .iter()
            .filter(|node| matches!(node, Node::And { .. }))
            .count()
    }

    /// Evaluates every node for a state and moves given by functions: the plainest meaning of a
    /// network, against which engines are tested.
    pub fn evaluate(
        &self,
        fluent: impl Fn(u32) -> bool,
        does: impl Fn(u16, u32) -> bool,
    ) -> Vec<bool> {
        let mut values = vec![false; self.nodes.len()];
        let mut region = 0;
        let mut node = 0;
        while node < self.nodes.len() {
            if let Some(found) = self.regions.get(region)
                && found.nodes.start == node
            {
                self.evaluate_region(found, &mut values);
                node = found.nodes.end;
                region += 1;
                continue;
            }
            values[node] = match self.nodes[node] {
                Node::True => true,
                Node::Fluent(number) => fluent(number),
                Node::Does { role, index } => does(role, index),
                Node::And { .. } => self.inputs_of(node).iter().all(|&wire| read(&values, wire)),
                Node::Feedback => false,
            };
            node += 1;
        }
        values
    }

    fn evaluate_region(&self, region: &Region, values: &mut [bool]) {
        let first = region.nodes.start;
        loop {
            for node in region.nodes.clone().skip(region.definitions.len()) {
                values[node] = self.inputs_of(node).iter().all(|&wire| read(values, wire));
            }
            let mut changed = false;
            for (place, &definition) in region.definitions.iter().enumerate() {
                let value = read(values, definition);
                changed |= value != values[first + place];
                values[first + place] = value;
            }
            if !changed {
                return;
            }
        }
    }
}

/// The value of a wire, given the values of all nodes.
#[inline]
pub fn read(values: &[bool], wire: Wire) -> bool {
    values[wire.node()] != wire.is_inverted()
}
