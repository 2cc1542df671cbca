//! Code: filter trees as a list of instructions with jumps.
//!
//! A node of a filter tree that iterates becomes two instructions, one that starts and one that takes the next row; a test is one
//! instruction that jumps if it fails. Where a failure goes is known beforehand: to whoever can try something else.
//! Registers hold the values of variables, and before them all constants, so that an instruction need not know which it reads.
//! Everything is a number in a flat array, so that native code can be made from the same list.

use std::sync::Arc;

use paidia_gdl::datalog::Calls;
use paidia_gdl::program::RelationId;

use super::container::{Container, Layout, Pool, Weights};

/// A place in [`Code::instructions`].
pub(super) type Address = u32;

/// Part of one of the flat arrays of [`Code`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) start: u32,
    pub(super) end: u32,
}

impl Span {
    #[inline]
    pub(super) fn of<T>(self, all: &[T]) -> &[T] {
        &all[self.start as usize..self.end as usize]
    }
}

/// A relation whose rows an instruction reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Table {
    /// The same in every state.
    Fixed(u32),
    /// Derived in every state anew.
    Changing(u32),
}

/// A value that is read, with its weight where places are counted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Read {
    pub(super) register: u32,
    pub(super) weights: Weights,
}

/// A column that is copied to a register.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bind {
    pub(super) column: u32,
    pub(super) register: u32,
}

/// What the machine can do. `exit` is where it goes on if there is nothing more, or a test fails.
#[derive(Clone, Copy, Debug)]
pub(super) enum Instruction {
    /// Takes the first row of a relation, and skips the instruction that takes the next.
    Scan {
        table: Table,
        cursor: u16,
        binds: Span,
        exit: Address,
    },
    /// Starts with the newest rows of a relation.
    ScanNewest { relation: u32, cursor: u16 },
    /// Takes the next row of a scan.
    ScanNext {
        table: Table,
        cursor: u16,
        binds: Span,
        exit: Address,
    },
    /// Takes the first row with a key, by the key's place, and skips the instruction that takes the next.
    Probe {
        table: Table,
        index: u16,
        cursor: u16,
        key: Span,
        binds: Span,
        exit: Address,
    },
    /// Finds the first row with a key in a hash table.
    ProbeHash {
        table: Table,
        index: u16,
        cursor: u16,
        key: Span,
        exit: Address,
    },
    /// Takes the first value of a column that a row with a key has, by the bits from the key's place on, and skips the
    /// instruction that takes the next.
    Window {
        start: u32,
        key: Span,
        cursor: u16,
        values: Span,
        register: u32,
        exit: Address,
    },
    /// Takes the next value of the column.
    WindowNext {
        cursor: u16,
        values: Span,
        register: u32,
        exit: Address,
    },
    /// Takes the next row with the key.
    ProbeNext {
        table: Table,
        index: u16,
        cursor: u16,
        binds: Span,
        exit: Address,
    },
    /// Tests whether a bit is set: that at `start` and the weights of some values after it.
    Holds {
        start: u32,
        row: Span,
        exit: Address,
    },
    /// Tests whether a bit is not set.
    Fails {
        start: u32,
        row: Span,
        exit: Address,
    },
    /// Tests whether a row is in a hash table, or is not.
    Find {
        table: Table,
        row: Span,
        expected: bool,
        exit: Address,
    },
    /// Tests whether two values differ.
    Differ {
        left: u32,
        right: u32,
        exit: Address,
    },
    /// Tests whether one of some pairs of values differs.
    DifferSomewhere { pairs: Span, exit: Address },
    /// Tests whether two values are the same.
    Same {
        left: u32,
        right: u32,
        exit: Address,
    },
    /// Tests whether a value is no compound term.
    Plain { value: u32, exit: Address },
    /// Tests whether a value is in a domain.
    Within { value: Read, exit: Address },
    /// Derives a row whose bit is at `start` and the weights of its values after it, then goes on elsewhere.
    Accept {
        relation: u32,
        start: u32,
        row: Span,
        next: Address,
    },
    /// Derives a row of a relation in a hash table, then goes on elsewhere.
    AcceptHash {
        relation: u32,
        row: Span,
        next: Address,
    },
    /// Puts the number of a compound term in a register; if not `make`, a number that no fact contains where the term is new.
    Build {
        function: u32,
        args: Span,
        into: u32,
        make: bool,
    },
    /// Tests whether a value is a compound term of that function, and puts its arguments in registers.
    TakeApart {
        value: u32,
        function: u32,
        into: Span,
        exit: Address,
    },
    /// Puts a value that a call was given in a register.
    Argument { number: u32, into: u32 },
    /// Asks for the rows with a key of a relation on demand, and starts with them.
    Ask { call: u32, cursor: u16, key: Span },
    /// Takes the next answer.
    AskNext {
        call: u32,
        cursor: u16,
        binds: Span,
        exit: Address,
    },
    /// Tests whether a row of a relation on demand is there, or is not.
    AskWhether {
        call: u32,
        row: Span,
        expected: bool,
        exit: Address,
    },
    /// Adds an answer to a call, then goes on elsewhere.
    Answer { call: u32, row: Span, next: Address },
    /// Starts a recursion over some relations.
    Begin { heads: Span },
    /// Starts the next round of a recursion, unless there was nothing new in the last.
    Round { heads: Span, exit: Address },
    /// Ends.
    Done,
}

