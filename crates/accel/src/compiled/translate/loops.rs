//! Loops over rows.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{BlockArg, InstBuilder, MemFlags, Value, types};
use paidia_reason::compiled::code::{Address, Loop, RowLoop, Shape, Span};

use super::Writer;
use crate::compiled::places;
use crate::compiled::run::offsets;

impl Writer<'_> {
    /// Counts a row as looked at; if there were too many, the function ends.
    fn count(&mut self) {
        let flags = MemFlags::trusted();
        let ins = self.builder.ins();
        let left = ins.load(types::I64, flags, self.frame, offsets::LEFT);
        let left = self.builder.ins().iadd_imm(left, -1);
        let ins = self.builder.ins();
        ins.store(flags, left, self.frame, offsets::LEFT);
        let ins = self.builder.ins();
        let over = ins.icmp_imm(IntCC::SignedLessThan, left, 0);
        let block = self.builder.create_block();
        self.builder.ins().brif(over, self.finish, &[], block, &[]);
        self.builder.switch_to_block(block);
    }

    fn shape(&self, l: &Loop) -> Shape {
        self.code.shapes[l.shape as usize]
    }

    /// The bits of a word from a place on that a shape has.
    fn bits_of(&mut self, word: Value, place: Value, pattern: u64) -> Value {
        let bits = self.builder.ins().ushr(word, place);
        match pattern {
            u64::MAX => bits,
            _ => {
                let pattern = self.number(pattern);
                self.builder.ins().band(bits, pattern)
            }
        }
    }

    /// The lowest of some bits goes to the registers of a loop; the others.
    fn take(&mut self, bits: Value, offset: Option<Value>, l: &Loop) -> Value {
        let fields = self.shape(l).fields.of(&self.code.fields);
        let low = self.builder.ins().ctz(bits);
        let place = match offset {
            Some(offset) => self.builder.ins().bor(offset, low),
            None => low,
        };
        for field in fields {
            let value = match field.shift {
                0 => place,
                shift => self.builder.ins().ushr_imm(place, i64::from(shift)),
            };
            let value = self.builder.ins().band_imm(value, i64::from(field.mask));
            self.registers[field.register as usize] = Some((value, u64::from(field.mask) + 1));
        }
        let less = self.builder.ins().iadd_imm(bits, -1);
        self.builder.ins().band(bits, less)
    }

    pub(super) fn window(&mut self, at: Address, l: &Loop) -> Option<()> {
        let place = self.place(l.start, l.key)?;
        self.check(place, 0, l.exit)?;
        self.count();
        let address = self.address(place.value);
        let word = self.load_word(address, 0);
        let bits = self.bits_of(word, place.value, self.shape(l).pattern);
        self.states.insert(at + 1, vec![bits]);
        self.go(at + 1)
    }

    pub(super) fn window_next(&mut self, at: Address, l: &Loop) -> Option<()> {
        let bits = self.builder.block_params(self.blocks[&at])[0];
        self.go_on_if(bits, l.exit)?;
        let rest = self.take(bits, None, l);
        self.states.insert(at, vec![rest]);
        self.go(at + 1)
    }

    pub(super) fn sweep(&mut self, at: Address, l: &Loop) -> Option<()> {
        let place = self.place(l.start, l.key)?;
        let Span { start, end } = self.shape(l).offsets;
        let offsets = self.shape(l).offsets.of(&self.code.offsets);
        let most = offsets.iter().copied().max().unwrap_or(0);
        self.check(place, most.into(), l.exit)?;
        let none = self.number(0);
        let [start, _] = [start, end].map(|number| self.number(number.into()));
        self.states
            .insert(at + 1, vec![none, none, start, place.value]);
        self.go(at + 1)
    }

    /// Bits left of the present word, what that word counts, the next offset, and the place of the
    /// key.
    pub(super) fn sweep_next(&mut self, at: Address, l: &Loop) -> Option<()> {
        let again = self.blocks[&at];
        let &[bits, offset, next, base] = self.builder.block_params(again) else {
            return None;
        };
        let shape = self.shape(l);
        let (found, look) = (self.builder.create_block(), self.builder.create_block());
        self.builder.ins().brif(bits, found, &[], look, &[]);
        self.builder.switch_to_block(look);
        let ins = self.builder.ins();
        let end = i64::from(shape.offsets.end);
        let more = ins.icmp_imm(IntCC::UnsignedLessThan, next, end);
        self.go_on_if(more, l.exit)?;
        let words = self.load(self.data.offsets.as_ptr() as u64, next);
        let after = self.builder.ins().iadd_imm(next, 1);
        let first = self.builder.ins().ushr_imm(base, 6);
        let word = self.builder.ins().iadd(first, words);
        let address = self.word_address(word);
        let word = self.load_word(address, 0);
        let new_bits = self.bits_of(word, base, shape.pattern);
        let new_offset = self.builder.ins().ishl_imm(words, 6);
        let state = [new_bits, new_offset, after, base].map(BlockArg::from);
        self.builder.ins().jump(again, &state);
        self.builder.switch_to_block(found);
        self.count();
        let rest = self.take(bits, Some(offset), l);
        self.states.insert(at, vec![rest, offset, next, base]);
        self.go(at + 1)
    }

    pub(super) fn sparse(&mut self, at: Address, l: &Loop) -> Option<()> {
        let place = self.place(l.start, l.key)?;
        let shape = self.shape(l);
        let view = self.code.views[shape.view as usize];
        let (first, end) = (
            u64::from(view.first) * 64,
            u64::from(view.first + view.words),
        );
        let summary_end = view.summary + view.words.div_ceil(64);
        let region = u64::from(shape.words);
        if !region.is_power_of_two()
            || u64::from(view.words) < region
            || end.max(summary_end.into()) > self.words()
        {
            return None;
        }
        // A place of the view, with a whole region after it.
        let relative = self.builder.ins().iadd_imm(place.value, -(first as i64));
        let limit = (u64::from(view.words) - region + 1) * 64;
        let ins = self.builder.ins();
        let inside = ins.icmp_imm(IntCC::UnsignedLessThan, relative, limit as i64);
        self.go_on_if(inside, l.exit)?;
        let word = self.builder.ins().ushr_imm(relative, 6);
        let number = self.builder.ins().ushr_imm(word, 6);
        let address = self.plus(number, view.summary.into());
        let address = self.word_address(address);
        let summary = self.load_word(address, 0);
        let words = self.number(u64::MAX >> (64 - region.min(64)));
        let mask = self.builder.ins().ishl(words, word);
        let more = self.builder.ins().band(summary, mask);
        let after = self.builder.ins().iadd_imm(number, 1);
        let last = self.plus(word, region);
        let last = self.builder.ins().iadd_imm(last, 63);
        let last = self.builder.ins().ushr_imm(last, 6);
        let none = self.number(0);
        self.states
            .insert(at + 1, vec![none, none, more, after, last, word]);
        self.go(at + 1)
    }

    /// Bits left of the present word, what that word counts, words left of the present word of the
    /// summary, the next one of those, their end, and the first word of the region.
    pub(super) fn sparse_next(&mut self, at: Address, l: &Loop) -> Option<()> {
        let again = self.blocks[&at];
        let &[bits, offset, more, next, end, base] = self.builder.block_params(again) else {
            return None;
        };
        let view = self.code.views[self.shape(l).view as usize];
        let [found, look, word, summary] = [(); 4].map(|()| self.builder.create_block());
        self.builder.ins().brif(bits, found, &[], look, &[]);
        self.builder.switch_to_block(look);
        self.builder.ins().brif(more, word, &[], summary, &[]);

        self.builder.switch_to_block(word);
        let low = self.builder.ins().ctz(more);
        let less = self.builder.ins().iadd_imm(more, -1);
        let rest = self.builder.ins().band(more, less);
        let number = self.builder.ins().iadd_imm(next, -1);
        let number = self.builder.ins().ishl_imm(number, 6);
        let number = self.builder.ins().bor(number, low);
        // The summary has bits for words of the view alone.
        let most = self.number(u64::from(view.words) - 1);
        let number = self.builder.ins().umin(number, most);
        let place = self.plus(number, view.first.into());
        let address = self.word_address(place);
        let new_bits = self.load_word(address, 0);
        let new_offset = self.builder.ins().isub(number, base);
        let new_offset = self.builder.ins().ishl_imm(new_offset, 6);
        let state = [new_bits, new_offset, rest, next, end, base].map(BlockArg::from);
        self.builder.ins().jump(again, &state);

        self.builder.switch_to_block(summary);
        let ins = self.builder.ins();
        let is_next = ins.icmp(IntCC::UnsignedLessThan, next, end);
        self.go_on_if(is_next, l.exit)?;
        let address = self.plus(next, view.summary.into());
        let address = self.word_address(address);
        let marks = self.load_word(address, 0);
        let after = self.builder.ins().iadd_imm(next, 1);
        let state = [bits, offset, marks, after, end, base].map(BlockArg::from);
        self.builder.ins().jump(again, &state);

        self.builder.switch_to_block(found);
        self.count();
        let rest = self.take(bits, Some(offset), l);
        self.states
            .insert(at, vec![rest, offset, more, next, end, base]);
        self.go(at + 1)
    }

    pub(super) fn rows(&mut self, at: Address, l: &RowLoop) -> Option<()> {
        if !places::has_whole_lists(self.code, l) {
            return None;
        }
        let key = self.place(0, l.key)?;
        if key.most >= u64::from(l.keys) {
            let ins = self.builder.ins();
            let inside = ins.icmp_imm(IntCC::UnsignedLessThan, key.value, i64::from(l.keys));
            self.go_on_if(inside, l.exit)?;
        }
        let base = self.data.rows.as_ptr() as u64 + u64::from(l.index) * 4;
        let next = self.load(base, key.value);
        let end = self.load(base + 4, key.value);
        self.states.insert(at + 1, vec![next, end]);
        self.go(at + 1)
    }

    pub(super) fn rows_next(&mut self, at: Address, l: &RowLoop) -> Option<()> {
        let &[next, end] = self.builder.block_params(self.blocks[&at]) else {
            return None;
        };
        let more = self.builder.ins().icmp(IntCC::NotEqual, next, end);
        self.go_on_if(more, l.exit)?;
        self.count();
        let base = self.data.rows.as_ptr() as u64;
        for bind in l.binds.of(&self.code.binds) {
            let value = self.load(base + u64::from(bind.column) * 4, next);
            let below = places::above_column(self.code, l, bind.column);
            self.registers[bind.register as usize] = Some((value, below));
        }
        let after = self.builder.ins().iadd_imm(next, i64::from(l.width));
        self.states.insert(at, vec![after, end]);
        self.go(at + 1)
    }
}
