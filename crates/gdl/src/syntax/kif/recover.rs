//! Finding the clauses of a KIF text whose parentheses do not balance.
//!
//! A missing parenthesis makes everything after it part of one clause, so counting alone would
//! report it at the end of the text. The layout shows where it is missing: a rule, `(<=`, cannot
//! stand inside a clause, and a list that starts in the column where all clauses start is most
//! likely one of them. The second sign counts for nothing where the other rules of the sheet have
//! conditions that start there too.

use super::layout::{Place, is_rule_start, places, word_after};
use super::lists::too_deep;
use super::tokens::{Token, TokenKind};
use crate::keyword::Keyword;
use crate::problem::{Code, Problem};
use crate::source::Span;
use crate::syntax::names::connective;
use crate::syntax::{MAX_DEPTH, Report};
use std::ops::Range;

/// Reports where parentheses are missing or too many and returns the tokens of every clause that is
/// whole.
pub(super) fn recover(text: &str, tokens: &mut [Token], report: &mut Report) -> Vec<Range<usize>> {
    let places = places(text, tokens);
    let firsts = tokens
        .iter()
        .zip(&places)
        .filter(|(token, place)| token.kind == TokenKind::Open && place.is_first);
    let margin = firsts.map(|(_, place)| place.column).min().unwrap_or(0);
    let trusts_margin = !has_conditions_at_margin(text, tokens, &places, margin);
    let mut recovery = Recovery {
        text,
        tokens,
        report,
        places,
        margin,
        trusts_margin,
        found: Vec::new(),
        open: Vec::new(),
        deepest: 0,
        suspect: None,
        premature: None,
        last_stray: None,
    };
    recovery.run();
    recovery.found
}

/// Whether the rules whose parentheses match mostly have conditions that start a line at the
/// margin.
fn has_conditions_at_margin(text: &str, tokens: &[Token], places: &[Place], margin: u32) -> bool {
    let (mut at_margin, mut indented) = (0, 0);
    let mut rule_starts = (0..tokens.len())
        .filter(|&at| is_rule_start(text, tokens, at))
        .peekable();
    while let Some(start) = rule_starts.next() {
        let limit = rule_starts.peek().copied().unwrap_or(tokens.len());
        let Some(end) = closing(&tokens[start..limit]).map(|length| start + length) else {
            continue;
        };
        let mut conditions = (start + 1..end)
            .filter(|&at| tokens[at].kind == TokenKind::Open && places[at].is_first)
            .peekable();
        if conditions.peek().is_some() {
            let outdented = conditions.any(|at| places[at].column <= margin);
            let count = if outdented {
                &mut at_margin
            } else {
                &mut indented
            };
            *count += 1;
        }
    }
    at_margin > indented
}

/// Which of the tokens closes the list that the first one opens.
fn closing(tokens: &[Token]) -> Option<usize> {
    let mut depth = 0_usize;
    tokens.iter().position(|token| {
        match token.kind {
            TokenKind::Open => depth += 1,
            TokenKind::Close => depth -= 1,
            TokenKind::Word => {}
        }
        depth == 0
    })
}

struct Recovery<'a> {
    text: &'a str,
    tokens: &'a mut [Token],
    report: &'a mut Report,
    places: Vec<Place>,
    /// The column in which clauses start.
    margin: u32,
    /// Whether a list at the margin is most likely a clause.
    trusts_margin: bool,
    found: Vec<Range<usize>>,
    /// The lists of the present clause that are open.
    open: Vec<usize>,
    /// The most lists that were open at once in the present clause.
    deepest: usize,
    /// An inner list of the present clause that was still open when a line started left of it.
    suspect: Option<usize>,
    /// The clause before, if the text after it looks as if it should have gone on.
    premature: Option<Range<usize>>,
    last_stray: Option<usize>,
}

