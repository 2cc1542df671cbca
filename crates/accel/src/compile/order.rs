//! Puts the gates of a circuit in an order, as operations on values.
//!
//! A depth-first walk from what each part must give places a gate soon before its first use, so
//! that few values wait at any time. Each gate of the [`Cover`] is one operation: a value may be
//! kept inverted, and which way it is kept follows from its operands. With `a` and `b` as they are
//! kept, a conjunction is one of `a & b`, `a & !b`, `b & !a`, and `!(a | b)`, of which the last is
//! computed as `a | b` and kept inverted. Gates of three inputs are looked up in a table, so that
//! it does not matter how values are kept.

use paidia_reason::propnet::Wire;

use super::cover::{Cover, Cut};
use crate::circuit::{Circuit, Gate, Input};
use crate::lower::{GoalWires, Logic};
use crate::program::Kind;

/// An operation on values: nodes of the circuit, and numbers above them for what is added here.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) kind: Kind,
    /// The value that is made; for a latch the feedback value that is set.
    pub(super) value: u32,
    /// The first stands for those that are missing.
    pub(super) operands: [u32; 3],
    /// For [`Kind::Table`].
    pub(super) table: u8,
}

impl Step {
    /// A step with one operand.
    fn unary(kind: Kind, value: u32, operand: u32) -> Self {
        Self {
            kind,
            value,
            operands: [operand; 3],
            table: kind.table(),
        }
    }
}

/// Steps in order.
#[derive(Clone, Debug)]
pub(super) enum Stretch {
    Straight(Vec<Step>),
    /// Feedback values, which are false at first, and the steps to repeat.
    Loop(Vec<u32>, Vec<Step>),
}

impl Stretch {
    pub(super) fn steps(&self) -> &[Step] {
        match self {
            Stretch::Straight(steps) | Stretch::Loop(_, steps) => steps,
        }
    }

    pub(super) fn steps_mut(&mut self) -> &mut Vec<Step> {
        match self {
            Stretch::Straight(steps) | Stretch::Loop(_, steps) => steps,
        }
    }
}

/// How a fluent gets its next value, at the end of the last part: the value, and whether it must be
/// inverted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Commit {
    pub(super) fluent: u32,
    pub(super) value: u32,
    pub(super) invert: bool,
}

/// How many inputs gates have at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gates {
    Two,
    Three,
}

/// Everything in order.
#[derive(Clone, Debug)]
pub(super) struct Ordered {
    pub(super) evaluate: Vec<Stretch>,
    pub(super) goals: Vec<Stretch>,
    /// Whether goals use nothing that the first part makes.
    pub(super) goals_are_apart: bool,
    pub(super) advance: Vec<Stretch>,
    pub(super) commits: Vec<Commit>,
    /// For each node of the circuit, which value it is in the part for goals.
    pub(super) goal_values: Vec<u32>,
    /// For each node of the circuit, whether its value is kept inverted.
    pub(super) inverted: Vec<bool>,
    /// How many values there are.
    pub(super) values: u32,
}

/// Goals are evaluated apart if that takes more than this many operations for each fluent, which is
/// about what it costs to copy the states of lanes that have ended.
const APART: usize = 6;

/// Orders everything that the parts of a step must give; the last part begins from the state and
/// the ranks again if `is_again`.
pub(super) fn order(logic: &Logic, gates: Gates, is_again: bool) -> Ordered {
    let evaluate_roots: Vec<Wire> = evaluate_roots(logic).collect();
    let goal_roots: Vec<Wire> = logic.goals.iter().flat_map(GoalWires::wires).collect();
    let all = evaluate_roots.iter().chain(&goal_roots).chain(&logic.next);
    let all: Vec<Wire> = all.copied().collect();
    let cover = match gates {
        Gates::Two => Cover::pairs(&logic.circuit),
        Gates::Three => Cover::triples(&logic.circuit, &all),
    };
    let mut walk = Walk::new(logic, &cover, &all);
    let at_start = walk.is_done.clone();
    let [before, after] = &logic.orders;
    let evaluate = walk.part(before, &evaluate_roots);
    // Goals are not always evaluated, so what they need is not there for the next state.
    let before_goals = walk.is_done.clone();
    let mut goals = walk.part(&[], &goal_roots);
    let cost_of_goals = match gates {
        Gates::Two => count(&goals),
        Gates::Three => gates_apart(&logic.circuit, &evaluate_roots, &goal_roots),
    };
    let goals_are_apart = !logic.is_held && cost_of_goals > APART * logic.next.len();
    if goals_are_apart {
        walk.is_done.clone_from(&at_start);
        goals = walk.part(&[], &goal_roots);
    }
    let goal_values = rename(&mut goals, &mut walk.values);
    walk.is_done = if is_again { at_start } else { before_goals };
    let mut advance = walk.part(after, &logic.next);
    let next_values = match is_again {
        true => rename(&mut advance, &mut walk.values),
        false => (0..walk.values).collect(),
    };
    let mut ordered = Ordered {
        evaluate,
        goals,
        goals_are_apart,
        advance,
        commits: Vec::new(),
        goal_values,
        inverted: walk.inverted,
        values: walk.values,
    };
    ordered.commit(logic, &next_values);
    ordered
}

