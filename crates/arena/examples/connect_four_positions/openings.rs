//! The solver against what is known about the start of the game.

use std::collections::BTreeMap;
use std::time::Instant;

use crate::board::Board;
use crate::solver::{Solver, Value};

/// Discs of the positions that are solved; what is known about fewer discs follows from them.
const DISCS: u32 = 8;

/// Compares and prints.
pub(crate) fn print(solver: &mut Solver) {
    let started = Instant::now();
    let mut level = vec![Board::EMPTY];
    for _ in 0..DISCS {
        level = after(&level);
    }
    let book: Book = level
        .iter()
        .map(|&board| (board.mirrored_key(), solver.value(board)))
        .collect();
    println!("solved in {:.0} s", started.elapsed().as_secs_f64());
    print_eight_discs(&level, &book);
    print_first_moves(&book);
}

/// The values of all positions of eight discs that are not won yet, one of each two mirror images.
type Book = BTreeMap<u64, Value>;

/// John Tromp's table: of all such positions without an immediate win, 44,473 are won for the first
/// player, 6,449 are drawn and 16,635 lost.
fn print_eight_discs(level: &[Board], book: &Book) {
    let quiet = level
        .iter()
        .filter(|board| board.winning_drops() | board.threatened_drops() == 0);
    let mut counts = [0; 3];
    for board in quiet {
        counts[book[&board.mirrored_key()] as usize] += 1;
    }
    let agree = verdict(counts == [16_635, 6_449, 44_473]);
    println!("eight discs (loss, draw, win): {counts:?}, {agree}");
}

/// James Allen and Victor Allis, 1988: the middle column wins, those beside it draw, all others
/// lose.
fn print_first_moves(book: &Book) {
    let columns = Board::EMPTY.columns();
    let values: Vec<Value> = columns
        .map(|column| by_book(Board::EMPTY.drop(column), book).opposite())
        .collect();
    let (loss, draw) = (Value::Loss, Value::Draw);
    let known = [loss, loss, draw, Value::Win, draw, loss, loss];
    println!("first moves: {values:?}, {}", verdict(values == known));
}

/// The value of a position of at most eight discs.
fn by_book(board: Board, book: &Book) -> Value {
    if board.winning_drops() != 0 {
        return Value::Win;
    }
    if board.plies() == DISCS {
        return book[&board.mirrored_key()];
    }
    let values = board
        .columns()
        .map(|column| by_book(board.drop(column), book).opposite());
    values.max().unwrap_or(Value::Draw)
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
