//! Making positions: random but sensible play, and of what comes about those in which most moves
//! are mistakes.

use std::collections::HashSet;

use paidia_game::Chance;

use crate::board::Board;
use crate::positions::Position;
use crate::solver::Solver;

/// Discs of the emptiest and of the fullest positions.
const FEWEST: u32 = 8;
const MOST: u32 = 22;
/// One position in this many may be answered by just seeing a threat.
const FORCED_SHARE: usize = 10;

/// Prints positions, as many of each number of discs.
pub(crate) fn print(solver: &mut Solver, seed: u64, count: usize) {
    println!(
        "# Positions of Connect Four (7 columns, 6 rows): the moves as columns, the columns that keep the exact value, and that value for"
    );
    println!(
        "# the player on the move. At most half of the columns keep it. Made by the generator beside this file, seed {seed}."
    );
    let (mut chance, mut seen) = (Chance::from_seed(seed), HashSet::new());
    let mut forced = 0;
    for place in 0..count {
        let discs = FEWEST + place as u32 % (MOST - FEWEST + 1);
        let position = loop {
            let Some(position) = draw(discs, solver, &mut chance) else {
                continue;
            };
            let is_forced = usize::from(position.is_forced());
            let fits = (forced + is_forced) * FORCED_SHARE <= count;
            if fits && seen.insert(position.board.mirrored_key()) {
                forced += is_forced;
                break position;
            }
        };
        println!("{}", position.line());
    }
}

/// A position with this number of discs in which at most half of the moves keep the value, if play
/// happens to lead to one.
fn draw(discs: u32, solver: &mut Solver, chance: &mut Chance) -> Option<Position> {
    let moves = sensible_play(discs, chance)?;
    let position = Position::solve(&moves, solver)?;
    let hard = position.right.len() * 2 <= position.board.columns().count();
    (hard && position.board.winning_drops() == 0).then_some(position)
}

/// Moves in which neither player overlooks a line of four; `None` if one is made.
fn sensible_play(discs: u32, chance: &mut Chance) -> Option<String> {
    let (mut board, mut moves) = (Board::EMPTY, String::new());
    while board.plies() < discs {
        let safe = board.safe_drops();
        let column = loop {
            if safe == 0 || board.winning_drops() != 0 {
                return None;
            }
            let column = chance.below(crate::board::WIDTH);
            if safe & crate::board::column_mask(column) != 0 {
                break column;
            }
        };
        board = board.drop(column);
        moves.push(char::from_digit(column + 1, 10)?);
    }
    Some(moves)
}
