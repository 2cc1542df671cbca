//! Going all ways of an automaton: on a board, and on a board that is as large as it can be.

use paidia_languages::board::{Automaton, Letter, On};

use super::observations::Observation;

/// Ways of an automaton are followed for at most this many steps at once; an automaton with more
/// is taken for one that accepts too much.
const MAX_STEPS: u64 = 2_000_000;

/// Why going all ways stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stopped {
    /// The visitor wanted it.
    Visitor,
    /// There are too many ways.
    Steps,
}

/// A board as one player sees it.
#[derive(Clone, Debug)]
pub struct Board {
    width: i32,
    height: i32,
    contents: Vec<On>,
    ahead: i32,
}

impl Board {
    /// The board of an observation for the player to move.
    pub fn new(seen: &Observation, width: usize) -> Self {
        let content = |&letter: &u8| match letter {
            b'.' => On::Empty,
            letter if letter.is_ascii_uppercase() == seen.is_white => On::Own,
            _ => On::Opponent,
        };
        Self {
            width: width as i32,
            height: (seen.board.len() / width.max(1)) as i32,
            contents: seen.board.iter().map(content).collect(),
            ahead: if seen.is_white { 1 } else { -1 },
        }
    }

    /// The square after a step that can be made, and nothing after one that cannot.
    pub(super) fn after(&self, square: usize, letter: Letter) -> Option<usize> {
        let x = square as i32 % self.width + i32::from(letter.dx);
        let y = square as i32 / self.width + self.ahead * i32::from(letter.dy);
        let is_on = (0..self.width).contains(&x) && (0..self.height).contains(&y);
        let square = is_on.then(|| (y * self.width + x) as usize)?;
        (self.contents[square] == letter.on).then_some(square)
    }
}

/// A word as it grows, with the extent of its squares about the start.
#[derive(Clone, Debug)]
struct Way {
    word: Vec<Letter>,
    /// Columns and rows from the start, of all squares on the way.
    squares: Vec<(i32, i32)>,
    width: i32,
    height: i32,
    steps: u64,
}

impl Way {
    fn new(width: usize, height: usize) -> Self {
        Self {
            word: Vec::new(),
            squares: vec![(0, 0)],
            width: width as i32,
            height: height as i32,
            steps: 0,
        }
    }

    /// Adds a step; whether the word can still be performed somewhere.
    fn push(&mut self, letter: Letter) -> bool {
        let &(x, y) = self.squares.last().unwrap_or(&(0, 0));
        let next = (x + i32::from(letter.dx), y + i32::from(letter.dy));
        let is_new = !self.squares.contains(&next);
        self.squares.push(next);
        self.word.push(letter);
        self.steps += 1;
        let span = |of: fn(&(i32, i32)) -> i32| {
            let all = self.squares.iter().map(of);
            let (least, most) = all.fold((0, 0), |(least, most), at| (at.min(least), at.max(most)));
            most - least
        };
        is_new && span(|at| at.0) < self.width && span(|at| at.1) < self.height
    }

    fn pop(&mut self) {
        self.squares.pop();
        self.word.pop();
    }
}

/// Whether no man can perform a word, wherever it stands on a board of this size. A way that comes
/// back to one of its squares is taken for impossible as well.
pub fn is_impossible(word: &[Letter], width: usize, height: usize) -> bool {
    let mut way = Way::new(width, height);
    !word.iter().all(|&letter| way.push(letter))
}

/// All words of an automaton that are possible on a board of this size, up to a number.
pub fn accepted_words(
    automaton: &Automaton,
    width: usize,
    height: usize,
    most: usize,
) -> Vec<Vec<Letter>> {
    let mut words = Vec::new();
    // That there are too many words, or steps, is for the caller to see by their number.
    let _ = possible(automaton, width, height, &mut |word| {
        words.push(word.to_vec());
        words.len() < most
    });
    words
}

/// Visits each possible word of an automaton until the visitor does not want to go on.
pub(super) fn possible(
    automaton: &Automaton,
    width: usize,
    height: usize,
    visit: &mut dyn FnMut(&[Letter]) -> bool,
) -> Result<(), Stopped> {
    let mut way = Way::new(width, height);
    possible_from(automaton, 0, &mut way, visit)
}

fn possible_from(
    automaton: &Automaton,
    state: u32,
    way: &mut Way,
    visit: &mut dyn FnMut(&[Letter]) -> bool,
) -> Result<(), Stopped> {
    for &(letter, to) in automaton.edges(state) {
        if way.push(letter) {
            if automaton.is_accepting(to) && !visit(&way.word) {
                return Err(Stopped::Visitor);
            }
            possible_from(automaton, to, way, visit)?;
        }
        way.pop();
        if way.steps > MAX_STEPS {
            return Err(Stopped::Steps);
        }
    }
    Ok(())
}

/// Visits each word of an automaton that a man can perform on a board, until the visitor does not
/// want to go on.
pub(super) fn on_board(
    automaton: &Automaton,
    board: &Board,
    square: usize,
    visit: &mut dyn FnMut(&[Letter]) -> bool,
) -> Result<(), Stopped> {
    let mut walk = Walk {
        automaton,
        board,
        word: Vec::new(),
        path: vec![square],
        steps: 0,
    };
    walk.from(0, visit)
}

struct Walk<'a> {
    automaton: &'a Automaton,
    board: &'a Board,
    word: Vec<Letter>,
    path: Vec<usize>,
    steps: u64,
}

impl Walk<'_> {
    fn from(
        &mut self,
        state: u32,
        visit: &mut dyn FnMut(&[Letter]) -> bool,
    ) -> Result<(), Stopped> {
        let square = self.path[self.path.len() - 1];
        for &(letter, to) in self.automaton.edges(state) {
            let Some(next) = self.board.after(square, letter) else {
                continue;
            };
            if self.path.contains(&next) {
                continue;
            }
            self.steps += 1;
            if self.steps > MAX_STEPS {
                return Err(Stopped::Steps);
            }
            self.word.push(letter);
            self.path.push(next);
            if self.automaton.is_accepting(to) && !visit(&self.word) {
                return Err(Stopped::Visitor);
            }
            self.from(to, visit)?;
            self.word.pop();
            self.path.pop();
        }
        Ok(())
    }
}
