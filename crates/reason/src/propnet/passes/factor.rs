//! Taking common inputs out of alternatives.
//!
//! `a·b + a·c` is `a·(b + c)`. With one kind of gate and inverted wires, alternatives are inverted
//! gates that are inputs of one gate: wherever several of them, read nowhere else, have an input in
//! common, it is taken out, the most frequent one first.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use super::super::builder::Builder;
use super::super::network::{Network, Wire};
use super::rebuild::{fan_out, rebuild, used};

/// Factors every gate with alternatives.
pub(super) fn factor(network: &Network) -> Network {
    let (fan_out, used) = (fan_out(network), used(network));
    // The new inputs of gates that are alternatives of one other gate only; that gate takes them
    // apart.
    let mut parts: Vec<Option<Vec<Wire>>> = vec![None; network.nodes.len()];
    let mut inverted_once = vec![false; network.nodes.len()];
    for node in (0..network.nodes.len()).filter(|&node| used[node]) {
        let alternatives = network
            .inputs_of(node)
            .iter()
            .filter(|wire| wire.is_inverted());
        for wire in alternatives.filter(|wire| fan_out[wire.node()] == 1) {
            inverted_once[wire.node()] = true;
        }
    }
    rebuild(network, |builder, node, inputs| {
        let mut plain = Vec::with_capacity(inputs.len());
        let mut alternatives = Vec::new();
        for (new, old) in inputs.into_iter().zip(network.inputs_of(node)) {
            match parts[old.node()].take() {
                Some(part) if old.is_inverted() => alternatives.push(part),
                other => {
                    parts[old.node()] = other;
                    plain.push(new);
                }
            }
        }
        if !alternatives.is_empty() {
            plain.push(!any(builder, alternatives));
        }
        if inverted_once[node] {
            parts[node] = Some(plain);
            return Wire::FALSE;
        }
        builder.and(plain)
    })
}

/// Whether one of several conjunctions holds.
fn any(builder: &mut Builder, mut alternatives: Vec<Vec<Wire>>) -> Wire {
    let mut done = Vec::new();
    let mut shared = Shared::new(&alternatives);
    while let Some((common, members)) = shared.take_most_frequent(&alternatives) {
        let rest = members.into_iter().map(|member| {
            let mut inputs = std::mem::take(&mut alternatives[member]);
            inputs.retain(|&wire| wire != common);
            inputs
        });
        let rest = rest.collect();
        let rest = any(builder, rest);
        done.push(builder.and([common, rest]));
    }
    for (inputs, _) in alternatives
        .into_iter()
        .zip(&shared.alive)
        .filter(|(_, alive)| **alive)
    {
        done.push(builder.and(inputs));
    }
    builder.or(done)
}

/// Which alternatives have which wires, while groups of alternatives are taken away.
struct Shared {
    members: FxHashMap<Wire, Vec<usize>>,
    /// For each wire, how many alternatives that are left have it.
    counts: FxHashMap<Wire, u32>,
    /// Wires by counts that may be out of date, but never too small.
    queue: BinaryHeap<(u32, Reverse<Wire>)>,
    alive: Vec<bool>,
}

impl Shared {
    fn new(alternatives: &[Vec<Wire>]) -> Self {
        let mut members: FxHashMap<Wire, Vec<usize>> = FxHashMap::default();
        for (index, inputs) in alternatives.iter().enumerate() {
            inputs
                .iter()
                .for_each(|&wire| members.entry(wire).or_default().push(index));
        }
        let counts: FxHashMap<Wire, u32> = members
            .iter()
            .map(|(&wire, members)| (wire, members.len() as u32))
            .collect();
        // Among equals the smallest wire comes first, so that the result does not depend on the
        // order of the map.
        let queue = counts
            .iter()
            .filter(|&(_, &count)| count > 1)
            .map(|(&wire, &count)| (count, Reverse(wire)));
        Self {
            queue: queue.collect(),
            members,
            counts,
            alive: vec![true; alternatives.len()],
        }
    }

    /// Takes away all alternatives with the wire that most of them share, if at least two do.
    fn take_most_frequent(&mut self, alternatives: &[Vec<Wire>]) -> Option<(Wire, Vec<usize>)> {
        while let Some((count, Reverse(wire))) = self.queue.pop() {
            let now = self.counts[&wire];
            if now < 2 {
                continue;
            }
            if now < count {
                self.queue.push((now, Reverse(wire)));
                continue;
            }
            let mut members = self.members.remove(&wire).unwrap_or_default();
            members.retain(|&member| std::mem::replace(&mut self.alive[member], false));
            for other in members.iter().flat_map(|&member| &alternatives[member]) {
                if let Some(count) = self.counts.get_mut(other) {
                    *count -= 1;
                }
            }
            return Some((wire, members));
        }
        None
    }
}
