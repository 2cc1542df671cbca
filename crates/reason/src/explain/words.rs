//! Reasons as sentences.

use serde::Serialize;

use super::{Kind, Reason, Statement};

/// Sentences of one explanation.
const MOST_LINES: usize = 60;

/// A sentence of an explanation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Line {
    /// How deep it stands: what it rests on is one deeper.
    pub depth: usize,
    /// The sentence.
    pub text: String,
    /// The clause of the sheet that it is about, counted from 0.
    pub clause: Option<usize>,
    /// The fluents and moves that it names, to be shown on a board.
    pub about: Vec<String>,
}

/// A reason as sentences, each followed by those that it rests on.
pub fn lines(reason: &Reason) -> Vec<Line> {
    let mut lines = Vec::new();
    tell(reason, 0, &mut lines);
    lines.truncate(MOST_LINES);
    lines
}

/// A statement as a clause of a sentence: that it holds, or that it does not.
pub fn clause(statement: &Statement, holds: bool) -> String {
    let about = quoted(&statement.about);
    let role = statement.role.as_deref().unwrap_or_default();
    let (is, does) = match holds {
        true => ("", ""),
        false => (" not", "does not "),
    };
    match statement.kind {
        Kind::Now if holds => format!("{about} holds"),
        Kind::Now => format!("{about} does not hold"),
        Kind::After if holds => format!("{about} holds after the move"),
        Kind::After => format!("{about} does not hold after the move"),
        Kind::Start if holds => format!("{about} holds at the start"),
        Kind::Start => format!("{about} does not hold at the start"),
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
        Kind::Given if holds => format!("the rules give {about}"),
        Kind::Given => format!("the rules never give {about}"),
        Kind::Other if statement.text.starts_with("(role ") => {
            let name = statement
                .text
                .trim_start_matches("(role ")
                .trim_end_matches(')');
            format!("`{name}` is {}", if holds { "a role" } else { "no role" })
        }
        Kind::Derived | Kind::Other if holds => format!("{about} holds"),
        Kind::Derived | Kind::Other => format!("{about} does not hold"),
    }
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
fn quoted(text: &str) -> String {
    let inner = text
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'));
    format!("`{}`", inner.unwrap_or(text))
}

fn tell(reason: &Reason, depth: usize, into: &mut Vec<Line>) {
    if into.len() >= MOST_LINES {
        return;
    }
    let mut text = sentence(&clause(&reason.statement, reason.holds));
    if let Some(instead) = &reason.instead {
        text = format!(
            "{}: {} does instead.",
            text.trim_end_matches('.'),
            quoted(instead)
        );
    }
    let conditions = reason.conditions.iter();
    let told: Vec<&Reason> = conditions
        .filter(|one| one.statement.kind != Kind::Other)
        .collect();
    let is_simple = told
        .iter()
        .all(|one| one.conditions.is_empty() && one.attempts.is_empty());
    let mut about = subjects(&reason.statement);
    about.extend(reason.instead.clone());
    if !told.is_empty() && is_simple {
        let because: Vec<String> = told
            .iter()
            .map(|one| clause(&one.statement, one.holds))
            .collect();
        text = format!("{}, because {}.", text.trim_end_matches('.'), and(&because));
        about.extend(told.iter().flat_map(|one| subjects(&one.statement)));
    } else if !told.is_empty() {
        text = format!("{}, because:", text.trim_end_matches('.'));
    }
    into.push(Line {
        depth,
        text,
        clause: reason.clause,
        about,
    });
    if !is_simple {
        told.iter().for_each(|one| tell(one, depth + 1, into));
    }
    for attempt in &reason.attempts {
        let wanted: Vec<String> = attempt
            .missing
            .iter()
            .map(|one| clause(&one.statement, !one.holds))
            .collect();
        let wanted = match wanted.is_empty() {
            true => "This rule lacks nothing that can be named.".to_owned(),
            false => format!("A rule would make it so if {}.", and(&wanted)),
        };
        let about = attempt
            .missing
            .iter()
            .flat_map(|one| subjects(&one.statement));
        into.push(Line {
            depth: depth + 1,
            text: wanted,
            clause: Some(attempt.clause),
            about: about.collect(),
        });
        for missing in &attempt.missing {
            let has_more = !missing.attempts.is_empty()
                || !missing.conditions.is_empty()
                || missing.instead.is_some();
            if has_more {
                tell(missing, depth + 2, into);
            }
        }
    }
}

fn subjects(statement: &Statement) -> Vec<String> {
    let is_shown = matches!(
        statement.kind,
        Kind::Now | Kind::After | Kind::Start | Kind::Made | Kind::Legal
    );
    match is_shown && statement.ground {
        true => vec![statement.about.clone()],
        false => Vec::new(),
    }
}

/// A clause as a sentence of its own.
pub(super) fn sentence(clause: &str) -> String {
    let mut letters = clause.chars();
    let first = letters
        .next()
        .map(|letter| letter.to_uppercase().to_string());
    format!("{}{}.", first.unwrap_or_default(), letters.as_str())
}

/// Clauses one after the other, with `and` before the last.
pub(super) fn and(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [only] => only.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::{and, quoted, sentence};

    #[test]
    fn words_are_put_together() {
        let parts = ["a", "b", "c"].map(str::to_owned);
        assert_eq!(and(&parts), "a, b and c");
        assert_eq!(quoted("(cell 1 1 x)"), "`cell 1 1 x`");
        assert_eq!(quoted("noop"), "`noop`");
        assert_eq!(sentence("the game is over"), "The game is over.");
    }
}
