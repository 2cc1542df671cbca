//! The form of a game that threads run, each with 32 lanes of its own: code over registers of 32
//! bits, with everything that play takes.
//!
//! A thread makes one step after another: it evaluates its lanes; at steps that are multiples of
//! [`Shape::interval`] it reports the playouts that have ended and begins others; it draws moves
//! and makes them. A lane whose number came out too high [`Shape::draws`] times keeps its state and
//! draws again in the next step, so that a step has no loop that waits for the last lane.
//!
//! [`super::soft`] runs a form in plain code, [`super::ptx`] writes it for a GPU.

/// A register, by number.
pub(super) type Register = u32;

/// How a game is laid out on threads. The playouts depend on the first three.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// How many threads a block has, a multiple of 32.
    pub block: u32,
    /// How often a lane draws a number in a step; a number that comes out too high is drawn again.
    pub draws: u32,
    /// Playouts are reported at steps that are multiples of this power of two.
    pub interval: u32,
    /// Programs that hold at most this number of words stay in registers.
    pub in_registers: usize,
    /// About how many operations a function of larger ones has.
    pub function: usize,
    /// How many blocks a multiprocessor is to hold, which limits the registers of a thread; 0
    /// leaves that to the compiler.
    pub blocks: u32,
    /// What moves need is computed again after they were drawn where more than 256 words are
    /// held else, and so fewer than this share of them, in hundredths.
    pub again: u32,
    /// How many threads play where a time is given.
    pub threads: u32,
}

/// The words that the registers of a thread hold.
pub(super) const FITS: u32 = 256;

impl Default for Shape {
    fn default() -> Self {
        Self {
            block: 128,
            draws: 3,
            interval: 2,
            in_registers: 600,
            function: 1_000,
            blocks: 0,
            again: 85,
            threads: 1 << 16,
        }
    }
}

/// What a thread does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Code {
    /// Any function of three words: bit `4 * first + 2 * second + third` of the table.
    Table {
        table: u8,
        to: Register,
        of: [Register; 3],
    },
    /// A constant.
    Set { to: Register, value: u32 },
    /// From the thread's memory.
    Load { to: Register, place: u32 },
    /// Into the thread's memory.
    Store { place: u32, of: Register },
    /// Whether a fluent holds where playouts start: all bits or none.
    Start { to: Register, fluent: u32 },
    /// Whether the highest number of moves of a playout has this bit: all bits or none.
    Limit { to: Register, bit: u32 },
    /// Four random words, those of this number in this round of drawing.
    Random { to: [Register; 4], call: u32 },
    /// As many of the lanes, the lowest, as playouts are left to begin, which there are fewer of
    /// then.
    Take { to: Register, lanes: Register },
    /// Tells of playouts that have ended.
    Report(Report),
    /// Calls a function, which has registers of its own and the same memory.
    Call(usize),
    /// If any bit is set.
    If { any: Register, body: Vec<Code> },
    /// At steps in which playouts are reported.
    AtInterval(Vec<Code>),
    /// Once, and again while any bit is set.
    While { any: Register, body: Vec<Code> },
    /// The same, [`Shape::draws`] times at most; each round takes that many calls of random words.
    Rounds {
        any: Register,
        calls: u32,
        body: Vec<Code>,
    },
}

/// Tells how playouts have ended in lanes, one by one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Report {
    pub(super) lanes: Register,
    /// The lanes in which the game is over.
    pub(super) terminal: Register,
    pub(super) roles: Vec<RoleReport>,
}

/// What a role gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RoleReport {
    pub(super) any: Register,
    pub(super) several: Register,
    /// The place of the result among those that there are.
    pub(super) place: Vec<Register>,
    /// The tally of its first result; the others follow.
    pub(super) first: u32,
    /// How many results there are.
    pub(super) results: u32,
}

/// What is counted of playouts, before the goals.
pub(super) mod tally {
    /// Playouts that have ended, by any end.
    pub(in crate::gpu) const PLAYOUTS: usize = 0;
    /// Moves made in them.
    pub(in crate::gpu) const MOVES: usize = 1;
    /// The squares of their lengths.
    pub(in crate::gpu) const SQUARES: usize = 2;
    /// Those cut.
    pub(in crate::gpu) const CUT: usize = 3;
    /// Those in which a role had no move.
    pub(in crate::gpu) const STUCK: usize = 4;
    /// Playouts that are open or to be begun, after a launch.
    pub(in crate::gpu) const OPEN: usize = 5;
    /// The shortest, as its difference to 2^32 - 1, and the longest: the highest count.
    pub(in crate::gpu) const SHORTEST: usize = 6;
    pub(in crate::gpu) const LONGEST: usize = 7;
    /// The first of the goals.
    pub(in crate::gpu) const GOALS: usize = 8;
}

/// Where something is that stays between launches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Register(Register),
    Memory(u32),
}

/// The registers of what a thread knows about its lanes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Lanes {
    /// In which a playout is open.
    pub(super) active: Register,
    /// How many playouts are to be begun.
    pub(super) left: Register,
    /// How many moves each playout may still make, as bits from the lowest.
    pub(super) countdown: Vec<Register>,
}

/// A game as code for threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Form {
    /// How many registers the code has, and each function.
    pub(super) registers: u32,
    /// How many words of memory a thread has.
    pub(super) memory: u32,
    /// How many words the program holds at once.
    pub(super) slots: u32,
    pub(super) fluents: u32,
    /// Where the state of the lanes is, fluent by fluent.
    pub(super) state: Vec<Place>,
    pub(super) lanes: Lanes,
    /// A slot that is always zero.
    pub(super) zero: Place,
    /// What is called.
    pub(super) functions: Vec<Vec<Code>>,
    /// Run when a launch begins: idle lanes begin playouts.
    pub(super) fill: Vec<Code>,
    /// Run at each step.
    pub(super) step: Vec<Code>,
    pub(super) shape: Shape,
    /// How many tallies there are.
    pub(super) tallies: usize,
    /// The results of each role, for its tallies.
    pub(super) results: Vec<Vec<i32>>,
}

impl Form {
    /// How many words of a thread stay between launches: the state, the countdown, which lanes are
    /// active, how many playouts are left.
    pub(super) fn kept(&self) -> usize {
        self.state.len() + self.lanes.countdown.len() + 2
    }

    /// The row of [`Self::kept`] that says how many playouts are to be begun.
    pub(super) fn left_row(&self) -> usize {
        self.kept() - 1
    }

    /// How many instructions there are, and bits of code.
    pub(super) fn size(&self) -> usize {
        let all = self.functions.iter().chain([&self.fill, &self.step]);
        all.map(|code| size(code)).sum()
    }
}

fn size(code: &[Code]) -> usize {
    let sizes = code.iter().map(|code| match code {
        Code::If { body, .. }
        | Code::AtInterval(body)
        | Code::While { body, .. }
        | Code::Rounds { body, .. } => 1 + size(body),
        _ => 1,
    });
    sizes.sum()
}
