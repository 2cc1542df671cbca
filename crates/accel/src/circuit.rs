//! Two-input gates over numbered nodes, each different gate once.
//!
//! The network of a game and the logic that chooses moves become one circuit, so that everything a
//! step needs is simplified, ordered and given its place in memory together. A gate is a
//! conjunction or an exclusive or; [`Wire`]s invert for free, so a disjunction is an inverted
//! conjunction of inverted wires. Constants are folded and equal gates shared as gates are added.

use paidia_reason::propnet::Wire;
use rustc_hash::FxHashMap;

/// What a node computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Gate {
    /// Always true: node 0 and no other.
    Constant,
    /// A word that is given from outside.
    Input(Input),
    /// Both.
    And(Wire, Wire),
    /// Exactly one; the wires are never inverted.
    Xor(Wire, Wire),
    /// The value of a recursive atom; see [`Loop`].
    Feedback,
}

/// A word that is given from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Input {
    /// Whether a fluent holds now.
    Fluent(u32),
    /// A bit of the rank that a chooser is given: the chooser's number, and the bit counted from
    /// the lowest.
    Rank(u16, u8),
    /// A bit of the weight of a leaf: the chooser's number, the leaf's, and the bit counted from
    /// the lowest. It is the same in all lanes.
    Weight(u16, u32, u8),
    /// Whether a lane may go on.
    Open,
    /// Whether a lane makes the moves that were drawn, where others keep their state.
    Go,
}

/// Gates that depend on each other; their value is the least fixpoint.
#[derive(Clone, Debug)]
pub(crate) struct Loop {
    /// Feedback nodes with their definitions.
    pub(crate) feedback: Vec<(u32, Wire)>,
    /// The nodes that depend on feedback, in an order in which inputs come first; feedback nodes
    /// are among them.
    pub(crate) members: Vec<u32>,
}

/// Gates, each different one once, inputs before the gates that use them.
#[derive(Clone, Debug)]
pub(crate) struct Circuit {
    gates: Vec<Gate>,
    known: FxHashMap<Gate, u32>,
    loops: Vec<Loop>,
    /// For each node, the loop that it is a member of.
    membership: Vec<Option<u32>>,
    /// Whether a loop is being built: the last one.
    is_looping: bool,
}

impl Circuit {
    /// Only the constant.
    pub(crate) fn new() -> Self {
        let mut circuit = Self {
            gates: Vec::new(),
            known: FxHashMap::default(),
            loops: Vec::new(),
            membership: Vec::new(),
            is_looping: false,
        };
        circuit.add(Gate::Constant);
        circuit
    }

    /// All nodes.
    pub(crate) fn gates(&self) -> &[Gate] {
        &self.gates
    }

    /// All loops, in the order of their nodes.
    pub(crate) fn loops(&self) -> &[Loop] {
        &self.loops
    }

    /// The loop that a node is a member of.
    pub(crate) fn loop_of(&self, node: usize) -> Option<usize> {
        self.membership[node].map(|number| number as usize)
    }

    /// The inputs of a node; none for anything but gates.
    pub(crate) fn inputs_of(&self, node: usize) -> impl Iterator<Item = Wire> + use<> {
        let pair = match self.gates[node] {
            Gate::And(left, right) | Gate::Xor(left, right) => [Some(left), Some(right)],
            _ => [None, None],
        };
        pair.into_iter().flatten()
    }

    /// A word from outside.
    pub(crate) fn input(&mut self, input: Input) -> Wire {
        self.find_or_add(Gate::Input(input))
    }

    /// Both wires.
    pub(crate) fn and(&mut self, left: Wire, right: Wire) -> Wire {
        if left == Wire::FALSE || right == Wire::FALSE || left == !right {
            return Wire::FALSE;
        }
        if left == Wire::TRUE || left == right {
            return right;
        }
        if right == Wire::TRUE {
            return left;
        }
        self.find_or_add(Gate::And(left.min(right), left.max(right)))
    }

    /// The first wire without the second.
    pub(crate) fn and_not(&mut self, left: Wire, right: Wire) -> Wire {
        self.and(left, !right)
    }

    /// Either wire, or both.
    pub(crate) fn or(&mut self, left: Wire, right: Wire) -> Wire {
        !self.and(!left, !right)
    }

