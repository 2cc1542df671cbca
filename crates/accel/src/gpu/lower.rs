//! From a program to the form that threads run.
//!
//! A small program stays in registers from step to step, one for each slot. Of a large one, what
//! is needed for long is in the thread's memory, and its operations are cut into functions, each of
//! which loads what it reads and stores what is read after it: what makes machine code takes more
//! than twice as long for code that is twice as long, and holds on to few registers.

use super::form::{Code, Form, Lanes, Place, Register, Report, RoleReport, Shape, tally};
use super::liveness::{Piece, pieces, stores};
use crate::program::{Digit, Draw, Kind, Operation, Part, Program, Section, Signal};

/// Tables of functions of words that are needed beside the program's.
mod table {
    pub(super) const NOT: u8 = 0b0000_1111;
    pub(super) const COPY: u8 = 0b1111_0000;
    pub(super) const AND: u8 = 0b1100_0000;
    pub(super) const AND_NOT: u8 = 0b0011_0000;
    pub(super) const OR: u8 = 0b1111_1100;
    pub(super) const XOR: u8 = 0b0011_1100;
    pub(super) const OR_OR: u8 = 0b1111_1110;
    /// `first & !second | third`
    pub(super) const WITHOUT_OR: u8 = 0b1011_1010;
    /// `first ? second : third`
    pub(super) const SELECT: u8 = 0b1100_1010;
    /// `first | (second ^ third)`
    pub(super) const OR_DIFFERS: u8 = 0b1111_0110;
    /// Of `above`, `rank`, `last`: where the last two differ the rank, else above.
    pub(super) const ABOVE: u8 = 0b1101_0100;
}

/// The form of a program that was compiled for held lanes.
pub(super) fn lower(program: &Program, countdown: u32, shape: Shape) -> Form {
    let go = program.go.unwrap_or(program.open);
    let mut lowering = Lowering {
        program,
        is_in_registers: program.slots as usize <= shape.in_registers,
        function: shape.function.max(1),
        registers: program.slots,
        functions: Vec::new(),
    };
    let lanes = Lanes {
        active: lowering.register(),
        left: lowering.register(),
        countdown: (0..countdown).map(|_| lowering.register()).collect(),
    };
    let mut goals_at = tally::GOALS as u32;
    let firsts = program.roles.iter().map(|role| {
        let first = goals_at;
        goals_at += role.goals.values.len() as u32;
        first
    });
    let firsts: Vec<u32> = firsts.collect();
    let fill = lowering.fill(&lanes);
    let step = lowering.step(&lanes, &firsts, go);
    let place = |slot: u32| match lowering.is_in_registers {
        true => Place::Register(slot),
        false => Place::Memory(slot),
    };
    Form {
        registers: lowering.registers,
        // One more for what has changed in a loop.
        memory: match lowering.is_in_registers {
            true => 0,
            false => program.slots + 1,
        },
        slots: program.slots,
        fluents: program.fluents,
        state: (0..program.fluents).map(place).collect(),
        zero: place(program.fluents),
        lanes,
        fill,
        step,
        shape,
        tallies: goals_at as usize,
        results: (program.roles.iter())
            .map(|role| role.goals.values.clone())
            .collect(),
        functions: lowering.functions,
    }
}

struct Lowering<'a> {
    program: &'a Program,
    is_in_registers: bool,
    /// About how many operations a function has.
    function: usize,
    /// How many registers there are; the first are those of the slots.
    registers: u32,
    functions: Vec<Vec<Code>>,
}

fn code(table: u8, to: Register, of: [Register; 3]) -> Code {
    Code::Table { table, to, of }
}

fn two(table: u8, to: Register, left: Register, right: Register) -> Code {
    code(table, to, [left, right, left])
}

