//! Every role makes exactly one move.
//!
//! So two moves of one role exclude each other, a move says all that can be said about the role's other moves, and "none
//! of these" is "one of the others", which is the smaller gate where "these" are most of the role's moves.

use super::super::builder::Builder;
use super::super::network::{Network, Node, Wire};
use super::rebuild::rebuild;

/// Rewrites every conjunction over moves.
pub(super) fn one_of(network: &Network) -> Network {
    let moves: Vec<usize> = network.legal.iter().map(Vec::len).collect();
    // Inputs are numbered alike in every network of a game, so the new wires can be read with the old nodes.
    let owner: Vec<Option<(u16, u32)>> = network
        .nodes
        .iter()
        .take_while(|node| matches!(node, Node::True | Node::Fluent(_) | Node::Does { .. }))
        .map(|node| match node {
            Node::Does { role, index } => Some((*role, *index)),
            _ => None,
        })
        .collect();
    rebuild(network, |builder, _, inputs| {
        simplified(builder, &moves, &owner, inputs)
    })
}

fn simplified(
    builder: &mut Builder,
    moves: &[usize],
    owner: &[Option<(u16, u32)>],
    mut inputs: Vec<Wire>,
) -> Wire {
    let owner_of = |wire: &Wire| owner.get(wire.node()).copied().flatten();
    let Some(first) = inputs.iter().find_map(owner_of) else {
        return builder.and(inputs);
    };
    let mut extra = Vec::new();
    for role in 0..moves.len() as u16 {
        if role < first.0 && moves.len() == 1 {
            continue;
        }
        let of_role = |wire: &&Wire| owner_of(wire).is_some_and(|(owner, _)| owner == role);
        let mut made: Vec<Wire> = inputs
            .iter()
            .filter(of_role)
            .filter(|wire| !wire.is_inverted())
            .copied()
            .collect();
        made.sort_unstable();
        made.dedup();
        let excluded: Vec<u32> = {
            let mut places: Vec<u32> = inputs
                .iter()
                .filter(of_role)
                .filter(|wire| wire.is_inverted())
                .filter_map(owner_of_index(&owner_of))
                .collect();
            places.sort_unstable();
            places.dedup();
            places
        };
        let count = moves[usize::from(role)];
        match (made.len(), excluded.len()) {
            (0, 0) => {}
            (0, excluded_count) => {
                let left = count - excluded_count;
                if left + 1 < excluded_count || left <= 1 {
                    let others: Vec<Wire> = (0..count as u32)
                        .filter(|index| excluded.binary_search(index).is_err())
                        .map(|index| builder.does(usize::from(role), index as usize))
                        .collect();
                    inputs.retain(|wire| !of_role(&wire));
                    extra.push(builder.or(others));
                }
            }
            (1, _) => {
                if made
                    .first()
                    .and_then(owner_of)
                    .is_some_and(|(_, index)| excluded.binary_search(&index).is_ok())
                {
                    return Wire::FALSE;
                }
                inputs.retain(|wire| !of_role(&wire) || !wire.is_inverted());
            }
            _ => return Wire::FALSE,
        }
    }
    inputs.extend(extra);
    builder.and(inputs)
}

fn owner_of_index<'a>(
    owner_of: &'a impl Fn(&Wire) -> Option<(u16, u32)>,
) -> impl Fn(&Wire) -> Option<u32> + 'a {
    move |wire| owner_of(wire).map(|(_, index)| index)
}
