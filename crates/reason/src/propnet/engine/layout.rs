//! Laying out a network: every node that a question needs gets a bit in a word.
//!
//! The [tiers](super::tiers) become words, each after the [planes](super::planes) of the gates that
//! ride on it. What only goals need comes at last, on a tape.

use std::ops::Range;

use super::circuit::{Circuit, Plan, Row, Stage, Tap};
use super::order::{GOAL, NOW, Order, Unit};
use super::planes::Planes;
use super::profile::Profile;
use super::recursion::Cycle;
use super::tape::{Step, Tape};
use super::tiers::{CyclePlace, Feed, Part, RowPlace, Tier, Tiers, gates};
use super::wiring::wire_up;
use crate::propnet::network::{Network, Node, Wire};

/// Not a slot.
const NOWHERE: u32 = u32::MAX;

/// How often planes that do not pay are given up.
const PLANE_ROUNDS: u32 = 3;

/// The fewest consecutive words without joints that are swept in the simpler way.
const PLAIN_RUN: usize = 8;

/// A bit in its place.
pub(super) struct Cell {
    pub(super) slot: usize,
    pub(super) feed: Feed,
}

/// The circuit of a network, and where each of its nodes is among the sources.
pub(super) fn lay_out(network: &Network, profile: &Profile) -> (Circuit, Vec<u32>) {
    let order = Order::new(network);
    let (mut tiers, planes) = choose_planes(network, &order, profile);
    let mut layout = Layout::new(network, &order, &mut tiers, &planes);
    let now = layout.stages(&tiers.now, tiers.after.first);
    let after = layout.stages(&tiers.after, tiers.tiers.len());
    let rows = |places: &[RowPlace]| places.iter().map(|place| layout.row(place)).collect();
    let (legal, percepts) = (rows(&tiers.legal), rows(&tiers.percepts));
    let next = layout.row(&tiers.next);
    let (tape, goal_slots) = layout.place_tape();
    let goals = layout.goal_taps(&goal_slots);
    let wired = wire_up(network, &layout, profile);
    let circuit = Circuit {
        fans: wired.fans,
        edges: wired.edges,
        banks: wired.banks,
        now: part_plain_words(now, &wired.plans),
        after: part_plain_words(after, &wired.plans),
        plans: wired.plans,
        joints: wired.joints,
        moves: wired.moves,
        initial: wired.initial,
        terminal: tap(network.terminal, &layout.slots),
        fluent_words: network.next.len().div_ceil(64),
        cycles: layout.cycles,
        tape,
        legal,
        next,
        percepts,
        goals,
    };
    (circuit, wired.sources)
}

/// Fills tiers with different planes until all planes pay.
fn choose_planes<'a>(
    network: &'a Network,
    order: &'a Order<'a>,
    profile: &'a Profile,
) -> (Tiers, Planes<'a>) {
    let mut barred = vec![false; network.nodes.len()];
    for _ in 0..PLANE_ROUNDS {
        let planes = Planes::new(order, profile, &barred);
        let tiers = Tiers::new(network, order, &planes);
        let weak = tiers.planes(&planes).filter(|plane| planes.is_weak(plane));
        let weak: Vec<usize> = weak.flatten().map(|(_, node)| node).collect();
        if weak.is_empty() {
            return (tiers, planes);
        }
        weak.into_iter().for_each(|node| barred[node] = true);
    }
    let planes = Planes::new(order, profile, &barred);
    (Tiers::new(network, order, &planes), planes)
}

/// Takes long runs of words without joints out of the stages, to be swept in a simpler way.
fn part_plain_words(stages: Vec<Stage>, plans: &[Plan]) -> Vec<Stage> {
    let mut parted = Vec::new();
    for stage in stages {
        let Stage::Words(words) = stage else {
            parted.push(stage);
            continue;
        };
        let mut start = words.start;
        let is_plain = |place: usize| plans[place].joints.range().is_empty();
        let mut place = words.start;
        while place < words.end {
            let run = (place..words.end)
                .take_while(|&place| is_plain(place))
                .count();
            if run >= PLAIN_RUN {
                parted.push(Stage::Words(start..place));
                parted.push(Stage::PlainWords(place..place + run));
                start = place + run;
            }
            place += run + 1;
        }
        parted.push(Stage::Words(start..words.end));
    }
    parted.retain(|stage| !matches!(stage, Stage::Words(words) if words.is_empty()));
    parted
}

/// Every node in its place.
pub(super) struct Layout<'a> {
    network: &'a Network,
    pub(super) order: &'a Order<'a>,
    /// How many words there are.
    pub(super) words: usize,
    /// For each node that is kept up to date, its slot.
    pub(super) slots: Vec<u32>,
    pub(super) cells: Vec<Cell>,
    pub(super) cycles: Vec<Cycle>,
    /// For each tier, its words, and where the planes below it start.
    tier_words: Vec<(usize, Range<usize>)>,
}

impl<'a> Layout<'a> {
    /// Turns tiers into words.
    fn new(
        network: &'a Network,
        order: &'a Order<'a>,
        tiers: &mut Tiers,
        planes: &Planes<'_>,
    ) -> Self {
        let mut layout = Self {
            network,
            order,
            words: 0,
            slots: vec![NOWHERE; network.nodes.len()],
            cells: Vec::new(),
            cycles: Vec::new(),
            tier_words: Vec::new(),
        };
        for tier in &tiers.tiers {
            layout.add_tier(tier, planes);
        }
        layout.set_sources();
        for cycle in tiers.cycles.drain(..) {
            layout.add_cycle(cycle);
        }
        layout
    }

