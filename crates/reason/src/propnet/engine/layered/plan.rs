//! The gates of a network in layers, each split over threads.

use super::super::order::{AFTER, GOAL, NOW, Order, Unit};
use super::NoLayers;
use crate::propnet::network::{Network, Node, Wire};

/// What is evaluated in one go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Legal moves and the end, from the state.
    Now,
    /// The next state and percepts, from the state and the moves.
    After,
    /// Goals, from the state.
    Goals,
}

/// A network as lists of gates over numbered slots, of which each holds one bit.
pub(super) struct Plan {
    /// How many slots there are; the first is always true, then come the fluents.
    pub(super) slots: usize,
    parts: [Layers; 3],
    inputs: Vec<Tap>,
    /// For each role, the slots of its moves being made.
    pub(super) does: Vec<Vec<u32>>,
    pub(super) next: Vec<Tap>,
    pub(super) terminal: Tap,
    /// For each role, in the order of its moves, whether each is legal.
    pub(super) legal: Vec<Vec<Tap>>,
    pub(super) goals: Vec<Vec<(i32, Tap)>>,
    pub(super) percepts: Vec<Vec<Tap>>,
}

/// The layers of a part.
type Layers = Vec<Layer>;

/// For each thread, its gates of a layer.
type Layer = Vec<Vec<Gate>>;

/// A conjunction of inputs.
#[derive(Clone, Copy)]
pub(super) struct Gate {
    pub(super) target: u32,
    start: u32,
    end: u32,
}

/// The value of a slot, inverted or not.
#[derive(Clone, Copy)]
pub(super) struct Tap {
    pub(super) slot: u32,
    pub(super) is_inverted: bool,
}

/// The slot of a fluent.
pub(super) fn slot_of_fluent(fluent: usize) -> usize {
    fluent + 1
}

impl Plan {
    pub(super) fn new(network: &Network, threads: usize) -> Result<Self, NoLayers> {
        let order = Order::new(network);
        let cycles = order.units.iter().map(|unit| match unit {
            Unit::Gate(_) => 0,
            Unit::Cycle(nodes) => nodes.len(),
        });
        match cycles.sum() {
            0 => Ok(Planner::new(network, &order, threads).plan()),
            nodes => Err(NoLayers { nodes }),
        }
    }

    pub(super) fn part(&self, part: Part) -> &[Layer] {
        &self.parts[part as usize]
    }

    pub(super) fn inputs(&self, gate: Gate) -> &[Tap] {
        &self.inputs[gate.start as usize..gate.end as usize]
    }

    /// How many layers a move goes through.
    pub(super) fn layers(&self) -> usize {
        self.part(Part::Now).len() + self.part(Part::After).len()
    }

    /// How many gates a move evaluates.
    pub(super) fn gates(&self) -> usize {
        let layers = self.part(Part::Now).iter().chain(self.part(Part::After));
        layers.flatten().map(Vec::len).sum()
    }
}

struct Planner<'a> {
    network: &'a Network,
    order: &'a Order<'a>,
    threads: usize,
    /// For each node, its slot.
    slot_of: Vec<Option<u32>>,
    slots: u32,
    inputs: Vec<Tap>,
}

impl<'a> Planner<'a> {
    fn new(network: &'a Network, order: &'a Order<'a>, threads: usize) -> Self {
        let mut slot_of = vec![None; network.nodes.len()];
        slot_of[0] = Some(0);
        for (node, kind) in network.nodes.iter().enumerate() {
            if let Node::Fluent(fluent) = *kind {
                slot_of[node] = Some(slot_of_fluent(fluent as usize) as u32);
            }
        }
        Self {
            network,
            order,
            threads,
            slot_of,
            slots: slot_of_fluent(network.next.len()) as u32,
            inputs: Vec::new(),
        }
    }

    fn plan(mut self) -> Plan {
        let does = self.does();
        let parts = [
            self.part(|demand| demand & NOW != 0),
            self.part(|demand| demand & AFTER != 0 && demand & NOW == 0),
            // What goals and the next state both need is evaluated for each: the state is another
            // one.
            self.part(|demand| demand & GOAL != 0 && demand & NOW == 0),
        ];
        let network = self.network;
        let taps = |lists: &[Vec<(u32, Wire)>]| -> Vec<Vec<Tap>> {
            let tap = |&(_, wire): &(u32, Wire)| self.tap(wire);
            let lists = lists.iter().map(|list| list.iter().map(tap).collect());
            lists.collect()
        };
        let goals = |goals: &Vec<(i32, Wire)>| {
            let goals = goals.iter().map(|&(value, wire)| (value, self.tap(wire)));
            goals.collect()
        };
        Plan {
            does,
            next: network.next.iter().map(|&wire| self.tap(wire)).collect(),
            terminal: self.tap(network.terminal),
            legal: taps(&network.legal),
            goals: network.goals.iter().map(goals).collect(),
            percepts: taps(&network.percepts),
            slots: self.slots as usize,
            inputs: self.inputs,
            parts,
        }
    }

    /// Slots for all moves, whether the network has a node for them or not.
    fn does(&mut self) -> Vec<Vec<u32>> {
        let mut does = Vec::new();
        for moves in &self.network.legal {
            let slots = (self.slots..).take(moves.len());
            does.push(slots.collect::<Vec<u32>>());
            self.slots += moves.len() as u32;
        }
        for (node, kind) in self.network.nodes.iter().enumerate() {
            if let Node::Does { role, index } = *kind {
                self.slot_of[node] = Some(does[role as usize][index as usize]);
            }
        }
        does
    }

    /// The wire as other gates read it. A gate that is never evaluated has no slot, and is never
    /// read.
    fn tap(&self, wire: Wire) -> Tap {
        Tap {
            slot: self.slot_of[wire.node()].unwrap_or(0),
            is_inverted: wire.is_inverted(),
        }
    }

    fn part(&mut self, wanted: impl Fn(u8) -> bool) -> Layers {
        let mut layer_of = vec![None; self.network.nodes.len()];
        let mut layers: Vec<Vec<Gate>> = Vec::new();
        for unit in &self.order.units {
            let Unit::Gate(node) = *unit else { continue };
            if !wanted(self.order.demand[node]) {
                continue;
            }
            let inputs = self.order.inputs(node);
            let before = inputs.iter().filter_map(|wire| layer_of[wire.node()]).max();
            let layer = before.map_or(0, |layer: usize| layer + 1);
            layer_of[node] = Some(layer);
            let gate = self.gate(node, inputs);
            if layers.len() <= layer {
                layers.resize_with(layer + 1, Vec::new);
            }
            layers[layer].push(gate);
        }
        layers.iter().map(|gates| self.split(gates)).collect()
    }

    fn gate(&mut self, node: usize, inputs: &[Wire]) -> Gate {
        let start = self.inputs.len() as u32;
        for &wire in inputs {
            let tap = self.tap(wire);
            self.inputs.push(tap);
        }
        let slots = &mut self.slots;
        let target = *self.slot_of[node].get_or_insert_with(|| {
            *slots += 1;
            *slots - 1
        });
        Gate {
            target,
            start,
            end: self.inputs.len() as u32,
        }
    }

    /// A layer's gates in equal shares.
    fn split(&self, gates: &[Gate]) -> Layer {
        let share = gates.len().div_ceil(self.threads).max(1);
        let mut shares: Layer = gates.chunks(share).map(<[Gate]>::to_vec).collect();
        shares.resize(self.threads, Vec::new());
        shares
    }
}
