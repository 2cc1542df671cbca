//! From the instructions of an entry to machine code.
//!
//! Every instruction is a block. Values of registers need no memory: whatever writes a register comes before all that read it, on
//! every way through the code, because the code is made of nested loops. What a loop must know of how far it is are the
//! parameters of the block that takes its next row; whoever goes on with the next row is within the loop, and passes on what the
//! loop knew after the last.

use cranelift_codegen::Context;
use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    AbiParam, Block, BlockArg, Function, InstBuilder, MemFlags, SigRef, Signature, UserFuncName,
    Value, types,
};
use cranelift_codegen::isa::{CallConv, TargetIsa};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use paidia_reason::compiled::code::{
    Address, Carry, Code, Instruction, Loop, Mark, PLAIN, Read, Remove, RowLoop, Shape, Span, Test,
};
use rustc_hash::FxHashMap;

use super::places::{self, ANYTHING, Weight};
use super::run::{Data, answers, offsets};

/// Words are copied one by one, up to so many.
const MOST_COPIED: u32 = 16;

/// What can be translated of an entry.
pub(super) struct Translator<'a> {
    code: &'a Code,
    data: &'a Data,
    entry: Address,
    /// The instructions that can be reached, in their order.
    reached: Vec<Address>,
}

impl<'a> Translator<'a> {
    pub(super) fn new(code: &'a Code, data: &'a Data, entry: Address) -> Self {
        let mut reached = Vec::new();
        let mut open = vec![entry];
        let mut seen = vec![false; code.instructions.len()];
        while let Some(at) = open.pop() {
            if std::mem::replace(&mut seen[at as usize], true) {
                continue;
            }
            reached.push(at);
            let instruction = code.instructions[at as usize];
            open.extend(instruction.target());
            if !ends(&instruction) {
                open.push(at + 1);
            }
        }
        reached.sort_unstable();
        Self {
            code,
            data,
            entry,
            reached,
        }
    }

    /// How many instructions there are.
    pub(super) fn size(&self) -> usize {
        self.reached.len()
    }

    /// The machine code, a function of a frame that takes at most so much of the stack; `None` if it cannot be made.
    pub(super) fn translate(&self, isa: &dyn TargetIsa, stack: u32) -> Option<Vec<u8>> {
        let mut context = Context::new();
        let mut signature = Signature::new(CallConv::SystemV);
        signature.params.push(AbiParam::new(types::I64));
        context.func = Function::with_name_signature(UserFuncName::default(), signature);
        let mut scratch = FunctionBuilderContext::new();
        let builder = FunctionBuilder::new(&mut context.func, &mut scratch);
        Writer::new(self, builder).write()?;
        let compiled = context.compile(isa, &mut ControlPlane::default()).ok()?;
        let is_whole = compiled.buffer.relocs().is_empty() && compiled.frame_size <= stack;
        is_whole.then(|| compiled.code_buffer().to_vec())
    }
}

/// Whether the instruction after this one is not reached from it.
fn ends(instruction: &Instruction) -> bool {
    use Instruction as I;
    matches!(
        instruction,
        I::Done
            | I::Jump { .. }
            | I::Accept(_)
            | I::Remove(_)
            | I::AcceptHash { .. }
            | I::Answer { .. }
    )
}

/// How many parameters the block of an instruction has: what its loop must know.
fn parameters(instruction: &Instruction) -> usize {
    match instruction {
        Instruction::WindowNext(_) => 1,
        Instruction::RowsNext(_) => 2,
        Instruction::SweepNext(_) => 4,
        Instruction::SparseNext(_) => 6,
        _ => 0,
    }
}

/// A place in the bits: a number, or a start that is known with what is added to it.
#[derive(Clone, Copy)]
struct Place {
    value: Value,
    /// The most that it can be.
    most: u64,
}

/// Writes a function.
struct Writer<'a> {
    code: &'a Code,
    data: &'a Data,
    reached: &'a [Address],
    builder: FunctionBuilder<'a>,
    blocks: FxHashMap<Address, Block>,
    /// For the instructions that take the next row, what their loops know after the last.
    states: FxHashMap<Address, Vec<Value>>,
    /// The values of registers, each with a number that it is always below.
    registers: Vec<Option<(Value, u64)>>,
    finish: Block,
    frame: Value,
    bits: Value,
    memory: Value,
    step: SigRef,
}

