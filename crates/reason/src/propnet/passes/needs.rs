//! Which fluents must hold for a wire to be true.

use super::super::network::{Network, Node, Wire};
use super::rebuild::fan_out;

/// The most fluents that are examined: those that most gates read.
const FLUENTS: usize = 64;

/// What wires need. Sets of fluents are bits of a word.
pub(crate) struct Needs {
    /// For each chosen fluent, its wire.
    wires: Vec<Wire>,
    /// For each node, what must hold for it to be true, and to be false.
    needs: Vec<[u64; 2]>,
}

impl Needs {
    pub(crate) fn new(network: &Network) -> Self {
        let chosen = most_read(network);
        let nodes = network.nodes.iter().enumerate();
        let wires = nodes.filter_map(|(number, node)| match node {
            Node::Fluent(fluent) if chosen.binary_search(fluent).is_ok() => Some(Wire::of(number)),
            _ => None,
        });
        Self {
            wires: wires.collect(),
            needs: all_needs(network, &chosen),
        }
    }

    /// The wires of a set of fluents.
    pub(super) fn wires(&self, fluents: u64) -> Vec<Wire> {
        let wires = self.wires.iter().enumerate();
        let wires = wires.filter(|(bit, _)| fluents >> bit & 1 == 1);
        wires.map(|(_, &wire)| wire).collect()
    }

    /// The numbers of the chosen fluents, in the order of their bits.
    pub(crate) fn fluents(&self, network: &Network) -> Vec<usize> {
        let number = |wire: &Wire| match network.nodes[wire.node()] {
            Node::Fluent(number) => Some(number as usize),
            _ => None,
        };
        self.wires.iter().filter_map(number).collect()
    }

    /// The chosen fluents that must hold for a wire to be true.
    pub(crate) fn of(&self, wire: Wire) -> u64 {
        self.needs[wire.node()][usize::from(wire.is_inverted())]
    }
}

/// The fluents that most gates read, in the order of their numbers.
fn most_read(network: &Network) -> Vec<u32> {
    let fan_out = fan_out(network);
    let mut read: Vec<(u32, u32)> = Vec::new();
    for (node, count) in network.nodes.iter().zip(fan_out) {
        if let Node::Fluent(number) = node {
            read.push((u32::MAX - count, *number));
        }
    }
    read.sort_unstable();
    let mut chosen: Vec<u32> = read
        .into_iter()
        .take(FLUENTS)
        .map(|(_, number)| number)
        .collect();
    chosen.sort_unstable();
    chosen
}

fn all_needs(network: &Network, chosen: &[u32]) -> Vec<[u64; 2]> {
    let mut needs: Vec<[u64; 2]> = Vec::with_capacity(network.nodes.len());
    for (number, node) in network.nodes.iter().enumerate() {
        needs.push(match node {
            // What can never be so needs everything.
            Node::True => [0, u64::MAX],
            Node::Fluent(fluent) => match chosen.binary_search(fluent) {
                Ok(bit) => [1 << bit, 0],
                Err(_) => [0, 0],
            },
            Node::Does { .. } | Node::Feedback => [0, 0],
            Node::And { .. } => {
                let inputs = network.inputs_of(number).iter();
                let of = |wire: Wire| needs[wire.node()][usize::from(wire.is_inverted())];
                inputs.fold([0, u64::MAX], |[risen, fallen], &wire| {
                    [risen | of(wire), fallen & of(!wire)]
                })
            }
        });
    }
    needs
}
