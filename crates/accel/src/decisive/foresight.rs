//! Translating a network with a move made.
//!
//! The network is translated once without any move made, as it is where the game is not over: what
//! would end it is false. For a move only what differs from that is translated: what depends on
//! what its legality tells, on the move, or on fluents of the next state that are not as they were.
//! So of all lines of five that may end a game only those are looked at that the move is on.

use paidia_reason::propnet::{Network, Node, Wire};
use rustc_hash::FxHashMap;

use super::seen::Seen;
use super::{Refusal, any};
use crate::circuit::{Circuit, Gate, Input};

/// Nodes that may be translated in all.
const MOST_WORK: usize = 12_000_000;

/// How many gates there may be, for each that there is without foresight.
const MOST_GROWTH: usize = 40;

/// How many conjunctions and disjunctions deep it is looked for what a wire tells of fluents.
const DEPTH: usize = 6;

/// Wires that may differ from what they are without a move.
struct Changes {
    wires: Vec<Wire>,
    /// Those that differ: where the number is that of the present move.
    marks: Vec<u32>,
    mark: u32,
}

impl Changes {
    fn new(length: usize) -> Self {
        Self {
            wires: vec![Wire::FALSE; length],
            marks: vec![0; length],
            mark: 0,
        }
    }

    fn clear(&mut self) {
        self.mark += 1;
    }

    fn set(&mut self, place: usize, wire: Wire) {
        (self.wires[place], self.marks[place]) = (wire, self.mark);
    }

    fn has(&self, place: usize) -> bool {
        self.marks[place] == self.mark
    }

    fn get(&self, place: usize) -> Option<Wire> {
        self.has(place).then(|| self.wires[place])
    }

    /// Sets what a node of a circuit is, if that is not the node itself.
    fn note(&mut self, node: usize, wire: Wire) {
        if wire != Wire::of(node) {
            self.set(node, wire);
        }
    }

    /// What a wire of a circuit is.
    fn of(&self, wire: Wire) -> Wire {
        let now = self.get(wire.node()).unwrap_or(Wire::of(wire.node()));
        now.inverted_if(wire.is_inverted())
    }
}

/// Which fluents hold or do not where a wire is true, as rows of bits.
#[derive(Clone)]
struct Known {
    holds: Vec<u64>,
    fails: Vec<u64>,
}

impl Known {
    fn value(&self, fluent: u32) -> Option<bool> {
        let has = |bits: &[u64]| bits[fluent as usize / 64] >> (fluent % 64) & 1 == 1;
        match (has(&self.holds), has(&self.fails)) {
            (true, _) => Some(true),
            (false, fails) => fails.then_some(false),
        }
    }
}

/// What is after a move.
#[derive(Clone)]
pub(super) struct Next {
    /// What is known of this state where the move is legal.
    known: Known,
    /// The fluents that differ from those of this state.
    fluents: Vec<(u32, Wire)>,
}

impl Next {
    /// The fluents that get the same constant by at least half of some moves.
    pub(super) fn common<'a>(moves: impl Iterator<Item = &'a Self>) -> Self {
        let (mut all, mut counts, mut width) = (0, FxHashMap::default(), 0);
        for next in moves {
            all += 1;
            width = next.known.holds.len();
            for &(fluent, wire) in &next.fluents {
                if wire == Wire::TRUE || wire == Wire::FALSE {
                    *counts.entry((fluent, wire)).or_insert(0) += 1;
                }
            }
        }
        let counts = counts.into_iter().filter(|&(_, count)| 2 * count > all);
        let mut fluents: Vec<(u32, Wire)> = counts.map(|(change, _)| change).collect();
        fluents.sort_unstable();
        Self {
            known: Known {
                holds: vec![0; width],
                fails: vec![0; width],
            },
            fluents,
        }
    }

    /// Whether it has all changes of another.
    pub(super) fn agrees(&self, other: &Self) -> bool {
        let mut changes = other.fluents.iter();
        changes.all(|change| self.fluents.binary_search(change).is_ok())
    }
}

