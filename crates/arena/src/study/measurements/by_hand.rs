//! Connect Four and breakthrough written for these games alone, on bits: how far reasoners are from
//! what a programmer makes of the rules.
//!
//! Squares of breakthrough are bits from the lower left, a row after the other. A column of Connect
//! Four has seven bits, of which the highest stays empty, so that no line goes from one column into
//! the next.

use paidia_game::Chance;

use super::contender::{Contender, Count, Job, Position, Work};
use super::stopwatch::Stopwatch;

/// Fixed effort may take this many times the time of other measurements.
const COUNTING_PATIENCE: f64 = 200.0;

/// The engine for a game, if there is one by hand.
///
/// # Errors
/// Says for which games there is one.
pub fn by_hand(game: &str) -> Result<Box<dyn Contender>, String> {
    match game {
        "connect-four" => Ok(Box::new(ByHand::<ConnectFour>::new())),
        "breakthrough" => Ok(Box::new(ByHand::<Breakthrough>::new())),
        _ => Err("connect-four and breakthrough are there by hand, no other game".to_owned()),
    }
}

/// A position of a game of two who move in turns.
trait Board: Copy + Default {
    /// The position in which these fluents of our sheet hold.
    fn read(fluents: &[String]) -> Result<Self, String>;

    /// Whether the game is over.
    fn is_over(self) -> bool;

    /// How many moves there are; each has a number below that.
    fn count(self) -> u32;

    /// Makes the move of a number.
    fn make(&mut self, number: u32);
}

struct ByHand<B> {
    positions: Vec<B>,
}

impl<B: Board> ByHand<B> {
    fn new() -> Self {
        Self {
            positions: vec![B::default()],
        }
    }

    fn playouts(&self, job: &Job) -> Count {
        let share = job.seconds / job.positions.len() as f64;
        let mut chance = Chance::from_seed(job.seed);
        let mut count = Count::default();
        for &start in &self.positions[job.positions.clone()] {
            let mut watch = Stopwatch::start();
            while watch.seen() < share {
                let (mut board, mut steps) = (start, 0);
                while !board.is_over() && steps < job.step_limit {
                    board.make(chance.below(board.count()));
                    steps += 1;
                    watch.tick();
                }
                count.states += u64::from(steps);
                count.playouts += 1;
                // A game that is over at once must not go on for ever.
                watch.tick();
            }
            count.cpu += watch.elapsed();
        }
        count
    }

    /// Minimax over all positions: deeper and deeper, or to a fixed depth.
    fn minimax(&self, job: &Job, fixed: Option<u32>) -> Result<Count, String> {
        let limit = match fixed {
            Some(_) => job.seconds * COUNTING_PATIENCE,
            None => job.seconds / job.positions.len() as f64,
        };
        let mut count = Count::default();
        for &start in &self.positions[job.positions.clone()] {
            let mut search = Search {
                watch: Stopwatch::start(),
                nodes: 0,
                limit,
            };
            let mut depths = match fixed {
                Some(depth) => depth..=depth,
                None => 0..=400,
            };
            let ended = depths.find_map(|depth| match search.visit(start, depth) {
                Some(false) => None,
                ended => Some(ended),
            });
            if fixed.is_some() && ended == Some(None) {
                return Err(format!("the nodes take more than {limit:.0} s"));
            }
            count.cpu += search.watch.elapsed();
            count.states += search.nodes;
        }
        Ok(count)
    }
}

/// A minimax search that only visits nodes.
struct Search {
    watch: Stopwatch,
    nodes: u64,
    limit: f64,
}

impl Search {
    /// Visits everything down to a depth; whether every line ended there, or nothing if the time is
    /// over.
    fn visit<B: Board>(&mut self, board: B, depth: u32) -> Option<bool> {
        if board.is_over() {
            return Some(true);
        }
        if depth == 0 {
            return Some(false);
        }
        let mut all = true;
        for number in 0..board.count() {
            let mut next = board;
            next.make(number);
            self.nodes += 1;
            self.watch.tick();
            if self.watch.seen() > self.limit {
                return None;
            }
            all &= self.visit(next, depth - 1)?;
        }
        Some(all)
    }
}

