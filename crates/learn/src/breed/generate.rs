//! Games drawn by tables. (Kowalski 2016, section 4.3.4; table 4.3.1.)

use std::fmt::Write;

use paidia_game::Chance;
use paidia_gdl::Source;
use paidia_languages::board::{self, BoardRules};
use serde::{Deserialize, Serialize};

use super::pattern::{Contents, Moves, Pattern, Tuple};

/// How games are drawn; the thesis used four settings and prints one, whose numbers beside the
/// tables it does not tell.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Setting {
    /// The chance that a pattern has a further step.
    pub longer: f64,
    /// The chance of a modifier, each time one is considered.
    pub modifier: f64,
    /// The chance that a man moves in a further way.
    pub more: f64,
    /// How far men may get, at most: pawns and kings, and others.
    pub reach: (f64, f64),
    /// How far men must get at least.
    pub least: f64,
}

/// Four settings: men that step, as printed in parts; riders are more frequent; men that leap in
/// several ways; weak men.
pub const SETTINGS: [Setting; 4] = [
    Setting {
        longer: 0.3,
        modifier: 0.4,
        more: 0.6,
        reach: (6.0, 14.0),
        least: 1.0,
    },
    Setting {
        longer: 0.45,
        modifier: 0.7,
        more: 0.5,
        reach: (6.0, 16.0),
        least: 1.5,
    },
    Setting {
        longer: 0.1,
        modifier: 0.3,
        more: 0.75,
        reach: (7.0, 14.0),
        least: 2.0,
    },
    Setting {
        longer: 0.3,
        modifier: 0.1,
        more: 0.5,
        reach: (4.0, 8.0),
        least: 0.5,
    },
];

/// How likely a step is, by rows ahead from three to minus one, and columns aside from none to
/// three, in per cent (table 4.3.1 a). What is printed as 1 for two rows straight ahead is taken
/// for 7, with which the table sums to nearly 100.
const STEPS: [(i8, [f64; 4]); 5] = [
    (3, [0.6, 0.6, 0.6, 0.6]),
    (2, [7.0, 7.0, 3.5, 0.6]),
    (1, [20.0, 14.0, 5.0, 0.6]),
    (0, [0.0, 16.0, 7.0, 0.6]),
    (-1, [7.0, 7.0, 1.4, 0.6]),
];

/// How likely contents are, in the order of [`Contents::ALL`] (table 4.3.1 b).
pub const INNER: [f64; 6] = [42.0, 14.0, 14.0, 7.0, 7.0, 14.0];

/// The same for the last step of a pattern.
pub const LAST: [f64; 6] = [33.0, 33.0, 0.0, 33.0, 0.0, 0.0];

/// How likely modifiers are: backwards, turned, repeated (table 4.3.1 c).
pub const MODIFIERS: [f64; 3] = [50.0, 25.0, 25.0];

/// The letters of men beside king and pawn.
const LETTERS: [u8; 5] = *b"ABCDE";

/// Draws a place by weights.
pub fn draw(chance: &mut Chance, weights: &[f64]) -> usize {
    let mut left = chance.fraction() * weights.iter().sum::<f64>();
    for (place, weight) in weights.iter().enumerate() {
        if left < *weight {
            return place;
        }
        left -= weight;
    }
    weights
        .iter()
        .rposition(|&weight| weight > 0.0)
        .unwrap_or(0)
}

impl Setting {
    /// Draws a step and where it leads; to the left it leads only after one to the right.
    fn tuple(&self, chance: &mut Chance, is_last: bool, may_go_left: bool) -> Tuple {
        let weights: Vec<f64> = STEPS.iter().flat_map(|row| row.1).collect();
        let place = draw(chance, &weights);
        let (dy, dx) = (STEPS[place / 4].0, (place % 4) as i8);
        let is_left = may_go_left && chance.fraction() < 0.5;
        let contents = if is_last { LAST } else { INNER };
        Tuple {
            dx: if is_left { -dx } else { dx },
            dy,
            on: Contents::ALL[draw(chance, &contents)],
            star: false,
        }
    }

    /// Draws a way to move.
    pub fn pattern(&self, chance: &mut Chance) -> Pattern {
        let mut length = 1;
        while length < 4 && chance.fraction() < self.longer {
            length += 1;
        }
        let mut tuples: Vec<Tuple> = Vec::new();
        for place in 0..length {
            let may_go_left = tuples.iter().any(|tuple| tuple.dx > 0);
            tuples.push(self.tuple(chance, place + 1 == length, may_go_left));
        }
        let mut pattern = Pattern {
            mirror: tuples.iter().any(|tuple| tuple.dx != 0),
            tuples,
            back: false,
            turn: false,
        };
        while chance.fraction() < self.modifier {
            match draw(chance, &MODIFIERS) {
                0 if !pattern.back => pattern.back = true,
                1 if !pattern.turn => pattern.turn = true,
                2 => {
                    let place = chance.below(pattern.tuples.len() as u32) as usize;
                    pattern.tuples[place].star = true;
                }
                _ => break,
            }
        }
        pattern
    }

