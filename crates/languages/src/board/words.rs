//! What the rules of a board game say, in words, and signs for its men.

use super::rules::{BoardRules, Goal};
use super::text;

/// The sign of a man: that of the chess piece whose letter it has, else the letter.
pub fn glyph(letter: u8) -> char {
    match letter {
        b'K' => '♔',
        b'Q' => '♕',
        b'R' => '♖',
        b'B' => '♗',
        b'N' => '♘',
        b'P' => '♙',
        b'k' => '♚',
        b'q' => '♛',
        b'r' => '♜',
        b'b' => '♝',
        b'n' => '♞',
        b'p' => '♟',
        other => char::from(other),
    }
}

/// The ends of the game in a paragraph for people.
pub fn in_words(rules: &BoardRules) -> String {
    let mut sentences =
        vec!["White (upper case letters) moves first. A player who cannot move loses.".to_owned()];
    sentences.extend(rules.goals.iter().map(goal_in_words));
    sentences.push(format!(
        "After {} moves, those of both players together, the game is a draw.",
        rules.turns
    ));
    sentences.join(" ")
}

fn goal_in_words(goal: &Goal) -> String {
    let name = char::from(goal.letter()).to_ascii_uppercase();
    let is_white = goal.letter().is_ascii_uppercase();
    match goal {
        Goal::Reach { squares, .. } => {
            let owner = if is_white { "White" } else { "Black" };
            format!(
                "{owner} wins with a {name} on {}.",
                squares_in_words(squares)
            )
        }
        Goal::Fall { count, .. } => {
            let owner = if is_white { "White" } else { "Black" };
            match count {
                0 => format!("{owner} loses with the last {name}."),
                count => format!("{owner} loses when {count} {name} are left."),
            }
        }
    }
}

/// Squares by name; neighbours in a row are joined.
fn squares_in_words(squares: &[(u8, u8)]) -> String {
    let name = |(x, y): (u8, u8)| format!("{}{}", text::column(x % 26), u16::from(y) + 1);
    let mut sorted = squares.to_vec();
    sorted.sort_unstable_by_key(|&(x, y)| (y, x));
    sorted.dedup();
    let runs = sorted.chunk_by(|one, other| one.1 == other.1 && one.0 + 1 == other.0);
    let runs = runs.map(|run| match run {
        [only] => name(*only),
        [first, .., last] => format!("{} to {}", name(*first), name(*last)),
        [] => String::new(),
    });
    runs.collect::<Vec<String>>().join(", ")
}
