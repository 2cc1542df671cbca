//! What follows from an assumption about some fluents, whatever the others are: three-valued
//! evaluation of a network.
//!
//! Moves that are not legal under the assumption are not made. Nothing is concluded from what is
//! assumed about gates, and recursive parts stay unknown, so that all conclusions hold, but not all
//! that hold are drawn.

use crate::lists::Lists;
use crate::propnet::{Network, Node, Wire};

/// A network of which little is known.
pub(super) struct Assumptions<'a> {
    network: &'a Network,
    /// For each node, the gates that read it: the gate's number, then whether inverted, in the
    /// lowest bit.
    readers: Lists<u32>,
    /// For each node, the moves that are legal only if it is true (or false, by the lowest bit).
    guarded: Lists<u32>,
    /// For each gate, how many inputs are not known to be true.
    open: Vec<u32>,
    truth: Vec<Option<bool>>,
    /// What was changed since the last restart.
    known: Vec<u32>,
    counted: Vec<u32>,
    pub(super) steps: u64,
}

impl<'a> Assumptions<'a> {
    pub(super) fn new(network: &'a Network) -> Self {
        let mut reads = Vec::new();
        let mut open = vec![0; network.nodes.len()];
        for (gate, open) in open.iter_mut().enumerate() {
            let inputs = network.inputs_of(gate);
            *open = inputs.len() as u32;
            let code = |wire: &Wire| (gate as u32) << 1 | u32::from(wire.is_inverted());
            reads.extend(inputs.iter().map(|wire| (wire.node() as u32, code(wire))));
        }
        let mut guards = Vec::new();
        for (number, node) in network.nodes.iter().enumerate() {
            if let Node::Does { role, index } = *node {
                let (_, legal) = network.legal[usize::from(role)][index as usize];
                let code = (number as u32) << 1 | u32::from(legal.is_inverted());
                guards.push((legal.node() as u32, code));
            }
        }
        Self {
            readers: Lists::new(network.nodes.len(), &reads),
            guarded: Lists::new(network.nodes.len(), &guards),
            truth: vec![None; network.nodes.len()],
            known: Vec::new(),
            counted: Vec::new(),
            steps: 0,
            network,
            open,
        }
    }

    /// Whether something is certain of a wire.
    pub(super) fn of(&self, wire: Wire) -> Option<bool> {
        match wire.is_constant() {
            true => Some(!wire.is_inverted()),
            false => self.truth[wire.node()].map(|truth| truth != wire.is_inverted()),
        }
    }

    /// Assumes that a node has a value, and draws conclusions.
    pub(super) fn assume(&mut self, node: usize, value: bool) {
        let mut next = self.known.len();
        self.set(node, value);
        while let Some(&node) = self.known.get(next) {
            next += 1;
            self.conclude(node as usize);
        }
    }

    /// Forgets all assumptions.
    pub(super) fn restart(&mut self) {
        for node in self.known.drain(..) {
            self.truth[node as usize] = None;
        }
        for gate in self.counted.drain(..) {
            self.open[gate as usize] += 1;
        }
    }

    fn set(&mut self, node: usize, value: bool) {
        if self.truth[node].is_none() {
            self.truth[node] = Some(value);
            self.known.push(node as u32);
        }
    }

    fn conclude(&mut self, node: usize) {
        let Some(truth) = self.truth[node] else {
            return;
        };
        for place in self.readers.starts[node]..self.readers.starts[node + 1] {
            let code = self.readers.items[place as usize];
            let gate = (code >> 1) as usize;
            match truth != (code & 1 == 1) {
                false => self.set(gate, false),
                true => {
                    self.open[gate] -= 1;
                    self.counted.push(gate as u32);
                    if self.open[gate] == 0 {
                        self.set(gate, true);
                    }
                }
            }
        }
        for place in self.guarded.starts[node]..self.guarded.starts[node + 1] {
            let code = self.guarded.items[place as usize];
            if truth == (code & 1 == 1) {
                self.set((code >> 1) as usize, false);
            }
        }
        let read = self.readers.of(node).len() + self.guarded.of(node).len();
        self.steps += 1 + read as u64;
    }

    /// For each fluent, its node.
    pub(super) fn fluents(&self) -> Vec<usize> {
        fluents(self.network)
    }
}

/// For each fluent of a network, its node.
pub(super) fn fluents(network: &Network) -> Vec<usize> {
    let mut nodes = vec![0; network.next.len()];
    for (number, node) in network.nodes.iter().enumerate() {
        if let Node::Fluent(fluent) = *node {
            nodes[fluent as usize] = number;
        }
    }
    nodes
}
