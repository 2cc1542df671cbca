//! How names are written in the two notations, and which of them need a special spelling.
//!
//! A name in a sheet is always a KIF word, so KIF writes every name as it is. Infix notation tells
//! variables from constants by their first letter and has fewer letters to build names from, so
//! some names are spelt differently there. The spelling loses nothing: reading what was written
//! gives the same name.
//!
//! | name | KIF | infix |
//! |---|---|---|
//! | variable `row`, `n2` | `?row`, `?n2` | `Row`, `N2` |
//! | variable `_row` | `?_row` | `_row` |
//! | variable `Row`, `2` | `?Row`, `?2` | `_Row`, `_2` |
//! | variable `n++` | `?n++` | `_'n++'` |
//! | constant `red`, `-1`, `0.5` | `red`, `-1`, `0.5` | `red`, `-1`, `0.5` |
//! | constant `Red`, `x-ray`, `it's` | `Red`, `x-ray`, `it's` | `'Red'`, `'x-ray'`, `'it''s'` |
//!
//! Infix quotes may hold what no KIF word can, such as blanks. Those characters become percent
//! escapes when they are read: `'Any Text'` is the constant `Any%20Text` from then on, in both
//! notations.

use std::borrow::Cow;
use std::fmt::Write;

/// The words that join or qualify formulas. They are never relations.
pub(super) const CONNECTIVES: [&str; 4] = ["and", "or", "not", "distinct"];

/// The connective that a word is, in whatever case it is written.
pub(super) fn connective(word: &str) -> Option<&'static str> {
    let mut connectives = CONNECTIVES.into_iter();
    connectives.find(|connective| connective.eq_ignore_ascii_case(word))
}

/// Whether the name is a number: digits, with a sign before or a fraction after them if need be.
pub(super) fn is_number(name: &str) -> bool {
    let unsigned = name.strip_prefix('-').unwrap_or(name);
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, "0"));
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    digits(whole) && digits(fraction)
}

/// Whether the word stands for something that a listing leaves out.
pub(super) fn is_ellipsis(word: &str) -> bool {
    matches!(word, "..." | "…")
}

/// What to do about such a word.
pub(super) const FILL_IN: &str = "write the clauses that are left out here";

/// Whether the character is blank. A byte order mark is blank wherever it stands: joined files have
/// it inside.
pub(super) fn is_blank(character: char) -> bool {
    character.is_whitespace() || character == '\u{feff}'
}

/// Whether an unquoted infix name may start with the character.
pub(super) fn starts_name(character: char) -> bool {
    character.is_alphabetic() || character == '_'
}

/// Whether an unquoted infix name may go on with the character.
pub(super) fn continues_name(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// The constant, function or relation that stands between infix quotes, as a KIF word.
pub(super) fn constant_of_quoted(text: &str) -> Cow<'_, str> {
    let is_kif_sign = text.starts_with('?') || text == "<=";
    if is_kif_sign {
        let (first, rest) = text.split_at(1);
        let first = escaped(first, |_| true);
        return Cow::Owned(format!("{first}{}", escaped(rest, is_special)));
    }
    escaped(text, is_special)
}

/// The name of the variable that is written so in infix notation. A lone underscore has none.
pub(super) fn variable_of_infix(text: &str) -> Cow<'_, str> {
    if let Some(name) = text.strip_prefix('?') {
        return Cow::Borrowed(name);
    }
    if let Some(quoted) = text.strip_prefix('_').filter(|rest| rest.starts_with('\'')) {
        return match unquoted(quoted) {
            Cow::Borrowed(name) => escaped(name, is_special),
            Cow::Owned(name) => Cow::Owned(escaped(&name, is_special).into_owned()),
        };
    }
    let mut rest = text.chars();
    let first = rest.next().unwrap_or('_');
    if first == '_' {
        return Cow::Borrowed(if is_underscored(text) {
            text
        } else {
            &text[1..]
        });
    }
    let small = only(first.to_lowercase()).filter(|&small| capital(small) == Some(first));
    small.map_or(Cow::Borrowed(text), |small| {
        Cow::Owned(format!("{small}{}", rest.as_str()))
    })
}

/// The text between infix quotes; a doubled quote inside stands for one.
pub(super) fn unquoted(quoted: &str) -> Cow<'_, str> {
    let inside = quoted.strip_prefix('\'').unwrap_or(quoted);
    let inside = inside.strip_suffix('\'').unwrap_or(inside);
    if inside.contains("''") {
        Cow::Owned(inside.replace("''", "'"))
    } else {
        Cow::Borrowed(inside)
    }
}

