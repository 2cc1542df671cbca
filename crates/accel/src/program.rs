//! The levelled program: word operations over numbered slots, which is all that a machine has to
//! run.
//!
//! A slot holds one bit for every lane. A step of random play has four parts.
//! [`Program::evaluate`] reads the state and which lanes may go on, and says whether it is
//! terminal, what is legal, how many moves each chooser has, and which lanes do go on.
//! [`Program::goals`] is run when the results are needed: right after it, or if that takes too long
//! to do at every step, later in other memory, to which states are copied. [`Program::draw`] gives
//! every chooser a random rank; the generators of random words are slots like all else. Where moves
//! are given from outside, their ranks are, and this part is left out. [`Program::advance`] reads
//! the ranks and leaves the next state in the place of the old. Slots keep their contents between
//! the parts and are used again for something else when their contents are no longer needed.
//!
//! The text form, for people, is that of `Display`.

use std::fmt;

use paidia_game::{Goal, MoveId};

/// What an operation does to words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Kind {
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
    /// Any function of three words, by its table.
    Table,
}

impl Kind {
    /// The function as a table, for kinds that are one by themselves.
    pub(crate) fn table(self) -> u8 {
        match self {
            Kind::And => 0b1100_0000,
            Kind::AndNot => 0b0011_0000,
            Kind::Or => 0b1111_1100,
            Kind::Xor => 0b0011_1100,
            Kind::Not => 0b0000_1111,
            Kind::Copy | Kind::Latch => 0b1111_0000,
            Kind::Table => 0,
        }
    }
}

/// The table of three inputs with two of them in each other's place.
pub(crate) fn swapped(table: u8, one: usize, other: usize) -> u8 {
    // The rows in which the two differ change places.
    let (mask, shift) = match (one.min(other), one.max(other)) {
        (0, 1) => (0b0000_1100, 2),
        (1, 2) => (0b0010_0010, 1),
        (0, 2) => (0b0000_1010, 3),
        _ => return table,
    };
    let stays = !(mask | mask << shift);
    table & stays | (table & mask) << shift | table >> shift & mask
}

/// One operation on slots. Operands are read before the target is written, which may be the same
/// slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Operation {
    /// What is done.
    pub(crate) kind: Kind,
    /// For [`Kind::Table`], the results: bit `4 * left + 2 * right + third`.
    pub(crate) table: u8,
    /// The slot that is written.
    pub(crate) target: u32,
    /// The operands: left, right, third. Where the kind has fewer, the first stands for the others.
    pub(crate) operands: [u32; 3],
}

/// Operations that are run one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Section {
    /// Once.
    Straight(Vec<Operation>),
    /// Again and again, until in no lane a latch changes its target.
    Loop {
        /// Slots that are cleared before the first round.
        cleared: Vec<u32>,
        /// The operations of a round.
        body: Vec<Operation>,
    },
    /// Once, a random number in every lane.
    Draw(Draw),
}

/// Draws a number in each of some lanes, of which every one up to the highest is equally likely;
/// other lanes get 0. `choose/draw.rs` tells how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Draw {
    /// The lanes.
    pub(crate) lanes: Signal,
    /// The bits of the number from the lowest.
    pub(crate) digits: Vec<Digit>,
    /// The first of the four slots that hold the state of each block's generator.
    pub(crate) stream: u32,
}

/// One bit of a number that is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Digit {
    /// This bit of the highest number that may be drawn.
    pub(crate) last: Signal,
    /// Where any number that may be drawn has this bit or a higher one.
    pub(crate) mask: Signal,
    /// The slot for this bit of the number that is drawn.
    pub(crate) rank: u32,
}

/// How many slots a generator of random words takes.
pub(crate) const STREAM_SLOTS: u32 = 4;

impl Section {
    /// The operations, of one round if it is a loop.
    pub(crate) fn operations(&self) -> &[Operation] {
        match self {
            Section::Straight(operations)
            | Section::Loop {
                body: operations, ..
            } => operations,
            Section::Draw(_) => &[],
        }
    }

    /// The slots that are cleared before the first round, if it is a loop.
    pub(crate) fn cleared(&self) -> &[u32] {
        match self {
            Section::Straight(_) | Section::Draw(_) => &[],
            Section::Loop { cleared, .. } => cleared,
        }
    }
}

/// A part of a step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Part {
    /// What is run, in order.
    pub(crate) sections: Vec<Section>,
    /// The slots whose contents are needed afterwards, in order; the part may leave anything in the
    /// others that it writes.
    pub(crate) kept: Vec<u32>,
}

impl Part {
    /// How many operations there are, those of loops counted once.
    pub(crate) fn operations(&self) -> usize {
        let sections = self.sections.iter();
        sections.map(|section| section.operations().len()).sum()
    }
}

/// A word that is read from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Signal {
    /// Where it is.
    pub(crate) slot: u32,
    /// Whether it stands there inverted.
    pub(crate) is_inverted: bool,
}

/// What concerns one role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RoleSignals {
    /// All moves that the role can ever make, in the order of their ids, and when they are legal.
    pub(crate) legal: Vec<(MoveId, Signal)>,
    /// Whether any is.
    pub(crate) can_move: Signal,
    /// What the role gets.
    pub(crate) goals: GoalSignals,
}

/// What a role gets: the place of the result in a list, as a binary number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GoalSignals {
    /// All possible results.
    pub(crate) values: Vec<i32>,
    /// The place of the result, as bits from the lowest.
    pub(crate) place: Vec<Signal>,
    /// Whether there is any result.
    pub(crate) any: Signal,
    /// Whether there is more than one.
    pub(crate) several: Signal,
}