    fn add_tier(&mut self, tier: &Tier, planes: &Planes<'_>) {
        let start = self.words;
        for plane in tier.iter().flat_map(|word| planes.below(&gates(word))) {
            let seats = plane.into_iter();
            self.add_word(seats.map(|(bit, node)| (bit, Feed::Gate(node))));
        }
        let first = self.words;
        for word in tier {
            self.add_word(word.iter().copied());
        }
        self.tier_words.push((start, first..self.words));
    }

    fn add_word(&mut self, seats: impl Iterator<Item = (usize, Feed)>) {
        for (bit, feed) in seats {
            let slot = self.words * 64 + bit;
            if let Feed::Gate(node) = feed {
                self.slots[node] = slot as u32;
            }
            self.cells.push(Cell { slot, feed });
        }
        self.words += 1;
    }

    /// Fluents have the first words, and the constant comes after them.
    fn set_sources(&mut self) {
        let constant = self.network.next.len().div_ceil(64) * 64;
        for (node, slot) in self.network.nodes.iter().zip(&mut self.slots) {
            match node {
                Node::True => *slot = constant as u32,
                Node::Fluent(number) => *slot = *number,
                Node::Does { .. } | Node::And { .. } | Node::Feedback => {}
            }
        }
    }

    fn add_cycle(&mut self, place: CyclePlace) {
        let mut cycle = place.cycle;
        cycle.ports = self.tier_words[place.port_tier].1.clone();
        cycle.nodes = self.tier_words[place.node_tier].1.clone();
        for (node, slot) in place.nodes.into_iter().zip(cycle.nodes.start * 64..) {
            self.slots[node] = slot as u32;
        }
        self.cycles.push(cycle);
    }

    /// Sweeps the words of a part, up to a tier, and brings cycles up to date on the way.
    fn stages(&self, part: &Part, end: usize) -> Vec<Stage> {
        let words = |tier: usize| {
            self.tier_words
                .get(tier)
                .map_or(self.words, |words| words.0)
        };
        let mut stages = Vec::new();
        let mut start = words(part.first);
        for &number in &part.cycles {
            let nodes = self.cycles[number].nodes.start;
            stages.push(Stage::Words(start..nodes));
            stages.push(Stage::Cycle(number));
            start = nodes;
        }
        stages.push(Stage::Words(start..words(end)));
        stages
    }

    fn row(&self, place: &RowPlace) -> Row {
        Row {
            first: self.tier_words[place.tier].1.start,
            inverted: place.inverted.clone(),
        }
    }

    /// New words for that many bits.
    fn fresh(&mut self, bits: usize) -> Range<usize> {
        let first = self.words;
        self.words += bits.div_ceil(64);
        first..self.words
    }

    /// Places what only goals need; gives the slots of all nodes that goals can read.
    fn place_tape(&mut self) -> (Tape, Vec<u32>) {
        let mut tape = Tape::default();
        let mut slots = self.slots.clone();
        let wanted = |demand: u8| demand & GOAL != 0 && demand & NOW == 0;
        let gates = self.order.units.iter().filter_map(|unit| match unit {
            Unit::Gate(node) if wanted(self.order.demand[*node]) => Some(*node),
            Unit::Gate(_) | Unit::Cycle(_) => None,
        });
        let mut free = self.fresh(gates.count()).start * 64..;
        for unit in &self.order.units {
            match unit {
                Unit::Gate(node) if wanted(self.order.demand[*node]) => {
                    let inputs = self.order.inputs(*node).iter();
                    let slot = free.next().unwrap_or_default();
                    tape.push(slot, inputs.map(|&wire| tap(wire, &slots)));
                    slots[*node] = slot as u32;
                }
                Unit::Cycle(nodes) if wanted(self.order.demand[nodes[0]]) => {
                    self.put_cycle_on_tape(nodes, &mut tape, &mut slots);
                }
                Unit::Gate(_) | Unit::Cycle(_) => {}
            }
        }
        (tape, slots)
    }

    fn put_cycle_on_tape(&mut self, nodes: &[usize], tape: &mut Tape, slots: &mut [u32]) {
        let (mut cycle, ports) = Cycle::new(self.order, nodes);
        cycle.ports = self.fresh(ports.len());
        cycle.nodes = self.fresh(nodes.len());
        for (port, slot) in ports.into_iter().zip(cycle.ports.start * 64..) {
            tape.push(slot, std::iter::once(tap(port, slots)));
        }
        for (&node, slot) in nodes.iter().zip(cycle.nodes.start * 64..) {
            slots[node] = slot as u32;
        }
        tape.steps.push(Step::Cycle(self.cycles.len()));
        self.cycles.push(cycle);
    }

    fn goal_taps(&self, slots: &[u32]) -> Vec<Vec<(i32, Tap)>> {
        let roles = self.network.goals.iter();
        roles
            .map(|goals| {
                let taps = goals.iter();
                taps.map(|&(value, wire)| (value, tap(wire, slots)))
                    .collect()
            })
            .collect()
    }
}

fn tap(wire: Wire, slots: &[u32]) -> Tap {
    Tap::new(slots[wire.node()] as usize, wire.is_inverted())
}
