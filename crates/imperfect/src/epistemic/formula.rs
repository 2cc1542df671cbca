//! Formulas, and how they are read and written.
//!
//! The text is a list in the manner of rules: `(A (G (-> terminal (K alice terminal))))`. Operators
//! are `not and or -> <->`, over paths `X F G U`, over runs `A E`, of knowledge `K M` with a
//! player, and `EK CK` with a list of players. Everything else is an atom of the rules.

use std::fmt;

use paidia_game::split;

/// The deepest nesting that is read.
const MAX_DEPTH: usize = 200;
/// The longest text that is read, in bytes.
const MAX_BYTES: usize = 1 << 20;

/// A formula of CTL*K_n. Players are named by their roles.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Formula {
    /// An atom of the rules, in canonical text.
    Atom(String),
    /// It does not hold.
    Not(Box<Formula>),
    /// All hold; true if there are none.
    And(Vec<Formula>),
    /// One holds; false if there are none.
    Or(Vec<Formula>),
    /// If the first holds, so does the second.
    Implies(Box<Formula>, Box<Formula>),
    /// Both hold or neither.
    Iff(Box<Formula>, Box<Formula>),
    /// On all runs from here.
    All(Box<Formula>),
    /// On some run from here.
    Exists(Box<Formula>),
    /// At the next moment.
    Next(Box<Formula>),
    /// At some time from now.
    Finally(Box<Formula>),
    /// At all times from now.
    Globally(Box<Formula>),
    /// The second at some time from now, and the first until then.
    Until(Box<Formula>, Box<Formula>),
    /// The player knows it.
    Knows(String, Box<Formula>),
    /// The player holds it possible.
    Possible(String, Box<Formula>),
    /// All these players know it.
    Everybody(Vec<String>, Box<Formula>),
    /// It is common knowledge among these players.
    Common(Vec<String>, Box<Formula>),
}

/// A text that is no formula.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{because}, in `{part}`; a formula is written like (A (G (-> terminal (K alice terminal))))"
)]
pub struct BadFormula {
    /// The part that is wrong.
    pub part: String,
    /// What is wrong with it.
    pub because: String,
}

impl Formula {
    /// Reads a formula.
    ///
    /// # Errors
    /// Says what is wrong with which part of it.
    pub fn read(text: &str) -> Result<Self, BadFormula> {
        if text.len() > MAX_BYTES {
            return Err(bad(
                "",
                format!("the formula is longer than {MAX_BYTES} bytes"),
            ));
        }
        let items = split(text).map_err(|error| bad(text, error.to_string()))?;
        match &items[..] {
            [only] => read(only, 0),
            [] => Err(bad(text, "there is no formula".to_owned())),
            _ => Err(bad(
                text,
                "there are several formulas; put one in parentheses".to_owned(),
            )),
        }
    }

    /// The formulas directly inside.
    pub fn parts(&self) -> Vec<&Formula> {
        match self {
            Formula::Atom(_) => Vec::new(),
            Formula::Not(inner)
            | Formula::All(inner)
            | Formula::Exists(inner)
            | Formula::Next(inner)
            | Formula::Finally(inner)
            | Formula::Globally(inner)
            | Formula::Knows(_, inner)
            | Formula::Possible(_, inner)
            | Formula::Everybody(_, inner)
            | Formula::Common(_, inner) => vec![inner],
            Formula::And(all) | Formula::Or(all) => all.iter().collect(),
            Formula::Implies(one, other)
            | Formula::Iff(one, other)
            | Formula::Until(one, other) => {
                vec![one, other]
            }
        }
    }

    /// All atoms in it.
    pub fn atoms<'a>(&'a self, into: &mut Vec<&'a str>) {
        if let Formula::Atom(text) = self {
            into.push(text);
        }
        self.parts().into_iter().for_each(|part| part.atoms(into));
    }

    /// Whether it speaks of what players know.
    pub fn is_epistemic(&self) -> bool {
        let own = matches!(
            self,
            Formula::Knows(..)
                | Formula::Possible(..)
                | Formula::Everybody(..)
                | Formula::Common(..)
        );
        own || self.parts().into_iter().any(Formula::is_epistemic)
    }

    /// Whether it speaks of knowledge about knowledge, or of common knowledge.
    pub fn is_nested(&self) -> bool {
        match self {
            Formula::Common(..) => true,
            Formula::Knows(_, inner)
            | Formula::Possible(_, inner)
            | Formula::Everybody(_, inner) => inner.is_epistemic(),
            _ => self.parts().into_iter().any(Formula::is_nested),
        }
    }

    /// The players of whose knowledge it speaks.
    pub fn knowers<'a>(&'a self, into: &mut Vec<&'a str>) {
        match self {
            Formula::Knows(name, _) | Formula::Possible(name, _) => into.push(name),
            Formula::Everybody(names, _) | Formula::Common(names, _) => {
                into.extend(names.iter().map(String::as_str));
            }
            _ => {}
        }
        self.parts().into_iter().for_each(|part| part.knowers(into));
    }
}

fn bad(part: &str, because: String) -> BadFormula {
    let mut part: String = part.chars().take(80).collect();
    if part.is_empty() {
        part.push_str("()");
    }
    BadFormula { part, because }
}

