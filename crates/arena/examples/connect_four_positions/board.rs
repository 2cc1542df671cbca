//! Connect Four on bitboards: seven columns of six squares, each with a seventh square above it
//! that stays empty.
//!
//! Square `row` of `column` is bit `7 * column + row`. The empty square on top keeps lines of one
//! column from running into the next, and makes `own + all` a number that no two positions share.

/// Columns of the rack.
pub(crate) const WIDTH: u32 = 7;
/// Squares of a column.
pub(crate) const HEIGHT: u32 = 6;
const STRIDE: u32 = HEIGHT + 1;
const BOTTOM: u64 = bottom_row();
const BOARD: u64 = BOTTOM * ((1 << HEIGHT) - 1);

const fn bottom_row() -> u64 {
    let (mut row, mut column) = (0, 0);
    while column < WIDTH {
        row |= 1 << (column * STRIDE);
        column += 1;
    }
    row
}

/// The squares of a column.
pub(crate) const fn column_mask(column: u32) -> u64 {
    ((1 << HEIGHT) - 1) << (column * STRIDE)
}

/// A position without a line of four.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Board {
    /// Discs of the player on the move.
    own: u64,
    /// All discs.
    all: u64,
}

impl Board {
    /// The empty rack.
    pub(crate) const EMPTY: Board = Board { own: 0, all: 0 };

    /// The position after moves written as digits, the leftmost column being 1; `None` if one of
    /// them cannot be made or ends the game.
    pub(crate) fn after(moves: &str) -> Option<Board> {
        moves.chars().try_fold(Board::EMPTY, |board, digit| {
            let column = digit.to_digit(10)?.checked_sub(1)?;
            let fine = column < WIDTH && board.can_drop(column) && !board.wins(column);
            fine.then(|| board.drop(column))
        })
    }

    /// How many discs there are.
    pub(crate) fn plies(self) -> u32 {
        self.all.count_ones()
    }

    /// Whether the column has room.
    pub(crate) fn can_drop(self, column: u32) -> bool {
        self.landings() & column_mask(column) != 0
    }

    /// Whether a drop there makes a line.
    pub(crate) fn wins(self, column: u32) -> bool {
        self.winning_drops() & column_mask(column) != 0
    }

    /// The columns that have room.
    pub(crate) fn columns(self) -> impl Iterator<Item = u32> {
        (0..WIDTH).filter(move |&column| self.can_drop(column))
    }

    /// The position after a drop into a column that has room.
    #[must_use]
    pub(crate) fn drop(self, column: u32) -> Board {
        self.play(self.landings() & column_mask(column))
    }

    /// The position after a disc on this square.
    #[must_use]
    pub(crate) fn play(self, square: u64) -> Board {
        Board {
            own: self.own ^ self.all,
            all: self.all | square,
        }
    }

    /// The squares on which a disc can land now.
    pub(crate) fn landings(self) -> u64 {
        (self.all + BOTTOM) & BOARD
    }

    /// The landings with which the player on the move wins at once.
    pub(crate) fn winning_drops(self) -> u64 {
        completing(self.own, self.all) & self.landings()
    }

    /// The landings with which the other player would win at once.
    pub(crate) fn threatened_drops(self) -> u64 {
        completing(self.own ^ self.all, self.all) & self.landings()
    }

    /// The landings after which the other player does not win at once, if the player on the move
    /// cannot win now.
    pub(crate) fn safe_drops(self) -> u64 {
        let threats = completing(self.own ^ self.all, self.all);
        let landings = self.landings();
        let forced = landings & threats;
        let possible = match forced.count_ones() {
            0 => landings,
            1 => forced,
            // Two threats cannot be met with one disc.
            _ => return 0,
        };
        // A disc right below a threat lets the other player use it.
        possible & !(threats >> 1)
    }

    /// In how many squares a disc would complete a line for the player that has just put one on
    /// this square.
    pub(crate) fn promise(self, square: u64) -> u32 {
        completing(self.own | square, self.all | square).count_ones()
    }

