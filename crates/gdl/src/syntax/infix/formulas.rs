//! Formulas and terms of infix notation.

use super::tokens::{Token, TokenKind};
use super::{Reader, Reported};
use crate::keyword::normal_relation_name;
use crate::problem::{Code, Problem};
use crate::source::Span;
use crate::symbol::Symbol;
use crate::syntax::names::{
    connective, constant_of_quoted, is_number, unquoted, variable_of_infix,
};
use crate::syntax::{Atom, Formula, MAX_DEPTH, Term, TermKind};
use std::borrow::Cow;

impl<'a> Reader<'a> {
    /// Reads formulas joined by or, or by and, or a single one.
    fn formula(&mut self) -> Result<Formula, Reported> {
        let start = self.at;
        let first = self.conjunction_as_one()?;
        if self.is_or() {
            self.disjunction(start, first)
        } else {
            Ok(first)
        }
    }

    /// Reads on after the first part of a disjunction.
    pub(super) fn disjunction(
        &mut self,
        start: usize,
        first: Formula,
    ) -> Result<Formula, Reported> {
        let mut parts = vec![first];
        while self.is_or() {
            self.take();
            parts.push(self.conjunction_as_one()?);
        }
        Ok(Formula::Or(parts, self.span_from(start)))
    }

    pub(super) fn is_or(&self) -> bool {
        self.is_next(TokenKind::Or, "or")
    }

    fn conjunction_as_one(&mut self) -> Result<Formula, Reported> {
        let start = self.at;
        let mut parts = self.conjunction()?;
        if parts.len() > 1 {
            return Ok(Formula::And(parts, self.span_from(start)));
        }
        // `conjunction` returns at least one formula.
        Ok(parts.remove(0))
    }

    /// Reads one or more formulas joined by and.
    pub(super) fn conjunction(&mut self) -> Result<Vec<Formula>, Reported> {
        let mut parts = vec![self.literal()?];
        while self.peek().kind == TokenKind::Comma || self.is_next(TokenKind::And, "and") {
            self.take();
            parts.push(self.literal()?);
        }
        Ok(parts)
    }

    /// Reads an atom, two terms that differ, a negation, or a formula in parentheses.
    pub(super) fn literal(&mut self) -> Result<Formula, Reported> {
        let start = self.at;
        let next = self.peek();
        if self.is_next(TokenKind::Not, "not") {
            self.take();
            let inner = self.nested(Self::literal)?;
            return Ok(Formula::Not(Box::new(inner), self.span_from(start)));
        }
        if next.kind == TokenKind::Open {
            return self.group();
        }
        if next.kind == TokenKind::Name && self.tokens[self.at + 1].kind == TokenKind::Open {
            match self.text_of(next) {
                "distinct" => return self.distinct(),
                word @ ("and" | "or") => return self.application_of(word),
                _ => {}
            }
        }
        self.atom_or_inequality()
    }

    /// Reads a formula in parentheses. The place of what is joined inside includes them.
    fn group(&mut self) -> Result<Formula, Reported> {
        let start = self.at;
        let open = self.take();
        let mut formula = self.nested(Self::formula)?;
        self.close(open)?;
        if let Formula::And(_, span) | Formula::Or(_, span) = &mut formula {
            *span = self.span_from(start);
        }
        Ok(formula)
    }

    /// Reads `and(...)` or `or(...)`.
    fn application_of(&mut self, word: &str) -> Result<Formula, Reported> {
        let start = self.at;
        self.take();
        let open = self.take();
        let parts = self.nested(|reader| reader.list(Self::literal))?;
        self.close(open)?;
        let span = self.span_from(start);
        match word {
            _ if parts.is_empty() => self.bad_connective(word, "at least one literal", 0, span),
            "and" => Ok(Formula::And(parts, span)),
            _ => Ok(Formula::Or(parts, span)),
        }
    }

    fn distinct(&mut self) -> Result<Formula, Reported> {
        let start = self.at;
        self.take();
        let open = self.take();
        let terms = self.nested(|reader| reader.list(Self::term))?;
        self.close(open)?;
        let span = self.span_from(start);
        match <[Term; 2]>::try_from(terms) {
            Ok([left, right]) => Ok(Formula::Distinct(left, right, span)),
            Err(terms) => self.bad_connective("distinct", "exactly two terms", terms.len(), span),
        }
    }

    fn bad_connective<T>(
        &mut self,
        word: &str,
        takes: &str,
        found: usize,
        span: Span,
    ) -> Result<T, Reported> {
        let message = format!("`{word}` takes {takes}, not {found}");
        let problem = Problem::new(Code::BadConnective, span, message);
        self.fail(problem.label(format!("expected {takes}")))
    }

    fn atom_or_inequality(&mut self) -> Result<Formula, Reported> {
        let start = self.at;
        let first = self.peek();
        let left = self.term_or("a literal")?;
        if self.take_if(TokenKind::Unequal).is_some() {
            let right = self.term()?;
            return Ok(Formula::Distinct(left, right, self.span_from(start)));
        }
        let (name, args) = match left.kind {
            TermKind::Variable(_) => {
                let message = format!("the variable `{}` is not a literal", self.text_of(first));
                return self.not_a_literal(first, message, "constants start with a small letter");
            }
            TermKind::Constant(name) => (name, Vec::new()),
            TermKind::Compound(name, args) => (name, args),
        };
        Ok(Formula::Atom(Atom {
            relation: self.relation(name, first)?,
            relation_span: first.span,
            args,
            span: left.span,
        }))
    }

