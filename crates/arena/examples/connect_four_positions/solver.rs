//! The exact value of a position of Connect Four: alpha-beta over win, draw and loss.
//!
//! With only three values every search asks a question with the answer yes or no: does the player
//! on the move get at least this much? It does if after some drop the other player does not get
//! more than the opposite. A table remembers what is known about positions, by their whole key, so
//! that nothing is ever mixed up. Drops that allow an answer in four are left out at once, and
//! those that promise most lines come first.

use crate::board::{Board, HEIGHT, WIDTH, column_mask};

/// What the player on the move gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Value {
    /// The other player wins.
    Loss,
    /// The rack fills up.
    Draw,
    /// The player on the move wins.
    Win,
}

impl Value {
    /// What that is for the other player.
    pub(crate) fn opposite(self) -> Self {
        match self {
            Value::Loss => Value::Win,
            Value::Draw => Value::Draw,
            Value::Win => Value::Loss,
        }
    }
}

/// The middle columns first: most lines run through them.
const ORDER: [u32; WIDTH as usize] = [3, 2, 4, 1, 5, 0, 6];

/// Finds exact values.
pub(crate) struct Solver {
    /// A position's key, and in the lowest bits the highest and the lowest value that it may have.
    table: Vec<u64>,
}

const BOUND_BITS: u32 = 4;

impl Solver {
    /// A solver that remembers about this many positions, rounded up to a power of two.
    pub(crate) fn new(positions: usize) -> Self {
        Self {
            table: vec![0; positions.next_power_of_two()],
        }
    }

    /// The value for the player on the move.
    pub(crate) fn value(&mut self, board: Board) -> Value {
        if board.winning_drops() != 0 {
            return Value::Win;
        }
        match self.at_least(board, Value::Draw) {
            false => Value::Loss,
            true if self.at_least(board, Value::Win) => Value::Win,
            true => Value::Draw,
        }
    }

    /// What each column with room leads to, for the player on the move.
    pub(crate) fn values(&mut self, board: Board) -> Vec<(u32, Value)> {
        let mut value = |column| match board.wins(column) {
            true => Value::Win,
            false => self.value(board.drop(column)).opposite(),
        };
        let columns = board.columns();
        columns.map(|column| (column, value(column))).collect()
    }

    /// Whether the player on the move, without an immediate win, gets a draw at least, or a win.
    fn at_least(&mut self, board: Board, wanted: Value) -> bool {
        let safe = board.safe_drops();
        if safe == 0 {
            return false;
        }
        if board.plies() >= WIDTH * HEIGHT - 2 {
            return wanted == Value::Draw;
        }
        let (lowest, highest) = self.known(board);
        if lowest >= wanted || highest < wanted {
            return lowest >= wanted;
        }
        // To get a draw is to deny a win, and to win is to deny a draw.
        let denied = wanted.opposite_question();
        let (moves, count) = ordered(board, safe);
        let found = moves[..count]
            .iter()
            .any(|&(_, square)| !self.at_least(board.play(square), denied));
        let bounds = match (found, wanted) {
            (true, Value::Win) => (Value::Win, Value::Win),
            (true, _) => (wanted, highest),
            (false, Value::Win) => (lowest, Value::Draw),
            (false, _) => (Value::Loss, Value::Loss),
        };
        self.remember(board, bounds);
        found
    }

    fn place(&self, key: u64) -> usize {
        let mixed = key.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed >> 32) as usize & (self.table.len() - 1)
    }

    fn known(&self, board: Board) -> (Value, Value) {
        let key = board.key();
        let entry = self.table[self.place(key)];
        if entry >> BOUND_BITS != key {
            return (Value::Loss, Value::Win);
        }
        (decoded(entry & 3), decoded((entry >> 2) & 3))
    }

    fn remember(&mut self, board: Board, (lowest, highest): (Value, Value)) {
        let key = board.key();
        let place = self.place(key);
        self.table[place] = key << BOUND_BITS | (highest as u64) << 2 | lowest as u64;
    }
}

