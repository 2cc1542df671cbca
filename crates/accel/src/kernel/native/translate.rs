//! Operations to machine code: which value is in which register when.
//!
//! Registers hold values of slots as long as there is room; when there is none, the value that is
//! needed again last makes room, and is stored only if it will be needed and memory does not have
//! it yet. Values that die in a register never see memory.

use super::draw::draw;
use super::encode::{Code, Combine, Place, Register, Vector};
use crate::program::{Kind, Operation, Part, Section, swapped};

/// The most registers there are.
const REGISTERS: usize = 32;

/// A value is not needed any more.
const NEVER: u32 = u32::MAX;

/// A value is needed after the part.
const AFTER: u32 = u32::MAX - 1;

/// How many operations ahead the next use may be for a value to be loaded into a register, and not
/// only read from memory.
const HORIZON: u32 = 40;

/// The machine code of a part, for the slots at the address in `rdi`.
///
/// # Errors
/// Why there is none.
pub(super) fn translate(part: &Part, slots: u32, vector: Vector) -> Result<Vec<u8>, String> {
    let most = vector.most_slots();
    if slots > most {
        return Err(format!(
            "the program has {slots} slots, and machine code reaches {most}"
        ));
    }
    let is_table = |operation: &Operation| operation.kind == Kind::Table;
    let mut operations = part.sections.iter().flat_map(Section::operations);
    if vector == Vector::Avx2 && operations.any(is_table) {
        return Err("the program has gates of three inputs, which take AVX-512".to_owned());
    }
    let uses = next_uses(part, slots);
    let draws = (part.sections.iter()).any(|section| matches!(section, Section::Draw(_)));
    let mut translator = Translator {
        code: match draws {
            false => Code::new(vector, slots),
            true => Code::to_draw(vector, slots),
        },
        held: [Held::default(); REGISTERS],
        empty: Registers::first(REGISTERS),
        register_of: vec![None; slots as usize],
        registers: vector.registers(),
        available: vector.registers(),
        position: 0,
    };
    let mut uses = uses.into_iter();
    for section in &part.sections {
        translator.section(section, &mut uses);
    }
    translator.flush();
    Ok(translator.code.finish())
}

/// When the values of an operation are needed next after it.
#[derive(Clone, Copy, Debug)]
struct NextUse {
    target: u32,
    operands: [u32; 3],
}

/// For each operation of a part, when its values are needed next.
fn next_uses(part: &Part, slots: u32) -> Vec<NextUse> {
    let mut next = vec![NEVER; slots as usize];
    part.kept
        .iter()
        .for_each(|&slot| next[slot as usize] = AFTER);
    let mut position = part.operations() as u32;
    let mut uses = Vec::with_capacity(position as usize);
    for section in part.sections.iter().rev() {
        if let Section::Loop { cleared, .. } = section {
            // The next round reads them, wherever it does.
            cleared.iter().for_each(|&slot| next[slot as usize] = AFTER);
        }
        for operation in section.operations().iter().rev() {
            position -= 1;
            let target = std::mem::replace(&mut next[operation.target as usize], NEVER);
            let operands = operation.operands.map(|slot| next[slot as usize]);
            for slot in operation.operands {
                next[slot as usize] = position;
            }
            if operation.kind == Kind::Latch {
                next[operation.target as usize] = position;
            }
            uses.push(NextUse { target, operands });
        }
    }
    uses.reverse();
    uses
}

/// What a register holds.
#[derive(Clone, Copy, Debug, Default)]
struct Held {
    slot: u32,
    next: u32,
    /// Whether memory does not have it.
    is_new: bool,
}

struct Translator {
    code: Code,
    held: [Held; REGISTERS],
    /// The registers that hold nothing.
    empty: Registers,
    /// For each slot, the register that holds its value.
    register_of: Vec<Option<Register>>,
    registers: usize,
    /// How many registers values may use.
    available: usize,
    position: u32,
}