impl Recovery<'_> {
    fn run(&mut self) {
        for at in 0..self.tokens.len() {
            match self.tokens[at].kind {
                TokenKind::Open => self.enter(at),
                TokenKind::Close => self.leave(at),
                TokenKind::Word if self.open.is_empty() => self.found.push(at..at + 1),
                TokenKind::Word => {}
            }
        }
        let end = Span::new(self.text.len(), self.text.len());
        self.unclosed(end, "the text ends here");
    }

    fn enter(&mut self, at: usize) {
        if self.starts_clause(at) {
            self.unclosed(self.tokens[at].span, "the next clause starts here");
            self.premature = None;
        } else if self.open.is_empty() && self.places[at].is_first {
            self.premature = self.premature.take().or_else(|| self.last_list());
        }
        let inner = self.open.get(1..).and_then(<[usize]>::last);
        if let Some(&inner) = inner
            && self.places[at].is_first
            && self.places[at].column <= self.places[inner].column
        {
            self.suspect.get_or_insert(inner);
        }
        self.open.push(at);
        self.deepest = self.deepest.max(self.open.len());
    }

    /// Whether a clause starts with the opening parenthesis, though the one before may be open.
    fn starts_clause(&self, at: usize) -> bool {
        let place = self.places[at];
        let at_margin = place.is_first && place.column == self.margin && !self.is_condition(at);
        let may_be_open = self.open.is_empty() || self.trusts_margin;
        is_rule_start(self.text, self.tokens, at) || at_margin && may_be_open
    }

    /// Whether the list is one that only stands in bodies.
    fn is_condition(&self, at: usize) -> bool {
        word_after(self.text, self.tokens, at).is_some_and(|word| {
            let conditions = [Keyword::True, Keyword::Does].map(Keyword::name);
            connective(word).is_some()
                || conditions
                    .iter()
                    .any(|name| name.eq_ignore_ascii_case(word))
        })
    }

    fn leave(&mut self, at: usize) {
        let Some(start) = self.open.pop() else {
            self.stray(at);
            return;
        };
        self.tokens[start].close = at as u32;
        if self.open.is_empty() {
            if self.deepest > MAX_DEPTH {
                self.report.add(too_deep(&self.tokens[start]));
            } else {
                self.found.push(start..at + 1);
            }
            self.end_clause();
        }
    }

    fn end_clause(&mut self) {
        self.open.clear();
        self.deepest = 0;
        self.suspect = None;
    }

    /// Gives up on the present clause, if one is open, at the place where it was found to be open.
    fn unclosed(&mut self, found_at: Span, what: &str) {
        let Some(&start) = self.open.first() else {
            return;
        };
        if self.deepest > MAX_DEPTH {
            self.report.add(too_deep(&self.tokens[start]));
        } else {
            let open = self.suspect.unwrap_or(start);
            self.report.add(
                Problem::new(
                    Code::UnclosedParenthesis,
                    self.tokens[open].span,
                    "this parenthesis is never closed",
                )
                .label("opened here")
                .related(found_at, what)
                .help("add the missing `)`"),
            );
        }
        self.end_clause();
    }

    /// Reports a closing parenthesis with nothing to close; a row of them is one mistake.
    fn stray(&mut self, at: usize) {
        let follows_stray = self.last_stray.is_some_and(|last| last + 1 == at);
        self.last_stray = Some(at);
        if follows_stray {
            return;
        }
        let span = self.tokens[at].span;
        let problem = if let Some(clause) = self.premature.take() {
            let before = self
                .found
                .partition_point(|found| found.start < clause.start);
            self.found.truncate(before);
            let close = self.tokens[clause.end - 1].span;
            Problem::new(
                Code::StrayParenthesis,
                close,
                "this parenthesis closes the clause too early",
            )
            .label("nothing of the clause is open after it")
            .related(span, "so that this one closes nothing")
            .help("remove one `)` here")
        } else {
            Problem::new(
                Code::StrayParenthesis,
                span,
                "this parenthesis closes nothing",
            )
            .label("no list is open here")
            .help("remove it, or look for a `)` too many before it")
        };
        self.report.add(problem);
    }

    /// The last clause found, if it is a list.
    fn last_list(&self) -> Option<Range<usize>> {
        let last = self.found.last()?;
        (self.tokens[last.start].kind == TokenKind::Open).then(|| last.clone())
    }
}