impl Lowering<'_> {
    fn register(&mut self) -> Register {
        self.registers += 1;
        self.registers - 1
    }

    /// The register in which a slot can be read.
    fn read(&mut self, slot: u32, into: &mut Vec<Code>) -> Register {
        if self.is_in_registers {
            return slot;
        }
        let to = self.register();
        into.push(Code::Load { to, place: slot });
        to
    }

    /// The register in which a signal is as it should be.
    fn signal(&mut self, signal: Signal, into: &mut Vec<Code>) -> Register {
        let of = self.read(signal.slot, into);
        if !signal.is_inverted {
            return of;
        }
        let to = self.register();
        into.push(code(table::NOT, to, [of; 3]));
        to
    }

    /// Gives a slot the value of a register.
    fn write(&self, slot: u32, of: Register, into: &mut Vec<Code>) {
        into.push(match self.is_in_registers {
            true => code(table::COPY, slot, [of; 3]),
            false => Code::Store { place: slot, of },
        });
    }

    /// Idle lanes begin playouts.
    fn fill(&mut self, lanes: &Lanes) -> Vec<Code> {
        let idle = self.register();
        let mut fill = vec![code(table::NOT, idle, [lanes.active; 3])];
        fill.extend(self.begin(lanes, idle));
        fill
    }

    /// Playouts begin in such of the lanes as there are playouts left for; the others are idle.
    fn begin(&mut self, lanes: &Lanes, free: Register) -> Vec<Code> {
        let taken = self.register();
        let mut all = vec![
            Code::Take {
                to: taken,
                lanes: free,
            },
            code(table::WITHOUT_OR, lanes.active, [lanes.active, free, taken]),
        ];
        let mut body = Vec::new();
        for (bit, &number) in (0..).zip(&lanes.countdown) {
            let limit = self.register();
            body.push(Code::Limit { to: limit, bit });
            body.push(code(table::SELECT, number, [taken, limit, number]));
        }
        for fluent in 0..self.program.fluents {
            let start = self.register();
            body.push(Code::Start { to: start, fluent });
            let now = self.read(fluent, &mut body);
            body.push(code(table::SELECT, now, [taken, start, now]));
            if !self.is_in_registers {
                body.push(Code::Store {
                    place: fluent,
                    of: now,
                });
            }
        }
        all.push(Code::If { any: taken, body });
        all
    }

    /// A step.
    fn step(&mut self, lanes: &Lanes, firsts: &[u32], go: u32) -> Vec<Code> {
        let program = self.program;
        let mut step = Vec::new();
        let may_go = self.register();
        step.push(Code::Set {
            to: may_go,
            value: 0,
        });
        for pair in lanes.countdown.chunks(2) {
            let other = *pair.last().unwrap_or(&pair[0]);
            step.push(code(table::OR_OR, may_go, [may_go, pair[0], other]));
        }
        step.push(two(table::AND, may_go, may_go, lanes.active));
        self.write(program.open, may_go, &mut step);
        self.part(&program.evaluate, &mut step);
        let moving = self.signal(program.moving, &mut step);
        let ended = self.register();
        step.push(two(table::AND_NOT, ended, lanes.active, moving));
        let ending = self.ending(lanes, ended, firsts);
        step.push(Code::AtInterval(vec![Code::If {
            any: ended,
            body: ending,
        }]));
        let going = self.draw(moving, &mut step);
        self.write(go, going, &mut step);
        self.part(&program.advance, &mut step);
        // One move fewer.
        let borrow = self.register();
        step.push(two(table::AND, borrow, going, going));
        for &bit in &lanes.countdown {
            step.push(two(table::XOR, bit, bit, borrow));
            step.push(two(table::AND, borrow, borrow, bit));
        }
        step
    }

    /// What is done about playouts that have ended in lanes.
    fn ending(&mut self, lanes: &Lanes, ended: Register, firsts: &[u32]) -> Vec<Code> {
        let program = self.program;
        let mut ending = Vec::new();
        self.part(&program.goals, &mut ending);
        let terminal = self.signal(program.terminal, &mut ending);
        let roles = program.roles.iter().zip(firsts).map(|(role, &first)| {
            let goals = &role.goals;
            let any = self.signal(goals.any, &mut ending);
            let several = self.signal(goals.several, &mut ending);
            let place = goals.place.iter();
            RoleReport {
                any,
                several,
                place: place.map(|&bit| self.signal(bit, &mut ending)).collect(),
                first,
                results: goals.values.len() as u32,
            }
        });
        let roles = roles.collect();
        ending.push(Code::Report(Report {
            lanes: ended,
            terminal,
            roles,
        }));
        ending.extend(self.begin(lanes, ended));
        ending
    }

    /// Draws the ranks of all choosers in lanes; the register with the lanes in which that is done.
    fn draw(&mut self, lanes: Register, into: &mut Vec<Code>) -> Register {
        let program = self.program;
        let draws: Vec<&Draw> = (program.draw.sections.iter())
            .filter_map(|section| match section {
                Section::Draw(draw) => Some(draw),
                Section::Straight(_) | Section::Loop { .. } => None,
            })
            .collect();
        let going = self.register();
        into.push(two(table::COPY, going, lanes, lanes));
        if draws.is_empty() {
            return going;
        }
        let mut body = Vec::new();
        let (mut calls, mut all) = (0, Vec::new());
        let any = self.register();
        let mut opens = Vec::new();
        for draw in draws {
            let open = self.register();
            into.push(two(table::COPY, open, lanes, lanes));
            let digits: Vec<Drawn> = (draw.digits.iter())
                .map(|digit| self.digit(digit, into))
                .collect();
            for four in digits.chunks(4) {
                body.extend(self.four_digits(four, open, calls));
                calls += 1;
            }
            let above = self.register();
            body.push(Code::Set {
                to: above,
                value: 0,
            });
            for digit in &digits {
                body.push(code(table::ABOVE, above, [above, digit.rank, digit.last]));
            }
            body.push(two(table::AND, open, open, above));
            opens.push(open);
            all.extend(digits.into_iter().zip(&draw.digits));
        }
        body.push(Code::Set { to: any, value: 0 });
        for &open in &opens {
            body.push(two(table::OR, any, any, open));
        }
        into.push(Code::Rounds { any, calls, body });
        into.push(two(table::AND_NOT, going, going, any));
        for (drawn, digit) in all {
            if drawn.rank != digit.rank {
                self.write(digit.rank, drawn.rank, into);
            }
        }
        going
    }

    /// The registers of a digit.
    fn digit(&mut self, digit: &Digit, into: &mut Vec<Code>) -> Drawn {
        let last = self.signal(digit.last, into);
        let mask = self.signal(digit.mask, into);
        let rank = match self.is_in_registers {
            true => digit.rank,
            false => self.register(),
        };
        into.push(Code::Set { to: rank, value: 0 });
        Drawn { last, mask, rank }
    }

    /// Draws up to four digits in the open lanes that need them.
    fn four_digits(&mut self, digits: &[Drawn], open: Register, call: u32) -> Vec<Code> {
        let words: [Register; 4] = std::array::from_fn(|_| self.register());
        let needed = self.register();
        let mut code_of = vec![Code::Set {
            to: needed,
            value: 0,
        }];
        for digit in digits {
            let both = self.register();
            code_of.push(two(table::AND, both, digit.mask, open));
            code_of.push(two(table::OR, needed, needed, both));
        }
        let mut body = vec![Code::Random { to: words, call }];
        for (digit, word) in digits.iter().zip(words) {
            body.push(two(table::AND, word, word, digit.mask));
            body.push(code(table::SELECT, digit.rank, [open, word, digit.rank]));
        }
        code_of.push(Code::If { any: needed, body });
        code_of
    }

    /// A part of the program.
    fn part(&mut self, part: &Part, into: &mut Vec<Code>) {
        if self.is_in_registers {
            for section in &part.sections {
                self.section(section, into);
            }
            return;
        }
        let (pieces, stores) = stores(pieces(part, self.function), part, self.program.slots);
        for (piece, stored) in pieces.iter().zip(stores) {
            match piece {
                Piece::Function(sections) => {
                    let function = self.function(sections, &stored);
                    into.push(function);
                }
                Piece::Repeated { cleared, rounds } => {
                    self.repeated(cleared, rounds, &stored, into);
                }
            }
        }
    }

    /// A section in registers, one for each slot.
    fn section(&mut self, section: &Section, into: &mut Vec<Code>) {
        match section {
            Section::Straight(operations) => {
                into.extend(operations.iter().flat_map(|operation| plain(operation, 0)));
            }
            Section::Loop { cleared, body } => {
                let any = self.register();
                into.extend(cleared.iter().map(|&to| Code::Set { to, value: 0 }));
                let mut round = vec![Code::Set { to: any, value: 0 }];
                round.extend(body.iter().flat_map(|operation| plain(operation, any)));
                into.push(Code::While { any, body: round });
            }
            Section::Draw(_) => {}
        }
    }

    /// A function of sections, in whose memory some slots are to be right afterwards.
    fn function(&mut self, sections: &[Section], stored: &[u32]) -> Code {
        let mut code = Vec::new();
        let mut is_there = vec![false; self.program.slots as usize];
        for section in sections {
            let cleared = section.cleared();
            for &slot in cleared {
                is_there[slot as usize] = true;
            }
            let mut loaded = Vec::new();
            let mut straight = Vec::new();
            let is_loop = matches!(section, Section::Loop { .. });
            for operation in section.operations() {
                for slot in operation.operands {
                    if !std::mem::replace(&mut is_there[slot as usize], true) {
                        let load = Code::Load {
                            to: slot,
                            place: slot,
                        };
                        if is_loop { &mut loaded } else { &mut straight }.push(load);
                    }
                }
                is_there[operation.target as usize] = true;
                if !is_loop {
                    straight.extend(plain(operation, 0));
                }
            }
            code.extend(loaded);
            code.extend(straight);
            if is_loop {
                self.section(section, &mut code);
            }
        }
        let stored = stored.iter();
        code.extend(stored.map(|&slot| Code::Store {
            place: slot,
            of: slot,
        }));
        self.functions.push(code);
        Code::Call(self.functions.len() - 1)
    }

    /// A loop whose rounds are cut into functions.
    fn repeated(
        &mut self,
        cleared: &[u32],
        rounds: &[Vec<Operation>],
        stored: &[u32],
        into: &mut Vec<Code>,
    ) {
        let changed = self.program.slots;
        let zero = self.register();
        into.push(Code::Set { to: zero, value: 0 });
        for &place in cleared {
            into.push(Code::Store { place, of: zero });
        }
        let mut body = vec![Code::Store {
            place: changed,
            of: zero,
        }];
        for operations in rounds {
            body.push(self.round(operations, stored));
        }
        let any = self.register();
        body.push(Code::Load {
            to: any,
            place: changed,
        });
        into.push(Code::While { any, body });
    }

    /// A function of operations of a round.
    fn round(&mut self, operations: &[Operation], stored: &[u32]) -> Code {
        let changed = self.program.slots;
        // The register of that number belongs to nothing in a function.
        let mut written: Vec<u32> = operations.iter().map(|one| one.target).collect();
        written.sort_unstable();
        written.dedup();
        let mut code = vec![Code::Load {
            to: changed,
            place: changed,
        }];
        let mut is_there = vec![false; self.program.slots as usize];
        for operation in operations {
            for slot in operation.operands.into_iter().chain(
                // A latch looks at what it changes.
                (operation.kind == Kind::Latch).then_some(operation.target),
            ) {
                if !std::mem::replace(&mut is_there[slot as usize], true) {
                    code.push(Code::Load {
                        to: slot,
                        place: slot,
                    });
                }
            }
            is_there[operation.target as usize] = true;
            code.extend(plain(operation, changed));
        }
        let kept = stored
            .iter()
            .filter(|slot| written.binary_search(slot).is_ok());
        code.extend(kept.chain([&changed]).map(|&slot| Code::Store {
            place: slot,
            of: slot,
        }));
        self.functions.push(code);
        Code::Call(self.functions.len() - 1)
    }
}

/// The registers of a digit that is drawn.
#[derive(Clone, Copy)]
struct Drawn {
    last: Register,
    mask: Register,
    rank: Register,
}

/// An operation on registers with the numbers of their slots; latches add to `changed`.
fn plain(operation: &Operation, changed: Register) -> impl Iterator<Item = Code> + use<> {
    let Operation {
        kind,
        table: own,
        target,
        operands,
    } = *operation;
    let notes = (kind == Kind::Latch).then(|| {
        let of = [changed, target, operands[0]];
        code(table::OR_DIFFERS, changed, of)
    });
    let table = match kind {
        Kind::Table => own,
        _ => kind.table(),
    };
    notes.into_iter().chain([code(table, target, operands)])
}
