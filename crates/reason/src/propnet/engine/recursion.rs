//! Recursive parts of a network: the least fixpoint of nodes that depend on each other, kept up to
//! date.
//!
//! Recursion in rules is monotone, so each node of a cycle has a direction in which it can only
//! ever go while the fixpoint is sought: gates that count as conjunctions of the recursion go from
//! false to true, those that are the inverted half of a disjunction go from true to false. Here a
//! node is *low* before it has gone that way and *high* after. Seen like that, every node goes high
//! once a number of its inputs are high: all of them for a conjunction, one for a disjunction.
//!
//! What comes from outside enters through *ports*, likewise low or high. A port that goes high only
//! adds to the fixpoint. One that goes low takes nothing away if it fed only conjunctions that are
//! low anyway; else the fixpoint is sought again from the bottom, because nodes of a cycle may hold
//! each other up without any ground.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::order::Order;
use super::signals::Word;
use crate::bits::Bits;
use crate::lists::Lists;
use crate::propnet::network::Wire;

/// Nodes that depend on each other.
#[derive(Debug)]
pub(super) struct Cycle {
    /// The words of the ports, in which a one is high.
    pub(super) ports: Range<usize>,
    /// The words of the nodes.
    pub(super) nodes: Range<usize>,
    /// For each port, the nodes that it feeds.
    port_fans: Lists<u32>,
    /// For each node, the nodes that it feeds.
    node_fans: Lists<u32>,
    /// Nodes that one high input suffices for.
    disjunctions: Vec<bool>,
    /// For each word of nodes, those that are false when high.
    flipped: Vec<u64>,
    /// The fixpoint with all ports low, in which all nodes are low: a node of a cycle has inputs.
    bottom: Fixpoint,
}

/// A fixpoint of a cycle.
#[derive(Clone, Debug)]
pub(super) struct Fixpoint {
    /// The ports that it is for.
    ports: Vec<u64>,
    /// The nodes that are high.
    high: Vec<u64>,
    /// For each node, how many more inputs must be high for it; not above zero for nodes that are
    /// high.
    missing: Vec<i32>,
    /// Nodes that went high and have not told those they feed.
    waiting: Vec<u32>,
}

impl Cycle {
    /// The cycle of these nodes and what its ports carry. The words of ports and nodes are for the
    /// caller to set.
    pub(super) fn new(order: &Order<'_>, nodes: &[usize]) -> (Self, Vec<Wire>) {
        let members: FxHashMap<usize, u32> = nodes.iter().copied().zip(0..).collect();
        let falling = falling(order, nodes, &members);
        let mut ports = Ports::default();
        let mut edges = Vec::new();
        let mut missing = Vec::new();
        for (node, number) in nodes.iter().zip(0u32..) {
            let falls = falling[number as usize];
            let inputs = order.inputs(*node);
            missing.push(if falls { 1 } else { inputs.len() as i32 });
            for &wire in inputs {
                match members.get(&wire.node()) {
                    Some(&source) => edges.push((source, number)),
                    None => ports.feed(wire.inverted_if(falls), number),
                }
            }
        }
        let words = nodes.len().div_ceil(64);
        let mut flipped = vec![0; words];
        for number in (0..nodes.len()).filter(|&number| falling[number]) {
            flipped[number / 64] |= 1 << (number % 64);
        }
        let cycle = Self {
            ports: 0..0,
            nodes: 0..0,
            port_fans: Lists::new(ports.wires.len(), &ports.edges),
            node_fans: Lists::new(nodes.len(), &edges),
            disjunctions: falling,
            flipped,
            bottom: Fixpoint {
                ports: vec![0; ports.wires.len().div_ceil(64)],
                high: vec![0; words],
                waiting: Vec::with_capacity(nodes.len()),
                missing,
            },
        };
        (cycle, ports.wires)
    }

    /// The fixpoint with all ports low.
    pub(super) fn bottom(&self) -> Fixpoint {
        self.bottom.clone()
    }
}

