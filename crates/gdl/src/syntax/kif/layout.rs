//! Where tokens stand on their lines: the evidence by which a missing parenthesis is found.

use super::tokens::{Token, TokenKind};

/// Where a token stands on its line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// How many bytes of the line come before it.
    pub(super) column: u32,
    /// Whether only blanks come before it.
    pub(super) is_first: bool,
}

/// The places of all tokens.
pub(super) fn places(text: &str, tokens: &[Token]) -> Vec<Place> {
    let mut line_start = 0;
    let mut end = 0;
    let place = |token: &Token| {
        let start = token.span.start as usize;
        let newline = text[end..start].rfind(['\n', '\r']);
        let is_first = newline.is_some() || end == 0;
        line_start = newline.map_or(line_start, |newline| end + newline + 1);
        end = token.span.end as usize;
        Place {
            column: (start - line_start) as u32,
            is_first,
        }
    };
    tokens.iter().map(place).collect()
}

/// Whether a rule starts with the token.
pub(super) fn is_rule_start(text: &str, tokens: &[Token], at: usize) -> bool {
    tokens[at].kind == TokenKind::Open && word_after(text, tokens, at) == Some("<=")
}

/// The word after a token, if a word follows.
pub(super) fn word_after<'a>(text: &'a str, tokens: &[Token], at: usize) -> Option<&'a str> {
    let next = tokens.get(at + 1)?;
    (next.kind == TokenKind::Word).then(|| &text[next.span.range()])
}
