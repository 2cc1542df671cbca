//! Operations to machine code: which value is in which register when.
//!
//! Registers hold values of slots as long as there is room; when there is none, the value that is needed again last makes
//! room, and is stored only if it will be needed and memory does not have it yet. Values that die in a register never see memory.

use super::encode::{Code, Combine, Place, Register};
use crate::program::{Kind, Operation, Part, Section};

/// How many registers there are.
const REGISTERS: usize = 16;

/// The register in which loops note whether anything changed.
const CHANGED: Register = 15;

/// A value is not needed any more.
const NEVER: u32 = u32::MAX;

/// A value is needed after the part.
const AFTER: u32 = u32::MAX - 1;

/// How many operations ahead the next use may be for a value to be loaded into a register, and not only read from memory.
const HORIZON: u32 = 40;

/// The machine code of a part, for the slots at the address in `rdi`.
pub(super) fn translate(part: &Part, slots: u32) -> Vec<u8> {
    let uses = next_uses(part, slots);
    let mut translator = Translator {
        code: Code::default(),
        held: [None; REGISTERS],
        register_of: vec![None; slots as usize],
        available: REGISTERS,
        position: 0,
    };
    let mut uses = uses.into_iter();
    for section in &part.sections {
        translator.section(section, &mut uses);
    }
    translator.flush();
    translator.code.finish()
}

/// When the values of an operation are needed next after it.
#[derive(Clone, Copy, Debug)]
struct NextUse {
    target: u32,
    left: u32,
    right: u32,
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
            let left = next[operation.left as usize];
            let right = next[operation.right as usize];
            next[operation.left as usize] = position;
            next[operation.right as usize] = position;
            if operation.kind == Kind::Latch {
                next[operation.target as usize] = position;
            }
            uses.push(NextUse {
                target,
                left,
                right,
            });
        }
    }
    uses.reverse();
    uses
}

/// What a register holds.
#[derive(Clone, Copy, Debug)]
struct Held {
    slot: u32,
    next: u32,
    /// Whether memory does not have it.
    is_new: bool,
}

struct Translator {
    code: Code,
    held: [Option<Held>; REGISTERS],
    /// For each slot, the register that holds its value.
    register_of: Vec<Option<Register>>,
    /// How many registers values may use.
    available: usize,
    position: u32,
}

