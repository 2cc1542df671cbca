//! The few machine instructions that programs need, as bytes.
//!
//! Registers are numbered from 0; memory operands are slots counted from the address in `rdi`.
//! (Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, chapters 2.3, 2.7 and
//! 5.)

/// A vector register, by number.
pub(super) type Register = u8;

/// Where an operand is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Register(Register),
    /// Memory, by the number of the slot.
    Slot(u32),
}

/// The registers and instructions that code is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::kernel) enum Vector {
    /// 16 registers of 256 bits: AVX2.
    Avx2,
    /// 32 registers of 256 bits: AVX-512 with its vector lengths.
    Half,
    /// 32 registers of 512 bits: AVX-512.
    Full,
}

impl Vector {
    /// How many registers there are.
    pub(super) fn registers(self) -> usize {
        match self {
            Vector::Avx2 => 16,
            Vector::Half | Vector::Full => 32,
        }
    }

    /// How many words a register holds, which is how many blocks are run at once.
    pub(in crate::kernel) fn words(self) -> usize {
        match self {
            Vector::Avx2 | Vector::Half => 1,
            Vector::Full => 2,
        }
    }

    fn bytes(self) -> i64 {
        self.words() as i64 * 32
    }

    /// How many slots code can reach: displacements are 32 bits and signed.
    pub(super) fn most_slots(self) -> u32 {
        (i64::from(i32::MAX) / self.bytes()) as u32
    }
}

/// An instruction that combines two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Combine {
    And,
    /// The second without the first.
    NotAnd,
    Or,
    Xor,
}

impl Combine {
    fn opcode(self) -> u8 {
        match self {
            Combine::And => 0xdb,
            Combine::NotAnd => 0xdf,
            Combine::Or => 0xeb,
            Combine::Xor => 0xef,
        }
    }
}

/// Which opcodes an instruction's is one of: those after 0F, 0F 38, 0F 3A.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Map {
    Two = 1,
    Three = 2,
    ThreeWithByte = 3,
}

/// The general registers from which AVX-512 reaches memory, `rdi` first: each is in the middle of
/// 256 slots, the distance to which takes one byte.
const BASES: [u8; 9] = [7, 0, 1, 2, 6, 8, 9, 10, 11];

/// The same without `rax`, `rcx` and `rdx`, which [`Code::find_blocks`] uses.
const FEWER_BASES: [u8; 6] = [7, 6, 8, 9, 10, 11];

/// How far the first base is behind the first slot.
const MIDDLE: u32 = 128;

/// Machine code being written.
#[derive(Clone, Debug)]
pub(super) struct Code {
    vector: Vector,
    bytes: Vec<u8>,
    bases: &'static [u8],
}

/// A jump forward whose target is not known yet: where its distance stands.
#[derive(Clone, Copy, Debug)]
#[must_use]
pub(super) struct Forward(usize);

impl Code {
    /// The beginning of a function of the address of that many slots.
    pub(super) fn new(vector: Vector, slots: u32) -> Self {
        Self::with_bases(vector, slots, &BASES)
    }

    /// The beginning of one that draws numbers.
    pub(super) fn to_draw(vector: Vector, slots: u32) -> Self {
        Self::with_bases(vector, slots, &FEWER_BASES)
    }

    fn with_bases(vector: Vector, slots: u32, all: &'static [u8]) -> Self {
        let bytes = Vec::new();
        let mut code = Self {
            vector,
            bytes,
            bases: all,
        };
        if vector != Vector::Avx2 {
            let bases = (slots.div_ceil(2 * MIDDLE) as usize).min(all.len());
            for (number, &base) in all[..bases].iter().enumerate().rev() {
                // lea base, [rdi + 32 bits]; that of rdi itself is the last.
                let offset =
                    (i64::from(2 * MIDDLE) * number as i64 + i64::from(MIDDLE)) * vector.bytes();
                code.bytes
                    .extend([0x48 | (base >> 3) << 2, 0x8d, 0x87 | (base & 7) << 3]);
                code.bytes.extend((offset as i32).to_le_bytes());
            }
        }
        code
    }