impl Translator {
    fn section(&mut self, section: &Section, uses: &mut impl Iterator<Item = NextUse>) {
        let (cleared, body) = match section {
            Section::Straight(operations) => return self.operations(operations, uses),
            Section::Draw(section) => {
                self.flush();
                return draw(&mut self.code, section);
            }
            Section::Loop { cleared, body } => (cleared, body),
        };
        self.flush();
        self.available = self.registers - 1;
        self.clear(0);
        cleared.iter().for_each(|&slot| self.code.store(slot, 0));
        let start = self.code.here();
        self.clear(self.changed());
        self.operations(body, uses);
        self.flush();
        self.code.jump_if_any(self.changed(), start);
        self.available = self.registers;
    }

    /// The register in which loops note whether anything changed: the last.
    fn changed(&self) -> Register {
        self.registers as Register - 1
    }

    fn operations(&mut self, operations: &[Operation], uses: &mut impl Iterator<Item = NextUse>) {
        for (operation, next) in operations.iter().zip(uses) {
            self.operation(operation, next);
            self.position += 1;
        }
    }

    fn operation(&mut self, operation: &Operation, next: NextUse) {
        match operation.kind {
            Kind::And => self.combine(Combine::And, operation, next),
            Kind::Or => self.combine(Combine::Or, operation, next),
            Kind::Xor => self.combine(Combine::Xor, operation, next),
            // The machine inverts the first operand.
            Kind::AndNot => {
                let swap = |[left, right, third]: [u32; 3]| [right, left, third];
                let operands = swap(operation.operands);
                let operation = Operation {
                    operands,
                    ..*operation
                };
                let operands = swap(next.operands);
                self.combine(Combine::NotAnd, &operation, NextUse { operands, ..next });
            }
            Kind::Not => self.invert(operation, next),
            Kind::Copy => self.copy(operation, next),
            Kind::Latch => self.latch(operation, next),
            Kind::Table => self.look_up(operation, next),
        }
    }

    fn combine(&mut self, combine: Combine, operation: &Operation, next: NextUse) {
        let [left_slot, right_slot, _] = operation.operands;
        let mut left = self.fetch(left_slot, next.operands[0], Registers::default());
        let mut right = self.fetch(
            right_slot,
            next.operands[1],
            Registers::from(register(left)),
        );
        if combine != Combine::NotAnd && register(left).is_none() {
            std::mem::swap(&mut left, &mut right);
        }
        self.used(left_slot, next.operands[0]);
        self.used(right_slot, next.operands[1]);
        if let Place::Register(left) = left {
            let operands = [Some(left), register(right)];
            let target = self.give(operation.target, next.target, operands);
            self.code.combine(combine, target, left, right);
        } else {
            let target = self.give_other(
                operation.target,
                next.target,
                Registers::from(register(right)),
            );
            self.code.load(target, left);
            self.code.combine(combine, target, target, right);
        }
    }

    /// The instruction writes its first operand, and reads at most its last from memory.
    fn look_up(&mut self, operation: &Operation, next: NextUse) {
        let mut places = [Place::Slot(0); 3];
        let mut pinned = Registers::default();
        for (number, slot) in operation.operands.into_iter().enumerate() {
            let place = self.fetch(slot, next.operands[number], pinned);
            pinned.extend(register(place));
            places[number] = place;
        }
        for (slot, next) in operation.operands.into_iter().zip(next.operands) {
            self.used(slot, next);
        }
        let table = self.sort(&mut places, operation.table);
        let [first, middle, last] = places;
        let target = match first {
            Place::Register(first) if self.is_free(first) => {
                self.forget(operation.target);
                self.hold(first, operation.target, next.target, true);
                first
            }
            _ => {
                let target = self.give_other(operation.target, next.target, pinned);
                self.code.load(target, first);
                target
            }
        };
        let middle = match middle {
            Place::Register(middle) => middle,
            Place::Slot(_) => {
                pinned.extend(Some(target));
                let scratch = self.free(pinned);
                self.code.load(scratch, middle);
                scratch
            }
        };
        self.code.look_up(table, target, middle, last);
    }

