//! Made-up networks: random gates, with recursion if wanted, and counters for choosing moves.

use paidia_game::Chance;
use paidia_reason::propnet::{Network, Node, Region, Wire};

/// What a made-up network looks like.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub(crate) fluents: u32,
    pub(crate) roles: u16,
    pub(crate) moves: u32,
    pub(crate) gates: usize,
    pub(crate) regions: usize,
}

/// A network being made up.
pub(crate) struct Maker {
    pub(crate) network: Network,
    chance: Chance,
}

impl Maker {
    pub(crate) fn new(seed: u64) -> Self {
        let mut network = Network::default();
        network.nodes.push(Node::True);
        Self {
            network,
            chance: Chance::from_seed(seed),
        }
    }

    pub(crate) fn add(&mut self, node: Node) -> Wire {
        self.network.nodes.push(node);
        Wire::of(self.network.nodes.len() - 1)
    }

    pub(crate) fn and(&mut self, inputs: &[Wire]) -> Wire {
        let start = self.network.inputs.len() as u32;
        self.network.inputs.extend(inputs);
        let end = self.network.inputs.len() as u32;
        self.add(Node::And { start, end })
    }

    fn below(&mut self, bound: usize) -> usize {
        self.chance.below(bound as u32) as usize
    }

    /// Any wire of nodes before `end`, inverted or not, rarely a constant.
    fn wire(&mut self, end: usize) -> Wire {
        let node = self.below(end);
        let inverted = self.below(2) == 1;
        Wire::of(node).inverted_if(inverted)
    }

    fn gate(&mut self) -> Wire {
        let end = self.network.nodes.len();
        let inputs: Vec<Wire> = (0..self.below(5)).map(|_| self.wire(end)).collect();
        self.and(&inputs)
    }

    /// Atoms that are defined by each other without negation, and by anything before them.
    fn region(&mut self) {
        let start = self.network.nodes.len();
        let feedback = 1 + self.below(6);
        let mut grows: Vec<Wire> = (0..feedback).map(|_| self.add(Node::Feedback)).collect();
        for _ in 0..feedback * 3 {
            let any = grows[self.below(grows.len())];
            let other = grows[self.below(grows.len())];
            let before = self.wire(start);
            let gate = match self.below(3) {
                0 => self.and(&[any, before]),
                1 => !self.and(&[!any, !other, !before]),
                _ => self.and(&[any, other]),
            };
            grows.push(gate);
        }
        let definitions = (0..feedback).map(|_| {
            let place = feedback + self.below(grows.len() - feedback);
            grows[place]
        });
        let definitions = definitions.collect();
        self.network.regions.push(Region {
            nodes: start..self.network.nodes.len(),
            definitions,
        });
    }

    fn gates(&mut self, gates: usize, regions: usize) {
        for number in 0..gates {
            self.gate();
            if regions > 0 && number % gates.div_ceil(regions) == 0 {
                self.region();
            }
        }
    }

    /// Any wires that do not depend on moves, if `end` is before the moves.
    fn wires(&mut self, count: usize, end: usize) -> Vec<Wire> {
        (0..count).map(|_| self.wire(end)).collect()
    }
}

/// A network at random.
pub(crate) fn random_network(seed: u64, shape: Shape) -> Network {
    let mut maker = Maker::new(seed);
    for fluent in 0..shape.fluents {
        maker.add(Node::Fluent(fluent));
    }
    maker.gates(shape.gates, shape.regions);
    let end = maker.network.nodes.len();
    for _ in 0..shape.roles {
        let wires = maker.wires(shape.moves as usize, end);
        maker.network.legal.push((10..).zip(wires).collect());
        let wires = maker.wires(3, end);
        maker
            .network
            .goals
            .push([0, 50, 100].into_iter().zip(wires).collect());
    }
    maker.network.terminal = maker.wire(end);
    for role in 0..shape.roles {
        for index in 0..shape.moves {
            maker.add(Node::Does { role, index });
        }
    }
    maker.gates(shape.gates, shape.regions);
    let end = maker.network.nodes.len();
    maker.network.next = maker.wires(shape.fluents as usize, end);
    maker.network.initial = vec![false; shape.fluents as usize];
    maker.network
}
