//! Code: filter trees as a list of instructions with jumps.
//!
//! A node of a filter tree that iterates becomes two instructions, one that starts and one that
//! takes the next row; a test is one instruction that jumps if it fails. Where a failure goes is
//! known beforehand: to the innermost loop with rows left.
//!
//! Registers hold the values of variables, and before them all constants that code reads. A value
//! is a symbol or term, or, where it comes from a column whose values are numbered, its number
//! among them (its *digit*). Which it is, is known when the code is made, and so is the table that
//! turns it into what it counts somewhere else. Everything is a number in a flat array, so that
//! machine code can be made from the same list; [`super::machine`] runs it as it is.

use std::sync::Arc;

use paidia_gdl::datalog::Calls;
use paidia_gdl::program::RelationId;

use super::container::Container;
use super::layout::{Domains, Layout};
use super::tables::{Tables, Weights};

/// A place in [`Code::instructions`].
pub type Address = u32;

/// No view with a summary.
pub const PLAIN: u32 = u32::MAX;

/// Part of one of the flat arrays of [`Code`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// Where it starts.
    pub start: u32,
    /// Where it ends.
    pub end: u32,
}

impl Span {
    /// The part of that array.
    #[inline]
    pub fn of<T>(self, all: &[T]) -> &[T] {
        &all[self.start as usize..self.end as usize]
    }

    /// Appends to an array; the part that was appended.
    pub(super) fn extend<T>(all: &mut Vec<T>, more: impl IntoIterator<Item = T>) -> Self {
        let start = all.len() as u32;
        all.extend(more);
        let end = all.len() as u32;
        Self { start, end }
    }
}

/// A relation in a hash table, whose rows an instruction reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// The same in every state.
    Fixed(u32),
    /// Derived in every state anew.
    Changing(u32),
}

/// A value that is read, with its weight where places are counted.
#[derive(Clone, Copy, Debug)]
pub struct Read {
    /// The register.
    pub register: u32,
    /// What its value counts.
    pub weights: Weights,
}

/// A column that is copied to a register.
#[derive(Clone, Copy, Debug)]
pub struct Bind {
    /// The column.
    pub column: u32,
    /// The register.
    pub register: u32,
}

/// Bits of a place that are copied to a register.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// How far they are shifted in the place.
    pub shift: u32,
    /// As many bits as there are, shifted down.
    pub mask: u32,
    /// The register.
    pub register: u32,
}

/// Which places, counted from that of its key, a loop over bits goes through.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// The bits of a word that count.
    pub pattern: u64,
    /// The words, counted from that of the key's place (in [`Code::offsets`]).
    pub offsets: Span,
    /// What is copied of a place found, counted from that of the key (in [`Code::fields`]).
    pub fields: Span,
    /// For a loop that asks a summary: the view (in [`Code::views`]).
    pub view: u32,
    /// For a loop that asks a summary: how many words there are, a power of two.
    pub words: u32,
}

/// Where the bits of a view stand that has a summary.
#[derive(Clone, Copy, Debug)]
pub struct Summarised {
    /// The first word.
    pub first: u32,
    /// How many words there are.
    pub words: u32,
    /// The first word of the summary, which has a bit for each word that may have a bit set.
    pub summary: u32,
}

/// A loop over rows that are bits.
#[derive(Clone, Copy, Debug)]
pub struct Loop {
    /// The place of the key is this with the weights of the values in `key` (in [`Code::reads`]).
    pub start: u32,
    /// See `start`.
    pub key: Span,
    /// Where the loop keeps how far it is.
    pub cursor: u16,
    /// In [`Code::shapes`].
    pub shape: u32,
    /// Where the code goes on when there are no more rows.
    pub exit: Address,
}

