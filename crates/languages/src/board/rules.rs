//! The rules of a board game as data.

use paidia_gdl::Span;

use super::automaton::{Automaton, TooComplex};
use super::expression::Expression;

/// What stands on a square: the letter of a man, upper case for white, or nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Standing(u8);

impl Standing {
    /// An empty square.
    pub const EMPTY: Standing = Standing(b'.');

    /// What a character of a row stands for.
    pub fn of_character(character: u8) -> Option<Self> {
        (character == b'.' || character.is_ascii_alphabetic()).then_some(Self(character))
    }

    /// The character in a row.
    pub fn character(self) -> char {
        char::from(self.0)
    }

    /// Whether nothing stands there.
    pub fn is_empty(self) -> bool {
        self == Self::EMPTY
    }

    /// The upper case letter of the man's rule, if there is a man.
    pub fn kind(self) -> Option<u8> {
        (!self.is_empty()).then(|| self.0.to_ascii_uppercase())
    }

    /// Whether a man of white stands there.
    pub fn is_white(self) -> bool {
        self.0.is_ascii_uppercase()
    }
}

/// How a kind of piece moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Its upper case letter.
    pub letter: u8,
    /// The moves.
    pub moves: Expression,
    /// Where the rule stands in the text.
    pub span: Span,
}

/// A condition that ends the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    /// `@`: the owner of these men wins by moving one to one of the squares.
    Reach {
        /// The letter, upper case for white.
        letter: u8,
        /// Column and row, from 0 at the lower left.
        squares: Vec<(u8, u8)>,
    },
    /// `#`: the owner of these men loses when their number falls to this.
    Fall {
        /// The letter, upper case for white.
        letter: u8,
        /// The number.
        count: u32,
    },
}

impl Goal {
    /// The letter that it is about.
    pub fn letter(&self) -> u8 {
        match self {
            Goal::Reach { letter, .. } | Goal::Fall { letter, .. } => *letter,
        }
    }
}

/// The rules of a board game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardRules {
    /// The name between the double brackets.
    pub name: String,
    /// Columns.
    pub width: u8,
    /// Rows.
    pub height: u8,
    /// What stands where at the start, row by row from the bottom, from left to right.
    pub start: Vec<Standing>,
    /// The rules of the pieces.
    pub pieces: Vec<Piece>,
    /// After how many half-moves the game is a draw.
    pub turns: u32,
    /// The other ends of the game.
    pub goals: Vec<Goal>,
}

impl BoardRules {
    /// What stands on a square at the start.
    pub fn at(&self, x: u8, y: u8) -> Standing {
        self.start[usize::from(y) * usize::from(self.width) + usize::from(x)]
    }

    /// The rule of a kind of piece.
    pub fn piece(&self, letter: u8) -> Option<&Piece> {
        self.pieces.iter().find(|piece| piece.letter == letter)
    }

    /// The upper case letters of all kinds of men that have a rule or stand on the board, in the
    /// order of the alphabet.
    pub fn kinds(&self) -> Vec<u8> {
        let ruled = self.pieces.iter().map(|piece| piece.letter);
        let standing = self.start.iter().filter_map(|standing| standing.kind());
        let mut kinds: Vec<u8> = ruled.chain(standing).collect();
        kinds.sort_unstable();
        kinds.dedup();
        kinds
    }

    /// The minimal automaton of each piece's rule, in the order of [`Self::pieces`].
    ///
    /// # Errors
    /// The place of the first rule that is too large for one.
    pub fn automata(&self) -> Result<Vec<Automaton>, (usize, TooComplex)> {
        let made = self.pieces.iter().enumerate();
        made.map(|(index, piece)| Automaton::of(&piece.moves).map_err(|error| (index, error)))
            .collect()
    }
}