fn read(text: &str, depth: usize) -> Result<Formula, BadFormula> {
    if depth > MAX_DEPTH {
        return Err(bad(
            text,
            format!("it is nested more than {MAX_DEPTH} deep"),
        ));
    }
    let Some(inner) = text
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'))
    else {
        return match text {
            "A" | "E" | "X" | "F" | "G" | "U" | "K" | "M" | "EK" | "CK" | "not" | "->" | "<->" => {
                Err(bad(
                    text,
                    format!("`{text}` stands first in a list, with what it is about"),
                ))
            }
            "and" => Ok(Formula::And(Vec::new())),
            "or" => Ok(Formula::Or(Vec::new())),
            _ => Ok(Formula::Atom(text.to_owned())),
        };
    };
    let items = split(inner).map_err(|error| bad(text, error.to_string()))?;
    let Some((head, rest)) = items.split_first() else {
        return Err(bad(text, "a list is empty".to_owned()));
    };
    let one = || match rest {
        [only] => Ok(Box::new(read(only, depth + 1)?)),
        _ => Err(bad(text, format!("`{head}` takes one formula"))),
    };
    let two = || match rest {
        [first, second] => Ok((
            Box::new(read(first, depth + 1)?),
            Box::new(read(second, depth + 1)?),
        )),
        _ => Err(bad(text, format!("`{head}` takes two formulas"))),
    };
    let all = || {
        rest.iter()
            .map(|item| read(item, depth + 1))
            .collect::<Result<Vec<_>, _>>()
    };
    let of = || match rest {
        [player, inner] if !player.starts_with('(') => {
            Ok((player.clone(), Box::new(read(inner, depth + 1)?)))
        }
        _ => Err(bad(text, format!("`{head}` takes a player and a formula"))),
    };
    let of_several = || match rest {
        [players, inner] => {
            let names = players
                .strip_prefix('(')
                .and_then(|rest| rest.strip_suffix(')'));
            let names =
                split(names.unwrap_or(players)).map_err(|error| bad(text, error.to_string()))?;
            Ok((names, Box::new(read(inner, depth + 1)?)))
        }
        _ => Err(bad(
            text,
            format!("`{head}` takes a list of players and a formula"),
        )),
    };
    Ok(match head.as_str() {
        "not" => Formula::Not(one()?),
        "and" => Formula::And(all()?),
        "or" => Formula::Or(all()?),
        "->" => two().map(|(one, other)| Formula::Implies(one, other))?,
        "<->" => two().map(|(one, other)| Formula::Iff(one, other))?,
        "A" => Formula::All(one()?),
        "E" => Formula::Exists(one()?),
        "X" => Formula::Next(one()?),
        "F" => Formula::Finally(one()?),
        "G" => Formula::Globally(one()?),
        "U" => two().map(|(one, other)| Formula::Until(one, other))?,
        "K" => of().map(|(player, inner)| Formula::Knows(player, inner))?,
        "M" => of().map(|(player, inner)| Formula::Possible(player, inner))?,
        "EK" => of_several().map(|(players, inner)| Formula::Everybody(players, inner))?,
        "CK" => of_several().map(|(players, inner)| Formula::Common(players, inner))?,
        _ => Formula::Atom(text.to_owned()),
    })
}

impl fmt::Display for Formula {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |formatter: &mut fmt::Formatter<'_>, head: &str| {
            write!(formatter, "({head}")?;
            for part in self.parts() {
                write!(formatter, " {part}")?;
            }
            formatter.write_str(")")
        };
        match self {
            Formula::Atom(text) => formatter.write_str(text),
            Formula::Not(_) => list(formatter, "not"),
            Formula::And(_) => list(formatter, "and"),
            Formula::Or(_) => list(formatter, "or"),
            Formula::Implies(..) => list(formatter, "->"),
            Formula::Iff(..) => list(formatter, "<->"),
            Formula::All(_) => list(formatter, "A"),
            Formula::Exists(_) => list(formatter, "E"),
            Formula::Next(_) => list(formatter, "X"),
            Formula::Finally(_) => list(formatter, "F"),
            Formula::Globally(_) => list(formatter, "G"),
            Formula::Until(..) => list(formatter, "U"),
            Formula::Knows(player, _) => list(formatter, &format!("K {player}")),
            Formula::Possible(player, _) => list(formatter, &format!("M {player}")),
            Formula::Everybody(players, _) => {
                list(formatter, &format!("EK ({})", players.join(" ")))
            }
            Formula::Common(players, _) => list(formatter, &format!("CK ({})", players.join(" "))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Formula;

    #[test]
    fn formulas_are_written_as_they_are_read() {
        for text in [
            "(A (G (-> terminal (K alice terminal))))",
            "(CK (a b) (or (true (f 1)) (not (sees a (p 2)))))",
            "(E (U (M a (X q)) (<-> (and) (EK (a) (F r)))))",
        ] {
            assert_eq!(Formula::read(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn what_is_no_formula_is_refused_with_its_part() {
        for (text, because) in [
            ("", "there is no formula"),
            ("a b", "several"),
            ("(A", "parentheses"),
            ("(A a b)", "takes one"),
            ("(K (a) b)", "takes a player"),
            ("(U a)", "takes two"),
            ("()", "empty"),
            ("(not K)", "stands first"),
        ] {
            let error = Formula::read(text).unwrap_err().to_string();
            assert!(error.contains(because), "{text}: {error}");
        }
        let deep = format!("{}a{}", "(not ".repeat(300), ")".repeat(300));
        assert!(
            Formula::read(&deep)
                .unwrap_err()
                .to_string()
                .contains("deep")
        );
    }
}