/// How many gates of two inputs, and latches, goals take that the first part does not. This decides
/// when playouts are reported, and with it what a search makes of them, so it must not depend on
/// the machine.
fn gates_apart(circuit: &Circuit, evaluate: &[Wire], goals: &[Wire]) -> usize {
    let pairs = Cover::pairs(circuit);
    let is_done = needed(circuit, &pairs, evaluate);
    let is_needed = needed(circuit, &pairs, goals);
    let is_operation = |gate: &Gate| !matches!(gate, Gate::Constant | Gate::Input(_));
    let gates = circuit.gates().iter().zip(is_needed).zip(is_done);
    gates
        .filter(|((gate, is_needed), is_done)| *is_needed && !is_done && is_operation(gate))
        .count()
}

fn count(stretches: &[Stretch]) -> usize {
    stretches.iter().map(|stretch| stretch.steps().len()).sum()
}

/// What the first part must give.
pub(super) fn evaluate_roots(logic: &Logic) -> impl Iterator<Item = Wire> {
    let choosers = logic.choosers.iter();
    let ranks = choosers.flat_map(|chooser| chooser.last.iter().chain(&chooser.mask));
    (0..logic.legal.len())
        .flat_map(|role| logic.legal_outside(role))
        .chain(&logic.can_move)
        .chain(ranks)
        .copied()
        .chain([logic.terminal, logic.moving])
}

impl Ordered {
    /// Decides how every fluent gets its next value.
    fn commit(&mut self, logic: &Logic, values: &[u32]) {
        let mut copies = Vec::new();
        for (fluent, &wire) in (0..).zip(&logic.next) {
            let mut value = values[wire.node()];
            if let Gate::Input(Input::Fluent(source)) = logic.circuit.gates()[wire.node()] {
                if source == fluent && !wire.is_inverted() {
                    continue;
                }
                // The slot of the other fluent may be overwritten before this one is.
                value = self.values;
                self.values += 1;
                copies.push(Step::unary(Kind::Copy, value, wire.node() as u32));
            }
            self.commits.push(Commit {
                fluent,
                value,
                invert: wire.is_inverted() != self.inverted[wire.node()],
            });
        }
        self.advance.insert(0, Stretch::Straight(copies));
    }
}

/// Gives new numbers to the values that are made in a part, since another part may make them too;
/// the new numbers of all values.
fn rename(stretches: &mut [Stretch], values: &mut u32) -> Vec<u32> {
    let mut names: Vec<u32> = (0..*values).collect();
    for stretch in stretches {
        if let Stretch::Loop(cleared, _) = stretch {
            for value in cleared {
                names[*value as usize] = *values;
                *value = *values;
                *values += 1;
            }
        }
        for step in stretch.steps_mut() {
            step.operands = step.operands.map(|value| names[value as usize]);
            if step.kind != Kind::Latch {
                names[step.value as usize] = *values;
                *values += 1;
            }
            step.value = names[step.value as usize];
        }
    }
    names
}

/// A walk through a circuit that leaves steps behind it.
struct Walk<'a> {
    circuit: &'a Circuit,
    cover: &'a Cover,
    /// For each node, whether anything asks for it, directly or not.
    is_needed: Vec<bool>,
    /// For each node, whether its value is there.
    is_done: Vec<bool>,
    /// For each loop, the nodes outside it that it reads, and how many of them are known to be
    /// there.
    outside: Vec<(Vec<u32>, usize)>,
    inverted: Vec<bool>,
    /// How many values there are.
    values: u32,
    stretches: Vec<Stretch>,
}