    /// `target = left OPERATION right`
    pub(super) fn combine(
        &mut self,
        operation: Combine,
        target: Register,
        left: Register,
        right: Place,
    ) {
        self.instruction(Map::Two, operation.opcode(), target, left, right);
    }

    /// `target = TABLE(target, middle, last)`, only with AVX-512.
    pub(super) fn look_up(&mut self, table: u8, target: Register, middle: Register, last: Place) {
        self.instruction(Map::ThreeWithByte, 0x25, target, middle, last);
        self.bytes.push(table);
    }

    /// `target = !source`; for AVX2 another register than the source.
    pub(super) fn invert(&mut self, target: Register, source: Place) {
        if self.vector == Vector::Avx2 {
            // All bits are set where a register equals itself.
            let itself = Place::Register(target);
            self.instruction(Map::Two, 0x76, target, target, itself);
            self.combine(Combine::Xor, target, target, source);
        } else {
            self.look_up(0b0101_0101, target, target, source);
        }
    }

    /// `target = source`
    pub(super) fn load(&mut self, target: Register, source: Place) {
        self.instruction(Map::Two, 0x6f, target, 0, source);
    }

    /// The slot `target = source`
    pub(super) fn store(&mut self, target: u32, source: Register) {
        self.instruction(Map::Two, 0x7f, source, 0, Place::Slot(target));
    }

    /// The registers and instructions that the code is made of.
    pub(super) fn vector(&self) -> Vector {
        self.vector
    }

    /// `target = left + right`, of numbers of 64 bits.
    pub(super) fn add(&mut self, target: Register, left: Register, right: Register) {
        let right = Place::Register(right);
        self.instruction(Map::Two, 0xd4, target, left, right);
    }

    /// `target = source << bits`, of numbers of 64 bits.
    pub(super) fn shift_left(&mut self, target: Register, source: Register, bits: u8) {
        self.shift(0x73, 6, target, source, bits);
    }

    /// Rotates numbers of 64 bits to the left in place; without AVX-512 by way of another register.
    pub(super) fn rotate_left(&mut self, register: Register, bits: u8, other: Register) {
        if self.vector == Vector::Avx2 {
            self.shift(0x73, 2, other, register, 64 - bits);
            self.shift_left(register, register, bits);
            let other = Place::Register(other);
            self.combine(Combine::Or, register, register, other);
        } else {
            self.shift(0x72, 1, register, register, bits);
        }
    }

    /// An instruction of the group that shifts by a constant.
    fn shift(&mut self, opcode: u8, which: u8, target: Register, source: Register, bits: u8) {
        self.instruction(Map::Two, opcode, which, target, Place::Register(source));
        self.bytes.push(bits);
    }

    /// Notes in mask register 2 the blocks in which any bit of the register is set, if a register
    /// holds more than one block; jumps forward if there is none.
    pub(super) fn find_blocks(&mut self, register: Register) -> Forward {
        let forward = self.skip_if_none(register);
        if self.vector.words() > 1 {
            self.bytes.extend([
                0xc5, 0xf8, 0x93, 0xc1, // kmovw eax, k1: a bit for each 32 of the register
                0xf6, 0xd8, 0x19, 0xc9, // neg al; sbb ecx, ecx: all bits if al is not 0
                0xf6, 0xdc, 0x19, 0xd2, // neg ah; sbb edx, edx
                0x88, 0xd5, // mov ch, dl
                0xc5, 0xf8, 0x92, 0xd1, // kmovw k2, ecx
            ]);
        }
        forward
    }

    /// `target = source` in the blocks that were found, if a register holds more than one.
    pub(super) fn load_in_blocks(&mut self, target: Register, source: Register) {
        let start = self.here();
        self.load(target, Place::Register(source));
        if self.vector.words() > 1 {
            // Elements of 32 bits, as the mask has them.
            self.bytes[start + 2] &= 0x7f;
            self.bytes[start + 3] |= 2;
        }
    }