/// A loop over rows of a fixed relation that stand in lists, one for each key.
#[derive(Clone, Copy, Debug)]
pub struct RowLoop {
    /// Where the ends of lists start in [`Code::rows`]: a list is from one of them to the next.
    pub index: u32,
    /// How many keys there are.
    pub keys: u32,
    /// The number of the key is the sum of the weights of these values (in [`Code::reads`]).
    pub key: Span,
    /// Where the loop keeps how far it is.
    pub cursor: u16,
    /// How many values a row has.
    pub width: u16,
    /// Where they go (in [`Code::binds`]).
    pub binds: Span,
    /// Where the code goes on when there are no more rows.
    pub exit: Address,
}

/// A loop over rows in a hash table.
#[derive(Clone, Copy, Debug)]
pub struct HashLoop {
    /// The relation.
    pub table: Table,
    /// The number of the index.
    pub index: u16,
    /// Where the loop keeps how far it is.
    pub cursor: u16,
    /// The values by which rows are looked up (in [`Code::reads`]).
    pub key: Span,
    /// Where the others go (in [`Code::binds`]).
    pub binds: Span,
    /// Where the code goes on when there are no more rows.
    pub exit: Address,
}

/// A test of a bit.
#[derive(Clone, Copy, Debug)]
pub struct Test {
    /// The place is this with the weights of the values in `row` (in [`Code::reads`]).
    pub start: u32,
    /// See `start`.
    pub row: Span,
    /// Where the code goes on if the test fails.
    pub exit: Address,
}

/// A bit that is set.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    /// The place is this with the weights of the values in `row` (in [`Code::reads`]).
    pub start: u32,
    /// See `start`.
    pub row: Span,
    /// The view, if it has a summary (in [`Code::views`]), or [`PLAIN`].
    pub view: u32,
    /// Where the code goes on.
    pub next: Address,
}

/// Words that are copied.
#[derive(Clone, Copy, Debug)]
pub struct Carry {
    /// The first word to read.
    pub from: u32,
    /// The first word to write.
    pub into: u32,
    /// How many there are.
    pub words: u32,
    /// Which of their bits (in [`Code::masks`]); all of them if this is empty.
    pub mask: Span,
    /// Whether bits that are set stay.
    pub joins: bool,
}

/// Bits that are cleared.
#[derive(Clone, Copy, Debug)]
pub struct Remove {
    /// The first word, and how many there are: places outside of them stay as they are.
    pub first: u32,
    /// See `first`.
    pub words: u32,
    /// The place is the first bit with the weights of the values in `row` (in [`Code::reads`]).
    pub row: Span,
    /// In [`Code::shapes`]: the bits to clear, counted from that place.
    pub shape: u32,
    /// Where the code goes on.
    pub next: Address,
}

