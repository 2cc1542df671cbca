//! The machine that runs code: one loop over instructions, registers in a flat array, and no memory taken once warm.

use std::sync::Arc;

use paidia_gdl::datalog::table::NONE;
use paidia_gdl::datalog::{Calling, Exhausted, Tabling, TermId, Terms};

use super::code::{Address, Bind, Code, Instruction, Span, Table};
use super::container::{Container, is_set, set, window};
use crate::rows::LIMITS;

/// A compound term that was never built: no fact contains it.
const NO_TERM: TermId = u32::MAX - 1;

/// Calls within calls that fit a thread's usual stack of 2 MB, with as much room to spare.
const MOST_CALLS: usize = 600;

/// What a walker derives, and the memory to derive more.
#[derive(Clone)]
pub(super) struct Memory {
    /// One container a relation; those of relations that never change stay empty.
    pub(super) containers: Vec<Container>,
    /// The bit arrays of all relations.
    pub(super) bits: Vec<u64>,
    pub(super) terms: Terms,
    calling: Calling,
    registers: Vec<TermId>,
    /// For each loop around the present instruction, the row that comes next and the one at which to stop.
    cursors: Vec<(u32, u32)>,
    /// For each relation, the rows that are new in this round of a recursion.
    newest: Vec<(u32, u32)>,
    scratch: Vec<TermId>,
    /// Registers and cursors of those who wait for the answer to a call.
    waiting: Vec<u32>,
    calls: usize,
    /// Where the key of the call that is being answered starts in the scratch memory.
    argument: usize,
    steps: u64,
    rows: u64,
    exhausted: Option<Exhausted>,
}

impl Memory {
    pub(super) fn new(code: &Code, terms: Terms) -> Self {
        let mut registers = code.constants.clone();
        registers.resize(code.registers, 0);
        let arity =
            |relation: paidia_gdl::program::RelationId| code.layouts[relation.index()].arity;
        Self {
            containers: code.layouts.iter().map(Container::new).collect(),
            bits: code.bits.clone(),
            terms,
            calling: Calling::new(Arc::clone(&code.calls), arity, &code.changing),
            registers,
            cursors: vec![(0, 0); code.cursors],
            newest: vec![(0, 0); code.layouts.len()],
            scratch: Vec::new(),
            waiting: Vec::new(),
            calls: 0,
            argument: 0,
            steps: 0,
            rows: 0,
            exhausted: None,
        }
    }

    /// Forgets what was derived for a state; fluents are somebody else's.
    pub(super) fn forget(&mut self) {
        if !self.calling.calls().all.is_empty() {
            self.calling.forget();
        }
        self.steps = 0;
        self.rows = 0;
        self.exhausted = None;
    }

    /// What ran out since the last [`Self::forget`], if anything did; from then on nothing is derived.
    pub(super) fn exhausted(&self) -> Option<Exhausted> {
        self.exhausted
    }
}

/// The machine at work.
pub(super) struct Machine<'a> {
    pub(super) code: &'a Code,
    pub(super) memory: &'a mut Memory,
}

