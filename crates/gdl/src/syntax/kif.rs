//! The prefix notation in which GGP programs exchange rules.
//!
//! Reading goes in three steps: `tokens` cuts the text into parentheses, words and comments,
//! `lists` finds out where clauses begin and end, and this module turns each of them into a
//! [`Clause`]. A clause with a mistake in it is reported and left out; reading goes on with the
//! next.

mod expressions;
mod layout;
mod lists;
mod recover;
mod tokens;

pub use self::expressions::{Expression, Expressions, NotExpressions};

use self::layout::is_rule_start;
use self::tokens::{Token, TokenKind, Tokens};
use super::comments::Comments;
use super::names::{FILL_IN, connective, is_ellipsis, is_number};
use super::{Atom, Clause, Formula, Reading, Report, Sheet, Term, TermKind};
use crate::keyword::normal_relation_name;
use crate::problem::{Code, Problem};
use crate::source::{Source, Span};
use crate::symbol::{Symbol, Symbols};

/// Reads a rule sheet in KIF notation.
///
/// Keywords and connectives may be in any case, a proposition may stand with or without
/// parentheses, and the whole sheet may be wrapped in one more pair of parentheses.
pub fn read(source: &Source) -> Reading {
    let mut report = Report::default();
    if report.is_too_large(source) {
        return report.reading(Sheet::default());
    }
    let Tokens {
        mut tokens,
        comments,
    } = tokens::tokens(&source.text);
    let clauses = lists::clauses(&source.text, &mut tokens, &mut report);
    let mut reader = Reader {
        text: &source.text,
        tokens: &tokens,
        symbols: Symbols::default(),
        report,
    };
    let mut comments = Comments::new(&source.text, comments);
    let mut sheet = Sheet::default();
    for range in clauses {
        let span = reader.span(range.start);
        if let Some((head, body)) = reader.clause(range.start) {
            let comments = comments.of_clause(span);
            sheet.clauses.push(Clause {
                head,
                body,
                span,
                comments,
            });
        }
    }
    sheet.closing_comments = comments.rest();
    sheet.symbols = reader.symbols;
    reader.report.reading(sheet)
}

/// Turns tokens into clauses, formulas and terms.
///
/// An expression is named by the index of its first token. Every method that returns `None` has
/// reported why.
struct Reader<'a> {
    text: &'a str,
    tokens: &'a [Token],
    symbols: Symbols,
    report: Report,
}

/// The parts of a list as indices of their first tokens.
fn parts(tokens: &[Token], open: usize) -> impl Iterator<Item = usize> + '_ {
    let close = tokens[open].close as usize;
    let mut next = open + 1;
    std::iter::from_fn(move || {
        let part = next;
        if part >= close {
            return None;
        }
        next = match tokens[part].kind {
            TokenKind::Open => tokens[part].close as usize + 1,
            _ => part + 1,
        };
        Some(part)
    })
}

/// Whether a word is something else than the name of a relation or function.
fn is_no_relation(word: &str) -> bool {
    word == "<=" || word.starts_with('?') || is_number(word)
}

/// A word that is no relation, with what it is.
fn what_is(word: &str) -> String {
    let what = if word.starts_with('?') {
        "variable"
    } else {
        "number"
    };
    format!("the {what} `{word}`")
}

impl<'a> Reader<'a> {
    /// Reads a clause; any problem in it makes it worthless.
    fn clause(&mut self, at: usize) -> Option<(Atom, Vec<Formula>)> {
        let problems = self.report.count();
        let clause = if is_rule_start(self.text, self.tokens, at) {
            self.rule(at)?
        } else {
            (self.fact(at)?, Vec::new())
        };
        (self.report.count() == problems).then_some(clause)
    }