impl Value {
    /// To keep the opponent from a draw a player must win, and the other way round.
    fn opposite_question(self) -> Value {
        if self == Value::Win {
            Value::Draw
        } else {
            Value::Win
        }
    }
}

fn decoded(bits: u64) -> Value {
    match bits {
        0 => Value::Loss,
        1 => Value::Draw,
        _ => Value::Win,
    }
}

/// The safe drops with what they promise, best first, and how many there are.
fn ordered(board: Board, safe: u64) -> ([(u32, u64); WIDTH as usize], usize) {
    let (mut moves, mut count) = ([(0, 0); WIDTH as usize], 0);
    for column in ORDER {
        let square = safe & column_mask(column);
        if square == 0 {
            continue;
        }
        let promise = board.promise(square);
        let mut place = count;
        while place > 0 && moves[place - 1].0 < promise {
            moves[place] = moves[place - 1];
            place -= 1;
        }
        moves[place] = (promise, square);
        count += 1;
    }
    (moves, count)
}

#[cfg(test)]
mod tests {
    use paidia_game::Chance;

    use super::{Solver, Value};
    use crate::board::{Board, HEIGHT, WIDTH};

    /// The value by looking at everything.
    fn brute_force(board: Board) -> Value {
        if board.plies() == WIDTH * HEIGHT {
            return Value::Draw;
        }
        let value = |column| match board.wins(column) {
            true => Value::Win,
            false => brute_force(board.drop(column)).opposite(),
        };
        board.columns().map(value).max().unwrap()
    }

    #[test]
    fn late_positions_are_as_brute_force_finds() {
        let (mut solver, mut chance) = (Solver::new(1 << 16), Chance::from_seed(4));
        let (mut checked, mut seen) = (0, [false; 3]);
        while checked < 300 {
            let mut board = Board::EMPTY;
            let discs = 28 + chance.below(13);
            while board.plies() < discs {
                let quiet: Vec<u32> = board
                    .columns()
                    .filter(|&column| !board.wins(column))
                    .collect();
                let Some(column) = chance.pick(&quiet) else {
                    break;
                };
                board = board.drop(column);
            }
            if board.plies() == discs {
                let value = solver.value(board);
                assert_eq!(value, brute_force(board), "{board:?}");
                seen[value as usize] = true;
                checked += 1;
            }
        }
        assert_eq!(seen, [true; 3]);
    }

    #[test]
    fn published_positions_have_their_published_values() {
        // From the test sets of Pascal Pons' solver, which many solvers use.
        let mut solver = Solver::new(1 << 20);
        for (moves, value) in [
            ("2252576253462244111563365343671351441", Value::Loss),
            ("7422341735647741166133573473242566", Value::Win),
            ("23163416124767223154467471272416755633", Value::Draw),
            ("71255763773133525731261364622167124446454", Value::Draw),
            ("65214673556155731566316327373221417", Value::Loss),
            ("3575316255751336464276636772271112", Value::Loss),
            ("12514726155174536522772517671", Value::Loss),
            ("326615663752621323655335514271", Value::Win),
            ("24617524315172127", Value::Win),
            ("7172212567451542223676134464437761515", Value::Draw),
            ("43745416472735", Value::Loss),
            ("335662333565", Value::Loss),
            ("427631264721", Value::Win),
            ("265756512", Value::Loss),
            ("32164625", Value::Win),
            ("6146", Value::Win),
        ] {
            assert_eq!(solver.value(Board::after(moves).unwrap()), value, "{moves}");
        }
    }

    #[test]
    fn a_small_table_changes_nothing() {
        let board = Board::after("4443323552").unwrap();
        let values = Solver::new(1 << 20).values(board);
        assert_eq!(Solver::new(1 << 10).values(board), values);
    }
}