impl<'a> Writer<'a> {
    fn new(translator: &'a Translator<'a>, mut builder: FunctionBuilder<'a>) -> Self {
        let code = translator.code;
        let start = builder.create_block();
        builder.append_block_params_for_function_params(start);
        builder.switch_to_block(start);
        let frame = builder.block_params(start)[0];
        let flags = MemFlags::trusted();
        let [bits, memory] = [offsets::BITS, offsets::REGISTERS]
            .map(|offset| builder.ins().load(types::I64, flags, frame, offset));
        let mut blocks = FxHashMap::default();
        for &at in &translator.reached {
            let block = builder.create_block();
            for _ in 0..parameters(&code.instructions[at as usize]) {
                builder.append_block_param(block, types::I64);
            }
            blocks.insert(at, block);
        }
        let finish = builder.create_block();
        builder.ins().jump(blocks[&translator.entry], &[]);
        let mut signature = Signature::new(CallConv::SystemV);
        let word = AbiParam::new(types::I64);
        signature.params.extend([word, word]);
        signature.returns.push(word);
        Self {
            code,
            data: translator.data,
            reached: &translator.reached,
            step: builder.import_signature(signature),
            registers: vec![None; code.registers],
            states: FxHashMap::default(),
            builder,
            blocks,
            finish,
            frame,
            bits,
            memory,
        }
    }

    /// Writes all blocks; `None` if some instruction makes no sense.
    fn write(mut self) -> Option<()> {
        for &at in self.reached {
            let block = self.blocks[&at];
            self.builder.switch_to_block(block);
            self.instruction(at)?;
        }
        self.builder.switch_to_block(self.finish);
        self.builder.ins().return_(&[]);
        self.builder.seal_all_blocks();
        self.builder.finalize();
        Some(())
    }

    fn instruction(&mut self, at: Address) -> Option<()> {
        use Instruction as I;
        match &self.code.instructions[at as usize] {
            I::Window(l) => self.window(at, l),
            I::WindowNext(l) => self.window_next(at, l),
            I::Sweep(l) => self.sweep(at, l),
            I::SweepNext(l) => self.sweep_next(at, l),
            I::Sparse(l) => self.sparse(at, l),
            I::SparseNext(l) => self.sparse_next(at, l),
            I::Rows(l) => self.rows(at, l),
            I::RowsNext(l) => self.rows_next(at, l),
            I::Holds(test) => self.test(at, test, true),
            I::Fails(test) => self.test(at, test, false),
            I::Same {
                left,
                right,
                expected,
                exit,
            } => {
                let (left, right) = (self.register(*left)?, self.register(*right)?);
                let same = self.builder.ins().icmp(IntCC::Equal, left, right);
                self.branch_if(same, *expected, at + 1, *exit)
            }
            I::Is {
                value,
                number,
                expected,
                exit,
            } => {
                let value = self.register(*value)?;
                let ins = self.builder.ins();
                let same = ins.icmp_imm(IntCC::Equal, value, i64::from(*number));
                self.branch_if(same, *expected, at + 1, *exit)
            }
            I::Within { value, exit } => {
                let (weight, _) = self.weight(value)?;
                self.branch_if(weight, false, at + 1, *exit)
            }
            I::Translate { value, into } => {
                let (weight, most) = self.weight(value)?;
                self.registers[*into as usize] = Some((weight, most + 1));
                self.go(at + 1)
            }
            I::Jump { exit } => self.go(*exit),
            I::Mark(mark) => self.mark(mark, Some(at + 1)),
            I::Accept(mark) => self.mark(mark, None),
            I::Carry(carry) if carry.words <= MOST_COPIED => self.carry(at, carry),
            I::Remove(remove) => self.remove(remove),
            I::Done => {
                self.builder.ins().jump(self.finish, &[]);
                Some(())
            }
            _ => self.call(at),
        }
    }

    fn register(&mut self, register: u32) -> Option<Value> {
        if let Some(&constant) = self.code.constants.get(register as usize) {
            return Some(self.number(constant.into()));
        }
        self.registers[register as usize].map(|(value, _)| value)
    }

    /// What is known of a read's weight, and the most that it can be.
    fn known(&self, read: &Read) -> Option<(Weight, u64)> {
        let below = match self.code.constants.get(read.register as usize) {
            Some(&constant) => u64::from(constant) + 1,
            None => self.registers[read.register as usize]?.1,
        };
        Some(places::weight(self.code, read, below))
    }

