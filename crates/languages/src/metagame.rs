//! Metagame: symmetric chess-like games. (Barney Pell, Strategy Generation and Evaluation for
//! Meta-Game Playing, 1993; after Jakub Kowalski, General Game Description Languages, 2016, section
//! 2.1.1.)
//!
//! [`read`] makes a [`Description`] and problems of a text, [`to_gdl`] the same game in GDL, by
//! which it is played. The language is told by a listing rather than by a grammar there;
//! `docs/methods/metagame-toss.md` says what is read.

mod gdl;
mod read;
mod tokens;

use paidia_gdl::{Code, OtherCode, Severity};

pub use gdl::to_gdl;
pub use read::{Reading, read};

/// Something else is expected at this place.
const SYNTAX: Code = Code::Other(&OtherCode {
    name: "metagame-syntax",
    severity: Severity::Error,
    explanation: include_str!("metagame/metagame-syntax.md"),
});

/// A part that cannot be, or that is not played here.
const MEANING: Code = Code::Other(&OtherCode {
    name: "metagame-meaning",
    severity: Severity::Error,
    explanation: include_str!("metagame/metagame-meaning.md"),
});

/// All kinds of problems of Metagame rules.
pub const CODES: &[Code] = &[SYNTAX, MEANING];

/// A symmetric chess-like game: everything is told for white, and the same for black is what comes
/// of turning the board by half a circle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Description {
    /// The name.
    pub name: String,
    /// How the game is won.
    pub goals: Vec<Goal>,
    /// Columns.
    pub width: u8,
    /// Rows.
    pub height: u8,
    /// Whether the first column is beside the last.
    pub is_cylinder: bool,
    /// The row from which on men are promoted.
    pub promote_rank: Option<u8>,
    /// What stands where, from column 1 and row 1.
    pub setup: Vec<(String, Vec<(u8, u8)>)>,
    /// Whether one who can take must take.
    pub must_capture: bool,
    /// The pieces.
    pub pieces: Vec<Piece>,
}

/// Whose pieces or moves something is about: the player's who would win, or the opponent's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The player.
    Player,
    /// The other one.
    Opponent,
}

/// A way to win.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    /// A side that is to move cannot.
    Stalemate(Side),
    /// A side has no such pieces; without a name no pieces at all.
    Eradicate(Side, Option<String>),
    /// A side has such a piece on a square.
    Arrive(Side, String, (u8, u8)),
}

/// A kind of pieces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Piece {
    /// Its name.
    pub name: String,
    /// How it moves without taking.
    pub moves: Vec<Movement>,
    /// How it takes.
    pub captures: Vec<Capture>,
    /// What it becomes.
    pub promotes_to: Option<String>,
    /// Whether it goes on taking as long as it can.
    pub continues: bool,
}

/// A way to take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Capture {
    /// Whether what is taken is hopped over, rather than where the move ends.
    pub by_hop: bool,
    /// What may be taken.
    pub targets: Targets,
    /// The ways.
    pub movements: Vec<Movement>,
}

/// Pieces of some sides and kinds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Targets {
    /// Whether the mover's own count.
    pub player: bool,
    /// Whether the opponent's count.
    pub opponent: bool,
    /// Which kinds; nothing for any.
    pub kinds: Option<Vec<String>>,
}

/// A way to go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Movement {
    /// What squares on the way must be.
    pub kind: MovementKind,
    /// Columns to the right and rows ahead, as white sees it, with all that symmetries add.
    pub vectors: Vec<(i32, i32)>,
}

/// What squares on the way must be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MovementKind {
    /// One step, whatever is between.
    Leap,
    /// Steps over empty squares.
    Ride,
    /// Empty squares, pieces, empty squares, and the last.
    Hop {
        /// Empty squares before.
        before: u32,
        /// Pieces that are hopped over.
        over: u32,
        /// Empty squares after them, before the last.
        after: u32,
        /// Which pieces.
        what: Targets,
    },
}