    /// Puts operands in the best order: last one that is in memory, first another one in memory,
    /// which must be loaded anyway, or a register that may be overwritten. The table for this
    /// order.
    fn sort(&self, places: &mut [Place; 3], mut table: u8) -> u8 {
        let mut swap = |places: &mut [Place; 3], one: usize, other: usize| {
            if one != other {
                places.swap(one, other);
                table = swapped(table, one, other);
            }
        };
        let is_slot = |place: &Place| register(*place).is_none();
        let mut registers = 3;
        if let Some(slot) = places.iter().position(is_slot) {
            swap(places, slot, 2);
            registers = 2;
        }
        let is_free = |place: &Place| register(*place).is_some_and(|place| self.is_free(place));
        let other_slot = places[..registers].iter().position(is_slot);
        let first = other_slot.or_else(|| places[..registers].iter().position(is_free));
        if let Some(first) = first {
            swap(places, first, 0);
        }
        table
    }

    fn invert(&mut self, operation: &Operation, next: NextUse) {
        let source = self.fetch(
            operation.operands[0],
            next.operands[0],
            Registers::default(),
        );
        self.used(operation.operands[0], next.operands[0]);
        let pinned = Registers::from(register(source));
        let target = self.give_other(operation.target, next.target, pinned);
        self.code.invert(target, source);
    }

    fn copy(&mut self, operation: &Operation, next: NextUse) {
        let source = self.fetch(
            operation.operands[0],
            next.operands[0],
            Registers::default(),
        );
        self.used(operation.operands[0], next.operands[0]);
        if let (Place::Register(source), AFTER) = (source, next.target) {
            self.forget(operation.target);
            self.code.store(operation.target, source);
            return;
        }
        let target = self.give(operation.target, next.target, [register(source), None]);
        if source != Place::Register(target) {
            self.code.load(target, source);
        }
    }

    /// Feedback stays in memory, so that the next round finds it there.
    fn latch(&mut self, operation: &Operation, next: NextUse) {
        let source = match self.fetch(
            operation.operands[0],
            next.operands[0],
            Registers::default(),
        ) {
            Place::Register(source) => source,
            slot => {
                let source = self.free(Registers::default());
                self.code.load(source, slot);
                source
            }
        };
        let old = self.free(Registers::from(Some(source)));
        let place = Place::Slot(operation.target);
        self.code.combine(Combine::Xor, old, source, place);
        let changed = self.changed();
        let old = Place::Register(old);
        self.code.combine(Combine::Or, changed, changed, old);
        self.code.store(operation.target, source);
        self.forget(operation.target);
        self.used(operation.operands[0], next.operands[0]);
    }

    fn clear(&mut self, register: Register) {
        let place = Place::Register(register);
        self.code.combine(Combine::Xor, register, register, place);
    }

    /// Where a slot's value is; it is brought into a register if it is needed again soon.
    fn fetch(&mut self, slot: u32, next: u32, pinned: Registers) -> Place {
        if let Some(register) = self.register_of[slot as usize] {
            return Place::Register(register);
        }
        if next > self.position + HORIZON {
            return Place::Slot(slot);
        }
        let register = self.free(pinned);
        self.code.load(register, Place::Slot(slot));
        self.hold(register, slot, next, false);
        Place::Register(register)
    }

    /// Notes when a value is needed next, and lets go of it if it is not.
    fn used(&mut self, slot: u32, next: u32) {
        let Some(register) = self.register_of[slot as usize] else {
            return;
        };
        if next == NEVER {
            self.empty.extend(Some(register));
            self.register_of[slot as usize] = None;
        } else {
            self.held[usize::from(register)].next = next;
        }
    }

