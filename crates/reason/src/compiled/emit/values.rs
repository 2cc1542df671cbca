//! Values: where they are, what they count, and whether they are the same.

use paidia_gdl::datalog::plan::{Match, Source};

use super::{Emitter, Instruction, Label, Read, Span};
use crate::compiled::code::Bind;
use crate::compiled::tables::{ABSENT, digit};

/// What a register holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    /// A symbol or term.
    Symbol,
    /// The number of a symbol in the domain with that number.
    Digit(u32),
}

/// A value that is known when an instruction runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Constant(u32),
    /// What a register holds.
    Register(u32, Sort),
}

impl Emitter<'_> {
    /// The value of a source; compound terms are built.
    pub(super) fn build(&mut self, source: &Source, make: bool) -> Value {
        match source {
            Source::Constant(id) => Value::Constant(*id),
            Source::Register(register) => {
                Value::Register(self.variable(*register), self.sorts[*register])
            }
            Source::Compound(function, args) => {
                let args = self.build_all(args, make);
                let args = self.symbols(&args);
                let into = self.take();
                self.push(Instruction::Build {
                    function: *function,
                    args,
                    into,
                    make,
                });
                Value::Register(into, Sort::Symbol)
            }
        }
    }

    pub(super) fn build_all(&mut self, sources: &[Source], make: bool) -> Vec<Value> {
        let sources = sources.iter();
        sources.map(|source| self.build(source, make)).collect()
    }

    /// A register that holds the symbol or term that a value is.
    pub(super) fn symbol(&mut self, value: Value) -> u32 {
        match value {
            Value::Constant(id) => self.constants.get(&id).copied().unwrap_or(0),
            Value::Register(register, Sort::Symbol) => register,
            Value::Register(register, Sort::Digit(domain)) => {
                let values = self.code.domains.of(domain);
                let weights = self.code.tables.symbols(values);
                let into = self.take();
                let value = Read { register, weights };
                self.push(Instruction::Translate { value, into });
                into
            }
        }
    }

    /// Registers that hold the symbols or terms that some values are.
    pub(super) fn symbols(&mut self, values: &[Value]) -> Span {
        let weights = self.code.tables.none();
        let registers: Vec<u32> = values.iter().map(|&value| self.symbol(value)).collect();
        let reads = registers.into_iter();
        let reads = reads.map(|register| Read { register, weights });
        Span::extend(&mut self.code.reads, reads)
    }

    /// What some values count, each in a domain and shifted: what is known of it, added to `start`,
    /// and what is to be read.
    pub(super) fn count(
        &mut self,
        mut start: u32,
        values: &[Value],
        places: &[(u32, u32)],
    ) -> (u32, Span) {
        let mut reads = Vec::new();
        for (&value, &(domain, shift)) in values.iter().zip(places) {
            let domain = self.code.domains.of(domain);
            let tables = &mut self.code.tables;
            let (register, weights) = match value {
                Value::Constant(id) => {
                    start += digit(domain, id).map_or(ABSENT, |digit| digit << shift);
                    continue;
                }
                Value::Register(register, Sort::Symbol) => {
                    (register, tables.of_symbols(domain, shift))
                }
                Value::Register(register, Sort::Digit(from)) => {
                    let from = self.code.domains.of(from);
                    (register, tables.of_digits(from, domain, shift))
                }
            };
            reads.push(Read { register, weights });
        }
        (start, Span::extend(&mut self.code.reads, reads))
    }

    /// Tests whether a variable is one of some values.
    pub(super) fn within(&mut self, register: usize, values: &[u32], exit: Label) {
        let tables = &mut self.code.tables;
        let weights = match self.sorts[register] {
            Sort::Symbol => tables.among(values),
            Sort::Digit(domain) => tables.within(self.code.domains.of(domain), values),
        };
        let register = self.variable(register);
        let value = Read { register, weights };
        self.push(Instruction::Within { value, exit });
    }

    /// Where a value of a kind goes that is matched: to its variable, or to a register of its own.
    pub(super) fn target_of(&mut self, matching: &Match, sort: Sort) -> u32 {
        match matching {
            Match::Bind(register) => {
                self.sorts[*register] = sort;
                self.variable(*register)
            }
            Match::Equal(_) | Match::Compound(..) => self.take(),
        }
    }

    /// Tests what was found and takes compound terms apart.
    pub(super) fn check(&mut self, found: Vec<(Value, &Match)>, exit: Label) {
        let mut open = found;
        open.reverse();
        while let Some((value, matching)) = open.pop() {
            match (matching, value) {
                (Match::Bind(_), _) => {}
                (Match::Equal(source), _) => {
                    let right = self.build(source, false);
                    self.same(value, right, true, exit);
                }
                (Match::Compound(function, args), Value::Register(register, Sort::Symbol)) => {
                    let into = args.iter().map(|arg| self.target_of(arg, Sort::Symbol));
                    let into: Vec<u32> = into.collect();
                    let binds = into.iter().map(|&register| Bind {
                        column: 0,
                        register,
                    });
                    let binds = Span::extend(&mut self.code.binds, binds);
                    self.push(Instruction::TakeApart {
                        value: register,
                        function: *function,
                        into: binds,
                        exit,
                    });
                    // Variables are bound in the order of the arguments, and may be compared later
                    // in it.
                    let parts = into.into_iter().zip(args).rev();
                    open.extend(
                        parts.map(|(register, arg)| (Value::Register(register, Sort::Symbol), arg)),
                    );
                }
                // What has a digit is a constant.
                (Match::Compound(..), _) => self.push(Instruction::Jump { exit }),
            }
        }
    }

    /// Tests whether two values are the same, or are not.
    fn same(&mut self, left: Value, right: Value, expected: bool, exit: Label) {
        let (value, number) = match (left, right) {
            (Value::Constant(left), Value::Constant(right)) => {
                if (left == right) != expected {
                    self.push(Instruction::Jump { exit });
                }
                return;
            }
            (Value::Register(left, of), Value::Register(right, other)) if of == other => {
                return self.push(Instruction::Same {
                    left,
                    right,
                    expected,
                    exit,
                });
            }
            (Value::Register(..), Value::Register(..)) => {
                let (left, right) = (self.symbol(left), self.symbol(right));
                return self.push(Instruction::Same {
                    left,
                    right,
                    expected,
                    exit,
                });
            }
            (Value::Register(register, Sort::Symbol), Value::Constant(id))
            | (Value::Constant(id), Value::Register(register, Sort::Symbol)) => {
                (register, Some(id))
            }
            (Value::Register(register, Sort::Digit(domain)), Value::Constant(id))
            | (Value::Constant(id), Value::Register(register, Sort::Digit(domain))) => {
                (register, digit(self.code.domains.of(domain), id))
            }
        };
        match number {
            Some(number) => self.push(Instruction::Is {
                value,
                number,
                expected,
                exit,
            }),
            None if expected => self.push(Instruction::Jump { exit }),
            None => {}
        }
    }

    pub(super) fn differ(&mut self, left: &Source, right: &Source, exit: Label) {
        let mut pairs = Vec::new();
        if !unequal_pairs(left, right, &mut pairs) {
            return;
        }
        let mut values = Vec::new();
        for (left, right) in pairs {
            values.push(self.build(left, false));
            values.push(self.build(right, false));
        }
        if let [left, right] = values[..] {
            return self.same(left, right, false, exit);
        }
        let pairs = self.symbols(&values);
        self.push(Instruction::DifferSomewhere { pairs, exit });
    }

    /// The register of a variable.
    pub(super) fn variable(&self, register: usize) -> u32 {
        (self.code.constants.len() + register) as u32
    }

    /// A register for something between two instructions.
    pub(super) fn take(&mut self) -> u32 {
        self.taken += 1;
        let register = self.first_free + self.taken - 1;
        self.code.registers = self.code.registers.max(register as usize + 1);
        register
    }
}

/// Collects the pairs that differ somewhere if, and only if, the terms differ; false if they always
/// do.
fn unequal_pairs<'a>(
    left: &'a Source,
    right: &'a Source,
    pairs: &mut Vec<(&'a Source, &'a Source)>,
) -> bool {
    match (left, right) {
        (Source::Compound(f, left), Source::Compound(g, right)) => {
            f == g
                && left.len() == right.len()
                && left
                    .iter()
                    .zip(right)
                    .all(|(left, right)| unequal_pairs(left, right, pairs))
        }
        (Source::Constant(left), Source::Constant(right)) if left != right => false,
        (Source::Constant(_), Source::Compound(..))
        | (Source::Compound(..), Source::Constant(_)) => false,
        _ => {
            pairs.push((left, right));
            true
        }
    }
}