impl<'a> Walk<'a> {
    fn new(logic: &'a Logic, cover: &'a Cover, roots: &[Wire]) -> Self {
        let circuit = &logic.circuit;
        let is_needed = needed(circuit, cover, roots);
        let gates = circuit.gates();
        Self {
            circuit,
            cover,
            is_done: (gates.iter())
                .map(|gate| matches!(gate, Gate::Constant | Gate::Input(_)))
                .collect(),
            outside: (0..circuit.loops().len())
                .map(|number| (outside(circuit, cover, number, &is_needed), 0))
                .collect(),
            inverted: inversions(logic, cover),
            values: gates.len() as u32,
            is_needed,
            stretches: Vec::new(),
        }
    }

    /// The steps that make the roots, of those that are not there yet; some values first, if they
    /// are needed at all.
    fn part(&mut self, first: &[Wire], roots: &[Wire]) -> Vec<Stretch> {
        self.outside.iter_mut().for_each(|(_, known)| *known = 0);
        for wire in first {
            if self.is_needed[wire.node()] {
                self.visit(wire.node() as u32);
            }
        }
        for root in roots {
            self.visit(root.node() as u32);
        }
        std::mem::take(&mut self.stretches)
    }

    fn visit(&mut self, root: u32) {
        let mut stack = vec![root];
        while let Some(&node) = stack.last() {
            if self.is_done[node as usize] {
                stack.pop();
            } else if let Some(missing) = self.missing_input(node as usize) {
                stack.push(missing);
            } else {
                self.emit(node as usize);
                stack.pop();
            }
        }
    }

    /// An input that is not there yet of a node, or of the whole loop that it is a member of.
    fn missing_input(&mut self, node: usize) -> Option<u32> {
        let Some(number) = self.circuit.loop_of(node) else {
            let mut inputs = self.cover.inputs_of(node).iter();
            return inputs
                .find(|&&input| !self.is_done[input as usize])
                .copied();
        };
        let (outside, known) = &mut self.outside[number];
        while let Some(&input) = outside.get(*known)
            && self.is_done[input as usize]
        {
            *known += 1;
        }
        outside.get(*known).copied()
    }

    fn emit(&mut self, node: usize) {
        if let Some(number) = self.circuit.loop_of(node) {
            self.emit_loop(number);
            return;
        }
        let step = self.step(node);
        match self.stretches.last_mut() {
            Some(Stretch::Straight(steps)) => steps.push(step),
            _ => self.stretches.push(Stretch::Straight(vec![step])),
        }
        self.is_done[node] = true;
    }

    /// Latches stand right behind what defines them, so that a round already sees what it has
    /// found.
    fn emit_loop(&mut self, number: usize) {
        let circuit = self.circuit;
        let all = &circuit.loops()[number];
        let is_needed = |node: &u32| self.is_needed[*node as usize];
        let members: Vec<u32> = all.members.iter().copied().filter(is_needed).collect();
        let mut feedback: Vec<(u32, Wire)> = all.feedback.clone();
        feedback.retain(|(node, _)| is_needed(node));
        let cleared = feedback.iter().map(|&(node, _)| node).collect();
        // By definition, so that one pass over the members finds them in order.
        feedback.sort_by_key(|(_, definition)| definition.node());
        let mut latches = feedback.into_iter().peekable();
        let mut body = Vec::new();
        for node in members {
            while let Some(latch) = latches.next_if(|(_, wire)| wire.node() < node as usize) {
                self.latch(latch, &mut body);
            }
            self.is_done[node as usize] = true;
            if circuit.gates()[node as usize] != Gate::Feedback {
                body.push(self.step(node as usize));
            }
        }
        for latch in latches {
            self.latch(latch, &mut body);
        }
        self.stretches.push(Stretch::Loop(cleared, body));
    }

    fn latch(&mut self, (feedback, definition): (u32, Wire), body: &mut Vec<Step>) {
        let mut left = definition.node() as u32;
        if definition.is_inverted() != self.inverted[definition.node()] {
            let value = self.values;
            self.values += 1;
            body.push(Step::unary(Kind::Not, value, left));
            left = value;
        }
        body.push(Step::unary(Kind::Latch, feedback, left));
    }

