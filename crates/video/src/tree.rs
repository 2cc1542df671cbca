//! The lines of a description as a tree of indentation.

use paidia_gdl::Span;

use crate::problems::{BAD_LINE, Finding, TOO_LARGE};

/// The most lines that are read. The largest game known has about 150.
pub(crate) const MAX_LINES: usize = 10_000;

/// A line with its tokens and the lines below it.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    /// The visible text.
    pub(crate) span: Span,
    pub(crate) tokens: Vec<Token>,
    /// Places of the lines that hang on this one, in order.
    pub(crate) children: Vec<usize>,
    indent: usize,
    parent: Option<usize>,
}

impl Line {
    /// Whether the line is exactly this word.
    pub(crate) fn is(&self, word: &str) -> bool {
        matches!(self.tokens.as_slice(), [only] if only.text == word)
    }
}

/// A word of a line.
#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub(crate) text: String,
    pub(crate) span: Span,
}

/// Reads lines; the first is the root, if there is any. (G-1 to G-4)
pub(crate) fn read(text: &str, found: &mut Vec<Finding>) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let mut start = 0;
    for raw in text.split('\n') {
        let at = start;
        start += raw.len() + 1;
        let code = raw.split('#').next().unwrap_or("");
        if code.trim().is_empty() {
            continue;
        }
        if lines.len() == MAX_LINES {
            let span = Span::new(at, at);
            let message = format!("more than {MAX_LINES} lines");
            found.push(Finding::new(&TOO_LARGE, span, message));
            break;
        }
        let indent = code.chars().take_while(|c| c.is_whitespace()).count();
        let parent = parent_of(&lines, indent);
        let line = Line {
            span: Span::new(
                at + code.len() - code.trim_start().len(),
                at + code.trim_end().len(),
            ),
            tokens: tokens(code, at),
            children: Vec::new(),
            indent,
            parent,
        };
        if !lines.is_empty() && parent.is_none() {
            let message = "this line is indented no more than the game's first line";
            let help = "indent it, so that it belongs to the game";
            found.push(Finding::new(&BAD_LINE, line.span, message).help(help));
            continue;
        }
        if let Some(parent) = parent {
            let place = lines.len();
            lines[parent].children.push(place);
        }
        lines.push(line);
    }
    lines
}

/// The nearest line upwards from the last one that is indented less.
fn parent_of(lines: &[Line], indent: usize) -> Option<usize> {
    let mut at = lines.len().checked_sub(1)?;
    while lines[at].indent >= indent {
        at = lines[at].parent?;
    }
    Some(at)
}

/// The words of a line.
fn tokens(code: &str, at: usize) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut begin = None;
    for (place, character) in code.char_indices().chain([(code.len(), ' ')]) {
        if !character.is_whitespace() {
            begin.get_or_insert(place);
        } else if let Some(first) = begin.take() {
            tokens.push(Token {
                text: code[first..place].to_owned(),
                span: Span::new(at + first, at + place),
            });
        }
    }
    tokens
}
