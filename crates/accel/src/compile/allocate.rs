//! Gives every value a slot, and a slot to another value when its contents are no longer needed.
//!
//! Fluents, the constant, what comes from outside and the generators have slots of their own. All
//! other values are gone through in the order in which they are made; the slot that became free
//! last is given first, because it is the likeliest to be in the cache. The next value of a fluent
//! is made in the fluent's own slot if the fluent is not read any more, else it is copied there at
//! the end.

use paidia_game::MoveId;
use paidia_reason::propnet::{Network, Wire};

use super::order::{Commit, Ordered, Step, Stretch, evaluate_roots};
use crate::circuit::{Gate, Input};
use crate::lower::{GoalWires, Logic, WEIGHT_BITS};
use crate::program::{
    ChooserSignals, Digit, Draw, GoalSignals, Kind, Operation, Part, Program, RoleSignals,
    STREAM_SLOTS, Section, Signal,
};

/// Not given a slot yet.
const NO_SLOT: u32 = u32::MAX;

/// Makes a program of ordered steps.
pub(super) fn allocate(network: &Network, logic: &Logic, ordered: &Ordered) -> Program {
    let ranges = Ranges::new(logic, ordered);
    let fixed = Fixed::new(logic);
    let mut allocation = Allocation::new(logic, ordered, ranges, &fixed);
    let evaluate = allocation.part(&ordered.evaluate);
    let goals = allocation.goals(ordered);
    allocation.begin_advance();
    let mut advance = allocation.part(&ordered.advance);
    advance.push(Section::Straight(allocation.commits(&ordered.commits)));
    Program {
        slots: allocation.slots,
        fluents: logic.next.len() as u32,
        evaluate: Part {
            sections: evaluate,
            kept: allocation.kept(&ordered.evaluate, allocation.ranges.after_evaluate),
        },
        goals,
        goals_are_apart: ordered.goals_are_apart,
        draw: allocation.draw(logic, ordered, &fixed),
        advance: Part {
            sections: advance,
            kept: (0..logic.next.len() as u32).collect(),
        },
        open: fixed.open,
        go: fixed.go,
        stream: fixed.stream,
        terminal: allocation.signal(ordered, logic.terminal),
        moving: allocation.signal(ordered, logic.moving),
        roles: allocation.roles(network, logic, ordered),
        choosers: choosers(logic, &fixed),
        weights: fixed.weights,
    }
}

/// How long values are needed. Every step has a position; so has the end of each loop, and the time
/// when results are read, which is before the last part.
struct Ranges {
    /// For each value, the last position at which it is read.
    last_use: Vec<u32>,
    after_evaluate: u32,
    after_goals: u32,
}

impl Ranges {
    fn new(logic: &Logic, ordered: &Ordered) -> Self {
        let mut ranges = Self {
            last_use: vec![0; ordered.values as usize],
            after_evaluate: 0,
            after_goals: 0,
        };
        let mut position = ranges.part(&ordered.evaluate, 1);
        ranges.after_evaluate = position;
        position = ranges.part(&ordered.goals, position);
        ranges.after_goals = position;
        for wire in evaluate_roots(logic) {
            ranges.last_use[wire.node()] = position;
        }
        for wire in logic.goals.iter().flat_map(GoalWires::wires) {
            ranges.last_use[ordered.goal_values[wire.node()] as usize] = position;
        }
        position = ranges.part(&ordered.advance, position + 1);
        for commit in &ordered.commits {
            ranges.last_use[commit.value as usize] = position;
        }
        ranges
    }

    /// Goes through a part from a position; the position after it.
    fn part(&mut self, stretches: &[Stretch], mut position: u32) -> u32 {
        for stretch in stretches {
            let start = position;
            for step in stretch.steps() {
                for operand in step.operands {
                    self.last_use[operand as usize] = position;
                }
                position += 1;
            }
            if let Stretch::Loop(feedback, body) = stretch {
                self.keep_through_loop(feedback, body, start);
                position += 1;
            }
        }
        position
    }

    /// What a loop reads but does not make must outlast it; so must its feedback.
    fn keep_through_loop(&mut self, feedback: &[u32], body: &[Step], start: u32) {
        let end = start + body.len() as u32;
        let mut made: Vec<u32> = body.iter().map(|step| step.value).collect();
        made.sort_unstable();
        for operand in body.iter().flat_map(|step| step.operands) {
            if made.binary_search(&operand).is_err() {
                self.last_use[operand as usize] = end;
            }
        }
        for &value in feedback {
            self.last_use[value as usize] = end;
        }
    }
}

/// Values being given slots.
struct Allocation {
    ranges: Ranges,
    /// For each value, its slot.
    slot_of: Vec<u32>,
    /// Slots below this are never given to anything else.
    fixed: u32,
    slots: u32,
    free: Vec<u32>,
    position: u32,
    /// For each value, the fluent in whose slot it is wanted.
    wanted: Vec<Option<u32>>,
    /// For each fluent, the last position at which it is read.
    last_read: Vec<u32>,
    /// Whether the last part has begun, in which the state may be overwritten.
    is_advancing: bool,
}

