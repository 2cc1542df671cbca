//! Sets of states of a translated system, and the steps between them.
//!
//! A state is an assignment of bits: those of the moves that the roles made last, and those of the
//! variables of the system. Every bit has a partner for the state after a step. On top are bits
//! for temporal operators, and those that remember what players were told, for each moment.
//!
//! The value of a fluent before the moves, which the translation keeps in a variable of its own, is
//! that of the state before the step; nothing reads it later.

use rustc_hash::{FxHashMap, FxHashSet};

use super::TooHard;
use super::diagram::{Bit, Renaming, Store};
pub(super) use super::diagram::{Cube, Diagram};
use super::system::{Kind, Refer, System, Value};
use super::typed::{Variable, bits_for};

/// Bits of one space.
const MOST_BITS: usize = 20_000;
/// The nodes up to which parts of a step are put together.
const CLUSTER: usize = 4_000;
/// Bits that are set equal to others in one go: a relation of them doubles with each.
const EQUAL_AT_ONCE: usize = 5;
/// The values of the variable of a role's move that are no moves.
const START: usize = 0;
const STOP: usize = 1;
const MOVES: usize = 2;

/// What a space has room for.
#[derive(Clone, Debug)]
pub(super) struct Room {
    /// Nodes of decision diagrams.
    pub(super) nodes: usize,
    /// Temporal operators.
    pub(super) parts: usize,
    /// Steps that players remember.
    pub(super) steps: usize,
    /// The roles, by number, that remember them.
    pub(super) knowers: Vec<usize>,
}

impl Room {
    /// Room for states alone.
    pub(super) fn plain(nodes: usize) -> Self {
        Self {
            nodes,
            parts: 0,
            steps: 0,
            knowers: Vec::new(),
        }
    }
}

/// A variable of the state: its bits now, the others follow them.
struct Slot {
    now: Vec<Bit>,
    values: usize,
}

/// A part of a step: what one or more variables are afterwards.
struct Cluster {
    relation: Diagram,
    /// Slots that it reads before the step.
    reads: FxHashSet<usize>,
    /// Slots that it reads or sets after it.
    sets: FxHashSet<usize>,
}

/// Parts of a step in the order in which they are joined, each with what is left out then.
type Plan = Vec<(Diagram, Cube)>;

/// Sets of states.
pub(super) struct Space<'a> {
    system: &'a System,
    store: Store,
    slots: Vec<Slot>,
    /// For each atom that is a variable its slot and value.
    place: FxHashMap<u32, (usize, usize)>,
    /// For each role the slot of its move.
    moves: Vec<usize>,
    parts: Vec<Bit>,
    /// For each remembered step and knower the bits that remember, each with the bit that it is.
    memory: Vec<Vec<Vec<(Bit, Bit)>>>,
    /// For each atom that is no matter of moves its value now.
    now: Vec<Option<Diagram>>,
    forward: Plan,
    backward: Plan,
    to_now: Renaming,
}

