//! Going through a network gate by gate and building another, the frame of every pass.

use super::super::builder::Builder;
use super::super::network::{Network, Node, Wire};

/// Builds the network anew: `gate` makes each gate from its number and its new inputs.
pub(super) fn rebuild(
    old: &Network,
    mut gate: impl FnMut(&mut Builder, usize, Vec<Wire>) -> Wire,
) -> Network {
    let used = used(old);
    let moves: Vec<usize> = old.legal.iter().map(Vec::len).collect();
    let mut builder = Builder::new(old.next.len(), &moves);
    let mut wires = vec![Wire::FALSE; old.nodes.len()];
    let mapped = |wires: &[Wire], wire: Wire| wires[wire.node()].inverted_if(wire.is_inverted());
    let mut regions = old.regions.iter();
    let mut region = regions.next();
    for node in 0..old.nodes.len() {
        if let Some(found) = region
            && found.nodes.start == node
        {
            // Feedback that is no longer read is kept: regions are few.
            let feedback = builder.open_region(found.definitions.len());
            wires[node..node + feedback.len()].copy_from_slice(&feedback);
        }
        match old.nodes[node] {
            Node::True => wires[node] = Wire::TRUE,
            Node::Fluent(number) => wires[node] = builder.fluent(number as usize),
            Node::Does { role, index } => {
                wires[node] = builder.does(usize::from(role), index as usize);
            }
            Node::And { .. } if used[node] => {
                let inputs = old
                    .inputs_of(node)
                    .iter()
                    .map(|&wire| mapped(&wires, wire))
                    .collect();
                wires[node] = gate(&mut builder, node, inputs);
            }
            Node::And { .. } | Node::Feedback => {}
        }
        if let Some(found) = region
            && found.nodes.end == node + 1
        {
            builder.close_region(
                found
                    .definitions
                    .iter()
                    .map(|&wire| mapped(&wires, wire))
                    .collect(),
            );
            region = regions.next();
        }
    }
    let list = |list: &[Vec<(u32, Wire)>]| -> Vec<Vec<(u32, Wire)>> {
        list.iter()
            .map(|items| {
                items
                    .iter()
                    .map(|&(id, wire)| (id, mapped(&wires, wire)))
                    .collect()
            })
            .collect()
    };
    let goals = |items: &Vec<(i32, Wire)>| {
        items
            .iter()
            .map(|&(value, wire)| (value, mapped(&wires, wire)))
            .collect()
    };
    let outputs = Network {
        next: old.next.iter().map(|&wire| mapped(&wires, wire)).collect(),
        initial: old.initial.clone(),
        legal: list(&old.legal),
        terminal: mapped(&wires, old.terminal),
        goals: old.goals.iter().map(goals).collect(),
        percepts: list(&old.percepts),
        ..Network::default()
    };
    let built = builder.finish();
    Network {
        nodes: built.nodes,
        inputs: built.inputs,
        regions: built.regions,
        ..outputs
    }
}

/// Which nodes an output depends on.
pub(super) fn used(network: &Network) -> Vec<bool> {
    let mut used = vec![false; network.nodes.len()];
    network.outputs().for_each(|wire| used[wire.node()] = true);
    let mut regions = network.regions.iter().rev().peekable();
    let mut node = network.nodes.len();
    while node > 0 {
        node -= 1;
        if let Some(region) = regions.peek()
            && region.nodes.end == node + 1
        {
            // A gate that reads a part of a region reads all of it: its parts depend on each other.
            if used[region.nodes.clone()].contains(&true) {
                region
                    .definitions
                    .iter()
                    .for_each(|wire| used[wire.node()] = true);
            }
            regions.next();
        }
        if used[node] {
            network
                .inputs_of(node)
                .iter()
                .for_each(|wire| used[wire.node()] = true);
        }
    }
    used
}

/// How many times each node is read by gates that are used, or from outside.
pub(super) fn fan_out(network: &Network) -> Vec<u32> {
    let used = used(network);
    let mut count = vec![0u32; network.nodes.len()];
    network.outputs().for_each(|wire| count[wire.node()] += 1);
    for region in &network.regions {
        region
            .definitions
            .iter()
            .for_each(|wire| count[wire.node()] += 1);
    }
    for node in (0..network.nodes.len()).filter(|&node| used[node]) {
        network
            .inputs_of(node)
            .iter()
            .for_each(|wire| count[wire.node()] += 1);
    }
    count
}

/// Drops what is never read.
pub(super) fn drop_dead(network: &Network) -> Network {
    rebuild(network, |builder, _, inputs| builder.and(inputs))
}

/// Merges a gate into the gate that uses it, if that is the only one and does not invert it.
pub(super) fn flatten(network: &Network) -> Network {
    let (fan_out, used) = (fan_out(network), used(network));
    // What each gate of the new network would be merged as: only gates read once, looked up by the
    // old gate's wires.
    let mut merged: Vec<Option<Vec<Wire>>> = vec![None; network.nodes.len()];
    let mut plain: rustc_hash::FxHashSet<usize> = rustc_hash::FxHashSet::default();
    for node in (0..network.nodes.len()).filter(|&node| used[node]) {
        for wire in network.inputs_of(node) {
            if !wire.is_inverted() && fan_out[wire.node()] == 1 {
                plain.insert(wire.node());
            }
        }
    }
    rebuild(network, |builder, node, inputs| {
        let mut all = Vec::with_capacity(inputs.len());
        for (new, old) in inputs.into_iter().zip(network.inputs_of(node)) {
            match merged[old.node()].take() {
                Some(parts) if !old.is_inverted() => all.extend(parts),
                other => {
                    merged[old.node()] = other;
                    all.push(new);
                }
            }
        }
        if plain.contains(&node) {
            // Its only reader takes the inputs; no gate is needed. The wire is never looked at.
            merged[node] = Some(all);
            return Wire::FALSE;
        }
        builder.and(all)
    })
}