/// The rules of a game as the machine runs them.
#[derive(Clone, Debug, Default)]
pub(super) struct Code {
    pub(super) instructions: Vec<Instruction>,
    /// The values that instructions read.
    pub(super) reads: Vec<Read>,
    pub(super) binds: Vec<Bind>,
    /// The values that bits side by side stand for.
    pub(super) values: Vec<u32>,
    /// Relations of recursions.
    pub(super) heads: Vec<u32>,
    pub(super) pool: Pool,
    /// For each relation, how its rows are kept.
    pub(super) layouts: Vec<Layout>,
    /// For each relation, whether its rows are the same in every state.
    pub(super) is_fixed: Vec<bool>,
    /// For each relation, its rows if they are the same in every state.
    pub(super) fixed: Vec<Container>,
    /// The bit arrays of all relations, with the facts of all states in them.
    pub(super) bits: Vec<u64>,
    /// Relations whose facts change.
    pub(super) changing: Vec<RelationId>,
    /// What the first registers hold.
    pub(super) constants: Vec<u32>,
    /// How many registers there are, with those of constants.
    pub(super) registers: usize,
    pub(super) cursors: usize,
    /// What is derived for which questions, in the order in which it must be.
    pub(super) segments: Vec<Segment>,
    pub(super) calls: Arc<Calls>,
    /// For each call, where its rules start.
    pub(super) call_entries: Vec<Address>,
}

/// Relations that are needed for the same questions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    /// The questions, a bit each.
    pub(super) questions: u8,
    pub(super) entry: Address,
}

impl Instruction {
    /// Where the instruction jumps to, if it does.
    pub(super) fn target(mut self) -> Option<Address> {
        self.target_mut().copied()
    }

    /// Where the instruction jumps to, if it does.
    pub(super) fn target_mut(&mut self) -> Option<&mut Address> {
        use Instruction as I;
        match self {
            I::Scan { exit, .. }
            | I::ScanNext { exit, .. }
            | I::Probe { exit, .. }
            | I::ProbeHash { exit, .. }
            | I::Find { exit, .. }
            | I::ProbeNext { exit, .. }
            | I::Window { exit, .. }
            | I::WindowNext { exit, .. }
            | I::Holds { exit, .. }
            | I::Fails { exit, .. }
            | I::Differ { exit, .. }
            | I::DifferSomewhere { exit, .. }
            | I::Same { exit, .. }
            | I::Plain { exit, .. }
            | I::Within { exit, .. }
            | I::TakeApart { exit, .. }
            | I::AskNext { exit, .. }
            | I::AskWhether { exit, .. }
            | I::Round { exit, .. } => Some(exit),
            I::Accept { next, .. } | I::AcceptHash { next, .. } | I::Answer { next, .. } => {
                Some(next)
            }
            I::ScanNewest { .. }
            | I::Build { .. }
            | I::Argument { .. }
            | I::Ask { .. }
            | I::Begin { .. }
            | I::Done => None,
        }
    }
}
