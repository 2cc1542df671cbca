//! A goal as a formula over what holds now and the moves that are made now: the regression of the
//! goal by one step.

use crate::propnet::{Network, Node, Region, Wire};

use super::TooComplex;
use super::formula::{Formula, Formulas};

/// The goals, seen from one step before, as formulas over fluents and moves.
pub(super) fn regress(
    network: &Network,
    formulas: &mut Formulas,
    goals: &[Wire],
) -> Result<Vec<Formula>, TooComplex> {
    let after = cone(network, formulas, goals)?;
    let fluent = |&node: &usize| match network.nodes[node] {
        Node::Fluent(number) => Some(network.next[number as usize]),
        _ => None,
    };
    let next: Vec<Wire> = after.iter().filter_map(fluent).collect();
    let now = cone(network, formulas, &next)?;
    let atoms = translate(network, formulas, &now, None)?;
    let goal_parts = translate(network, formulas, &after, Some(&atoms))?;
    Ok(goals.iter().map(|&wire| read(&goal_parts, wire)).collect())
}

/// The nodes that some wires depend on, in order. Of a recursive part all nodes are there, or none.
fn cone(
    network: &Network,
    formulas: &mut Formulas,
    wires: &[Wire],
) -> Result<Vec<usize>, TooComplex> {
    let mut is_needed = vec![false; network.nodes.len()];
    wires.iter().for_each(|wire| is_needed[wire.node()] = true);
    let mut cone = Vec::new();
    let mut regions = network.regions.iter().rev().peekable();
    // Inputs come before the gates that read them, except where something depends on itself.
    for node in (0..network.nodes.len()).rev() {
        if let Some(region) = regions.next_if(|region| region.nodes.end == node + 1)
            && is_needed[region.nodes.clone()].contains(&true)
        {
            is_needed[region.nodes.clone()].fill(true);
            let definitions = region.definitions.iter();
            definitions.for_each(|wire| is_needed[wire.node()] = true);
        }
        if is_needed[node] {
            cone.push(node);
            let inputs = network.inputs_of(node);
            formulas.spend(inputs.len())?;
            inputs.iter().for_each(|wire| is_needed[wire.node()] = true);
        }
    }
    cone.reverse();
    Ok(cone)
}

/// For each node of a cone its formula. Fluents are what they are now, or, with the formulas of
/// nodes before the step, what they will be.
fn translate(
    network: &Network,
    formulas: &mut Formulas,
    cone: &[usize],
    before: Option<&[Formula]>,
) -> Result<Vec<Formula>, TooComplex> {
    let mut made = vec![Formula::FALSE; network.nodes.len()];
    let mut regions = network.regions.iter().peekable();
    for &node in cone {
        while regions.next_if(|region| region.nodes.end <= node).is_some() {}
        if let Some(region) = regions.next_if(|region| region.nodes.start == node) {
            translate_region(network, formulas, region, &mut made)?;
        }
        made[node] = match network.nodes[node] {
            Node::True => Formula::TRUE,
            Node::Fluent(number) => match before {
                Some(before) => read(before, network.next[number as usize]),
                None => formulas.holds(number),
            },
            Node::Does { role, index } => formulas.does(role, index),
            Node::Feedback => made[node],
            Node::And { .. } => gate(network, formulas, node, &made)?,
        };
    }
    Ok(made)
}

/// Sets the formulas of a recursive part's feedback nodes. Each round makes more of them true, if
/// any; so there are at most as many rounds as nodes, and that many are written out.
fn translate_region(
    network: &Network,
    formulas: &mut Formulas,
    region: &Region,
    made: &mut [Formula],
) -> Result<(), TooComplex> {
    let first = region.nodes.start;
    let feedback = first..first + region.definitions.len();
    for _ in feedback.clone() {
        for node in feedback.end..region.nodes.end {
            made[node] = gate(network, formulas, node, made)?;
        }
        let definitions = region.definitions.iter();
        let found: Vec<Formula> = definitions.map(|&wire| read(made, wire)).collect();
        if made[feedback.clone()] == found[..] {
            break;
        }
        made[feedback.clone()].copy_from_slice(&found);
    }
    Ok(())
}

/// The formula of a gate, given those of its inputs.
fn gate(
    network: &Network,
    formulas: &mut Formulas,
    node: usize,
    made: &[Formula],
) -> Result<Formula, TooComplex> {
    let inputs = network.inputs_of(node).iter();
    formulas.all_narrow(inputs.map(|&wire| read(made, wire)))
}

/// The formula of a wire, given those of nodes.
fn read(made: &[Formula], wire: Wire) -> Formula {
    made[wire.node()].negated_if(wire.is_inverted())
}
