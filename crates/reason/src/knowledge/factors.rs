//! Parts of a game that have nothing to do with each other, apart from whose turn it is:
//! independent sub-games.
//!
//! Fluents and moves belong together if one of them has a say in what becomes of the other, or in
//! whether it is legal. *Clocks*, which go on by themselves whatever moves are made, connect
//! nothing: whose turn it is, how many moves were made. What is connected in the end only by goals
//! or by the end of the game are factors all the same; [`Factor::goals`] and [`Factor::ends`] tell.

use paidia_game::RoleId;

use super::assume::fluents;
use crate::propnet::{Network, Node, Wire};

/// A part of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Factor {
    /// The numbers of its fluents.
    pub fluents: Vec<u32>,
    /// How many moves of all roles are in it.
    pub moves: usize,
    /// The roles whose goals look at it.
    pub goals: Vec<RoleId>,
    /// Whether the end of the game looks at it.
    pub ends: bool,
}

/// The parts of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Factors {
    /// The parts that moves change, the largest first.
    pub parts: Vec<Factor>,
    /// The numbers of fluents that go on by themselves.
    pub clocks: Vec<u32>,
}

impl Factors {
    /// The parts of a game that its network shows.
    pub fn new(network: &Network) -> Self {
        let nodes = fluents(network);
        let is_clock = clocks(network, &nodes);
        // Goals and the end of the game look at factors, but do not change them.
        let legal = network.legal.iter().flatten().map(|&(_, wire)| wire);
        let changes: Vec<Wire> = network.next.iter().copied().chain(legal).collect();
        let is_needed = reachable(network, &changes);
        let mut groups = Groups::new(network.nodes.len());
        let mut join = |one: usize, wire: Wire| {
            if !is_clock[one] && !is_clock[wire.node()] {
                groups.join(one, wire.node());
            }
        };
        for node in (0..network.nodes.len()).filter(|&node| is_needed[node]) {
            let inputs = network.inputs_of(node).iter().copied();
            inputs
                .chain(definition(network, node))
                .for_each(|wire| join(node, wire));
        }
        for (&node, &next) in nodes.iter().zip(&network.next) {
            join(node, next);
        }
        for (number, node) in network.nodes.iter().enumerate() {
            if let Node::Does { role, index } = *node {
                join(number, network.legal[usize::from(role)][index as usize].1);
            }
        }
        let clocks = (0..).zip(&nodes).filter(|(_, node)| is_clock[**node]);
        Self {
            clocks: clocks.map(|(fluent, _)| fluent).collect(),
            parts: collect(network, &mut groups, &is_clock),
        }
    }
}

/// Which nodes depend on nothing but fluents that go on by themselves.
fn clocks(network: &Network, nodes: &[usize]) -> Vec<bool> {
    let mut is_clock: Vec<bool> = network
        .nodes
        .iter()
        .map(|node| matches!(node, Node::True | Node::Fluent(_)))
        .collect();
    // All fluents are taken for clocks until one is seen to depend on something else.
    loop {
        for node in 0..network.nodes.len() {
            if let Node::And { .. } = network.nodes[node] {
                let inputs = network.inputs_of(node);
                is_clock[node] = inputs.iter().all(|wire| is_clock[wire.node()]);
            }
        }
        let mut changed = false;
        for (&node, next) in nodes.iter().zip(&network.next) {
            if is_clock[node] && !is_clock[next.node()] {
                is_clock[node] = false;
                changed = true;
            }
        }
        if !changed {
            return is_clock;
        }
    }
}

/// The groups that have both fluents and moves, with what looks at them.
fn collect(network: &Network, groups: &mut Groups, is_clock: &[bool]) -> Vec<Factor> {
    let mut factors: Vec<Factor> = vec![Factor::default(); network.nodes.len()];
    for (number, node) in network.nodes.iter().enumerate() {
        let factor = &mut factors[groups.find(number)];
        match *node {
            Node::Fluent(fluent) if !is_clock[number] => factor.fluents.push(fluent),
            Node::Does { .. } => factor.moves += 1,
            _ => {}
        }
    }
    for (role, goals) in (0..).map(RoleId).zip(&network.goals) {
        let goals: Vec<Wire> = goals.iter().map(|&(_, wire)| wire).collect();
        for group in looked_at(network, groups, &goals) {
            factors[group].goals.push(role);
        }
    }
    for group in looked_at(network, groups, &[network.terminal]) {
        factors[group].ends = true;
    }
    factors.retain(|factor| factor.moves > 0 && !factor.fluents.is_empty());
    factors.sort_by_key(|factor| std::cmp::Reverse(factor.fluents.len()));
    factors
}

/// The groups of the fluents that some wires depend on.
fn looked_at(network: &Network, groups: &mut Groups, wires: &[Wire]) -> Vec<usize> {
    let is_seen = reachable(network, wires);
    let nodes = network.nodes.iter().enumerate();
    let fluents =
        nodes.filter(|(number, node)| is_seen[*number] && matches!(node, Node::Fluent(_)));
    let mut found: Vec<usize> = fluents.map(|(number, _)| groups.find(number)).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// For each node, whether some wires depend on it.
fn reachable(network: &Network, wires: &[Wire]) -> Vec<bool> {
    let mut is_seen = vec![false; network.nodes.len()];
    let mut open: Vec<usize> = wires.iter().map(|wire| wire.node()).collect();
    while let Some(node) = open.pop() {
        if !std::mem::replace(&mut is_seen[node], true) {
            let inputs = network.inputs_of(node).iter().copied();
            let wires = inputs.chain(definition(network, node));
            open.extend(wires.map(Wire::node));
        }
    }
    is_seen
}

/// What a node of a recursive part is defined by, if it is a feedback node.
fn definition(network: &Network, node: usize) -> Option<Wire> {
    let after = network
        .regions
        .partition_point(|region| region.nodes.end <= node);
    let region = network.regions.get(after)?;
    let place = node.checked_sub(region.nodes.start)?;
    region.definitions.get(place).copied()
}

/// Groups of numbers that were joined.
struct Groups {
    parents: Vec<usize>,
}

impl Groups {
    fn new(size: usize) -> Self {
        Self {
            parents: (0..size).collect(),
        }
    }

    fn find(&mut self, number: usize) -> usize {
        let mut at = number;
        while self.parents[at] != at {
            // The next search takes a shorter way.
            self.parents[at] = self.parents[self.parents[at]];
            at = self.parents[at];
        }
        at
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.find(one), self.find(other));
        self.parents[one.max(other)] = one.min(other);
    }
}
