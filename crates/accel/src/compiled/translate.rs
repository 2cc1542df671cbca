//! From the instructions of an entry to machine code.
//!
//! Every instruction is a block. Values of registers need no memory: whatever writes a register
//! comes before all that read it, on every way through the code, because the code is made of nested
//! loops. What a loop must know of how far it is are the parameters of the block that takes its
//! next row; a jump to the next row comes from within the loop, and passes on what the loop knew
//! after the last.

mod bits;
mod loops;

use cranelift_codegen::Context;
use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    AbiParam, Block, BlockArg, Function, InstBuilder, MemFlags, SigRef, Signature, UserFuncName,
    Value, types,
};
use cranelift_codegen::isa::{CallConv, TargetIsa};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext, Variable};
use paidia_reason::compiled::code::{Address, Code, Instruction, Read};
use rustc_hash::FxHashMap;

use super::places::{self, ANYTHING, Weight};
use super::run::{Data, answers, offsets};

/// Up to this many words are copied one by one.
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

    /// The machine code, a function of a frame that takes at most `stack` bytes of the stack;
    /// `None` if it cannot be made.
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
    /// Where the words of bits are.
    bits: Variable,
    /// Where the machine's registers are.
    memory: Variable,
    step: SigRef,
}

impl<'a> Writer<'a> {
    fn new(translator: &'a Translator<'a>, mut builder: FunctionBuilder<'a>) -> Self {
        let code = translator.code;
        let start = builder.create_block();
        builder.append_block_params_for_function_params(start);
        builder.switch_to_block(start);
        let frame = builder.block_params(start)[0];
        let [bits, memory] = [(); 2].map(|()| builder.declare_var(types::I64));
        let mut blocks = FxHashMap::default();
        for &at in &translator.reached {
            let block = builder.create_block();
            for _ in 0..parameters(&code.instructions[at as usize]) {
                builder.append_block_param(block, types::I64);
            }
            blocks.insert(at, block);
        }
        let finish = builder.create_block();
        let mut signature = Signature::new(CallConv::SystemV);
        let word = AbiParam::new(types::I64);
        signature.params.extend([word, word]);
        signature.returns.push(word);
        let mut writer = Self {
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
        };
        writer.find_memory();
        let entry = writer.blocks[&translator.entry];
        writer.builder.ins().jump(entry, &[]);
        writer
    }

    /// Reads from the frame where bits and registers are: at the start, and after every call,
    /// before which the machine's own accesses end what the addresses were good for.
    fn find_memory(&mut self) {
        for (variable, offset) in [
            (self.bits, offsets::BITS),
            (self.memory, offsets::REGISTERS),
        ] {
            let ins = self.builder.ins();
            let address = ins.load(types::I64, MemFlags::trusted(), self.frame, offset);
            self.builder.def_var(variable, address);
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
        places::weight(self.code.tables.entries(), read.weights, below)
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

    /// Lets the machine do an instruction.
    fn call(&mut self, at: Address) -> Option<()> {
        let flags = MemFlags::trusted();
        let instruction = self.code.instructions[at as usize];
        for register in places::read(self.code, &instruction) {
            // Constants are in their registers already.
            if register as usize >= self.code.constants.len() {
                let value = self.register(register)?;
                let memory = self.builder.use_var(self.memory);
                let offset = (register * 4) as i32;
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
        self.find_memory();
        let ins = self.builder.ins();
        let stop = ins.icmp_imm(IntCC::Equal, answer, answers::STOP as i64);
        let block = self.builder.create_block();
        self.builder.ins().brif(stop, self.finish, &[], block, &[]);
        self.builder.switch_to_block(block);
        let memory = self.builder.use_var(self.memory);
        for register in places::written(self.code, &instruction) {
            let offset = (register * 4) as i32;
            let ins = self.builder.ins();
            let value = ins.uload32(flags, memory, offset);
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
