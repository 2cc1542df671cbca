//! Covers a circuit with gates of more inputs: which gates are computed together, each group as one
//! operation.
//!
//! A *cut* of a node is a set of nodes, at most three here, from which its value follows; the gates
//! between are computed in one operation with it, whatever they are, by a table of eight bits. The
//! cuts of a gate are made of those of its two inputs, from the inputs of the circuit upwards, and
//! the best few are kept. Best is what takes the fewest operations in all, where the operations of
//! a value that is used n times count one n-th at each use ("area flow"; Alan Mishchenko, Satrajit
//! Chatterjee and Robert Brayton, Improvements to Technology Mapping for LUT-Based FPGAs, 2007). It
//! is done once: a second round, with the uses that the first has left, saves a few operations of a
//! hundred more, which is not worth the time to load a game.
//!
//! A cut does not reach out of a loop, nor into one: what a loop makes of its feedback changes from
//! round to round.

use paidia_reason::propnet::Wire;

use crate::circuit::{Circuit, Gate};
use crate::program::swapped;

/// Nodes from which the value of another follows, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cut {
    /// In ascending order; those behind the last repeat the first.
    nodes: [u32; 3],
    count: u8,
    /// The value: bit `4 * first + 2 * second + third`. Where there are fewer nodes, the value does
    /// not depend on the others.
    pub(super) table: u8,
}

/// The tables of the three inputs themselves.
const INPUTS: [u8; 3] = [0b1111_0000, 0b1100_1100, 0b1010_1010];

impl Cut {
    /// The node from itself.
    fn of(node: u32) -> Self {
        Self {
            nodes: [node; 3],
            count: 1,
            table: INPUTS[0],
        }
    }

    /// The nodes, each once.
    pub(super) fn inputs(&self) -> &[u32] {
        &self.nodes[..usize::from(self.count)]
    }

    /// The nodes, of which the first stands for those that are missing.
    pub(super) fn operands(&self) -> [u32; 3] {
        self.nodes
    }

    /// The same for inputs that are kept inverted.
    pub(super) fn kept(mut self, inverted: &[bool]) -> Self {
        for place in 0..self.count {
            if inverted[self.nodes[usize::from(place)] as usize] {
                self.table = flipped(self.table, place);
            }
        }
        self
    }

    /// The nodes of both cuts, in ascending order, without a table; `None` if there are too many.
    #[inline]
    fn union(left: &Cut, right: &Cut) -> Option<Cut> {
        let (mut nodes, mut count) = ([0; 3], 0);
        let (mut from_left, mut from_right) = (0, 0);
        while from_left < left.count || from_right < right.count {
            let next = |cut: &Cut, place: u8| match place < cut.count {
                true => cut.nodes[usize::from(place)],
                false => u32::MAX,
            };
            let (one, other) = (next(left, from_left), next(right, from_right));
            *nodes.get_mut(count)? = one.min(other);
            count += 1;
            from_left += u8::from(one <= other);
            from_right += u8::from(other <= one);
        }
        let first = nodes[0];
        nodes[count..].fill(first);
        Some(Cut {
            nodes,
            count: count as u8,
            table: 0,
        })
    }

    /// The value of a gate, given those of its inputs by cuts whose union this is.
    fn with_table(mut self, gate: Gate, left: &Cut, right: &Cut) -> Self {
        let invert = |table: u8, wire: Wire| if wire.is_inverted() { !table } else { table };
        let (one, other) = (left.spread(&self.nodes), right.spread(&self.nodes));
        self.table = match gate {
            Gate::And(left, right) => invert(one, left) & invert(other, right),
            Gate::Xor(left, right) => invert(one, left) ^ invert(other, right),
            Gate::Constant | Gate::Input(_) | Gate::Feedback => 0,
        };
        self
    }

    /// The table for more nodes than these, in ascending order.
    #[inline]
    fn spread(&self, nodes: &[u32; 3]) -> u8 {
        let mut table = self.table;
        // From the last, so that a place that is taken has been left before.
        for place in (0..usize::from(self.count)).rev() {
            let node = self.nodes[place];
            let target = nodes.iter().position(|&other| other == node);
            table = swapped(table, place, target.unwrap_or(place));
        }
        table
    }
}

/// The table with an input inverted.
fn flipped(table: u8, place: u8) -> u8 {
    let (mask, shift) = (INPUTS[usize::from(place)], 4 >> place);
    (table & mask) >> shift | (table & !mask) << shift
}