    /// Exactly one of the wires.
    pub(crate) fn xor(&mut self, left: Wire, right: Wire) -> Wire {
        let invert = left.is_inverted() != right.is_inverted();
        let (left, right) = (Wire::of(left.node()), Wire::of(right.node()));
        if left == right {
            return Wire::FALSE.inverted_if(invert);
        }
        let wire = match (left, right) {
            (Wire::TRUE, other) | (other, Wire::TRUE) => !other,
            _ => self.find_or_add(Gate::Xor(left.min(right), left.max(right))),
        };
        wire.inverted_if(invert)
    }

    /// All of the wires, taken in their order, so that a value is used up soon after it is made.
    pub(crate) fn all(&mut self, wires: impl IntoIterator<Item = Wire>) -> Wire {
        let wires = wires.into_iter();
        wires.fold(Wire::TRUE, |all, wire| self.and(all, wire))
    }

    /// Any of the wires.
    pub(crate) fn any(&mut self, wires: impl IntoIterator<Item = Wire>) -> Wire {
        !self.all(wires.into_iter().map(|wire| !wire))
    }

    /// Starts a loop with that many feedback nodes; gates that depend on them and are added before
    /// [`end_loop`](Self::end_loop) are its members.
    pub(crate) fn begin_loop(&mut self, feedback: usize) -> Vec<Wire> {
        self.is_looping = true;
        self.loops.push(Loop {
            feedback: Vec::with_capacity(feedback),
            members: Vec::new(),
        });
        (0..feedback).map(|_| self.add(Gate::Feedback)).collect()
    }

    /// Ends the loop; a definition for each of its feedback nodes.
    pub(crate) fn end_loop(&mut self, feedback: &[Wire], definitions: impl Iterator<Item = Wire>) {
        self.is_looping = false;
        if let Some(last) = self.loops.last_mut() {
            let nodes = feedback.iter().map(|wire| wire.node() as u32);
            last.feedback = nodes.zip(definitions).collect();
        }
    }

    fn find_or_add(&mut self, gate: Gate) -> Wire {
        match self.known.get(&gate) {
            Some(&node) => Wire::of(node as usize),
            None => self.add(gate),
        }
    }

    fn add(&mut self, gate: Gate) -> Wire {
        let node = self.gates.len();
        self.gates.push(gate);
        if gate != Gate::Feedback {
            self.known.insert(gate, node as u32);
        }
        let membership = self.membership_of(node);
        if let Some(number) = membership {
            self.loops[number as usize].members.push(node as u32);
        }
        self.membership.push(membership);
        Wire::of(node)
    }

    /// The loop being built, if the new node depends on its feedback.
    fn membership_of(&self, node: usize) -> Option<u32> {
        let current = self.is_looping.then(|| self.loops.len() as u32 - 1)?;
        let is_member = self.gates[node] == Gate::Feedback
            || self
                .inputs_of(node)
                .any(|wire| self.membership[wire.node()] == Some(current));
        is_member.then_some(current)
    }
}

#[cfg(test)]
mod tests {
    use super::{Circuit, Input};
    use paidia_reason::propnet::Wire;

    #[test]
    fn constants_are_folded_and_equal_gates_shared() {
        let mut circuit = Circuit::new();
        let [a, b] = [0, 1].map(|number| circuit.input(Input::Fluent(number)));
        assert_eq!(circuit.and(a, Wire::TRUE), a);
        assert_eq!(circuit.and(a, !a), Wire::FALSE);
        assert_eq!(circuit.or(a, !a), Wire::TRUE);
        assert_eq!(circuit.xor(a, Wire::TRUE), !a);
        assert_eq!(circuit.xor(!a, a), Wire::TRUE);
        assert_eq!(circuit.xor(Wire::FALSE, Wire::TRUE), Wire::TRUE);
        assert_eq!(circuit.and(a, b), circuit.and(b, a));
        assert_eq!(circuit.xor(!a, b), !circuit.xor(b, a));
        assert_eq!(circuit.gates().len(), 5);
    }

    #[test]
    fn only_what_depends_on_feedback_is_a_member_of_the_loop() {
        let mut circuit = Circuit::new();
        let [a, b] = [0, 1].map(|number| circuit.input(Input::Fluent(number)));
        let feedback = circuit.begin_loop(1);
        let outside = circuit.and(a, b);
        let inside = circuit.or(outside, feedback[0]);
        circuit.end_loop(&feedback, [inside].into_iter());
        let after = circuit.and(inside, a);
        assert_eq!(circuit.loop_of(outside.node()), None);
        assert_eq!(circuit.loop_of(inside.node()), Some(0));
        assert_eq!(circuit.loop_of(after.node()), None);
        assert_eq!(circuit.loops()[0].members.len(), 2);
    }
}