impl Allocation {
    fn new(logic: &Logic, ordered: &Ordered, ranges: Ranges, fixed: &Fixed) -> Self {
        let fluents = logic.next.len() as u32;
        let mut slot_of = vec![NO_SLOT; ordered.values as usize];
        let mut last_read = vec![0; logic.next.len()];
        for (node, gate) in logic.circuit.gates().iter().enumerate() {
            match *gate {
                Gate::Constant => slot_of[node] = fluents,
                Gate::Input(Input::Fluent(fluent)) => {
                    slot_of[node] = fluent;
                    last_read[fluent as usize] = ranges.last_use[node];
                }
                Gate::Input(Input::Rank(chooser, bit)) => {
                    slot_of[node] = fixed.ranks[usize::from(chooser)] + u32::from(bit);
                }
                Gate::Input(Input::Weight(chooser, leaf, bit)) => {
                    let first = fixed.weights[usize::from(chooser)];
                    slot_of[node] = first + leaf * WEIGHT_BITS + u32::from(bit);
                }
                Gate::Input(Input::Open) => slot_of[node] = fixed.open,
                Gate::Input(Input::Go) => slot_of[node] = fixed.go.unwrap_or(NO_SLOT),
                _ => {}
            }
        }
        let mut wanted = vec![None; ordered.values as usize];
        for commit in ordered.commits.iter().filter(|commit| !commit.invert) {
            wanted[commit.value as usize] = Some(commit.fluent);
        }
        Self {
            ranges,
            slot_of,
            fixed: fixed.end,
            slots: fixed.end,
            free: Vec::new(),
            position: 1,
            wanted,
            last_read,
            is_advancing: false,
        }
    }

    fn goals(&mut self, ordered: &Ordered) -> Part {
        let free = ordered.goals_are_apart.then(|| self.free.clone());
        let part = Part {
            sections: self.part(&ordered.goals),
            kept: self.kept(&ordered.goals, self.ranges.after_goals),
        };
        if let Some(free) = free {
            // All slots are as they were: what was done here is done in other memory.
            self.free = free;
            for value in made(&ordered.goals) {
                self.ranges.last_use[value as usize] = 0;
            }
        }
        part
    }

    /// Frees values that were kept for readers outside the program.
    fn begin_advance(&mut self) {
        self.is_advancing = true;
        (0..self.slot_of.len() as u32).for_each(|value| self.free_if_last(value));
        self.position += 1;
    }

    fn part(&mut self, stretches: &[Stretch]) -> Vec<Section> {
        let sections = stretches.iter().map(|stretch| match stretch {
            Stretch::Straight(steps) => {
                let may_be_in_place = self.is_advancing;
                let steps = steps.iter();
                Section::Straight(steps.map(|step| self.step(step, may_be_in_place)).collect())
            }
            Stretch::Loop(feedback, body) => self.repeat(feedback, body),
        });
        let is_empty = |section: &Section| section.operations().is_empty();
        sections.filter(|section| !is_empty(section)).collect()
    }

    fn repeat(&mut self, feedback: &[u32], body: &[Step]) -> Section {
        let cleared = feedback.iter().map(|&value| self.give(value)).collect();
        let operations = body.iter().map(|step| self.step(step, false)).collect();
        // Here ends what the loop reads from outside.
        let mut read: Vec<u32> = body.iter().flat_map(|step| step.operands).collect();
        read.extend(feedback);
        read.sort_unstable();
        read.dedup();
        read.into_iter().for_each(|value| self.free_if_last(value));
        self.position += 1;
        Section::Loop {
            cleared,
            body: operations,
        }
    }

    fn step(&mut self, step: &Step, may_be_in_place: bool) -> Operation {
        let operands = step.operands.map(|value| self.slot_of[value as usize]);
        for (place, value) in step.operands.into_iter().enumerate() {
            if !step.operands[..place].contains(&value) {
                self.free_if_last(value);
            }
        }
        let target = match (step.kind, self.wanted[step.value as usize]) {
            (Kind::Latch, _) => self.slot_of[step.value as usize],
            (_, Some(fluent))
                if may_be_in_place && self.last_read[fluent as usize] <= self.position =>
            {
                self.slot_of[step.value as usize] = fluent;
                fluent
            }
            _ => self.give(step.value),
        };
        self.position += 1;
        Operation {
            kind: step.kind,
            table: step.table,
            target,
            operands,
        }
    }

