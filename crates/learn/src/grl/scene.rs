//! Positions and the steps of which moves consist.

use std::fmt;

/// What a step asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Does {
    /// The square is empty.
    Empty,
    /// A piece of the opponent is there.
    Opponent,
    /// A piece of the mover is there.
    Own,
    /// The piece in hand stays where it is, and the piece that waits to be added there is taken in
    /// hand.
    Adds,
    /// The piece underneath that in hand is removed.
    Removes,
}

/// A step of a move: how far it goes, ahead as the mover sees it, and what it asks for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Micro {
    /// Columns to the right.
    pub dx: i32,
    /// Rows ahead.
    pub dy: i32,
    /// What it asks for.
    pub does: Does,
}

impl fmt::Debug for Micro {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = match self.does {
            Does::Empty => 'e',
            Does::Opponent => 'p',
            Does::Own => 'w',
            Does::Adds => 'a',
            Does::Removes => 'd',
        };
        write!(formatter, "({} {} {letter})", self.dx, self.dy)
    }
}

impl Micro {
    /// The step that adds a piece.
    pub const ADD: Micro = Micro {
        dx: 0,
        dy: 0,
        does: Does::Adds,
    };

    /// The step that removes a piece.
    pub const REMOVE: Micro = Micro {
        dx: 0,
        dy: 0,
        does: Does::Removes,
    };
}

/// A move: where it begins and its steps.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Record {
    /// The square, row by row from the bottom.
    pub from: usize,
    /// The steps.
    pub steps: Vec<Micro>,
}

/// An empty square.
pub(super) const EMPTY: u8 = b'.';

/// A position. Squares go row by row from the bottom.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Scene {
    /// Columns.
    pub width: usize,
    /// What stands where: letters, upper case for white, dots for nothing, and `#` where there is
    /// no square.
    pub board: Vec<u8>,
    /// The pieces of white and of black that wait to be added on each square.
    pub waiting: [Vec<u8>; 2],
    /// Whether white is to move.
    pub is_white: bool,
    /// Whether players take turns.
    pub alternates: bool,
}

/// A move that is being made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hand {
    /// What stands where beside the piece in hand.
    pub board: Vec<u8>,
    /// The piece in hand.
    pub piece: u8,
    /// Its square.
    pub square: usize,
}

impl Scene {
    /// A position without pieces that wait, white to move.
    pub fn new(width: usize, board: Vec<u8>) -> Self {
        let nothing = vec![EMPTY; board.len()];
        Self {
            width,
            waiting: [nothing.clone(), nothing],
            board,
            is_white: true,
            alternates: true,
        }
    }

    /// Whether a piece is one of the mover's.
    pub fn is_own(&self, piece: u8) -> bool {
        piece.is_ascii_alphabetic() && piece.is_ascii_uppercase() == self.is_white
    }

    /// The piece of the mover that waits to be added on a square.
    pub fn waiting(&self, square: usize) -> u8 {
        self.waiting[usize::from(!self.is_white)][square]
    }

    /// Takes a piece of the mover in hand.
    pub fn lift(&self, from: usize) -> Option<Hand> {
        let piece = *self.board.get(from)?;
        self.is_own(piece).then(|| {
            let mut board = self.board.clone();
            board[from] = EMPTY;
            Hand {
                board,
                piece,
                square: from,
            }
        })
    }

    /// The square that a step leads to, if the board has it.
    pub fn square_after(&self, square: usize, micro: Micro) -> Option<usize> {
        let ahead = if self.is_white { micro.dy } else { -micro.dy };
        let x = (square % self.width) as i32 + micro.dx;
        let y = (square / self.width) as i32 + ahead;
        let height = (self.board.len() / self.width) as i32;
        let is_on = (0..self.width as i32).contains(&x) && (0..height).contains(&y);
        is_on.then(|| y as usize * self.width + x as usize)
    }

    /// What a step makes of a move, if it can be made.
    pub fn step(&self, hand: &Hand, micro: Micro) -> Option<Hand> {
        let square = self.square_after(hand.square, micro)?;
        let there = hand.board[square];
        let fits = match micro.does {
            Does::Empty => there == EMPTY,
            Does::Opponent => there.is_ascii_alphabetic() && !self.is_own(there),
            Does::Own => self.is_own(there),
            Does::Adds => self.waiting(square) != EMPTY,
            Does::Removes => there.is_ascii_alphabetic(),
        };
        if !fits {
            return None;
        }
        let mut next = hand.clone();
        next.square = square;
        match micro.does {
            Does::Adds => {
                next.board[square] = hand.piece;
                next.piece = self.waiting(square);
            }
            Does::Removes => next.board[square] = EMPTY,
            Does::Empty | Does::Opponent | Does::Own => {}
        }
        Some(next)
    }

    /// The position after a move, if it can be made.
    pub fn after(&self, record: &Record) -> Option<Scene> {
        let mut hand = self.lift(record.from)?;
        for &micro in &record.steps {
            hand = self.step(&hand, micro)?;
        }
        let mut next = self.clone();
        next.board = hand.board;
        next.board[hand.square] = hand.piece;
        next.is_white = self.is_white != self.alternates;
        Some(next)
    }
}
