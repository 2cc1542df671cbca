//! The solver against what is known about the start of the game.

use std::collections::BTreeMap;
use std::time::Instant;

use crate::board::Board;
use crate::solver::{Solver, Value};

/// Compares and prints.
pub(crate) fn print(solver: &mut Solver) {
    print_first_moves(solver);
    print_eight_discs(solver);
}

/// James Allen and Victor Allis, 1988: the middle column wins, those beside it draw, all others lose.
fn print_first_moves(solver: &mut Solver) {
    let started = Instant::now();
    let values: Vec<Value> = solver
        .values(Board::EMPTY)
        .into_iter()
        .map(|(_, value)| value)
        .collect();
    let (loss, draw) = (Value::Loss, Value::Draw);
    let known = [loss, loss, draw, Value::Win, draw, loss, loss];
    println!(
        "first moves: {values:?}, {} ({:.0} s)",
        verdict(values == known),
        started.elapsed().as_secs_f64()
    );
}

/// John Tromp's table: of all positions of eight discs in which nobody can win at once, one of each two mirror images, 44,473 are
/// won for the first player, 6,449 are drawn and 16,635 lost.
fn print_eight_discs(solver: &mut Solver) {
    let started = Instant::now();
    let mut level = vec![Board::EMPTY];
    for _ in 0..8 {
        level = after(&level);
    }
    let mut counts = [0; 3];
    for board in level {
        if board.winning_drops() | board.threatened_drops() == 0 {
            counts[solver.value(board) as usize] += 1;
        }
    }
    let agree = verdict(counts == [16_635, 6_449, 44_473]);
    let seconds = started.elapsed().as_secs_f64();
    println!("eight discs (loss, draw, win): {counts:?}, {agree} ({seconds:.0} s)");
}

/// The positions a disc later, one of each two mirror images.
fn after(level: &[Board]) -> Vec<Board> {
    let boards = level.iter().flat_map(|&board| {
        let quiet = board.columns().filter(move |&column| !board.wins(column));
        quiet.map(move |column| board.drop(column))
    });
    let different: BTreeMap<u64, Board> =
        boards.map(|board| (board.mirrored_key(), board)).collect();
    different.into_values().collect()
}

fn verdict(agree: bool) -> &'static str {
    if agree { "as known" } else { "NOT as known" }
}
