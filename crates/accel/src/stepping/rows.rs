//! What all lanes hold, as one row of bits for each lane.
//!
//! A program keeps one word for each signal, with a bit for each lane; learning programs want one
//! row for each lane, with a bit for each signal. Squares of 64 signals by 64 lanes are transposed
//! at once.

use paidia_game::{MoveId, RoleId};

use super::Stepping;
use crate::word::{LANES, Word};

impl Stepping {
    /// Words of a row of [`states`](Self::states).
    pub fn state_width(&self) -> usize {
        (self.device.program().fluents as usize).div_ceil(64)
    }

    /// Writes the states of all lanes, a row for each: fluent number n is bit `n % 64` of word
    /// `n / 64` of the row.
    ///
    /// # Panics
    /// If `into` has another length than the rows of all lanes.
    pub fn states(&self, into: &mut [u64]) {
        let fluents = self.device.program().fluents;
        let rows = Rows::of(into, self.lanes, self.state_width());
        self.write(
            rows,
            &(0..fluents).map(|fluent| (fluent as usize, fluent)),
            |stepping, fluent, unit, block| stepping.units[unit].memory.word(fluent, block),
        );
    }

    /// Words of a row of [`legal_moves`](Self::legal_moves).
    pub fn legal_width(&self) -> usize {
        let roles = self.device.program().roles.iter();
        let last = roles
            .filter_map(|role| role.legal.last())
            .map(|&(id, _)| id);
        last.max().map_or(0, |MoveId(id)| id as usize / 64 + 1)
    }

    /// Writes the legal moves of a role in all lanes, a row for each: the move with the id n is bit
    /// `n % 64` of word `n / 64` of the row. A role that there is not has none.
    ///
    /// # Panics
    /// If `into` has another length than the rows of all lanes.
    pub fn legal_moves(&self, role: RoleId, into: &mut [u64]) {
        let rows = Rows::of(into, self.lanes, self.legal_width());
        let program = self.device.program();
        let legal = program.roles.get(role.index());
        let legal = legal.map_or(&[][..], |role| &role.legal);
        let columns = legal
            .iter()
            .map(|&(MoveId(id), signal)| (id as usize, signal));
        self.write(rows, &columns, |stepping, signal, unit, block| {
            stepping.units[unit].memory.signal(signal, block)
        });
    }

    /// Writes for each lane whether the role has more than one legal move in it.
    ///
    /// # Panics
    /// If `into` is shorter than there are lanes.
    pub fn choosing(&self, role: RoleId, into: &mut [bool]) {
        let program = self.device.program();
        let legal = program.roles.get(role.index());
        let legal = legal.map_or(&[][..], |role| &role.legal);
        for (number, lanes) in into[..self.lanes].chunks_mut(LANES).enumerate() {
            let memory = &self.units[number / self.width].memory;
            let (mut one, mut several) = (Word::NONE, Word::NONE);
            for &(_, signal) in legal {
                let holds = memory.signal(signal, number % self.width);
                several |= one & holds;
                one |= holds;
            }
            for (lane, chooses) in lanes.iter_mut().enumerate() {
                *chooses = several.get(lane);
            }
        }
    }

    /// Writes columns of bits into rows; the columns come in the order of their numbers.
    fn write<C: Copy>(
        &self,
        mut rows: Rows<'_>,
        columns: &(impl Iterator<Item = (usize, C)> + Clone),
        word: impl Fn(&Self, C, usize, usize) -> Word,
    ) {
        for number in 0..self.lanes.div_ceil(LANES) {
            let (unit, block) = (number / self.width, number % self.width);
            let mut columns = columns.clone().peekable();
            for place in 0..rows.width {
                let mut squares = [[0_u64; 64]; LANES / 64];
                while let Some((column, what)) = columns.next_if(|(column, _)| column / 64 == place)
                {
                    let Word(parts) = word(self, what, unit, block);
                    for (square, part) in squares.iter_mut().zip(parts) {
                        square[column % 64] = part;
                    }
                }
                for (part, square) in squares.iter_mut().enumerate() {
                    transpose(square);
                    rows.write(number * LANES + part * 64, place, square);
                }
            }
        }
    }
}

/// Rows of some words, one for each lane.
struct Rows<'a> {
    words: &'a mut [u64],
    width: usize,
}

impl<'a> Rows<'a> {
    fn of(words: &'a mut [u64], lanes: usize, width: usize) -> Self {
        assert_eq!(words.len(), lanes * width, "a row for each lane");
        Self { words, width }
    }

    /// Writes a word of 64 rows, or of those up to the last row.
    fn write(&mut self, first: usize, place: usize, column: &[u64; 64]) {
        let words = self.words.iter_mut().skip(first * self.width + place);
        for (word, value) in words.step_by(self.width).zip(column) {
            *word = *value;
        }
    }
}

/// Mirrors a square of bits: bit j of word i becomes bit i of word j.
fn transpose(square: &mut [u64; 64]) {
    let mut step = 32;
    let mut mask = 0x0000_0000_FFFF_FFFF_u64;
    while step > 0 {
        for low in (0..64).filter(|row| row & step == 0) {
            let high = low | step;
            let differing = (square[low] >> step ^ square[high]) & mask;
            square[low] ^= differing << step;
            square[high] ^= differing;
        }
        step /= 2;
        mask ^= mask << step;
    }
}

#[cfg(test)]
mod tests {
    use super::transpose;

    #[test]
    fn squares_are_mirrored() {
        let mut square: [u64; 64] = std::array::from_fn(|row| {
            let row = row as u64;
            (row + 1)
                .wrapping_mul(0x9E37_79B9_7F4A_7C15)
                .rotate_left(row as u32)
        });
        let before = square;
        transpose(&mut square);
        for (row, word) in square.iter().enumerate() {
            for (column, other) in before.iter().enumerate() {
                assert_eq!(word >> column & 1, other >> row & 1, "({row}, {column})");
            }
        }
    }
}
