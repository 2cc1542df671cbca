//! States as values, and as text.

use super::position::Colour;
use super::tables::{Content, EMPTY, Tables};
use super::text;

/// A position as a value: what stands where, how many moves were made, and who has won by a goal.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct BoardState {
    pub(super) board: Vec<Content>,
    pub(super) turn: u32,
    pub(super) winner: Option<Colour>,
}

impl Clone for BoardState {
    fn clone(&self) -> Self {
        Self {
            board: self.board.clone(),
            turn: self.turn,
            winner: self.winner,
        }
    }

    /// Reuses the memory, which the derived one would not.
    fn clone_from(&mut self, other: &Self) {
        self.board.clone_from(&other.board);
        (self.turn, self.winner) = (other.turn, other.winner);
    }
}

impl BoardState {
    /// The state at the start.
    pub(super) fn start(tables: &Tables) -> Self {
        Self {
            board: tables.start.clone(),
            turn: 0,
            winner: None,
        }
    }

    /// The fluents, in byte order.
    pub(super) fn fluents(&self, tables: &Tables) -> Vec<String> {
        let mut fluents = Vec::new();
        for (square, &content) in self.board.iter().enumerate() {
            if content != EMPTY {
                let (x, y) = tables.places[square];
                let man = text::man(tables.letter(content));
                fluents.push(format!("(cell {} {} {man})", text::column(x), y + 1));
            }
        }
        let mover = Colour::of_index(self.turn as usize % 2);
        fluents.push(format!("(control {})", mover.name()));
        for letter in counted(tables) {
            fluents.push(self.count(tables, letter));
        }
        fluents.push(format!("(step {})", self.turn));
        if let Some(winner) = self.winner {
            fluents.push(format!("(won {})", winner.name()));
        }
        fluents.sort_unstable();
        fluents
    }

    /// The fluent that tells how many men of a letter there are.
    fn count(&self, tables: &Tables, letter: u8) -> String {
        let content = tables.content_of(letter);
        let men = self.board.iter().filter(|&&man| Some(man) == content);
        format!("(men {} {})", text::man(letter), men.count())
    }

    /// The state in which exactly these fluents hold; else the text that does not fit, and why.
    pub(super) fn of_fluents(tables: &Tables, fluents: &[&str]) -> Result<Self, (String, String)> {
        let mut state = Self {
            board: vec![EMPTY; tables.squares],
            turn: 0,
            winner: None,
        };
        let wrong = |text: &str, because: &str| Err((text.to_owned(), because.to_owned()));
        let (mut turn, mut derived) = (None, Vec::new());
        for &fluent in fluents {
            let inner = fluent
                .strip_prefix('(')
                .and_then(|rest| rest.strip_suffix(')'));
            let words: Vec<&str> = inner.unwrap_or_default().split(' ').collect();
            match words[..] {
                ["cell", column, row, man] => {
                    let Some(square) = square_of(tables, column, row) else {
                        return wrong(fluent, "the board has no such square");
                    };
                    let content = text::letter_of(man).and_then(|man| tables.content_of(man));
                    let Some(content) = content else {
                        return wrong(fluent, "there are no such men");
                    };
                    let place = &mut state.board[usize::from(square)];
                    if *place != EMPTY && *place != content {
                        return wrong(fluent, "something else stands on that square");
                    }
                    *place = content;
                }
                ["step", number] => {
                    let Some(number) = number_of(number) else {
                        return wrong(fluent, "the number of moves is a whole number");
                    };
                    if number > tables.rules.turns || turn.is_some_and(|turn| turn != number) {
                        return wrong(fluent, "there is one number of moves, up to the turn limit");
                    }
                    turn = Some(number);
                }
                ["won", winner] => {
                    let colours = [Colour::White, Colour::Black];
                    let Some(winner) = colours.into_iter().find(|colour| colour.name() == winner)
                    else {
                        return wrong(fluent, "white or black has won");
                    };
                    if state.winner.is_some_and(|other| other != winner) {
                        return wrong(fluent, "one of both has won");
                    }
                    state.winner = Some(winner);
                }
                ["control", _] | ["men", _, _] => derived.push(fluent),
                _ => {
                    return wrong(
                        fluent,
                        "states have `cell`, `control`, `men`, `step` and `won`",
                    );
                }
            }
        }
        let Some(turn) = turn else {
            return wrong(
                "(step 0)",
                "it tells how many moves were made, and is missing",
            );
        };
        state.turn = turn;
        state.check(tables, &derived)?;
        Ok(state)
    }

    /// Whether what follows from the other fluents is told as it is.
    fn check(&self, tables: &Tables, derived: &[&str]) -> Result<(), (String, String)> {
        let because = |why: &str| why.to_owned();
        let all = self.fluents(tables);
        let is_derived = |text: &&String| text.starts_with("(control") || text.starts_with("(men");
        let needed: Vec<&String> = all.iter().filter(is_derived).collect();
        for &text in derived {
            if !needed.iter().any(|other| *other == text) {
                let why = "it does not agree with the men on the board or the number of moves";
                return Err((text.to_owned(), because(why)));
            }
        }
        match needed
            .into_iter()
            .find(|text| !derived.contains(&text.as_str()))
        {
            Some(missing) => Err((
                missing.clone(),
                because("it holds in such a state, and is missing"),
            )),
            None => Ok(()),
        }
    }
}

/// The letters whose number of men is part of the state, because a goal is about it.
pub(super) fn counted(tables: &Tables) -> Vec<u8> {
    let contents = 2..tables.contents();
    let counted = contents.filter(|&content| !tables.falls[content].is_empty());
    counted
        .map(|content| tables.letter(content as Content))
        .collect()
}

fn square_of(tables: &Tables, column: &str, row: &str) -> Option<u16> {
    let y = number_of(row)?.checked_sub(1)?;
    tables.square(text::column_of(column)?, u8::try_from(y).ok()?)
}

/// A number in its one form: without a sign or leading zeros.
fn number_of(text: &str) -> Option<u32> {
    let number: u32 = text.parse().ok()?;
    (number.to_string() == text).then_some(number)
}