    fn relation(&mut self, name: Symbol, token: Token) -> Result<Symbol, Reported> {
        let name = self.symbols.name(name);
        if is_number(name) {
            let message = format!("the number `{name}` is not a literal");
            return self.not_a_literal(token, message, "");
        }
        if let Some(connective) = connective(name) {
            let message = format!("`{connective}` cannot be a relation");
            return self.not_a_literal(token, message, "");
        }
        let name = normal_relation_name(name).into_owned();
        Ok(self.symbols.intern(&name))
    }

    fn not_a_literal<T>(
        &mut self,
        token: Token,
        message: String,
        help: &str,
    ) -> Result<T, Reported> {
        let problem = Problem::new(Code::NotALiteral, token.span, message);
        self.fail(problem.label("expected a literal").help(help))
    }

    fn term(&mut self) -> Result<Term, Reported> {
        self.term_or("a term")
    }

    /// Reads a term. If there is none, says that something else was expected.
    fn term_or(&mut self, expected: &str) -> Result<Term, Reported> {
        let token = self.peek();
        let kind = match token.kind {
            TokenKind::Variable => self.variable()?,
            TokenKind::Name | TokenKind::Quoted | TokenKind::Number => {
                self.constant_or_compound()?
            }
            _ => return self.unexpected(expected),
        };
        let last = self.tokens[self.at - 1];
        let span = token.span.to(last.span);
        Ok(Term { kind, span })
    }

    fn variable(&mut self) -> Result<TermKind, Reported> {
        let token = self.take();
        let text = self.text_of(token);
        if self.peek().kind == TokenKind::Open {
            let message = format!("the variable `{text}` cannot be a function or a relation");
            return self.not_a_term(
                token,
                message,
                "names of functions start with a small letter, or are quoted",
            );
        }
        let name = match text {
            "_" => self.new_variable(),
            _ => variable_of_infix(text),
        };
        if name.is_empty() {
            return self.not_a_term(token, "this variable has no name".to_owned(), "");
        }
        Ok(TermKind::Variable(self.symbols.intern(&name)))
    }

    /// A name for a variable without one.
    fn new_variable(&mut self) -> Cow<'a, str> {
        loop {
            self.anonymous += 1;
            let name = format!("_{}", self.anonymous);
            if !self.variables.contains(&name) {
                return Cow::Owned(name);
            }
        }
    }

    fn constant_or_compound(&mut self) -> Result<TermKind, Reported> {
        let token = self.take();
        let name = match token.kind {
            TokenKind::Quoted => match unquoted(self.text_of(token)) {
                Cow::Borrowed(text) => constant_of_quoted(text),
                Cow::Owned(text) => Cow::Owned(constant_of_quoted(&text).into_owned()),
            },
            _ => Cow::Borrowed(self.text_of(token)),
        };
        if name.is_empty() {
            return self.not_a_term(
                token,
                "there is nothing between these quotes".to_owned(),
                "",
            );
        }
        let symbol = self.symbols.intern(&name);
        let Some(open) = self.take_if(TokenKind::Open) else {
            return Ok(TermKind::Constant(symbol));
        };
        if is_number(&name) {
            let message = format!("the number `{name}` cannot be a function or a relation");
            return self.not_a_term(token, message, "");
        }
        let args = self.nested(|reader| reader.list(Self::term))?;
        self.close(open)?;
        Ok(if args.is_empty() {
            TermKind::Constant(symbol)
        } else {
            TermKind::Compound(symbol, args)
        })
    }

    fn not_a_term<T>(&mut self, token: Token, message: String, help: &str) -> Result<T, Reported> {
        let problem = Problem::new(Code::NotATerm, token.span, message);
        self.fail(problem.label("expected a term").help(help))
    }

    /// Reads what stands between parentheses, separated by commas; there may be nothing.
    fn list<T>(
        &mut self,
        mut part: impl FnMut(&mut Self) -> Result<T, Reported>,
    ) -> Result<Vec<T>, Reported> {
        let mut parts = Vec::new();
        if self.peek().kind == TokenKind::Close {
            return Ok(parts);
        }
        loop {
            parts.push(part(self)?);
            if self.take_if(TokenKind::Comma).is_none() {
                return Ok(parts);
            }
        }
    }

    /// Passes a closing parenthesis.
    fn close(&mut self, open: Token) -> Result<(), Reported> {
        let next = self.peek();
        let ends = matches!(
            next.kind,
            TokenKind::Stop | TokenKind::Arrow | TokenKind::End
        ) || next.is_first;
        match next.kind {
            TokenKind::Close => {
                self.take();
                Ok(())
            }
            _ if ends => self.fail(
                Problem::new(
                    Code::UnclosedParenthesis,
                    open.span,
                    "this parenthesis is never closed",
                )
                .label("opened here")
                .related(next.span, "expected `)` before this")
                .help("add the missing `)`"),
            ),
            _ => self.unexpected("`,` or `)`"),
        }
    }

    /// Reads something one level deeper.
    fn nested<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Reported>,
    ) -> Result<T, Reported> {
        if self.depth >= MAX_DEPTH {
            return self.too_deep(self.at);
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }
}