impl<B: Board> Contender for ByHand<B> {
    fn prepare(&mut self, positions: &[Position]) -> Result<(), String> {
        let read = |position: &Position| match position {
            Position::Initial => Ok(B::default()),
            Position::Fluents(fluents) => B::read(fluents),
        };
        self.positions = positions.iter().map(read).collect::<Result<_, String>>()?;
        Ok(())
    }

    fn measure(&mut self, job: &Job) -> Result<Count, String> {
        match job.work {
            Work::Playouts => Ok(self.playouts(job)),
            Work::Minimax => self.minimax(job, None),
            Work::Nodes(depth) => self.minimax(job, Some(depth)),
        }
    }

    fn record(&mut self, _: u64, _: u32) -> Result<Vec<Position>, String> {
        Err("what is written by hand records no matches".to_owned())
    }
}

/// The words of each fluent, without parentheses.
fn words(fluents: &[String]) -> impl Iterator<Item = Vec<&str>> {
    let bare = fluents
        .iter()
        .map(|text| text.trim_matches(|c| c == '(' || c == ')'));
    bare.map(|text| text.split_whitespace().collect())
}

/// A number from 1 on as one from 0 on.
fn index(word: &str, most: u32) -> Result<u32, String> {
    let number: Option<u32> = word.parse().ok();
    let number = number.filter(|number| (1..=most).contains(number));
    number
        .map(|number| number - 1)
        .ok_or_else(|| format!("`{word}` is no row or column"))
}

/// The place of the lowest bit but `number` ones.
fn place(mut bits: u64, number: u32) -> u32 {
    for _ in 0..number {
        bits &= bits - 1;
    }
    bits.trailing_zeros()
}

/// Connect Four on seven columns and six rows.
#[derive(Clone, Copy, Default)]
struct ConnectFour {
    /// The discs of the player to move, and of the other.
    own: u64,
    other: u64,
}

/// The lowest place of each column.
const BOTTOM: u64 = 0x0408_1020_4081;
/// All places.
const RACK: u64 = BOTTOM * 0x3f;

impl ConnectFour {
    /// The places where discs would land.
    fn landings(self) -> u64 {
        ((self.own | self.other) + BOTTOM) & RACK
    }
}

impl Board for ConnectFour {
    fn read(fluents: &[String]) -> Result<Self, String> {
        let (mut red, mut yellow, mut mover) = (0, 0, "red");
        for words in words(fluents) {
            match words.as_slice() {
                ["cell", _, _, "empty"] => (),
                ["cell", column, row, disc] => {
                    let bit = 1 << (index(column, 7)? * 7 + index(row, 6)?);
                    *(if *disc == "red" {
                        &mut red
                    } else {
                        &mut yellow
                    }) |= bit;
                }
                ["control", "red"] => mover = "red",
                ["control", _] => mover = "yellow",
                other => return Err(format!("`{}` is not in Connect Four", other.join(" "))),
            }
        }
        Ok(match mover {
            "red" => Self {
                own: red,
                other: yellow,
            },
            _ => Self {
                own: yellow,
                other: red,
            },
        })
    }

    fn is_over(self) -> bool {
        let has_line = [1, 6, 7, 8].into_iter().any(|step| {
            let pairs = self.other & (self.other >> step);
            pairs & (pairs >> (2 * step)) != 0
        });
        has_line || self.landings() == 0
    }

    fn count(self) -> u32 {
        self.landings().count_ones()
    }

    fn make(&mut self, number: u32) {
        let disc = 1 << place(self.landings(), number);
        (self.own, self.other) = (self.other, self.own | disc);
    }
}

/// Breakthrough on 8x8, seen so that the player to move goes up.
#[derive(Clone, Copy)]
struct Breakthrough {
    /// The pawns of the player to move, and of the other.
    own: u64,
    other: u64,
}

const FIRST_COLUMN: u64 = 0x0101_0101_0101_0101;
const LAST_COLUMN: u64 = FIRST_COLUMN << 7;

