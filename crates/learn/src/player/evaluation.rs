//! Weights as whole numbers, and what else a position is judged by.

use paidia_languages::board::{BoardMove, Colour, EMPTY, Position, Tables};

use super::tally::Tally;
use super::weights::Weights;

/// What a weight of one is in whole numbers.
pub const SCALE: f64 = 100.0;

/// What a position is judged by beside the men and their squares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extras {
    /// For each square the root of the number of moves to it.
    pub mobility: bool,
    /// For each square who could take more often there.
    pub control: bool,
}

impl Extras {
    fn any(self) -> bool {
        self.mobility || self.control
    }
}

/// Judges positions, from white's view.
#[derive(Clone, Debug)]
pub struct Evaluation {
    squares: usize,
    values: Vec<i32>,
    /// For each content, what a man is worth to whom takes it.
    worth: Vec<i32>,
    extras: Extras,
    /// Roots of small numbers.
    roots: Vec<i32>,
}

/// How often squares are moved to and attacked, for one thread.
#[derive(Clone, Debug, Default)]
pub(super) struct Counts {
    moves: [Vec<u16>; 2],
    takes: [Vec<u16>; 2],
}

/// Larger values of one man are cut, so that sums of all stay far below that of a won game.
const MOST: f64 = 1e6;

impl Evaluation {
    /// Judges by weights, and by what else is asked for.
    pub fn new(tables: &Tables, weights: &Weights, extras: Extras) -> Self {
        let (contents, squares) = (tables.contents(), tables.squares());
        let whole = |value: f64| (value * SCALE).round().clamp(-MOST, MOST) as i32;
        let mut values = vec![0; contents * squares];
        for content in 2..contents {
            let sign = if content % 2 == 0 { 1 } else { -1 };
            for square in 0..squares {
                let place = content * squares + square;
                let value = weights.material[content] + weights.place[place];
                values[place] = sign * whole(value);
            }
        }
        let worth = weights.material.iter().map(|&worth| whole(worth));
        let roots = (0..64).map(|number| whole(f64::from(number).sqrt()));
        Self {
            squares,
            values,
            worth: worth.collect(),
            extras,
            roots: roots.collect(),
        }
    }

    /// Whether the sum over all men is all that counts.
    #[inline]
    pub(super) fn is_sum(&self) -> bool {
        !self.extras.any()
    }

    /// The sum over all men.
    pub fn sum(&self, position: &Position) -> i32 {
        let men = position.board().iter().enumerate();
        men.map(|(square, &content)| self.values[usize::from(content) * self.squares + square])
            .sum()
    }

    /// What a move adds to that sum.
    #[inline]
    pub(super) fn gain(&self, position: &Position, chosen: BoardMove) -> i32 {
        let BoardMove { from, to } = chosen;
        let (from, to) = (usize::from(from), usize::from(to));
        if from == to {
            return 0;
        }
        let board = position.board();
        let man = usize::from(board[from]) * self.squares;
        self.values[man + to]
            - self.values[man + from]
            - self.values[usize::from(board[to]) * self.squares + to]
    }

    /// What a man is worth to whom takes it; nothing for an empty square.
    #[inline]
    pub(super) fn worth(&self, content: u8) -> i32 {
        debug_assert!(content == EMPTY || content > 1);
        self.worth[usize::from(content)]
    }

    /// What is judged beside the sum, from white's view.
    #[inline]
    pub(super) fn rest(&self, position: &mut Position, counts: &mut Counts) -> i32 {
        if !self.extras.any() {
            return 0;
        }
        self.counted(position, counts)
    }

    fn counted(&self, position: &mut Position, counts: &mut Counts) -> i32 {
        if position.has_sets() {
            return self.counted_in_sets(position);
        }
        for colour in [Colour::White, Colour::Black] {
            let moves = &mut counts.moves[colour as usize];
            let takes = &mut counts.takes[colour as usize];
            for counted in [&mut *moves, &mut *takes] {
                counted.clear();
                counted.resize(self.squares, 0);
            }
            position.attacks(colour, |chosen, is_legal, is_attack| {
                let to = usize::from(chosen.to);
                moves[to] += u16::from(is_legal);
                takes[to] += u16::from(is_attack);
            });
        }
        let mut sum = 0;
        if self.extras.mobility {
            let root = |&count: &u16| self.root(usize::from(count));
            let [white, black] = counts.moves.each_ref().map(|moves| moves.iter());
            sum += white.map(root).sum::<i32>() - black.map(root).sum::<i32>();
        }
        if self.extras.control {
            let [white, black] = &counts.takes;
            let held = white
                .iter()
                .zip(black)
                .map(|(one, other)| one.cmp(other) as i32);
            sum += held.sum::<i32>() * SCALE as i32;
        }
        sum
    }

    fn root(&self, count: usize) -> i32 {
        match self.roots.get(count) {
            Some(&root) => root,
            None => ((count as f64).sqrt() * SCALE).round() as i32,
        }
    }

    /// The same on small boards, all squares at once.
    fn counted_in_sets(&self, position: &mut Position) -> i32 {
        let [mut moves, mut takes] = [[Tally::default(); 2]; 2];
        for colour in [Colour::White, Colour::Black] {
            let (moves, takes) = (&mut moves[colour as usize], &mut takes[colour as usize]);
            match (self.extras.mobility, self.extras.control) {
                (true, false) => position.each_reach(colour, |set, _| moves.add(set)),
                (false, _) => position.each_reach(colour, |_, set| takes.add(set)),
                (true, true) => position.each_reach(colour, |set, attacked| {
                    moves.add(set);
                    takes.add(attacked);
                }),
            }
        }
        let mut sum = 0;
        if self.extras.mobility {
            let [white, black] = moves.map(|moves| moves.sum(|count| self.root(count)));
            sum += white - black;
        }
        if self.extras.control {
            sum += takes[0].more_than(&takes[1]) * SCALE as i32;
        }
        sum
    }
}