impl Translator {
    fn section(&mut self, section: &Section, uses: &mut impl Iterator<Item = NextUse>) {
        let Section::Loop { cleared, body } = section else {
            self.operations(section.operations(), uses);
            return;
        };
        self.flush();
        self.available = usize::from(CHANGED);
        self.clear(0);
        cleared.iter().for_each(|&slot| self.code.store(slot, 0));
        let start = self.code.here();
        self.clear(CHANGED);
        self.operations(body, uses);
        self.flush();
        self.code.jump_if_any(CHANGED, start);
        self.available = REGISTERS;
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
                let swapped = Operation {
                    left: operation.right,
                    right: operation.left,
                    ..*operation
                };
                let next = NextUse {
                    left: next.right,
                    right: next.left,
                    ..next
                };
                self.combine(Combine::NotAnd, &swapped, next);
            }
            Kind::Not => self.invert(operation, next),
            Kind::Copy => self.copy(operation, next),
            Kind::Latch => self.latch(operation, next),
        }
    }

    fn combine(&mut self, combine: Combine, operation: &Operation, next: NextUse) {
        let mut left = self.fetch(operation.left, next.left, None);
        let mut right = self.fetch(operation.right, next.right, register(left));
        if combine != Combine::NotAnd && register(left).is_none() {
            std::mem::swap(&mut left, &mut right);
        }
        self.used(operation.left, next.left);
        self.used(operation.right, next.right);
        if let Place::Register(left) = left {
            let operands = [Some(left), register(right)];
            let target = self.give(operation.target, next.target, operands);
            self.code.combine(combine, target, left, right);
        } else {
            let target = self.give_other(operation.target, next.target, register(right));
            self.code.load(target, left);
            self.code.combine(combine, target, target, right);
        }
    }

    fn invert(&mut self, operation: &Operation, next: NextUse) {
        let source = self.fetch(operation.left, next.left, None);
        self.used(operation.left, next.left);
        // The target is set to ones before the source is read, so it must be another register.
        let pinned = register(source);
        let target = self.give_other(operation.target, next.target, pinned);
        self.code
            .combine(Combine::Equal, target, target, Place::Register(target));
        self.code.combine(Combine::Xor, target, target, source);
    }

    fn copy(&mut self, operation: &Operation, next: NextUse) {
        let source = self.fetch(operation.left, next.left, None);
        self.used(operation.left, next.left);
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
        let source = match self.fetch(operation.left, next.left, None) {
            Place::Register(source) => source,
            word => {
                let source = self.free(&[]);
                self.code.load(source, word);
                source
            }
        };
        let old = self.free(&[source]);
        let place = Place::Word(operation.target);
        self.code.combine(Combine::Xor, old, source, place);
        self.code
            .combine(Combine::Or, CHANGED, CHANGED, Place::Register(old));
        self.code.store(operation.target, source);
        self.forget(operation.target);
        self.used(operation.left, next.left);
    }

    fn clear(&mut self, register: Register) {
        let place = Place::Register(register);
        self.code.combine(Combine::Xor, register, register, place);
    }

    /// Where a slot's value is; it is brought into a register if it is needed again soon.
    fn fetch(&mut self, slot: u32, next: u32, pinned: Option<Register>) -> Place {
        if let Some(register) = self.register_of[slot as usize] {
            return Place::Register(register);
        }
        if next > self.position + HORIZON {
            return Place::Word(slot);
        }
        let register = self.free(pinned.as_slice());
        self.code.load(register, Place::Word(slot));
        self.hold(register, slot, next, false);
        Place::Register(register)
    }

    /// Notes when a value is needed next, and lets go of it if it is not.
    fn used(&mut self, slot: u32, next: u32) {
        let Some(register) = self.register_of[slot as usize] else {
            return;
        };
        let held = &mut self.held[usize::from(register)];
        if next == NEVER {
            *held = None;
            self.register_of[slot as usize] = None;
        } else if let Some(held) = held {
            held.next = next;
        }
    }

    /// A register for a new value of a slot; it may be one that the operation reads last.
    fn give(&mut self, slot: u32, next: u32, operands: [Option<Register>; 2]) -> Register {
        let is_free = |register: &Register| self.held[usize::from(*register)].is_none();
        let dying = operands.into_iter().flatten().find(is_free);
        let register = dying.unwrap_or_else(|| {
            let operands: Vec<Register> = operands.into_iter().flatten().collect();
            self.free(&operands)
        });
        self.forget(slot);
        self.hold(register, slot, next, true);
        register
    }

    /// A register for a new value of a slot other than the pinned one.
    fn give_other(&mut self, slot: u32, next: u32, pinned: Option<Register>) -> Register {
        let register = self.free(pinned.as_slice());
        self.forget(slot);
        self.hold(register, slot, next, true);
        register
    }

    fn hold(&mut self, register: Register, slot: u32, next: u32, is_new: bool) {
        self.held[usize::from(register)] = Some(Held { slot, next, is_new });
        self.register_of[slot as usize] = Some(register);
    }

    /// Lets go of what a register holds of a slot, which is overwritten.
    fn forget(&mut self, slot: u32) {
        if let Some(register) = self.register_of[slot as usize].take() {
            self.held[usize::from(register)] = None;
        }
    }

    /// A register to use, none of the pinned: an empty one, else that whose value is needed last.
    fn free(&mut self, pinned: &[Register]) -> Register {
        let wait = |register: &Register| match self.held[usize::from(*register)] {
            None => u64::from(u32::MAX) + 1,
            Some(held) => u64::from(held.next),
        };
        let registers =
            (0..self.available as Register).filter(|register| !pinned.contains(register));
        let register = registers.max_by_key(wait).unwrap_or(0);
        self.evict(register);
        register
    }

    fn evict(&mut self, register: Register) {
        if let Some(held) = self.held[usize::from(register)].take() {
            self.register_of[held.slot as usize] = None;
            if held.is_new && held.next != NEVER {
                self.code.store(held.slot, register);
            }
        }
    }

    /// Stores what memory needs and does not have, and empties all registers.
    fn flush(&mut self) {
        (0..REGISTERS as Register).for_each(|register| self.evict(register));
    }
}

fn register(place: Place) -> Option<Register> {
    match place {
        Place::Register(register) => Some(register),
        Place::Word(_) => None,
    }
}
