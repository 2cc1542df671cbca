//! Giving every comment to the clause that it belongs to.

use crate::source::Span;

/// The comments of a sheet in their order, handed out clause by clause.
pub(super) struct Comments<'a> {
    text: &'a str,
    /// The comments with their signs, in the order of the text.
    spans: std::iter::Peekable<std::vec::IntoIter<Span>>,
    /// Where the last clause or comment that was handed out ends.
    end: usize,
}

impl<'a> Comments<'a> {
    pub(super) fn new(text: &'a str, spans: Vec<Span>) -> Self {
        Self {
            text,
            spans: spans.into_iter().peekable(),
            end: 0,
        }
    }

    /// The comments before and inside a clause, and after it on the same line, with an empty string for blank lines
    /// before the clause.
    pub(super) fn of_clause(&mut self, clause: Span) -> Vec<String> {
        let mut lines = Vec::new();
        while let Some(comment) = self.next_before(clause.start) {
            self.blank_line(comment, &mut lines);
            self.push(comment, &mut lines);
        }
        self.blank_line(clause, &mut lines);
        while let Some(comment) = self.next_before(clause.end) {
            self.push(comment, &mut lines);
        }
        self.end = clause.end as usize;
        while let Some(&comment) = self.spans.peek() {
            if self.gap(comment).contains(['\n', '\r', '(']) {
                break;
            }
            self.spans.next();
            self.push(comment, &mut lines);
        }
        lines
    }

    /// The comments that no clause took.
    pub(super) fn rest(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        while let Some(comment) = self.spans.next() {
            self.blank_line(comment, &mut lines);
            self.push(comment, &mut lines);
        }
        lines
    }

    fn next_before(&mut self, offset: u32) -> Option<Span> {
        self.spans.next_if(|comment| comment.start < offset)
    }

    /// The text between what was last handed out and a place.
    fn gap(&self, next: Span) -> &'a str {
        let start = next.start as usize;
        &self.text[self.end.min(start)..start]
    }

    fn blank_line(&self, next: Span, lines: &mut Vec<String>) {
        let newlines = self.gap(next).bytes().filter(|&byte| byte == b'\n').count();
        let is_first = self.end == 0;
        if newlines > 1 && !is_first && lines.last().is_none_or(|line| !line.is_empty()) {
            lines.push(String::new());
        }
    }

    fn push(&mut self, comment: Span, lines: &mut Vec<String>) {
        self.end = comment.end as usize;
        let text = self.text[comment.range()].trim_start_matches(';');
        lines.push(text.strip_prefix(' ').unwrap_or(text).trim_end().to_owned());
    }
}