impl<'a> Space<'a> {
    /// A space for a system with these variables.
    pub(super) fn new(
        system: &'a System,
        variables: &[Variable],
        room: &Room,
    ) -> Result<Self, TooHard> {
        let mut slots: Vec<Slot> = Vec::new();
        let mut sizes: Vec<usize> = system.moves.iter().map(|own| own.len() + MOVES).collect();
        sizes.extend(variables.iter().map(|variable| match variable {
            Variable::Boolean(_) => 2,
            Variable::Typed(atoms) => atoms.len() + 1,
        }));
        let mut place = FxHashMap::default();
        for (number, variable) in variables.iter().enumerate() {
            for (value, &atom) in variable.atoms().iter().enumerate() {
                place.insert(atom, (system.moves.len() + number, value + 1));
            }
        }
        let told = |role: usize, slot: usize| {
            slot == role
                || variables
                    .get(slot.wrapping_sub(system.moves.len()))
                    .is_some_and(|variable| {
                        system.atoms[variable.atoms()[0] as usize].kind == Kind::Percept(role)
                    })
        };
        let state: usize = sizes.iter().map(|&size| bits_for(size) as usize).sum();
        let told_bits = |role: usize| -> usize {
            let own = (0..sizes.len()).filter(|&slot| told(role, slot));
            own.map(|slot| bits_for(sizes[slot]) as usize).sum()
        };
        let remembered: usize = room.knowers.iter().map(|&role| told_bits(role)).sum();
        let first = 2 * room.parts + room.steps * remembered;
        let count = first + 2 * state;
        if count > MOST_BITS {
            return Err(TooHard::Variables("the decision diagrams", MOST_BITS));
        }
        let mut next = first as Bit;
        for &size in &sizes {
            let now = (0..bits_for(size)).map(|bit| next + 2 * bit).collect();
            next += 2 * bits_for(size);
            slots.push(Slot { now, values: size });
        }
        let mut memory = Vec::new();
        let mut next = 2 * room.parts as Bit;
        for _ in 0..room.steps {
            let mut step = Vec::new();
            for &role in &room.knowers {
                let own = (0..sizes.len()).filter(|&slot| told(role, slot));
                let bits = own.flat_map(|slot| slots[slot].now.clone());
                step.push(
                    bits.zip(next..)
                        .map(|(bit, to)| (to, bit))
                        .collect::<Vec<_>>(),
                );
                next += step.last().map_or(0, Vec::len) as Bit;
            }
            memory.push(step);
        }
        let store = Store::new(count as u16, room.nodes);
        let pairs: Vec<(Bit, Bit)> = (0..state as Bit)
            .map(|bit| first as Bit + 2 * bit)
            .map(|now| (now + 1, now))
            .collect();
        let to_now = store.renaming(&pairs, &[], 1)?;
        let mut this = Self {
            system,
            slots,
            place,
            moves: (0..system.moves.len()).collect(),
            parts: (0..room.parts as Bit).map(|part| 2 * part).collect(),
            memory,
            now: Vec::new(),
            forward: Vec::new(),
            backward: Vec::new(),
            to_now,
            store,
        };
        this.now = this.values(false, None)?;
        this.plan()?;
        Ok(this)
    }

    pub(super) fn no(&self) -> Diagram {
        self.store.constant(false)
    }

    pub(super) fn yes(&self) -> Diagram {
        self.store.constant(true)
    }

    /// Nodes of the largest diagram there was.
    pub(super) fn largest(&self) -> usize {
        self.store.largest()
    }

    /// Where a slot has a value, before a step or after it.
    fn slot(&self, slot: usize, value: usize, after: bool) -> Result<Diagram, TooHard> {
        let mut all = self.yes();
        for (place, &bit) in self.slots[slot].now.iter().enumerate().rev() {
            let own = self
                .store
                .literal(bit + Bit::from(after), value >> place & 1 == 1);
            all = all.and(&own)?;
        }
        Ok(all)
    }

    /// Where a role made a move in the last step, or in the one under way.
    fn made(&self, role: usize, number: usize, after: bool) -> Result<Diagram, TooHard> {
        self.slot(self.moves[role], MOVES + number, after)
    }

    /// Where a role made a move in the last step.
    pub(super) fn has_made(&self, role: usize, number: usize) -> Result<Diagram, TooHard> {
        self.made(role, number, false)
    }

    /// Where all roles have stopped.
    pub(super) fn stopped(&self) -> Result<Diagram, TooHard> {
        let mut all = self.yes();
        for &slot in &self.moves {
            all = all.and(&self.slot(slot, STOP, false)?)?;
        }
        Ok(all)
    }

    /// Where an atom is a variable, its value before or after a step.
    fn variable(&self, id: u32, after: bool) -> Result<Option<Diagram>, TooHard> {
        let Some(&(slot, value)) = self.place.get(&id) else {
            return Ok(None);
        };
        Ok(Some(self.slot(slot, value, after)?))
    }

    /// Where an atom holds in the state.
    pub(super) fn now(&self, id: u32) -> Result<Diagram, TooHard> {
        match &self.now[id as usize] {
            Some(value) => Ok(value.clone()),
            None => Ok(self.variable(id, false)?.unwrap_or_else(|| self.no())),
        }
    }

