//! Counts of positions, compared with those of two other engines.
//!
//! The tests go as deep as a test may; everything is counted by
//!
//! ```console
//! $ PAIDIA_PERFT_NODES=1000000000000 cargo test --release -p paidia-languages perft
//! ```

use paidia_languages::board::{BoardMove, Colour, Position};
use paidia_testkit::boards;
use serde_json::Value;

use crate::data::{game, games, json, legal};

/// Rows with more nodes than this are left out, unless the variable says another number.
const MOST_NODES: u64 = 400_000;

/// What is counted at one depth, in the order of the data's columns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    nodes: u64,
    white_wins: u64,
    black_wins: u64,
    draws: u64,
    stuck: u64,
    captures: u64,
    self_captures: u64,
}

struct Counter {
    position: Position,
    counts: Counts,
    /// The moves of all positions on the way, each after those of the one before.
    moves: Vec<BoardMove>,
    scratch: Vec<BoardMove>,
}

impl Counter {
    fn count(&mut self, depth: u64) {
        if self.position.winner().is_some() {
            return;
        }
        let first = self.moves.len();
        self.position.moves(&mut self.moves);
        if !self.position.is_out_of_turns() {
            for place in first..self.moves.len() {
                let chosen = self.moves[place];
                let is_own = chosen.from != chosen.to && {
                    let [from, to] =
                        [chosen.from, chosen.to].map(|square| self.position.letter(square));
                    to != b'.' && from.is_ascii_uppercase() == to.is_ascii_uppercase()
                };
                let undo = self.position.make(chosen);
                if depth > 1 {
                    self.count(depth - 1);
                } else {
                    self.counts.captures += u64::from(undo.is_capture());
                    self.counts.self_captures += u64::from(is_own);
                    self.leaf();
                }
                self.position.unmake(undo);
            }
        }
        self.moves.truncate(first);
    }

    fn leaf(&mut self) {
        self.counts.nodes += 1;
        let mut winner = self.position.winner();
        if winner.is_none() && !self.position.can_move(&mut self.scratch) {
            self.counts.stuck += 1;
            winner = Some(self.position.mover().other());
        }
        match winner {
            Some(Colour::White) => self.counts.white_wins += 1,
            Some(Colour::Black) => self.counts.black_wins += 1,
            None => self.counts.draws += u64::from(self.position.is_out_of_turns()),
        }
    }
}

fn expected(row: &Value) -> Counts {
    let number = |column: &str| row[column].as_u64().unwrap_or_else(|| panic!("{column}"));
    Counts {
        nodes: number("nodes"),
        white_wins: number("white_wins"),
        black_wins: number("black_wins"),
        draws: number("draws"),
        stuck: number("stuck"),
        captures: number("captures"),
        self_captures: number("self_captures"),
    }
}

#[test]
fn perft_counts_are_those_of_other_engines() {
    let Some(folder) = boards() else { return };
    let given = std::env::var("PAIDIA_PERFT_NODES");
    let most = given.map_or(MOST_NODES, |number| {
        number.parse().expect("a number of nodes")
    });
    let mut deepest = 0;
    for (name, text) in games(&folder) {
        let data = json(&folder.join(format!("perft/{name}.json")));
        let mut position = game(&name, &text).position();
        let first: Vec<String> = legal(&mut position)
            .into_iter()
            .map(|(_, name)| name)
            .collect();
        let known: Vec<String> = serde_json::from_value(data["first_moves"].clone()).unwrap();
        assert_eq!(first, known, "{name}");
        let key = position.key();
        let mut counter = Counter {
            position,
            counts: Counts::default(),
            moves: Vec::new(),
            scratch: Vec::new(),
        };
        for row in data["perft"].as_array().unwrap() {
            let (depth, expected) = (row["depth"].as_u64().unwrap(), expected(row));
            if expected.nodes > most {
                break;
            }
            counter.counts = Counts::default();
            counter.count(depth);
            assert_eq!(counter.counts, expected, "{name} at depth {depth}");
            deepest = deepest.max(depth);
        }
        // Every move was taken back.
        assert_eq!(counter.position.key(), key, "{name}");
    }
    assert!(deepest >= 5);
}
