//! Every role makes exactly one move.
//!
//! So two moves of one role exclude each other, a move says all that can be said about the role's
//! other moves, and "none of these" is "one of the others", which is the smaller gate where "these"
//! are most of the role's moves.

use super::super::builder::Builder;
use super::super::network::{Network, Node, Wire};
use super::rebuild::rebuild;

/// Rewrites every conjunction over moves.
pub(super) fn one_of(network: &Network) -> Network {
    let moves = Moves::new(network);
    rebuild(network, |builder, _, inputs| {
        let opened = moves.opened(builder, &inputs);
        match moves.simplified(builder, opened) {
            // Gates that were looked through stay, because others read them; only new ones cost
            // anything.
            Some((simpler, cost)) if simpler.len() + cost < inputs.len() => builder.and(simpler),
            Some(_) => builder.and(inputs),
            None => Wire::FALSE,
        }
    })
}

/// A wire about a role's move, and which move it is.
type Move = (Wire, u32);

/// Which inputs of a network are moves.
pub(super) struct Moves {
    /// How many moves each role has.
    counts: Vec<usize>,
    /// For each input, the role and the move that it is. Inputs are numbered alike in every network
    /// of a game, so that the wires of the new network can be read with the nodes of the old one.
    owners: Vec<Option<(usize, u32)>>,
}

impl Moves {
    pub(super) fn new(network: &Network) -> Self {
        let owner = |node: &Node| match *node {
            Node::True | Node::Fluent(_) => Some(None),
            Node::Does { role, index } => Some(Some((usize::from(role), index))),
            Node::And { .. } | Node::Feedback => None,
        };
        Self {
            counts: network.legal.iter().map(Vec::len).collect(),
            owners: network.nodes.iter().map_while(owner).collect(),
        }
    }

    /// The role and the move that a wire is about, if it is about a move.
    pub(super) fn owner(&self, wire: Wire) -> Option<(usize, u32)> {
        self.owners.get(wire.node()).copied().flatten()
    }

    /// The inputs with gates that only say which moves are not made replaced by what they say.
    fn opened(&self, builder: &Builder, inputs: &[Wire]) -> Vec<Wire> {
        let mut opened = Vec::with_capacity(inputs.len());
        for &wire in inputs {
            let parts = if wire.is_inverted() {
                &[][..]
            } else {
                builder.inputs_of(wire)
            };
            let only_moves = |&part: &Wire| part.is_inverted() && self.owner(part).is_some();
            match !parts.is_empty() && parts.iter().all(only_moves) {
                true => opened.extend_from_slice(parts),
                false => opened.push(wire),
            }
        }
        opened.sort_unstable();
        opened.dedup();
        opened
    }

    /// The shortest way to say the same about every role's move, and how many operations that takes
    /// beside the gate itself; `None` if it cannot be.
    fn simplified(&self, builder: &mut Builder, inputs: Vec<Wire>) -> Option<(Vec<Wire>, usize)> {
        let mut cost = 0;
        let (about_moves, mut simpler): (Vec<Wire>, Vec<Wire>) = inputs
            .into_iter()
            .partition(|&wire| self.owner(wire).is_some());
        for (role, &count) in self.counts.iter().enumerate() {
            let of_role = about_moves.iter().filter_map(|&wire| {
                let (owner, index) = self.owner(wire)?;
                (owner == role).then_some((wire, index))
            });
            let (excluded, made): (Vec<Move>, Vec<Move>) =
                of_role.partition(|(wire, _)| wire.is_inverted());
            let excludes = |index: u32| excluded.iter().any(|&(_, other)| other == index);
            match made[..] {
                [] if excluded.is_empty() => {}
                [] => cost += self.excluded(builder, role, count, &excluded, &mut simpler),
                [(wire, index)] if !excludes(index) => simpler.push(wire),
                // Two moves at once, or a move and not that move.
                _ => return None,
            }
        }
        Some((simpler, cost))
    }

    /// None of these moves, or one of the others: whichever is shorter. How many operations were
    /// added.
    fn excluded(
        &self,
        builder: &mut Builder,
        role: usize,
        count: usize,
        excluded: &[Move],
        simpler: &mut Vec<Wire>,
    ) -> usize {
        let left = count - excluded.len();
        if left > 1 && left + 1 >= excluded.len() {
            simpler.extend(excluded.iter().map(|&(wire, _)| wire));
            return 0;
        }
        let mut is_excluded = vec![false; count];
        excluded
            .iter()
            .for_each(|&(_, index)| is_excluded[index as usize] = true);
        let others = (0..count).filter(|&index| !is_excluded[index]);
        let others: Vec<Wire> = others.map(|index| builder.does(role, index)).collect();
        let (before, size) = (builder.len(), others.len());
        simpler.push(builder.or(others));
        if builder.len() > before {
            size.saturating_sub(1)
        } else {
            0
        }
    }
}
