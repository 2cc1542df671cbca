//! What depends on what: the nodes of a network in an order of evaluation, and the questions that
//! need each of them.

use std::slice;

use paidia_gdl::graph;
use rustc_hash::FxHashMap;

use crate::propnet::network::{Network, Node, Wire};

/// Asked for by legal moves and the end: kept up to date after every change of the state.
pub(super) const NOW: u8 = 1;
/// Asked for by the next state and percepts: kept up to date when moves are made.
pub(super) const AFTER: u8 = 2;
/// Asked for by goals: evaluated on demand.
pub(super) const GOAL: u8 = 4;

/// Something that is evaluated in one go.
pub(super) enum Unit {
    /// A gate, or a feedback node that does not depend on itself.
    Gate(usize),
    /// Nodes that all depend on each other.
    Cycle(Vec<usize>),
}

/// A network with its nodes in order.
pub(super) struct Order<'a> {
    network: &'a Network,
    /// The definitions of feedback nodes.
    definitions: FxHashMap<usize, Wire>,
    /// All gates and feedback nodes, inputs first.
    pub(super) units: Vec<Unit>,
    /// For each node, the questions that need it: some of [`NOW`], [`AFTER`] and [`GOAL`].
    pub(super) demand: Vec<u8>,
    /// For each node, how often it is read by nodes that a question needs, and by outputs.
    pub(super) uses: Vec<u32>,
    /// For each node, whether it is a gate by itself, and not part of a cycle.
    pub(super) is_gate: Vec<bool>,
    /// For each node, whether legal moves, the next state or percepts read it.
    in_rows: Vec<bool>,
}

impl<'a> Order<'a> {
    pub(super) fn new(network: &'a Network) -> Self {
        let mut order = Self {
            network,
            definitions: definitions(network),
            units: Vec::new(),
            demand: vec![0; network.nodes.len()],
            uses: vec![0; network.nodes.len()],
            is_gate: vec![false; network.nodes.len()],
            in_rows: vec![false; network.nodes.len()],
        };
        order.find_units();
        order.find_demand();
        order
    }

    /// The wires that a node's value is the conjunction of; for a feedback node, its definition.
    pub(super) fn inputs(&self, node: usize) -> &[Wire] {
        match self.network.nodes[node] {
            Node::Feedback => self
                .definitions
                .get(&node)
                .map_or(&[], |wire| slice::from_ref(wire)),
            _ => self.network.inputs_of(node),
        }
    }

    /// Whether a node is a gate that only legal moves, the next state or percepts read, and once:
    /// it stands where it is read.
    pub(super) fn stands_in_row(&self, node: usize) -> bool {
        self.is_gate[node] && self.in_rows[node] && self.uses[node] == 1
    }

    fn find_units(&mut self) {
        let mut node = 0;
        for region in &self.network.regions {
            self.add_gates(node..region.nodes.start);
            self.add_region(region.nodes.clone());
            node = region.nodes.end;
        }
        self.add_gates(node..self.network.nodes.len());
        for unit in &self.units {
            if let Unit::Gate(node) = unit {
                self.is_gate[*node] = true;
            }
        }
    }

    fn add_gates(&mut self, nodes: std::ops::Range<usize>) {
        let gates = nodes.filter(|&node| matches!(self.network.nodes[node], Node::And { .. }));
        self.units.extend(gates.map(Unit::Gate));
    }

    /// Takes a region apart: only what really depends on itself has to be treated as recursive.
    fn add_region(&mut self, nodes: std::ops::Range<usize>) {
        let first = nodes.start;
        let inside = |node: usize| {
            let wires = self.inputs(node).iter();
            let sources = wires.map(|wire| wire.node());
            sources.filter(|source| nodes.contains(source))
        };
        let edges: Vec<Vec<usize>> = nodes
            .clone()
            .map(|node| inside(node).map(|source| source - first).collect())
            .collect();
        for mut component in graph::components(&edges) {
            let cyclic = component.len() > 1 || edges[component[0]].contains(&component[0]);
            component.iter_mut().for_each(|node| *node += first);
            self.units.push(if cyclic {
                Unit::Cycle(component)
            } else {
                Unit::Gate(component[0])
            });
        }
    }

    fn find_demand(&mut self) {
        let network = self.network;
        let second = |&(_, wire): &(u32, Wire)| wire;
        self.ask(network.legal.iter().flatten().map(second), NOW);
        self.ask([network.terminal], NOW);
        self.ask(network.next.iter().copied(), AFTER);
        self.ask(network.percepts.iter().flatten().map(second), AFTER);
        self.ask(network.goals.iter().flatten().map(|&(_, wire)| wire), GOAL);
        let rows = network.legal.iter().chain(&network.percepts).flatten();
        let rows = rows.map(second).chain(network.next.iter().copied());
        rows.for_each(|wire| self.in_rows[wire.node()] = true);
        let units = std::mem::take(&mut self.units);
        for unit in units.iter().rev() {
            match unit {
                Unit::Gate(node) => self.pass_on(*node, self.demand[*node]),
                Unit::Cycle(nodes) => {
                    let demand = nodes.iter().fold(0, |all, &node| all | self.demand[node]);
                    nodes.iter().for_each(|&node| self.pass_on(node, demand));
                }
            }
        }
        self.units = units;
    }

    fn ask(&mut self, wires: impl IntoIterator<Item = Wire>, demand: u8) {
        for wire in wires {
            self.demand[wire.node()] |= demand;
            self.uses[wire.node()] += 1;
        }
    }

    fn pass_on(&mut self, node: usize, demand: u8) {
        self.demand[node] |= demand;
        if demand == 0 {
            return;
        }
        for place in 0..self.inputs(node).len() {
            let source = self.inputs(node)[place].node();
            self.demand[source] |= demand;
            self.uses[source] += 1;
        }
    }
}

fn definitions(network: &Network) -> FxHashMap<usize, Wire> {
    let regions = network.regions.iter();
    regions
        .flat_map(|region| {
            let nodes = region.nodes.clone();
            nodes.zip(region.definitions.iter().copied())
        })
        .collect()
}
