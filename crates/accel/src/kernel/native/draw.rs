//! Drawing numbers as machine code: what `choose/draw.rs` does, for as many blocks at once as a
//! register holds words. Blocks have generators of their own: where registers hold two blocks, the
//! generator of a block that needs no word stays as it is.

use super::encode::Combine::{And, NotAnd, Or, Xor};
use super::encode::{Code, Place, Register, Vector};
use crate::program::{Digit, Draw, Signal};

/// The state of the generators.
const STATE: [Register; 4] = [0, 1, 2, 3];
/// The lanes without a number.
const OPEN: Register = 4;
/// The lanes in which the bits so far are above those of the highest number.
const ABOVE: Register = 5;
const MASK: Register = 6;
const WORD: Register = 7;
const RANK: Register = 8;
const SCRATCH: [Register; 3] = [9, 10, 11];
/// The next state of the generators, where it is not taken in all blocks.
const NEXT: [Register; 4] = [12, 13, 14, 15];

/// Writes the code of a section.
pub(super) fn draw(code: &mut Code, draw: &Draw) {
    for (register, slot) in STATE.into_iter().zip(draw.stream..) {
        code.load(register, Place::Slot(slot));
    }
    fetch(code, OPEN, draw.lanes);
    code.combine(Xor, RANK, RANK, Place::Register(RANK));
    for digit in &draw.digits {
        code.store(digit.rank, RANK);
    }
    let end = code.skip_if_none(OPEN);
    let start = code.here();
    code.combine(Xor, ABOVE, ABOVE, Place::Register(ABOVE));
    draw.digits.iter().for_each(|digit| round(code, digit));
    code.combine(And, OPEN, OPEN, Place::Register(ABOVE));
    code.jump_if_any(OPEN, start);
    for (register, slot) in STATE.into_iter().zip(draw.stream..) {
        code.store(slot, register);
    }
    code.land(end);
}

/// Draws a bit where it is needed, and compares it with that of the highest number.
fn round(code: &mut Code, digit: &Digit) {
    let mask = Place::Slot(digit.mask.slot);
    if digit.mask.is_inverted {
        code.load(MASK, mask);
        code.combine(NotAnd, MASK, MASK, Place::Register(OPEN));
    } else {
        code.combine(And, MASK, OPEN, mask);
    }
    code.load(RANK, Place::Slot(digit.rank));
    let drawn = code.find_blocks(MASK);
    next(code);
    code.combine(And, WORD, WORD, Place::Register(MASK));
    replace(code);
    code.store(digit.rank, RANK);
    code.land(drawn);
    compare(code, digit.last);
}

/// A random word, as `random.rs` has it.
fn next(code: &mut Code) {
    let [s0, s1, s2, s3] = STATE;
    let [sum, shifted, other] = SCRATCH;
    let [n0, n1, n2, n3] = match code.vector() {
        Vector::Full => NEXT,
        Vector::Avx2 | Vector::Half => STATE,
    };
    let xor = |code: &mut Code, target, left, right| {
        code.combine(Xor, target, left, Place::Register(right));
    };
    code.add(sum, s0, s3);
    code.rotate_left(sum, 23, other);
    code.add(WORD, sum, s0);
    code.shift_left(shifted, s1, 17);
    xor(code, n2, s2, s0);
    xor(code, n3, s3, s1);
    xor(code, n1, s1, n2);
    xor(code, n0, s0, n3);
    xor(code, n2, n2, shifted);
    code.rotate_left(n3, 45, other);
    if code.vector() == Vector::Full {
        for (state, next) in STATE.into_iter().zip(NEXT) {
            code.load_in_blocks(state, next);
        }
    }
}

/// The rank takes the word's bits in open lanes. The word has none elsewhere.
fn replace(code: &mut Code) {
    if code.vector() == Vector::Avx2 {
        code.combine(NotAnd, RANK, OPEN, Place::Register(RANK));
        code.combine(Or, RANK, RANK, Place::Register(WORD));
    } else {
        // RANK & !OPEN | WORD
        code.look_up(0b1011_1010, RANK, OPEN, Place::Register(WORD));
    }
}

/// Where the rank differs from the highest number in this bit, the rank's tells which is above.
fn compare(code: &mut Code, last: Signal) {
    let place = Place::Slot(last.slot);
    if code.vector() != Vector::Avx2 {
        let table = match last.is_inverted {
            false => 0b1101_0100,
            true => 0b1110_1000,
        };
        code.look_up(table, ABOVE, RANK, place);
        return;
    }
    let [differs, is_above, _] = SCRATCH;
    code.combine(Xor, differs, RANK, place);
    let (taken, left) = match last.is_inverted {
        false => (And, NotAnd),
        true => (NotAnd, And),
    };
    code.combine(taken, is_above, differs, Place::Register(RANK));
    code.combine(left, ABOVE, differs, Place::Register(ABOVE));
    code.combine(Or, ABOVE, ABOVE, Place::Register(is_above));
}

fn fetch(code: &mut Code, target: Register, signal: Signal) {
    let place = Place::Slot(signal.slot);
    if signal.is_inverted {
        code.invert(target, place);
    } else {
        code.load(target, place);
    }
}