    fn number(&mut self, number: u64) -> Value {
        self.builder.ins().iconst(types::I64, number as i64)
    }

    /// The block of an instruction with what its loop must be told.
    fn target(&self, at: Address) -> Option<(Block, Vec<BlockArg>)> {
        let block = *self.blocks.get(&at)?;
        let expected = parameters(&self.code.instructions[at as usize]);
        let state = match expected {
            0 => &[][..],
            _ => self.states.get(&at)?,
        };
        let state = state.iter().map(|&value| BlockArg::from(value));
        Some((block, state.collect()))
    }

    fn go(&mut self, at: Address) -> Option<()> {
        let (block, state) = self.target(at)?;
        self.builder.ins().jump(block, &state);
        Some(())
    }

    /// Goes on at `then` if a value is not zero as `expected`, else at `otherwise`.
    fn branch_if(
        &mut self,
        value: Value,
        expected: bool,
        then: Address,
        otherwise: Address,
    ) -> Option<()> {
        let (yes, yes_state) = self.target(if expected { then } else { otherwise })?;
        let (no, no_state) = self.target(if expected { otherwise } else { then })?;
        self.builder
            .ins()
            .brif(value, yes, &yes_state, no, &no_state);
        Some(())
    }

    /// Goes on in a new block if a value is not zero, else at `otherwise`.
    fn go_on_if(&mut self, value: Value, otherwise: Address) -> Option<()> {
        let (other, state) = self.target(otherwise)?;
        let block = self.builder.create_block();
        self.builder.ins().brif(value, block, &[], other, &state);
        self.builder.switch_to_block(block);
        Some(())
    }