    /// Where the next instruction is.
    pub(super) fn here(&self) -> usize {
        self.bytes.len()
    }

    /// Jumps back if any bit of the register is set.
    pub(super) fn jump_if_any(&mut self, register: Register, to: usize) {
        self.test(register);
        self.bytes.extend([0x0f, 0x85]);
        // Relative to the end of this instruction.
        let distance = to as i64 - (self.here() as i64 + 4);
        self.bytes.extend((distance as i32).to_le_bytes());
    }

    /// Jumps forward if no bit of the register is set.
    pub(super) fn skip_if_none(&mut self, register: Register) -> Forward {
        self.test(register);
        self.bytes.extend([0x0f, 0x84, 0, 0, 0, 0]);
        Forward(self.here() - 4)
    }

    /// Has a jump forward end here.
    pub(super) fn land(&mut self, forward: Forward) {
        let Forward(place) = forward;
        let distance = (self.here() - place - 4) as i32;
        self.bytes[place..place + 4].copy_from_slice(&distance.to_le_bytes());
    }

    /// Sets the flag of zero if no bit of the register is set.
    fn test(&mut self, register: Register) {
        let itself = Place::Register(register);
        if self.vector == Vector::Avx2 {
            self.instruction(Map::Three, 0x17, register, 0, itself);
        } else {
            // Into mask register 1, which is then tested.
            self.instruction(Map::Three, 0x27, 1, register, itself);
            self.bytes.extend([0xc5, 0xf8, 0x98, 0xc9]);
        }
    }

    /// Clears the upper halves of all registers, as callers expect, and returns.
    pub(super) fn finish(mut self) -> Vec<u8> {
        self.bytes.extend([0xc5, 0xf8, 0x77, 0xc3]);
        self.bytes
    }

    /// An instruction with the operand size prefix 66; `left` is 0 if there is no such operand.
    fn instruction(
        &mut self,
        map: Map,
        opcode: u8,
        register: Register,
        left: Register,
        other: Place,
    ) {
        match self.vector {
            Vector::Avx2 => self.vex(map, opcode, register, left, other),
            Vector::Half => self.evex(0b01, map, opcode, register, left, other),
            Vector::Full => self.evex(0b10, map, opcode, register, left, other),
        }
    }

    /// An instruction on 256 bits.
    fn vex(&mut self, map: Map, opcode: u8, register: Register, left: Register, other: Place) {
        let extends = match other {
            Place::Register(register) => bit(register, 3),
            Place::Slot(_) => 0,
        };
        let last = (!left & 15) << 3 | 0b101;
        if map == Map::Two && extends == 0 {
            self.bytes
                .extend([0xc5, (1 - bit(register, 3)) << 7 | last]);
        } else {
            let first = (1 - bit(register, 3)) << 7 | 0x40 | (1 - extends) << 5 | map as u8;
            self.bytes.extend([0xc4, first, last]);
        }
        self.bytes.push(opcode);
        let middle = (register & 7) << 3;
        match other {
            Place::Register(other) => self.bytes.push(0xc0 | middle | other & 7),
            Place::Slot(slot) => {
                // [rdi + a signed byte] or [rdi + 32 bits]
                let offset = i64::from(slot) * self.vector.bytes();
                match i8::try_from(offset) {
                    Ok(offset) => self.bytes.extend([0x47 | middle, offset as u8]),
                    Err(_) => {
                        self.bytes.push(0x87 | middle);
                        self.bytes.extend((offset as i32).to_le_bytes());
                    }
                }
            }
        }
    }

