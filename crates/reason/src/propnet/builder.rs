//! Putting networks together gate by gate, with equal gates made once and constants folded.

use rustc_hash::FxHashMap;

use super::network::{Network, Node, Region, Wire};

/// A network in the making.
pub(super) struct Builder {
    network: Network,
    known: FxHashMap<Box<[Wire]>, Wire>,
    /// For each fluent, its node.
    fluents: Vec<Wire>,
    /// For each role and move, its node.
    does: Vec<Vec<Wire>>,
    /// Scratch memory for the inputs of one gate.
    scratch: Vec<Wire>,
}

impl Builder {
    /// A network with inputs for these numbers of fluents and of moves of each role, and no gates.
    pub(super) fn new(fluents: usize, moves: &[usize]) -> Self {
        let mut network = Network {
            nodes: vec![Node::True],
            ..Network::default()
        };
        let mut add = |node: Node| {
            network.nodes.push(node);
            Wire::of(network.nodes.len() - 1)
        };
        let fluents = (0..fluents)
            .map(|number| add(Node::Fluent(number as u32)))
            .collect();
        let moves_of = |(role, &count): (usize, &usize)| {
            (0..count)
                .map(|index| {
                    add(Node::Does {
                        role: role as u16,
                        index: index as u32,
                    })
                })
                .collect()
        };
        let does = moves.iter().enumerate().map(moves_of).collect();
        Self {
            network,
            known: FxHashMap::default(),
            fluents,
            does,
            scratch: Vec::new(),
        }
    }

    /// Whether a fluent holds now.
    pub(super) fn fluent(&self, number: usize) -> Wire {
        self.fluents[number]
    }

    /// Whether a role makes a move.
    pub(super) fn does(&self, role: usize, index: usize) -> Wire {
        self.does[role][index]
    }

    /// Whether all of these hold.
    pub(super) fn and(&mut self, wires: impl IntoIterator<Item = Wire>) -> Wire {
        let mut inputs = std::mem::take(&mut self.scratch);
        inputs.clear();
        inputs.extend(wires);
        let wire = self.conjunction(&mut inputs);
        self.scratch = inputs;
        wire
    }

    /// Whether one of these holds.
    pub(super) fn or(&mut self, wires: impl IntoIterator<Item = Wire>) -> Wire {
        !self.and(wires.into_iter().map(|wire| !wire))
    }

    fn conjunction(&mut self, inputs: &mut Vec<Wire>) -> Wire {
        inputs.sort_unstable();
        inputs.dedup();
        // A wire and its inverse are neighbours in the order, and constants come first.
        if inputs.first() == Some(&Wire::TRUE) {
            inputs.remove(0);
        }
        if inputs.first() == Some(&Wire::FALSE) || inputs.windows(2).any(|pair| pair[0] == !pair[1])
        {
            return Wire::FALSE;
        }
        match inputs[..] {
            [] => return Wire::TRUE,
            [single] => return single,
            _ => {}
        }
        if let Some(&known) = self.known.get(&inputs[..]) {
            return known;
        }
        let start = self.network.inputs.len() as u32;
        self.network.inputs.extend_from_slice(inputs);
        let end = self.network.inputs.len() as u32;
        self.network.nodes.push(Node::And { start, end });
        let wire = Wire::of(self.network.nodes.len() - 1);
        self.known.insert(inputs[..].into(), wire);
        wire
    }

    /// The inputs of the gate behind a wire; none if it is no gate.
    pub(super) fn inputs_of(&self, wire: Wire) -> &[Wire] {
        self.network.inputs_of(wire.node())
    }

    /// How many nodes there are.
    pub(super) fn len(&self) -> usize {
        self.network.nodes.len()
    }

    /// Opens a region with `feedback` feedback nodes; their wires.
    pub(super) fn open_region(&mut self, feedback: usize) -> Vec<Wire> {
        let start = self.len();
        self.network
            .nodes
            .extend(std::iter::repeat_n(Node::Feedback, feedback));
        self.network.regions.push(Region {
            nodes: start..start,
            definitions: Vec::new(),
        });
        (start..start + feedback).map(Wire::of).collect()
    }

    /// Closes the region that was opened last, with the definitions of its feedback nodes.
    pub(super) fn close_region(&mut self, definitions: Vec<Wire>) {
        let end = self.len();
        if let Some(region) = self.network.regions.last_mut() {
            region.nodes.end = end;
            region.definitions = definitions;
        }
    }

    /// The network, whose outputs the caller sets.
    pub(super) fn finish(self) -> Network {
        self.network
    }
}
