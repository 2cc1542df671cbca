//! Places, and the words of bits at them.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, MemFlags, Value, types};
use paidia_reason::compiled::code::{Address, Carry, Mark, PLAIN, Read, Remove, Span, Test};

use super::Writer;
use crate::compiled::places::Weight;

/// A place in the bits: a number, or a start that is known with what is added to it.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) value: Value,
    /// The most that it can be.
    pub(super) most: u64,
}

impl Writer<'_> {
    /// What a value counts, and the most that it can be.
    pub(super) fn weight(&mut self, read: &Read) -> Option<(Value, u64)> {
        let (weight, most) = self.known(read)?;
        let value = match weight {
            Weight::Constant(number) => self.number(number),
            Weight::Shifted { shift, plus } => {
                let value = self.register(read.register)?;
                let value = self.shifted(value, shift);
                self.plus(value, plus)
            }
            Weight::Entry(start) => {
                let value = self.register(read.register)?;
                self.entry(value, start)
            }
            Weight::Checked => {
                let value = self.register(read.register)?;
                let (first, span) = (read.weights.first, read.weights.span);
                let ins = self.builder.ins();
                let value = ins.iadd_imm(value, -i64::from(first));
                let span = self.number(span.into());
                let value = self.builder.ins().umin(value, span);
                self.entry(value, read.weights.start)
            }
        };
        Some((value, most))
    }

    pub(super) fn shifted(&mut self, value: Value, shift: u32) -> Value {
        match shift {
            0 => value,
            _ => self.builder.ins().ishl_imm(value, i64::from(shift)),
        }
    }

    pub(super) fn plus(&mut self, value: Value, number: u64) -> Value {
        match number {
            0 => value,
            _ => self.builder.ins().iadd_imm(value, number as i64),
        }
    }

    /// An entry of the tables.
    fn entry(&mut self, value: Value, start: u32) -> Value {
        let base = self.data.tables.as_ptr() as u64 + u64::from(start) * 4;
        self.load(base, value)
    }

    /// A number of an array of the data that starts at `base`.
    pub(super) fn load(&mut self, base: u64, index: Value) -> Value {
        let base = self.number(base);
        let offset = self.shifted(index, 2);
        let address = self.builder.ins().iadd(base, offset);
        let flags = MemFlags::trusted().with_readonly();
        self.builder.ins().uload32(flags, address, 0)
    }

    /// The place at `start` and the weights of some values after it.
    pub(super) fn place(&mut self, start: u32, reads: Span) -> Option<Place> {
        let (mut known, mut most) = (u64::from(start), u64::from(start));
        let mut sum: Option<Value> = None;
        for read in reads.of(&self.code.reads) {
            let (weight, above) = self.known(read)?;
            most += above;
            let value = match weight {
                Weight::Constant(number) => {
                    known += number;
                    continue;
                }
                Weight::Shifted { shift, plus } => {
                    known += plus;
                    let value = self.register(read.register)?;
                    self.shifted(value, shift)
                }
                _ => self.weight(read)?.0,
            };
            sum = Some(match sum {
                Some(sum) => self.builder.ins().iadd(sum, value),
                None => value,
            });
        }
        let value = match sum {
            Some(sum) => self.plus(sum, known),
            None => self.number(known),
        };
        Some(Place { value, most })
    }

    /// How many words there are.
    pub(super) fn words(&self) -> u64 {
        self.code.bits.len() as u64
    }

    /// Goes on at `otherwise` if fewer than `words_after` words could, and do, follow a place.
    pub(super) fn check(
        &mut self,
        place: Place,
        words_after: u64,
        otherwise: Address,
    ) -> Option<()> {
        let limit = self.words().checked_sub(words_after)? * 64;
        if place.most < limit {
            return Some(());
        }
        let ins = self.builder.ins();
        let inside = ins.icmp_imm(IntCC::UnsignedLessThan, place.value, limit as i64);
        self.go_on_if(inside, otherwise)
    }

    /// The address of the word of a place.
    pub(super) fn address(&mut self, place: Value) -> Value {
        let word = self.builder.ins().ushr_imm(place, 6);
        self.word_address(word)
    }

    pub(super) fn word_address(&mut self, word: Value) -> Value {
        let offset = self.builder.ins().ishl_imm(word, 3);
        let bits = self.builder.use_var(self.bits);
        self.builder.ins().iadd(bits, offset)
    }

    pub(super) fn load_word(&mut self, address: Value, offset: u32) -> Value {
        let flags = MemFlags::trusted();
        let offset = (offset * 8) as i32;
        self.builder.ins().load(types::I64, flags, address, offset)
    }

    pub(super) fn store_word(&mut self, value: Value, address: Value, offset: u32) {
        let flags = MemFlags::trusted();
        let offset = (offset * 8) as i32;
        self.builder.ins().store(flags, value, address, offset);
    }

    pub(super) fn test(&mut self, at: Address, test: &Test, expected: bool) -> Option<()> {
        let place = self.place(test.start, test.row)?;
        self.check(place, 0, if expected { test.exit } else { at + 1 })?;
        let address = self.address(place.value);
        let word = self.load_word(address, 0);
        let bit = self.builder.ins().ushr(word, place.value);
        let bit = self.builder.ins().band_imm(bit, 1);
        self.branch_if(bit, expected, at + 1, test.exit)
    }

    /// Sets a bit. Goes on elsewhere if there is no `follows`, or the bit was set.
    pub(super) fn mark(&mut self, mark: &Mark, follows: Option<Address>) -> Option<()> {
        let place = self.place(mark.start, mark.row)?;
        self.check(place, 0, mark.next)?;
        let address = self.address(place.value);
        let word = self.load_word(address, 0);
        let one = self.number(1);
        let bit = self.builder.ins().ishl(one, place.value);
        let marked = self.builder.ins().bor(word, bit);
        self.store_word(marked, address, 0);
        if mark.view != PLAIN {
            self.mark_summary(mark.view, place.value)?;
        }
        match follows {
            Some(follows) => {
                let known = self.builder.ins().band(word, bit);
                self.branch_if(known, false, follows, mark.next)
            }
            None => self.go(mark.next),
        }
    }

    fn mark_summary(&mut self, view: u32, place: Value) -> Option<()> {
        let view = self.code.views[view as usize];
        let last = view.summary + (view.words - 1) / 64;
        if u64::from(last) >= self.words() {
            return None;
        }
        let word = self.builder.ins().ushr_imm(place, 6);
        let word = self.builder.ins().iadd_imm(word, -i64::from(view.first));
        // The place is one of the view; should it be none, the mark is on its last words.
        let most = self.number(u64::from(view.words) - 1);
        let word = self.builder.ins().umin(word, most);
        let number = self.builder.ins().ushr_imm(word, 6);
        let number = self.plus(number, view.summary.into());
        let address = self.word_address(number);
        let marks = self.load_word(address, 0);
        let one = self.number(1);
        let bit = self.builder.ins().ishl(one, word);
        let marks = self.builder.ins().bor(marks, bit);
        self.store_word(marks, address, 0);
        Some(())
    }

    pub(super) fn carry(&mut self, at: Address, carry: &Carry) -> Option<()> {
        let end = carry.from.max(carry.into) + carry.words;
        if u64::from(end) > self.words() {
            return None;
        }
        let masks = carry.mask.of(&self.code.masks);
        let bits = self.builder.use_var(self.bits);
        for word in 0..carry.words {
            let mask = masks.get(word as usize).copied().unwrap_or(u64::MAX);
            let mut value = self.load_word(bits, carry.from + word);
            if mask != u64::MAX {
                let mask = self.number(mask);
                value = self.builder.ins().band(value, mask);
            }
            if carry.joins {
                let before = self.load_word(bits, carry.into + word);
                value = self.builder.ins().bor(before, value);
            }
            self.store_word(value, bits, carry.into + word);
        }
        self.go(at + 1)
    }

    pub(super) fn remove(&mut self, remove: &Remove) -> Option<()> {
        let shape = self.code.shapes[remove.shape as usize];
        let offsets = shape.offsets.of(&self.code.offsets);
        let most = offsets.iter().copied().max().unwrap_or(0);
        let place = self.place(0, remove.row)?;
        if u64::from(remove.first + remove.words) > self.words() {
            return None;
        }
        let limit = u64::from(remove.words.checked_sub(most)?) * 64;
        if place.most >= limit {
            let ins = self.builder.ins();
            let inside = ins.icmp_imm(IntCC::UnsignedLessThan, place.value, limit as i64);
            self.go_on_if(inside, remove.next)?;
        }
        let pattern = self.number(shape.pattern);
        let gone = self.builder.ins().ishl(pattern, place.value);
        let address = self.address(place.value);
        for offset in offsets {
            let word = self.load_word(address, remove.first + offset);
            let word = self.builder.ins().band_not(word, gone);
            self.store_word(word, address, remove.first + offset);
        }
        self.go(remove.next)
    }
}