    /// Where something holds in the state.
    pub(super) fn value(&self, value: Value) -> Result<Diagram, TooHard> {
        match value {
            Value::Always(truth) => Ok(self.store.constant(truth)),
            Value::Atom(id) => self.now(id),
        }
    }

    /// The values of helpers in the states before or after a step; with `step`, those of the values
    /// before that depend on the moves, too. What is a variable is taken as that.
    fn values(
        &self,
        after: bool,
        step: Option<&[Option<Diagram>]>,
    ) -> Result<Vec<Option<Diagram>>, TooHard> {
        let system = self.system;
        let mut values: Vec<Option<Diagram>> = vec![None; system.atoms.len()];
        if let Some(before) = step {
            values.clone_from_slice(before);
        }
        for id in 0..system.atoms.len() as u32 {
            if system.is_state(id) {
                values[id as usize] = self.variable(id, after)?;
            }
        }
        for group in &system.order {
            let by_move = system.atoms[group[0] as usize].by_move;
            if by_move != step.is_some() {
                continue;
            }
            for &id in group {
                // What depends on the moves is a variable after them.
                values[id as usize] = self.variable(id, after || by_move)?;
            }
            if values[group[0] as usize].is_none() {
                self.derive(group, &mut values, step.is_some())?;
            }
        }
        Ok(values)
    }

    /// Works out a group of helpers by their rules, as the least solution.
    fn derive(
        &self,
        group: &[u32],
        values: &mut [Option<Diagram>],
        with_moves: bool,
    ) -> Result<(), TooHard> {
        for &id in group {
            values[id as usize] = Some(self.no());
        }
        loop {
            let mut is_new = false;
            for &id in group {
                let value = self.by_rules(id, values, with_moves)?;
                if values[id as usize].as_ref() != Some(&value) {
                    values[id as usize] = Some(value);
                    is_new = true;
                }
            }
            if !is_new || !self.system.is_recursive(group) {
                return Ok(());
            }
        }
    }

    /// Where one of the rules of an atom applies.
    fn by_rules(
        &self,
        id: u32,
        values: &[Option<Diagram>],
        with_moves: bool,
    ) -> Result<Diagram, TooHard> {
        let mut any = self.no();
        for body in &self.system.atoms[id as usize].rules {
            let mut all = self.yes();
            for &(refer, fails) in body {
                let value = match refer {
                    Refer::Does(role, number) if with_moves => {
                        self.made(role as usize, number as usize, true)?
                    }
                    Refer::Does(..) => self.no(),
                    Refer::Atom(other) => match &values[other as usize] {
                        Some(value) => value.clone(),
                        None => self.no(),
                    },
                };
                let value = if fails { value.not()? } else { value };
                all = all.and(&value)?;
            }
            any = any.or(&all)?;
        }
        Ok(any)
    }

    /// Where a role has a legal move.
    pub(super) fn can_move(&self, role: usize) -> Result<Diagram, TooHard> {
        let mut any = self.no();
        for &legal in &self.system.legal[role] {
            any = any.or(&self.value(legal)?)?;
        }
        Ok(any)
    }

    /// Where the game stops: it is over, or a role has no legal move.
    fn halts(&self) -> Result<Diagram, TooHard> {
        let mut halts = self.value(self.system.terminal)?;
        for role in 0..self.moves.len() {
            halts = halts.or(&self.can_move(role)?.not()?)?;
        }
        Ok(halts)
    }

    /// Steps in which all roles make legal moves.
    pub(super) fn legal_steps(&self) -> Result<Diagram, TooHard> {
        let mut all = self.halts()?.not()?;
        for role in 0..self.moves.len() {
            all = all.and(&self.legal_moves(role)?)?;
        }
        Ok(all)
    }

    /// Steps in which a role makes a legal move.
    fn legal_moves(&self, role: usize) -> Result<Diagram, TooHard> {
        let mut any = self.no();
        for (number, &legal) in self.system.legal[role].iter().enumerate() {
            let own = self.made(role, number, true)?.and(&self.value(legal)?)?;
            any = any.or(&own)?;
        }
        Ok(any)
    }

