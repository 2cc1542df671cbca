//! Cutting infix text into names, signs and comments.

use crate::source::Span;
use crate::syntax::names::{continues_name, is_blank, starts_name};

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// A constant, function or relation without quotes, or one of the words `and`, `or` and `not`.
    Name,
    /// The same in quotes.
    Quoted,
    /// A quote without its partner on the same line.
    OpenQuote,
    /// `X`, `_x`, `_'any text'`, `?x`, or `_` alone.
    Variable,
    Number,
    /// `(`
    Open,
    /// `)`
    Close,
    /// `,`
    Comma,
    /// `&` or `∧`
    And,
    /// `|`, `∨` or `;`
    Or,
    /// `~`, `¬` or `\+`
    Not,
    /// `:-`, `<=`, `<-`, `⇐` or `←`
    Arrow,
    /// `\=`, `!=` or `≠`
    Unequal,
    /// `.`
    Stop,
    /// `/*` without `*/`
    OpenComment,
    /// Any other character.
    Other,
    /// The end of the text.
    End,
}

/// A token with its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) span: Span,
    /// How many blank bytes its line starts with.
    pub(super) indent: u32,
    /// Whether it is the first token of its line.
    pub(super) is_first: bool,
}

/// The signs, longer ones before those they start with.
const SIGNS: [(&str, TokenKind); 22] = [
    (":-", TokenKind::Arrow),
    ("<=", TokenKind::Arrow),
    ("<-", TokenKind::Arrow),
    ("⇐", TokenKind::Arrow),
    ("←", TokenKind::Arrow),
    ("\\+", TokenKind::Not),
    ("~", TokenKind::Not),
    ("¬", TokenKind::Not),
    ("\\=", TokenKind::Unequal),
    ("!=", TokenKind::Unequal),
    ("≠", TokenKind::Unequal),
    ("(", TokenKind::Open),
    (")", TokenKind::Close),
    (",", TokenKind::Comma),
    ("&", TokenKind::And),
    ("∧", TokenKind::And),
    ("|", TokenKind::Or),
    ("∨", TokenKind::Or),
    (";", TokenKind::Or),
    ("...", TokenKind::Other),
    (".", TokenKind::Stop),
    ("/*", TokenKind::OpenComment),
];

/// Cuts a text into tokens, the last of which is [`TokenKind::End`], and comments. Every text can
/// be cut.
pub(super) fn tokens(text: &str) -> (Vec<Token>, Vec<Span>) {
    let mut tokens = Vec::new();
    let mut comments = Vec::new();
    let mut line_start = 0;
    let mut indent = 0;
    let mut is_first = true;
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let start = at;
        if is_blank(first) {
            at += first.len_utf8();
            if matches!(first, '\n' | '\r') {
                line_start = at;
                is_first = true;
            }
            continue;
        }
        if let Some(length) = comment_length(&text[at..]) {
            at += length;
            comments.push(Span::new(start, at));
            continue;
        }
        let (kind, length) = token(&text[at..], first);
        at += length;
        if is_first {
            indent = (start - line_start) as u32;
        }
        tokens.push(Token {
            kind,
            span: Span::new(start, at),
            indent,
            is_first,
        });
        is_first = false;
    }
    tokens.push(Token {
        kind: TokenKind::End,
        span: Span::new(at, at),
        indent,
        is_first,
    });
    (tokens, comments)
}

/// The length of the comment that the text starts with.
fn comment_length(text: &str) -> Option<usize> {
    if let Some(block) = text.strip_prefix("/*") {
        return block.find("*/").map(|end| end + 4);
    }
    let is_comment = text.starts_with('%') || text.starts_with("//");
    is_comment.then(|| text.find(['\n', '\r']).unwrap_or(text.len()))
}

/// The kind and the length of the token that the text starts with.
fn token(text: &str, first: char) -> (TokenKind, usize) {
    if let Some(length) = number_length(text) {
        return (TokenKind::Number, length);
    }
    match first {
        '\'' => quoted(text, TokenKind::Quoted),
        '?' if text[1..].starts_with(continues_name) => {
            (TokenKind::Variable, 1 + name_length(&text[1..]))
        }
        '_' if text[1..].starts_with('\'') => {
            let (kind, length) = quoted(&text[1..], TokenKind::Variable);
            (kind, 1 + length)
        }
        _ if starts_name(first) => {
            let is_variable = first == '_' || first.is_uppercase();
            (
                if is_variable {
                    TokenKind::Variable
                } else {
                    TokenKind::Name
                },
                name_length(text),
            )
        }
        _ => sign(text, first),
    }
}

fn name_length(text: &str) -> usize {
    text.find(|character| !continues_name(character))
        .unwrap_or(text.len())
}

/// The length of the number that the text starts with: a full stop belongs to it only if a digit
/// follows.
fn number_length(text: &str) -> Option<usize> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let sign = usize::from(text.starts_with('-'));
    let whole = digits(&text[sign..]);
    let end = sign + whole;
    let fraction = text[end..].strip_prefix('.').map_or(0, digits);
    match (whole, fraction) {
        (0, _) => None,
        (_, 0) => Some(end),
        _ => Some(end + 1 + fraction),
    }
}

/// The text in quotes that the text starts with; a doubled quote does not end it, the end of the
/// line does.
fn quoted(text: &str, kind: TokenKind) -> (TokenKind, usize) {
    let mut at = 1;
    loop {
        match text[at..].find(['\'', '\n', '\r']).map(|found| at + found) {
            Some(quote) if text[quote..].starts_with("''") => at = quote + 2,
            Some(quote) if text[quote..].starts_with('\'') => return (kind, quote + 1),
            Some(newline) => return (TokenKind::OpenQuote, newline),
            None => return (TokenKind::OpenQuote, text.len()),
        }
    }
}

fn sign(text: &str, first: char) -> (TokenKind, usize) {
    let mut signs = SIGNS.into_iter();
    match signs.find(|(sign, _)| text.starts_with(sign)) {
        Some((_, TokenKind::OpenComment)) => (TokenKind::OpenComment, text.len()),
        Some((sign, kind)) => (kind, sign.len()),
        None => (TokenKind::Other, first.len_utf8()),
    }
}