    /// A register for a new value of a slot; it may be one that the operation reads last.
    fn give(&mut self, slot: u32, next: u32, operands: [Option<Register>; 2]) -> Register {
        let mut registers = operands.into_iter().flatten();
        let dying = registers.find(|&register| self.is_free(register));
        let register = dying.unwrap_or_else(|| {
            let mut pinned = Registers::default();
            pinned.extend(operands[0]);
            pinned.extend(operands[1]);
            self.free(pinned)
        });
        self.forget(slot);
        self.hold(register, slot, next, true);
        register
    }

    /// A register for a new value of a slot, none of the pinned.
    fn give_other(&mut self, slot: u32, next: u32, pinned: Registers) -> Register {
        let register = self.free(pinned);
        self.forget(slot);
        self.hold(register, slot, next, true);
        register
    }

    fn is_free(&self, register: Register) -> bool {
        self.empty.has(register)
    }

    fn hold(&mut self, register: Register, slot: u32, next: u32, is_new: bool) {
        self.held[usize::from(register)] = Held { slot, next, is_new };
        self.empty.remove(register);
        self.register_of[slot as usize] = Some(register);
    }

    /// Lets go of what a register holds of a slot, which is overwritten.
    fn forget(&mut self, slot: u32) {
        if let Some(register) = self.register_of[slot as usize].take() {
            self.empty.extend(Some(register));
        }
    }

    /// A register to use, none of the pinned: an empty one, else that whose value is needed last.
    fn free(&mut self, pinned: Registers) -> Register {
        let usable = Registers::first(self.available).without(pinned);
        if let Some(empty) = usable.and(self.empty).lowest() {
            return empty;
        }
        let wait = |register: &Register| self.held[usize::from(*register)].next;
        let registers = (0..self.available as Register).filter(|&register| usable.has(register));
        let register = registers.max_by_key(wait).unwrap_or(0);
        self.evict(register);
        register
    }

    fn evict(&mut self, register: Register) {
        if !self.is_free(register) {
            let held = self.held[usize::from(register)];
            self.empty.extend(Some(register));
            self.register_of[held.slot as usize] = None;
            if held.is_new && held.next != NEVER {
                self.code.store(held.slot, register);
            }
        }
    }

    /// Stores what memory needs and does not have, and empties all registers.
    fn flush(&mut self) {
        (0..self.registers as Register).for_each(|register| self.evict(register));
    }
}

fn register(place: Place) -> Option<Register> {
    match place {
        Place::Register(register) => Some(register),
        Place::Slot(_) => None,
    }
}

/// A set of registers.
#[derive(Clone, Copy, Default)]
struct Registers(u32);

impl Registers {
    /// The first `count` registers, at most 32.
    fn first(count: usize) -> Self {
        Self(u32::MAX >> (REGISTERS - count))
    }

    fn extend(&mut self, register: Option<Register>) {
        self.0 |= Registers::from(register).0;
    }

    fn remove(&mut self, register: Register) {
        self.0 &= !(1 << register);
    }

    fn has(self, register: Register) -> bool {
        self.0 >> register & 1 == 1
    }

    fn without(self, others: Registers) -> Self {
        Self(self.0 & !others.0)
    }

    fn and(self, others: Registers) -> Self {
        Self(self.0 & others.0)
    }

    fn lowest(self) -> Option<Register> {
        (self.0 != 0).then(|| self.0.trailing_zeros() as Register)
    }
}

impl From<Option<Register>> for Registers {
    fn from(register: Option<Register>) -> Self {
        Self(register.map_or(0, |register| 1 << register))
    }
}

#[cfg(test)]
mod tests {
    use super::translate;
    use crate::kernel::native::Vector;
    use crate::program::Part;

    #[test]
    fn slots_out_of_reach_are_refused() {
        let part = Part::default();
        for vector in [Vector::Avx2, Vector::Half, Vector::Full] {
            assert!(translate(&part, 100, vector).is_ok());
            let refusal = translate(&part, vector.most_slots() + 1, vector).unwrap_err();
            let most = vector.most_slots().to_string();
            assert!(refusal.contains(&most), "{refusal}");
        }
    }
}