impl Machine<'_> {
    /// Runs instructions until the end, or until something runs out.
    pub(super) fn run(&mut self, entry: Address) {
        let code = self.code;
        let mut at = entry as usize;
        loop {
            at = match code.instructions[at] {
                Instruction::Scan {
                    table,
                    cursor,
                    binds,
                    exit,
                } => {
                    let rows = self.container(table).0.len();
                    if rows == 0 {
                        exit as usize
                    } else {
                        self.memory.cursors[cursor as usize] = (1, rows);
                        self.load(table, 0, binds);
                        at + 2
                    }
                }
                Instruction::ScanNext {
                    table,
                    cursor,
                    binds,
                    exit,
                } => {
                    let (row, end) = self.memory.cursors[cursor as usize];
                    if row >= end {
                        exit as usize
                    } else {
                        self.memory.cursors[cursor as usize].0 = row + 1;
                        self.load(table, row, binds);
                        if !self.may_go_on() {
                            return;
                        }
                        at + 1
                    }
                }
                Instruction::Probe {
                    table,
                    index,
                    cursor,
                    key,
                    binds,
                    exit,
                } => {
                    let place = self.place(0, key);
                    let container = self.container(table).0;
                    let row = container.first_at(index as usize, place);
                    if row == NONE {
                        exit as usize
                    } else {
                        let next = container.next(index as usize, row);
                        self.memory.cursors[cursor as usize].0 = next;
                        self.load(table, row, binds);
                        at + 2
                    }
                }
                Instruction::ProbeNext {
                    table,
                    index,
                    cursor,
                    binds,
                    exit,
                } => {
                    let row = self.memory.cursors[cursor as usize].0;
                    if row == NONE {
                        exit as usize
                    } else {
                        let next = self.container(table).0.next(index as usize, row);
                        self.memory.cursors[cursor as usize].0 = next;
                        self.load(table, row, binds);
                        if !self.may_go_on() {
                            return;
                        }
                        at + 1
                    }
                }
                Instruction::Window {
                    start,
                    key,
                    cursor,
                    values,
                    register,
                    exit,
                } => {
                    let place = self.place(start, key);
                    let values = values.of(&code.values);
                    let found = window(&self.memory.bits, place, values.len() as u32);
                    if found == 0 {
                        exit as usize
                    } else {
                        self.take_bit(found, cursor, values, register);
                        at + 2
                    }
                }
                Instruction::WindowNext {
                    cursor,
                    values,
                    register,
                    exit,
                } => {
                    let (low, high) = self.memory.cursors[cursor as usize];
                    let left = u64::from(high) << 32 | u64::from(low);
                    if left == 0 {
                        exit as usize
                    } else {
                        self.take_bit(left, cursor, values.of(&code.values), register);
                        at + 1
                    }
                }
                Instruction::Holds { start, row, exit } => {
                    let place = self.place(start, row);
                    match is_set(&self.memory.bits, place) {
                        true => at + 1,
                        false => exit as usize,
                    }
                }
                Instruction::Fails { start, row, exit } => {
                    let place = self.place(start, row);
                    match is_set(&self.memory.bits, place) {
                        false => at + 1,
                        true => exit as usize,
                    }
                }
                Instruction::Differ { left, right, exit } => {
                    match self.value(left) == self.value(right) {
                        false => at + 1,
                        true => exit as usize,
                    }
                }
                Instruction::Same { left, right, exit } => {
                    match self.value(left) == self.value(right) {
                        true => at + 1,
                        false => exit as usize,
                    }
                }
                Instruction::Within { value, exit } => {
                    let found = self.value(value.register);
                    match code.pool.weight(value.weights, found) {
                        0 => at + 1,
                        _ => exit as usize,
                    }
                }
                Instruction::Accept {
                    relation,
                    start,
                    row,
                    next,
                } => {
                    self.accept(relation as usize, start, row);
                    next as usize
                }
                Instruction::Done => return,
                other => {
                    let follows = self.rare(other);
                    if !self.may_go_on() {
                        return;
                    }
                    match (follows, other.target()) {
                        (false, Some(target)) => target as usize,
                        _ => at + 1,
                    }
                }
            };
        }
    }

    /// Takes the value of the lowest of some bits, and keeps the others for later.
    #[inline(always)]
    fn take_bit(&mut self, bits: u64, cursor: u16, values: &[u32], register: u32) {
        self.memory.registers[register as usize] = values[bits.trailing_zeros() as usize];
        let left = bits & (bits - 1);
        self.memory.cursors[cursor as usize] = (left as u32, (left >> 32) as u32);
        self.memory.steps += 1;
    }

    /// Whether nothing ran out.
    #[inline]
    fn may_go_on(&mut self) -> bool {
        let memory = &mut *self.memory;
        if memory.steps > LIMITS.steps {
            memory.exhausted.get_or_insert(Exhausted::Steps);
        } else if memory.rows > LIMITS.rows {
            memory.exhausted.get_or_insert(Exhausted::Rows);
        }
        memory.exhausted.is_none()
    }

    /// Instructions that most games do without; whether the next one follows.
    fn rare(&mut self, instruction: Instruction) -> bool {
        let code = self.code;
        match instruction {
            Instruction::ScanNewest { relation, cursor } => {
                self.memory.cursors[cursor as usize] = self.memory.newest[relation as usize];
                true
            }
            Instruction::ProbeHash {
                table,
                index,
                cursor,
                key,
                ..
            } => {
                let base = self.push(key);
                let (container, arity) = self.container(table);
                let key = &self.memory.scratch[base..];
                let row = container.first_with(index as usize, arity, key);
                self.memory.scratch.truncate(base);
                self.memory.cursors[cursor as usize].0 = row;
                row != NONE
            }
            Instruction::Find {
                table,
                row,
                expected,
                ..
            } => {
                let base = self.push(row);
                let (container, arity) = self.container(table);
                let found = container.finds(arity, &self.memory.scratch[base..]);
                self.memory.scratch.truncate(base);
                found == expected
            }
            Instruction::AcceptHash { relation, row, .. } => {
                let code = self.code;
                let memory = &mut *self.memory;
                let registers = &memory.registers;
                let reads = row.of(&code.reads).iter();
                let values = reads.map(|read| registers[read.register as usize]);
                let layout = &code.layouts[relation as usize];
                let container = &mut memory.containers[relation as usize];
                let new = container.insert_hashed(layout, &code.pool, values);
                memory.rows += u64::from(new);
                false
            }
            Instruction::DifferSomewhere { pairs, .. } => {
                let mut pairs = pairs.of(&code.reads).chunks_exact(2);
                pairs.any(|pair| self.value(pair[0].register) != self.value(pair[1].register))
            }
            Instruction::Plain { value, .. } => {
                let value = self.value(value);
                value != NO_TERM && self.memory.terms.parts(value).is_none()
            }
            Instruction::Build {
                function,
                args,
                into,
                make,
            } => self.build(function, args, into, make),
            Instruction::TakeApart {
                value,
                function,
                into,
                ..
            } => self.take_apart(value, function, into),
            Instruction::Argument { number, into } => {
                let place = self.memory.argument + number as usize;
                self.memory.registers[into as usize] = self.memory.scratch[place];
                true
            }
            Instruction::Ask { call, cursor, key } => {
                let base = self.push(key);
                self.ask(call as usize, base);
                let answers = self.memory.calling.answers(call as usize);
                let row = answers.first(0, &self.memory.scratch[base..]);
                self.memory.scratch.truncate(base);
                self.memory.cursors[cursor as usize].0 = row;
                true
            }
            Instruction::AskNext {
                call,
                cursor,
                binds,
                ..
            } => self.next_answer(call as usize, cursor, binds),
            Instruction::AskWhether {
                call,
                row,
                expected,
                ..
            } => {
                let base = self.push(row);
                self.ask(call as usize, base);
                let answers = self.memory.calling.answers(call as usize);
                let holds = answers.contains(&self.memory.scratch[base..]);
                self.memory.scratch.truncate(base);
                holds == expected
            }
            Instruction::Answer { call, row, .. } => {
                let base = self.push(row);
                let answers = self.memory.calling.answers_mut(call as usize);
                let new = answers.insert(&self.memory.scratch[base..]);
                self.memory.scratch.truncate(base);
                self.memory.rows += u64::from(new);
                false
            }
            Instruction::Begin { heads } => {
                for &head in heads.of(&code.heads) {
                    self.memory.newest[head as usize] = (0, 0);
                }
                true
            }
            Instruction::Round { heads, .. } => self.next_round(heads),
            _ => true,
        }
    }

    #[inline]
    fn value(&self, register: u32) -> TermId {
        self.memory.registers[register as usize]
    }

    /// The rows of a relation, and how many values each has.
    #[inline]
    fn container(&self, table: Table) -> (&Container, usize) {
        let (container, relation) = match table {
            Table::Fixed(relation) => (&self.code.fixed[relation as usize], relation),
            Table::Changing(relation) => (&self.memory.containers[relation as usize], relation),
        };
        (container, self.code.layouts[relation as usize].arity)
    }

    /// Copies values of a row to registers, and counts the row as looked at.
    #[inline(always)]
    fn load(&mut self, table: Table, row: u32, binds: Span) {
        let code = self.code;
        let memory = &mut *self.memory;
        let (container, relation) = match table {
            Table::Fixed(relation) => (&code.fixed[relation as usize], relation),
            Table::Changing(relation) => (&memory.containers[relation as usize], relation),
        };
        let values = container.row(row, code.layouts[relation as usize].arity);
        for &Bind { column, register } in binds.of(&code.binds) {
            memory.registers[register as usize] = values[column as usize];
        }
        memory.steps += 1;
    }

    /// The place at `start` and the weights of some values after it.
    #[inline(always)]
    fn place(&self, start: u32, reads: Span) -> u32 {
        let (pool, registers) = (&self.code.pool, &self.memory.registers);
        let reads = reads.of(&self.code.reads).iter();
        reads.fold(start, |place, read| {
            place + pool.weight(read.weights, registers[read.register as usize])
        })
    }

    #[inline]
    fn accept(&mut self, relation: usize, start: u32, row: Span) {
        let place = self.place(start, row);
        let code = self.code;
        let memory = &mut *self.memory;
        if !set(&mut memory.bits, place) {
            return;
        }
        let registers = &memory.registers;
        let reads = row.of(&code.reads).iter();
        let values = reads.map(|read| registers[read.register as usize]);
        let layout = &code.layouts[relation];
        memory.containers[relation].append(layout, &code.pool, place, values);
        memory.rows += 1;
    }

    /// Puts values at the end of the scratch memory; where they start.
    fn push(&mut self, row: Span) -> usize {
        let memory = &mut *self.memory;
        let base = memory.scratch.len();
        let reads = row.of(&self.code.reads).iter();
        let values = reads.map(|read| memory.registers[read.register as usize]);
        memory.scratch.extend(values);
        base
    }

    fn build(&mut self, function: u32, args: Span, into: u32, make: bool) -> bool {
        let base = self.memory.scratch.len();
        self.memory.scratch.push(function);
        self.push(args);
        let memory = &mut *self.memory;
        let parts = &memory.scratch[base..];
        let term = if parts[1..].contains(&NO_TERM) {
            NO_TERM
        } else if make {
            memory.terms.intern(parts).unwrap_or_else(|reason| {
                memory.exhausted = Some(reason.into());
                NO_TERM
            })
        } else {
            memory.terms.find(parts).unwrap_or(NO_TERM)
        };
        memory.scratch.truncate(base);
        memory.registers[into as usize] = term;
        true
    }

    fn take_apart(&mut self, value: u32, function: u32, into: Span) -> bool {
        let value = self.value(value);
        let memory = &mut *self.memory;
        let Some(parts) = memory.terms.parts(value) else {
            return false;
        };
        let registers = into.of(&self.code.binds);
        if parts[0] != function || parts.len() != registers.len() + 1 {
            return false;
        }
        for (bind, &part) in registers.iter().zip(&parts[1..]) {
            memory.registers[bind.register as usize] = part;
        }
        true
    }

    fn next_answer(&mut self, call: usize, cursor: u16, binds: Span) -> bool {
        let memory = &mut *self.memory;
        let row = memory.cursors[cursor as usize].0;
        if row == NONE {
            return false;
        }
        let answers = memory.calling.answers(call);
        memory.cursors[cursor as usize].0 = answers.next(0, row);
        for &Bind { column, register } in binds.of(&self.code.binds) {
            memory.registers[register as usize] = answers.value(row, column as usize);
        }
        memory.steps += 1;
        true
    }

    fn next_round(&mut self, heads: Span) -> bool {
        let memory = &mut *self.memory;
        let mut news = false;
        for &head in heads.of(&self.code.heads) {
            let newest = &mut memory.newest[head as usize];
            *newest = (newest.1, memory.containers[head as usize].len());
            news |= newest.0 < newest.1;
        }
        news
    }

    /// Keeps the registers and cursors of whoever waits for an answer.
    fn wait(&mut self) {
        let memory = &mut *self.memory;
        let variables = &memory.registers[self.code.constants.len()..];
        memory.waiting.extend_from_slice(variables);
        let cursors = memory.cursors.iter();
        memory
            .waiting
            .extend(cursors.flat_map(|&(row, end)| [row, end]));
    }

    fn go_on(&mut self) {
        let memory = &mut *self.memory;
        for cursor in memory.cursors.iter_mut().rev() {
            let end = memory.waiting.pop().unwrap_or(0);
            *cursor = (memory.waiting.pop().unwrap_or(0), end);
        }
        let variables = &mut memory.registers[self.code.constants.len()..];
        let start = memory.waiting.len() - variables.len();
        variables.copy_from_slice(&memory.waiting[start..]);
        memory.waiting.truncate(start);
    }
}

impl Tabling for Machine<'_> {
    fn parts(&mut self) -> (&mut Calling, &[TermId], &Terms) {
        let memory = &mut *self.memory;
        (&mut memory.calling, &memory.scratch, &memory.terms)
    }

    fn derived(&self) -> u64 {
        self.memory.rows
    }

    fn is_exhausted(&self) -> bool {
        self.memory.exhausted.is_some()
    }

    fn run_call(&mut self, call: usize, base: usize) {
        self.memory.steps += 1;
        if self.memory.calls >= MOST_CALLS {
            self.memory.exhausted = Some(Exhausted::Depth);
            return;
        }
        self.wait();
        let argument = std::mem::replace(&mut self.memory.argument, base);
        self.memory.calls += 1;
        self.run(self.code.call_entries[call]);
        self.memory.calls -= 1;
        self.memory.argument = argument;
        self.go_on();
    }
}
