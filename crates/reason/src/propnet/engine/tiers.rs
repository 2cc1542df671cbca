//! Sorting the nodes of a network into tiers, each of which feeds only later ones.
//!
//! First come the fluents and the constant, then the gates that legal moves and the end need, then
//! legal moves themselves, in rows so that whole words of them can be read; then what the next
//! state and percepts need, and these in rows. Gates that ride on others stand in no tier: see
//! [`super::planes`].

use super::order::{AFTER, NOW, Order, Unit};
use super::packing::Packing;
use super::planes::{Planes, Seat};
use super::recursion::Cycle;
use crate::propnet::network::{Network, Wire};

/// What gives a bit its value.
#[derive(Clone, Copy)]
pub(super) enum Feed {
    /// The inputs of a node.
    Gate(usize),
    /// One wire, of which the bit is a copy.
    Copy(Wire),
    /// Set elsewhere: the bit is a fluent, the constant or a node of a cycle.
    Given,
}

/// Words in a row, each a list of bits with what gives them their value.
pub(super) type Tier = Vec<Vec<(usize, Feed)>>;

/// The nodes of a network in tiers.
pub(super) struct Tiers {
    pub(super) tiers: Vec<Tier>,
    pub(super) cycles: Vec<CyclePlace>,
    /// What follows a change of the state.
    pub(super) now: Part,
    /// What follows moves.
    pub(super) after: Part,
    pub(super) legal: Vec<RowPlace>,
    pub(super) next: RowPlace,
    pub(super) percepts: Vec<RowPlace>,
}

/// A run of tiers.
pub(super) struct Part {
    pub(super) first: usize,
    /// The numbers of its cycles.
    pub(super) cycles: Vec<usize>,
}

/// Where a cycle is.
pub(super) struct CyclePlace {
    pub(super) cycle: Cycle,
    pub(super) nodes: Vec<usize>,
    pub(super) port_tier: usize,
    pub(super) node_tier: usize,
}

/// Where a row of outputs is.
pub(super) struct RowPlace {
    pub(super) tier: usize,
    /// For each word, the outputs that are the opposite of their gate.
    pub(super) inverted: Vec<u64>,
}

impl Tiers {
    pub(super) fn new(network: &Network, order: &Order<'_>, planes: &Planes<'_>) -> Self {
        let mut filling = Filling {
            order,
            planes,
            packing: Packing::default(),
            tiers: Vec::new(),
            tier_of: vec![None; network.nodes.len()],
            cycles: Vec::new(),
        };
        filling.add_tier(std::iter::repeat_n(Feed::Given, network.next.len()));
        filling.add_tier(std::iter::once(Feed::Given));
        let mut now = filling.add_part(|demand| demand & NOW != 0);
        // The fluents are swept along.
        now.first = 0;
        let legal = filling.add_rows(&network.legal);
        let after = filling.add_part(|demand| demand & AFTER != 0 && demand & NOW == 0);
        let next = filling.add_row(network.next.iter().copied());
        let percepts = filling.add_rows(&network.percepts);
        Self {
            tiers: filling.tiers,
            cycles: filling.cycles,
            now,
            after,
            legal,
            next,
            percepts,
        }
    }

    /// The planes below all tiers.
    pub(super) fn planes<'a>(&'a self, planes: &'a Planes<'_>) -> impl Iterator<Item = Vec<Seat>> {
        let words = self.tiers.iter().flatten();
        words.flat_map(|word| planes.below(&gates(word)))
    }
}

/// The gates of a word.
pub(super) fn gates(word: &[(usize, Feed)]) -> Vec<Seat> {
    let gates = word.iter().filter_map(|&(bit, feed)| match feed {
        Feed::Gate(node) => Some((bit, node)),
        Feed::Copy(_) | Feed::Given => None,
    });
    gates.collect()
}

/// Tiers while they are filled.
struct Filling<'a> {
    order: &'a Order<'a>,
    planes: &'a Planes<'a>,
    packing: Packing,
    tiers: Vec<Tier>,
    /// For each node, its tier; for a node that rides, the last tier that feeds it.
    tier_of: Vec<Option<usize>>,
    cycles: Vec<CyclePlace>,
}

impl Filling<'_> {
    /// A tier of its own for these bits.
    fn add_tier(&mut self, bits: impl Iterator<Item = Feed>) -> usize {
        let mut tier = Tier::new();
        for (place, feed) in bits.enumerate() {
            if place % 64 == 0 {
                tier.push(Vec::new());
            }
            tier[place / 64].push((place % 64, feed));
            if let Feed::Gate(node) = feed {
                self.tier_of[node] = Some(self.tiers.len());
            }
        }
        self.tiers.push(tier);
        self.packing.fresh()
    }

    /// Places the nodes with a wanted demand, except gates that ride or stand in a row.
    fn add_part(&mut self, wanted: impl Fn(u8) -> bool) -> Part {
        let mut part = Part {
            first: self.packing.tiers(),
            cycles: Vec::new(),
        };
        self.packing.start_part();
        for unit in &self.order.units {
            match unit {
                Unit::Gate(node) if wanted(self.order.demand[*node]) => self.add_gate(*node),
                Unit::Cycle(nodes) if wanted(self.order.demand[nodes[0]]) => {
                    part.cycles.push(self.cycles.len());
                    self.add_cycle(nodes);
                }
                Unit::Gate(_) | Unit::Cycle(_) => {}
            }
        }
        part
    }

    fn add_gate(&mut self, node: usize) {
        let inputs = self.order.inputs(node).iter();
        let before = inputs.filter_map(|wire| self.tier_of[wire.node()]).max();
        if self.planes.rides(node) {
            self.tier_of[node] = before;
        } else if !self.order.stands_in_row(node) {
            let (tier, bit) = self.packing.place(before.map_or(0, |tier| tier + 1));
            let tiers = self.packing.tiers();
            self.tiers.resize_with(tiers, || vec![Vec::new()]);
            self.tiers[tier][0].push((bit, Feed::Gate(node)));
            self.tier_of[node] = Some(tier);
        }
    }

    fn add_cycle(&mut self, nodes: &[usize]) {
        let (cycle, ports) = Cycle::new(self.order, nodes);
        let port_tier = self.add_tier(ports.into_iter().map(Feed::Copy));
        let node_tier = self.add_tier(std::iter::repeat_n(Feed::Given, nodes.len()));
        for &node in nodes {
            self.tier_of[node] = Some(node_tier);
        }
        self.cycles.push(CyclePlace {
            cycle,
            nodes: nodes.to_vec(),
            port_tier,
            node_tier,
        });
    }

    fn add_rows(&mut self, lists: &[Vec<(u32, Wire)>]) -> Vec<RowPlace> {
        let rows = lists.iter();
        rows.map(|row| self.add_row(row.iter().map(|&(_, wire)| wire)))
            .collect()
    }

    /// Gives outputs consecutive bits.
    fn add_row(&mut self, outputs: impl ExactSizeIterator<Item = Wire>) -> RowPlace {
        let mut inverted = vec![0; outputs.len().div_ceil(64)];
        let mut feeds = Vec::new();
        for (place, wire) in outputs.enumerate() {
            feeds.push(if self.order.stands_in_row(wire.node()) {
                inverted[place / 64] |= u64::from(wire.is_inverted()) << (place % 64);
                Feed::Gate(wire.node())
            } else {
                Feed::Copy(wire)
            });
        }
        RowPlace {
            tier: self.add_tier(feeds.into_iter()),
            inverted,
        }
    }
}