/// For each gate, the cut from which it is computed.
#[derive(Clone, Debug)]
pub(super) struct Cover {
    /// A gate's own node where there is none.
    cuts: Vec<Cut>,
    is_gate: Vec<bool>,
}

impl Cover {
    /// Every gate from its two inputs.
    pub(super) fn pairs(circuit: &Circuit) -> Self {
        let cut = |node: usize| {
            let [left, right] = inputs(circuit, node)?.map(|wire| Cut::of(wire.node() as u32));
            Some(Cut::union(&left, &right)?.with_table(circuit.gates()[node], &left, &right))
        };
        let nodes = 0..circuit.gates().len();
        Self::new(
            circuit,
            nodes.map(|node| cut(node).unwrap_or(Cut::of(node as u32))),
        )
    }

    /// Gates of up to three inputs, as few as can be found, that give the roots.
    pub(super) fn triples(circuit: &Circuit, roots: &[Wire]) -> Self {
        let mut uses = vec![0u32; circuit.gates().len()];
        for node in 0..circuit.gates().len() {
            for wire in circuit.inputs_of(node) {
                uses[wire.node()] += 1;
            }
        }
        // Roots, and what feedback is set to, must be there by themselves.
        let feedback = circuit.loops().iter().flat_map(|all| &all.feedback);
        for wire in roots.iter().chain(feedback.map(|(_, wire)| wire)) {
            uses[wire.node()] += 1;
        }
        Search::new(circuit, &uses).cover()
    }

    fn new(circuit: &Circuit, cuts: impl Iterator<Item = Cut>) -> Self {
        let is_gate = |gate: &Gate| matches!(gate, Gate::And(..) | Gate::Xor(..));
        Self {
            cuts: cuts.collect(),
            is_gate: circuit.gates().iter().map(is_gate).collect(),
        }
    }

    /// The cut of a node, which is the node itself if it is not a gate.
    pub(super) fn cut(&self, node: usize) -> Cut {
        self.cuts[node]
    }

    /// What a node is computed from; nothing for anything but gates.
    pub(super) fn inputs_of(&self, node: usize) -> &[u32] {
        match self.is_gate[node] {
            true => self.cuts[node].inputs(),
            false => &[],
        }
    }
}

fn inputs(circuit: &Circuit, node: usize) -> Option<[Wire; 2]> {
    match circuit.gates()[node] {
        Gate::And(left, right) | Gate::Xor(left, right) => Some([left, right]),
        Gate::Constant | Gate::Input(_) | Gate::Feedback => None,
    }
}

/// How many cuts of a node are kept for those above it.
const KEPT: usize = 3;

/// How often an input may be used for it to be computed anew in each of its users, at most.
const COPIES: u32 = 3;

/// What an input costs beside the operations that make it, so that of two cuts that cost the same
/// the smaller is taken.
const INPUT: f32 = 0.03;

/// Cuts being looked for.
struct Search<'a> {
    circuit: &'a Circuit,
    uses: &'a [u32],
    /// The best cuts of every node.
    best: Vec<Best>,
    /// For each node, what a use of it costs.
    flow: Vec<f32>,
}

/// A node by itself, and its best cuts, the best first.
#[derive(Clone, Copy)]
struct Best {
    cuts: [Cut; KEPT + 1],
    count: usize,
}

impl<'a> Search<'a> {
    fn new(circuit: &'a Circuit, uses: &'a [u32]) -> Self {
        let nodes = circuit.gates().len();
        let mut search = Self {
            circuit,
            uses,
            best: Vec::with_capacity(nodes),
            flow: Vec::with_capacity(nodes),
        };
        (0..nodes).for_each(|node| search.node(node));
        search
    }

    fn cover(self) -> Cover {
        let cut = |best: &Best| best.cuts[usize::from(best.count > 1)];
        Cover::new(self.circuit, self.best.iter().map(cut))
    }