    /// What a value counts, and the most that it can be.
    fn weight(&mut self, read: &Read) -> Option<(Value, u64)> {
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

    fn shifted(&mut self, value: Value, shift: u32) -> Value {
        match shift {
            0 => value,
            _ => self.builder.ins().ishl_imm(value, i64::from(shift)),
        }
    }

    fn plus(&mut self, value: Value, number: u64) -> Value {
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
    fn load(&mut self, base: u64, index: Value) -> Value {
        let base = self.number(base);
        let offset = self.shifted(index, 2);
        let address = self.builder.ins().iadd(base, offset);
        let flags = MemFlags::trusted().with_readonly();
        self.builder.ins().uload32(flags, address, 0)
    }

    /// The place at `start` and the weights of some values after it.
    fn place(&mut self, start: u32, reads: Span) -> Option<Place> {
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
    fn words(&self) -> u64 {
        self.code.bits.len() as u64
    }

    /// Goes on at `otherwise` if a place could be, and is, behind the last but so many words.
    fn check(&mut self, place: Place, words_after: u64, otherwise: Address) -> Option<()> {
        let limit = self.words().checked_sub(words_after)? * 64;
        if place.most < limit {
            return Some(());
        }
        let ins = self.builder.ins();
        let inside = ins.icmp_imm(IntCC::UnsignedLessThan, place.value, limit as i64);
        self.go_on_if(inside, otherwise)
    }

    /// The address of the word of a place.
    fn address(&mut self, place: Value) -> Value {
        let word = self.builder.ins().ushr_imm(place, 6);
        self.word_address(word)
    }

    fn word_address(&mut self, word: Value) -> Value {
        let offset = self.builder.ins().ishl_imm(word, 3);
        self.builder.ins().iadd(self.bits, offset)
    }

    fn load_word(&mut self, address: Value, offset: u32) -> Value {
        let flags = MemFlags::trusted();
        let offset = (offset * 8) as i32;
        self.builder.ins().load(types::I64, flags, address, offset)
    }

    fn store_word(&mut self, value: Value, address: Value, offset: u32) {
        let flags = MemFlags::trusted();
        let offset = (offset * 8) as i32;
        self.builder.ins().store(flags, value, address, offset);
    }

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

    fn test(&mut self, at: Address, test: &Test, expected: bool) -> Option<()> {
        let place = self.place(test.start, test.row)?;
        self.check(place, 0, if expected { test.exit } else { at + 1 })?;
        let address = self.address(place.value);
        let word = self.load_word(address, 0);
        let bit = self.builder.ins().ushr(word, place.value);
        let bit = self.builder.ins().band_imm(bit, 1);
        self.branch_if(bit, expected, at + 1, test.exit)
    }

    /// Sets a bit. Goes on elsewhere if there is no `follows`, or the bit was set.
    fn mark(&mut self, mark: &Mark, follows: Option<Address>) -> Option<()> {
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

    fn window(&mut self, at: Address, l: &Loop) -> Option<()> {
        let place = self.place(l.start, l.key)?;
        self.check(place, 0, l.exit)?;
        self.count();
        let address = self.address(place.value);
        let word = self.load_word(address, 0);
        let bits = self.bits_of(word, place.value, self.shape(l).pattern);
        self.states.insert(at + 1, vec![bits]);
        self.go(at + 1)
    }

    fn window_next(&mut self, at: Address, l: &Loop) -> Option<()> {
        let bits = self.builder.block_params(self.blocks[&at])[0];
        self.go_on_if(bits, l.exit)?;
        let rest = self.take(bits, None, l);
        self.states.insert(at, vec![rest]);
        self.go(at + 1)
    }

    fn sweep(&mut self, at: Address, l: &Loop) -> Option<()> {
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

    /// Bits left of the present word, what that word counts, the next offset, and the place of the key.
    fn sweep_next(&mut self, at: Address, l: &Loop) -> Option<()> {
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

    fn sparse(&mut self, at: Address, l: &Loop) -> Option<()> {
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

    /// Bits left of the present word, what that word counts, words left of the present word of the summary, the next one of
    /// those, their end, and the first word of the region.
    fn sparse_next(&mut self, at: Address, l: &Loop) -> Option<()> {
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

    fn rows(&mut self, at: Address, l: &RowLoop) -> Option<()> {
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

    fn rows_next(&mut self, at: Address, l: &RowLoop) -> Option<()> {
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

    fn carry(&mut self, at: Address, carry: &Carry) -> Option<()> {
        let end = carry.from.max(carry.into) + carry.words;
        if u64::from(end) > self.words() {
            return None;
        }
        let masks = carry.mask.of(&self.code.masks);
        for word in 0..carry.words {
            let mask = masks.get(word as usize).copied().unwrap_or(u64::MAX);
            let mut value = self.load_word(self.bits, carry.from + word);
            if mask != u64::MAX {
                let mask = self.number(mask);
                value = self.builder.ins().band(value, mask);
            }
            if carry.joins {
                let before = self.load_word(self.bits, carry.into + word);
                value = self.builder.ins().bor(before, value);
            }
            self.store_word(value, self.bits, carry.into + word);
        }
        self.go(at + 1)
    }

    fn remove(&mut self, remove: &Remove) -> Option<()> {
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

    /// Lets the machine do an instruction.
    fn call(&mut self, at: Address) -> Option<()> {
        let flags = MemFlags::trusted();
        let instruction = self.code.instructions[at as usize];
        for register in places::read(self.code, &instruction) {
            // Constants are in their registers already.
            if register as usize >= self.code.constants.len() {
                let value = self.register(register)?;
                let (memory, offset) = (self.memory, (register * 4) as i32);
                self.builder.ins().istore32(flags, value, memory, offset);
            }
        }
        let ins = self.builder.ins();
        let step = ins.load(types::I64, flags, self.frame, offsets::STEP);
        let number = self.number(at.into());
        let arguments = [self.frame, number];
        let ins = self.builder.ins();
        let call = ins.call_indirect(self.step, step, &arguments);
        let answer = self.builder.inst_results(call)[0];
        let ins = self.builder.ins();
        let stop = ins.icmp_imm(IntCC::Equal, answer, answers::STOP as i64);
        let block = self.builder.create_block();
        self.builder.ins().brif(stop, self.finish, &[], block, &[]);
        self.builder.switch_to_block(block);
        for register in places::written(self.code, &instruction) {
            let offset = (register * 4) as i32;
            let ins = self.builder.ins();
            let value = ins.uload32(flags, self.memory, offset);
            self.registers[register as usize] = Some((value, ANYTHING));
        }
        match instruction.target() {
            None => self.go(at + 1),
            Some(target) if ends(&instruction) => self.go(target),
            Some(target) => {
                let ins = self.builder.ins();
                let follows = ins.icmp_imm(IntCC::Equal, answer, answers::FOLLOWS as i64);
                self.branch_if(follows, true, at + 1, target)
            }
        }
    }
}
