//! The program as data, gone through by plain code.
//!
//! Consecutive operations of one kind are a run, so that the kind is looked at once a run. Each
//! operation is done for several blocks at once, which spreads the cost of reading it.

use super::wide::Work;
use crate::choose::draw::draw;
use crate::program::{Draw, Kind, Part, Section};
use crate::word::Word;

/// The slots of an operation: target and operands.
type Slots = (u32, [u32; 3]);

/// Operations of one kind.
#[derive(Clone, Debug)]
struct Run {
    kind: Kind,
    table: u8,
    /// Where its operations end; they start where those of the run before it end.
    end: u32,
}

/// A section with its operations in runs.
#[derive(Clone, Debug)]
struct SectionRuns {
    /// The slots to clear before the first round, if it is a loop.
    cleared: Option<Vec<u32>>,
    runs: Vec<Run>,
    operations: Vec<Slots>,
}

/// A section made ready.
#[derive(Clone, Debug)]
enum Ready {
    Runs(SectionRuns),
    Draw(Draw),
}

/// A part with its operations in runs.
#[derive(Clone, Debug)]
pub(super) struct Runs {
    sections: Vec<Ready>,
}

impl Runs {
    pub(super) fn new(part: &Part) -> Self {
        let sections = part.sections.iter().map(|section| match section {
            Section::Draw(draw) => Ready::Draw(draw.clone()),
            _ => Ready::Runs(SectionRuns::new(section)),
        });
        Self {
            sections: sections.collect(),
        }
    }

    #[inline(always)]
    fn run<const WIDTH: usize>(&self, memory: &mut [[Word; WIDTH]]) {
        for section in &self.sections {
            match section {
                Ready::Runs(section) => section.run(memory),
                Ready::Draw(section) => {
                    (0..WIDTH).for_each(|block| draw(section, memory, block));
                }
            }
        }
    }
}

/// Runs a part on the slots of `WIDTH` blocks.
pub(super) struct RunAll<'a, const WIDTH: usize>(pub(super) &'a Runs, pub(super) &'a mut [Word]);

impl<const WIDTH: usize> Work for RunAll<'_, WIDTH> {
    #[inline(always)]
    fn work(self) {
        let (slots, _) = self.1.as_chunks_mut::<WIDTH>();
        self.0.run(slots);
    }
}

impl SectionRuns {
    fn new(section: &Section) -> Self {
        let mut runs: Vec<Run> = Vec::new();
        let operations = section.operations();
        for (end, operation) in (1..).zip(operations) {
            match runs.last_mut() {
                Some(run) if (run.kind, run.table) == (operation.kind, operation.table) => {
                    run.end = end;
                }
                _ => runs.push(Run {
                    kind: operation.kind,
                    table: operation.table,
                    end,
                }),
            }
        }
        Self {
            cleared: match section {
                Section::Straight(_) | Section::Draw(_) => None,
                Section::Loop { .. } => Some(section.cleared().to_vec()),
            },
            runs,
            operations: (operations.iter())
                .map(|operation| (operation.target, operation.operands))
                .collect(),
        }
    }

    #[inline(always)]
    fn run<const WIDTH: usize>(&self, memory: &mut [[Word; WIDTH]]) {
        let Some(cleared) = &self.cleared else {
            self.round(memory);
            return;
        };
        for &slot in cleared {
            memory[slot as usize] = [Word::NONE; WIDTH];
        }
        while self.round(memory) {}
    }

    /// Goes through the operations once; whether a latch changed its target.
    #[inline(always)]
    fn round<const WIDTH: usize>(&self, memory: &mut [[Word; WIDTH]]) -> bool {
        let mut changed = Word::NONE;
        let mut start = 0;
        for run in &self.runs {
            let slots = &self.operations[start..run.end as usize];
            start = run.end as usize;
            match run.kind {
                Kind::And => each(slots, memory, |left, right| left & right),
                Kind::AndNot => each(slots, memory, Word::and_not),
                Kind::Or => each(slots, memory, |left, right| left | right),
                Kind::Xor => each(slots, memory, |left, right| left ^ right),
                Kind::Not => each(slots, memory, |left, _| !left),
                Kind::Copy => each(slots, memory, |left, _| left),
                Kind::Latch => changed |= latch(slots, memory),
                Kind::Table => look_up(slots, memory, run.table),
            }
        }
        !changed.is_none()
    }
}

#[inline(always)]
fn each<const WIDTH: usize>(
    operations: &[Slots],
    memory: &mut [[Word; WIDTH]],
    operate: impl Fn(Word, Word) -> Word,
) {
    for &(target, [left, right, _]) in operations {
        let (left, right) = (memory[left as usize], memory[right as usize]);
        let target = &mut memory[target as usize];
        for block in 0..WIDTH {
            target[block] = operate(left[block], right[block]);
        }
    }
}

/// Sets the targets where the operands are a row of the table with a 1. Slow: programs with tables
/// are made for machines that look them up in one instruction, and run here only where these cannot
/// be had.
#[inline(always)]
fn look_up<const WIDTH: usize>(operations: &[Slots], memory: &mut [[Word; WIDTH]], table: u8) {
    for &(target, operands) in operations {
        let operands = operands.map(|slot| memory[slot as usize]);
        let target = &mut memory[target as usize];
        for block in 0..WIDTH {
            let [left, right, third] = operands.map(|operand| operand[block]);
            let mut found = Word::NONE;
            for row in (0..8).filter(|row| table >> row & 1 == 1) {
                let is = |word: Word, bit: u8| word.inverted_if(row & bit == 0);
                found |= is(left, 4) & is(right, 2) & is(third, 1);
            }
            target[block] = found;
        }
    }
}

/// Sets the targets; the lanes of any block in which that changes one.
#[inline(always)]
fn latch<const WIDTH: usize>(operations: &[Slots], memory: &mut [[Word; WIDTH]]) -> Word {
    let mut changed = Word::NONE;
    for &(target, [left, ..]) in operations {
        let left = memory[left as usize];
        let target = &mut memory[target as usize];
        for block in 0..WIDTH {
            changed |= target[block] ^ left[block];
        }
        *target = left;
    }
    changed
}