    fn rule(&mut self, open: usize) -> Option<(Atom, Vec<Formula>)> {
        let mut parts = parts(self.tokens, open).skip(1);
        let Some(head) = parts.next() else {
            self.report.add(
                Problem::new(
                    Code::BadConnective,
                    self.span(open),
                    "this rule has no head",
                )
                .label("expected a head")
                .help("write `(<= head condition ...)`"),
            );
            return None;
        };
        let head = self.head(head);
        let body = parts.filter_map(|part| self.formula(part)).collect();
        Some((head?, body))
    }

    fn head(&mut self, at: usize) -> Option<Atom> {
        if let Some(connective) = self.connective(at) {
            let message = format!("`{connective}` cannot be the head of a rule");
            self.not_a_literal(at, message, "a head is one positive literal");
            return None;
        }
        self.atom(at)
    }

    fn fact(&mut self, at: usize) -> Option<Atom> {
        let word = self.word(at);
        let is_empty = self.tokens[at].close as usize == at + 1;
        let what = match (self.connective(at), word) {
            (Some(connective), _) => format!("`{connective}`"),
            (None, Some(word)) if is_no_relation(word) || is_ellipsis(word) => format!("`{word}`"),
            (None, None) if is_empty => "an empty list".to_owned(),
            _ => return self.atom(at),
        };
        let help = if word.is_some_and(is_ellipsis) {
            FILL_IN
        } else {
            "a fact is `(relation argument ...)`, a rule is `(<= head condition ...)`"
        };
        let message = format!("{what} is neither a fact nor a rule");
        let problem = Problem::new(Code::NotAClause, self.span(at), message);
        self.report
            .add(problem.label("expected a fact or a rule").help(help));
        None
    }

    fn formula(&mut self, at: usize) -> Option<Formula> {
        let span = self.span(at);
        let Some(connective) = self.connective(at) else {
            return self.atom(at).map(Formula::Atom);
        };
        let parts: Vec<usize> = match self.tokens[at].kind {
            TokenKind::Open => parts(self.tokens, at).skip(1).collect(),
            _ => Vec::new(),
        };
        match (connective, &parts[..]) {
            ("not", &[part]) => Some(Formula::Not(Box::new(self.formula(part)?), span)),
            ("distinct", &[left, right]) => {
                let (left, right) = (self.term(left), self.term(right));
                Some(Formula::Distinct(left?, right?, span))
            }
            ("and" | "or", [_, ..]) => {
                let parts = parts.into_iter().filter_map(|part| self.formula(part));
                let parts = parts.collect();
                Some(match connective {
                    "and" => Formula::And(parts, span),
                    _ => Formula::Or(parts, span),
                })
            }
            _ => {
                self.bad_connective(connective, parts.len(), span);
                None
            }
        }
    }

