//! How men of bred games move: short sequences of steps, mirrored and turned.
//!
//! A pattern is written as in the thesis: `1,1,e,*;0,1,ep,_:FB,LR` is any number of empty squares
//! to the right ahead, then one square ahead that is empty or has an opponent's man; the same
//! backwards (`FB`), and all of it to the left, too (`LR`). `ROT` turns it by quarters.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use paidia_languages::board::On;
use serde::{Deserialize, Serialize};

/// What may be on a square: the letters of [`On`], in the order of the thesis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Contents {
    /// Nothing.
    E,
    /// A man of the opponent.
    P,
    /// A man of the mover.
    W,
    /// Not a man of the mover.
    Ep,
    /// Not a man of the opponent.
    Ew,
    /// A man.
    Pw,
}

impl Contents {
    /// All, in the order of the tables.
    pub const ALL: [Contents; 6] = [
        Contents::E,
        Contents::P,
        Contents::W,
        Contents::Ep,
        Contents::Ew,
        Contents::Pw,
    ];

    /// The letters.
    pub fn name(self) -> &'static str {
        match self {
            Contents::E => "e",
            Contents::P => "p",
            Contents::W => "w",
            Contents::Ep => "ep",
            Contents::Ew => "ew",
            Contents::Pw => "pw",
        }
    }

    fn each(self) -> impl Iterator<Item = On> {
        let letters = self.name().bytes();
        letters.filter_map(On::of_letter)
    }
}

/// A step, or any number of the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Tuple {
    /// Columns to the right.
    pub dx: i8,
    /// Rows ahead.
    pub dy: i8,
    /// What may be there.
    pub on: Contents,
    /// Whether it is repeated: as often as one likes; the last step of a pattern at least once.
    pub star: bool,
}

/// A sequence of steps with what is done to it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Pattern {
    /// The steps; at least one.
    pub tuples: Vec<Tuple>,
    /// Also with forward and backward exchanged.
    pub back: bool,
    /// Also with left and right exchanged.
    pub mirror: bool,
    /// Also turned by a quarter, by half, and by three quarters.
    pub turn: bool,
}

/// How a man moves: any of these.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Moves(pub Vec<Pattern>);

impl Pattern {
    /// The sequences that it stands for, each once, in order.
    pub fn variants(&self) -> BTreeSet<Vec<Tuple>> {
        let mut found = BTreeSet::from([self.tuples.clone()]);
        let mut add = |change: &dyn Fn(Tuple) -> Tuple| {
            let more = found.iter();
            let more = more.map(|tuples| tuples.iter().map(|&tuple| change(tuple)).collect());
            let more: Vec<Vec<Tuple>> = more.collect();
            found.extend(more);
        };
        let turned = |tuple: Tuple| Tuple {
            dx: tuple.dy,
            dy: -tuple.dx,
            ..tuple
        };
        if self.turn {
            add(&turned);
            add(&|tuple| turned(turned(tuple)));
        }
        if self.back {
            add(&|tuple| Tuple {
                dy: -tuple.dy,
                ..tuple
            });
        }
        if self.mirror {
            add(&|tuple| Tuple {
                dx: -tuple.dx,
                ..tuple
            });
        }
        found
    }
}

/// A word of a man in which repeated steps are made once.
type Word = Vec<(i8, i8, On)>;

impl Moves {
    /// The different words of all variants, with repeated steps made once, as the thesis counts
    /// them.
    pub fn words(&self) -> BTreeSet<Word> {
        let mut words = BTreeSet::new();
        for tuples in self.0.iter().flat_map(Pattern::variants) {
            let mut open: Vec<Word> = vec![Vec::new()];
            for tuple in &tuples {
                let longer = open.iter().flat_map(|word| {
                    tuple.on.each().map(|on| {
                        let mut word = word.clone();
                        word.push((tuple.dx, tuple.dy, on));
                        word
                    })
                });
                open = longer.collect();
            }
            words.extend(open);
        }
        words
    }

    /// How far a man gets on a board: the sum over its words of the part of the squares from which
    /// the word stays on the board.
    pub fn mobility(&self, width: u8, height: u8) -> f64 {
        let fits = |word: &Word| {
            let (mut x, mut y) = (0i32, 0i32);
            let (mut low, mut high) = ((0, 0), (0, 0));
            for &(dx, dy, _) in word {
                (x, y) = (x + i32::from(dx), y + i32::from(dy));
                low = (low.0.min(x), low.1.min(y));
                high = (high.0.max(x), high.1.max(y));
            }
            let left = (i32::from(width) - (high.0 - low.0)).max(0);
            let below = (i32::from(height) - (high.1 - low.1)).max(0);
            f64::from(left * below)
        };
        let squares = f64::from(width) * f64::from(height);
        self.words().iter().map(fits).sum::<f64>() / squares
    }