    /// Finds the best cuts of a node.
    fn node(&mut self, node: usize) {
        let mut best = Best {
            cuts: [Cut::of(node as u32); KEPT + 1],
            count: 1,
        };
        let mut costs = [0.0; KEPT + 1];
        if let Some([left, right]) = inputs(self.circuit, node) {
            let gate = self.circuit.gates()[node];
            for left in self.cuts_below(node, left.node()) {
                for right in self.cuts_below(node, right.node()) {
                    let Some(cut) = Cut::union(left, right) else {
                        continue;
                    };
                    let cost = self.cost(&cut);
                    if let Some(place) = best.place(&cut, cost, &costs) {
                        best.insert(place, cut.with_table(gate, left, right));
                        costs.copy_within(place..KEPT, place + 1);
                        costs[place] = cost;
                    }
                }
            }
        }
        self.flow.push(costs[1] / self.uses[node].max(1) as f32);
        self.best.push(best);
    }

    fn cost(&self, cut: &Cut) -> f32 {
        let inputs = cut.inputs().iter();
        inputs.fold(1.0, |sum, &input| sum + INPUT + self.flow[input as usize])
    }

    /// The cuts of an input that those of a node can be made of: itself, and its own if both are in
    /// the same loop or in none, and few use it.
    fn cuts_below(&self, node: usize, input: usize) -> &[Cut] {
        let best = &self.best[input];
        let is_near = self.circuit.loop_of(node) == self.circuit.loop_of(input);
        let count = match is_near && self.uses[input] <= COPIES {
            true => best.count,
            false => 1,
        };
        &best.cuts[..count]
    }
}

impl Best {
    /// The place of a cut by its cost; `None` if it is there already, or too expensive.
    fn place(&self, cut: &Cut, cost: f32, costs: &[f32; KEPT + 1]) -> Option<usize> {
        let mut known = self.cuts[1..self.count].iter();
        if known.any(|other| other.nodes == cut.nodes) {
            return None;
        }
        let place = (1..self.count).find(|&place| cost < costs[place]);
        place.or((self.count <= KEPT).then_some(self.count))
    }

    fn insert(&mut self, place: usize, cut: Cut) {
        self.cuts.copy_within(place..KEPT, place + 1);
        self.cuts[place] = cut;
        self.count = (self.count + 1).min(KEPT + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::{Cover, Cut, flipped};
    use crate::circuit::{Circuit, Input};
    use crate::program::swapped;
    use paidia_reason::propnet::Wire;

    #[test]
    fn tables_follow_their_inputs() {
        // left & !right, with the third without effect
        let table = 0b0011_0000;
        assert_eq!(flipped(table, 1), 0b1100_0000);
        assert_eq!(flipped(table, 2), table);
        assert_eq!(swapped(table, 0, 1), 0b0000_1100);
        assert_eq!(swapped(table, 1, 2), 0b0101_0000);
        let cut = Cut {
            nodes: [4, 7, 4],
            count: 2,
            table,
        };
        // The two are now the second and the third.
        assert_eq!(cut.spread(&[2, 4, 7]), 0b0100_0100);
        assert_eq!(
            cut.kept(&[false, false, false, false, true, false, false, false])
                .table,
            0b0000_0011
        );
    }

    /// What the cover says of a node, given the inputs of the circuit.
    fn value(cover: &Cover, node: u32, inputs: &[bool]) -> bool {
        let cut = cover.cut(node as usize);
        if cut.inputs() == [node] {
            return inputs[node as usize - 1];
        }
        let bit = |place: usize| match cut.inputs().get(place) {
            Some(&input) => u8::from(value(cover, input, inputs)),
            None => 0,
        };
        let row = bit(0) << 2 | bit(1) << 1 | bit(2);
        cut.table >> row & 1 == 1
    }

    #[test]
    fn an_adder_becomes_two_tables() {
        let mut circuit = Circuit::new();
        let [a, b, c] = [0, 1, 2].map(|number| circuit.input(Input::Fluent(number)));
        let half = circuit.xor(a, b);
        let sum = circuit.xor(half, c);
        let both = circuit.and(a, b);
        let carried = circuit.and(half, c);
        let carry = circuit.or(both, carried);
        let cover = Cover::triples(&circuit, &[sum, carry]);
        for wire in [sum, carry] {
            assert_eq!(
                cover.inputs_of(wire.node()),
                [a, b, c].map(|wire| wire.node() as u32)
            );
        }
        for number in 0..8u8 {
            let inputs = [4, 2, 1].map(|bit| number & bit != 0);
            let of = |wire: Wire| value(&cover, wire.node() as u32, &inputs) != wire.is_inverted();
            let ones = inputs.iter().filter(|&&input| input).count();
            assert_eq!(of(sum), ones % 2 == 1);
            assert_eq!(of(carry), ones >= 2);
        }
    }
}