/// Finds which nodes go from true to false as those before them go up: neighbours differ where a
/// wire is inverted.
fn falling(order: &Order<'_>, nodes: &[usize], members: &FxHashMap<usize, u32>) -> Vec<bool> {
    let mut falling: Vec<Option<bool>> = vec![None; nodes.len()];
    let mut neighbours = vec![Vec::new(); nodes.len()];
    for (node, number) in nodes.iter().zip(0u32..) {
        for wire in order.inputs(*node) {
            if let Some(&source) = members.get(&wire.node()) {
                neighbours[number as usize].push((source, wire.is_inverted()));
                neighbours[source as usize].push((number, wire.is_inverted()));
            }
        }
    }
    // Feedback nodes come first among the nodes of a region, and rise.
    let mut open = vec![(0u32, false)];
    while let Some((number, falls)) = open.pop() {
        if falling[number as usize].is_some() {
            continue;
        }
        falling[number as usize] = Some(falls);
        let next = neighbours[number as usize].iter();
        open.extend(next.map(|&(other, inverted)| (other, falls != inverted)));
    }
    falling.into_iter().map(Option::unwrap_or_default).collect()
}

/// The ports of a cycle while they are found.
#[derive(Default)]
struct Ports {
    wires: Vec<Wire>,
    numbers: FxHashMap<Wire, u32>,
    edges: Vec<(u32, u32)>,
}

impl Ports {
    fn feed(&mut self, wire: Wire, node: u32) {
        let port = *self.numbers.entry(wire).or_insert_with(|| {
            self.wires.push(wire);
            self.wires.len() as u32 - 1
        });
        self.edges.push((port, node));
    }
}

impl Fixpoint {
    /// Follows the ports, and hands the values of the nodes to their words.
    pub(super) fn update(&mut self, cycle: &Cycle, words: &mut [Word]) {
        let ports = &words[cycle.ports.clone()];
        let falls = |(old, word): (&u64, &Word)| old & !word.value != 0;
        if self.ports.iter().zip(ports).any(falls) && !self.lower(cycle, ports) {
            self.clone_from_bottom(&cycle.bottom);
        }
        for (place, word) in ports.iter().enumerate() {
            let rising = word.value & !self.ports[place];
            self.ports[place] = word.value;
            for bit in Bits(rising) {
                self.tell(cycle.port_fans.of(place * 64 + bit));
            }
        }
        self.spread(cycle);
        for (place, word) in words[cycle.nodes.clone()].iter_mut().enumerate() {
            word.ready = self.high[place] ^ cycle.flipped[place];
        }
    }

    /// Lowers ports; false if that may take something from the fixpoint, which must be sought anew
    /// then.
    fn lower(&mut self, cycle: &Cycle, ports: &[Word]) -> bool {
        for (place, word) in ports.iter().enumerate() {
            let fallen = self.ports[place] & !word.value;
            self.ports[place] &= word.value;
            for bit in Bits(fallen) {
                for &node in cycle.port_fans.of(place * 64 + bit) {
                    let missing = &mut self.missing[node as usize];
                    if *missing <= 0 || cycle.disjunctions[node as usize] {
                        return false;
                    }
                    *missing += 1;
                }
            }
        }
        true
    }

    fn clone_from_bottom(&mut self, bottom: &Fixpoint) {
        self.ports.copy_from_slice(&bottom.ports);
        self.high.copy_from_slice(&bottom.high);
        self.missing.copy_from_slice(&bottom.missing);
        self.waiting.clear();
    }

    fn raise(&mut self, node: u32) {
        self.high[node as usize / 64] |= 1 << (node % 64);
        self.waiting.push(node);
    }

    /// Tells nodes that an input of theirs went high.
    fn tell(&mut self, nodes: &[u32]) {
        for &node in nodes {
            let missing = &mut self.missing[node as usize];
            *missing -= 1;
            if *missing == 0 {
                self.raise(node);
            }
        }
    }

    fn spread(&mut self, cycle: &Cycle) {
        while let Some(node) = self.waiting.pop() {
            self.tell(cycle.node_fans.of(node as usize));
        }
    }
}
