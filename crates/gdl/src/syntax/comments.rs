//! Giving every comment to the clause that it belongs to.

use crate::source::Span;
use std::iter::Peekable;
use std::vec::IntoIter;

/// The comments of a sheet in their order, handed out clause by clause.
pub(super) struct Comments<'a> {
    text: &'a str,
    /// The comments with their signs, in the order of the text.
    spans: Peekable<IntoIter<Span>>,
    /// Where the last clause or comment that was handed out ends.
    end: usize,
    /// Whether no clause has come yet.
    is_first: bool,
}

impl<'a> Comments<'a> {
    pub(super) fn new(text: &'a str, spans: Vec<Span>) -> Self {
        Self {
            text,
            spans: spans.into_iter().peekable(),
            end: 0,
            is_first: true,
        }
    }

    /// The comment lines before and inside a clause and after it on its last line, with an empty
    /// string for blank lines between what stands before the clause.
    pub(super) fn of_clause(&mut self, clause: Span) -> Vec<String> {
        let mut lines = Vec::new();
        while let Some(comment) = self.next_before(clause.start) {
            self.push_with_blanks(comment, &mut lines);
        }
        self.push_blank_before(clause, &mut lines);
        while let Some(comment) = self.next_before(clause.end) {
            self.push_text(comment, &mut lines);
        }
        self.end = clause.end as usize;
        self.is_first = false;
        while let Some(comment) = self.next_on_same_line() {
            self.push_text(comment, &mut lines);
        }
        lines
    }

    /// The comment lines that no clause took.
    pub(super) fn rest(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        while let Some(comment) = self.spans.next() {
            self.push_with_blanks(comment, &mut lines);
        }
        if lines.last().is_some_and(String::is_empty) {
            lines.pop();
        }
        lines
    }

    fn next_before(&mut self, offset: u32) -> Option<Span> {
        self.spans.next_if(|comment| comment.start < offset)
    }

    /// The next comment, if only blanks on the same line separate it from what was last handed out.
    fn next_on_same_line(&mut self) -> Option<Span> {
        let (text, end) = (self.text, self.end);
        let comment = self.spans.next_if(|comment| {
            let gap = &text[end..comment.start as usize];
            gap.chars()
                .all(|character| character.is_whitespace() && !is_newline(character))
        })?;
        self.end = comment.end as usize;
        Some(comment)
    }

    fn push_with_blanks(&mut self, comment: Span, lines: &mut Vec<String>) {
        self.push_blank_before(comment, lines);
        for line in comment_lines(&self.text[comment.range()]) {
            if line.is_empty() {
                self.push_blank(lines);
            } else {
                lines.push(line.to_owned());
            }
        }
        self.end = comment.end as usize;
    }

    fn push_text(&self, comment: Span, lines: &mut Vec<String>) {
        let texts = comment_lines(&self.text[comment.range()]).filter(|line| !line.is_empty());
        lines.extend(texts.map(str::to_owned));
    }

    /// Adds a blank line if one separates the next thing from what was last handed out.
    fn push_blank_before(&self, next: Span, lines: &mut Vec<String>) {
        let gap = &self.text[self.end..next.start as usize];
        if has_blank_line(gap) {
            self.push_blank(lines);
        }
    }

    /// Adds a blank line unless it would be the first of the sheet or the second in a row.
    fn push_blank(&self, lines: &mut Vec<String>) {
        if lines.last().map_or(!self.is_first, |last| !last.is_empty()) {
            lines.push(String::new());
        }
    }
}

fn is_newline(character: char) -> bool {
    matches!(character, '\n' | '\r')
}

/// The lines of a text. A carriage return and a line feed in a row are one line end.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.split("\r\n").flat_map(|lines| lines.split(is_newline))
}

/// Whether a whole line between the first and the last is blank.
fn has_blank_line(gap: &str) -> bool {
    let mut inner = lines(gap).skip(1).peekable();
    while let Some(line) = inner.next() {
        if inner.peek().is_some() && line.trim().is_empty() {
            return true;
        }
    }
    false
}

/// The lines of a comment without the signs that make it one, and without the blank after a sign.
fn comment_lines(comment: &str) -> impl Iterator<Item = &str> {
    let block = comment.strip_prefix("/*");
    let inside = block.map_or(comment, |block| {
        block.strip_suffix("*/").unwrap_or(block).trim()
    });
    lines(inside).map(move |line| {
        let text = match block {
            Some(_) => line.trim_start().trim_start_matches('*'),
            None => without_sign(line),
        };
        text.strip_prefix(' ').unwrap_or(text).trim_end()
    })
}

fn without_sign(line: &str) -> &str {
    match line.chars().next() {
        Some(sign @ (';' | '%' | '/')) => line.trim_start_matches(sign),
        _ => line,
    }
}
