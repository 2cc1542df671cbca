//! A position that moves are made and unmade in.

use std::fmt;
use std::sync::Arc;

use super::expression::On;
use super::state::BoardState;
use super::tables::{Content, EMPTY, ENDS, GOES_ON, Next, Tables};

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
    men: [Vec<u64>; 2],
    /// How many men of each content there are.
    counts: Vec<u32>,
    turn: u32,
    winner: Option<Colour>,
    key: u64,
    open: Vec<Next>,
    /// For pieces whose ways meet: the round in which a node or a last square was seen.
    seen_nodes: Vec<u32>,
    seen_ends: Vec<u32>,
    round: u32,
}

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
            men: [vec![0; words], vec![0; words]],
            counts: vec![0; tables.contents()],
            turn: 0,
            winner: None,
            key: 0,
            open: Vec::new(),
            seen_nodes: vec![0; nodes],
            seen_ends: vec![0; if has_plain { 0 } else { tables.squares }],
            round: 0,
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

    /// Adds the legal moves of the mover, by squares, whether or not the game is over. They are in
    /// the order of the squares.
    pub fn moves(&mut self, into: &mut Vec<BoardMove>) {
        let mover = self.turn as usize % 2;
        for word in 0..self.men[mover].len() {
            let mut men = self.men[mover][word];
            while men != 0 {
                let square = word * 64 + men.trailing_zeros() as usize;
                men &= men - 1;
                let first = into.len();
                self.moves_of(square as u16, mover, into);
                sort(&mut into[first..]);
            }
        }
    }

    /// The same in no certain order, which is found sooner.
    pub fn moves_in_any_order(&mut self, into: &mut Vec<BoardMove>) {
        let mover = self.turn as usize % 2;
        for word in 0..self.men[mover].len() {
            let mut men = self.men[mover][word];
            while men != 0 {
                let square = word * 64 + men.trailing_zeros() as usize;
                men &= men - 1;
                self.moves_of(square as u16, mover, into);
            }
        }
    }

    /// Tells `each` what men of a colour attack, whosever turn it is: every pair of squares from
    /// the first to the second of which a man could move if there were nothing, an own man, or an
    /// opponent's man on the second, with whether it could as the board is, and whether it could
    /// if an opponent's man were there. Where several words lead to one square, it is told of them
    /// one by one.
    #[inline]
    pub fn attacks(&mut self, colour: Colour, mut each: impl FnMut(BoardMove, bool, bool)) {
        let side = colour as usize;
        for word in 0..self.men[side].len() {
            let mut men = self.men[side][word];
            while men != 0 {
                let from = word * 64 + men.trailing_zeros() as usize;
                men &= men - 1;
                self.attacks_of(from as u16, side, &mut each);
            }
        }
    }

    #[inline]
    fn attacks_of(&mut self, from: u16, side: usize, each: &mut impl FnMut(BoardMove, bool, bool)) {
        let content = usize::from(self.board[usize::from(from)]);
        let root = self.tables.roots[content * self.board.len() + usize::from(from)];
        if root == 0 {
            return;
        }
        let is_plain = self.tables.is_plain[(content - 2) / 2];
        if !is_plain {
            self.next_round();
            self.seen_nodes[(root >> 2) as usize] = self.round;
        }
        let tables = &*self.tables;
        let mut node = root;
        loop {
            for exit in tables.exits(node) {
                let to = exit.square;
                let next = exit.next[On::index(self.board[usize::from(to)], side)];
                let takes = exit.next[On::Opponent as usize] & ENDS != 0;
                if takes || next & ENDS != 0 {
                    each(BoardMove { from, to }, next & ENDS != 0, takes);
                }
                if next & GOES_ON == 0 {
                    continue;
                }
                if !is_plain {
                    let seen = &mut self.seen_nodes[(next >> 2) as usize];
                    if *seen == self.round {
                        continue;
                    }
                    *seen = self.round;
                }
                self.open.push(next);
            }
            match self.open.pop() {
                Some(next) => node = next,
                None => return,
            }
        }
    }

    /// Begins another search with marks on what was seen.
    fn next_round(&mut self) {
        if self.round == u32::MAX {
            self.seen_nodes.fill(0);
            self.seen_ends.fill(0);
            self.round = 0;
        }
        self.round += 1;
    }

    /// Whether the mover has a legal move.
    pub fn can_move(&mut self, scratch: &mut Vec<BoardMove>) -> bool {
        let mover = self.turn as usize % 2;
        for word in 0..self.men[mover].len() {
            let mut men = self.men[mover][word];
            while men != 0 {
                let square = word * 64 + men.trailing_zeros() as usize;
                men &= men - 1;
                scratch.clear();
                self.moves_of(square as u16, mover, scratch);
                if !scratch.is_empty() {
                    return true;
                }
            }
        }
        false
    }

    /// Adds the moves of the man on a square.
    #[inline]
    fn moves_of(&mut self, from: u16, mover: usize, into: &mut Vec<BoardMove>) {
        let content = usize::from(self.board[usize::from(from)]);
        let root = self.tables.roots[content * self.board.len() + usize::from(from)];
        if root == 0 {
            return;
        }
        if !self.tables.is_plain[(content - 2) / 2] {
            return self.moves_that_meet(root, from, mover, into);
        }
        if root & ENDS != 0 {
            into.push(BoardMove { from, to: from });
        }
        let tables = &*self.tables;
        let mut node = root;
        loop {
            for exit in tables.exits(node) {
                let next = exit.next[On::index(self.board[usize::from(exit.square)], mover)];
                if next & ENDS != 0 {
                    into.push(BoardMove {
                        from,
                        to: exit.square,
                    });
                }
                if next & GOES_ON != 0 {
                    self.open.push(next);
                }
            }
            match self.open.pop() {
                Some(next) => node = next,
                None => return,
            }
        }
    }

    /// The same for a piece whose ways meet: nodes are visited once, and moves found once.
    #[cold]
    fn moves_that_meet(&mut self, root: Next, from: u16, mover: usize, into: &mut Vec<BoardMove>) {
        self.next_round();
        let round = self.round;
        let tables = &*self.tables;
        self.open.push(root);
        self.seen_nodes[(root >> 2) as usize] = round;
        if root & ENDS != 0 {
            self.seen_ends[usize::from(from)] = round;
            into.push(BoardMove { from, to: from });
        }
        while let Some(node) = self.open.pop() {
            for exit in tables.exits(node) {
                let square = usize::from(exit.square);
                let next = exit.next[On::index(self.board[square], mover)];
                if next == 0 {
                    continue;
                }
                if next & ENDS != 0 && self.seen_ends[square] != round {
                    self.seen_ends[square] = round;
                    into.push(BoardMove {
                        from,
                        to: exit.square,
                    });
                }
                let seen = &mut self.seen_nodes[(next >> 2) as usize];
                if next & GOES_ON != 0 && *seen != round {
                    *seen = round;
                    self.open.push(next);
                }
            }
        }
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
fn flip(men: &mut [u64], square: u16) {
    men[usize::from(square) / 64] ^= 1 << (square % 64);
}

/// Sorts the few moves of one man.
#[inline]
fn sort(moves: &mut [BoardMove]) {
    for sorted in 1..moves.len() {
        let moved = moves[sorted];
        let mut free = sorted;
        while free > 0 && moves[free - 1].to > moved.to {
            moves[free] = moves[free - 1];
            free -= 1;
        }
        moves[free] = moved;
    }
}