impl Default for Breakthrough {
    fn default() -> Self {
        Self {
            own: 0xffff,
            other: 0xffff << 48,
        }
    }
}

impl Breakthrough {
    /// Where pawns can go: straight, to the left and to the right, each as the place they come to.
    fn targets(self) -> [u64; 3] {
        let Self { own, other } = self;
        [
            (own << 8) & !(own | other),
            ((own & !FIRST_COLUMN) << 7) & !own,
            ((own & !LAST_COLUMN) << 9) & !own,
        ]
    }
}

impl Board for Breakthrough {
    fn read(fluents: &[String]) -> Result<Self, String> {
        let (mut white, mut black, mut mover) = (0_u64, 0_u64, "white");
        for words in words(fluents) {
            match words.as_slice() {
                ["cell", _, _, "empty"] => (),
                ["cell", column, row, pawn] => {
                    let bit = 1 << (index(row, 8)? * 8 + index(column, 8)?);
                    *(if *pawn == "white" {
                        &mut white
                    } else {
                        &mut black
                    }) |= bit;
                }
                ["control", "white"] => mover = "white",
                ["control", _] => mover = "black",
                other => return Err(format!("`{}` is not in breakthrough", other.join(" "))),
            }
        }
        Ok(match mover {
            "white" => Self {
                own: white,
                other: black,
            },
            _ => Self {
                own: black.swap_bytes(),
                other: white.swap_bytes(),
            },
        })
    }

    fn is_over(self) -> bool {
        // The other has moved, so it may have reached its last row, or taken the last pawn.
        self.other & 0xff != 0 || self.own == 0
    }

    fn count(self) -> u32 {
        self.targets()
            .iter()
            .map(|targets| targets.count_ones())
            .sum()
    }

    fn make(&mut self, mut number: u32) {
        for (targets, step) in self.targets().into_iter().zip([8, 7, 9]) {
            let count = targets.count_ones();
            if number < count {
                let to = 1_u64 << place(targets, number);
                let own = self.own & !(to >> step) | to;
                let other = self.other & !to;
                // A row is a byte: turned round, the other goes up.
                (self.own, self.other) = (other.swap_bytes(), own.swap_bytes());
                return;
            }
            number -= count;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Board, Breakthrough, ConnectFour, Search};
    use crate::study::measurements::stopwatch::Stopwatch;

    /// How many nodes there are at each depth together, as published for these games.
    fn nodes<B: Board>(depth: u32) -> u64 {
        let mut search = Search {
            watch: Stopwatch::start(),
            nodes: 0,
            limit: f64::INFINITY,
        };
        search.visit(B::default(), depth).unwrap();
        search.nodes
    }

    #[test]
    fn nodes_are_those_that_the_world_knows() {
        assert_eq!(nodes::<ConnectFour>(4), 2_800);
        // 5,673,234 of these are in the eighth move, after which some games are over.
        assert_eq!(nodes::<ConnectFour>(8), 6_634_026);
        assert_eq!(nodes::<Breakthrough>(2), 506);
    }

    #[test]
    fn positions_are_read_from_both_sides() {
        let text = |facts: &[&str]| {
            facts
                .iter()
                .map(|&fact| fact.to_owned())
                .collect::<Vec<_>>()
        };
        let lost = ConnectFour::read(&text(&[
            "(cell 1 1 red)",
            "(cell 2 1 red)",
            "(cell 3 1 red)",
            "(cell 4 1 red)",
            "(cell 5 1 empty)",
            "(control yellow)",
        ]));
        assert!(lost.unwrap().is_over());
        let black = Breakthrough::read(&text(&[
            "(cell 1 2 black)",
            "(cell 2 1 white)",
            "(cell 8 7 white)",
            "(control black)",
        ]));
        let mut black = black.unwrap();
        // Straight on, or taking; no way round the edge.
        assert_eq!((black.count(), black.is_over()), (2, false));
        black.make(0);
        assert!(black.is_over());
    }
}
