//! The paper's example: whether there are four in a row is found with as much work on a large board
//! as on a small one.

use paidia_game::Chance;
use paidia_gdl::grounding::GroundLiteral;
use paidia_reason::incremental::{Clauses, Model, Options, Question, Stratified};

/// The rules that find four in a row, over the base atoms "a player has a disc here".
struct Board {
    columns: u32,
    rows: u32,
    clauses: Clauses,
}

const DIRECTIONS: [(i32, i32); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];
const PLAYERS: u32 = 2;

impl Board {
    fn new(columns: u32, rows: u32) -> Self {
        let mut board = Self {
            columns,
            rows,
            clauses: Clauses::new(),
        };
        for player in 0..PLAYERS {
            for (column, row) in
                (0..columns).flat_map(|column| (0..rows).map(move |row| (column, row)))
            {
                for direction in 0..4 {
                    board.add_rules(player, column, row, direction);
                }
            }
        }
        board
    }

    fn squares(&self) -> u32 {
        self.columns * self.rows
    }

    /// A player has a disc on a square.
    fn disc(&self, player: u32, column: u32, row: u32) -> u32 {
        player * self.squares() + column * self.rows + row
    }

    /// The number of discs of a player in a row that ends on a square, in that direction.
    fn in_a_row(&self, length: u32, player: u32, column: u32, row: u32, direction: u32) -> u32 {
        let line = (length * 4 + direction) * PLAYERS + player;
        self.disc(0, column, row) + (PLAYERS + line) * self.squares()
    }

    fn winner(&self, player: u32) -> u32 {
        (PLAYERS + 5 * 4 * PLAYERS) * self.squares() + player
    }

    fn add_rules(&mut self, player: u32, column: u32, row: u32, direction: u32) {
        let holds = |atom: u32| GroundLiteral::new(atom, false);
        let disc = holds(self.disc(player, column, row));
        let line = |length: u32| self.in_a_row(length, player, column, row, direction);
        let mut rules = vec![(line(1), vec![disc])];
        let (right, up) = DIRECTIONS[direction as usize];
        let before = (
            column.checked_add_signed(-right),
            row.checked_add_signed(-up),
        );
        if let (Some(column), Some(row)) = before
            && row < self.rows
        {
            for length in 2..=4 {
                let shorter = self.in_a_row(length - 1, player, column, row, direction);
                rules.push((line(length), vec![disc, holds(shorter)]));
            }
        }
        rules.push((self.winner(player), vec![holds(line(4))]));
        for (head, body) in rules {
            self.clauses.push(head, body);
        }
    }

    /// The mean number of atoms that are looked at for a move, over some random games.
    fn polls_per_move(&self, games: u32) -> f64 {
        // All of them, so that those near the edge that can never become four in a row count, too.
        let wanted = vec![Question::Terminal.bit(); self.winner(PLAYERS) as usize];
        let rules = Stratified::new(&self.clauses, wanted, Options::default()).unwrap();
        let mut chance = Chance::from_seed(9);
        let (mut polls, mut moves) = (0, 0);
        for _ in 0..games {
            let mut model = Model::new(&rules);
            let mut heights = vec![0; self.columns as usize];
            let before = model.work().polls;
            for turn in 0..self.squares() {
                let column = chance.below(self.columns);
                let height = &mut heights[column as usize];
                if *height == self.rows {
                    continue;
                }
                let player = turn % PLAYERS;
                model.set(&rules, self.disc(player, column, *height), true);
                model.answer(&rules, Question::Terminal);
                *height += 1;
                moves += 1;
                if model.holds(self.winner(player)) {
                    break;
                }
            }
            polls += model.work().polls - before;
        }
        polls as f64 / f64::from(moves)
    }
}

#[test]
fn work_does_not_grow_with_the_board() {
    let [small, large] =
        [Board::new(7, 6), Board::new(20, 18)].map(|board| board.polls_per_move(300));
    assert!(small > 4.0, "{small}");
    assert!((large / small - 1.0).abs() < 0.15, "{small} and {large}");
}