/// What a move leads to.
#[derive(Clone)]
pub(super) struct Ahead {
    /// It ends the game with the best result for its mover.
    pub(super) wins: Wire,
    /// It ends the game with the worst.
    pub(super) loses: Wire,
    /// It ends the game.
    pub(super) ends: Wire,
    /// The next state; nothing unless only one role moves where it is legal.
    pub(super) next: Option<Next>,
}

/// Translates a network with moves made.
pub(super) struct Foresight<'a> {
    pub(super) network: &'a Network,
    pub(super) circuit: &'a mut Circuit,
    seen: &'a Seen,
    /// The nodes that the next state depends on, in order, and for each role those that its legal
    /// moves do, unless there is recursion in them.
    nodes: Vec<usize>,
    legal: Vec<Option<Vec<usize>>>,
    /// Whether a node depends on recursion.
    is_recursive: Vec<bool>,
    /// The values of nodes that are known where the game is not over.
    not_over: FxHashMap<usize, bool>,
    /// The wires of nodes without a move.
    base: Vec<Wire>,
    now: Changes,
    then: Changes,
    next: Changes,
    work: usize,
    most_gates: usize,
}

impl<'a> Foresight<'a> {
    pub(super) fn new(
        network: &'a Network,
        circuit: &'a mut Circuit,
        seen: &'a Seen,
        moves: usize,
    ) -> Self {
        let mut is_recursive = vec![false; network.nodes.len()];
        for node in 0..network.nodes.len() {
            let mut inputs = network.inputs_of(node).iter();
            is_recursive[node] = network.nodes[node] == Node::Feedback
                || inputs.any(|wire| is_recursive[wire.node()]);
        }
        let plain = |wire: &Wire| !is_recursive[wire.node()];
        let nodes = needed(network, network.next.iter().copied().filter(plain));
        let legal = network.legal.iter().map(|moves| {
            let wires = || moves.iter().map(|&(_, wire)| wire);
            let is_plain = wires().all(|wire| plain(&wire));
            is_plain.then(|| needed(network, wires()))
        });
        let mut foresight = Self {
            legal: legal.collect(),
            not_over: FxHashMap::default(),
            base: vec![Wire::FALSE; network.nodes.len()],
            now: Changes::new(network.nodes.len()),
            then: Changes::new(network.nodes.len()),
            next: Changes::new(network.next.len()),
            work: 0,
            most_gates: (circuit.gates().len() + 40 * moves) * MOST_GROWTH,
            nodes,
            is_recursive,
            network,
            circuit,
            seen,
        };
        foresight.translate_base();
        foresight
    }

    /// Translates what does not depend on recursion as if no move were made, where the game is not
    /// over.
    fn translate_base(&mut self) {
        self.not_over = self.told(!self.network.terminal);
        for node in 0..self.network.nodes.len() {
            if self.is_recursive[node] {
                continue;
            }
            if let Some(&value) = self.not_over.get(&node) {
                self.base[node] = constant(value);
                continue;
            }
            self.base[node] = match self.network.nodes[node] {
                Node::True => Wire::TRUE,
                Node::Fluent(fluent) => self.circuit.input(Input::Fluent(fluent)),
                Node::Does { .. } | Node::Feedback => Wire::FALSE,
                Node::And { .. } => {
                    let inputs = self.network.inputs_of(node).iter();
                    let inputs: Vec<Wire> = inputs.map(|&wire| read(&self.base, wire)).collect();
                    all(self.circuit, &inputs)
                }
            };
        }
    }

    /// The values of nodes that a wire tells where it is true: it, and what it is a conjunction of.
    fn told(&self, wire: Wire) -> FxHashMap<usize, bool> {
        let mut told = FxHashMap::default();
        let mut open = vec![wire];
        while let Some(wire) = open.pop() {
            let known = told.insert(wire.node(), !wire.is_inverted());
            if known.is_none() && !wire.is_inverted() {
                open.extend(self.network.inputs_of(wire.node()));
            }
        }
        told
    }