    /// A number that no other position has.
    pub(crate) fn key(self) -> u64 {
        self.own + self.all
    }

    /// A number that only this position and its mirror image have.
    pub(crate) fn mirrored_key(self) -> u64 {
        self.key().min(self.mirrored().key())
    }

    fn mirrored(self) -> Board {
        Board {
            own: mirrored(self.own),
            all: mirrored(self.all),
        }
    }
}

fn mirrored(discs: u64) -> u64 {
    (0..WIDTH)
        .map(|column| {
            let squares = (discs >> (column * STRIDE)) & ((1 << STRIDE) - 1);
            squares << ((WIDTH - 1 - column) * STRIDE)
        })
        .sum()
}

/// The empty squares in which a disc completes a line of these discs.
fn completing(discs: u64, all: u64) -> u64 {
    // In a column only the square above three discs can.
    let mut found = (discs << 1) & (discs << 2) & (discs << 3);
    for step in [STRIDE, STRIDE - 1, STRIDE + 1] {
        let pair = (discs << step) & (discs << (2 * step));
        found |= pair & (discs << (3 * step));
        found |= pair & (discs >> step);
        let pair = (discs >> step) & (discs >> (2 * step));
        found |= pair & (discs << step);
        found |= pair & (discs >> (3 * step));
    }
    found & (BOARD ^ all)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::{Board, HEIGHT, WIDTH};

    #[test]
    fn there_are_as_many_positions_as_others_counted() {
        // OEIS A212693. Won positions count, and nothing follows them.
        let known = [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184_275];
        let mut level = HashSet::from([Board::EMPTY]);
        let mut won = HashSet::new();
        for count in known {
            assert_eq!(level.len() + won.len(), count);
            let mut next = HashSet::new();
            won.clear();
            for board in &level {
                for column in board.columns() {
                    let after = board.drop(column);
                    let set = if board.wins(column) {
                        &mut won
                    } else {
                        &mut next
                    };
                    set.insert(after);
                }
            }
            level = next;
        }
    }

    #[test]
    fn as_many_quiet_positions_as_in_the_public_table() {
        // John Tromp's table of eight discs has 67,557 positions without an immediate win, one of
        // each two mirror images.
        let mut level = HashSet::from([Board::EMPTY]);
        for _ in 0..8 {
            let next = |board: &Board| -> Vec<Board> {
                let quiet = board.columns().filter(|&column| !board.wins(column));
                quiet.map(|column| board.drop(column)).collect()
            };
            level = level.iter().flat_map(next).collect();
        }
        let quiet = level
            .iter()
            .filter(|board| board.winning_drops() | board.threatened_drops() == 0);
        let different: HashSet<u64> = quiet.map(|board| board.mirrored_key()).collect();
        assert_eq!(different.len(), 67_557);
    }

    #[test]
    fn lines_are_found_in_every_direction() {
        for (moves, winning) in [
            ("121212", vec![0]),
            ("112233", vec![3]),
            ("122334", vec![]),
            ("1223433445", vec![3]),
            ("7665455443", vec![3]),
        ] {
            let board = Board::after(moves).unwrap();
            let found: Vec<u32> = board
                .columns()
                .filter(|&column| board.wins(column))
                .collect();
            assert_eq!(found, winning, "{moves}");
        }
    }

    #[test]
    fn mirror_images_have_one_key() {
        let key = |moves| Board::after(moves).unwrap().mirrored_key();
        assert_eq!(key("1234455"), key("7654433"));
        assert_ne!(key("1234455"), key("7654435"));
    }

    #[test]
    fn impossible_moves_are_refused() {
        assert_eq!(Board::after("1111111"), None);
        assert_eq!(Board::after("18"), None);
        assert_eq!(Board::after("0"), None);
        // The seventh disc would win.
        assert_eq!(Board::after("1212121"), None);
        assert_eq!((WIDTH, HEIGHT), (7, 6));
    }
}
