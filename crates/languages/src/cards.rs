//! Card games in CGDL: a standard deck, hands, tables, bets, and stages of rules. (Jakub Kowalski,
//! General Game Description Languages, 2016, section 6.1; the language is by Font, Mahlmann,
//! Manrique and Togelius.)
//!
//! The way through it: [`read`] makes [`CardRules`] and problems of a text, and [`format()`] its
//! normal form. [`CardGame`] is the game: `position` plays by the rules, `moves`, `percepts` and
//! `fluents` give that its texts, and `game` says it in the words of [`paidia_game::Game`].
//!
//! What the thesis leaves open is settled in `docs/methods/cards.md`.

mod card;
mod fluents;
mod game;
mod limits;
mod moves;
mod percepts;
mod piece;
mod position;
mod print;
mod problems;
mod read;
mod rules;
mod state;
mod terms;
mod value;
mod warn;
mod words;

pub use card::{CARDS, Card, CardSet, NUMBERS, SUITS};
pub use game::{CardGame, CardWalker};
pub use print::format;
pub use problems::CODES;
pub use read::{Reading, read};
pub use rules::{
    Action, Against, CardRules, Combination, Compare, Condition, Likeness, Modifier, Part,
    PartKind, Place, Points, Purse, Rule, Whose,
};
pub use state::CardState;
pub use words::in_words;

pub use limits::*;