    /// Whether a wire is certainly false where the game is not over, so that it tells of an end.
    fn is_false(&self, wire: Wire, depth: usize) -> bool {
        if let Some(&value) = self.not_over.get(&wire.node()) {
            return value == wire.is_inverted();
        }
        let inputs = self.network.inputs_of(wire.node());
        if depth == 0 || inputs.is_empty() {
            return false;
        }
        match wire.is_inverted() {
            true => inputs.iter().all(|&input| self.is_false(!input, depth - 1)),
            false => inputs.iter().any(|&input| self.is_false(input, depth - 1)),
        }
    }

    pub(super) fn spend(&mut self, work: usize) -> Result<(), Refusal> {
        self.work += work;
        match self.work <= MOST_WORK && self.circuit.gates().len() <= self.most_gates {
            true => Ok(()),
            false => Err(Refusal::Gates),
        }
    }

    /// The nodes that tell how the game has ended for a role, in order.
    pub(super) fn ends(&self, role: usize) -> Result<Vec<usize>, Refusal> {
        let network = self.network;
        let goals = network.goals.get(role).into_iter().flatten();
        let wires = goals.map(|&(_, wire)| wire).chain([network.terminal]);
        let nodes = needed(network, wires);
        match nodes.iter().any(|&node| self.is_recursive[node]) {
            true => Err(Refusal::Recursion),
            false => Ok(nodes),
        }
    }

    /// What a move leads to, given the nodes that tell of the end.
    pub(super) fn ahead(
        &mut self,
        role: usize,
        place: usize,
        legal: Wire,
        ends: &[usize],
    ) -> Result<Ahead, Refusal> {
        let mut found = Ahead {
            wins: Wire::FALSE,
            loses: Wire::FALSE,
            ends: Wire::FALSE,
            next: None,
        };
        let network = self.network;
        let goals = network.goals.get(role).map_or(&[][..], Vec::as_slice);
        let values = || goals.iter().map(|&(value, _)| value);
        let (Some(best), Some(worst)) = (values().max(), values().min()) else {
            return Ok(found);
        };
        if best == worst || network.legal[role].len() < 2 {
            return Ok(found);
        }
        let Some(known) = self.make(role, place)? else {
            return Ok(found);
        };
        found.next = Some(Next {
            known,
            fluents: self.changed_fluents(),
        });
        self.follow(ends)?;
        let then = |wire: Wire| {
            let wire_then = self.then.get(wire.node());
            let then = wire_then.unwrap_or(self.base[wire.node()]);
            then.inverted_if(wire.is_inverted())
        };
        found.ends = then(network.terminal);
        let got = |wanted: i32| {
            let wires = goals.iter().filter(|&&(value, _)| value == wanted);
            wires.map(|&(_, wire)| then(wire)).collect::<Vec<Wire>>()
        };
        let (wins, loses) = (got(best), got(worst));
        let implies_end = |wanted: i32| {
            let mut wires = goals.iter().filter(|&&(value, _)| value == wanted);
            wires.all(|&(_, wire)| self.is_false(wire, DEPTH))
        };
        let wins = (&mut found.wins, wins, implies_end(best));
        let loses = (&mut found.loses, loses, implies_end(worst));
        for (result, got, end_is_implied) in [wins, loses] {
            let mut got = any(self.circuit, &got);
            if !end_is_implied {
                got = self.circuit.and(got, found.ends);
            }
            *result = self.circuit.and(got, legal);
        }
        Ok(found)
    }

