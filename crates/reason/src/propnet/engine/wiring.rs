//! Connecting the gates of a layout, and the values that they start with.

use std::collections::BTreeMap;

use super::circuit::{Bank, Edge, Fan, Joint, Plan, Span};
use super::layout::{Cell, Layout};
use super::profile::Profile;
use super::signals::{GUARDS, Signals, Word};
use super::tiers::Feed;
use crate::lists::Lists;
use crate::propnet::network::{Network, Node, Wire, read};

/// Gates look at a whole word of inputs if these change so often in a move, all taken together.
const JOINT_RATE: f32 = 1.0;

/// The connections of a layout.
pub(super) struct Wired {
    pub(super) fans: Vec<Fan>,
    pub(super) edges: Vec<Edge>,
    pub(super) banks: Vec<Bank>,
    pub(super) plans: Vec<Plan>,
    pub(super) joints: Vec<Joint>,
    /// For each role, the source of its first move.
    pub(super) moves: Vec<usize>,
    /// For each node, its source.
    pub(super) sources: Vec<u32>,
    pub(super) initial: Signals,
}

/// Connects all gates of a layout.
pub(super) fn wire_up(network: &Network, layout: &Layout<'_>, profile: &Profile) -> Wired {
    let mut wiring = Wiring::new(network, layout, profile);
    for cells in layout
        .cells
        .chunk_by(|one, other| one.slot / 64 == other.slot / 64)
    {
        wiring.connect_word(cells);
    }
    wiring.finish()
}

/// A gate whose inputs are not all connected yet.
struct Gate {
    bit: usize,
    inputs: Vec<Wire>,
}

struct Wiring<'a> {
    network: &'a Network,
    layout: &'a Layout<'a>,
    profile: &'a Profile,
    /// The values of all nodes in the initial state.
    values: Vec<bool>,
    moves: Vec<usize>,
    /// How many sources there are.
    sources: usize,
    edges: Vec<(u32, Edge)>,
    banks: Vec<(u32, Bank)>,
    plans: Vec<Plan>,
    joints: Vec<Joint>,
    signals: Signals,
}

impl<'a> Wiring<'a> {
    fn new(network: &'a Network, layout: &'a Layout<'a>, profile: &'a Profile) -> Self {
        let words = layout.words;
        let mut sources = words * 64;
        let mut moves = Vec::new();
        for role in &network.legal {
            moves.push(sources);
            sources += role.len();
        }
        let word = Word {
            open: [u64::MAX; GUARDS],
            ..Word::default()
        };
        Self {
            network,
            layout,
            profile,
            values: network.evaluate(|fluent| network.initial[fluent as usize], |_, _| false),
            moves,
            sources,
            edges: Vec::new(),
            banks: Vec::new(),
            plans: vec![Plan::default(); words],
            joints: Vec::new(),
            signals: Signals {
                words: vec![word; words],
                counts: vec![0; words * 64],
                fixpoints: Vec::new(),
            },
        }
    }

    fn source(&self, node: usize) -> usize {
        match self.network.nodes[node] {
            Node::Does { role, index } => self.moves[usize::from(role)] + index as usize,
            _ => self.layout.slots[node] as usize,
        }
    }

    fn connect_word(&mut self, cells: &[Cell]) {
        let word = cells[0].slot / 64;
        let gates = cells.iter().filter_map(|cell| self.gate(cell));
        let mut gates: Vec<Gate> = gates.collect();
        for gate in &gates {
            let value = gate.inputs.iter().all(|&wire| read(&self.values, wire));
            self.signals.words[word].value |= u64::from(value) << gate.bit;
        }
        self.join(word, &mut gates);
        for guard in 0..GUARDS {
            self.guard(word, guard, &mut gates);
        }
        gates.iter().for_each(|gate| self.count(word, gate));
    }

    fn gate(&self, cell: &Cell) -> Option<Gate> {
        let inputs = match &cell.feed {
            Feed::Gate(node) => self.layout.order.inputs(*node),
            Feed::Copy(wire) => std::slice::from_ref(wire),
            Feed::Given => return None,
        };
        Some(Gate {
            bit: cell.slot % 64,
            inputs: inputs.to_vec(),
        })
    }

    /// Connects inputs that have the same place in another word as the gates have in theirs.
    fn join(&mut self, word: usize, gates: &mut [Gate]) {
        let first = self.joints.len();
        let mut rates: BTreeMap<usize, f32> = BTreeMap::new();
        for gate in gates.iter() {
            for (from, wire) in self.aligned(gate) {
                *rates.entry(from).or_default() += self.profile.rate(wire.node());
            }
        }
        rates.retain(|_, rate| *rate >= JOINT_RATE);
        for from in rates.into_keys() {
            let mut joint = Joint {
                word: from as u32,
                inverted: 0,
                others: u64::MAX,
            };
            for gate in gates.iter_mut() {
                let aligned = self.aligned(gate).find(|&(word, _)| word == from);
                if let Some((_, wire)) = aligned {
                    joint.inverted |= u64::from(wire.is_inverted()) << gate.bit;
                    joint.others &= !(1 << gate.bit);
                    remove_one(&mut gate.inputs, wire);
                }
            }
            self.joints.push(joint);
        }
        self.plans[word].joints = Span {
            start: first as u32,
            end: self.joints.len() as u32,
        };
    }

