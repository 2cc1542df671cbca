//! The rules of a board game from observations of play. (Jakub Kowalski, General Game Description
//! Languages, 2016, chapter 3; Yngvi Björnsson, Learning Rules of Simplified Boardgames by
//! Observing, 2012.)
//!
//! [`Observations`] are what was seen: positions with all legal words of the player to move, or
//! with the word that was played alone. [`learn`] makes an automaton of what was seen of one kind
//! of men, by one of three [`Method`]s, each of which makes the automaton smaller as long as a
//! [`Check`] allows. The methods and what is not said about them in the thesis are explained in
//! `docs/methods/learning-rules.md`.

mod bjornsson;
mod check;
mod observations;
mod quotient;
mod rpni;
mod spine;
mod walk;
mod watch;
mod write;

use paidia_languages::board::{Automaton, BoardRules, Goal, Piece, Standing};

use check::Judge;
pub(crate) use check::Judges;
pub use check::{Check, Fraction};
pub use observations::{BadRecord, Observation, Observations, Seen};
pub use quotient::Tree;
pub use spine::{Spine, select_spines};
pub use walk::{Board, accepted_words, is_impossible};
pub use watch::{of_match, random_plays};
pub use write::expression;

/// How an automaton is made smaller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// A search among automata in which two near states are made one.
    Bjornsson,
    /// States are made one with earlier states, in the order of their words.
    Rpni,
    /// Rides, which repeat a word, are closed to loops.
    Spine,
}

impl Method {
    /// All methods.
    pub const ALL: [Method; 3] = [Method::Bjornsson, Method::Rpni, Method::Spine];

    /// The name, for people and options.
    pub fn name(self) -> &'static str {
        match self {
            Method::Bjornsson => "bjornsson",
            Method::Rpni => "rpni",
            Method::Spine => "spine",
        }
    }
}

/// The settings of learning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How automata are made smaller.
    pub method: Method,
    /// Which of them are allowed.
    pub check: Check,
    /// How many edges states to be made one are apart at most; for spines, the longest word that
    /// is repeated.
    pub distance: usize,
    /// How many automata Björnsson's search looks at.
    pub expansions: usize,
}

impl Default for Settings {
    /// Spine compaction with a fraction of 7/10, which the thesis found best.
    fn default() -> Self {
        Self {
            method: Method::Spine,
            check: Check::Fractional(Fraction { of: 7, among: 10 }),
            distance: 2,
            expansions: 20,
        }
    }
}

/// The automaton of a kind of men by what was seen of it; `letter` is upper case. `None` if the
/// observations contradict each other or no move was seen.
pub fn learn(seen: &Observations, letter: u8, settings: Settings) -> Option<Automaton> {
    learn_for(&Judge::new(seen, letter, settings.check), settings)
}

/// The smallest automaton that is found among those that a judge allows.
pub(crate) fn learn_for(judge: &dyn Judges, settings: Settings) -> Option<Automaton> {
    if judge.words().is_empty() {
        return None;
    }
    match settings.method {
        Method::Bjornsson => bjornsson::learn(judge, settings),
        Method::Rpni => rpni::learn(judge),
        Method::Spine => spine::learn(judge, settings.distance),
    }
}

/// Rules for a game that was seen, which can be played: each kind of men moves as was learned, and
/// the game begins with the first board that was seen. Goals cannot be seen in moves; they are
/// given, as is the limit of half-moves. Kinds of which no move was seen, and those whose moves
/// contradict each other, have no rule.
///
/// # Errors
/// Says in words why there are none.
pub fn learn_rules(
    name: &str,
    seen: &Observations,
    settings: Settings,
    turns: u32,
    goals: Vec<Goal>,
) -> Result<BoardRules, String> {
    let Some(first) = seen.positions.first() else {
        return Err("no position was seen".to_owned());
    };
    let sizes = [seen.width, seen.height].map(u8::try_from);
    let [Ok(width), Ok(height)] = sizes else {
        return Err("the board is larger than 255 by 255".to_owned());
    };
    let start = first.board.iter().map(|&man| Standing::of_character(man));
    let start: Option<Vec<Standing>> = start.collect();
    let start = start.ok_or("the first board has something on it that is no man")?;
    let mut rules = BoardRules {
        name: name.to_owned(),
        width,
        height,
        start,
        pieces: Vec::new(),
        turns,
        goals,
    };
    for letter in rules.kinds() {
        let learned = learn(seen, letter, settings);
        let Some(moves) = learned.as_ref().and_then(expression) else {
            continue;
        };
        rules.pieces.push(Piece {
            letter,
            moves,
            span: paidia_gdl::Span::default(),
        });
    }
    match rules.pieces.is_empty() {
        true => Err("no legal move was seen".to_owned()),
        false => Ok(rules),
    }
}