    /// Works out the next state after a move; what is known where it is legal, or nothing if
    /// another role may have a choice there.
    fn make(&mut self, role: usize, place: usize) -> Result<Option<Known>, Refusal> {
        self.now.clear();
        let network = self.network;
        let known = self.known(network.legal[role][place].1, DEPTH);
        let mut given = Vec::new();
        for other in (0..network.legal.len()).filter(|&other| other != role) {
            let Some((place, wire)) = self.only_move(&known, other)? else {
                return Ok(None);
            };
            given.push((other, place, wire));
        }
        given.push((role, place, Wire::TRUE));
        let told = self.told(network.legal[role][place].1);
        let mut work = self.nodes.len() / 32;
        let nodes = std::mem::take(&mut self.nodes);
        for &node in &nodes {
            match network.nodes[node] {
                Node::Fluent(fluent) => self.set_known(node, fluent, &known),
                Node::Does { role, index } => {
                    let own = given.iter().find(|&&(given, place, _)| {
                        given == usize::from(role) && place == index as usize
                    });
                    if let Some(&(_, _, wire)) = own {
                        self.now.set(node, wire);
                    }
                }
                Node::And { .. } => match told.get(&node) {
                    Some(&value) => self.now.set(node, constant(value)),
                    None => work += self.renew(node),
                },
                Node::True | Node::Feedback => {}
            }
        }
        self.nodes = nodes;
        self.spend(work)?;
        Ok(Some(known))
    }

    fn set_known(&mut self, node: usize, fluent: u32, known: &Known) {
        if let Some(value) = known.value(fluent) {
            self.now.set(node, constant(value));
        }
    }

    /// Translates a conjunction if one of its inputs differs; what that takes.
    fn renew(&mut self, node: usize) -> usize {
        let inputs = self.network.inputs_of(node);
        if !inputs.iter().any(|wire| self.now.has(wire.node())) {
            return 0;
        }
        let now = inputs.iter().map(|wire| {
            let now = self.now.get(wire.node());
            let now = now.unwrap_or(self.base[wire.node()]);
            now.inverted_if(wire.is_inverted())
        });
        let now: Vec<Wire> = now.collect();
        let wire = all(self.circuit, &now);
        if wire != self.base[node] {
            self.now.set(node, wire);
        }
        now.len()
    }

    /// The only move that a role can have by what is known, and where it has it: as it was seen, or
    /// as it can be shown. Nothing if there may be several.
    fn only_move(&mut self, known: &Known, role: usize) -> Result<Option<(usize, Wire)>, Refusal> {
        if let [_] = self.network.legal[role][..] {
            return Ok(Some((0, Wire::TRUE)));
        }
        let seen = bits(&known.holds).find_map(|fluent| self.seen.only_move(fluent, role));
        if let Some(place) = seen {
            return Ok(Some((place as usize, Wire::TRUE)));
        }
        let Some(nodes) = self.legal[role].take() else {
            return Ok(None);
        };
        let mut work = nodes.len() / 32;
        for &node in &nodes {
            match self.network.nodes[node] {
                Node::Fluent(fluent) => self.set_known(node, fluent, known),
                Node::And { .. } => work += self.renew(node),
                Node::True | Node::Does { .. } | Node::Feedback => {}
            }
        }
        self.legal[role] = Some(nodes);
        self.spend(work)?;
        let moves = self.network.legal[role].iter().enumerate();
        let wires = moves.map(|(place, &(_, wire))| {
            let now = self.now.get(wire.node());
            let now = now.unwrap_or(self.base[wire.node()]);
            (place, now.inverted_if(wire.is_inverted()))
        });
        let mut possible = wires.filter(|&(_, wire)| wire != Wire::FALSE);
        let first = possible.next();
        Ok(match possible.next() {
            Some(_) => None,
            None => Some(first.unwrap_or((0, Wire::FALSE))),
        })
    }

    /// The fluents that the move that was made changes.
    fn changed_fluents(&self) -> Vec<(u32, Wire)> {
        let mut changed = Vec::new();
        for (fluent, &wire) in (0..).zip(&self.network.next) {
            let now = self.now.get(wire.node());
            let now = now.unwrap_or(self.base[wire.node()]);
            let next = now.inverted_if(wire.is_inverted());
            if self.is_recursive[wire.node()] || !self.is_fluent(next, fluent) {
                changed.push((fluent, next));
            }
        }
        changed
    }

    fn is_fluent(&self, wire: Wire, fluent: u32) -> bool {
        !wire.is_inverted()
            && self.circuit.gates()[wire.node()] == Gate::Input(Input::Fluent(fluent))
    }