    /// The inputs of a gate that have its own place in another word, with that word.
    fn aligned(&self, gate: &Gate) -> impl Iterator<Item = (usize, Wire)> {
        let slots = gate.inputs.iter().filter(|wire| !wire.is_constant());
        let slots = slots.map(|&wire| (self.layout.slots[wire.node()] as usize, wire));
        let bit = gate.bit;
        slots
            .filter(move |(slot, _)| slot % 64 == bit && slot / 64 < self.layout.words)
            .map(|(slot, wire)| (slot / 64, wire))
    }

    /// Lets inputs that several gates of a word share open and shut them; those first that save
    /// most.
    fn guard(&mut self, word: usize, guard: usize, gates: &mut [Gate]) {
        let mut shared = self.shared_inputs(gates);
        let saved = |(node, gates): &(usize, u64)| {
            // An input that was never seen to change may do so one day.
            (gates.count_ones() - 1) as f32 * (self.profile.rate(*node) + 1e-6)
        };
        shared.sort_by(|one, other| saved(other).total_cmp(&saved(one)));
        let mut free = u64::MAX;
        for (node, sharing) in shared {
            if (sharing & free).count_ones() < 2 {
                continue;
            }
            let bank = Bank {
                word: word as u32,
                guard: guard as u32,
                gates: sharing & free,
            };
            free &= !bank.gates;
            let guarded = gates
                .iter_mut()
                .filter(|gate| bank.gates >> gate.bit & 1 == 1);
            for gate in guarded {
                let place = gate.inputs.iter().position(|wire| wire.node() == node);
                let shut = place.is_some_and(|place| {
                    let wire = gate.inputs.swap_remove(place);
                    !read(&self.values, wire)
                });
                self.signals.words[word].open[guard] &= !(u64::from(shut) << gate.bit);
            }
            self.banks.push((self.source(node) as u32, bank));
        }
    }

    /// The nodes that are inputs of several gates, with the bits of these gates.
    fn shared_inputs(&self, gates: &[Gate]) -> Vec<(usize, u64)> {
        let mut pairs: Vec<(usize, usize)> = Vec::new();
        for gate in gates {
            let nodes = gate.inputs.iter().filter(|wire| !wire.is_constant());
            pairs.extend(nodes.map(|wire| (wire.node(), gate.bit)));
        }
        pairs.sort_unstable();
        let nodes = pairs.chunk_by(|one, other| one.0 == other.0);
        let shared = nodes.map(|pairs| {
            // A gate that reads the node twice cannot be guarded by it: a guard is taken out of the
            // inputs once.
            let once = |&&(_, bit): &&(usize, usize)| {
                pairs.iter().filter(|pair| pair.1 == bit).count() == 1
            };
            let bits = pairs.iter().filter(once);
            (pairs[0].0, bits.fold(0, |all, &(_, bit)| all | 1u64 << bit))
        });
        shared.filter(|(_, gates)| gates.count_ones() > 1).collect()
    }

    /// Lets a gate count its remaining inputs.
    fn count(&mut self, word: usize, gate: &Gate) {
        let slot = word * 64 + gate.bit;
        let mut missing = 0;
        for &wire in &gate.inputs {
            missing += i32::from(!read(&self.values, wire));
            if !wire.is_constant() {
                let edge = Edge {
                    slot: slot as u32,
                    step: if wire.is_inverted() { 1 } else { -1 },
                };
                self.edges.push((self.source(wire.node()) as u32, edge));
            }
        }
        self.signals.counts[slot] = missing - 1;
        self.signals.words[word].ready |= u64::from(missing == 0) << gate.bit;
    }

    fn finish(mut self) -> Wired {
        self.set_sources();
        self.settle();
        let sources = 0..self.layout.slots.len();
        let sources = sources.map(|node| self.source(node) as u32).collect();
        let banks = Lists::new(self.sources, &self.banks);
        let edges = Lists::new(self.sources, &self.edges);
        let span = |starts: &[u32], source: usize| Span {
            start: starts[source],
            end: starts[source + 1],
        };
        let fans = (0..self.sources).map(|source| Fan {
            edges: span(&edges.starts, source),
            banks: span(&banks.starts, source),
        });
        let fans: Vec<Fan> = fans.collect();
        for (plan, fans) in self.plans.iter_mut().zip(fans.chunks(64)) {
            let fanned = fans.iter().map(|fan| !fan.is_empty()).enumerate();
            plan.fanned = fanned.fold(0, |all, (bit, fanned)| all | u64::from(fanned) << bit);
        }
        Wired {
            fans,
            edges: edges.items,
            banks: banks.items,
            plans: self.plans,
            joints: self.joints,
            moves: self.moves,
            sources,
            initial: self.signals,
        }
    }

    /// Sets the bits of fluents and of the constant.
    fn set_sources(&mut self) {
        let words = &mut self.signals.words;
        for (fluent, &holds) in self.network.initial.iter().enumerate() {
            words[fluent / 64].value |= u64::from(holds) << (fluent % 64);
        }
        let constant = self.layout.slots[0] as usize;
        words[constant / 64].value |= 1 << (constant % 64);
        for word in &mut words[..=constant / 64] {
            word.ready = word.value;
        }
    }

    /// Gives every cycle its fixpoint.
    fn settle(&mut self) {
        for cycle in &self.layout.cycles {
            let mut fixpoint = cycle.bottom();
            fixpoint.update(cycle, &mut self.signals.words);
            self.signals.fixpoints.push(fixpoint);
            for word in &mut self.signals.words[cycle.nodes.clone()] {
                word.value = word.ready;
            }
        }
    }
}

fn remove_one(wires: &mut Vec<Wire>, wire: Wire) {
    if let Some(place) = wires.iter().position(|&other| other == wire) {
        wires.swap_remove(place);
    }
}
