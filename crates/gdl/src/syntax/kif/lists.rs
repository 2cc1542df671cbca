//! Finding the clauses of a KIF text: which parenthesis closes which.
//!
//! Where the parentheses balance, they are taken as they are, whatever the layout. Only where they
//! do not is the layout consulted, by [`recover`](super::recover).

use super::layout::{is_rule_start, places};
use super::recover::recover;
use super::tokens::{Token, TokenKind};
use crate::problem::{Code, Problem};
use crate::syntax::{MAX_DEPTH, Report};
use std::ops::Range;

/// Pairs the parentheses and returns the tokens of every clause that is whole.
pub(super) fn clauses(text: &str, tokens: &mut [Token], report: &mut Report) -> Vec<Range<usize>> {
    if !pair(tokens) {
        return recover(text, tokens, report);
    }
    let clauses = if is_wrapped(tokens) {
        split(tokens, 1..tokens.len() - 1)
    } else {
        split(tokens, 0..tokens.len())
    };
    if swallows_rule(text, tokens, &clauses) {
        return recover(text, tokens, report);
    }
    let is_shallow = |clause: &Range<usize>| {
        let deep = depth(&tokens[clause.clone()]) > MAX_DEPTH;
        if deep {
            report.add(too_deep(&tokens[clause.start]));
        }
        !deep
    };
    clauses.into_iter().filter(is_shallow).collect()
}

pub(super) fn too_deep(open: &Token) -> Problem {
    let message = format!("lists are nested more than {MAX_DEPTH} deep");
    Problem::new(Code::NestingTooDeep, open.span, message)
        .label("in the clause that starts here")
        .help("split the clause, or look for parentheses too many")
}

/// Notes for every opening parenthesis where it is closed. False if the parentheses do not balance.
pub(super) fn pair(tokens: &mut [Token]) -> bool {
    let mut open = Vec::new();
    for at in 0..tokens.len() {
        match tokens[at].kind {
            TokenKind::Open => open.push(at),
            TokenKind::Close => match open.pop() {
                Some(start) => tokens[start].close = at as u32,
                None => return false,
            },
            TokenKind::Word => {}
        }
    }
    open.is_empty()
}

/// Whether one more pair of parentheses surrounds all clauses, as in a message of the GGP protocol.
fn is_wrapped(tokens: &[Token]) -> bool {
    let starts_twice = tokens
        .iter()
        .take(2)
        .filter(|token| token.kind == TokenKind::Open)
        .count()
        == 2;
    starts_twice && tokens[0].close as usize == tokens.len() - 1
}

/// The expressions that stand side by side in a range of tokens.
pub(super) fn split(tokens: &[Token], range: Range<usize>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = range.start;
    while start < range.end {
        let end = match tokens[start].kind {
            TokenKind::Open => tokens[start].close as usize + 1,
            _ => start + 1,
        };
        found.push(start..end);
        start = end;
    }
    found
}

/// Whether a rule starts inside another clause on a line of its own and no further right than that
/// clause: then a parenthesis is missing before it, and another one is too many after it.
fn swallows_rule(text: &str, tokens: &[Token], clauses: &[Range<usize>]) -> bool {
    let starts_rule = |at: usize| is_rule_start(text, tokens, at);
    let has_inner = |clause: &&Range<usize>| (clause.start + 1..clause.end).any(starts_rule);
    let mut suspects = clauses.iter().filter(has_inner).peekable();
    if suspects.peek().is_none() {
        return false;
    }
    let places = places(text, tokens);
    suspects.any(|clause| {
        let mut inner = clause.start + 1..clause.end;
        let is_outdented =
            |at: usize| places[at].is_first && places[at].column <= places[clause.start].column;
        inner.any(|at| starts_rule(at) && is_outdented(at))
    })
}

/// How deeply lists are nested, of which all are closed.
pub(super) fn depth(tokens: &[Token]) -> usize {
    let mut depth = 0_usize;
    let mut deepest = 0;
    for token in tokens {
        match token.kind {
            TokenKind::Open => depth += 1,
            TokenKind::Close => depth -= 1,
            TokenKind::Word => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}