    /// What fluents and percepts are after a step, by the state before and the moves.
    pub(super) fn after(&self) -> Result<FxHashMap<u32, Diagram>, TooHard> {
        let values = self.values(false, Some(&self.now))?;
        let mut after = FxHashMap::default();
        for id in 0..self.system.atoms.len() as u32 {
            if self.system.is_state(id) {
                after.insert(id, self.by_rules(id, &values, true)?);
            }
        }
        Ok(after)
    }

    /// The slots that an atom's value before a step, or the rules of one after it, read.
    fn reads(&self, id: u32, seen: &mut FxHashSet<u32>, into: &mut Reads, of_rules: bool) {
        if !of_rules {
            let by_move = self.system.atoms[id as usize].by_move;
            let is_helper = !self.system.is_state(id);
            if let Some(&(slot, _)) = self.place.get(&id) {
                match is_helper && by_move {
                    true => into.after.insert(slot),
                    false => into.before.insert(slot),
                };
                return;
            }
            if !seen.insert(id) {
                return;
            }
        }
        for (refer, _) in self.system.atoms[id as usize].rules.iter().flatten() {
            match *refer {
                Refer::Does(role, _) => {
                    into.after.insert(self.moves[role as usize]);
                }
                Refer::Atom(other) => self.reads(other, seen, into, false),
            }
        }
    }

    fn reads_of(&self, value: Value, into: &mut Reads) {
        if let Value::Atom(id) = value {
            self.reads(id, &mut FxHashSet::default(), into, false);
        }
    }

    /// The parts of a step: first those of the moves, then those of every variable.
    fn clusters(&self) -> Result<Vec<Cluster>, TooHard> {
        let mut clusters = self.clusters_of_moves()?;
        let system = self.system;
        let step = self.values(false, Some(&self.now))?;
        let later = self.values(true, None)?;
        let stop = self.slot(self.moves[0], STOP, true)?;
        let mut atoms: Vec<Vec<(u32, usize)>> = vec![Vec::new(); self.slots.len()];
        for (&atom, &(slot, value)) in &self.place {
            atoms[slot].push((atom, value));
        }
        for (slot, atoms) in atoms.iter_mut().enumerate() {
            atoms.sort_unstable();
            let Some(&(first, _)) = atoms.first() else {
                continue;
            };
            let mut reads = Reads::default();
            let (mut relation, mut none) = (self.no(), self.yes());
            for &(id, value) in atoms.iter() {
                let atom = &system.atoms[id as usize];
                let is_later = atom.kind == Kind::Helper && !atom.by_move;
                let mut seen = FxHashSet::default();
                let mut own = Reads::default();
                self.reads(id, &mut seen, &mut own, true);
                let mut held = match is_later {
                    true => self.fixpoint(id, &later)?,
                    false => self.fixpoint_of_step(id, &step)?,
                };
                if is_later {
                    // The rules are read in the state after the step.
                    own.after.extend(own.before.drain());
                } else if atom.kind == Kind::Fluent && system.options.freeze {
                    held = stop.choose(&self.slot(slot, value, false)?, &held)?;
                    own.before.insert(slot);
                    own.after.insert(self.moves[0]);
                } else if let Kind::Percept(_) = atom.kind {
                    held = held.without(&stop)?;
                    own.after.insert(self.moves[0]);
                }
                reads.before.extend(own.before);
                reads.after.extend(own.after);
                none = none.without(&held)?;
                relation = relation.or(&self.slot(slot, value, true)?.and(&held)?)?;
            }
            relation = relation.or(&self.slot(slot, 0, true)?.and(&none)?)?;
            debug_assert!(self.place.contains_key(&first));
            reads.after.insert(slot);
            clusters.push(Cluster {
                relation,
                reads: reads.before,
                sets: reads.after,
            });
        }
        Ok(clusters)
    }

