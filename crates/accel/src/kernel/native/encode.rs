//! The few machine instructions that programs need, as bytes.
//!
//! 256-bit registers are numbered from 0; memory operands are words counted from the address in `rdi`. (Intel 64 and IA-32
//! Architectures Software Developer's Manual, volume 2, chapters 2.3 and 5.)

/// A 256-bit register, by number.
pub(super) type Register = u8;

/// Where an operand is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Register(Register),
    /// A word of memory, by its number.
    Word(u32),
}

/// An instruction that combines two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Combine {
    And,
    /// The second without the first.
    NotAnd,
    Or,
    Xor,
    /// All bits, if both operands are the same.
    Equal,
}

impl Combine {
    fn opcode(self) -> u8 {
        match self {
            Combine::And => 0xdb,
            Combine::NotAnd => 0xdf,
            Combine::Or => 0xeb,
            Combine::Xor => 0xef,
            Combine::Equal => 0x76,
        }
    }
}

/// The byte that selects the opcodes after 0F, and after 0F 38.
const MAP_0F: u8 = 1;
const MAP_0F38: u8 = 2;

/// Machine code being written.
#[derive(Clone, Debug, Default)]
pub(super) struct Code {
    bytes: Vec<u8>,
}

impl Code {
    /// `target = left OPERATION right`
    pub(super) fn combine(
        &mut self,
        operation: Combine,
        target: Register,
        left: Register,
        right: Place,
    ) {
        self.vex(MAP_0F, operation.opcode(), target, left, right);
    }

    /// `target = source`
    pub(super) fn load(&mut self, target: Register, source: Place) {
        self.vex(MAP_0F, 0x6f, target, 0, source);
    }

    /// The word `target = source`
    pub(super) fn store(&mut self, target: u32, source: Register) {
        self.vex(MAP_0F, 0x7f, source, 0, Place::Word(target));
    }

    /// Where the next instruction is.
    pub(super) fn here(&self) -> usize {
        self.bytes.len()
    }

    /// Jumps back if any bit of the register is set.
    pub(super) fn jump_if_any(&mut self, register: Register, to: usize) {
        self.vex(MAP_0F38, 0x17, register, 0, Place::Register(register));
        self.bytes.extend([0x0f, 0x85]);
        // Relative to the end of this instruction.
        let distance = to as i64 - (self.here() as i64 + 4);
        self.bytes.extend((distance as i32).to_le_bytes());
    }

    /// Clears the upper halves of all registers, as callers expect, and returns.
    pub(super) fn finish(mut self) -> Vec<u8> {
        self.bytes.extend([0xc5, 0xf8, 0x77, 0xc3]);
        self.bytes
    }

    /// An instruction on 256 bits with the operand size prefix 66; `left` is 0 if there is no such operand.
    fn vex(&mut self, map: u8, opcode: u8, register: Register, left: Register, other: Place) {
        let high = |register: Register| register >> 3 & 1;
        let extends = match other {
            Place::Register(register) => high(register),
            Place::Word(_) => 0,
        };
        let last = (!left & 15) << 3 | 0b101;
        if map == MAP_0F && extends == 0 {
            self.bytes.extend([0xc5, (1 - high(register)) << 7 | last]);
        } else {
            let first = (1 - high(register)) << 7 | 0x40 | (1 - extends) << 5 | map;
            self.bytes.extend([0xc4, first, last]);
        }
        self.bytes.push(opcode);
        self.operands(register, other);
    }

    fn operands(&mut self, register: Register, other: Place) {
        let middle = (register & 7) << 3;
        match other {
            Place::Register(other) => self.bytes.push(0xc0 | middle | other & 7),
            Place::Word(word) => {
                // [rdi + a signed byte] or [rdi + 32 bits]
                let offset = i64::from(word) * 32;
                match i8::try_from(offset) {
                    Ok(offset) => self.bytes.extend([0x47 | middle, offset as u8]),
                    Err(_) => {
                        self.bytes.push(0x87 | middle);
                        self.bytes.extend((offset as u32).to_le_bytes());
                    }
                }
            }
        }
    }
}
