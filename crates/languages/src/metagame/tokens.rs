//! Words, numbers and signs of a text.

use paidia_gdl::Span;

/// A word, number or sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    /// Its text; words in lower case.
    pub(super) text: String,
    pub(super) span: Span,
}

/// Words that belong together are one, as if an underscore were between them.
const PAIRS: [[&str; 2]; 5] = [
    ["any", "piece"],
    ["continue", "captures"],
    ["must", "capture"],
    ["vertical", "cylinder"],
    ["promote", "to"],
];

/// The tokens of a text. `//` and `%` begin comments.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        if first == '%' || rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        }
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let is_negative = first == '-' && rest[1..].starts_with(|c: char| c.is_ascii_digit());
        let length = match first {
            '-' if is_negative => 1 + word_length(&rest[1..]),
            first if is_word(first) => word_length(rest),
            first => first.len_utf8(),
        };
        let span = Span::new(at, at + length);
        let text = rest[..length].to_ascii_lowercase();
        at += length;
        match tokens.last_mut() {
            Some(last) if PAIRS.contains(&[&*last.text, &*text]) => {
                last.text = format!("{}_{text}", last.text);
                last.span = last.span.to(span);
            }
            _ => tokens.push(Token { text, span }),
        }
    }
    tokens
}

fn word_length(text: &str) -> usize {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.find(|c| !is_word(c)).unwrap_or(text.len())
}