    /// The value of a variable helper by its rules, where it may need itself.
    fn fixpoint(&self, id: u32, values: &[Option<Diagram>]) -> Result<Diagram, TooHard> {
        let mut groups = self.system.order.iter();
        let group = groups.find(|group| group.contains(&id));
        let Some(group) = group.filter(|group| self.system.is_recursive(group)) else {
            return self.by_rules(id, values, false);
        };
        let mut values = values.to_vec();
        self.derive(group, &mut values, false)?;
        Ok(values[id as usize].clone().unwrap_or_else(|| self.no()))
    }

    fn fixpoint_of_step(&self, id: u32, values: &[Option<Diagram>]) -> Result<Diagram, TooHard> {
        let mut groups = self.system.order.iter();
        let group = groups.find(|group| group.contains(&id));
        let Some(group) = group.filter(|group| self.system.is_recursive(group)) else {
            return self.by_rules(id, values, true);
        };
        let mut values = values.to_vec();
        self.derive(group, &mut values, true)?;
        Ok(values[id as usize].clone().unwrap_or_else(|| self.no()))
    }

    /// The parts of a step that are the moves of the roles.
    fn clusters_of_moves(&self) -> Result<Vec<Cluster>, TooHard> {
        let system = self.system;
        let mut stops = Reads::default();
        self.reads_of(system.terminal, &mut stops);
        let halts = match system.options.freeze {
            true => {
                let all = system.legal.iter().flatten();
                all.for_each(|&legal| self.reads_of(legal, &mut stops));
                self.halts()?
            }
            false => self.value(system.terminal)?,
        };
        let mut clusters = Vec::new();
        for (role, &slot) in self.moves.iter().enumerate() {
            let mut reads = Reads::default();
            reads.before.extend(&stops.before);
            for &legal in &system.legal[role] {
                self.reads_of(legal, &mut reads);
            }
            let stop = self.slot(slot, STOP, true)?;
            let own = match system.options.freeze {
                true => halts.clone(),
                // Without the guard a role that has no move stops by itself.
                false => halts.or(&self.can_move(role)?.not()?)?,
            };
            clusters.push(Cluster {
                relation: own.choose(&stop, &self.legal_moves(role)?)?,
                reads: reads.before,
                sets: [slot].into_iter().collect(),
            });
        }
        Ok(clusters)
    }

    /// Puts the parts of a step in order, for steps forward and backward.
    fn plan(&mut self) -> Result<(), TooHard> {
        let mut rest = self.clusters()?;
        let mut ordered: Vec<Cluster> = rest.drain(..self.moves.len()).collect();
        while !rest.is_empty() {
            // The part after which the most slots are read no more comes next.
            let score = |place: usize| {
                let freed = rest[place].reads.iter().filter(|slot| {
                    let mut others = rest.iter().enumerate();
                    !others.any(|(other, part)| other != place && part.reads.contains(slot))
                });
                (freed.count(), std::cmp::Reverse(rest[place].reads.len()))
            };
            let best = (0..rest.len()).max_by_key(|&place| (score(place), usize::MAX - place));
            ordered.push(rest.remove(best.unwrap_or(0)));
        }
        let merged = merge(ordered);
        let every: FxHashSet<usize> = (0..self.slots.len()).collect();
        let mut open = every.clone();
        let mut forward = Vec::new();
        // What no part reads is left out with the first.
        open.retain(|slot| merged.iter().any(|part| part.reads.contains(slot)));
        let mut idle: Vec<usize> = every.difference(&open).copied().collect();
        for (place, part) in merged.iter().enumerate() {
            let later = |slot: &usize| {
                merged[place + 1..]
                    .iter()
                    .any(|part| part.reads.contains(slot))
            };
            let mut done: Vec<usize> = open
                .iter()
                .copied()
                .filter(|slot| part.reads.contains(slot) && !later(slot))
                .collect();
            done.append(&mut idle);
            done.iter().for_each(|slot| {
                open.remove(slot);
            });
            forward.push((part.relation.clone(), self.bits(&done, false)));
        }
        let mut open = every;
        let mut backward = Vec::new();
        for (place, part) in merged.iter().enumerate().rev() {
            let earlier =
                |slot: &usize| merged[..place].iter().any(|part| part.sets.contains(slot));
            let done: Vec<usize> = open
                .iter()
                .copied()
                .filter(|slot| part.sets.contains(slot) && !earlier(slot))
                .collect();
            done.iter().for_each(|slot| {
                open.remove(slot);
            });
            backward.push((part.relation.clone(), self.bits(&done, true)));
        }
        self.forward = forward;
        self.backward = backward;
        Ok(())
    }

