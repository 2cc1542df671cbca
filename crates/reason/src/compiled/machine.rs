//! The machine that runs code: one loop over instructions, registers in a flat array, and no memory
//! taken once warm.
//!
//! [`super::code::Instruction`] says what each of them does. Those about bits are here; `rare` has
//! the others.

mod rare;

use super::code::{
    Address, Carry, Code, Instruction, Loop, Mark, PLAIN, Read, Remove, RowLoop, Shape, Span, Test,
};
use super::memory::{Cursor, Memory};
use crate::rows::LIMITS;

/// The machine at work.
pub struct Machine<'a> {
    pub(super) code: &'a Code,
    pub(super) memory: &'a mut Memory,
    pub(super) runner: Option<&'a dyn Runner>,
}

/// Something that runs code as the machine would, but in its own way.
pub trait Runner: Send + Sync {
    /// Runs the instructions from an entry on until the end, or until something runs out; false,
    /// and nothing was done, if it does not have that entry.
    fn run(&self, entry: Address, machine: &mut Machine<'_>) -> bool;
}

/// What machine code needs to run instructions.
impl Machine<'_> {
    /// The bits of all relations.
    pub fn bits(&mut self) -> &mut [u64] {
        &mut self.memory.bits
    }

    /// The registers, those of constants first.
    pub fn registers(&mut self) -> &mut [u32] {
        &mut self.memory.registers
    }

    /// How many rows may be looked at before something runs out.
    pub fn steps_left(&self) -> u64 {
        LIMITS.steps.saturating_sub(self.memory.steps)
    }

    /// Counts rows as looked at.
    pub fn spend(&mut self, steps: u64) {
        self.memory.steps = self.memory.steps.saturating_add(steps);
        self.memory.may_go_on();
    }

    /// Does one instruction other than the ends of code; whether the next one follows, and not its
    /// target. `None` if something ran out.
    pub fn step(&mut self, at: Address) -> Option<bool> {
        let follows = match self.code.instructions[at as usize] {
            Instruction::Carry(carry) => {
                self.carry(carry);
                true
            }
            Instruction::Remove(remove) => {
                self.remove(remove);
                false
            }
            other => self.rare(other),
        };
        self.memory.may_go_on().then_some(follows)
    }
}