    fn give(&mut self, value: u32) -> u32 {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots += 1;
            self.slots - 1
        });
        self.slot_of[value as usize] = slot;
        slot
    }

    fn free_if_last(&mut self, value: u32) {
        let slot = self.slot_of[value as usize];
        let is_last = self.ranges.last_use[value as usize] == self.position;
        if is_last && slot != NO_SLOT && slot >= self.fixed {
            self.free.push(slot);
        }
    }

    /// The operations that bring next values into the slots of their fluents, where they are not
    /// there yet.
    fn commits(&self, commits: &[Commit]) -> Vec<Operation> {
        let operation = |commit: &Commit| {
            let slot = self.slot_of[commit.value as usize];
            let kind = if commit.invert { Kind::Not } else { Kind::Copy };
            Operation {
                kind,
                table: kind.table(),
                target: commit.fluent,
                operands: [slot; 3],
            }
        };
        let is_needed = |operation: &Operation| operation.target != operation.operands[0];
        commits.iter().map(operation).filter(is_needed).collect()
    }

    /// The slots of values that a part makes and that are needed after it.
    fn kept(&self, stretches: &[Stretch], end: u32) -> Vec<u32> {
        let needed = made(stretches).filter(|&value| self.ranges.last_use[value as usize] >= end);
        let mut kept: Vec<u32> = needed.map(|value| self.slot_of[value as usize]).collect();
        kept.sort_unstable();
        kept.dedup();
        kept
    }

    fn signal(&self, ordered: &Ordered, wire: Wire) -> Signal {
        Signal {
            slot: self.slot_of[wire.node()],
            is_inverted: wire.is_inverted() != ordered.inverted[wire.node()],
        }
    }

    fn roles(&self, network: &Network, logic: &Logic, ordered: &Ordered) -> Vec<RoleSignals> {
        let role = |role: usize| RoleSignals {
            legal: (network.legal[role].iter().zip(logic.legal_outside(role)))
                .map(|(&(id, _), &wire)| (MoveId(id), self.signal(ordered, wire)))
                .collect(),
            can_move: self.signal(ordered, logic.can_move[role]),
            goals: self.goal_signals(ordered, &logic.goals[role]),
        };
        (0..logic.legal.len()).map(role).collect()
    }

    fn goal_signals(&self, ordered: &Ordered, goals: &GoalWires) -> GoalSignals {
        let signal = |&wire| self.goal_signal(ordered, wire);
        GoalSignals {
            values: goals.values.clone(),
            place: goals.place.iter().map(signal).collect(),
            any: signal(&goals.any),
            several: signal(&goals.several),
        }
    }

    fn goal_signal(&self, ordered: &Ordered, wire: Wire) -> Signal {
        Signal {
            slot: self.slot_of[ordered.goal_values[wire.node()] as usize],
            ..self.signal(ordered, wire)
        }
    }

    /// The part that draws the ranks of all choosers.
    fn draw(&self, logic: &Logic, ordered: &Ordered, fixed: &Fixed) -> Part {
        let mut kept: Vec<u32> = (fixed.stream..).take(STREAM_SLOTS as usize).collect();
        let mut sections = Vec::new();
        for (chooser, &rank) in logic.choosers.iter().zip(&fixed.ranks) {
            let wires = chooser.last.iter().zip(&chooser.mask);
            let digits = wires.zip(rank..).map(|((&last, &mask), rank)| Digit {
                last: self.signal(ordered, last),
                mask: self.signal(ordered, mask),
                rank,
            });
            let draw = Draw {
                lanes: self.signal(ordered, logic.moving),
                digits: digits.collect(),
                stream: fixed.stream,
            };
            kept.extend(draw.digits.iter().map(|digit| digit.rank));
            sections.push(Section::Draw(draw));
        }
        kept.sort_unstable();
        Part { sections, kept }
    }
}

fn choosers(logic: &Logic, fixed: &Fixed) -> Vec<ChooserSignals> {
    let choosers = logic.choosers.iter().zip(&fixed.ranks);
    choosers
        .map(|(chooser, &rank)| ChooserSignals {
            rank,
            bits: chooser.last.len() as u32,
            leaves: (chooser.leaves.iter())
                .map(|leaf| {
                    leaf.iter()
                        .map(|choice| (choice.role, choice.index))
                        .collect()
                })
                .collect(),
        })
        .collect()
}

/// The values that a part makes.
fn made(stretches: &[Stretch]) -> impl Iterator<Item = u32> {
    let steps = stretches.iter().flat_map(Stretch::steps);
    steps.map(|step| step.value)
}

/// Slots that are never given to anything else. Before them are the fluents and the constant.
struct Fixed {
    /// The first for the rank of each chooser.
    ranks: Vec<u32>,
    open: u32,
    go: Option<u32>,
    stream: u32,
    /// Where moves have weights, the first for the weights of each chooser's leaves.
    weights: Vec<u32>,
    end: u32,
}

impl Fixed {
    fn new(logic: &Logic) -> Self {
        let mut end = logic.next.len() as u32 + 1;
        let mut ranks = Vec::with_capacity(logic.choosers.len());
        for chooser in &logic.choosers {
            ranks.push(end);
            end += chooser.last.len() as u32;
        }
        let open = end;
        let go = logic.is_held.then_some(open + 1);
        let stream = go.unwrap_or(open) + 1;
        end = stream + STREAM_SLOTS;
        let mut weights = Vec::new();
        for chooser in logic.choosers.iter().filter(|_| logic.is_weighted) {
            weights.push(end);
            end += chooser.leaves.len() as u32 * WEIGHT_BITS;
        }
        Self {
            ranks,
            open,
            go,
            stream,
            weights,
            end,
        }
    }
}