    /// The bits of slots, before or after a step.
    fn bits(&self, slots: &[usize], after: bool) -> Cube {
        let bits = slots.iter().flat_map(|&slot| &self.slots[slot].now);
        self.store.cube(bits.map(|&bit| bit + Bit::from(after)))
    }

    /// All states at the start.
    pub(super) fn start(&self) -> Result<Diagram, TooHard> {
        let mut all = self.yes();
        for &slot in &self.moves {
            all = all.and(&self.slot(slot, START, false)?)?;
        }
        let initial = self.initial_values()?;
        for slot in self.moves.len()..self.slots.len() {
            let mut value = 0;
            for (&atom, &(own, number)) in &self.place {
                if own == slot && initial[atom as usize] {
                    value = number;
                }
            }
            all = all.and(&self.slot(slot, value, false)?)?;
        }
        Ok(all)
    }

    /// What holds at the start, where nothing is done.
    fn initial_values(&self) -> Result<Vec<bool>, TooHard> {
        let system = self.system;
        let mut holds: Vec<bool> = system.atoms.iter().map(|atom| atom.initially).collect();
        for group in &system.order {
            loop {
                let mut is_new = false;
                for &id in group {
                    let applies = |body: &Vec<(Refer, bool)>| {
                        body.iter().all(|&(refer, fails)| match refer {
                            Refer::Does(..) => fails,
                            Refer::Atom(other) => holds[other as usize] != fails,
                        })
                    };
                    let value = system.atoms[id as usize].rules.iter().any(applies);
                    is_new |= value != holds[id as usize];
                    holds[id as usize] = value;
                }
                if !is_new || !system.is_recursive(group) {
                    break;
                }
            }
        }
        Ok(holds)
    }

    /// The states after one step from some.
    pub(super) fn image(&self, from: &Diagram) -> Result<Diagram, TooHard> {
        let mut at = from.clone();
        for (part, cube) in &self.forward {
            at = at.join(part, cube)?;
        }
        at.rename(&self.to_now)
    }

    /// Joins something over the states after a step with the step, and leaves those states out.
    pub(super) fn before(&self, after: &Diagram) -> Result<Diagram, TooHard> {
        let mut at = after.clone();
        for (part, cube) in &self.backward {
            at = at.join(part, cube)?;
        }
        Ok(at)
    }

    /// The step itself.
    pub(super) fn steps_from(&self, from: &Diagram) -> Result<Diagram, TooHard> {
        let mut at = from.clone();
        for (part, _) in &self.forward {
            at = at.and(part)?;
        }
        Ok(at)
    }

    /// The steps from some states as one relation, if no part of the work has more nodes than this.
    pub(super) fn steps_within(&self, from: &Diagram, nodes: usize) -> Option<Diagram> {
        let mut at = from.clone();
        for (part, _) in &self.forward {
            match at.and_within(part, nodes) {
                Some(both) => at = both,
                None => return None,
            }
        }
        Some(at)
    }

    /// All bits of the state after a step and of temporal operators there.
    pub(super) fn all_after(&self) -> Cube {
        let state = self.slots.iter().flat_map(|slot| &slot.now);
        let bits = state.chain(&self.parts);
        self.store.cube(bits.map(|&bit| bit + 1))
    }

    /// What makes something about the states, temporal operators and the memory of a step a thing
    /// about the states after that step.
    pub(super) fn to_next(&self, remembered: Option<usize>) -> Result<Renaming, TooHard> {
        let state = self.slots.iter().flat_map(|slot| &slot.now);
        let mut pairs: Vec<(Bit, Bit)> = state.map(|&bit| (bit, bit + 1)).collect();
        pairs.extend(self.parts.iter().map(|&bit| (bit, bit + 1)));
        let told = remembered.map_or(&[][..], |step| &self.memory[step]);
        let told: Vec<(Bit, Bit)> = told
            .iter()
            .flatten()
            .map(|&(bit, of)| (bit, of + 1))
            .collect();
        self.store.renaming(&pairs, &told, EQUAL_AT_ONCE)
    }

