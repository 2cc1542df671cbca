//! A position that moves are made and unmade in.

mod moves;

use std::fmt;
use std::sync::Arc;

use super::limits::MAX_SQUARES;
use super::reach::Squares;
use super::state::BoardState;
use super::tables::{Content, EMPTY, Tables};
use moves::Trail;

/// A player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Colour {
    /// Moves first, upper case letters.
    White,
    /// Lower case letters.
    Black,
}

impl Colour {
    /// The colour with this number: 0 for white.
    pub fn of_index(index: usize) -> Self {
        match index {
            0 => Colour::White,
            _ => Colour::Black,
        }
    }

    /// The other player.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Colour::White => Colour::Black,
            Colour::Black => Colour::White,
        }
    }

    /// The name of the role.
    pub fn name(self) -> &'static str {
        match self {
            Colour::White => "white",
            Colour::Black => "black",
        }
    }
}

/// A move: from a square to a square, which may be the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BoardMove {
    /// Where the man stands.
    pub from: u16,
    /// Where it goes.
    pub to: u16,
}

/// What is needed to unmake a move.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    chosen: BoardMove,
    taken: Content,
    key: u64,
}

impl Undo {
    /// Whether a man was taken.
    pub fn is_capture(&self) -> bool {
        self.taken != EMPTY
    }
}

/// A position in a game, for one thread.
#[derive(Clone)]
pub struct Position {
    tables: Arc<Tables>,
    keys: Arc<Keys>,
    board: Vec<Content>,
    /// The squares with men of white and of black, a bit each.
    men: [[Squares; WORDS]; 2],
    /// How many of the words are used.
    words: usize,
    /// How many men of each content there are.
    counts: Vec<u32>,
    turn: u32,
    winner: Option<Colour>,
    key: u64,
    trail: Trail,
    /// Scratch memory for boards that have no sets.
    listed: Vec<BoardMove>,
}

/// Words of a set of squares of the largest board.
const WORDS: usize = MAX_SQUARES as usize / 64;

impl fmt::Debug for Position {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Position({} after {})", self.rows(), self.turn)
    }
}

/// Random numbers of contents on squares, for hashing.
#[derive(Debug)]
struct Keys {
    numbers: Vec<u64>,
    black: u64,
}

