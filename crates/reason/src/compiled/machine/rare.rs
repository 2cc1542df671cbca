//! Instructions that most games do without: hash tables, terms, calls, recursion.

use paidia_gdl::datalog::table::NONE;
use paidia_gdl::datalog::{Calling, Exhausted, Tabling, TermId, Terms};

use super::Machine;
use crate::compiled::code::{Bind, HashLoop, Instruction, Span, Table};
use crate::compiled::container::Container;
use crate::compiled::layout::Layout;

/// A compound term that was never built: no fact contains it.
const NO_TERM: TermId = u32::MAX - 1;

/// Calls within calls that fit a thread's usual stack of 2 MB, with as much room to spare.
const MOST_CALLS: usize = 600;

impl Machine<'_> {
    /// Does an instruction; whether the next one follows.
    pub(super) fn rare(&mut self, instruction: Instruction) -> bool {
        use Instruction as I;
        match instruction {
            I::Scan(l) => {
                let rows = self.container(l.table).0.len();
                self.start(&l, 0, rows)
            }
            I::ScanNewest(l) => {
                let (Table::Fixed(relation) | Table::Changing(relation)) = l.table;
                let (first, end) = self.memory.newest[relation as usize];
                self.start(&l, first, end)
            }
            I::ScanNext(l) => self.scan_next(&l),
            I::Probe(l) => self.probe(&l),
            I::ProbeNext(l) => self.probe_next(&l),
            I::Same {
                left,
                right,
                expected,
                ..
            } => (self.value(left) == self.value(right)) == expected,
            I::Translate { value, into } => {
                self.memory.registers[into as usize] = self.weight(&value);
                true
            }
            I::Find {
                table,
                row,
                expected,
                ..
            } => self.find(table, row) == expected,
            I::AcceptHash { relation, row, .. } => self.accept_hash(relation as usize, row),
            I::DifferSomewhere { pairs, .. } => {
                let mut pairs = pairs.of(&self.code.reads).chunks_exact(2);
                pairs.any(|pair| self.value(pair[0].register) != self.value(pair[1].register))
            }
            I::Plain { value, .. } => {
                let value = self.value(value);
                value != NO_TERM && self.memory.terms.parts(value).is_none()
            }
            I::Build {
                function,
                args,
                into,
                make,
            } => self.build(function, args, into, make),
            I::TakeApart {
                value,
                function,
                into,
                ..
            } => self.take_apart(value, function, into),
            other => self.calls(other),
        }
    }

    /// Does an instruction about calls or recursion; whether the next one follows.
    fn calls(&mut self, instruction: Instruction) -> bool {
        use Instruction as I;
        match instruction {
            I::Argument { number, into } => {
                let place = self.memory.argument + number as usize;
                self.memory.registers[into as usize] = self.memory.scratch[place];
                true
            }
            I::Ask { call, cursor, key } => {
                let base = self.push(key);
                self.ask(call as usize, base);
                let answers = self.memory.calling.answers(call as usize);
                let row = answers.first(0, &self.memory.scratch[base..]);
                self.memory.scratch.truncate(base);
                self.memory.cursors[cursor as usize].at = row;
                true
            }
            I::AskNext {
                call,
                cursor,
                binds,
                ..
            } => self.next_answer(call as usize, cursor, binds),
            I::AskWhether {
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
            I::Answer { call, row, .. } => {
                let base = self.push(row);
                let answers = self.memory.calling.answers_mut(call as usize);
                let new = answers.insert(&self.memory.scratch[base..]);
                self.memory.scratch.truncate(base);
                self.memory.rows += u64::from(new);
                false
            }
            I::Begin { heads } => {
                self.begin(heads);
                true
            }
            I::Round { heads, .. } => self.next_round(heads),
            _ => true,
        }
    }

    /// The rows of a relation in a hash table, and how they are kept.
    fn container(&self, table: Table) -> (&Container, &Layout) {
        let (container, relation) = match table {
            Table::Fixed(relation) => (&self.code.fixed[relation as usize], relation),
            Table::Changing(relation) => (&self.memory.containers[relation as usize], relation),
        };
        (container, &self.code.layouts[relation as usize])
    }

    fn start(&mut self, l: &HashLoop, at: u32, end: u32) -> bool {
        let cursor = &mut self.memory.cursors[l.cursor as usize];
        (cursor.at, cursor.end) = (at, end);
        true
    }

    fn scan_next(&mut self, l: &HashLoop) -> bool {
        let cursor = &mut self.memory.cursors[l.cursor as usize];
        if cursor.at >= cursor.end {
            return false;
        }
        let row = cursor.at;
        cursor.at += 1;
        self.load(l.table, row, l.binds);
        true
    }

    fn probe(&mut self, l: &HashLoop) -> bool {
        let base = self.push(l.key);
        let (container, layout) = self.container(l.table);
        let key = &self.memory.scratch[base..];
        let row = container.first(layout, &self.code.tables, l.index as usize, key);
        self.memory.scratch.truncate(base);
        self.start(l, row, 0)
    }

    fn probe_next(&mut self, l: &HashLoop) -> bool {
        let row = self.memory.cursors[l.cursor as usize].at;
        if row == NONE {
            return false;
        }
        let next = self.container(l.table).0.next(l.index as usize, row);
        self.memory.cursors[l.cursor as usize].at = next;
        self.load(l.table, row, l.binds);
        true
    }

    /// Copies values of a row to registers, and counts the row as looked at.
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

    fn find(&mut self, table: Table, row: Span) -> bool {
        let base = self.push(row);
        let (container, layout) = self.container(table);
        let found = container.finds(layout.arity, &self.memory.scratch[base..]);
        self.memory.scratch.truncate(base);
        found
    }

    fn accept_hash(&mut self, relation: usize, row: Span) -> bool {
        let code = self.code;
        let memory = &mut *self.memory;
        let registers = &memory.registers;
        let reads = row.of(&code.reads).iter();
        let values = reads.map(|read| registers[read.register as usize]);
        let container = &mut memory.containers[relation];
        let new = container.insert(&code.layouts[relation], &code.tables, values);
        memory.rows += u64::from(new);
        false
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
        let row = memory.cursors[cursor as usize].at;
        if row == NONE {
            return false;
        }
        let answers = memory.calling.answers(call);
        memory.cursors[cursor as usize].at = answers.next(0, row);
        for &Bind { column, register } in binds.of(&self.code.binds) {
            memory.registers[register as usize] = answers.value(row, column as usize);
        }
        memory.steps += 1;
        true
    }

    fn begin(&mut self, heads: Span) {
        let memory = &mut *self.memory;
        for &head in heads.of(&self.code.heads) {
            memory.newest[head as usize] = (0, 0);
            for view in self.code.layouts[head as usize].rounds.iter().flatten() {
                view.clear(&mut memory.bits);
            }
        }
    }

    fn next_round(&mut self, heads: Span) -> bool {
        let memory = &mut *self.memory;
        let mut news = false;
        for &head in heads.of(&self.code.heads) {
            match &self.code.layouts[head as usize].rounds {
                Some([newest, fresh]) => {
                    news |= newest.take(fresh, &mut memory.bits);
                }
                None => {
                    let newest = &mut memory.newest[head as usize];
                    *newest = (newest.1, memory.containers[head as usize].len());
                    news |= newest.0 < newest.1;
                }
            }
        }
        news
    }

    /// Keeps the registers and cursors of the rule that waits for an answer.
    fn wait(&mut self) {
        let memory = &mut *self.memory;
        let variables = &memory.registers[self.code.constants.len()..];
        memory.waiting.extend_from_slice(variables);
        memory.waiting_cursors.extend_from_slice(&memory.cursors);
    }

    fn go_on(&mut self) {
        let memory = &mut *self.memory;
        let variables = &mut memory.registers[self.code.constants.len()..];
        let start = memory.waiting.len() - variables.len();
        variables.copy_from_slice(&memory.waiting[start..]);
        memory.waiting.truncate(start);
        let start = memory.waiting_cursors.len() - memory.cursors.len();
        memory
            .cursors
            .copy_from_slice(&memory.waiting_cursors[start..]);
        memory.waiting_cursors.truncate(start);
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