    /// Works out some nodes in the next state of the move that was made.
    fn follow(&mut self, nodes: &[usize]) -> Result<(), Refusal> {
        self.then.clear();
        let mut work = nodes.len() / 32;
        for &node in nodes {
            match self.network.nodes[node] {
                Node::Fluent(fluent) => {
                    let wire = self.network.next[fluent as usize];
                    if self.is_recursive[wire.node()] {
                        return Err(Refusal::Recursion);
                    }
                    let now = self.now.get(wire.node());
                    let now = now.unwrap_or(self.base[wire.node()]);
                    let next = now.inverted_if(wire.is_inverted());
                    if next != self.base[node] {
                        self.then.set(node, next);
                    }
                }
                Node::And { .. } => {
                    let inputs = self.network.inputs_of(node);
                    if !inputs.iter().any(|wire| self.then.has(wire.node())) {
                        continue;
                    }
                    work += inputs.len();
                    let then = inputs.iter().map(|wire| {
                        let then = self.then.get(wire.node());
                        let then = then.unwrap_or(self.base[wire.node()]);
                        then.inverted_if(wire.is_inverted())
                    });
                    let then: Vec<Wire> = then.collect();
                    let wire = all(self.circuit, &then);
                    if wire != self.base[node] {
                        self.then.set(node, wire);
                    }
                }
                Node::True | Node::Does { .. } | Node::Feedback => {}
            }
        }
        self.spend(work)
    }

    /// A wire of the circuit with the fluents of the state after a move in the place of those of
    /// this one; `cone` is what it depends on. What comes out the same before and after the move,
    /// by what is known where it is legal, is taken as it is now, so that moves share it.
    pub(super) fn composed(
        &mut self,
        cone: &[usize],
        scratch: &mut Composition,
        wire: Wire,
        next: &Next,
    ) -> Result<Wire, Refusal> {
        let Composition { before, after, new } = scratch;
        for changes in [&mut *before, &mut *after, &mut *new] {
            changes.clear();
        }
        self.next.clear();
        for &(fluent, wire) in &next.fluents {
            self.next.set(fluent as usize, wire);
        }
        let mut work = cone.len() / 32;
        for &node in cone {
            let own = Wire::of(node);
            match self.circuit.gates()[node] {
                Gate::Constant => {}
                Gate::Input(Input::Fluent(fluent)) => {
                    if self.is_recursive[self.network.next[fluent as usize].node()] {
                        return Err(Refusal::Recursion);
                    }
                    let known = next.known.value(fluent).map_or(own, constant);
                    let then = self.next.get(fluent as usize).unwrap_or(own);
                    before.note(node, known);
                    after.note(node, then);
                    if known != then {
                        new.note(node, then);
                    }
                }
                Gate::And(left, right) | Gate::Xor(left, right) => {
                    let inputs = [left, right];
                    if !inputs
                        .iter()
                        .any(|wire| before.has(wire.node()) || after.has(wire.node()))
                    {
                        continue;
                    }
                    let gate = self.circuit.gates()[node];
                    let known = remade(self.circuit, gate, before);
                    let then = remade(self.circuit, gate, after);
                    before.note(node, known);
                    after.note(node, then);
                    if known != then {
                        let is_constant = then == Wire::TRUE || then == Wire::FALSE;
                        let made = match is_constant {
                            true => then,
                            false => remade(self.circuit, gate, new),
                        };
                        new.note(node, made);
                    }
                    work += 1;
                }
                Gate::Input(_) | Gate::Feedback => return Err(Refusal::Recursion),
            }
        }
        self.spend(work)?;
        Ok(new.of(wire))
    }

