//! KIF text as lists of words and lists, whatever they mean. Messages of the GGP protocol and moves
//! are written so, too.

use std::fmt;

use super::lists::{depth, pair, split};
use super::parts;
use super::tokens::{Token, TokenKind, Tokens, tokens};
use crate::source::MAX_SOURCE_BYTES;
use crate::syntax::MAX_DEPTH;

/// A text cut into the words and lists that stand side by side in it.
#[derive(Clone, Debug)]
pub struct Expressions<'a> {
    text: &'a str,
    tokens: Vec<Token>,
}

/// A word, or a list of expressions in parentheses.
#[derive(Clone, Copy, Debug)]
pub struct Expression<'a> {
    text: &'a str,
    tokens: &'a [Token],
    at: usize,
}

/// Why a text has no expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotExpressions {
    /// It has more than [`MAX_SOURCE_BYTES`].
    TooLong,
    /// The parentheses do not match.
    Unbalanced,
    /// Lists are nested more than [`MAX_DEPTH`] deep.
    TooDeep,
}

impl fmt::Display for NotExpressions {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotExpressions::TooLong => write!(
                formatter,
                "there are more than {} MB of text",
                MAX_SOURCE_BYTES >> 20
            ),
            NotExpressions::Unbalanced => formatter.write_str("the parentheses do not match"),
            NotExpressions::TooDeep => {
                write!(formatter, "lists are nested more than {MAX_DEPTH} deep")
            }
        }
    }
}

impl std::error::Error for NotExpressions {}

impl<'a> Expressions<'a> {
    /// Cuts a text. Comments are left out.
    ///
    /// # Errors
    /// If the text is too long, or its parentheses do not match or are nested too deep.
    pub fn read(text: &'a str) -> Result<Self, NotExpressions> {
        if text.len() > MAX_SOURCE_BYTES {
            return Err(NotExpressions::TooLong);
        }
        let Tokens { mut tokens, .. } = tokens(text);
        if !pair(&mut tokens) {
            return Err(NotExpressions::Unbalanced);
        }
        if depth(&tokens) > MAX_DEPTH {
            return Err(NotExpressions::TooDeep);
        }
        Ok(Self { text, tokens })
    }

    /// The expressions in their order.
    pub fn iter(&self) -> impl Iterator<Item = Expression<'_>> {
        let ranges = split(&self.tokens, 0..self.tokens.len());
        ranges.into_iter().map(|range| Expression {
            text: self.text,
            tokens: &self.tokens,
            at: range.start,
        })
    }
}

/// Everything on one line, with single spaces and without comments.
impl fmt::Display for Expressions<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut before = TokenKind::Open;
        for token in &self.tokens {
            if before != TokenKind::Open && token.kind != TokenKind::Close {
                formatter.write_str(" ")?;
            }
            formatter.write_str(&self.text[token.span.range()])?;
            before = token.kind;
        }
        Ok(())
    }
}

impl<'a> Expression<'a> {
    /// The word, if it is one.
    pub fn word(self) -> Option<&'a str> {
        let token = self.tokens[self.at];
        (token.kind == TokenKind::Word).then(|| &self.text[token.span.range()])
    }

    /// The parts of a list.
    pub fn parts(self) -> Option<impl Iterator<Item = Expression<'a>>> {
        let is_list = self.tokens[self.at].kind == TokenKind::Open;
        is_list.then(|| parts(self.tokens, self.at).map(move |at| Self { at, ..self }))
    }

    /// What stands between the parentheses of a list, as it is written.
    pub fn inside(self) -> Option<&'a str> {
        let open = self.tokens[self.at];
        let close = self.tokens[open.close as usize];
        let inside = open.span.end as usize..close.span.start as usize;
        (open.kind == TokenKind::Open).then(|| &self.text[inside])
    }

    /// The canonical text of a ground term: on one line with single spaces, and `(noop)` is `noop`,
    /// as in rules. `None` if it is none.
    pub fn term(self) -> Option<String> {
        let mut text = String::new();
        self.write_term(&mut text).then_some(text)
    }

    /// Adds the term to a text; false if it is none.
    fn write_term(self, text: &mut String) -> bool {
        if let Some(word) = self.word() {
            text.push_str(word);
            return !word.starts_with('?') && word != "<=";
        }
        let Some(mut parts) = self.parts() else {
            return false;
        };
        let Some(function) = parts.next().filter(|part| part.word().is_some()) else {
            return false;
        };
        let mut arguments = parts.peekable();
        if arguments.peek().is_none() {
            return function.write_term(text);
        }
        text.push('(');
        let mut is_term = function.write_term(text);
        for argument in arguments {
            text.push(' ');
            is_term &= argument.write_term(text);
        }
        text.push(')');
        is_term
    }
}

#[cfg(test)]
mod tests {
    use super::{Expression, Expressions, NotExpressions};

    #[test]
    fn terms_are_brought_into_canonical_form() {
        let text = "\u{feff} a( b\n\t( c  d ) ; e )\n (g) ) f";
        let read = Expressions::read(text).unwrap();
        let terms: Vec<String> = read.iter().filter_map(Expression::term).collect();
        assert_eq!(terms, ["a", "(b (c d) g)", "f"]);
        assert_eq!(read.to_string(), "a (b (c d) (g)) f");
        let list = read.iter().nth(1).unwrap();
        assert_eq!(list.word(), None);
        assert_eq!(list.parts().unwrap().count(), 3);
        assert_eq!(list.inside(), Some(" b\n\t( c  d ) ; e )\n (g) "));
        let word = read.iter().next().unwrap();
        assert_eq!(word.word(), Some("a"));
        assert!(word.parts().is_none() && word.inside().is_none());
    }

    #[test]
    fn what_is_no_ground_term_has_no_text() {
        for text in ["()", "((a) b)", "(a ())", "(a ?x)", "?x", "(<= a)", "((a))"] {
            let read = Expressions::read(text).unwrap();
            assert_eq!(read.iter().next().unwrap().term(), None, "{text}");
        }
    }

    #[test]
    fn what_cannot_be_cut_is_refused() {
        for text in ["(", ")", "(a))", ")("] {
            let refused = Expressions::read(text).unwrap_err();
            assert_eq!(refused, NotExpressions::Unbalanced, "{text}");
        }
        let deep = |depth: usize| "(".repeat(depth) + &")".repeat(depth);
        assert!(Expressions::read(&deep(200)).is_ok());
        let refused = Expressions::read(&deep(100_000)).unwrap_err();
        assert_eq!(refused, NotExpressions::TooDeep);
        assert_eq!(Expressions::read(" ; nothing").unwrap().iter().count(), 0);
    }
}