/// What the machine can do. `exit` is where it goes on if there is nothing more, or a test fails;
/// else the next instruction follows, if nothing is said about it.
#[derive(Clone, Copy, Debug)]
pub enum Instruction {
    /// Takes the first row whose bit is set in the word of the key, and skips the next instruction.
    Window(Loop),
    /// Takes the next row of a window.
    WindowNext(Loop),
    /// Starts with the words of a shape.
    Sweep(Loop),
    /// Takes the next row of a sweep.
    SweepNext(Loop),
    /// Starts with those words of a region that the summary tells to have bits.
    Sparse(Loop),
    /// Takes the next row of such a region.
    SparseNext(Loop),
    /// Takes the first row of a list, and skips the next instruction.
    Rows(RowLoop),
    /// Takes the next row of a list.
    RowsNext(RowLoop),
    /// Starts with all rows of a hash table.
    Scan(HashLoop),
    /// Starts with the newest rows of a hash table.
    ScanNewest(HashLoop),
    /// Takes the next row of a scan.
    ScanNext(HashLoop),
    /// Starts with the rows with a key.
    Probe(HashLoop),
    /// Takes the next row with the key.
    ProbeNext(HashLoop),
    /// Tests whether a bit is set.
    Holds(Test),
    /// Tests whether a bit is not set.
    Fails(Test),
    /// Tests whether a row is in a hash table, or is not.
    Find {
        /// The relation.
        table: Table,
        /// The row (in [`Code::reads`]).
        row: Span,
        /// Whether it must be there.
        expected: bool,
        /// If it is not so.
        exit: Address,
    },
    /// Tests whether two values of one kind are the same, or are not.
    Same {
        /// One register.
        left: u32,
        /// The other.
        right: u32,
        /// Whether they must be the same.
        expected: bool,
        /// If it is not so.
        exit: Address,
    },
    /// Tests whether a value is a number, or is not.
    Is {
        /// The register.
        value: u32,
        /// The number.
        number: u32,
        /// Whether it must be that.
        expected: bool,
        /// If it is not so.
        exit: Address,
    },
    /// Tests whether one of some pairs of values differs (in [`Code::reads`]).
    DifferSomewhere {
        /// The pairs.
        pairs: Span,
        /// If none does.
        exit: Address,
    },
    /// Tests whether a value is no compound term.
    Plain {
        /// The register.
        value: u32,
        /// If it is one.
        exit: Address,
    },
    /// Tests whether a value is in a domain: whether it counts nothing.
    Within {
        /// The value.
        value: Read,
        /// If it is not.
        exit: Address,
    },
    /// Puts what a value counts in a register: a symbol for a digit.
    Translate {
        /// The value.
        value: Read,
        /// The register.
        into: u32,
    },
    /// Goes on elsewhere.
    Jump {
        /// There.
        exit: Address,
    },
    /// Sets a bit. If it was set, or there is no such place, the code goes on elsewhere.
    Mark(Mark),
    /// Sets a bit, if there is such a place, then goes on elsewhere.
    Accept(Mark),
    /// Copies words.
    Carry(Carry),
    /// Clears bits, then goes on elsewhere.
    Remove(Remove),
    /// Derives a row of a relation in a hash table, then goes on elsewhere.
    AcceptHash {
        /// The relation.
        relation: u32,
        /// The row (in [`Code::reads`]).
        row: Span,
        /// Where the code goes on.
        next: Address,
    },
    /// Puts the number of a compound term in a register; if not `make`, a number that no fact
    /// contains where the term is new.
    Build {
        /// The function.
        function: u32,
        /// The arguments (in [`Code::reads`]).
        args: Span,
        /// The register.
        into: u32,
        /// Whether a new term may be made.
        make: bool,
    },
    /// Tests whether a value is a compound term of that function, and puts its arguments in
    /// registers.
    TakeApart {
        /// The register with the term.
        value: u32,
        /// The function.
        function: u32,
        /// The registers (in [`Code::binds`]).
        into: Span,
        /// If it is not.
        exit: Address,
    },
    /// Puts a value that a call was given in a register.
    Argument {
        /// Which of them.
        number: u32,
        /// The register.
        into: u32,
    },
    /// Asks for the rows with a key of a relation on demand, and starts with them.
    Ask {
        /// The way of asking.
        call: u32,
        /// Where the loop keeps how far it is.
        cursor: u16,
        /// The key (in [`Code::reads`]).
        key: Span,
    },
    /// Takes the next answer.
    AskNext {
        /// The way of asking.
        call: u32,
        /// Where the loop keeps how far it is.
        cursor: u16,
        /// Where values go (in [`Code::binds`]).
        binds: Span,
        /// If there is none.
        exit: Address,
    },
    /// Tests whether a row of a relation on demand is there, or is not.
    AskWhether {
        /// The way of asking.
        call: u32,
        /// The row (in [`Code::reads`]).
        row: Span,
        /// Whether it must be there.
        expected: bool,
        /// If it is not so.
        exit: Address,
    },
    /// Adds an answer to a call, then goes on elsewhere.
    Answer {
        /// The way of asking.
        call: u32,
        /// The row (in [`Code::reads`]).
        row: Span,
        /// Where the code goes on.
        next: Address,
    },
    /// Starts a recursion over some relations (in [`Code::heads`]).
    Begin {
        /// The relations.
        heads: Span,
    },
    /// Starts the next round of a recursion, unless there was nothing new in the last.
    Round {
        /// The relations.
        heads: Span,
        /// If there was nothing.
        exit: Address,
    },
    /// Ends.
    Done,
}