/// A constant, function or relation in infix notation.
pub(super) fn infix_constant(name: &str) -> Cow<'_, str> {
    let starts_small = name
        .chars()
        .next()
        .is_some_and(|first| first.is_alphabetic() && !first.is_uppercase());
    let is_plain = starts_small && name.chars().all(continues_name) && connective(name).is_none();
    if is_plain || is_number(name) {
        Cow::Borrowed(name)
    } else {
        Cow::Owned(quoted(name))
    }
}

/// A variable in infix notation.
pub(super) fn infix_variable(name: &str) -> Cow<'_, str> {
    if name.is_empty() || !name.chars().all(continues_name) {
        return Cow::Owned(format!("_{}", quoted(name)));
    }
    if is_underscored(name) {
        return Cow::Borrowed(name);
    }
    let mut rest = name.chars();
    Cow::Owned(match rest.next().and_then(capital) {
        Some(capital) => format!("{capital}{}", rest.as_str()),
        None => format!("_{name}"),
    })
}

fn quoted(name: &str) -> String {
    format!("'{}'", name.replace('\'', "''"))
}

/// Whether the name is underscores and then a small letter: such variables are spelt alike in both
/// notations.
fn is_underscored(name: &str) -> bool {
    let rest = name.trim_start_matches('_');
    rest.len() < name.len() && rest.starts_with(|first| capital(first).is_some())
}

/// The capital of a small letter, if that leads back to the letter: some have none, or share one,
/// or have one of several characters.
fn capital(letter: char) -> Option<char> {
    let capital = only(letter.to_uppercase())?;
    (capital != letter && only(capital.to_lowercase()) == Some(letter)).then_some(capital)
}

fn only(mut characters: impl Iterator<Item = char>) -> Option<char> {
    let first = characters.next()?;
    characters.next().is_none().then_some(first)
}

/// Whether a KIF word cannot hold the character.
fn is_special(character: char) -> bool {
    is_blank(character) || matches!(character, '(' | ')' | ';')
}

/// The text with a percent escape for every byte of the characters that need one.
fn escaped(text: &str, needs_escape: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&needs_escape) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        if needs_escape(character) {
            let mut bytes = [0; 4];
            for byte in character.encode_utf8(&mut bytes).bytes() {
                // Writing to a string cannot fail.
                let _ = write!(escaped, "%{byte:02X}");
            }
        } else {
            escaped.push(character);
        }
    }
    Cow::Owned(escaped)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names that start with every character there is, and names that are odd in other ways.
    fn names() -> impl Iterator<Item = String> {
        let characters = (char::MIN..=char::MAX).filter(|&first| !is_special(first));
        let firsts = characters.flat_map(|first| {
            [
                String::from(first),
                format!("{first}x"),
                format!("_{first}"),
            ]
        });
        let odd = [
            "__", "__x", "___X", "x'", "''", "_'x'", "'_x", "-1", "1.5", "1.", "-", "n++", "%20",
            "infinity",
        ];
        firsts
            .chain(odd.map(String::from))
            .chain(CONNECTIVES.map(String::from))
    }

    #[test]
    fn variables_survive_infix_notation() {
        for name in names() {
            assert_eq!(variable_of_infix(&infix_variable(&name)), name);
        }
    }

    #[test]
    fn constants_survive_infix_notation() {
        for name in names().filter(|name| !name.starts_with('?')) {
            let written = infix_constant(&name);
            if written.starts_with('\'') {
                assert_eq!(constant_of_quoted(&unquoted(&written)), name);
            } else {
                assert_eq!(written, name);
            }
        }
    }

    #[test]
    fn different_variables_are_read_as_different_names() {
        let written = ["X", "_X", "_x", "__x", "__X", "__", "___", "_1", "_'x'"];
        let mut read: Vec<_> = written.iter().map(|text| variable_of_infix(text)).collect();
        read.sort();
        read.dedup();
        // Only the quoted spelling is one of another: `_'x'` is `X`.
        assert_eq!(read.len(), written.len() - 1);
    }

    #[test]
    fn what_kif_cannot_write_is_escaped() {
        for text in ["a b", "(", ")", ";", "?x", "<=", "\u{feff}", "a\u{2003}b"] {
            let name = constant_of_quoted(text);
            assert!(
                !name.contains(is_special) && !name.starts_with('?') && name != "<=",
                "{name}"
            );
        }
    }
}