    /// The moves as a rule of the language. Steps that no board of this size has are left out, and
    /// so are variants that only have such.
    pub fn rule(&self, width: u8, height: u8) -> Option<String> {
        let mut terms = BTreeSet::new();
        for tuples in self.0.iter().flat_map(Pattern::variants) {
            let fits =
                |tuple: &Tuple| tuple.dx.unsigned_abs() < width && tuple.dy.unsigned_abs() < height;
            if tuples.iter().all(fits) {
                terms.insert(term(&tuples));
            }
        }
        let terms: Vec<String> = terms.into_iter().collect();
        (!terms.is_empty()).then(|| terms.join(" + "))
    }
}

/// A sequence as a rule of the language.
fn term(tuples: &[Tuple]) -> String {
    let mut text = String::new();
    for (place, tuple) in tuples.iter().enumerate() {
        let Tuple { dx, dy, .. } = tuple;
        let steps: Vec<String> = tuple
            .on
            .each()
            .map(|on| format!("({dx},{dy},{})", on.letter()))
            .collect();
        let step = match &steps[..] {
            [only] => only.clone(),
            several => format!("({})", several.join(" + ")),
        };
        text += &match (tuple.star, place + 1 == tuples.len()) {
            (true, true) => format!("{step}{step}^*"),
            (true, false) => format!("{step}^*"),
            (false, _) => step,
        };
    }
    text
}

impl fmt::Display for Pattern {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, tuple) in self.tuples.iter().enumerate() {
            let before = if place > 0 { ";" } else { "" };
            let star = if tuple.star { '*' } else { '_' };
            let Tuple { dx, dy, on, .. } = tuple;
            write!(formatter, "{before}{dx},{dy},{},{star}", on.name())?;
        }
        let flags = [(self.back, "FB"), (self.mirror, "LR"), (self.turn, "ROT")];
        let flags = flags.into_iter().filter(|&(is_set, _)| is_set);
        let flags: Vec<&str> = flags.map(|(_, name)| name).collect();
        write!(formatter, ":{}", flags.join(","))
    }
}

impl fmt::Display for Moves {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, pattern) in self.0.iter().enumerate() {
            write!(formatter, "{}{pattern}", if place > 0 { " + " } else { "" })?;
        }
        Ok(())
    }
}

/// A text that is no pattern.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no pattern; one is `1,1,ep,*:FB,LR`")]
pub struct BadPattern(String);

impl FromStr for Pattern {
    type Err = BadPattern;

    fn from_str(text: &str) -> Result<Self, BadPattern> {
        let bad = || BadPattern(text.to_owned());
        let (tuples, flags) = text.trim().split_once(':').ok_or_else(bad)?;
        let tuples = tuples.split(';').map(|tuple| {
            let parts: Vec<&str> = tuple.split(',').map(str::trim).collect();
            let [dx, dy, on, star @ ("*" | "_")] = parts[..] else {
                return Err(bad());
            };
            let on = Contents::ALL.into_iter().find(|known| known.name() == on);
            Ok(Tuple {
                dx: dx.parse().map_err(|_| bad())?,
                dy: dy.parse().map_err(|_| bad())?,
                on: on.ok_or_else(bad)?,
                star: star == "*",
            })
        });
        let mut pattern = Pattern {
            tuples: tuples.collect::<Result<_, _>>()?,
            back: false,
            mirror: false,
            turn: false,
        };
        for flag in flags
            .split(',')
            .map(str::trim)
            .filter(|flag| !flag.is_empty())
        {
            *match flag {
                "FB" => &mut pattern.back,
                "LR" => &mut pattern.mirror,
                "ROT" => &mut pattern.turn,
                _ => return Err(bad()),
            } = true;
        }
        Ok(pattern)
    }
}

impl FromStr for Moves {
    type Err = BadPattern;

    fn from_str(text: &str) -> Result<Self, BadPattern> {
        let patterns = text.split(" + ").map(str::parse);
        Ok(Moves(patterns.collect::<Result<_, _>>()?))
    }
}
