//! Cutting KIF text into parentheses, words and comments.

use crate::source::Span;
use crate::syntax::names::is_blank;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    Open,
    Close,
    Word,
}

/// A parenthesis or a word.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) span: Span,
    /// For an opening parenthesis, the index of the token that closes it, once that is known.
    pub(super) close: u32,
}

/// The tokens of a text, and its comments with their semicolons but without the ends of their
/// lines.
#[derive(Debug, Default)]
pub(super) struct Tokens {
    pub(super) tokens: Vec<Token>,
    pub(super) comments: Vec<Span>,
}

/// Cuts a text into tokens. Every text can be cut.
pub(super) fn tokens(text: &str) -> Tokens {
    let bytes = text.as_bytes();
    let mut found = Tokens::default();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        let kind = match bytes[at] {
            b'(' => TokenKind::Open,
            b')' => TokenKind::Close,
            b';' => {
                at += line_length(&bytes[at..]);
                found.comments.push(Span::new(start, at));
                continue;
            }
            _ => {
                let blank = blank_length(text, at);
                if blank > 0 {
                    at += blank;
                    continue;
                }
                TokenKind::Word
            }
        };
        at += match kind {
            TokenKind::Open | TokenKind::Close => 1,
            TokenKind::Word => word_length(text, at),
        };
        found.tokens.push(Token {
            kind,
            span: Span::new(start, at),
            close: 0,
        });
    }
    found
}

/// The bytes up to the end of the line. A lone carriage return ends a line as well.
fn line_length(bytes: &[u8]) -> usize {
    let end = bytes
        .iter()
        .position(|&byte| byte == b'\n' || byte == b'\r');
    end.unwrap_or(bytes.len())
}

/// The bytes of the blank character at an offset, or 0 if another character stands there.
fn blank_length(text: &str, at: usize) -> usize {
    let byte = text.as_bytes()[at];
    if byte.is_ascii() {
        return usize::from(is_blank(char::from(byte)));
    }
    match text[at..].chars().next() {
        Some(character) if is_blank(character) => character.len_utf8(),
        _ => 0,
    }
}

/// The bytes of the word at an offset: everything up to a blank, a parenthesis or a comment.
fn word_length(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = start;
    while at < bytes.len()
        && !matches!(bytes[at], b'(' | b')' | b';')
        && blank_length(text, at) == 0
    {
        at += 1;
        while !text.is_char_boundary(at) {
            at += 1;
        }
    }
    at - start
}
