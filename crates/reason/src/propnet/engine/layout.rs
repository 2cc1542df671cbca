//! Laying out a network: every node that somebody asks for gets a bit in a word.
//!
//! First come the fluents and the constant, then the gates that legal moves and the end need, then legal moves themselves, in
//! rows so that whole words of them can be read; then what the next state and percepts need, and these in rows; at last what only
//! goals need.

use std::ops::Range;

use super::circuit::{Circuit, Row, Stage, Tap};
use super::order::{AFTER, GOAL, NOW, Order, Unit};
use super::packing::Packing;
use super::recursion::Cycle;
use super::tape::{Step, Tape};
use super::wiring::{Wired, wire_up};
use crate::propnet::network::{Network, Node, Wire};

/// Not a slot.
pub(super) const NOWHERE: u32 = u32::MAX;

/// A gate in its place.
pub(super) struct Cell {
    pub(super) slot: usize,
    pub(super) feed: Feed,
}

/// What feeds a gate.
pub(super) enum Feed {
    /// The inputs of a node.
    Node(usize),
    /// One wire, of which the gate is a copy.
    Wire(Wire),
}

/// The circuit of a network.
pub(super) fn lay_out(network: &Network) -> Circuit {
    let mut layout = Layout::new(network);
    let direct = layout.direct_outputs();
    layout.place_sources();
    let now = layout.place_part(0, &direct, |demand| demand & NOW != 0);
    let legal = network.legal.iter();
    let legal = legal
        .map(|moves| layout.place_row(moves.iter().map(|&(_, wire)| wire), &direct))
        .collect();
    let first = layout.words();
    let later = |demand: u8| demand & AFTER != 0 && demand & NOW == 0;
    let after = layout.place_part(first, &direct, later);
    let next = layout.place_row(network.next.iter().copied(), &direct);
    let percepts = network.percepts.iter();
    let percepts = percepts
        .map(|percepts| layout.place_row(percepts.iter().map(|&(_, wire)| wire), &direct))
        .collect();
    let (tape, goal_slots) = layout.place_tape();
    let goals = layout.goal_taps(&goal_slots);
    let terminal = layout.tap(network.terminal, &layout.slots);
    let Wired {
        fans,
        edges,
        banks,
        moves,
        initial,
    } = wire_up(network, &layout);
    Circuit {
        fans,
        edges,
        banks,
        now,
        after,
        tape,
        fluent_words: network.next.len().div_ceil(64),
        moves,
        legal,
        next,
        percepts,
        terminal,
        goals,
        initial,
        cycles: layout.cycles,
    }
}

pub(super) struct Layout<'a> {
    network: &'a Network,
    pub(super) order: Order<'a>,
    packing: Packing,
    /// For each node, its slot among the gates that are kept up to date.
    pub(super) slots: Vec<u32>,
    pub(super) cells: Vec<Cell>,
    pub(super) cycles: Vec<Cycle>,
}

impl<'a> Layout<'a> {
    fn new(network: &'a Network) -> Self {
        Self {
            network,
            order: Order::new(network),
            packing: Packing::default(),
            slots: vec![NOWHERE; network.nodes.len()],
            cells: Vec::new(),
            cycles: Vec::new(),
        }
    }

    /// How many words there are.
    pub(super) fn words(&self) -> usize {
        self.packing.words()
    }

    /// For each node, whether it is a gate that only one output in a row reads: such gates stand in the row themselves.
    fn direct_outputs(&self) -> Vec<bool> {
        let network = self.network;
        let mut direct = vec![false; network.nodes.len()];
        let in_rows = network.legal.iter().chain(&network.percepts).flatten();
        let in_rows = in_rows.map(|(_, wire)| wire).chain(&network.next);
        for node in in_rows.map(|wire| wire.node()) {
            let gate = matches!(network.nodes[node], Node::And { .. } | Node::Feedback);
            direct[node] = gate && self.order.uses[node] == 1;
        }
        direct
    }

    fn place_sources(&mut self) {
        self.packing.fresh(self.network.next.len());
        let constant = self.packing.fresh(1).start * 64;
        for (node, slot) in self.network.nodes.iter().zip(&mut self.slots) {
            match node {
                Node::True => *slot = constant as u32,
                Node::Fluent(number) => *slot = *number,
                Node::Does { .. } | Node::And { .. } | Node::Feedback => {}
            }
        }
    }

    /// Places the gates of one demand, except those that stand in rows; gives the stages that sweep them and all words from
    /// `first` on.
    fn place_part(
        &mut self,
        first: usize,
        direct: &[bool],
        wanted: impl Fn(u8) -> bool,
    ) -> Vec<Stage> {
        self.packing.start_part();
        let mut cycles = Vec::new();
        let units = std::mem::take(&mut self.order.units);
        for unit in &units {
            match unit {
                Unit::Gate(node) if wanted(self.order.demand[*node]) && !direct[*node] => {
                    let slot = self.packing.place(self.earliest(self.order.inputs(*node)));
                    self.put(slot, Feed::Node(*node));
                    self.slots[*node] = slot as u32;
                }
                Unit::Cycle(nodes) if wanted(self.order.demand[nodes[0]]) => {
                    cycles.push(self.cycles.len());
                    self.place_cycle(nodes);
                }
                Unit::Gate(_) | Unit::Cycle(_) => {}
            }
        }
        self.order.units = units;
        self.stages(first..self.packing.words(), &cycles)
    }

