//! Taking a common input out of alternatives that others read too.
//!
//! "Some move is legal" is `a·b + a·c + ...`, where `a` says whose turn it is and every product is
//! a legal move that is read by itself as well. [Factoring](super::factor) leaves such products
//! alone. Here each becomes `a·x` with a gate for `x`, and the sum becomes `a·(x + ...)`. That
//! takes one operation more, but when `a` changes, an engine that propagates changes updates the
//! sum once.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::super::builder::Builder;
use super::super::network::{Network, Wire};
use super::rebuild::{fan_out, rebuild, used};

/// The fewest alternatives that must have the input.
const MEMBERS: usize = 8;

/// Takes inputs out of alternatives wherever enough of them share one.
pub(super) fn share(network: &Network) -> Network {
    share_among(network, MEMBERS)
}

/// Takes inputs out where at least `members` alternatives share one.
pub(super) fn share_among(network: &Network, members: usize) -> Network {
    let common = common_inputs(network, members);
    if common.iter().all(Option::is_none) {
        return network.clone();
    }
    let mut splits: Vec<Option<Split>> = vec![None; network.nodes.len()];
    rebuild(network, |builder, node, inputs| {
        let mut taken = None;
        let mut others = Vec::with_capacity(inputs.len());
        for (new, &old) in inputs.into_iter().zip(network.inputs_of(node)) {
            match common[node] {
                Some(wire) if wire == old => taken = Some(new),
                _ => others.push((new, splits[old.node()].filter(|_| old.is_inverted()))),
            }
        }
        let conditions = conditions(builder, others, members);
        let rest = builder.and(conditions);
        let Some(taken) = taken else {
            return rest;
        };
        splits[node] = Some(Split { taken, rest });
        builder.and([taken, rest])
    })
}

/// What has become of an alternative.
#[derive(Clone, Copy)]
struct Split {
    /// The input that it shares with others.
    taken: Wire,
    /// Whether all its other inputs hold.
    rest: Wire,
}

/// For each gate, the input that is to be taken out of it.
fn common_inputs(network: &Network, members: usize) -> Vec<Option<Wire>> {
    let (fan_out, used) = (fan_out(network), used(network));
    let mut common = vec![None; network.nodes.len()];
    for node in (0..network.nodes.len()).filter(|&node| used[node]) {
        let inverted = network.inputs_of(node).iter();
        let inverted = inverted.filter(|wire| wire.is_inverted());
        let shared = inverted.map(|wire| wire.node()).filter(|&alternative| {
            fan_out[alternative] > 1
                && common[alternative].is_none()
                && !network.inputs_of(alternative).is_empty()
        });
        let shared: Vec<usize> = shared.collect();
        if let Some(wire) = most_frequent(network, &shared, members) {
            let having = shared
                .into_iter()
                .filter(|&alternative| network.inputs_of(alternative).contains(&wire));
            having.for_each(|alternative| common[alternative] = Some(wire));
        }
    }
    common
}

/// The input that most of these gates have, if enough of them do.
fn most_frequent(network: &Network, gates: &[usize], members: usize) -> Option<Wire> {
    if gates.len() < members {
        return None;
    }
    let mut counts: FxHashMap<Wire, usize> = FxHashMap::default();
    for &wire in gates.iter().flat_map(|&gate| network.inputs_of(gate)) {
        *counts.entry(wire).or_default() += 1;
    }
    // Among equals the smallest wire, so that the result does not depend on the order of the map.
    let best = counts
        .into_iter()
        .max_by_key(|&(wire, count)| (count, Reverse(wire)))?;
    (best.1 >= members).then_some(best.0)
}

/// The inputs of a gate, with alternatives that were split put together again where enough of them
/// have the same input.
fn conditions(
    builder: &mut Builder,
    inputs: Vec<(Wire, Option<Split>)>,
    members: usize,
) -> Vec<Wire> {
    let mut groups: BTreeMap<Wire, Vec<(Wire, Wire)>> = BTreeMap::new();
    let mut conditions = Vec::new();
    for (wire, split) in inputs {
        match split {
            Some(Split { taken, rest }) => groups.entry(taken).or_default().push((wire, rest)),
            None => conditions.push(wire),
        }
    }
    for (taken, group) in groups {
        if group.len() < members {
            conditions.extend(group.into_iter().map(|(wire, _)| wire));
            continue;
        }
        let any = builder.or(group.into_iter().map(|(_, rest)| rest));
        conditions.push(!builder.and([taken, any]));
    }
    conditions
}