    /// The bit of a temporal operator, now or after a step.
    pub(super) fn part(&self, part: usize, after: bool) -> Diagram {
        self.store
            .literal(self.parts[part] + Bit::from(after), true)
    }

    /// The bits of temporal operators.
    pub(super) fn parts(&self, after: bool) -> Cube {
        self.store
            .cube(self.parts.iter().map(|&bit| bit + Bit::from(after)))
    }

    /// Puts down what the players that remember were told in the last step.
    pub(super) fn remember(&self, step: usize, states: &Diagram) -> Result<Diagram, TooHard> {
        let mut states = states.clone();
        let pairs: Vec<(Bit, Bit)> = self.memory[step].iter().flatten().copied().collect();
        for pairs in pairs.chunks(EQUAL_AT_ONCE) {
            states = states.and(&self.store.equal(pairs)?)?;
        }
        Ok(states)
    }

    /// All bits but what one of the players that remember does remember.
    pub(super) fn all_but(&self, knower: usize) -> Cube {
        let state = self.slots.iter().flat_map(|slot| slot.now.iter().copied());
        let others = self.memory.iter().flat_map(|step| {
            let others = step
                .iter()
                .enumerate()
                .filter(move |&(own, _)| own != knower);
            others.flat_map(|(_, bits)| bits.iter().map(|&(bit, _)| bit))
        });
        self.store.cube(state.chain(others))
    }

    /// The moves that the roles make in a step, by an assignment of the bits of both its states;
    /// none where they stop.
    pub(super) fn moves_of(&self, bits: &[Option<bool>]) -> Option<Vec<String>> {
        let mut names = Vec::new();
        for (role, &slot) in self.moves.iter().enumerate() {
            let mut value = 0;
            for (place, &bit) in self.slots[slot].now.iter().enumerate() {
                let is_set = bits
                    .get(bit as usize + 1)
                    .copied()
                    .flatten()
                    .unwrap_or(false);
                value |= usize::from(is_set) << place;
            }
            debug_assert!(value < self.slots[slot].values);
            names.push(
                self.system.moves[role]
                    .get(value.checked_sub(MOVES)?)?
                    .clone(),
            );
        }
        Some(names)
    }

    /// The one assignment of bits, as a set.
    pub(super) fn exactly(&self, bits: &[Option<bool>]) -> Result<Diagram, TooHard> {
        let mut all = self.yes();
        for (bit, value) in bits.iter().enumerate().rev() {
            if let Some(value) = value {
                all = all.and(&self.store.literal(bit as Bit, *value))?;
            }
        }
        Ok(all)
    }

    /// Something about the states after a step as a thing about states.
    pub(super) fn arrive(&self, after: &Diagram) -> Result<Diagram, TooHard> {
        let state = self.slots.iter().flat_map(|slot| slot.now.iter().copied());
        let parts = self.parts.iter().copied();
        let left = self.store.cube(state.chain(parts.clone()));
        let pairs: Vec<(Bit, Bit)> = parts.map(|bit| (bit + 1, bit)).collect();
        let parts = self.store.renaming(&pairs, &[], 1)?;
        after.exists(&left)?.rename(&self.to_now)?.rename(&parts)
    }
}

/// Slots that are read.
#[derive(Default)]
struct Reads {
    before: FxHashSet<usize>,
    after: FxHashSet<usize>,
}

/// Puts neighbours together while they are small.
fn merge(parts: Vec<Cluster>) -> Vec<Cluster> {
    let mut merged: Vec<Cluster> = Vec::new();
    for part in parts {
        if let Some(last) = merged.last_mut()
            && let Some(both) = last.relation.and_within(&part.relation, CLUSTER)
        {
            last.relation = both;
            last.reads.extend(part.reads);
            last.sets.extend(part.sets);
            continue;
        }
        merged.push(part);
    }
    merged
}
