//! The positions: how they came about, what they are worth, and which columns keep that.

use crate::board::Board;
use crate::solver::{Solver, Value};

/// A position with its exact value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    /// The moves that lead to it, as digits; the leftmost column is 1.
    pub(crate) moves: String,
    /// Where they lead.
    pub(crate) board: Board,
    /// What the player on the move gets.
    pub(crate) value: Value,
    /// The columns, from 1 on, that keep the value.
    pub(crate) right: Vec<u32>,
}

impl Position {
    /// The position after some moves, solved; `None` if they cannot be made.
    pub(crate) fn solve(moves: &str, solver: &mut Solver) -> Option<Position> {
        let board = Board::after(moves)?;
        let values = solver.values(board);
        let value = values.iter().map(|&(_, value)| value).max()?;
        let right = values.iter().filter(|&&(_, other)| other == value);
        Some(Position {
            moves: moves.to_owned(),
            right: right.map(|&(column, _)| column + 1).collect(),
            board,
            value,
        })
    }

    /// Whether the solver agrees.
    pub(crate) fn is_right(&self, solver: &mut Solver) -> bool {
        Position::solve(&self.moves, solver).as_ref() == Some(self)
    }

    /// Whether the player on the move must answer a threat at once.
    pub(crate) fn is_forced(&self) -> bool {
        self.board.threatened_drops() != 0
    }

    /// The position as a line of the file.
    pub(crate) fn line(&self) -> String {
        let right: String = self.right.iter().map(ToString::to_string).collect();
        let value = match self.value {
            Value::Win => "win",
            Value::Draw => "draw",
            Value::Loss => "loss",
        };
        format!("{} {right} {value}", self.moves)
    }

    fn read(line: &str) -> Option<Position> {
        let mut words = line.split(' ');
        let moves = words.next()?.to_owned();
        let right = words.next()?.chars().map(|digit| digit.to_digit(10));
        Some(Position {
            board: Board::after(&moves)?,
            right: right.collect::<Option<_>>()?,
            value: match words.next()? {
                "win" => Value::Win,
                "draw" => Value::Draw,
                _ => return None,
            },
            moves,
        })
    }
}

/// All positions of the file.
///
/// # Panics
/// If a line makes no sense; a test reads all of them.
pub(crate) fn all() -> Vec<Position> {
    let lines = include_str!("positions.txt").lines();
    lines
        .filter(|line| !line.starts_with('#'))
        .map(|line| Position::read(line).unwrap_or_else(|| panic!("not a position: {line}")))
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::all;
    use crate::solver::Solver;

    #[test]
    fn there_are_two_hundred_different_positions() {
        let positions = all();
        let different: HashSet<u64> = positions
            .iter()
            .map(|position| position.board.mirrored_key())
            .collect();
        assert_eq!((positions.len(), different.len()), (200, 200));
    }

    #[test]
    fn at_most_half_of_the_moves_are_right() {
        for position in all() {
            let columns = position.board.columns().count();
            assert!(
                (1..=columns / 2).contains(&position.right.len()),
                "{}",
                position.line()
            );
            assert!(
                (8..=22).contains(&position.board.plies()),
                "{}",
                position.line()
            );
            assert_eq!(position.board.winning_drops(), 0, "{}", position.line());
        }
    }

    #[test]
    fn the_solver_agrees_with_every_sixth_position_of_sixteen_discs_or_more() {
        let mut solver = Solver::new(1 << 20);
        let late = all()
            .into_iter()
            .filter(|position| position.board.plies() >= 16);
        for position in late.step_by(6) {
            assert!(position.is_right(&mut solver), "{}", position.line());
        }
    }

    #[test]
    fn the_solver_agrees_with_the_earliest_position() {
        let position = all()
            .into_iter()
            .min_by_key(|position| position.board.plies())
            .unwrap();
        assert!(
            position.is_right(&mut Solver::new(1 << 22)),
            "{}",
            position.line()
        );
    }
}