impl GoalSignals {
    /// All signals: any, several, the bits of the place.
    pub(crate) fn signals(&self) -> impl ExactSizeIterator<Item = Signal> {
        let signals = 0..self.place.len() + 2;
        signals.map(|number| match number {
            0 => self.any,
            1 => self.several,
            _ => self.place[number - 2],
        })
    }

    /// The goal, given the values of the signals by their number.
    #[inline]
    pub(crate) fn read(&self, signal: impl Fn(usize) -> bool) -> Goal {
        if signal(1) {
            return Goal::Several;
        }
        if !signal(0) {
            return Goal::None;
        }
        let place = (0..self.place.len())
            .map(|bit| usize::from(signal(bit + 2)) << bit)
            .sum::<usize>();
        let value = self.values.get(place);
        value.map_or(Goal::None, |&value| Goal::One(value))
    }
}

/// What concerns one chooser: in every lane it takes the leaf of a given rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ChooserSignals {
    /// The slots of the rank: the first, for the lowest bit; the others follow.
    pub(crate) rank: u32,
    /// How many there are.
    pub(crate) bits: u32,
    /// What ranks stand for: the n-th leaf in which anything is legal. A leaf is a list of
    /// moves, each as the role and its place in [`RoleSignals::legal`], of which at most one is
    /// ever legal.
    pub(crate) leaves: Vec<Vec<(u16, u32)>>,
}

/// Everything that a step of random play takes, as word operations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// How many slots there are. The first are the fluents of the state, in order.
    pub(crate) slots: u32,
    /// How many fluents there are.
    pub(crate) fluents: u32,
    /// From the state: whether it is terminal, what is legal, what the choosers may draw.
    pub(crate) evaluate: Part,
    /// From the state: the goals.
    pub(crate) goals: Part,
    /// Whether the goals are evaluated in memory of their own; else they are evaluated after
    /// [`Program::evaluate`], and use what it found.
    pub(crate) goals_are_apart: bool,
    /// After [`Program::evaluate`]: the ranks of all choosers.
    pub(crate) draw: Part,
    /// From the state and the ranks, after [`Program::evaluate`]: the next state.
    pub(crate) advance: Part,
    /// The slot that says from outside which lanes may go on.
    pub(crate) open: u32,
    /// The slot that says which lanes make moves, where others keep their state.
    pub(crate) go: Option<u32>,
    /// The first of the slots for the generators of random words.
    pub(crate) stream: u32,
    /// The open lanes in which the game is not over and every role has a move.
    pub(crate) moving: Signal,
    /// Whether the game is over.
    pub(crate) terminal: Signal,
    /// What concerns each role.
    pub(crate) roles: Vec<RoleSignals>,
    /// What concerns each chooser.
    pub(crate) choosers: Vec<ChooserSignals>,
    /// Where moves have weights, for each chooser the first of the slots for those of its leaves;
    /// they are set from outside.
    pub(crate) weights: Vec<u32>,
}

impl Program {
    /// How many operations a step without goals takes, those of loops counted once.
    pub fn operations(&self) -> usize {
        self.evaluate.operations() + self.advance.operations()
    }

    /// How many operations goals take, those of loops counted once.
    pub fn goal_operations(&self) -> usize {
        self.goals.operations()
    }

    /// How many words a block of lanes takes.
    pub fn slots(&self) -> u32 {
        self.slots
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Operation {
            kind,
            table,
            target,
            operands: [left, right, third],
        } = self;
        match kind {
            Kind::And => write!(formatter, "s{target} = s{left} & s{right}"),
            Kind::AndNot => write!(formatter, "s{target} = s{left} & ~s{right}"),
            Kind::Or => write!(formatter, "s{target} = s{left} | s{right}"),
            Kind::Xor => write!(formatter, "s{target} = s{left} ^ s{right}"),
            Kind::Not => write!(formatter, "s{target} = ~s{left}"),
            Kind::Copy => write!(formatter, "s{target} = s{left}"),
            Kind::Latch => write!(formatter, "s{target} <- s{left}"),
            Kind::Table => write!(
                formatter,
                "s{target} = {table:#04x}(s{left}, s{right}, s{third})"
            ),
        }
    }
}

impl fmt::Display for Signal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inversion = if self.is_inverted { "~" } else { "" };
        write!(formatter, "{inversion}s{}", self.slot)
    }
}

impl fmt::Display for Draw {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ranks: Vec<u32> = self.digits.iter().map(|digit| digit.rank).collect();
        let last: Vec<Signal> = self.digits.iter().map(|digit| digit.last).collect();
        write!(
            formatter,
            "draw{} up to{} where {}",
            Slots(&ranks),
            Signals(&last),
            self.lanes
        )
    }
}

impl fmt::Display for Part {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for section in &self.sections {
            let indent = match section {
                Section::Straight(_) => "  ",
                Section::Draw(draw) => {
                    writeln!(formatter, "  {draw}")?;
                    continue;
                }
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
        let (open, moving) = (self.open, self.moving);
        writeln!(formatter, "of lanes open by s{open}, those move: {moving}")?;
        for (number, role) in self.roles.iter().enumerate() {
            let legal: Vec<Signal> = role.legal.iter().map(|&(_, signal)| signal).collect();
            writeln!(formatter, "legal for {number}:{}", Signals(&legal))?;
        }
        write!(formatter, "draw:\n{}", self.draw)?;
        let apart = if self.goals_are_apart { ", apart" } else { "" };
        write!(formatter, "goals{apart}:\n{}", self.goals)?;
        for (number, role) in self.roles.iter().enumerate() {
            let GoalSignals {
                values,
                place,
                any,
                several,
            } = &role.goals;
            let place = Signals(place);
            writeln!(
                formatter,
                "goal for {number}: if {any} and not {several}, of {values:?} that at{place}"
            )?;
        }
        write!(formatter, "advance:\n{}", self.advance)
    }
}