    /// An instruction of AVX-512. Moves have the prefix F3 and elements of 64 bits: they do not
    /// need alignment, and are as fast as those that do where memory is aligned.
    fn evex(
        &mut self,
        length: u8,
        map: Map,
        opcode: u8,
        register: Register,
        left: Register,
        other: Place,
    ) {
        // The two bits that extend the number of the other register, or one that of the base.
        let (base, distance) = match other {
            Place::Register(_) => (0, None),
            Place::Slot(slot) => self.base(slot),
        };
        let (fourth, fifth) = match other {
            Place::Register(other) => (bit(other, 3), bit(other, 4)),
            Place::Slot(_) => (bit(base, 3), 0),
        };
        let is_move = map == Map::Two && matches!(opcode, 0x6f | 0x7f);
        let is_of_64_bits = is_move || map == Map::Two && matches!(opcode, 0xd4 | 0x72 | 0x73);
        let not = |bit: u8| 1 - bit;
        self.bytes.extend([
            0x62,
            not(bit(register, 3)) << 7
                | not(fifth) << 6
                | not(fourth) << 5
                | not(bit(register, 4)) << 4
                | map as u8,
            u8::from(is_of_64_bits) << 7 | (!left & 15) << 3 | if is_move { 0b110 } else { 0b101 },
            length << 5 | not(bit(left, 4)) << 3,
            opcode,
        ]);
        let middle = (register & 7) << 3;
        match (other, distance) {
            (Place::Register(other), _) => self.bytes.push(0xc0 | middle | other & 7),
            (_, Some(distance)) => {
                let near = distance as u8;
                self.bytes.extend([0x40 | middle | base & 7, near]);
            }
            (Place::Slot(slot), None) => {
                self.bytes.push(0x80 | middle | base & 7);
                let offset = (i64::from(slot) - i64::from(MIDDLE)) * self.vector.bytes();
                self.bytes.extend((offset as i32).to_le_bytes());
            }
        }
    }

    /// The base register for a slot, and how many slots behind it the slot is if that takes one
    /// byte.
    fn base(&self, slot: u32) -> (u8, Option<i8>) {
        match self.bases.get((slot / (2 * MIDDLE)) as usize) {
            Some(&base) => {
                let distance = (slot % (2 * MIDDLE)) as i32 - MIDDLE as i32;
                (base, Some(distance as i8))
            }
            None => (self.bases[0], None),
        }
    }
}

fn bit(number: u8, place: u8) -> u8 {
    number >> place & 1
}

#[cfg(test)]
mod tests {
    use super::Combine::{And, NotAnd, Or, Xor};
    use super::Place::{Register, Slot};
    use super::{Code, Vector};

    /// The bytes of an instruction.
    fn bytes(vector: Vector, write: impl Fn(&mut Code)) -> Vec<u8> {
        let mut code = Code::new(vector, 0);
        write(&mut code);
        code.bytes
    }

    /// Compares with a line of what the GNU assembler makes: bytes, then the instruction.
    #[track_caller]
    fn check(vector: Vector, line: &str, write: impl Fn(&mut Code)) {
        let found = bytes(vector, write);
        let found: Vec<String> = found.iter().map(|byte| format!("{byte:02x}")).collect();
        let start = found.join(" ") + " v";
        assert!(line.starts_with(&start), "{line}, not {start}");
    }