/// What runs code.
impl Machine<'_> {
    /// Runs instructions until the end, or until something runs out.
    pub(super) fn run(&mut self, entry: Address) {
        let translated = self.runner;
        if !translated.is_some_and(|runner| runner.run(entry, self)) {
            self.interpret(entry);
        }
    }

    /// Runs instructions one by one.
    fn interpret(&mut self, entry: Address) {
        use Instruction as I;
        let code = self.code;
        let mut at = entry;
        loop {
            let (follows, after, target) = match &code.instructions[at as usize] {
                I::Window(l) => (self.window(l), 2, l.exit),
                I::WindowNext(l) => (self.window_next(l), 1, l.exit),
                I::Sweep(l) => (self.sweep(l), 1, l.exit),
                I::SweepNext(l) => (self.sweep_next(l), 1, l.exit),
                I::Sparse(l) => (self.sparse(l), 1, l.exit),
                I::SparseNext(l) => (self.sparse_next(l), 1, l.exit),
                I::Rows(l) => (self.rows(l), 2, l.exit),
                I::RowsNext(l) => (self.rows_next(l), 1, l.exit),
                I::Holds(test) => (self.is_set(test), 1, test.exit),
                I::Fails(test) => (!self.is_set(test), 1, test.exit),
                I::Mark(mark) => (self.mark(mark), 1, mark.next),
                I::Accept(mark) => {
                    self.mark(mark);
                    at = mark.next;
                    continue;
                }
                I::Is {
                    value,
                    number,
                    expected,
                    exit,
                } => ((self.value(*value) == *number) == *expected, 1, *exit),
                I::Within { value, exit } => (self.weight(value) == 0, 1, *exit),
                I::Jump { exit } => (false, 1, *exit),
                I::Done => return,
                other => {
                    let Some(follows) = self.step(at) else {
                        return;
                    };
                    (follows, 1, other.target().unwrap_or(at + 1))
                }
            };
            if follows {
                at += after;
                continue;
            }
            at = target;
            // No loop goes on without a jump.
            if self.memory.steps > LIMITS.steps {
                self.memory.may_go_on();
                return;
            }
        }
    }

    #[inline]
    pub(super) fn value(&self, register: u32) -> u32 {
        self.memory.registers[register as usize]
    }

    #[inline(always)]
    fn weight(&self, read: &Read) -> u32 {
        self.code
            .tables
            .weight(read.weights, self.value(read.register))
    }

    /// The place at `start` and the weights of some values after it.
    #[inline(always)]
    fn place(&self, start: u32, reads: Span) -> u32 {
        let reads = reads.of(&self.code.reads).iter();
        reads.fold(start, |place, read| place + self.weight(read))
    }

    /// Whether the bit of a test is set.
    #[inline(always)]
    fn is_set(&self, test: &Test) -> bool {
        let place = self.place(test.start, test.row);
        let word = self.memory.bits.get((place / 64) as usize);
        word.copied().unwrap_or(0) >> (place % 64) & 1 == 1
    }

    /// Sets a bit; whether it is a place and was not set.
    #[inline(always)]
    fn mark(&mut self, mark: &Mark) -> bool {
        let place = self.place(mark.start, mark.row);
        let bits = &mut self.memory.bits;
        let Some(word) = bits.get_mut((place / 64) as usize) else {
            return false;
        };
        let bit = 1 << (place % 64);
        let new = *word & bit == 0;
        *word |= bit;
        if mark.view != PLAIN {
            let view = &self.code.views[mark.view as usize];
            let word = place / 64 - view.first;
            bits[(view.summary + word / 64) as usize] |= 1 << (word % 64);
        }
        new
    }

    fn shape(&self, l: &Loop) -> &Shape {
        &self.code.shapes[l.shape as usize]
    }

    /// Takes the lowest of a cursor's bits.
    #[inline(always)]
    fn take(&mut self, l: &Loop) {
        let code = self.code;
        let fields = code.shapes[l.shape as usize].fields.of(&code.fields);
        let memory = &mut *self.memory;
        let cursor = &mut memory.cursors[l.cursor as usize];
        let place = cursor.offset | cursor.bits.trailing_zeros();
        cursor.bits &= cursor.bits - 1;
        for field in fields {
            memory.registers[field.register as usize] = place >> field.shift & field.mask;
        }
        memory.steps += 1;
    }

    #[inline(always)]
    fn window(&mut self, l: &Loop) -> bool {
        let place = self.place(l.start, l.key);
        let word = self.memory.bits.get((place / 64) as usize);
        let bits = word.copied().unwrap_or(0) >> (place % 64) & self.shape(l).pattern;
        let cursor = &mut self.memory.cursors[l.cursor as usize];
        cursor.bits = bits;
        cursor.offset = 0;
        self.window_next(l)
    }

    #[inline(always)]
    fn window_next(&mut self, l: &Loop) -> bool {
        let found = self.memory.cursors[l.cursor as usize].bits != 0;
        if found {
            self.take(l);
        }
        found
    }

    fn sweep(&mut self, l: &Loop) -> bool {
        let base = self.place(l.start, l.key);
        let Span { start, end } = self.shape(l).offsets;
        self.memory.cursors[l.cursor as usize] = Cursor {
            base,
            at: start,
            end,
            ..Cursor::default()
        };
        ((base / 64) as usize) < self.memory.bits.len()
    }

    #[inline]
    fn sweep_next(&mut self, l: &Loop) -> bool {
        let pattern = self.shape(l).pattern;
        let memory = &mut *self.memory;
        let cursor = &mut memory.cursors[l.cursor as usize];
        while cursor.bits == 0 {
            if cursor.at == cursor.end {
                return false;
            }
            let offset = self.code.offsets[cursor.at as usize];
            cursor.at += 1;
            cursor.offset = offset * 64;
            let word = memory.bits[(cursor.base / 64 + offset) as usize];
            cursor.bits = word >> (cursor.base % 64) & pattern;
        }
        self.take(l);
        true
    }

    fn sparse(&mut self, l: &Loop) -> bool {
        let place = self.place(l.start, l.key);
        let shape = self.shape(l);
        let (view, words) = (self.code.views[shape.view as usize], shape.words);
        if place / 64 >= view.first + view.words {
            return false;
        }
        // Counted from the view's first word.
        let first = place / 64 - view.first;
        let (at, end) = (first / 64, (first + words).div_ceil(64));
        let mask = (u64::MAX >> (64 - words.min(64))) << (first % 64);
        self.memory.cursors[l.cursor as usize] = Cursor {
            base: first,
            at: at + 1,
            end,
            more: self.memory.bits[(view.summary + at) as usize] & mask,
            ..Cursor::default()
        };
        true
    }

    #[inline]
    fn sparse_next(&mut self, l: &Loop) -> bool {
        let view = self.code.views[self.shape(l).view as usize];
        let memory = &mut *self.memory;
        let cursor = &mut memory.cursors[l.cursor as usize];
        while cursor.bits == 0 {
            while cursor.more == 0 {
                if cursor.at == cursor.end {
                    return false;
                }
                cursor.more = memory.bits[(view.summary + cursor.at) as usize];
                cursor.at += 1;
            }
            let word = (cursor.at - 1) * 64 + cursor.more.trailing_zeros();
            cursor.more &= cursor.more - 1;
            cursor.bits = memory.bits[(view.first + word) as usize];
            cursor.offset = (word - cursor.base) * 64;
        }
        self.take(l);
        true
    }

    #[inline(always)]
    fn rows(&mut self, l: &RowLoop) -> bool {
        let key = self.place(0, l.key);
        if key >= l.keys {
            return false;
        }
        let list = (l.index + key) as usize;
        let (at, end) = (self.code.rows[list], self.code.rows[list + 1]);
        let cursor = &mut self.memory.cursors[l.cursor as usize];
        (cursor.at, cursor.end) = (at, end);
        self.rows_next(l)
    }

    #[inline(always)]
    fn rows_next(&mut self, l: &RowLoop) -> bool {
        let code = self.code;
        let memory = &mut *self.memory;
        let cursor = &mut memory.cursors[l.cursor as usize];
        if cursor.at == cursor.end {
            return false;
        }
        let row = &code.rows[cursor.at as usize..];
        cursor.at += u32::from(l.width);
        for bind in l.binds.of(&code.binds) {
            memory.registers[bind.register as usize] = row[bind.column as usize];
        }
        memory.steps += 1;
        true
    }

    fn carry(&mut self, carry: Carry) {
        let mask = carry.mask.of(&self.code.masks);
        let bits = &mut self.memory.bits;
        for word in 0..carry.words as usize {
            let kept = mask.get(word).copied().unwrap_or(u64::MAX);
            let value = bits[carry.from as usize + word] & kept;
            let into = &mut bits[carry.into as usize + word];
            *into = if carry.joins { *into | value } else { value };
        }
    }

    fn remove(&mut self, remove: Remove) {
        let place = self.place(0, remove.row);
        let shape = &self.code.shapes[remove.shape as usize];
        if place / 64 >= remove.words {
            return;
        }
        let gone = shape.pattern << (place % 64);
        for offset in shape.offsets.of(&self.code.offsets) {
            let word = remove.first + place / 64 + offset;
            self.memory.bits[word as usize] &= !gone;
        }
    }
}
