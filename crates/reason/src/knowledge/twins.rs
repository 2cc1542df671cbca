//! Moves that do the same: wherever one is read, the other is read with it.

use std::collections::BTreeMap;

use paidia_game::{MoveId, RoleId};

use crate::propnet::{Network, Node};

/// Groups of moves that lead to the same state, whichever of them a role makes. They need not be
/// legal in the same states.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Twins {
    /// For each group the role and its moves in order; at least two.
    pub groups: Vec<(RoleId, Vec<MoveId>)>,
}

impl Twins {
    /// The groups that the gates of a network show: every role makes one move, so moves that the
    /// same gates read in the same way change the same.
    pub fn new(network: &Network) -> Self {
        let mut readers: Vec<Vec<u32>> = vec![Vec::new(); network.nodes.len()];
        for gate in 0..network.nodes.len() {
            for wire in network.inputs_of(gate) {
                if matches!(network.nodes[wire.node()], Node::Does { .. }) {
                    readers[wire.node()].push((gate as u32) << 1 | u32::from(wire.is_inverted()));
                }
            }
        }
        // Gates that only outputs or feedback read are skipped.
        let mut is_output = vec![false; network.nodes.len()];
        let definitions = network
            .regions
            .iter()
            .flat_map(|region| &region.definitions);
        for wire in network.outputs().chain(definitions.copied()) {
            is_output[wire.node()] = true;
        }
        let mut groups: BTreeMap<(u16, &[u32]), Vec<MoveId>> = BTreeMap::new();
        for (number, node) in network.nodes.iter().enumerate() {
            if let Node::Does { role, index } = *node
                && !is_output[number]
            {
                let (id, _) = network.legal[usize::from(role)][index as usize];
                let alike = groups.entry((role, &readers[number][..])).or_default();
                alike.push(MoveId(id));
            }
        }
        let groups = groups.into_iter().filter(|(_, moves)| moves.len() > 1);
        Self {
            groups: groups
                .map(|((role, _), moves)| (RoleId(role), moves))
                .collect(),
        }
    }
}