    /// Draws how a man moves on a board of this size; `is_weak` for kings and pawns.
    pub fn moves(&self, chance: &mut Chance, (width, height): (u8, u8), is_weak: bool) -> Moves {
        let most = if is_weak { self.reach.0 } else { self.reach.1 };
        loop {
            let mut moves = Moves(vec![self.pattern(chance)]);
            while moves.0.len() < 6
                && (moves.mobility(width, height) < self.least || chance.fraction() < self.more)
            {
                let mut more = moves.clone();
                more.0.push(self.pattern(chance));
                if more.mobility(width, height) > most {
                    break;
                }
                moves = more;
            }
            let reach = moves.mobility(width, height);
            if (self.least..=most).contains(&reach) && moves.rule(width, height).is_some() {
                return moves;
            }
        }
    }
}

/// A game of the form that is bred: two rows of men a side, the same for both.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bred {
    /// Columns.
    pub width: u8,
    /// Rows.
    pub height: u8,
    /// Half-moves until the game is a draw.
    pub turns: u32,
    /// Where pawns stand in the second row.
    pub front: Vec<bool>,
    /// What stands in the first row: `K`, letters of other men, or nothing.
    pub back: Vec<Option<char>>,
    /// How the king moves.
    pub king: Moves,
    /// How pawns move.
    pub pawn: Moves,
    /// How other men move, `A` first.
    pub others: Vec<Moves>,
}

impl Bred {
    /// Draws a game.
    pub fn draw(chance: &mut Chance, setting: &Setting) -> Self {
        let width = 6 + chance.below(3) as u8;
        let height = 6 + chance.below(3) as u8;
        let kinds = 3 + chance.below(3) as usize;
        Self::draw_on(chance, setting, (width, height), kinds)
    }

    /// Draws a game on a board of this size with this number of kinds beside king and pawn, at
    /// most five.
    pub fn draw_on(
        chance: &mut Chance,
        setting: &Setting,
        (width, height): (u8, u8),
        kinds: usize,
    ) -> Self {
        let kinds = kinds.clamp(1, LETTERS.len());
        let king = chance.below(u32::from(width)) as usize;
        let size = (width, height);
        let mut bred = Self {
            width,
            height,
            turns: 3 * u32::from(width) * u32::from(height) + chance.below(20),
            front: (0..width).map(|_| chance.fraction() >= 0.1).collect(),
            back: Vec::new(),
            king: setting.moves(chance, size, true),
            pawn: setting.moves(chance, size, true),
            others: (0..kinds)
                .map(|_| setting.moves(chance, size, false))
                .collect(),
        };
        bred.back = (0..usize::from(width))
            .map(|column| match column == king {
                true => Some('K'),
                false => bred.draw_man(chance, 0.1),
            })
            .collect();
        bred
    }

    /// Draws what stands on a square of the first row: nothing with this chance.
    pub fn draw_man(&self, chance: &mut Chance, nothing: f64) -> Option<char> {
        let letters = &LETTERS[..self.others.len()];
        let letter = chance.pick(letters).map(char::from);
        letter.filter(|_| chance.fraction() >= nothing)
    }

    /// The game in the language of board games, with how men move as comments.
    pub fn text(&self, name: &str, remarks: &[String]) -> String {
        let mut text = format!("<<{name}>>\n");
        for remark in remarks {
            let _ = writeln!(text, "// {remark}");
        }
        let _ = writeln!(text, "<BOARD>\n{} {}", self.width, self.height);
        let back: String = self.back.iter().map(|man| man.unwrap_or('.')).collect();
        let front = self
            .front
            .iter()
            .map(|&is_pawn| if is_pawn { 'P' } else { '.' });
        let front: String = front.collect();
        let empty = ".".repeat(self.width.into());
        let mut rows = vec![back.to_lowercase(), front.to_lowercase()];
        rows.extend(vec![empty; usize::from(self.height) - 4]);
        rows.extend([front, back]);
        rows.iter().for_each(|row| _ = writeln!(text, "|{row}|"));
        text.push_str("<PIECES>\n");
        let others = LETTERS.iter().copied().map(char::from).zip(&self.others);
        let men = [('K', &self.king), ('P', &self.pawn)]
            .into_iter()
            .chain(others);
        for (letter, moves) in men {
            let reach = moves.mobility(self.width, self.height);
            let words = moves.words().len();
            let _ = writeln!(text, "// <{reach:.2}> ({words} legals) {moves}");
            if let Some(rule) = moves.rule(self.width, self.height) {
                let _ = writeln!(text, "{letter} {rule} &");
            }
        }
        let row = |y: u8| -> String {
            let squares: Vec<String> = (0..self.width).map(|x| format!("{x} {y}")).collect();
            squares.join(", ")
        };
        let _ = writeln!(text, "<GOALS>\n{} &", self.turns);
        let _ = writeln!(text, "@P {} &\n@p {} &", row(self.height - 1), row(0));
        text.push_str("#K 0 &\n#k 0 &\n");
        text
    }

    /// The rules.
    ///
    /// # Errors
    /// Says what is wrong with them, which would be a mistake of ours.
    pub fn rules(&self, name: &str) -> Result<BoardRules, String> {
        let reading = board::read(&Source::new(name, self.text(name, &[])));
        match reading.problems.iter().find(|problem| problem.is_error()) {
            Some(problem) => Err(problem.message.clone()),
            None => Ok(reading.rules),
        }
    }
}