/// A number that looks random for each number. (Sebastiano Vigna's splitmix64.)
pub(super) fn mixed(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

impl Position {
    /// The position at the start.
    pub fn new(tables: Arc<Tables>) -> Self {
        let numbers = (0..tables.contents() * tables.squares).map(|place| match place {
            // Empty squares add nothing.
            place if place < 2 * tables.squares => 0,
            place => mixed(place as u64),
        });
        let keys = Keys {
            numbers: numbers.collect(),
            black: mixed(u64::MAX),
        };
        let words = tables.squares.div_ceil(64);
        let has_plain = tables.is_plain.iter().all(|&is_plain| is_plain);
        let nodes = if has_plain {
            0
        } else {
            tables.first_exit.len()
        };
        let mut this = Self {
            keys: Arc::new(keys),
            board: vec![EMPTY; tables.squares],
            men: [[0; WORDS]; 2],
            words,
            counts: vec![0; tables.contents()],
            turn: 0,
            winner: None,
            key: 0,
            trail: Trail {
                open: Vec::new(),
                seen_nodes: vec![0; nodes],
                seen_ends: vec![0; if has_plain { 0 } else { tables.squares }],
                round: 0,
            },
            listed: Vec::new(),
            tables,
        };
        this.set(&BoardState::start(&this.tables));
        this
    }

    /// The tables of the game.
    pub fn tables(&self) -> &Arc<Tables> {
        &self.tables
    }

    /// Goes to a state.
    pub fn set(&mut self, state: &BoardState) {
        self.board.copy_from_slice(&state.board);
        self.men.iter_mut().for_each(|men| men.fill(0));
        self.counts.fill(0);
        (self.turn, self.winner) = (state.turn, state.winner);
        self.key = if state.turn.is_multiple_of(2) {
            0
        } else {
            self.keys.black
        };
        for square in 0..self.board.len() {
            let content = self.board[square];
            if content != EMPTY {
                self.counts[usize::from(content)] += 1;
                self.men[usize::from(content & 1)][square / 64] |= 1 << (square % 64);
                self.key ^= self.number(content, square as u16);
            }
        }
    }

    /// Stores the position, reusing the memory of the state.
    pub fn save(&self, state: &mut BoardState) {
        state.board.clone_from(&self.board);
        (state.turn, state.winner) = (self.turn, self.winner);
    }

    /// The rows from the top, joined by `/`.
    pub fn rows(&self) -> String {
        let tables = &self.tables;
        let mut rows = vec![vec!['.'; tables.rules.width.into()]; tables.rules.height.into()];
        for (square, &content) in self.board.iter().enumerate() {
            let (x, y) = tables.places[square];
            rows[usize::from(y)][usize::from(x)] = char::from(tables.letter(content));
        }
        let rows: Vec<String> = rows.iter().rev().map(|row| row.iter().collect()).collect();
        rows.join("/")
    }

    /// Whose turn it is.
    pub fn mover(&self) -> Colour {
        Colour::of_index(self.turn as usize % 2)
    }

    /// How many moves were made since the start.
    pub fn turn(&self) -> u32 {
        self.turn
    }

    /// Who has won by a goal.
    pub fn winner(&self) -> Option<Colour> {
        self.winner
    }

    /// Whether as many moves were made as the rules allow.
    pub fn is_out_of_turns(&self) -> bool {
        self.turn >= self.tables.rules.turns
    }

    /// A hash of board and mover, without the number of moves.
    pub fn key(&self) -> u64 {
        self.key
    }

    /// The letter of what is on a square, upper case for white; a dot for nothing.
    pub fn letter(&self, square: u16) -> u8 {
        self.tables.letter(self.board[usize::from(square)])
    }

    /// How many men of a letter there are.
    pub fn count(&self, letter: u8) -> u32 {
        let content = self.tables.content_of(letter);
        content.map_or(0, |content| self.counts[usize::from(content)])
    }

    #[inline]
    fn number(&self, content: Content, square: u16) -> u64 {
        self.keys.numbers[usize::from(content) * self.board.len() + usize::from(square)]
    }

    /// Makes a legal move.
    #[inline]
    pub fn make(&mut self, chosen: BoardMove) -> Undo {
        let BoardMove { from, to } = chosen;
        let man = self.board[usize::from(from)];
        let mut undo = Undo {
            chosen,
            taken: EMPTY,
            key: self.key,
        };
        let mover = self.mover();
        self.turn += 1;
        self.key ^= self.keys.black;
        if from != to {
            undo.taken = self.board[usize::from(to)];
            self.board[usize::from(from)] = EMPTY;
            self.board[usize::from(to)] = man;
            self.key ^= self.number(man, from) ^ self.number(man, to);
            if undo.taken != EMPTY {
                self.key ^= self.number(undo.taken, to);
                self.counts[usize::from(undo.taken)] -= 1;
                flip(&mut self.men[usize::from(undo.taken & 1)], to);
            }
            let men = &mut self.men[usize::from(man & 1)];
            flip(men, from);
            flip(men, to);
        }
        let squares = self.board.len();
        if self.tables.reached[usize::from(man) * squares + usize::from(to)] {
            self.winner = Some(mover);
        } else if undo.taken != EMPTY {
            let taken = usize::from(undo.taken);
            if self.tables.falls[taken].contains(&self.counts[taken]) {
                self.winner = Some(Colour::of_index(taken % 2).other());
            }
        }
        undo
    }

    /// Lets the mover pass, which no rule allows; [`Self::unpass`] takes it back.
    pub fn pass(&mut self) {
        self.turn += 1;
        self.key ^= self.keys.black;
    }

    /// Takes a pass back.
    pub fn unpass(&mut self) {
        self.turn -= 1;
        self.key ^= self.keys.black;
    }

    /// What stands on each square, by content.
    pub fn board(&self) -> &[Content] {
        &self.board
    }

    /// How many men of a content there are.
    pub fn men(&self, content: Content) -> u32 {
        self.counts[usize::from(content)]
    }

    /// Takes the last move back.
    #[inline]
    pub fn unmake(&mut self, undo: Undo) {
        let Undo {
            chosen: BoardMove { from, to },
            taken,
            key,
        } = undo;
        self.turn -= 1;
        self.key = key;
        self.winner = None;
        if from != to {
            let man = self.board[usize::from(to)];
            self.board[usize::from(from)] = man;
            self.board[usize::from(to)] = taken;
            let men = &mut self.men[usize::from(man & 1)];
            flip(men, from);
            flip(men, to);
            if taken != EMPTY {
                self.counts[usize::from(taken)] += 1;
                flip(&mut self.men[usize::from(taken & 1)], to);
            }
        }
    }
}

#[inline]
fn flip(men: &mut [Squares; WORDS], square: u16) {
    men[usize::from(square) / 64] ^= 1 << (square % 64);
}