    /// The first word in which a gate with these inputs may stand.
    fn earliest(&self, inputs: &[Wire]) -> usize {
        let slots = inputs.iter().map(|wire| self.slots[wire.node()]);
        let placed = slots.filter(|&slot| slot != NOWHERE);
        placed.map(|slot| slot as usize / 64 + 1).max().unwrap_or(0)
    }

    fn put(&mut self, slot: usize, feed: Feed) {
        self.cells.push(Cell { slot, feed });
    }

    fn place_cycle(&mut self, nodes: &[usize]) {
        let (mut cycle, ports) = Cycle::new(&self.order, nodes);
        cycle.ports = self.packing.fresh(ports.len());
        cycle.nodes = self.packing.fresh(nodes.len());
        for (port, slot) in ports.into_iter().zip(cycle.ports.start * 64..) {
            self.put(slot, Feed::Wire(port));
        }
        for (&node, slot) in nodes.iter().zip(cycle.nodes.start * 64..) {
            self.slots[node] = slot as u32;
        }
        self.cycles.push(cycle);
    }

    /// Cuts a range of words where cycles have to be brought up to date.
    fn stages(&self, words: Range<usize>, cycles: &[usize]) -> Vec<Stage> {
        let mut stages = Vec::new();
        let mut start = words.start;
        for &number in cycles {
            let nodes = &self.cycles[number].nodes;
            stages.push(Stage::Words(start..nodes.start));
            stages.push(Stage::Cycle(number));
            start = nodes.start;
        }
        stages.push(Stage::Words(start..words.end));
        stages
    }

    /// Gives outputs consecutive bits.
    fn place_row(&mut self, wires: impl ExactSizeIterator<Item = Wire>, direct: &[bool]) -> Row {
        let words = self.packing.fresh(wires.len());
        let mut inverted = vec![0; words.len()];
        for (place, wire) in wires.enumerate() {
            let slot = words.start * 64 + place;
            if direct[wire.node()] {
                inverted[place / 64] |= u64::from(wire.is_inverted()) << (place % 64);
                self.put(slot, Feed::Node(wire.node()));
            } else {
                self.put(slot, Feed::Wire(wire));
            }
        }
        Row {
            first: words.start,
            inverted,
        }
    }

    /// Places what only goals need; gives the slots of all nodes that goals can read.
    fn place_tape(&mut self) -> (Tape, Vec<u32>) {
        let mut tape = Tape::default();
        let mut slots = self.slots.clone();
        let wanted = |demand: u8| demand & GOAL != 0 && demand & NOW == 0;
        let units = std::mem::take(&mut self.order.units);
        for unit in &units {
            match unit {
                Unit::Gate(node) if wanted(self.order.demand[*node]) => {
                    let slot = self.packing.append();
                    let inputs = self.order.inputs(*node).iter();
                    tape.push(slot, inputs.map(|&wire| self.tap(wire, &slots)));
                    slots[*node] = slot as u32;
                }
                Unit::Cycle(nodes) if wanted(self.order.demand[nodes[0]]) => {
                    self.put_cycle_on_tape(nodes, &mut tape, &mut slots);
                }
                Unit::Gate(_) | Unit::Cycle(_) => {}
            }
        }
        self.order.units = units;
        (tape, slots)
    }

    fn put_cycle_on_tape(&mut self, nodes: &[usize], tape: &mut Tape, slots: &mut [u32]) {
        let (mut cycle, ports) = Cycle::new(&self.order, nodes);
        cycle.ports = self.packing.fresh(ports.len());
        cycle.nodes = self.packing.fresh(nodes.len());
        for (port, slot) in ports.into_iter().zip(cycle.ports.start * 64..) {
            tape.push(slot, std::iter::once(self.tap(port, slots)));
        }
        for (&node, slot) in nodes.iter().zip(cycle.nodes.start * 64..) {
            slots[node] = slot as u32;
        }
        tape.steps.push(Step::Cycle(self.cycles.len()));
        self.cycles.push(cycle);
    }

    fn tap(&self, wire: Wire, slots: &[u32]) -> Tap {
        Tap::new(slots[wire.node()] as usize, wire.is_inverted())
    }

    fn goal_taps(&self, slots: &[u32]) -> Vec<Vec<(i32, Tap)>> {
        let roles = self.network.goals.iter();
        roles
            .map(|goals| {
                let taps = goals.iter();
                taps.map(|&(value, wire)| (value, self.tap(wire, slots)))
                    .collect()
            })
            .collect()
    }
}
