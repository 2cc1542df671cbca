//! Going through the text of a rule file: blanks, comments, numbers, and places for messages.

use paidia_gdl::{Code, Problem, Span};

use super::problems::SYNTAX;

/// A comment, with where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Comment {
    pub(super) span: Span,
}

/// A place in a text.
pub(super) struct Cursor<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
    pub(super) comments: Vec<Comment>,
    /// A comment that never ends.
    pub(super) open_comment: Option<Span>,
}

/// A number with its place; what is too large counts as the largest.
#[derive(Clone, Copy)]
pub(super) struct Number {
    pub(super) value: u64,
    pub(super) is_negative: bool,
    pub(super) span: Span,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self {
            text,
            at: 0,
            comments: Vec::new(),
            open_comment: None,
        }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Goes to the next thing that is neither a blank nor a comment.
    pub(super) fn skip(&mut self) {
        loop {
            let rest = self.rest();
            let blank = rest.len() - rest.trim_start().len();
            self.at += blank;
            let rest = self.rest();
            let length = if rest.starts_with("//") {
                rest.find('\n').unwrap_or(rest.len())
            } else if let Some(inside) = rest.strip_prefix("/*") {
                match inside.find("*/") {
                    Some(end) => end + 4,
                    None => {
                        self.open_comment = Some(Span::new(self.at, self.at + 2));
                        rest.len()
                    }
                }
            } else {
                return;
            };
            let span = Span::new(self.at, self.at + length);
            // A place that is visited again after a mistake has its comments noted.
            if self
                .comments
                .last()
                .is_none_or(|last| last.span.end <= span.start)
            {
                self.comments.push(Comment { span });
            }
            self.at += length;
        }
    }

    /// The next byte that is neither blank nor in a comment.
    pub(super) fn peek(&mut self) -> Option<u8> {
        self.skip();
        self.rest().bytes().next()
    }

    /// Takes a byte if it is the next.
    pub(super) fn take(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == Some(byte);
        self.at += usize::from(is_next);
        is_next
    }

    /// Takes a word if the text goes on with it.
    pub(super) fn take_text(&mut self, word: &str) -> bool {
        self.skip();
        let is_next = self.rest().starts_with(word);
        if is_next {
            self.at += word.len();
        }
        is_next
    }

    /// Whether nothing is left.
    pub(super) fn is_done(&mut self) -> bool {
        self.peek().is_none()
    }

    /// A letter, with its place.
    pub(super) fn letter(&mut self) -> Option<(u8, Span)> {
        let byte = self.peek().filter(u8::is_ascii_alphabetic)?;
        self.at += 1;
        Some((byte, Span::new(self.at - 1, self.at)))
    }

    /// A whole number, which may be negative.
    pub(super) fn number(&mut self) -> Option<Number> {
        self.skip();
        let start = self.at;
        let is_negative = self.take(b'-');
        self.skip();
        let digits = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 {
            self.at = start;
            return None;
        }
        let value = self.rest()[..digits].bytes().fold(0u64, |value, digit| {
            value
                .saturating_mul(10)
                .saturating_add(u64::from(digit - b'0'))
        });
        self.at += digits;
        Some(Number {
            value,
            is_negative,
            span: Span::new(start, self.at),
        })
    }

    /// The place of what comes next, for messages: a run of letters and digits, or one character.
    pub(super) fn next_span(&mut self) -> Span {
        self.skip();
        let rest = self.rest();
        let word = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
        let length = match word {
            0 => rest.chars().next().map_or(0, char::len_utf8),
            word => word,
        };
        Span::new(self.at, self.at + length)
    }

    /// What comes next, in words.
    pub(super) fn next_in_words(&mut self) -> String {
        let span = self.next_span();
        match &self.text[span.range()] {
            "" => "the text ends here".to_owned(),
            word => {
                let word: String = word.chars().take(20).collect();
                format!("`{word}` stands here")
            }
        }
    }

    /// The problem that something else is expected at this place.
    pub(super) fn expected(&mut self, what: &str) -> Problem {
        self.problem(SYNTAX, what)
    }

    /// A problem of a kind: something else is expected at this place.
    pub(super) fn problem(&mut self, code: Code, what: &str) -> Problem {
        let (span, found) = (self.next_span(), self.next_in_words());
        Problem::new(code, span, format!("{what} is expected, and {found}"))
    }

    /// Goes to the next of some bytes outside comments; what is there, or nothing at the end.
    pub(super) fn find(&mut self, wanted: &[u8]) -> Option<u8> {
        loop {
            let byte = self.peek()?;
            if wanted.contains(&byte) {
                return Some(byte);
            }
            self.at += self.rest().chars().next().map_or(1, char::len_utf8);
        }
    }
}