/// The rules of a game as the machine runs them.
#[derive(Clone, Debug, Default)]
pub struct Code {
    /// What is done.
    pub instructions: Vec<Instruction>,
    /// The values that instructions read.
    pub reads: Vec<Read>,
    /// Where values of columns go.
    pub binds: Vec<Bind>,
    /// Where values of bits go.
    pub fields: Vec<Field>,
    /// What loops over bits go through.
    pub shapes: Vec<Shape>,
    /// Words of shapes.
    pub offsets: Vec<u32>,
    /// Views with summaries.
    pub views: Vec<Summarised>,
    /// Words of bits that are copied.
    pub masks: Vec<u64>,
    /// Lists of rows of fixed relations.
    pub rows: Vec<u32>,
    /// Relations of recursions.
    pub heads: Vec<u32>,
    /// What values count.
    pub tables: Tables,
    /// Values by their digits.
    pub(super) domains: Domains,
    /// For each relation, how its rows are kept.
    pub(super) layouts: Vec<Layout>,
    /// For each relation, whether its rows are the same in every state.
    pub(super) is_fixed: Vec<bool>,
    /// For each relation in a hash table, its rows if they are the same in every state.
    pub(super) fixed: Vec<Container>,
    /// The bits of all relations, with the facts of all states in them.
    pub bits: Vec<u64>,
    /// The words of `bits` that are emptied in every step.
    pub(super) emptied: Span,
    /// Relations whose facts change.
    pub(super) changing: Vec<RelationId>,
    /// What the first registers hold.
    pub constants: Vec<u32>,
    /// How many registers there are, with those of constants.
    pub registers: usize,
    /// How many loops there are within each other.
    pub cursors: usize,
    /// What is derived for which questions, in the order in which it must be.
    pub segments: Vec<Segment>,
    pub(super) calls: Arc<Calls>,
    /// For each call, where its rules start.
    pub call_entries: Vec<Address>,
}

/// Relations that are needed for the same questions.
#[derive(Clone, Copy, Debug)]
pub struct Segment {
    /// The questions, a bit each.
    pub questions: u8,
    /// Where their rules start.
    pub entry: Address,
}

impl Instruction {
    /// Where the instruction jumps to, if it does.
    pub fn target(mut self) -> Option<Address> {
        self.target_mut().copied()
    }

    /// Where the instruction jumps to, if it does.
    pub(super) fn target_mut(&mut self) -> Option<&mut Address> {
        use Instruction as I;
        match self {
            I::Window(Loop { exit, .. })
            | I::WindowNext(Loop { exit, .. })
            | I::Sweep(Loop { exit, .. })
            | I::SweepNext(Loop { exit, .. })
            | I::Sparse(Loop { exit, .. })
            | I::SparseNext(Loop { exit, .. })
            | I::Rows(RowLoop { exit, .. })
            | I::RowsNext(RowLoop { exit, .. })
            | I::ScanNext(HashLoop { exit, .. })
            | I::ProbeNext(HashLoop { exit, .. })
            | I::Holds(Test { exit, .. })
            | I::Fails(Test { exit, .. })
            | I::Find { exit, .. }
            | I::Same { exit, .. }
            | I::Is { exit, .. }
            | I::DifferSomewhere { exit, .. }
            | I::Plain { exit, .. }
            | I::Within { exit, .. }
            | I::Jump { exit }
            | I::TakeApart { exit, .. }
            | I::AskNext { exit, .. }
            | I::AskWhether { exit, .. }
            | I::Round { exit, .. } => Some(exit),
            I::Mark(Mark { next, .. })
            | I::Accept(Mark { next, .. })
            | I::Remove(Remove { next, .. })
            | I::AcceptHash { next, .. }
            | I::Answer { next, .. } => Some(next),
            I::Scan(_)
            | I::ScanNewest(_)
            | I::Probe(_)
            | I::Translate { .. }
            | I::Carry(_)
            | I::Build { .. }
            | I::Argument { .. }
            | I::Ask { .. }
            | I::Begin { .. }
            | I::Done => None,
        }
    }
}
