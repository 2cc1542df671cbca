//! Clauses of infix notation: head, arrow, body, full stop.

use super::tokens::TokenKind;
use super::{Reader, Reported};
use crate::problem::{Code, Problem};
use crate::syntax::{Atom, Formula, MAX_DEPTH, Term, TermKind};

impl Reader<'_> {
    /// Reads a fact or a rule with the full stop that ends it.
    pub(super) fn clause(&mut self) -> Result<(Atom, Vec<Formula>), Reported> {
        let start = self.at;
        self.depth = 0;
        let head = self.head()?;
        let body = match self.take_if(TokenKind::Arrow) {
            Some(_) => self.body()?,
            None => Vec::new(),
        };
        self.end_of_clause(start, !body.is_empty())?;
        if clause_depth(&head, &body) > MAX_DEPTH {
            return self.too_deep(start);
        }
        Ok((head, body))
    }

    fn head(&mut self) -> Result<Atom, Reported> {
        let first = self.peek();
        let is_name = matches!(first.kind, TokenKind::Name | TokenKind::Quoted);
        let is_other_literal = matches!(
            first.kind,
            TokenKind::Variable | TokenKind::Number | TokenKind::Not | TokenKind::Open
        );
        if !is_name && !is_other_literal {
            return self.not_a_clause();
        }
        match self.literal()? {
            Formula::Atom(atom) => Ok(atom),
            other => self.fail(
                Problem::new(
                    Code::NotALiteral,
                    other.span(),
                    "this cannot be a fact or the head of a rule",
                )
                .label("expected one positive literal"),
            ),
        }
    }

    /// Reports a token that no clause starts with. After a full stop, that is the likely mistake.
    fn not_a_clause<T>(&mut self) -> Result<T, Reported> {
        let first = self.peek();
        let before = self.at.checked_sub(1).map(|before| self.tokens[before]);
        let joins = matches!(
            first.kind,
            TokenKind::Comma | TokenKind::And | TokenKind::Or | TokenKind::Arrow
        );
        match before.filter(|before| before.kind == TokenKind::Stop && joins) {
            Some(stop) => {
                let message = format!("a clause cannot start with `{}`", self.text_of(first));
                self.fail(
                    Problem::new(Code::UnexpectedToken, first.span, message)
                        .label("expected a fact or a rule")
                        .related(stop.span, "the clause before ends here")
                        .help("remove the full stop if that clause goes on"),
                )
            }
            None if first.kind == TokenKind::Close => self.stray(),
            None => self.unexpected("a fact or a rule"),
        }
    }

    fn body(&mut self) -> Result<Vec<Formula>, Reported> {
        let start = self.at;
        let mut first = self.conjunction()?;
        if !self.is_or() {
            return Ok(first);
        }
        let first = match first.len() {
            1 => first.remove(0),
            _ => Formula::And(first, self.span_from(start)),
        };
        Ok(vec![self.disjunction(start, first)?])
    }

    /// Passes the full stop, or finds that it can be done without.
    fn end_of_clause(&mut self, start: usize, has_body: bool) -> Result<(), Reported> {
        match self.peek().kind {
            TokenKind::Stop => {
                self.take();
                Ok(())
            }
            TokenKind::End => Ok(()),
            TokenKind::Close => self.stray(),
            _ if self.is_outdented_name(self.at, start) => {
                let mut lines = start + 1..self.at;
                if lines.any(|at| self.is_outdented_name(at, start)) {
                    return self.unclear_end();
                }
                Ok(())
            }
            _ if has_body => self.unexpected("`,` or `.`"),
            _ => self.unexpected("`:-` or `.`"),
        }
    }

    fn unclear_end<T>(&mut self) -> Result<T, Reported> {
        let before = self.tokens[self.at - 1].span;
        self.fail(
            Problem::new(
                Code::UnexpectedToken,
                self.peek().span,
                "a `,` or a `.` is missing before this",
            )
            .label("does the clause go on, or does another one start?")
            .related(before, "after this"),
        )
    }

    fn stray<T>(&mut self) -> Result<T, Reported> {
        self.fail(
            Problem::new(
                Code::StrayParenthesis,
                self.peek().span,
                "this parenthesis closes nothing",
            )
            .label("nothing is open here")
            .help("remove it, or look for a `)` too many before it"),
        )
    }

    pub(super) fn too_deep<T>(&mut self, start: usize) -> Result<T, Reported> {
        let message = format!("parentheses and negations are nested more than {MAX_DEPTH} deep");
        self.fail(
            Problem::new(Code::NestingTooDeep, self.tokens[start].span, message)
                .label("here")
                .help("split the clause, or look for parentheses too many"),
        )
    }
}

/// How deeply the lists of the clause are nested when it is written in KIF, which is how depth is
/// counted.
fn clause_depth(head: &Atom, body: &[Formula]) -> usize {
    let body_depth = body.iter().map(formula_depth).max();
    atom_depth(head).max(body_depth.unwrap_or(0)) + usize::from(body_depth.is_some())
}

fn formula_depth(formula: &Formula) -> usize {
    match formula {
        Formula::Atom(atom) => atom_depth(atom),
        Formula::Distinct(left, right, _) => 1 + term_depth(left).max(term_depth(right)),
        Formula::Not(inner, _) => 1 + formula_depth(inner),
        Formula::And(parts, _) | Formula::Or(parts, _) => {
            1 + parts.iter().map(formula_depth).max().unwrap_or(0)
        }
    }
}

fn atom_depth(atom: &Atom) -> usize {
    atom.args
        .iter()
        .map(term_depth)
        .max()
        .map_or(0, |deepest| 1 + deepest)
}

fn term_depth(term: &Term) -> usize {
    match &term.kind {
        TermKind::Variable(_) | TermKind::Constant(_) => 0,
        TermKind::Compound(_, args) => 1 + args.iter().map(term_depth).max().unwrap_or(0),
    }
}
