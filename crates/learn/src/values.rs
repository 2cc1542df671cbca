//! What the men of a board game are worth, by its rules alone. (Kowalski 2016, section 6.2.2.)
//!
//! A man on a square is worth the sum of its words there, each by how likely it is that its way is
//! free, divided by the number of squares; a man is worth the sum over all squares, and more if a
//! goal is about it. `docs/methods/piece-values.md` has the formulae and what is not said about
//! them in the thesis.

use paidia_languages::board::{Automaton, BoardRules, Goal, Letter, On, TooComplex};

/// The value of a won game.
pub const WIN: f64 = 1000.0;

/// Ways of a man from one square are followed for at most this many steps.
const MAX_STEPS: u64 = 1_000_000;

/// What the men of a letter are worth.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// The letter, upper case for white.
    pub letter: u8,
    /// By where they can go.
    pub mobility: f64,
    /// By the goals that are about them.
    pub goal: f64,
    /// What a man is worth by where it can go from each square, row by row from the bottom.
    pub squares: Vec<f64>,
}

impl Value {
    /// By both.
    pub fn total(&self) -> f64 {
        self.mobility + self.goal
    }
}

/// How likely a square has each content in the middle of a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Likelihood {
    /// By [`On`].
    pub of: [f64; 3],
}

impl Likelihood {
    /// Half of the men of the start are gone; those that are left stand anywhere, and half of them
    /// are the opponent's.
    pub fn new(rules: &BoardRules) -> Self {
        let men = rules
            .start
            .iter()
            .filter(|standing| !standing.is_empty())
            .count();
        let filled = men as f64 / (2.0 * rules.start.len() as f64);
        Self {
            of: [1.0 - filled, filled / 2.0, filled / 2.0],
        }
    }
}

/// What all men of a game are worth, in the order of their letters, white ones first.
///
/// # Errors
/// If a rule has no automaton that is small enough.
pub fn values(rules: &BoardRules) -> Result<Vec<Value>, TooComplex> {
    let likely = Likelihood::new(rules);
    let mut values = Vec::new();
    for colour in [false, true] {
        for kind in rules.kinds() {
            let letter = if colour {
                kind.to_ascii_lowercase()
            } else {
                kind
            };
            let squares = match rules.piece(kind) {
                Some(piece) => by_square(rules, &Automaton::of(&piece.moves)?, !colour, likely),
                None => vec![0.0; rules.start.len()],
            };
            values.push(Value {
                letter,
                mobility: squares.iter().sum(),
                goal: by_goals(rules, letter),
                squares,
            });
        }
    }
    Ok(values)
}

/// What a man is worth on each square by its words there.
fn by_square(
    rules: &BoardRules,
    automaton: &Automaton,
    is_white: bool,
    likely: Likelihood,
) -> Vec<f64> {
    let squares = rules.start.len() as f64;
    let words = words_by_square(rules, automaton, is_white, likely);
    let sum = |words: Vec<(usize, f64)>| words.iter().map(|word| word.1).sum::<f64>() / squares;
    words.into_iter().map(sum).collect()
}

/// For each square, row by row from the bottom, where each word of a man there leads and what it
/// counts.
pub(crate) fn words_by_square(
    rules: &BoardRules,
    automaton: &Automaton,
    is_white: bool,
    likely: Likelihood,
) -> Vec<Vec<(usize, f64)>> {
    let (width, height) = (i32::from(rules.width), i32::from(rules.height));
    let mut words = Words {
        automaton,
        width,
        height,
        ahead: if is_white { 1 } else { -1 },
        likely,
        path: Vec::new(),
        steps: 0,
        found: Vec::new(),
    };
    let squares = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    squares
        .map(|square| {
            words.path = vec![square];
            words.steps = 0;
            words.follow(0, 1.0);
            std::mem::take(&mut words.found)
        })
        .collect()
}

/// The words of a man from a square of an empty board.
struct Words<'a> {
    automaton: &'a Automaton,
    width: i32,
    height: i32,
    ahead: i32,
    likely: Likelihood,
    path: Vec<(i32, i32)>,
    steps: u64,
    /// The last squares and the weights of the words that were found.
    found: Vec<(usize, f64)>,
}

impl Words<'_> {
    /// Follows all ways from the end of the path on, the steps before being that likely.
    fn follow(&mut self, state: u32, before: f64) {
        let &(x, y) = self.path.last().unwrap_or(&(0, 0));
        for &(letter, to) in self.automaton.edges(state) {
            let next = (
                x + i32::from(letter.dx),
                y + self.ahead * i32::from(letter.dy),
            );
            let is_on = (0..self.width).contains(&next.0) && (0..self.height).contains(&next.1);
            self.steps += 1;
            if !is_on || self.path.contains(&next) || self.steps > MAX_STEPS {
                continue;
            }
            if self.automaton.is_accepting(to) {
                let square = (next.1 * self.width + next.0) as usize;
                self.found.push((square, before * weight(letter)));
            }
            self.path.push(next);
            self.follow(to, before * self.likely.of[letter.on as usize]);
            self.path.pop();
        }
    }
}

/// What the last step of a word counts: a capture is twice as good.
fn weight(last: Letter) -> f64 {
    match last.on {
        On::Opponent => 2.0,
        On::Empty | On::Own => 1.0,
    }
}

/// What men of a letter are worth by goals: each of k captures that lose the game, and each of j
/// men that can win by arriving, a root of the value of the game.
fn by_goals(rules: &BoardRules, letter: u8) -> f64 {
    let there = rules
        .start
        .iter()
        .filter(|standing| standing.character() as u8 == letter);
    let there = there.count();
    let goals = rules.goals.iter().filter(|goal| goal.letter() == letter);
    let parts = goals.map(|goal| match goal {
        Goal::Reach { .. } if there > 0 => WIN.powf(1.0 / there as f64),
        Goal::Fall { count, .. } if there > *count as usize => {
            WIN.powf(1.0 / (there - *count as usize) as f64)
        }
        Goal::Reach { .. } | Goal::Fall { .. } => 0.0,
    });
    parts.sum()
}