    /// The connective that a list starts with, or that stands alone.
    fn connective(&self, at: usize) -> Option<&'static str> {
        let word = match self.tokens[at].kind {
            TokenKind::Open => self.word(at + 1)?,
            _ => self.word(at)?,
        };
        connective(word)
    }

    fn atom(&mut self, at: usize) -> Option<Atom> {
        let name_at = match self.tokens[at].kind {
            TokenKind::Open => at + 1,
            _ => at,
        };
        let relation = self.relation(at, name_at)?;
        let parts = (name_at != at).then(|| parts(self.tokens, at).skip(1));
        let parts = parts.into_iter().flatten();
        let args = parts.filter_map(|part| self.term(part)).collect();
        Some(Atom {
            relation,
            relation_span: self.tokens[name_at].span,
            args,
            span: self.span(at),
        })
    }

    /// The relation of the literal, whose name is at another place if it is a list.
    fn relation(&mut self, at: usize, name_at: usize) -> Option<Symbol> {
        const HELP: &str = "a literal is `(relation argument ...)`";
        let kind = self.tokens[name_at].kind;
        let (place, message, help) = match self.word(name_at) {
            None if kind == TokenKind::Open => (
                at,
                "a literal cannot start with a list".to_owned(),
                "write `(and ...)` around several literals",
            ),
            None => (at, "an empty list is not a literal".to_owned(), "remove it"),
            Some("<=") => (
                at,
                "`<=` can only start a clause".to_owned(),
                "close the clause before it",
            ),
            Some(word) if !is_no_relation(word) => {
                return Some(self.symbols.intern(&normal_relation_name(word)));
            }
            Some(word) if name_at == at => {
                (at, format!("{} is not a literal", what_is(word)), HELP)
            }
            Some(word) => (
                name_at,
                format!("{} cannot be a relation", what_is(word)),
                HELP,
            ),
        };
        self.not_a_literal(place, message, help);
        None
    }

    fn term(&mut self, at: usize) -> Option<Term> {
        let span = self.span(at);
        let kind = match self.tokens[at].kind {
            TokenKind::Open => self.compound(at)?,
            _ => self.simple_term(at)?,
        };
        Some(Term { kind, span })
    }

    fn simple_term(&mut self, at: usize) -> Option<TermKind> {
        let word = self.word(at)?;
        if word == "<=" {
            self.not_a_term(at, "`<=` is not a term", "");
            return None;
        }
        match word.strip_prefix('?') {
            Some("") => {
                self.not_a_term(at, "this variable has no name", "write a name after `?`");
                None
            }
            Some(name) => Some(TermKind::Variable(self.symbols.intern(name))),
            None => Some(TermKind::Constant(self.symbols.intern(word))),
        }
    }

    fn compound(&mut self, open: usize) -> Option<TermKind> {
        let Some(word) = self.word(open + 1) else {
            let (what, help) = match self.tokens[open + 1].kind {
                TokenKind::Open => (
                    "a term cannot start with a list",
                    "start it with the name of a function",
                ),
                _ => ("an empty list is not a term", "remove it"),
            };
            self.not_a_term(open, what, help);
            return None;
        };
        if is_no_relation(word) {
            let message = match word {
                "<=" => "`<=` can only start a clause".to_owned(),
                _ => format!("{} cannot be a function", what_is(word)),
            };
            self.not_a_term(open + 1, message, "a function is a name");
            return None;
        }
        let function = self.symbols.intern(word);
        let args = parts(self.tokens, open)
            .skip(1)
            .filter_map(|part| self.term(part));
        let args: Vec<Term> = args.collect();
        Some(if args.is_empty() {
            TermKind::Constant(function)
        } else {
            TermKind::Compound(function, args)
        })
    }

    fn bad_connective(&mut self, connective: &str, found: usize, span: Span) {
        let (takes, help) = match (connective, found) {
            ("not", 0) => ("exactly one literal", "write what must not hold"),
            ("not", _) => (
                "exactly one literal",
                "write a `not` for each, or `(not (and ...))`",
            ),
            ("distinct", _) => ("exactly two terms", "write `(distinct ?x ?y)`"),
            _ => (
                "at least one literal",
                "remove it, or write what it should join",
            ),
        };
        let message = format!("`{connective}` takes {takes}, not {found}");
        let problem = Problem::new(Code::BadConnective, span, message);
        self.report
            .add(problem.label(format!("expected {takes}")).help(help));
    }

    fn not_a_literal(&mut self, at: usize, message: impl Into<String>, help: &str) {
        let problem = Problem::new(Code::NotALiteral, self.span(at), message);
        self.report
            .add(problem.label("expected a literal").help(help));
    }

    fn not_a_term(&mut self, at: usize, message: impl Into<String>, help: &str) {
        let problem = Problem::new(Code::NotATerm, self.span(at), message);
        self.report.add(problem.label("expected a term").help(help));
    }

    /// The text of the token, if it is a word.
    fn word(&self, at: usize) -> Option<&'a str> {
        let token = self.tokens[at];
        (token.kind == TokenKind::Word).then(|| &self.text[token.span.range()])
    }

    /// Where the expression stands.
    fn span(&self, at: usize) -> Span {
        let token = self.tokens[at];
        match token.kind {
            TokenKind::Open => token.span.to(self.tokens[token.close as usize].span),
            _ => token.span,
        }
    }
}