    #[test]
    fn instructions_of_512_bits_are_what_the_assembler_makes() {
        check(
            Vector::Full,
            "62 f1 6d 48 db cb vpandd zmm1,zmm2,zmm3",
            |code| {
                code.combine(And, 1, 2, Register(3));
            },
        );
        check(
            Vector::Full,
            "62 81 35 48 df ce vpandnd zmm17,zmm9,zmm30",
            |code| {
                code.combine(NotAnd, 17, 9, Register(30));
            },
        );
        check(
            Vector::Full,
            "62 f1 05 40 eb 6f 05 vpord zmm5,zmm31,ZMMWORD PTR [rdi+0x140]",
            |code| {
                code.combine(Or, 5, 31, Slot(128 + 5));
            },
        );
        check(
            Vector::Full,
            "62 41 3d 40 ef 40 80 vpxord zmm24,zmm24,ZMMWORD PTR [r8-0x2000]",
            |code| {
                code.combine(Xor, 24, 24, Slot(5 * 256));
            },
        );
        check(
            Vector::Full,
            "62 71 7d 40 db 41 7f vpandd zmm8,zmm16,ZMMWORD PTR [rcx+0x1fc0]",
            |code| {
                code.combine(And, 8, 16, Slot(2 * 256 + 255));
            },
        );
        check(
            Vector::Full,
            "62 71 7d 40 db 87 00 ee 02 00 vpandd zmm8,zmm16,ZMMWORD PTR [rdi+0x2ee00]",
            |code| {
                code.combine(And, 8, 16, Slot(3128));
            },
        );
        check(
            Vector::Full,
            "62 b1 fe 48 6f db vmovdqu64 zmm3,zmm19",
            |code| {
                code.load(3, Register(19));
            },
        );
        check(
            Vector::Full,
            "62 c1 fe 48 6f 63 fd vmovdqu64 zmm20,ZMMWORD PTR [r11-0xc0]",
            |code| {
                code.load(20, Slot(8 * 256 + 125));
            },
        );
        check(
            Vector::Full,
            "62 61 fe 48 7f 6e 07 vmovdqu64 ZMMWORD PTR [rsi+0x1c0],zmm29",
            |code| {
                code.store(4 * 256 + 135, 29);
            },
        );
        check(
            Vector::Full,
            "62 f3 55 48 25 e6 e8 vpternlogd zmm4,zmm5,zmm6,0xe8",
            |code| {
                code.look_up(0xe8, 4, 5, Register(6));
            },
        );
        check(
            Vector::Full,
            "62 a3 05 40 25 e2 96 vpternlogd zmm20,zmm31,zmm18,0x96",
            |code| {
                code.look_up(0x96, 20, 31, Register(18));
            },
        );
        check(
            Vector::Full,
            "62 e3 05 48 25 60 ff ca vpternlogd zmm20,zmm15,ZMMWORD PTR [rax-0x40],0xca",
            |code| {
                code.look_up(0xca, 20, 15, Slot(256 + 127));
            },
        );
    }

    #[test]
    fn instructions_of_256_bits_are_what_the_assembler_makes() {
        check(
            Vector::Half,
            "62 b1 6d 28 db cb vpandd ymm1,ymm2,ymm19",
            |code| {
                code.combine(And, 1, 2, Register(19));
            },
        );
        check(
            Vector::Half,
            "62 63 05 28 25 72 ff ca vpternlogd ymm30,ymm15,YMMWORD PTR [rdx-0x20],0xca",
            |code| {
                code.look_up(0xca, 30, 15, Slot(3 * 256 + 127));
            },
        );
        check(Vector::Avx2, "c5 ed db cb vpand ymm1,ymm2,ymm3", |code| {
            code.combine(And, 1, 2, Register(3));
        });
        check(
            Vector::Avx2,
            "c4 41 05 df cc vpandn ymm9,ymm15,ymm12",
            |code| {
                code.combine(NotAnd, 9, 15, Register(12));
            },
        );
        check(
            Vector::Avx2,
            "c5 05 eb 4f 20 vpor ymm9,ymm15,YMMWORD PTR [rdi+0x20]",
            |code| {
                code.combine(Or, 9, 15, Slot(1));
            },
        );
        check(
            Vector::Avx2,
            "c5 05 ef 8f 80 0c 00 00 vpxor ymm9,ymm15,YMMWORD PTR [rdi+0xc80]",
            |code| {
                code.combine(Xor, 9, 15, Slot(100));
            },
        );
        check(Vector::Avx2, "c5 7d 6f e3 vmovdqa ymm12,ymm3", |code| {
            code.load(12, Register(3));
        });
        check(
            Vector::Avx2,
            "c5 7d 7f 47 60 vmovdqa YMMWORD PTR [rdi+0x60],ymm8",
            |code| {
                code.store(3, 8);
            },
        );
    }

