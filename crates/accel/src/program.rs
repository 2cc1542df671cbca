//! The levelled program: word operations over numbered slots, which is all that a machine has to run.
//!
//! A slot holds one bit for every lane. A step of random play has three parts. [`Program::evaluate`] reads the state and says
//! whether it is terminal, what is legal and how many moves each chooser has. [`Program::goals`] follows it when somebody
//! wants the results. [`Program::advance`] reads the ranks that were drawn and leaves the next state in the place of the old. Slots
//! keep their contents between the parts and are used again for something else when their contents are no longer
//! needed.
//!
//! The text form, for people, is that of `Display`.

use std::fmt;

use paidia_game::MoveId;

/// What an operation does to words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// `left & right`
    And,
    /// `left & !right`
    AndNot,
    /// `left | right`
    Or,
    /// `left ^ right`
    Xor,
    /// `!left`
    Not,
    /// `left`
    Copy,
    /// `left`; and the loop goes round once more if that changes the target.
    Latch,
}

/// One operation on slots. Operands are read before the target is written, which may be the same slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operation {
    /// What is done.
    pub kind: Kind,
    /// The slot that is written.
    pub target: u32,
    /// The first operand.
    pub left: u32,
    /// The second operand; the same as the first where the kind has only one.
    pub right: u32,
}

/// Operations that are run one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Section {
    /// Once.
    Straight(Vec<Operation>),
    /// Again and again, until in no lane a latch changes its target.
    Loop {
        /// Slots that are cleared before the first round.
        cleared: Vec<u32>,
        /// The operations of a round.
        body: Vec<Operation>,
    },
}

impl Section {
    /// The operations, of one round if it is a loop.
    pub fn operations(&self) -> &[Operation] {
        match self {
            Section::Straight(operations)
            | Section::Loop {
                body: operations, ..
            } => operations,
        }
    }
}

/// A part of a step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// What is run, in order.
    pub sections: Vec<Section>,
    /// The slots whose contents somebody needs afterwards, in order; the part may leave anything in the others that it writes.
    pub kept: Vec<u32>,
}

impl Part {
    /// How many operations there are, those of loops counted once.
    pub fn operations(&self) -> usize {
        let sections = self.sections.iter();
        sections.map(|section| section.operations().len()).sum()
    }
}

/// A word that somebody outside reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signal {
    /// Where it is.
    pub slot: u32,
    /// Whether it stands there inverted.
    pub is_inverted: bool,
}

/// What concerns one role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoleSignals {
    /// All moves that the role can ever make, in the order of their ids, and when they are legal.
    pub legal: Vec<(MoveId, Signal)>,
    /// Whether any is.
    pub can_move: Signal,
    /// The role's possible results and when it gets them.
    pub goals: Vec<(i32, Signal)>,
}

/// What concerns one chooser: a number is to be drawn in every lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChooserSignals {
    /// The highest number that may be drawn, as bits from the lowest.
    pub last: Vec<Signal>,
    /// For each bit, whether any number that may be drawn has this bit or a higher one.
    pub mask: Vec<Signal>,
    /// The slots where the drawn number goes: the first, for the lowest bit; the others follow.
    pub rank: u32,
    /// What the numbers stand for: the n-th leaf in which anything is legal. A leaf is a list of moves, each as the role and
    /// its place in [`RoleSignals::legal`], of which at most one is ever legal.
    pub leaves: Vec<Vec<(u16, u32)>>,
}

/// Everything that a step of random play takes, as word operations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// How many slots there are. The first are the fluents of the state, in order.
    pub slots: u32,
    /// How many fluents there are.
    pub fluents: u32,
    /// From the state: whether it is terminal, what is legal, what the choosers may draw.
    pub evaluate: Part,
    /// From the state, after [`Program::evaluate`]: the goals.
    pub goals: Part,
    /// From the state and what was drawn, after [`Program::evaluate`]: the next state.
    pub advance: Part,
    /// Whether the game is over.
    pub terminal: Signal,
    /// What concerns each role.
    pub roles: Vec<RoleSignals>,
    /// What concerns each chooser.
    pub choosers: Vec<ChooserSignals>,
}

impl Program {
    /// How many operations a step without goals takes, those of loops counted once.
    pub fn operations(&self) -> usize {
        self.evaluate.operations() + self.advance.operations()
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Operation {
            kind,
            target,
            left,
            right,
        } = self;
        match kind {
            Kind::And => write!(formatter, "s{target} = s{left} & s{right}"),
            Kind::AndNot => write!(formatter, "s{target} = s{left} & ~s{right}"),
            Kind::Or => write!(formatter, "s{target} = s{left} | s{right}"),
            Kind::Xor => write!(formatter, "s{target} = s{left} ^ s{right}"),
            Kind::Not => write!(formatter, "s{target} = ~s{left}"),
            Kind::Copy => write!(formatter, "s{target} = s{left}"),
            Kind::Latch => write!(formatter, "s{target} <- s{left}"),
        }
    }
}

impl fmt::Display for Signal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inversion = if self.is_inverted { "~" } else { "" };
        write!(formatter, "{inversion}s{}", self.slot)
    }
}

impl fmt::Display for Part {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for section in &self.sections {
            let indent = match section {
                Section::Straight(_) => "  ",
                Section::Loop { cleared, .. } => {
                    writeln!(formatter, "  repeat, from 0 in{}:", Slots(cleared))?;
                    "    "
                }
            };
            for operation in section.operations() {
                writeln!(formatter, "{indent}{operation}")?;
            }
        }
        Ok(())
    }
}

struct Slots<'a>(&'a [u32]);

impl fmt::Display for Slots<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .iter()
            .try_for_each(|slot| write!(formatter, " s{slot}"))
    }
}

struct Signals<'a>(&'a [Signal]);

impl fmt::Display for Signals<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .iter()
            .try_for_each(|signal| write!(formatter, " {signal}"))
    }
}

impl fmt::Display for Program {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            formatter,
            "slots: {}, of them fluents: {}",
            self.slots, self.fluents
        )?;
        write!(formatter, "evaluate:\n{}", self.evaluate)?;
        writeln!(formatter, "terminal: {}", self.terminal)?;
        for (number, role) in self.roles.iter().enumerate() {
            let legal: Vec<Signal> = role.legal.iter().map(|&(_, signal)| signal).collect();
            writeln!(formatter, "legal for {number}:{}", Signals(&legal))?;
        }
        for (number, chooser) in self.choosers.iter().enumerate() {
            let rank: Vec<u32> = (chooser.rank..).take(chooser.last.len()).collect();
            let (rank, last) = (Slots(&rank), Signals(&chooser.last));
            writeln!(formatter, "draw {number}:{rank} up to{last}")?;
        }
        write!(formatter, "goals:\n{}", self.goals)?;
        for (number, role) in self.roles.iter().enumerate() {
            for (value, signal) in &role.goals {
                writeln!(formatter, "goal {value} for {number}: {signal}")?;
            }
        }
        write!(formatter, "advance:\n{}", self.advance)
    }
}