    /// What a wire tells of fluents where it is true: what all of its conjuncts tell together, or
    /// what each of its disjuncts does.
    fn known(&self, wire: Wire, depth: usize) -> Known {
        let width = self.seen.width();
        let mut known = Known {
            holds: vec![0; width],
            fails: vec![0; width],
        };
        match self.network.nodes[wire.node()] {
            Node::Fluent(fluent) => {
                let fluent = fluent as usize;
                match wire.is_inverted() {
                    true => known.fails[fluent / 64] |= 1 << (fluent % 64),
                    false => {
                        known.holds[fluent / 64] |= 1 << (fluent % 64);
                        self.seen.exclude(fluent, &mut known.fails);
                    }
                }
            }
            Node::And { .. } if depth > 0 && !wire.is_inverted() => {
                for &input in self.network.inputs_of(wire.node()) {
                    let own = self.known(input, depth - 1);
                    join(&mut known.holds, &own.holds, |all, own| all | own);
                    join(&mut known.fails, &own.fails, |all, own| all | own);
                }
            }
            Node::And { start, end } if depth > 0 && start < end => {
                known.holds.fill(u64::MAX);
                known.fails.fill(u64::MAX);
                for &input in self.network.inputs_of(wire.node()) {
                    let own = self.known(!input, depth - 1);
                    join(&mut known.holds, &own.holds, |all, own| all & own);
                    join(&mut known.fails, &own.fails, |all, own| all & own);
                    if known
                        .holds
                        .iter()
                        .chain(&known.fails)
                        .all(|&word| word == 0)
                    {
                        break;
                    }
                }
            }
            _ => {}
        }
        known
    }
}

/// Scratch memory to put a next state in the place of this one in a circuit: what wires are before
/// a move and after it, by what is known, and what is made of them.
pub(super) struct Composition {
    before: Changes,
    after: Changes,
    new: Changes,
}

impl Composition {
    /// For wires up to one of this circuit.
    pub(super) fn new(wire: Wire) -> Self {
        let changes = || Changes::new(wire.node() + 1);
        Self {
            before: changes(),
            after: changes(),
            new: changes(),
        }
    }
}

fn constant(value: bool) -> Wire {
    Wire::FALSE.inverted_if(value)
}

/// A gate with what its inputs are by some changes.
fn remade(circuit: &mut Circuit, gate: Gate, changes: &Changes) -> Wire {
    match gate {
        Gate::And(left, right) => circuit.and(changes.of(left), changes.of(right)),
        Gate::Xor(left, right) => circuit.xor(changes.of(left), changes.of(right)),
        Gate::Constant | Gate::Input(_) | Gate::Feedback => Wire::FALSE,
    }
}

fn join(all: &mut [u64], own: &[u64], with: impl Fn(u64, u64) -> u64) {
    for (all, &own) in all.iter_mut().zip(own) {
        *all = with(*all, own);
    }
}

/// The numbers of the bits that are set.
fn bits(words: &[u64]) -> impl Iterator<Item = usize> {
    words.iter().enumerate().flat_map(|(place, &word)| {
        let set = (0..64).filter(move |bit| word >> bit & 1 == 1);
        set.map(move |bit| place * 64 + bit)
    })
}

/// The nodes that wires depend on, in order.
fn needed(network: &Network, wires: impl Iterator<Item = Wire>) -> Vec<usize> {
    let mut is_needed = vec![false; network.nodes.len()];
    let mut last = 0;
    for wire in wires {
        is_needed[wire.node()] = true;
        last = last.max(wire.node());
    }
    let mut nodes = Vec::new();
    for node in (0..=last).rev() {
        if is_needed[node] {
            nodes.push(node);
            for input in network.inputs_of(node) {
                is_needed[input.node()] = true;
            }
        }
    }
    nodes.reverse();
    nodes
}

fn read(wires: &[Wire], wire: Wire) -> Wire {
    wires[wire.node()].inverted_if(wire.is_inverted())
}

/// All of the wires, as a balanced tree: where one of many differs, most of the tree is shared.
pub(crate) fn all(circuit: &mut Circuit, wires: &[Wire]) -> Wire {
    match wires {
        [] => Wire::TRUE,
        [one] => *one,
        _ => {
            let (left, right) = wires.split_at(wires.len() / 2);
            let (left, right) = (all(circuit, left), all(circuit, right));
            circuit.and(left, right)
        }
    }
}
