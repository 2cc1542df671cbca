//! How large a board game may be, so that no rule file takes the program down.

/// The longest rule file that is read, in bytes.
pub const MAX_TEXT_BYTES: usize = 1 << 20;

/// The most columns, which are named by the letters of the alphabet.
pub const MAX_WIDTH: u64 = 26;

/// The most rows.
pub const MAX_HEIGHT: u64 = 99;

/// The most squares of a board.
pub const MAX_SQUARES: u64 = 1024;

/// The most half-moves of a game.
pub const MAX_TURNS: u64 = 1_000_000;

/// How deep brackets may be nested.
pub const MAX_NESTING: usize = 100;

/// The most steps of a rule with all powers written out.
pub const MAX_STEPS: u64 = 20_000;

/// The largest number in a step.
pub const MAX_SHIFT: u64 = 9_999;

/// The most states of a rule's automaton before it is made minimal.
pub const MAX_STATES: usize = 8_192;

/// How much work the automaton of a rule may take, in units of one state of a set looked at.
pub const MAX_AUTOMATON_WORK: u64 = 20_000_000;

/// The most places of all automata on all squares, for both colours together.
pub const MAX_NODES: usize = 1 << 22;