    #[test]
    fn instructions_that_draw_are_what_the_assembler_makes() {
        check(Vector::Avx2, "c5 7d d4 cb vpaddq ymm9,ymm0,ymm3", |code| {
            code.add(9, 0, 3);
        });
        check(
            Vector::Full,
            "62 f1 b5 48 d4 f8 vpaddq zmm7,zmm9,zmm0",
            |code| code.add(7, 9, 0),
        );
        check(
            Vector::Full,
            "62 f1 ad 48 73 f1 11 vpsllq zmm10,zmm1,0x11",
            |code| code.shift_left(10, 1, 17),
        );
        check(
            Vector::Full,
            "62 d1 85 48 72 cf 2d vprolq zmm15,zmm15,0x2d",
            |code| code.rotate_left(15, 45, 0),
        );
        check(
            Vector::Half,
            "62 d1 b5 28 72 c9 17 vprolq ymm9,ymm9,0x17",
            |code| code.rotate_left(9, 23, 0),
        );
        check(
            Vector::Full,
            "62 d1 7e 4a 6f df vmovdqu32 zmm3{k2},zmm15",
            |code| code.load_in_blocks(3, 15),
        );
        // vpsrlq ymm11,ymm9,0x29; vpsllq ymm9,ymm9,0x17; vpor ymm9,ymm9,ymm11
        let rotation = bytes(Vector::Avx2, |code| code.rotate_left(9, 23, 11));
        let expected = [
            0xc4, 0xc1, 0x25, 0x73, 0xd1, 0x29, 0xc4, 0xc1, 0x35, 0x73, 0xf1, 0x17, 0xc4, 0x41,
            0x35, 0xeb, 0xcb,
        ];
        assert_eq!(rotation, expected);
    }

    #[test]
    fn jumps_forward_end_where_they_land() {
        let code = bytes(Vector::Avx2, |code| {
            let forward = code.skip_if_none(15);
            code.load(3, Slot(0));
            code.land(forward);
        });
        // vptest ymm15,ymm15; je over vmovdqa ymm3,YMMWORD PTR [rdi+0x0]
        assert_eq!(code[..7], [0xc4, 0x42, 0x7d, 0x17, 0xff, 0x0f, 0x84]);
        assert_eq!(code[7..11], 5i32.to_le_bytes());
        assert_eq!(code.len(), 16);
    }

    #[test]
    fn loops_end_when_no_bit_is_set() {
        // vptestmd k1,zmm31,zmm31; kortestw k1,k1; jne to the start
        let full = bytes(Vector::Full, |code| code.jump_if_any(31, 0));
        let jump = [0x0f, 0x85, 0xf0, 0xff, 0xff, 0xff];
        let test = [0x62, 0x92, 0x05, 0x40, 0x27, 0xcf, 0xc5, 0xf8, 0x98, 0xc9];
        assert_eq!(full, [&test[..], &jump].concat());
        // vptest ymm15,ymm15; jne to the start
        let half = bytes(Vector::Avx2, |code| code.jump_if_any(15, 0));
        let test = [0xc4, 0x42, 0x7d, 0x17, 0xff];
        assert_eq!(
            half,
            [&test[..], &[0x0f, 0x85, 0xf5, 0xff, 0xff, 0xff]].concat()
        );
    }

    #[test]
    fn bases_are_in_the_middle_of_their_slots() {
        // lea rax,[rdi+0x6000]; lea rdi,[rdi+0x2000]
        let expected = [
            0x48, 0x8d, 0x87, 0, 0x60, 0, 0, 0x48, 0x8d, 0xbf, 0, 0x20, 0, 0,
        ];
        assert_eq!(Code::new(Vector::Full, 257).bytes, expected);
        // The last of them is lea r11,[rdi+0x22000].
        let all = Code::new(Vector::Full, 1 << 20).bytes;
        assert_eq!(all[..7], [0x4c, 0x8d, 0x9f, 0, 0x20, 0x02, 0]);
        assert_eq!(all.len(), 9 * 7);
    }
}
