//! What people call facts and moves: where a game has a board, "x is on b2" says more than
//! `cell 2 2 x`.

use super::words::and;
use super::{Kind, Statement};

/// What a fact puts on a square.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    /// The name of the square.
    pub square: String,
    /// What is there; nothing if the fact says that it is empty.
    pub content: Option<String>,
}

type FactName = dyn Fn(&str) -> Option<Placed> + Send + Sync;
type MoveName = dyn Fn(&str) -> Option<String> + Send + Sync;

/// Names for facts and moves; what has none is told as the sheet writes it.
pub struct Names {
    placed: Box<FactName>,
    made: Box<MoveName>,
}

impl Default for Names {
    fn default() -> Self {
        Self::new(|_| None, |_| None)
    }
}

/// Fluents that say whose turn it is, by what they are called.
const TURNS: [&str; 3] = ["control", "turn", "whoseturn"];
/// Fluents that count, by what they are called.
const COUNTERS: [&str; 5] = ["step", "round", "ply", "time", "counter"];

/// Squares that an explanation names one by one.
const MOST_SQUARES: usize = 16;
/// Squares that a summary of a sheet names one by one.
const FEW_SQUARES: usize = 6;

/// A clause of a sentence, taken apart as far as several can be told as one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Said {
    /// What is on a square, or is not, with words after it.
    On(String, Vec<String>, bool, &'static str),
    /// A square is empty, or is not, with words after it.
    Empty(Vec<String>, bool, &'static str),
    /// Anything else.
    Other(String),
}

impl Names {
    /// Names by what facts put on a board, and by how moves are written.
    pub fn new(
        placed: impl Fn(&str) -> Option<Placed> + Send + Sync + 'static,
        made: impl Fn(&str) -> Option<String> + Send + Sync + 'static,
    ) -> Self {
        Self {
            placed: Box::new(placed),
            made: Box::new(made),
        }
    }

    /// A statement alone, as the sheet writes it.
    pub(super) fn called(&self, statement: &Statement) -> String {
        match statement.kind {
            Kind::Made | Kind::Legal => self.of_move(&statement.about),
            _ => quoted(&statement.about),
        }
    }

    fn of_move(&self, text: &str) -> String {
        quoted(&(self.made)(text).unwrap_or_else(|| text.to_owned()))
    }

    /// A statement as a clause: that it holds, or that it does not.
    pub(super) fn said(&self, statement: &Statement, holds: bool) -> Said {
        let about = self.called(statement);
        let role = statement.role.as_deref().unwrap_or_default();
        let (is, does) = match holds {
            true => ("", ""),
            false => (" not", "does not "),
        };
        let when = match statement.kind {
            Kind::After => " after the move",
            Kind::Start => " at the start",
            _ => "",
        };
        let text = match statement.kind {
            Kind::Now | Kind::After | Kind::Start => {
                return self.fact(&statement.about, holds, when);
            }
            Kind::Made if holds => format!("{role} makes the move {about}"),
            Kind::Made => format!("{role} {does}make the move {about}"),
            Kind::Legal => format!("{role} may{is} make the move {about}"),
            Kind::Goal => {
                let value = statement.text.trim_end_matches(')').rsplit(' ').next();
                let value = value.unwrap_or_default();
                match holds {
                    true => format!("{role} gets {value}"),
                    false => format!("{role} does not get {value}"),
                }
            }
            Kind::Terminal => format!("the game is{is} over"),
            Kind::Difference => difference(&statement.text, holds),
            Kind::Given if holds => format!("the rules say {about}"),
            Kind::Given => format!("the rules never say {about}"),
            Kind::Other if statement.text.starts_with("(role ") => {
                let name = statement.text.trim_start_matches("(role ");
                let name = name.trim_end_matches(')');
                format!("`{name}` is {}", if holds { "a role" } else { "no role" })
            }
            Kind::Derived | Kind::Other if holds => format!("{about} holds"),
            Kind::Derived | Kind::Other => format!("{about} does not hold"),
        };
        Said::Other(text)
    }

    /// A fact of a state as a clause.
    fn fact(&self, text: &str, holds: bool, when: &'static str) -> Said {
        match (self.placed)(text) {
            Some(Placed { square, content }) => match content {
                Some(content) => Said::On(content, vec![square], holds, when),
                None => Said::Empty(vec![square], holds, when),
            },
            None => Said::Other(unplaced(text, holds, when)),
        }
    }
}

/// A fact that is on no board.
fn unplaced(text: &str, holds: bool, when: &str) -> String {
    let inner = text.trim_start_matches('(').trim_end_matches(')');
    let is = if holds { "is" } else { "is not" };
    match inner.split_once(' ') {
        Some((name, whose)) if TURNS.contains(&name) && !whose.contains(' ') => {
            format!("it {is} {whose}'s turn{when}")
        }
        Some((name, number)) if COUNTERS.contains(&name) && number.parse::<u64>().is_ok() => {
            format!("`{name}` {is} {number}{when}")
        }
        _ if holds => format!("{} holds{when}", quoted(text)),
        _ => format!("{} does not hold{when}", quoted(text)),
    }
}

impl Said {
    /// The clause.
    pub(super) fn text(&self) -> String {
        self.with_squares(MOST_SQUARES)
    }

    /// The clause, with no more squares by name than this.
    fn with_squares(&self, most: usize) -> String {
        let not = |holds: bool| if holds { "" } else { " not" };
        match self {
            Said::On(what, squares, holds, when) => {
                let squares = listed(squares, most);
                format!("{what} is{} on {squares}{when}", not(*holds))
            }
            Said::Empty(squares, holds, when) => {
                let are = if squares.len() == 1 { "is" } else { "are" };
                let squares = listed(squares, most);
                format!("{squares} {are}{} empty{when}", not(*holds))
            }
            Said::Other(text) => text.clone(),
        }
    }
}

/// Some squares; of many, their number.
fn listed(squares: &[String], most: usize) -> String {
    match squares.len() > most {
        true => format!("{} squares", squares.len()),
        false => and(squares),
    }
}

/// Clauses one after the other; what is on several squares is told once.
pub(super) fn and_said(all: Vec<Said>) -> String {
    let together = together(all);
    and(&together.iter().map(Said::text).collect::<Vec<_>>())
}

/// The same in short, where squares are many.
pub(super) fn and_said_in_short(all: Vec<Said>) -> String {
    let together = together(all).into_iter();
    let texts = together.map(|said| said.with_squares(FEW_SQUARES));
    and(&texts.collect::<Vec<_>>())
}

fn together(all: Vec<Said>) -> Vec<Said> {
    let mut together: Vec<Said> = Vec::new();
    for said in all {
        let joined = together.iter_mut().any(|other| match (other, &said) {
            (Said::On(what, squares, is, when), Said::On(own, more, own_is, own_when)) => {
                let same = what == own && is == own_is && when == own_when;
                add(squares, more, same)
            }
            (Said::Empty(squares, is, when), Said::Empty(more, own_is, own_when)) => {
                add(squares, more, is == own_is && when == own_when)
            }
            (other, said) => other == said,
        });
        if !joined {
            together.push(said);
        }
    }
    together
}

/// Adds squares if these clauses are the same otherwise.
fn add(squares: &mut Vec<String>, more: &[String], same: bool) -> bool {
    if same {
        let new = more.iter().filter(|square| !squares.contains(square));
        let new: Vec<String> = new.cloned().collect();
        squares.extend(new);
    }
    same
}

fn difference(text: &str, holds: bool) -> String {
    let inner = text.trim_start_matches("(distinct ").trim_end_matches(')');
    match (inner.split_once(' '), holds) {
        (Some((one, other)), true) => format!("`{one}` and `{other}` differ"),
        (Some((one, other)), false) => format!("`{one}` and `{other}` are the same"),
        (None, _) => text.to_owned(),
    }
}

/// A term between signs of code, without its outer parentheses.
pub(super) fn quoted(text: &str) -> String {
    let inner = text
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'));
    format!("`{}`", inner.unwrap_or(text))
}

#[cfg(test)]
mod tests {
    use super::{Names, Placed, and_said, quoted};
    use crate::explain::{Kind, Statement};

    fn fact(text: &str) -> Statement {
        Statement {
            kind: Kind::Now,
            text: format!("(true {text})"),
            about: text.to_owned(),
            role: None,
            ground: true,
        }
    }

    fn on_board() -> Names {
        let placed = |text: &str| {
            let inner = text.strip_prefix("(cell ")?.strip_suffix(')')?;
            let (square, content) = inner.rsplit_once(' ')?;
            Some(Placed {
                square: square.replace(' ', ","),
                content: (content != "empty").then(|| content.to_owned()),
            })
        };
        Names::new(placed, |text| Some(text.replace(' ', "-")))
    }

    #[test]
    fn what_is_on_several_squares_is_told_once() {
        let names = on_board();
        let facts = [
            "(cell 1 1 x)",
            "(cell 1 2 empty)",
            "(cell 2 2 x)",
            "(cell 3 3 x)",
        ];
        let said = facts.iter().map(|text| names.said(&fact(text), true));
        assert_eq!(
            and_said(said.collect()),
            "x is on 1,1, 2,2 and 3,3 and 1,2 is empty"
        );
        let not = names.said(&fact("(cell 1 1 x)"), false);
        assert_eq!(not.text(), "x is not on 1,1");
    }

    #[test]
    fn turns_and_counters_have_words_of_their_own() {
        let names = Names::default();
        let text = |text: &str, holds: bool| names.said(&fact(text), holds).text();
        assert_eq!(text("(control white)", true), "it is white's turn");
        assert_eq!(text("(control white)", false), "it is not white's turn");
        assert_eq!(text("(step 4)", false), "`step` is not 4");
        assert_eq!(text("(cell 1 1 x)", true), "`cell 1 1 x` holds");
        assert_eq!(quoted("noop"), "`noop`");
    }
}