    fn step(&self, node: usize) -> Step {
        let cut = self.cover.cut(node).kept(&self.inverted);
        let table = cut.table ^ if self.inverted[node] { u8::MAX } else { 0 };
        let [left, right, third] = cut.operands();
        let (kind, operands) = match two_input(cut, table) {
            Some((kind, false)) => (kind, [left, right, left]),
            Some((kind, true)) => (kind, [right, left, right]),
            None => (Kind::Table, [left, right, third]),
        };
        Step {
            kind,
            value: node as u32,
            operands,
            table: match kind {
                Kind::Table => table,
                _ => kind.table(),
            },
        }
    }
}

/// The operation of two operands that does what a table says, and whether they are to be swapped.
fn two_input(cut: Cut, table: u8) -> Option<(Kind, bool)> {
    if cut.inputs().len() != 2 {
        return None;
    }
    let kinds = [Kind::And, Kind::AndNot, Kind::Or, Kind::Xor];
    let found = kinds.into_iter().find(|kind| kind.table() == table);
    let swapped = || (table == SWAPPED_AND_NOT).then_some((Kind::AndNot, true));
    found.map(|kind| (kind, false)).or_else(swapped)
}

/// The table of `right & !left`.
const SWAPPED_AND_NOT: u8 = 0b0000_1100;

/// For each node, whether its value is kept inverted. Of two inputs, that decides whether there is
/// an operation for it. What is looked up in a table is kept as it is needed in feedback or in the
/// next state, where an inversion would be an operation.
fn inversions(logic: &Logic, cover: &Cover) -> Vec<bool> {
    let circuit = &logic.circuit;
    let mut is_wanted_inverted = vec![false; circuit.gates().len()];
    let feedback = circuit.loops().iter().flat_map(|all| &all.feedback);
    for wire in logic.next.iter().chain(feedback.map(|(_, wire)| wire)) {
        is_wanted_inverted[wire.node()] = wire.is_inverted();
    }
    let mut inverted = Vec::with_capacity(circuit.gates().len());
    for (node, gate) in circuit.gates().iter().enumerate() {
        inverted.push(match gate {
            // The constant is kept as false, in a slot that nothing writes.
            Gate::Constant => true,
            Gate::Input(_) | Gate::Feedback => false,
            Gate::And(..) | Gate::Xor(..) => {
                let cut = cover.cut(node).kept(&inverted);
                match two_input(cut, cut.table) {
                    Some(_) => false,
                    None if two_input(cut, !cut.table).is_some() => true,
                    None => is_wanted_inverted[node],
                }
            }
        });
    }
    inverted
}

/// For each node, whether a root depends on it.
fn needed(circuit: &Circuit, cover: &Cover, roots: &[Wire]) -> Vec<bool> {
    let mut definitions = vec![Wire::FALSE; circuit.gates().len()];
    for &(node, definition) in circuit.loops().iter().flat_map(|all| &all.feedback) {
        definitions[node as usize] = definition;
    }
    let mut is_needed = vec![false; circuit.gates().len()];
    let mut stack: Vec<usize> = roots.iter().map(|wire| wire.node()).collect();
    while let Some(node) = stack.pop() {
        if std::mem::replace(&mut is_needed[node], true) {
            continue;
        }
        stack.extend(cover.inputs_of(node).iter().map(|&input| input as usize));
        stack.push(definitions[node].node());
    }
    is_needed
}

/// The nodes outside a loop that its needed members read.
fn outside(circuit: &Circuit, cover: &Cover, number: usize, is_needed: &[bool]) -> Vec<u32> {
    let all = &circuit.loops()[number];
    let is_needed = |node: u32| is_needed[node as usize];
    let members = all.members.iter().filter(|&&node| is_needed(node));
    let inputs = members.flat_map(|&node| cover.inputs_of(node as usize));
    let feedback = all.feedback.iter().filter(|&&(node, _)| is_needed(node));
    let definitions = feedback.map(|&(_, wire)| wire.node() as u32);
    (inputs.copied().chain(definitions))
        .filter(|&input| circuit.loop_of(input as usize) != Some(number))
        .collect()
}
