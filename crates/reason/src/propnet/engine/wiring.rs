//! Connecting the gates of a layout, and the values that they start with.

use std::collections::BTreeMap;

use super::circuit::{Bank, Edge, Fan, Span};
use super::layout::{Cell, Feed, Layout};
use super::lists::Lists;
use super::signals::{Signals, Word};
use crate::propnet::network::{Network, Node, Wire, read};

/// A source that feeds at least so many gates is their guard: instead of counting it, whole words of gates are opened and shut.
const GUARD_FAN: u32 = 8;

/// The connections of a layout.
pub(super) struct Wired {
    pub(super) fans: Vec<Fan>,
    pub(super) edges: Vec<Edge>,
    pub(super) banks: Vec<Bank>,
    pub(super) moves: Vec<usize>,
    pub(super) initial: Signals,
}

/// Connects all gates of a layout.
pub(super) fn wire_up(network: &Network, layout: &Layout<'_>) -> Wired {
    let mut wiring = Wiring::new(network, layout);
    for cell in &layout.cells {
        wiring.connect(cell);
    }
    wiring.finish()
}

struct Wiring<'a> {
    network: &'a Network,
    layout: &'a Layout<'a>,
    /// The values of all nodes in the initial state.
    values: Vec<bool>,
    /// For each role, the source of its first move.
    moves: Vec<usize>,
    sources: usize,
    /// For each node, how many gates it feeds.
    fans: Vec<u32>,
    edges: Vec<(u32, Edge)>,
    banks: BTreeMap<(u32, usize), u64>,
    signals: Signals,
}

impl<'a> Wiring<'a> {
    fn new(network: &'a Network, layout: &'a Layout<'a>) -> Self {
        let words = layout.words();
        let values = network.evaluate(|fluent| network.initial[fluent as usize], |_, _| false);
        let mut sources = words * 64;
        let mut moves = Vec::new();
        for role in &network.legal {
            moves.push(sources);
            sources += role.len();
        }
        let word = Word {
            open: u64::MAX,
            ..Word::default()
        };
        Self {
            network,
            layout,
            values,
            moves,
            sources,
            fans: fans(layout),
            edges: Vec::new(),
            banks: BTreeMap::new(),
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

    fn connect(&mut self, cell: &Cell) {
        let layout = self.layout;
        let inputs = match &cell.feed {
            Feed::Node(node) => layout.order.inputs(*node),
            Feed::Wire(wire) => std::slice::from_ref(wire),
        };
        let guard = self.guard(inputs);
        let mut missing = 0;
        for &wire in inputs {
            if Some(wire) == guard {
                continue;
            }
            missing += i32::from(!read(&self.values, wire));
            if !wire.is_constant() {
                let edge = Edge {
                    slot: cell.slot as u32,
                    step: if wire.is_inverted() { 1 } else { -1 },
                };
                self.edges.push((self.source(wire.node()) as u32, edge));
            }
        }
        let bit = 1 << (cell.slot % 64);
        if let Some(wire) = guard {
            let bank = (self.source(wire.node()) as u32, cell.slot / 64);
            *self.banks.entry(bank).or_default() |= bit;
        }
        let shut = guard.is_some_and(|wire| !read(&self.values, wire));
        self.signals.counts[cell.slot] = missing - 1;
        let word = &mut self.signals.words[cell.slot / 64];
        word.ready |= if missing == 0 { bit } else { 0 };
        word.open &= if shut { !bit } else { u64::MAX };
    }

    /// The input that is not counted but opens and shuts the gate: the one that feeds most gates, if they are many.
    fn guard(&self, inputs: &[Wire]) -> Option<Wire> {
        if inputs.len() < 2 {
            return None;
        }
        let fan = |wire: &Wire| self.fans[wire.node()];
        let widest = *inputs.iter().max_by_key(|wire| fan(wire))?;
        let once = inputs.iter().filter(|wire| wire.node() == widest.node());
        (fan(&widest) >= GUARD_FAN && once.count() == 1 && !widest.is_constant()).then_some(widest)
    }

    fn finish(mut self) -> Wired {
        self.set_sources();
        self.settle();
        let banks: Vec<(u32, Bank)> = std::mem::take(&mut self.banks)
            .into_iter()
            .map(|((source, word), gates)| (source, Bank { word, gates }))
            .collect();
        let banks = Lists::new(self.sources, &banks);
        let edges = Lists::new(self.sources, &self.edges);
        let span = |starts: &[u32], source: usize| Span {
            start: starts[source],
            end: starts[source + 1],
        };
        let fans = (0..self.sources).map(|source| Fan {
            edges: span(&edges.starts, source),
            banks: span(&banks.starts, source),
        });
        Wired {
            fans: fans.collect(),
            edges: edges.items,
            banks: banks.items,
            moves: self.moves,
            initial: self.signals,
        }
    }

    /// Sets the bits of fluents and of the constant.
    fn set_sources(&mut self) {
        for (fluent, &holds) in self.network.initial.iter().enumerate() {
            self.signals.words[fluent / 64].ready |= u64::from(holds) << (fluent % 64);
        }
        let constant = self.layout.slots[0] as usize;
        self.signals.words[constant / 64].ready |= 1 << (constant % 64);
    }

    /// Makes all values known, and gives every cycle its fixpoint.
    fn settle(&mut self) {
        for word in &mut self.signals.words {
            word.value = word.current();
        }
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

/// For each node, how many gates it feeds.
fn fans(layout: &Layout<'_>) -> Vec<u32> {
    let mut fans = vec![0; layout.slots.len()];
    for cell in &layout.cells {
        if let Feed::Node(node) = cell.feed {
            for wire in layout.order.inputs(node) {
                fans[wire.node()] += 1;
            }
        }
    }
    fans
}
