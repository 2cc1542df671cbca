//! The infix notation in which papers print rules.
//!
//! ```text
//! next(cell(M, N, x)) :- does(xplayer, mark(M, N)), true(cell(M, N, b)).
//! ```
//!
//! Papers differ in their signs, and all of these are read:
//!
//! | meaning | written |
//! |---|---|
//! | if | `:-` `<=` `<-` `⇐` `←` |
//! | and | `,` `&` `∧` `and` |
//! | or, which binds less than and | `\|` `∨` `;` `or` |
//! | not | `~` `¬` `\+` `not` |
//! | differ | `distinct(X, Y)` `X \= Y` `X != Y` `X ≠ Y` |
//! | variable | `Row`, `_row`, `?row`, and `_` for one that occurs nowhere else |
//! | constant | `red`, `-1`, `0.5`, `'Any Text'` |
//! | comment | `% to the end of the line`, `// likewise`, `/* up to */` |
//!
//! A clause ends with a full stop. Papers drop some of them, so a clause also ends where a line no
//! further right than its own start begins with a name, unless lines of its body begin so too: then
//! a comma may be missing as well, and the reader does not guess.

mod clauses;
mod formulas;
mod tokens;

use self::tokens::{Token, TokenKind};
use super::comments::Comments;
use super::names::{CONNECTIVES, FILL_IN, is_ellipsis, variable_of_infix};
use super::{Reading, Report, Sheet};
use crate::problem::{Code, Problem};
use crate::source::{Source, Span};
use crate::symbol::Symbols;
use rustc_hash::FxHashSet;
use std::borrow::Cow;

/// Reads a rule sheet in infix notation.
pub fn read(source: &Source) -> Reading {
    let mut report = Report::default();
    if report.is_too_large(source) {
        return report.reading(Sheet::default());
    }
    let (tokens, comments) = tokens::tokens(&source.text);
    let mut comments = Comments::new(&source.text, comments);
    let mut reader = Reader::new(&source.text, &tokens, report);
    let mut sheet = Sheet::default();
    while reader.peek().kind != TokenKind::End {
        let start = reader.at;
        match reader.clause() {
            Ok((head, body)) => {
                let span = reader.span_from(start);
                let comments = comments.of_clause(span);
                sheet.clauses.push(super::Clause {
                    head,
                    body,
                    span,
                    comments,
                });
            }
            Err(Reported) => reader.skip_clause(start),
        }
    }
    sheet.closing_comments = comments.rest();
    sheet.symbols = reader.symbols;
    reader.report.reading(sheet)
}

/// Says that a problem was reported, and that reading goes on with the next clause.
struct Reported;

/// Reads tokens from left to right.
struct Reader<'a> {
    text: &'a str,
    tokens: &'a [Token],
    /// The next token.
    at: usize,
    /// How many parentheses and negations are open.
    depth: usize,
    symbols: Symbols,
    report: Report,
    /// All names that variables of the sheet have, so that new ones differ.
    variables: FxHashSet<String>,
    /// How many variables got a new name so far.
    anonymous: usize,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str, tokens: &'a [Token], report: Report) -> Self {
        let variables = tokens
            .iter()
            .filter(|token| token.kind == TokenKind::Variable);
        let names = variables.map(|token| variable_of_infix(&text[token.span.range()]));
        Self {
            text,
            tokens,
            at: 0,
            depth: 0,
            symbols: Symbols::default(),
            report,
            variables: names.map(Cow::into_owned).collect(),
            anonymous: 0,
        }
    }

    /// The next token. The last one is never passed.
    fn peek(&self) -> Token {
        self.tokens[self.at]
    }

    /// The next token, which is then passed.
    fn take(&mut self) -> Token {
        let token = self.tokens[self.at];
        if token.kind != TokenKind::End {
            self.at += 1;
        }
        token
    }

    fn take_if(&mut self, kind: TokenKind) -> Option<Token> {
        (self.peek().kind == kind).then(|| self.take())
    }

    fn text_of(&self, token: Token) -> &'a str {
        &self.text[token.span.range()]
    }

    /// Whether the next token is that sign or that word.
    fn is_next(&self, sign: TokenKind, word: &str) -> bool {
        let next = self.peek();
        next.kind == sign || next.kind == TokenKind::Name && self.text_of(next) == word
    }

    /// From the start of a token to the end of the last one that was passed.
    fn span_from(&self, start: usize) -> Span {
        let last = self.at.saturating_sub(1).max(start);
        self.tokens[start].span.to(self.tokens[last].span)
    }

    /// Reports a problem and gives up on the present clause.
    fn fail<T>(&mut self, problem: Problem) -> Result<T, Reported> {
        self.report.add(problem);
        Err(Reported)
    }

    /// Reports that something else than the next token was expected.
    fn unexpected<T>(&mut self, expected: &str) -> Result<T, Reported> {
        let Token { kind, span, .. } = self.peek();
        if matches!(kind, TokenKind::OpenQuote | TokenKind::OpenComment) {
            return self.never_closed();
        }
        let text = &self.text[span.range()];
        let message = match kind {
            TokenKind::End => "the text ends in the middle of a clause".to_owned(),
            _ => format!("`{text}` does not fit here"),
        };
        let help = match kind {
            TokenKind::Other if is_ellipsis(text) => FILL_IN,
            TokenKind::Other if text == "=" => "use one variable for things that are equal",
            TokenKind::Other => {
                "write names with signs other than letters, digits and `_` in quotes: 'x-ray'"
            }
            _ => "",
        };
        let problem = Problem::new(Code::UnexpectedToken, span, message);
        self.fail(problem.label(format!("expected {expected}")).help(help))
    }

    /// Reports a quote or a comment without its end. The token goes on to the end of the line or
    /// the text; the mistake is where it starts.
    fn never_closed<T>(&mut self) -> Result<T, Reported> {
        let Token { kind, span, .. } = self.peek();
        let start = span.start as usize;
        let (sign, message, help) = match kind {
            TokenKind::OpenComment => ("/*", "this comment is never closed", "close it with `*/`"),
            _ => (
                "'",
                "this quote is never closed",
                "close it on the same line",
            ),
        };
        let sign = Span::new(start, start + sign.len());
        let problem = Problem::new(Code::UnexpectedToken, sign, message);
        self.fail(problem.label("opened here").help(help))
    }

    /// Passes over the rest of a clause that could not be understood: up to its full stop, or to a
    /// line that starts like another clause.
    fn skip_clause(&mut self, start: usize) {
        self.at = self.at.max(start + 1).min(self.tokens.len() - 1);
        while self.peek().kind != TokenKind::End && !self.is_outdented_name(self.at, start) {
            if self.take().kind == TokenKind::Stop {
                return;
            }
        }
    }

    /// Whether the token is a name that starts a line no further right than the line of the
    /// clause's start.
    fn is_outdented_name(&self, at: usize, start: usize) -> bool {
        let token = self.tokens[at];
        token.is_first
            && token.indent <= self.tokens[start].indent
            && matches!(token.kind, TokenKind::Name | TokenKind::Quoted)
            && !CONNECTIVES.contains(&self.text_of(token))
    }
}
